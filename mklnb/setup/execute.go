package setup

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// executeScript is a Python program that runs a notebook by nbclient, checks its outputs and exports it by nbconvert.
//
//go:embed execute.py
var executeScript string

// Execution describes the run of one notebook.
type Execution struct {
	Notebook string // the file to run; Execute does not write to it

	// HTMLPath is the file for the page, which contains the libraries of charts and of formulas if it needs them.
	// ExecutedNotebookPath is the file for the notebook with its outputs. "" means no file. Execute writes both files
	// also if a cell fails. They contain no outputs of an earlier run.
	HTMLPath, ExecutedNotebookPath string

	// Timeout limits one cell. If Timeout is 0, it is 10 minutes.
	Timeout time.Duration

	// Vars are environment variables for the run, in addition to those of the setup, for example MKL_SIZE=small.
	Vars []string
}

// Execute runs a notebook from top to bottom without a browser. It passes one line per cell to logLine, and at the end
// the number of checks and of failed checks. The page ends with the same line. Execute returns an error if
//
//   - the output of a cell contains an error, the box of a failed compilation, or on stderr the end of a failed program
//     (exit status, signal, panic);
//   - the output of a cell tagged raises-exception contains none of these;
//   - a cell shows fewer charts than its metadata mkl_expect: ["chart"] has words "chart" (a chart is an element of
//     class mkl-chart that contains a picture);
//   - a cell takes longer than the timeout, or the kernel dies.
//
// Unlike JupyterLab, Execute also runs the cells after a failed one. The error has one line for each failure. If the
// kernel dies, the first failure states this, no later cell runs, and no checks are counted. The kernel ends when the
// notebook is finished, and also when ctx or this process ends.
func (e *Env) Execute(ctx context.Context, x Execution, logLine func(string)) error {
	notebook, err := filepath.Abs(x.Notebook)
	if err != nil {
		return fmt.Errorf("setup: execute the notebook: %w", err)
	}
	if _, err := os.Stat(notebook); err != nil {
		return fmt.Errorf("setup: execute the notebook: %w", err)
	}
	timeout := cmp.Or(x.Timeout, 10*time.Minute)
	request := map[string]any{
		"notebook": notebook,
		"timeout":  timeout.Seconds(),
		"kernel":   KernelName,
		"echarts":  filepath.Join(kernelSpecFolder(e.CheckoutFolder), "echarts.min.js"),
		"mathjax":  filepath.Join(e.CheckoutFolder, "mklnb", "setup", "mathjax", "tex-svg-full.js"),
	}
	// A Jupyter kernel that is killed leaves its temporary module in this folder, which is removed below.
	resultFolder, err := os.MkdirTemp("", "mkl-execute-*")
	if err != nil {
		return fmt.Errorf("setup: execute %s: make a folder for the results: %w", x.Notebook, err)
	}
	defer os.RemoveAll(resultFolder)
	files := map[string]string{"html": x.HTMLPath, "executed": x.ExecutedNotebookPath}
	for name, path := range files {
		if path != "" {
			request[name] = filepath.Join(resultFolder, name)
		}
	}
	cmd := exec.CommandContext(ctx, e.PythonPath, "-c", executeScript)
	cmd.Env = append(append([]string{}, e.Vars...), x.Vars...)
	cmd.Env = append(cmd.Env, "TMPDIR="+resultFolder)
	cmd.Dir = filepath.Dir(notebook)
	out, err := runScript(cmd, request, logLine)
	for name, path := range files {
		content, readErr := os.ReadFile(filepath.Join(resultFolder, name))
		if path == "" || readErr != nil { // if the script wrote no file, out contains the reason
			continue
		}
		if err := writeFile(path, content); err != nil {
			return err
		}
	}
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("setup: execute %s: stopped; the next run continues with the stored results of nb.Run and "+
			"nb.Learn: %w", x.Notebook, ctx.Err())
	case len(out.failures) > 0:
		return fmt.Errorf("setup: execute %s: %d failures:\n  %s", x.Notebook, len(out.failures),
			strings.Join(out.failures, "\n  "))
	case err != nil || !out.isFinished:
		return commandError(ctx, "execute "+x.Notebook, cmp.Or(err, io.ErrUnexpectedEOF), out.outputText)
	}
	return nil
}

// scriptOutput is the output of executeScript.
type scriptOutput struct {
	failures   []string // faults of cells; if the kernel died, the first fault states this
	isFinished bool     // the script ran to its end
	outputText string   // everything that the script and the kernel printed
}

// runScript runs executeScript and passes the request to its standard input as one line of JSON. The pipe then stays
// open until ctx or this process ends. When the pipe closes, the script ends its kernel and itself.
func runScript(cmd *exec.Cmd, request map[string]any, logLine func(string)) (out scriptOutput, err error) {
	line, err := json.Marshal(request)
	if err != nil {
		return out, err
	}
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return out, err
	}
	cmd.Cancel, cmd.WaitDelay = stdin.Close, 20*time.Second
	if _, err := io.WriteString(stdin, string(line)+"\n"); err != nil {
		return out, err
	}
	kernelDeathText := ""
	out.outputText, err = runWatched(cmd, func(line string) {
		messageKind, text, _ := strings.Cut(line, " ")
		switch messageKind {
		case "say":
			logLine(text)
		case "complain":
			out.failures = append(out.failures, text)
		case "died":
			kernelDeathText = text
		case "finished":
			out.isFinished = true
		}
	})
	if kernelDeathText != "" {
		if reason := kernelPanic.FindString(out.outputText); reason != "" {
			kernelDeathText += ": " + reason
		}
		out.failures = append([]string{kernelDeathText}, out.failures...)
	}
	return out, err
}

// kernelPanic matches the first line of a panic of the Jupyter kernel.
var kernelPanic = regexp.MustCompile(`(?m)^(panic|fatal error): .*$`)
