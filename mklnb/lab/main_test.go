package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestParse(t *testing.T) {
	o, err := parseArguments([]string{"-execute", "n.ipynb", "-output", "n.html", "-timeout", "30s"})
	if err != nil || o.execute != "n.ipynb" || o.output != "n.html" || o.timeout != 30*time.Second ||
		len(o.jupyter) != 0 {
		t.Errorf("%+v, %v", o, err)
	}
	o, err = parseArguments([]string{"--", "--no-browser", "-execute"})
	if err != nil || o.execute != "" || !slices.Equal(o.jupyter, []string{"--no-browser", "-execute"}) {
		t.Errorf("%+v, %v, expected the arguments after -- in jupyter", o, err)
	}
	o, err = parseArguments([]string{"folder", "--", "--no-browser"})
	if err != nil || o.folder != "folder" || len(o.jupyter) != 1 {
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

func TestOption(t *testing.T) {
	args := []string{"--no-browser", "--port", "8899", "--ServerApp.ip=0.0.0.0", "--IdentityProvider.token=a=b"}
	for name, want := range map[string]string{"port": "8899", "ip": "0.0.0.0", "token": "a=b", "root_dir": ""} {
		if got := optionValue(args, name); got != want {
			t.Errorf("option %s is %q, expected %q", name, got, want)
		}
	}
}

func TestNoNotebook(t *testing.T) {
	err := run(context.Background(), []string{"-execute", filepath.Join(t.TempDir(), "nowhere.ipynb")})
	if err == nil || !strings.Contains(err.Error(), "nowhere.ipynb") {
		t.Errorf("error is %v, expected one that names the notebook", err)
	}
}

// TestFolder tests that a path that is not a folder is an error before setup.
func TestFolder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "n.ipynb")
	try(os.WriteFile(file, []byte("{}"), 0o644))
	for _, path := range []string{file, file + ".not"} {
		if err := run(context.Background(), []string{path}); err == nil ||
			!strings.Contains(err.Error(), path+" is not a folder") {
			t.Errorf("error is %v, expected: %s is not a folder", err, path)
		}
	}
}

func TestLabArgs(t *testing.T) {
	dir := t.TempDir()
	try(os.WriteFile(filepath.Join(dir, startPage), []byte("{}"), 0o644))
	got := labArgs(dir, 1000, nil)
	want := []string{"--ServerApp.answer_yes=True", "--ServerApp.root_dir=" + dir, "--LabApp.default_url=/lab/tree/" +
		startPage}
	if !slices.Equal(got, want) {
		t.Errorf("arguments are %q, expected %q", got, want)
	}
	if got := labArgs(dir, 0, nil); !slices.Contains(got, "--allow-root") {
		t.Errorf("arguments for root are %q, expected --allow-root among them", got)
	}
	got = labArgs(dir, 1000, []string{"--ServerApp.root_dir=/elsewhere", "--port=1"})
	want = []string{"--ServerApp.answer_yes=True", "--ServerApp.port_retries=0", "--ServerApp.root_dir=/elsewhere",
		"--port=1"}
	if !slices.Equal(got, want) {
		t.Errorf("arguments are %q, expected %q", got, want)
	}
}

// must returns v and panics on an error.
func must[T any](v T, err error) T {
	try(err)
	return v
}

// try panics on an error.
func try(err error) {
	if err != nil {
		panic(err)
	}
}
