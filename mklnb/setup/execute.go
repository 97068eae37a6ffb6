package setup

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// executeScript runs a notebook by nbclient, judges its outputs and exports it by nbconvert.
//
//go:embed execute.py
var executeScript string

// Execution says how one notebook is to be run.
type Execution struct {
	Notebook string // the file to run; it is not written to

	// HTML and Executed are written when named: the page, with the libraries of charts and of
	// formulas in it once where it has any, and the notebook with its outputs; "-" is standard output. They are
	// written also where a cell failed.
	HTML, Executed string

	// AsIs runs nothing: the page is of the outputs that the notebook has.
	AsIs bool

	// Theme of the page is "light" or "dark". If Theme is "", it is light.
	Theme string

	// Timeout bounds one cell. If Timeout is 0, it is 10 minutes.
	Timeout time.Duration

	// Vars are added to the environment of the set-up, MKL_SIZE=small for example.
	Vars []string
}

// writeOut writes a file whole, or to standard output where path is "-".
func writeOut(path string, content []byte) error {
	if path != "-" {
		return writeWhole(path, content, 0o644)
	}
	if _, err := os.Stdout.Write(content); err != nil {
		return fmt.Errorf("setup: %w", err)
	}
	return nil
}

// Execute runs a notebook from top to bottom without a browser, tells say one line per cell and how many checks there
// were and failed, with which the page ends too, and fails if anything went wrong in it:
//
//   - a cell's output is an error, the box of a failed compilation, or on stderr the end of a
//     program that was not well (exit status, signal, panic); a cell tagged raises-exception may
//     do so, and then must;
//   - a cell whose metadata say mkl_expect: ["chart"] shows fewer charts than there are words
//     "chart" (a chart is an element of class mkl-chart with a picture in it);
//   - a cell takes longer than the timeout, or the kernel dies.
//
// All cells are run, also those behind a failed one, which JupyterLab leaves, and every complaint is in the
// error, one a line. The kernel is shut down at the end, also when ctx ends or this process does.
func (e *Env) Execute(ctx context.Context, x Execution, say func(string)) error {
	say = orQuiet(say)
	notebook, err := filepath.Abs(x.Notebook)
	if err != nil {
		return fmt.Errorf("setup: execute: %w", err)
	}
	if _, err := os.Stat(notebook); err != nil {
		return fmt.Errorf("setup: execute: %w", err)
	}
	timeout := x.Timeout
	if timeout == 0 {
		timeout = 10 * time.Minute
	}
	order := map[string]any{
		"notebook": notebook,
		"timeout":  timeout.Seconds(),
		"as_is":    x.AsIs,
		"theme":    cmp.Or(x.Theme, "light"),
		"kernel":   KernelName,
		"echarts":  filepath.Join(specDir(e.Root), "echarts.min.js"),
		"mathjax":  filepath.Join(e.Root, "mklnb", "setup", "mathjax", "tex-svg-full.js"),
	}
	// A kernel that is killed leaves its temporary module behind; this folder goes with it.
	tmp, err := os.MkdirTemp("", "mkl-execute-*")
	if err != nil {
		return fmt.Errorf("setup: execute: %w", err)
	}
	defer os.RemoveAll(tmp)
	files := map[string]string{"html": x.HTML, "executed": x.Executed}
	for name, path := range files {
		if path != "" {
			order[name] = filepath.Join(tmp, name)
		}
	}
	line, err := json.Marshal(order)
	if err != nil {
		return fmt.Errorf("setup: execute: %w", err)
	}
	cmd := exec.CommandContext(ctx, e.Python, "-c", executeScript)
	cmd.Env = append(append([]string{}, e.Vars...), x.Vars...)
	cmd.Env = append(cmd.Env, "TMPDIR="+tmp)
	cmd.Dir = filepath.Dir(notebook)
	// The order is one line; after it the pipe stays open for as long as this process lives and
	// wants the run. The script ends, and its kernel, when the pipe does.
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return fmt.Errorf("setup: execute: %w", err)
	}
	cmd.Cancel = stdin.Close
	cmd.WaitDelay = 20 * time.Second
	if _, err := io.WriteString(stdin, string(line)+"\n"); err != nil {
		return fmt.Errorf("setup: execute: %w", err)
	}
	var complaints []string
	finished := false
	out, err := runWatched(cmd, func(line string) {
		switch {
		case strings.HasPrefix(line, "say "):
			say(line[len("say "):])
		case strings.HasPrefix(line, "complain "):
			complaints = append(complaints, line[len("complain "):])
		case line == "finished":
			finished = true
		}
	})
	for name, path := range files {
		content, unmade := os.ReadFile(filepath.Join(tmp, name))
		if path == "" || unmade != nil { // the script has said why
			continue
		}
		if err := writeOut(path, content); err != nil {
			return err
		}
	}
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("setup: execute %s: stopped; what nb.Run and nb.Learn had finished is kept for the next "+
			"time: %w", x.Notebook, ctx.Err())
	case len(complaints) > 0:
		return fmt.Errorf("setup: execute %s: %d complaints:\n  %s", x.Notebook, len(complaints),
			strings.Join(complaints, "\n  "))
	case err != nil:
		return fmt.Errorf("setup: execute %s: %w: %s", x.Notebook, err, lastLine(out))
	case !finished:
		return fmt.Errorf("setup: execute %s: %w", x.Notebook,
			errors.New("the script ended before the notebook did: "+lastLine(out)))
	}
	return nil
}
