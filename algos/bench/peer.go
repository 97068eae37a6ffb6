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
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// peersScript answers for one program in one process.
//
//go:embed peers.py
var peersScript string

// child is a Python process that answers one request at a time, a line of JSON each way. It lives
// for a whole task, so that neither its start nor its imports are measured.
type child struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stderr bytes.Buffer
}

// answer is any reply of a child.
type answer struct {
	Origin
	Seconds float64 `json:"seconds"`
	Lost    int     `json:"lost"`
	Error   string  `json:"error"`
}

// startChild runs a script in python and gives it its order.
func startChild(ctx context.Context, python, script, dir string, env []string, order any) (*child, error) {
	c := &child{cmd: exec.CommandContext(ctx, python, "-c", script)}
	c.cmd.Dir, c.cmd.Env, c.cmd.Stderr = dir, env, &c.stderr
	c.cmd.WaitDelay = 15 * time.Second
	var err error
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	// The end of the pipe ends the script and what it started.
	c.cmd.Cancel = c.in.Close
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	c.out = bufio.NewReader(out)
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
	line, err := json.Marshal(request)
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	if _, err := c.in.Write(append(line, '\n')); err != nil {
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

// gone is the error of a process that no longer answers, with the last it said.
func (c *child) gone(err error) error {
	c.close()
	if line := lastLine(c.stderr.String()); line != "" {
		return errors.New(line)
	}
	return fmt.Errorf("bench: the peer ended: %w", err)
}

func (c *child) close() {
	c.in.Close()
	done := make(chan struct{})
	go func() { c.cmd.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(30 * time.Second):
		c.cmd.Process.Kill()
		<-done
	}
}

func lastLine(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}

// peerSide is one program of peers.py.
type peerSide struct {
	*child
	file   string
	origin Origin
}

func (p *peerSide) time(_ context.Context, calls int) (float64, error) {
	a, err := p.ask(map[string]int{"calls": calls})
	if err != nil {
		return 0, err
	}
	return a.Seconds, nil
}

func (p *peerSide) result(context.Context) ([]float64, error) {
	a, err := p.ask(map[string]string{"result": p.file})
	if err != nil {
		return nil, err
	}
	p.origin = a.Origin
	defer os.Remove(p.file)
	return readRaw(p.file)
}

func (p *peerSide) told() Origin { return p.origin }

// save writes the arrays below the folder of the run, name/*.npy, and returns their files.
func (b *bench) save(name string, arrays map[string]array) (map[string]string, error) {
	dir, err := os.MkdirTemp(b.dir, name+"-")
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	files := map[string]string{}
	for k, a := range arrays {
		files[k] = filepath.Join(dir, k+".npy")
		if err := a.save(files[k]); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// peer is a program of peers.py in an environment.
type peer struct {
	env, program, label string
	args                map[string]any // beside those of the input
	threads             int            // of BLAS; if 0, as many as the task has
}

// against are the entries of the peers that were asked for, on files that hold what Go computes with.
func (b *bench) against(files map[string]string, args map[string]any, peers ...peer) (entries []entry) {
	for _, p := range peers {
		e, asked := b.envs[p.env]
		if !asked {
			continue
		}
		all := map[string]any{}
		for _, m := range []map[string]any{args, p.args} {
			for k, v := range m {
				all[k] = v
			}
		}
		entries = append(entries, entry{p.label, p.env, func(ctx context.Context, threads int) (side, error) {
			python, err := e.get(ctx)
			if err != nil {
				return nil, err
			}
			if p.threads > 0 {
				threads = p.threads
			}
			env := append(os.Environ(), "PYTHONHOME=", "PYTHONPATH=", "PYTHONNOUSERSITE=1") // empty is as not set
			for _, name := range []string{"OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"} {
				env = append(env, name+"="+strconv.Itoa(threads))
			}
			c, err := startChild(ctx, python, peersScript, b.dir, env, map[string]any{"program": p.program, "inputs": files, "args": all})
			if err != nil {
				return nil, err
			}
			return &peerSide{child: c, file: filepath.Join(b.dir, "result.f8")}, nil
		}})
	}
	return entries
}
