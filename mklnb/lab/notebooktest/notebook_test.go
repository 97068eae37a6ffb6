// Package notebooks holds the tests of the notebooks: every cell compiles as GoNB composes it
// (gate_test.go), no notebook breaks the rules of the house (lint_test.go), every notebook runs
// from top to bottom (execute_test.go) and works in JupyterLab in a real browser, live charts, themes,
// stop button and all (browser_test.go). MKL_NOTEBOOKS names another folder of notebooks to test.
package notebooks

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mklnb/mkl/algos/testenv"
	"github.com/mklnb/mkl/mklnb/setup"
)

// notebook is what the tests need of a file of notebook format 4.
type notebook struct {
	Path     string `json:"-"`
	Format   int    `json:"nbformat"`
	Metadata struct {
		Kernel struct {
			Name        string `json:"name"`
			DisplayName string `json:"display_name"`
			Language    string `json:"language"`
		} `json:"kernelspec"`
		MKL struct {
			OutputsOf string `json:"outputs_of"` // the fingerprint of the cells that the outputs are of
		} `json:"mkl"`
	} `json:"metadata"`
	Cells []cell `json:"cells"`
}

// cell is one cell; Number counts the code cells from 1.
type cell struct {
	Number   int      `json:"-"`
	Type     string   `json:"cell_type"`
	ID       string   `json:"id"`
	Source   text     `json:"source"`
	Count    *int     `json:"execution_count"`
	Outputs  []output `json:"outputs"`
	Metadata struct {
		Tags   []string `json:"tags"`
		Expect []string `json:"mkl_expect"`
	} `json:"metadata"`
}

type output struct {
	Type      string                     `json:"output_type"`
	Name      string                     `json:"name"`
	Text      text                       `json:"text"`
	Data      map[string]json.RawMessage `json:"data"`
	Value     string                     `json:"evalue"`
	Traceback text                       `json:"traceback"`
}

// text is a string that may be stored as a list of lines.
type text string

func (t *text) UnmarshalJSON(b []byte) error {
	var lines []string
	if json.Unmarshal(b, &lines) == nil {
		*t = text(strings.Join(lines, ""))
		return nil
	}
	return json.Unmarshal(b, (*string)(t))
}

// form is the output as this MIME type, "" where it has none or is no text.
func (o output) form(mime string) string {
	var t text
	if raw, ok := o.Data[mime]; ok && t.UnmarshalJSON(raw) == nil {
		return string(t)
	}
	return ""
}

// charts is the number of charts that the cells say they show.
func (n *notebook) charts() (count int) {
	for _, c := range n.Cells {
		count += c.charts()
	}
	return count
}

// charts is the number of charts that the cell says it shows.
func (c cell) charts() (count int) {
	for _, word := range c.Metadata.Expect {
		if word == "chart" {
			count++
		}
	}
	return count
}

// code is the cells of code that hold any.
func (n *notebook) code() (cells []cell) {
	for _, c := range n.Cells {
		if c.Number > 0 {
			cells = append(cells, c)
		}
	}
	return cells
}

// read reads a notebook.
func read(path string) (*notebook, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return parse(path, content)
}

func parse(path string, content []byte) (*notebook, error) {
	n := &notebook{Path: path}
	if err := json.Unmarshal(content, n); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	number := 0
	for i := range n.Cells {
		if n.Cells[i].Type == "code" && strings.TrimSpace(string(n.Cells[i].Source)) != "" {
			number++
			n.Cells[i].Number = number
		}
	}
	return n, nil
}

// shipped is the folder of the notebooks of this repository.
const shipped = "../../../notebooks"

// folder is the folder of the notebooks under test.
func folder() string {
	if dir := os.Getenv("MKL_NOTEBOOKS"); dir != "" {
		return dir
	}
	return shipped
}

// all reads every notebook under test; none at all is a failure.
func all(t *testing.T) []*notebook {
	t.Helper()
	paths := must(filepath.Glob(filepath.Join(folder(), "*.ipynb")))
	if len(paths) == 0 {
		t.Fatalf("no notebook in %s", folder())
	}
	slices.Sort(paths)
	var list []*notebook
	for _, path := range paths {
		n := must(read(path))
		list = append(list, n)
	}
	return list
}

// environment sets up, once for all tests, what running a notebook needs. Where it cannot be had
// the test is skipped, for the reason given; a set-up that breaks otherwise is a failure.
func environment(t *testing.T) *setup.Env {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: no notebook is run")
	}
	env, err := ensure()
	if err != nil {
		testenv.Lacks(t, err.Error())
	}
	return env
}

var ensure = sync.OnceValues(func() (*setup.Env, error) {
	return setup.Ensure(context.Background(), func(line string) { fmt.Fprintln(os.Stderr, line) })
})

// artefacts is the folder that keeps what a test has made to be looked at: MKL_ARTEFACTS, else a
// folder of the cache.
func artefacts(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("MKL_ARTEFACTS")
	if dir == "" {
		cache := must(setup.CacheDir())
		dir = filepath.Join(cache, "artefacts")
	}
	try(os.MkdirAll(dir, 0o755))
	return dir
}

// must is v, of a call that may not fail.
func must[T any](v T, err error) T {
	try(err)
	return v
}

// try ends the tests where there is an error.
func try(err error) {
	if err != nil {
		panic(err)
	}
}
