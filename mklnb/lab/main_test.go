package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mklnb/mkl/mklnb/setup"
)

func TestParse(t *testing.T) {
	o, err := parseArguments([]string{"-execute", "n.ipynb", "-output", "n.html", "-timeout", "30s"})
	if err != nil || o.notebookToRun != "n.ipynb" || o.htmlPath != "n.html" || o.timeout != 30*time.Second ||
		len(o.labArguments) != 0 {
		t.Errorf("%+v, %v", o, err)
	}
	o, err = parseArguments([]string{"--", "--no-browser", "-execute"})
	if err != nil || o.notebookToRun != "" || !slices.Equal(o.labArguments, []string{"--no-browser", "-execute"}) {
		t.Errorf("%+v, %v, expected the arguments after -- in jupyter", o, err)
	}
	o, err = parseArguments([]string{"folder", "--", "--no-browser"})
	if err != nil || o.folderToOpen != "folder" || len(o.labArguments) != 1 {
		t.Errorf("%+v, %v, expected a folder", o, err)
	}
	for _, c := range []struct{ args, says string }{
		{"folder another", "after --"},
		{"-setup folder", "after --"},
		{"-completion", "-setup"},
		{"-output n.html", "-execute"},
		{"-notebook-out n.ipynb", "-execute"},
		{"-execute n.ipynb -- --no-browser", "-execute"},
		{"-execute n.ipynb -timeout 0s", "-timeout"},
	} {
		if _, err := parseArguments(strings.Fields(c.args)); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error is %v, expected one with %q", c.args, err, c.says)
		}
	}
}

// TestPaths tests that a notebook that does not exist, and a path that is not a folder, are errors before setup.
func TestPaths(t *testing.T) {
	file := filepath.Join(t.TempDir(), "n.ipynb")
	try(os.WriteFile(file, []byte("{}"), 0o644))
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"-execute", file + ".not"}, "n.ipynb.not"},
		{[]string{file}, file + " is not a folder"},
		{[]string{file + ".not"}, file + ".not is not a folder"},
	} {
		if err := run(t.Context(), c.args); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error is %v, expected one with %q", err, c.want)
		}
	}
}

func TestLabArgs(t *testing.T) {
	dir := t.TempDir()
	try(os.WriteFile(filepath.Join(dir, startPage), []byte("{}"), 0o644))
	got := labArgs(dir, 1000, nil)
	const lsp = "--LanguageServerManager.autodetect=False"
	want := []string{"--ServerApp.answer_yes=True", lsp, "--ServerApp.root_dir=" + dir,
		"--LabApp.default_url=/lab/tree/" + startPage}
	if !slices.Equal(got, want) {
		t.Errorf("arguments are %q, expected %q", got, want)
	}
	if got := labArgs(dir, 0, nil); !slices.Contains(got, "--allow-root") {
		t.Errorf("arguments for root are %q, expected --allow-root among them", got)
	}
	got = labArgs(dir, 1000, []string{"--ServerApp.root_dir=/elsewhere", "--port=1"})
	want = []string{"--ServerApp.answer_yes=True", lsp, "--ServerApp.port_retries=0", "--ServerApp.root_dir=/elsewhere",
		"--port=1"}
	if !slices.Equal(got, want) {
		t.Errorf("arguments are %q, expected %q", got, want)
	}
}

// try panics on an error.
func try(err error) {
	if err != nil {
		panic(err)
	}
}

// TestRunLab tests that a server that ends by itself is an error, and that a server that ends with ctx is not.
func TestRunLab(t *testing.T) {
	python := filepath.Join(t.TempDir(), "python")
	try(os.WriteFile(python, []byte("#!/bin/sh\nsleep 1\nexit 3\n"), 0o755))
	env := &setup.Env{PythonPath: python, Vars: os.Environ()}
	err := runLab(t.Context(), env, t.TempDir(), nil)
	if err == nil || !strings.Contains(err.Error(), "exit status 3") {
		t.Errorf("error is %v, expected one with the status of the server", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := runLab(ctx, env, t.TempDir(), nil); err != nil {
		t.Errorf("error is %v, expected none", err)
	}
}
