//go:build unix

package setup

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/mklnb/mkl/algos/testenv"
)

// script stands for Python with execute.py: it writes its page as that does, by renaming.
const script = `#!/bin/sh
read -r order
html=$(printf %s "$order" | sed 's/.*"html":"\([^"]*\)".*/\1/')
printf page >"$html.tmp" && mv "$html.tmp" "$html"
echo finished
`

// TestExecuteOutput: a page goes where -output says: into what is there, a link's target or a device, and by "-" to
// standard output.
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
		t.Errorf("the link leads to %q, %v", got, err)
	}
	if got, err := os.ReadFile(at("page.html")); err != nil || string(got) != "page" {
		t.Errorf("the link's target holds %q, %v", got, err)
	}
	execute(at("new folder/page.html"))
	if got, err := os.ReadFile(at("new folder/page.html")); err != nil || string(got) != "page" {
		t.Errorf("the page in a new folder is %q, %v", got, err)
	}

	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout := os.Stdout
	os.Stdout = w
	execute("-")
	os.Stdout = stdout
	w.Close()
	if got, err := io.ReadAll(r); err != nil || string(got) != "page" {
		t.Errorf("on standard output there is %q, %v", got, err)
	}
}
