//go:build unix

package setup

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/testenv"
)

// script replaces Python and execute.py. It writes its page in the same way, by renaming.
const script = `#!/bin/sh
read -r order
html=$(printf %s "$order" | sed 's/.*"html":"\([^"]*\)".*/\1/')
printf page >"$html.tmp" && mv "$html.tmp" "$html"
echo finished
`

// TestExecuteOutput tests that a page is written to a new file and to the target of a link.
func TestExecuteOutput(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	testenv.Write(t, dir, map[string]string{"python": script, "n.ipynb": "{}", "page.html": "old"})
	e := &Env{Python: at("python"), Vars: os.Environ()}
	execute := func(html string) {
		t.Helper()
		try(e.Execute(t.Context(), Execution{Notebook: at("n.ipynb"), HTML: html}, nil))
	}
	if err := os.Symlink("page.html", at("link")); err != nil {
		t.Skip(err)
	}
	execute(at("link"))
	if got, err := os.Readlink(at("link")); err != nil || got != "page.html" {
		t.Errorf("the link points to %q, %v", got, err)
	}
	if got, err := os.ReadFile(at("page.html")); err != nil || string(got) != "page" {
		t.Errorf("the link's target contains %q, %v", got, err)
	}
	execute(at("new folder/page.html"))
	if got, err := os.ReadFile(at("new folder/page.html")); err != nil || string(got) != "page" {
		t.Errorf("the page in a new folder is %q, %v", got, err)
	}
}

// TestExecuteKernelDied tests that the death of the kernel is the first complaint, with the reason that the kernel
// printed.
func TestExecuteKernelDied(t *testing.T) {
	dir := t.TempDir()
	testenv.Write(t, dir, map[string]string{"n.ipynb": "{}", "python": `#!/bin/sh
read -r order
echo "complain cell 1: exit status 1"
echo "panic: runtime error: index out of range" >&2
echo "died the kernel died in cell 2 of 3; no cell after it ran"
echo finished
`})
	e := &Env{Python: filepath.Join(dir, "python"), Vars: os.Environ()}
	err := e.Execute(t.Context(), Execution{Notebook: filepath.Join(dir, "n.ipynb")}, nil)
	const want = "2 complaints:\n  the kernel died in cell 2 of 3; no cell after it ran: " +
		"panic: runtime error: index out of range\n  cell 1: exit status 1"
	if err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("error is %v, expected one that ends with %s", err, want)
	}
}
