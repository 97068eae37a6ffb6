//go:build unix

package setup

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/testenv"
)

// executeFake calls Execute with a shell script in place of Python and execute.py. The page goes to a new folder.
func executeFake(t *testing.T, script string) (page string, err error) {
	t.Helper()
	dir := t.TempDir()
	testenv.WriteFiles(t, dir, map[string]string{"python": "#!/bin/sh\nread -r request\n" + script, "n.ipynb": "{}"})
	e := &Env{PythonPath: filepath.Join(dir, "python"), Vars: os.Environ()}
	page = filepath.Join(dir, "new", "page.html")
	return page, e.Execute(t.Context(), Execution{Notebook: filepath.Join(dir, "n.ipynb"), HTMLPath: page}, quiet)
}

// TestExecuteOutput tests that a page is written to a new folder.
func TestExecuteOutput(t *testing.T) {
	page, err := executeFake(t, `html=$(printf %s "$request" | sed 's/.*"html":"\([^"]*\)".*/\1/')
printf page >"$html"
echo finished
`)
	if got, readErr := os.ReadFile(page); err != nil || readErr != nil || string(got) != "page" {
		t.Errorf("the page is %q, %v, %v", got, err, readErr)
	}
}

// TestExecuteKernelDied tests that the death of the kernel is the first failure, with the reason that the kernel
// printed.
func TestExecuteKernelDied(t *testing.T) {
	_, err := executeFake(t, `echo "complain cell 1: exit status 1"
echo "panic: runtime error: index out of range" >&2
echo "died the kernel died in cell 2 of 3; no cell after it ran"
echo finished
`)
	const want = "2 failures:\n  the kernel died in cell 2 of 3; no cell after it ran: " +
		"panic: runtime error: index out of range\n  cell 1: exit status 1"
	if err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("error is %v, expected one that ends with %s", err, want)
	}
}
