package notebooks

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mklnb/mkl/algos/testenv"
	"github.com/mklnb/mkl/mklnb/setup"
)

// The tests of this file are about the tests: what a notebook does wrong is found.

// TestGateFinds: the gate names the cell and the mistake, and accepts what GoNB accepts.
func TestGateFinds(t *testing.T) {
	for _, c := range []struct {
		name  string
		cells []string
		want  string // "" for a notebook without fault
	}{
		{"good", []string{"import \"fmt\"\nfunc f() int { return 1 }", "%%\nfmt.Println(f())"}, ""},
		{"an import of an earlier cell is dropped where it is not used",
			[]string{"import (\n\"fmt\"\n\"os\"\n)", "%%\nfmt.Println()"}, ""},
		{"a later declaration replaces an earlier one", []string{"func f() int { return 1 }\nvar v = 1",
			"func f() string { return \"\" }\nvar v = \"\"", "%%\nvar s string = f() + v\n_ = s"}, ""},
		{"constants of a block count on", []string{"const (\nzero = iota\none\n)", "%%\nvar x [one]int\n_ = x"}, ""},
		{"methods", []string{"type T struct{}\nfunc (t *T) M() {}", "func (t *T) M() int { return 1 }",
			"%%\nvar i int = new(T).M()\n_ = i"}, ""},
		{"%% with a prefix, magic lines, package line",
			[]string{"package main\nimport \"fmt\"\n", "%env A b\n//gonb:%%\nfmt.Println()"}, ""},
		{"func main of its own", []string{"import \"fmt\"\nfunc main() { fmt.Println() }", "%%\nfmt.Println()"}, ""},
		{"a main does not outlive its cell", []string{"%%\nx := 1\n_ = x", "%%\n_ = x"}, "cell2:2: undefined: x"},
		{"an undefined name", []string{"%%\n_ = nowhere"}, "cell1:2: undefined: nowhere"},
		{"an import that was forgotten", []string{"%%\nfmt.Println()"}, "cell1:2: undefined: fmt"},
		{"a module nobody requires", []string{"import _ \"example.com/nowhere\""}, "example.com/nowhere"},
		{"a verb that does not fit", []string{"import \"fmt\"", "%%\nfmt.Printf(\"%d\\n\", \"s\")"}, "cell2:2"},
		{"no Go", []string{"func {"}, "cell1:1"},
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
				t.Errorf("refused: %v", err)
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("error is %v, expected one with %q", err, c.want)
			}
		})
	}
}

// TestLintFinds: testdata/rules.ipynb breaks each rule in a cell of its own.
func TestLintFinds(t *testing.T) {
	n := must(read(filepath.Join("testdata", "rules.ipynb")))
	got := strings.Join(append(lint(n), lintMutations(n, []mutation{{"two", "2", "3"}, {"three", "2, 2", "2, 3"},
		{"four", "four()", "5"}, {"nowhere", "", ""}})...), "\n") + strings.Join(lintReading(n), "\n")
	for _, want := range []string{
		`kernelspec is "python3"`,
		"is empty or used twice",
		"2 lines %%",
		"a dot import breaks",
		"widgets wait",
		"reads input hangs",
		"loaded from another server",
		"no set-up cells",
		"cells are Go",
		`mkl_expect has "picture"`,
		"a failure is stored",
		"loads a script from elsewhere",
		"a library",
		"without alt text",
		"16 lines, expected at most 15",
		`121 columns, expected at most 120: "\t//yyy`,
		`the check "one" has no mutation`,
		`the check "%d: one of a loop" has no mutation`,
		`another check is named "one" too`,
		"the name of a check holds no text",
		`the check "two": "2" stands 4 times`,
		`of the check "nowhere", and there is none`,
		`121 words, expected at most 120: "## Too many`,
		`251 words, expected at most 250`,
		`"A table alone" shows 1 tables`,
		`"Printed" shows 0 tables and prints 6 lines`,
		"is no sentence",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("not found: %s", want)
		}
	}
	for _, right := range []string{`the check "three"`, `the check "four"`, "//xxx", "As many", "A table and a picture"} {
		if strings.Contains(got, right) {
			t.Errorf("found where there is none: %s", right)
		}
	}
	if t.Failed() {
		t.Logf("found:\n%s", got)
	}
}

// TestExecuteFinds: a run names every cell that fails, that shows fewer charts than it says or
// that does not end, and nothing else; pages and notebooks are written all the same.
func TestExecuteFinds(t *testing.T) {
	testenv.Long(t)
	env := environment(t)
	dir := t.TempDir()
	page, executed := filepath.Join(dir, "page.html"), filepath.Join(dir, "executed.ipynb")
	said := ""
	err := env.Execute(t.Context(), setup.Execution{
		Notebook: filepath.Join("testdata", "faults.ipynb"), HTML: page, Executed: executed, Timeout: 20 * time.Second,
	}, func(line string) { said = line })
	if err == nil {
		t.Fatal("a notebook full of faults ran without complaint")
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
		t.Errorf("the complaint %q holds more than what the compiler says", got[0])
	}
	n := must(read(executed))
	if out := n.code()[0].Outputs; len(out) != 1 || out[0].Text != "cell 1 ran\n" {
		t.Errorf("output of cell 1 is %+v, expected what it printed", out)
	}
	content := must(os.ReadFile(page))
	if got := strings.Count(string(content), "Licensed to the Apache Software Foundation"); got != 1 {
		t.Errorf("the page holds the chart library %d times, expected once", got)
	}
	if !strings.Contains(string(content), ">2 checks, 1 failed.<") || said != "2 checks, 1 failed" {
		t.Errorf("the run ends with %q, and the page does not tell: expected 2 checks, 1 failed", said)
	}
	for _, outside := range []string{`src="http`, `src="//`} {
		if strings.Contains(string(content), outside) {
			t.Errorf("the page loads from elsewhere: %s", outside)
		}
	}
}

// TestExecuteUnbroken: a line printed in pieces is one line of the page and of the notebook.
func TestExecuteUnbroken(t *testing.T) {
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
		t.Errorf("%v: the page breaks the line", err)
	}
}

// TestExecuteNeedsNotebook: what is not there, and what is not a notebook, is said.
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
