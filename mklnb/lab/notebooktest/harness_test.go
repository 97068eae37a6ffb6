package notebooks

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mklnb/mkl/algos/testenv"
	"github.com/mklnb/mkl/mklnb/setup"
)

// The tests of this file test the tests: they detect the mistakes of a notebook.

// TestCompose tests that compose and vet name the cell and the mistake, and accept the cells that GoNB accepts.
func TestCompose(t *testing.T) {
	for _, c := range []struct {
		name  string
		cells []string
		want  string // "" for a correct notebook
	}{
		{"good", []string{"import \"fmt\"\nfunc f() int { return 1 }", "%%\nfmt.Println(f())"}, ""},
		{"an unused import of an earlier cell is dropped",
			[]string{"import (\n\"fmt\"\n\"os\"\n)", "%%\nfmt.Println()"}, ""},
		{"a later declaration replaces an earlier one", []string{"func f() int { return 1 }\nvar v = 1",
			"func f() string { return \"\" }\nvar v = \"\"", "%%\nvar s string = f() + v\n_ = s"}, ""},
		{"iota in a block of constants", []string{"const (\nzero = iota\none\n)", "%%\nvar x [one]int\n_ = x"}, ""},
		{"methods", []string{"type T struct{}\nfunc (t *T) M() {}", "func (t *T) M() int { return 1 }",
			"%%\nvar i int = new(T).M()\n_ = i"}, ""},
		{"%% with a prefix, command lines, package line",
			[]string{"package main\nimport \"fmt\"\n", "%env A b\n//gonb:%%\nfmt.Println()"}, ""},
		{"func main in a cell", []string{"import \"fmt\"\nfunc main() { fmt.Println() }", "%%\nfmt.Println()"}, ""},
		{"a main does not outlive its cell", []string{"%%\nx := 1\n_ = x", "%%\n_ = x"}, "cell2:2: undefined: x"},
		{"an undefined name", []string{"%%\n_ = nowhere"}, "cell1:2: undefined: nowhere"},
		{"an import that was forgotten", []string{"%%\nfmt.Println()"}, "cell1:2: undefined: fmt"},
		{"a module that the checkout does not require", []string{"import _ \"example.com/nowhere\""},
			"example.com/nowhere"},
		{"a verb that does not fit", []string{"import \"fmt\"", "%%\nfmt.Printf(\"%d\\n\", \"s\")"}, "cell2:2"},
		{"not Go", []string{"func {"}, "cell1:1"},
		{"a statement outside %%", []string{"x := 1"}, "cell1:1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := &notebook{Path: "n.ipynb"}
			for i, source := range c.cells {
				n.Cells = append(n.Cells, cell{Number: i + 1, Type: "code", Source: text(source)})
			}
			programs, err := compose(n)
			if err == nil {
				err = vet(t, programs)
			}
			switch {
			case c.want == "" && err != nil:
				t.Errorf("error is %v, expected none", err)
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("error is %v, expected one with %q", err, c.want)
			}
		})
	}
}

// TestExecuteComplaints tests that a run names every cell that fails, that shows fewer charts than expected or that
// does not end, and no other cell, and that page and notebook are written.
func TestExecuteComplaints(t *testing.T) {
	testenv.Long(t)
	env := environment(t)
	dir := t.TempDir()
	page, executed := filepath.Join(dir, "page.html"), filepath.Join(dir, "executed.ipynb")
	said := ""
	err := env.Execute(t.Context(), setup.Execution{
		Notebook: filepath.Join("testdata", "faults.ipynb"), HTML: page, Executed: executed, Timeout: 20 * time.Second,
	}, func(line string) { said = line })
	if err == nil {
		t.Fatal("a notebook with faults ran without an error")
	}
	want := []string{
		"cell 2: does not compile: Cell[2]: Line 2 ./main.go",
		"cell 3: panic: told by a panic",
		"cell 3: 0 of 1 expected charts",
		"cell 4: exit status 3: told on stderr",
		"cell 6: is tagged raises-exception and raised nothing",
		"cell 7: 1 of 2 expected charts",
		"cell 9: exit status 1",
		"cell 10: took longer than 20 s",
	}
	got := strings.Split(err.Error(), "\n  ")[1:]
	for i := range max(len(want), len(got)) {
		if i >= len(got) || i >= len(want) || !strings.HasPrefix(got[i], want[i]) {
			t.Fatalf("complaints:\n%s\nexpected:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
	if !strings.HasSuffix(got[0], "declared and not used: notUsed") {
		t.Errorf("the complaint %q contains more than the message of the compiler", got[0])
	}
	n := must(read(executed))
	if out := n.code()[0].Outputs; len(out) != 1 || out[0].Text != "cell 1 ran\n" {
		t.Errorf("output of cell 1 is %+v, expected the printed line", out)
	}
	content := must(os.ReadFile(page))
	if got := strings.Count(string(content), "Licensed to the Apache Software Foundation"); got != 1 {
		t.Errorf("the page contains the chart library %d times, expected once", got)
	}
	if !strings.Contains(string(content), ">2 checks, 1 failed.<") || said != "2 checks, 1 failed" {
		t.Errorf("the run ends with %q, expected 2 checks, 1 failed, also in the page", said)
	}
	for _, outside := range []string{`src="http`, `src="//`} {
		if strings.Contains(string(content), outside) {
			t.Errorf("the page loads from another server: %s", outside)
		}
	}
}

// TestExecuteKernelDies tests a notebook whose second cell kills the kernel: this is the first complaint, checks are
// not counted, and page and notebook contain no output of an earlier run.
func TestExecuteKernelDies(t *testing.T) {
	testenv.Long(t)
	env := environment(t)
	dir := t.TempDir()
	cells := []string{
		"import nb \"github.com/mklnb/mkl/mklnb\"\n%%\nnb.CheckTrue(\"a check\", true)\nnb.Load(\"nothing\")",
		"!kill -9 $PPID", "%%\nprintln(1)",
	}
	var list []object
	for i, source := range cells {
		list = append(list, object{"cell_type": "code", "id": fmt.Sprint("c", i), "source": source,
			"metadata":        object{},
			"execution_count": 1, "outputs": []any{object{"output_type": "stream", "name": "stdout",
				"text": "stored"}}})
	}
	path, page := filepath.Join(dir, "n.ipynb"), filepath.Join(dir, "n.html")
	executed := filepath.Join(dir, "executed.ipynb")
	try(os.WriteFile(path, must(json.Marshal(object{"nbformat": 4, "nbformat_minor": 5, "metadata": object{},
		"cells": list})), 0o644))
	var reports []string
	err := env.Execute(t.Context(), setup.Execution{Notebook: path, HTML: page, Executed: executed},
		func(line string) { reports = append(reports, line) })
	const death = "2 complaints:\n  the kernel died in cell 2 of 3; no cell after it ran"
	if err == nil || !strings.Contains(err.Error(), death) {
		t.Errorf("error is %v, expected the death of the kernel first", err)
	}
	if got := strings.Join(reports, "\n"); strings.Contains(got, "check") {
		t.Errorf("checks are counted: %s", got)
	}
	for _, file := range []string{page, executed} {
		content := string(must(os.ReadFile(file)))
		if strings.Contains(content, "stored") || !strings.Contains(content, "a check") {
			t.Errorf("%s contains an output of an earlier run, or lacks that of the first cell", filepath.Base(file))
		}
	}
}

// TestExecuteStreams tests that a line that is printed in pieces is one line of the page and of the notebook.
func TestExecuteStreams(t *testing.T) {
	testenv.Long(t)
	env := environment(t)
	dir := t.TempDir()
	path, page, executed := filepath.Join(dir, "pieces.ipynb"), filepath.Join(dir, "page.html"),
		filepath.Join(dir, "executed.ipynb")
	const cells = `{"cells":[{"cell_type":"code","execution_count":null,"id":"a","metadata":{},"outputs":[],"source":"import (\n\"fmt\"\n\"time\"\n)\n%%\nfor _, s := range []string{\"a \", \"line \", \"in pieces\\n\"} {\nfmt.Print(s)\ntime.Sleep(300 * time.Millisecond)\n}"}],"metadata":{},"nbformat":4,"nbformat_minor":5}`
	try(os.WriteFile(path, []byte(cells), 0o666))
	try(env.Execute(t.Context(), setup.Execution{Notebook: path, HTML: page, Executed: executed}, nil))
	n := must(read(executed))
	if out := n.code()[0].Outputs; len(out) != 1 || out[0].Text != "a line in pieces\n" {
		t.Errorf("output is %+v", out)
	}
	if content, err := os.ReadFile(page); err != nil ||
		!strings.Contains(string(content), "<pre>a line in pieces\n</pre>") {
		t.Errorf("%v: the page does not contain the line", err)
	}
}

// TestExecuteNeedsNotebook tests the errors of a file that does not exist and of one that is not a notebook.
func TestExecuteNeedsNotebook(t *testing.T) {
	env := environment(t)
	err := env.Execute(t.Context(), setup.Execution{Notebook: filepath.Join(t.TempDir(), "nowhere.ipynb")}, nil)
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error is %v, expected that the file does not exist", err)
	}
	path := filepath.Join(t.TempDir(), "no.ipynb")
	try(os.WriteFile(path, []byte("{"), 0o644))
	err = env.Execute(t.Context(), setup.Execution{Notebook: path}, nil)
	if err == nil || !strings.Contains(err.Error(), "not a notebook") {
		t.Errorf("error is %v, expected: not a notebook", err)
	}
}
