package notebooks

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mklnb/mkl/algos/testenv"
	"github.com/mklnb/mkl/mklnb/setup"
)

// The tests of this file test the tests: they detect the mistakes of a notebook.

// TestCompose tests that compose and vet name the cell of a mistake, and accept the cells that the kernel accepts.
func TestCompose(t *testing.T) {
	setKernelEnv(t)
	for _, c := range []struct {
		name  string
		cells []string
		want  string // "" for a correct notebook
	}{
		{"a later declaration replaces an earlier one", []string{"func f() int { return 1 }\nvar v = 1",
			"func f() string { return \"\" }\nvar v = \"\"", "var s string = f() + v\ns"}, ""},
		{"methods", []string{"type T struct{}\nfunc (t *T) M() {}", "func (t *T) M() int { return 1 }",
			"var i int = new(T).M()\ni"}, ""},
		{"command lines, package line, imports", []string{"package main\nimport \"html/template\"\n",
			"%env A b\ntemplate.New(\"a\")", "import \"text/template\"\nvar t *template.Template",
			"t = template.New(\"a\")"}, ""},
		{"declarations that do not parse", []string{"x := 1", "func f( {}", "x"}, "cell2:1"},
		{"a verb that does not fit", []string{"x := 1", "fmt.Printf(\"%d\\n\", \"s\")\nx"}, "n/cell_02"},
		{"variables last", []string{"x := 1\nf := func() {}", "var m = map[string]int{\"a\": x}", "x := \"a\"\nx",
			"func g(k int) float64 { return math.Sqrt(float64(k)) }", "n := strconv.Atoi(x)\ng(n + m[x])"}, ""},
		{"a variable of another type", []string{"x := 1", "x := \"a\"", "var y int = x\ny"}, "cell3: "},
		{"a variable that no cell has", []string{"x := 1", "y"}, "cell2: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := &notebook{Path: "n.ipynb"}
			for i, source := range c.cells {
				n.Cells = append(n.Cells, cell{Number: i + 1, Type: "code", Source: text(source)})
			}
			programs, err := compose(t, n)
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
	testenv.SkipUnlessLong(t)
	env := environment(t)
	dir := t.TempDir()
	page, executed := filepath.Join(dir, "page.html"), filepath.Join(dir, "executed.ipynb")
	said := ""
	err := env.Execute(t.Context(), setup.Execution{
		Notebook: filepath.Join("testdata", "faults.ipynb"), HTMLPath: page, ExecutedNotebookPath: executed,
		Timeout: 20 * time.Second,
	}, func(line string) { said = line })
	if err == nil {
		t.Fatal("a notebook with faults ran without an error")
	}
	want := []string{
		"cell 2: does not compile: Cell[2]: Line 2:",
		"cell 3: panic: told by a panic",
		"cell 3: 0 of 1 expected charts",
		"cell 4: exit status 3: told on stderr",
		"cell 7: 1 of 2 expected charts",
		"cell 9: !exit 1: exit status 1",
		"cell 10: took longer than 20 s",
	}
	got := strings.Split(err.Error(), "\n  ")[1:]
	for i := range max(len(want), len(got)) {
		if i >= len(got) || i >= len(want) || !strings.HasPrefix(got[i], want[i]) {
			t.Fatalf("complaints:\n%s\nexpected:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
	if !strings.HasSuffix(got[0], "(mismatched types untyped int and untyped string)") {
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
