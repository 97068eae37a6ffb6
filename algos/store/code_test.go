package store

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/registry"
	"github.com/mklnb/mkl/algos/testenv"
)

// put writes a file as if long ago, with the folders above it.
func put(t *testing.T, name, text string) {
	t.Helper()
	past := time.Unix(1e9, 0)
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644),
		os.Chtimes(name, past, past)); err != nil {
		t.Fatal(err)
	}
}

// TestSources: what programs may be made of changes the hash, and nothing else does.
func TestSources(t *testing.T) {
	root := t.TempDir()
	at := func(name string) string { return filepath.Join(root, name) }
	for _, name := range []string{"go.mod", "go.sum", "a/a.go", "a/b_amd64.s", "a/deep/words", "notes/x.csv"} {
		put(t, at(name), name)
	}
	hash := func(apart string) string {
		t.Helper()
		v := must(sources(root, apart))
		return v
	}
	first, apart := hash(""), hash(at("a"))
	for name, want := range map[string]string{
		"a/a_test.go": "", "a/testdata/x.go": "", ".hidden/x.go": "", "_x/x.go": "", "in/b/b.go": "", "a/d.ipynb": "",
		"notes/x.csv": "", "notes/x_test.go": "", "README.md": "", "go.mod": "both", "go.sum": "both",
		"a/a.go":      "first",
		"a/b_amd64.s": "first", "a/new.go": "first", "a/deep/words": "both", "a/deep/.new": "both", "b/b.go": "both",
	} {
		before, err := os.ReadFile(at(name))
		put(t, at(name), "edited")
		if name == "in/b/b.go" {
			put(t, at("in/go.mod"), "module in")
		}
		if got := hash("") != first; got != (want != "") {
			t.Errorf("%s changes the hash: %v", name, got)
		}
		if got := hash(at("a")) != apart; got != (want == "both") {
			t.Errorf("%s changes the hash apart from folder a: %v", name, got)
		}
		if put(t, at(name), string(before)); err != nil {
			os.Remove(at(name))
		}
	}
	ok(t, os.Rename(at("a/a.go"), at("a/c.go")))
	if hash("") == first {
		t.Error("another name of a file does not change the hash")
	}
	future := time.Now().Add(time.Hour)
	ok(t, os.Chtimes(at("a/c.go"), future, future))
	if v, err := sources(root, ""); err == nil || !strings.Contains(err.Error(), "c.go was changed after") {
		t.Errorf("a file that is younger than the program: %v, %v", v, err)
	}
}

// cell is the program of a notebook cell, as GoNB writes it: all declarations so far, and main.
const cell = `package main

import (
	"fmt"
	"math"

	"example.com/go-other"
	nb "github.com/mklnb/mkl/mklnb"
)

type (
	T     struct{ n int }
	Deep  struct{ t *T }
	Apart struct{}
)

const (
	zero = iota
	one
)

var (
	table     = map[string]int{}
	unrelated = 1
)

func (d *Deep) Get() int { return d.t.n + helper() }

func (a Apart) Get() int { return 5 }

func helper() int { return one + int(scale()) }

func scale() float64 { return math.Sqrt(2) }

func init() { table["x"] = 3 }

func aside() int { return other.Value() }

func compute(c int) float64 {
	k := c + 1
	return nb.Cached("x", c, func() float64 { // HERE
		p := Deep{&T{k}}
		return float64(p.Get() + table["x"])
	}) + float64(unrelated)
}

func main() { fmt.Println(compute(1), aside()) }
`

// TestReach: an edit of a declaration that a function or a type of a cell reaches changes its hash, and no other edit
// does.
func TestReach(t *testing.T) {
	name := filepath.Join(t.TempDir(), "main.go")
	hash := func(text, typ string) string {
		t.Helper()
		put(t, name, text)
		o := origin{registry.Origin{Package: "main", Name: typ, File: name}, 0}
		if typ == "" {
			before, _, _ := strings.Cut(text, "// HERE")
			o.Line = 1 + strings.Count(before, "\n")
		}
		h := must(reach(o))
		return h
	}
	function, deep := hash(cell, ""), hash(cell, "Deep")
	for _, c := range []struct {
		about, old, new string
		function, deep  bool // whether their hashes change
	}{
		{"the literal", "p := Deep{&T{k}}", "p := Deep{&T{k + 1}}", true, false},
		{"what stands before it", "k := c + 1", "k := c + 2", true, false},
		{"what follows it", "+ float64(unrelated)", "- float64(unrelated)", false, false},
		{"a helper", "return one + int", "return 1 + one + int", true, true},
		{"a helper's helper", "math.Sqrt(2)", "math.Sqrt(3)", true, true},
		{"a method", "return d.t.n +", "return 2 * d.t.n +", true, true},
		{"a type", "T     struct{ n int }", "T     struct{ n int32 }", true, true},
		{"an order of constants", "zero = iota\n\tone", "one = iota\n\tzero", true, true},
		{"a variable", "table     = map[string]int{}", "table     = map[string]int{\"x\": 1}", true, true},
		{"an init", "= 3", "= 4", true, true},
		{"a comment", "// HERE", "// HERE it is", true, false},
		{"an import that is reached", `"math"`, `math "math/cmplx"`, true, true},
		{"an import that is not reached", `"example.com/go-other"`, `"example.com/go-another"`, false, false},
		{"a variable that is not reached", "unrelated = 1", "unrelated = 2", false, false},
		{"a function that is not reached", "other.Value() }", "other.Value() + 1 }", false, false},
		{"a method of the same name", "return 5", "return 6", false, false},
		{"main", "aside())", "aside(), 2)", false, false},
		{"a new function called as a local variable", "func main", "func p() int { return 1 }\n\nfunc main", true,
			false},
		{"a new function", "func main", "func other() int { return 1 }\n\nfunc main", false, false},
	} {
		edited := strings.Replace(cell, c.old, c.new, 1)
		if edited == cell {
			t.Fatalf("%s: no %q", c.about, c.old)
		}
		if h := hash(edited, ""); (h != function) != c.function {
			t.Errorf("%s: the hash of the function changes: %v, want %v", c.about, h != function, c.function)
		}
		if h := hash(edited, "Deep"); (h != deep) != c.deep {
			t.Errorf("%s: the hash of the type changes: %v, want %v", c.about, h != deep, c.deep)
		}
	}
	for _, o := range []origin{
		{registry.Origin{Package: "main", Name: "T", File: "main.go"}, 0}, {registry.Origin{Package: "main",
			File: name + "x"}, 3},
	} {
		if h, err := reach(o); err == nil {
			t.Errorf("%v reaches %s", o, h)
		}
	}
}

func declared() int { return 1 }

var global = 3

func small() int { return global }

// TestOriginOf: of a function its package, file and line, whatever its first instruction was inlined from.
func TestOriginOf(t *testing.T) {
	_, file, line, _ := runtime.Caller(0)
	for about, c := range map[string]struct {
		f    any
		line int
	}{
		"a literal":                 {func() int { return line }, line + 5},
		"a literal that is inlined": {func() int { return small() }, line + 6},
		"a named function":          {declared, line - 9},
		"a literal of several lines ": {func() int {
			x := small()
			return x
		}, line + 8},
	} {
		o, err := originOf(c.f)
		if err != nil || o.Package != module+"/algos/store" || o.File != file || o.Line < c.line || o.Line > c.line+2 {
			t.Errorf("%s: %+v, %v, want line %d", about, o, err, c.line)
		}
	}
	for _, bad := range []any{nil, 3, (func())(nil)} {
		if o, err := originOf(bad); err == nil {
			t.Errorf("%v is from %v", bad, o)
		}
	}
}

// keys is a program that prints the keys of what is the library's, of a type of its own, and of functions.
const keys = `package main

import (
	"fmt"

	"example.com/other"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/registry"
	"github.com/mklnb/mkl/algos/store"
)

type Own struct{ Gamma float64 }

func (o Own) K() float64 { return helper(o.Gamma) }

func (o Own) Value() float64 { return o.K() }

func helper(x float64) float64 { return 2 * x }

func init() { registry.Register(Own{}) }

func print(key string, err error) {
	if err != nil {
		panic(err)
	}
	fmt.Println(key)
}

func main() {
	print(store.Key("fold", kernel.RBF{Gamma: 0.5}, []float64{1, 2}))
	print(store.Key("fold", Own{Gamma: 0.5}))
	print(store.FuncKey(func() float64 { return helper(3) }, "value"))
	print(store.FuncKey(func() float64 { return other.Value() }, "value"))
}
`

// printed are the keys that the program prints: of the library, of its own type, of its functions.
type printed [4]string

// elsewhere is a program outside this module, in a folder of its own that is built with the module in root and with the
// module example.com/other beside it.
type elsewhere struct{ dir, root string }

func newElsewhere(t *testing.T, root string) *elsewhere {
	e := &elsewhere{filepath.Join(t.TempDir(), "program"), root}
	sum := must(os.ReadFile(filepath.Join(root, "go.sum")))
	e.write(t, "main.go", keys)
	e.write(t, "go.mod", "module program\n\ngo 1.26.0\n\nrequire (\n\tgithub.com/mklnb/mkl v0.0.0\n"+
		"\tgonum.org/v1/gonum v0.17.0\n\texample.com/other v1.0.0\n)\n\nreplace (\n\tgithub.com/mklnb/mkl => "+
		root+"\n\texample.com/other => ../other\n)\n")
	e.write(t, "go.sum", string(sum))
	e.write(t, "../other/go.mod", "module example.com/other\n\ngo 1.26\n")
	e.write(t, "../other/other.go", "package other\n\nfunc Value() float64 { return 1 }\n")
	return e
}

// write writes a file, by its path from the program's folder, as if long ago.
func (e *elsewhere) write(t *testing.T, name, text string) { put(t, filepath.Join(e.dir, name), text) }

// command runs a command in a folder and returns what it printed.
func command(t *testing.T, dir string, env []string, args ...string) string {
	t.Helper()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), append([]string{"CGO_ENABLED=0", "GOWORK=off", "GOPROXY=off"}, env...)...)
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		errors.As(err, &exit)
		t.Fatalf("%v: %v\n%s", args, err, exit.Stderr)
	}
	return string(out)
}

// keys are those that a program prints.
func (e *elsewhere) keys(t *testing.T, env []string, args ...string) (p printed) {
	t.Helper()
	lines := strings.Fields(command(t, e.dir, env, args...))
	if len(lines) != len(p) {
		t.Fatalf("%v prints %q", args, lines)
	}
	copy(p[:], lines)
	return p
}

func (e *elsewhere) build(t *testing.T, env []string, flags ...string) (program string) {
	t.Helper()
	program = filepath.Join(t.TempDir(), "program")
	command(t, e.dir, env, append(append([]string{"go", "build", "-o", program}, flags...), ".")...)
	return program
}

// changed are the places at which two programs print different keys, as "library type function other".
func changed(a, b printed) string {
	var list []string
	for i, what := range []string{"library", "type", "function", "other"} {
		if a[i] != b[i] {
			list = append(list, what)
		}
	}
	return strings.Join(list, " ")
}

// TestKeysElsewhere: the keys of a checkout (go test, go run), of programs built outside it, of a notebook cell, and
// of a copy of the checkout in another folder, are the same; an edit anywhere in the module changes all of them, and
// an edit of the program or of another module those that it bears on.
func TestKeysElsewhere(t *testing.T) {
	testenv.Long(t)
	root := ownRoot()
	copied := t.TempDir()
	command(t, root, nil, "cp", "-r", "algos", "data", "mklnb", "notebooks", "viz", "go.mod", "go.sum", copied)

	checkout, image := newElsewhere(t, root), newElsewhere(t, copied)
	want := checkout.keys(t, []string{"GOFLAGS=-mod=mod"}, "go", "run", ".")
	if want[0] == want[1] || want[2] == want[3] {
		t.Fatalf("keys %v", want)
	}
	if here := mustKey(t, "fold", kernel.RBF{Gamma: 0.5}, []float64{1, 2}); here != want[0] {
		t.Error("the key of go test is not that of a program outside")
	}
	program := image.build(t, []string{"GOFLAGS=-mod=mod"}, "-ldflags=-s -w")
	if got := image.keys(t, nil, program); got != want {
		t.Errorf("keys of a program built with a copy of the checkout: %q differ", changed(got, want))
	}
	past := time.Now().Add(-time.Hour)
	work := "go 1.26.0\n\nuse (\n\t./\n\t" + copied + "\n)\n"
	notebook := newElsewhere(t, copied)
	notebook.write(t, "go.work", work)
	notebook.write(t, "go.mod", "module gonb_1234\n\ngo 1.26.0\n\nrequire example.com/other v1.0.0\n\n"+
		"replace example.com/other => ../other\n")
	flags := []string{"GOWORK=", `GOFLAGS=-buildvcs=false "-ldflags=-s -w" -gcflags=all=-dwarf=false`}
	if got := notebook.keys(t, nil, notebook.build(t, flags)); got != want {
		t.Errorf("keys of a notebook cell: %q differ", changed(got, want))
	}
	// An unrelated cell.
	notebook.write(t, "main.go", strings.Replace(keys, "func main",
		"var seed = 1\n\nfunc unrelated() float64 { return other.Value() + float64(seed) }\n\nfunc main", 1))
	if got := notebook.keys(t, nil, notebook.build(t, flags)); got != want {
		t.Errorf("an unrelated cell changes the keys %q", changed(got, want))
	}
	notebook.write(t, "main.go", strings.Replace(keys, "return 2 * x", "return 3 * x", 1))
	// main is before both literals
	if got := changed(notebook.keys(t, nil, notebook.build(t, flags)), want); got != "type function other" {
		t.Errorf("an edit of a cell's function changes the keys %q", got)
	}

	// The program as it is, files edited: what was younger than it would be another matter.
	for _, c := range []struct{ name, changes string }{
		{"notebooks/papers/nkrr/table1.go", "library type function other"},
		{"mklnb/store.go", "library type function other"},
		{"mklnb/chart.js", "library type function other"},
		{"viz/render/cmd/mkl-render/main.go", "library type function other"},
		{"data/sets/sonar.csv", "library type function other"},
		{"notebooks/papers/nkrr/results/new.json", "library type function other"},
		{"go.sum", "library type function other"},
		{"README.md", ""},
		{"mklnb/facade_test.go", ""},
		{"notebooks/new.ipynb", ""},
	} {
		name := filepath.Join(copied, c.name)
		before, err := os.ReadFile(name)
		put(t, name, string(before)+"\n// edited\n")
		if got := changed(image.keys(t, nil, program), want); got != c.changes {
			t.Errorf("an edit of %s changes the keys %q, want %q", c.name, got, c.changes)
		}
		if put(t, name, string(before)); err != nil {
			os.Remove(name)
		}
	}
	image.write(t, "../other/other.go", "package other\n\nfunc Value() float64 { return 2 }\n")
	if got := changed(image.keys(t, nil, program), want); got != "type function other" {
		t.Errorf("an edit of a module that is replaced changes the keys %q, want those of the program's own", got)
	}
	image.write(t, "../other/other.go", "package other\n\nfunc Value() float64 { return 1 }\n")

	// Another package of the program's own module.
	image.write(t, "sub/sub.go", "package sub\n\nfunc Value() float64 { return 1 }\n")
	image.write(t, "main.go", strings.Replace(strings.Replace(keys, "other.Value()", "sub.Value() + other.Value()", 1),
		`"example.com/other"`, "\"example.com/other\"\n\t\"program/sub\"", 1))
	whole := image.build(t, []string{"GOFLAGS=-mod=mod"})
	before := image.keys(t, nil, whole)
	image.write(t, "sub/sub.go", "package sub\n\nfunc Value() float64 { return 2 }\n")
	if got := changed(image.keys(t, nil, whole), before); got != "type function other" {
		t.Errorf("an edit of a package of the program changes the keys %q, want those of the program's own", got)
	}

	image.write(t, "main.go", keys)
	name := filepath.Join(copied, "mklnb", "store.go")
	// A program that is older than its sources, and one that does not know where they are, is told by itself.
	future := time.Now().Add(time.Hour)
	ok(t, os.Chtimes(name, future, future))
	stale := image.keys(t, nil, program)
	os.Chtimes(name, past, past)
	trimmed := image.keys(t, nil, image.build(t, []string{"GOFLAGS=-mod=mod"}, "-trimpath"))
	for about, got := range map[string]printed{"older than its sources": stale, "built with -trimpath": trimmed} {
		if changed(got, want) != "library type function other" || got == (printed{}) {
			t.Errorf("a program %s has the keys %v", about, got)
		}
	}
	if stale == trimmed {
		t.Error("two programs have the same keys")
	}
}

// TestRequires: a module that others alone import is not required.
func TestRequires(t *testing.T) {
	mod := "module m\n\nrequire a.org/one v1.0.0\n\nrequire (\n\ta.org/two v2.0.0\n\ta.org/three v0.1.0 // indirect\n" +
		")\n"
	for name, want := range map[string]bool{"a.org/one": true, "a.org/two": true, "a.org/three": false,
		"a.org": false} {
		if got := requires(mod, name); got != want {
			t.Errorf("requires %s: %v, want %v", name, got, want)
		}
	}
}
