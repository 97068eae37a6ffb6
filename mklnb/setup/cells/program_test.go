package cells

import (
	"errors"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// notebook runs cells as the kernel does, without its store of declarations.
type notebook struct {
	*Session
	folder string
	cell   int
}

func newNotebook(t *testing.T) *notebook {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "gonb_test")
	checkout, err := filepath.Abs("../../..")
	if err == nil {
		err = os.Mkdir(folder, 0o700)
	}
	for name, content := range map[string]string{"go.mod": "module cell\n\ngo 1.26.0\n",
		"go.work": "go 1.26.0\n\nuse (\n\t.\n\t" + strconv.Quote(checkout) + "\n)\n"} {
		err = errors.Join(err, os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600))
	}
	s, sessionErr := NewSession(folder, map[string]string{"nb": nbPath})
	if err = errors.Join(err, sessionErr); err != nil {
		t.Fatal(err)
	}
	t.Setenv("MKL_KEPT", s.Folder())
	return &notebook{s, folder, 0}
}

// run returns what a cell prints, with its notes, or its error.
func (n *notebook) run(cell string) (string, error) {
	n.cell++
	source := Source{Cell: n.cell, IsBody: true, Text: "package main\n\n"}
	for _, line := range Split(strings.Split(cell, "\n"), func(int) bool { return false }) {
		source.Text += line.Text + "\n"
	}
	if !strings.Contains(source.Text, "func main") { // only declarations, or no Go
		source.Text, source.IsBody = source.Text+cell+"\nfunc main() {}\n", false
	}
	for range strings.Count(source.Text, "\n") {
		source.Cells = append(source.Cells, n.cell)
	}
	p, err := n.Prepare(source)
	if err != nil {
		return "", err
	}
	os.Remove(filepath.Join(n.folder, "kept.go"))
	files := map[string]string{"main.go": p.Main}
	if p.Glue != "" {
		files["kept.go"] = p.Glue
	}
	for name, content := range files {
		err = errors.Join(err, os.WriteFile(filepath.Join(n.folder, name), []byte(content), 0o600))
	}
	build := exec.Command("go", "build", "-o", "program")
	build.Dir = n.folder
	if output, buildErr := build.CombinedOutput(); buildErr != nil {
		return "", errors.Join(err, buildErr, errors.New(string(output)+p.Main+p.Glue))
	}
	n.Built(p)
	output, err := exec.Command(filepath.Join(n.folder, "program")).Output()
	_, notes := n.Finish(p)
	return strings.TrimSpace(string(output) + strings.Join(notes, "\n")), err
}

// TestProgram tests that the programs of cells compile, hand on their variables and show their last expressions, and
// that the error of a cell is the compiler's, with its line. The live kernel has many more cases (notebooktest).
func TestProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: programs are built")
	}
	n := newNotebook(t)
	for _, c := range []struct{ cell, want, fault string }{
		{"x, s := 1, []int{1, 2}", "", ""},
		{"x++\ns[0] = 7\nx", "2", ""},
		{"s", "[7 2]", ""},
		{"v := strconv.Atoi(\"5\")\nv + x", "7", ""},
		{"x := fmt.Sprint(x)\nx + \"a\"", "2a", ""},
		{"f := func() {}\nos.Exit(0)", "", ""},
		{"println(1)\nf()", "", "./main.go:5:1: undefined: f (a variable of cell [6] that ended with it"},
		{"y := 1 +\n\"a\"", "", "./main.go:4:6: invalid operation"},
		{"z := undefined()", "", "undefined: undefined"},
		{"println(w)\nw := 1", "", "undefined: w"},
		{"x", "2", ""},
		{"y := 4\ny := 5", "", "./main.go:5:3: no new variables"},
		{"println(1)\nvar y = 4\nvar y = \"a\"", "", "./main.go:6:5: y redeclared"},
		{"c := http.DefaultClient\ni := &http.DefaultClient.Timeout", "", ""},
		{"c.Timeout = 1", "", "c (a variable of cell [14] that ended with it"},
		{"*i = 1", "", "i (a variable of cell [14] that ended with it"},
		{"func client() *http.Client { return &http.Client{} }\nvar c = &http.Client{}\nvar i, k = client(), []int{1}",
			"", ""},
		{"c.Timeout = 1", "", ""},
		{"c.Timeout + i.Timeout", "1ns", ""},
		{"var number, err = strconv.Atoi(\"7\")", "", ""},
		{"p := &number", "", ""},
		{"number := number + 1\n*p", "7", ""},
		{"*p + number", "15", ""},
		{"string(json.Marshal([]int{1}))", "", "v := json.Marshal"},
		{"j := json.Marshal([]int{1})\nstring(j)", "[1]", ""},
		// a cell that ends before it makes a variable leaves the old one
		{"number = 3\nos.Exit(0)\nnumber, k := \"text\", 3", "", ""},
		{"number + len(k)", "4", ""},
		// the order of calls is that of Go
		{"l := \"\"\nat := func() int { l += \"i\"; return 0 }\nof := func() *[]int { l += \"p\"; return &s }\n" +
			"two := func() (int, error) { l += \"f\"; return 5, nil }\n" +
			"s[at()] = two()\n(*of())[at()+1] = two()\nl + fmt.Sprint(s)", "ifpif[5 5]", ""},
		// a function of the same cell means the new variable
		{"func again() string { return l + \"!\" }\nl := []string{l}\nagain()", "", "invalid operation"},
		{"func again() int { return 2 * l }\nk := l\nl := 4\nagain()", "8", ""},
		{"k + fmt.Sprint(l)", "ifpif4", ""},
		{"func again() string { return l + \"!\" }\nagain()\nl := \"a\"", "", "./main.go:6:1: l is declared again"},
	} {
		got, err := n.run(c.cell)
		var fault *Error
		switch errors.As(err, &fault); {
		case c.fault == "" && (err != nil || got != c.want):
			t.Errorf("%q shows %q, %v, expected %q", c.cell, got, err, c.want)
		case c.fault != "" && (fault == nil || !strings.Contains(fault.Text, c.fault)):
			t.Errorf("%q ends with %v, expected %q", c.cell, err, c.fault)
		}
	}
	if names := strings.Join(n.Names(), " "); names != "c err i j k l number p s v x" {
		t.Errorf("the variables are %s", names)
	}
	if list, _ := n.Complete("fmt.Println(", nil); list != nil {
		t.Errorf("nothing is completed to %q", list)
	}
	list, length := n.Complete("println(v", nil) // the variable, then packages
	if len(list) == 0 || list[0] != "v" || length != 1 || slices.ContainsFunc(list[1:], func(name string) bool {
		return !n.packages.isName(name)
	}) {
		t.Errorf("v is completed to %q", list)
	}
}

// TestHints tests that a cell as Python has it gets a hint with what Go has for it.
func TestHints(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: programs are built")
	}
	n := newNotebook(t)
	if _, err := n.run("x := []int{1}"); err != nil {
		t.Fatal(err)
	}
	for cell, want := range map[string]string{"x.head()": "nb.Show(x)", "x.append(2)": "= append(x",
		"x[-1]":     "len(x)-1",
		"b := True": "true", "help(nb.Learn)": "?", "x[0] ** 2": "math.Pow", "try:\n\tx = nil": "{ … }",
		"pd.read_csv(\"a.csv\")": "nb.Open", "b = 1": "b := ", "b := 1\nb := 2": "=",
		"a, b := strconv.Atoi(\"1\"), 2":           "v := strconv.Atoi(\"1\")",
		"math.Sqrt(strconv.ParseFloat(\"3\", 64))": "v := ",
		"if v := strconv.Atoi(\"1\"); v > 0 {\n}":  "v := "} {
		if _, err := n.run(cell); err == nil || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), " (") {
			t.Errorf("%q ends with %v, expected a hint with %s", cell, err, want)
		}
	}
	path := filepath.Join(t.TempDir(), "main.go")
	for cell, want := range map[string]string{"import numpy": "nb.Open", "import numpy as np": "nb.Open",
		"from numpy import array": "nb.Open", "for x in y:": "range", "while True:": "for", "if x == 4:": "{",
		"def f(x):": "func", "lambda x: x": "func", "f\"{x}\"": "fmt.Sprintf", "'abc'": "quotes",
		"y = [1,2,3]":    "[]float64{",
		"d = {\"a\": 1}": "map[string]float64{", "x and y": "&&", "f(x, folds=5)": "?f", "nb.Learn? # a": "//",
		"f(nb.Learn?": "?", "print x": "nb.Show", "del x": "%rm", "with open(\"a\") as f:": "err",
		"type(x)": "?x", "assert x == 1": "panic", "class A:": "struct", "x, y": "nb.Show(a, b)",
		"f(1, 2": ""} {
		text := "package main\n\nfunc main() {\n" + cell + "\n}\n"
		if strings.HasPrefix(cell, "import") || strings.HasPrefix(cell, "type") {
			text = "package main\n\n" + cell + "\n"
		}
		err := os.WriteFile(path, []byte(text), 0o600)
		if err != nil {
			t.Fatal(err)
		}
		_, err = parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if hint := Hint(err); err == nil || !strings.Contains(hint, want) || want != "" && hint == "" ||
			cell == "f(1, 2" && hint != "" {
			t.Errorf("%q ends with %v and the hint %q, expected %q", cell, err, hint, want)
		}
	}
}
