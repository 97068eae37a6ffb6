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

	"github.com/mklnb/mkl/algos/store"
	"github.com/mklnb/mkl/algos/testenv"
	"github.com/mklnb/mkl/mklnb/setup"
)

// notebook contains the fields of notebook format 4 that the tests use.
type notebook struct {
	Path     string `json:"-"`
	Metadata struct {
		Kernel struct {
			Name        string `json:"name"`
			DisplayName string `json:"display_name"`
		} `json:"kernelspec"`
		MKL struct {
			OutputsOf string `json:"outputs_of"` // the fingerprint of the cells that produced the outputs
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
		Fold   struct {
			Source bool `json:"source_hidden"`
		} `json:"jupyter"`
	} `json:"metadata"`
}

// isFolded reports whether a page shows only the first line of the cell.
func (c cell) isFolded() bool { return c.Metadata.Fold.Source }

type output struct {
	Type      string                     `json:"output_type"`
	Name      string                     `json:"name"`
	Text      text                       `json:"text"`
	Data      map[string]json.RawMessage `json:"data"`
	Value     string                     `json:"evalue"`
	Traceback text                       `json:"traceback"`
}

// text is a string that a notebook may store as a list of lines.
type text string

func (t *text) UnmarshalJSON(b []byte) error {
	var lines []string
	if json.Unmarshal(b, &lines) == nil {
		*t = text(strings.Join(lines, ""))
		return nil
	}
	return json.Unmarshal(b, (*string)(t))
}

// form returns the output in this MIME type, "" if the output does not have the type or is not text.
func (o output) form(mime string) string {
	var t text
	if raw, ok := o.Data[mime]; ok && t.UnmarshalJSON(raw) == nil {
		return string(t)
	}
	return ""
}

// name returns the name of the file without its extension, such as 00_start_here.
func (n *notebook) name() string { return strings.TrimSuffix(filepath.Base(n.Path), ".ipynb") }

// charts returns the number of charts that the cell should show.
func (c cell) charts() (count int) {
	for _, word := range c.Metadata.Expect {
		if word == "chart" {
			count++
		}
	}
	return count
}

// code returns the code cells that are not empty.
func (n *notebook) code() (cells []cell) {
	for _, c := range n.Cells {
		if c.Number > 0 {
			cells = append(cells, c)
		}
	}
	return cells
}

// read reads a notebook from a file.
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

// newNotebook returns a notebook with these code cells and without outputs.
func newNotebook(sources ...string) object {
	var cells []any
	for i, source := range sources {
		cells = append(cells, object{"cell_type": "code", "id": fmt.Sprintf("c%d", i+1), "metadata": object{},
			"source": source, "outputs": []any{}, "execution_count": nil})
	}
	spec := object{"name": setup.KernelName, "display_name": "Go (mkl)", "language": "go"}
	return object{"nbformat": 4, "nbformat_minor": 5, "metadata": object{"kernelspec": spec}, "cells": cells}
}

// shipped is the folder of the notebooks in this repository.
const shipped = "../../../notebooks"

// all reads every notebook under test and fails the test if there is none.
func all(t *testing.T) []*notebook {
	t.Helper()
	paths := must(filepath.Glob(filepath.Join(shipped, "*.ipynb")))
	if len(paths) == 0 {
		t.Fatalf("no notebook in %s", shipped)
	}
	slices.Sort(paths)
	var list []*notebook
	for _, path := range paths {
		n := must(read(path))
		list = append(list, n)
	}
	return list
}

// eachNotebook runs f as a subtest for every notebook, under its name.
func eachNotebook(t *testing.T, f func(t *testing.T, n *notebook)) {
	t.Helper()
	for _, n := range all(t) {
		t.Run(n.name(), func(t *testing.T) { f(t, n) })
	}
}

// reportFaults reports what faultsOf finds in every notebook.
func reportFaults(t *testing.T, faultsOf func(*notebook) []string) {
	t.Helper()
	eachNotebook(t, func(t *testing.T, n *notebook) {
		for _, fault := range faultsOf(n) {
			t.Errorf("%s: %s", n.Path, fault)
		}
	})
}

// environment calls setup.Ensure, once for all tests. If setup fails, the test is skipped with the error.
func environment(t *testing.T) *setup.Env {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: this test runs a notebook")
	}
	env, err := ensure()
	if err != nil {
		testenv.SkipWithout(t, err.Error())
	}
	return env
}

var ensure = sync.OnceValues(func() (*setup.Env, error) {
	os.Setenv("MKL_MODELS", must(os.MkdirTemp("", "mkl-models-")))
	return setup.Ensure(context.Background(), func(line string) { fmt.Fprintln(os.Stderr, line) })
})

// artifacts returns the folder for pages and screenshots: MKL_ARTIFACTS, or a folder of the cache.
func artifacts(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("MKL_ARTIFACTS")
	if dir == "" {
		cache := must(store.CacheDir())
		dir = filepath.Join(cache, "artifacts")
	}
	try(os.MkdirAll(dir, 0o755))
	return dir
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
