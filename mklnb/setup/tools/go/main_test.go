package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// asGo makes the test program this one: what it is made of is then what the test cache goes by.
const asGo = "MKL_TEST_AS_GO"

func TestMain(m *testing.M) {
	if os.Getenv(asGo) != "" {
		main()
	}
	os.Exit(m.Run())
}

// bench is a kernel's world: a checkout of a small library of the same name, the folder of a cell, this
// program before the go command on PATH, and a log of what the go command was asked.
type bench struct {
	t                *testing.T
	lib, cell, cache string
	env              []string
	log, before      string
}

func newBench(t *testing.T) *bench {
	t.Helper()
	dir := t.TempDir()
	b := &bench{t: t, lib: filepath.Join(dir, "lib"), cell: filepath.Join(dir, "cell"), cache: filepath.Join(dir, "cache"), log: filepath.Join(dir, "log")}
	real, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	b.before = filepath.Join(dir, "before")
	logged := filepath.Join(dir, "logged")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	b.write(filepath.Join(b.before, "go"), string(program))
	if err := os.Chmod(filepath.Join(b.before, "go"), 0o755); err != nil {
		t.Fatal(err)
	}
	b.write(filepath.Join(logged, "go"), fmt.Sprintf("#!/bin/sh\necho \"$@\" >> '%s'\nexec '%s' \"$@\"\n", b.log, real))
	if err := os.Chmod(filepath.Join(logged, "go"), 0o755); err != nil {
		t.Fatal(err)
	}
	b.env = append(os.Environ(), "PATH="+b.before+":"+logged+":"+os.Getenv("PATH"), "GOFLAGS="+Flags, "CGO_ENABLED=0", "GOPROXY=off",
		"GOWORK=", "MKL_CACHE="+b.cache, "MKL_GO=", asGo+"=1")
	b.write(b.lib+"/go.mod", "module "+Module+"\n\ngo 1.26.0\n")
	b.write(b.lib+"/go.sum", "")
	b.write(b.lib+"/mklnb/mklnb.go", "package mklnb\n\nimport _ \"embed\"\n\n//go:embed data/text\nvar Text string\n\nvar Extra = \"\"\n\nfunc Say() string { return \"one \" + Text + Extra }\n")
	b.write(b.lib+"/mklnb/data/text", "two")
	b.write(b.lib+"/mklnb/internal/in/in.go", "package in\n\nconst X = 1\n")
	b.write(b.cell+"/go.mod", "module gonb_1\n\ngo 1.26.0\n\nreplace "+Module+" => "+b.lib+"\n")
	b.write(b.cell+"/go.work", "go 1.26.0\n\nuse (\n\t.\n\t"+b.lib+"\n)\n")
	return b
}

func (b *bench) write(path, content string) {
	b.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		b.t.Fatal(err)
	}
}

// run runs go with args in the cell's folder and returns what it printed, its status, and what the go
// command was asked.
func (b *bench) run(args ...string) (out string, code int, asked []string) {
	b.t.Helper()
	_ = os.Remove(b.log)
	cmd := exec.Command(filepath.Join(b.before, "go"), args...)
	cmd.Dir, cmd.Env = b.cell, b.env
	text, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState == nil {
		b.t.Fatal(err)
	}
	log, _ := os.ReadFile(b.log)
	for line := range strings.Lines(string(log)) {
		asked = append(asked, strings.Fields(line)[0])
	}
	return string(text), cmd.ProcessState.ExitCode(), asked
}

// cellOf is a program that prints v.
func cellOf(imports, v string) string {
	return "package main\n\nimport (\n\t\"fmt\"\n" + imports + ")\n\nfunc main() { fmt.Print(" + v + ") }\n"
}

const lib = "\tnb \"" + Module + "/mklnb\"\n"

// build builds the cell and returns what it prints, and whether the go command built it.
func (b *bench) build() (printed string, asked bool) {
	b.t.Helper()
	program := filepath.Join(b.cell, "program")
	out, code, calls := b.run("build", "-o", program)
	if code != 0 || out != "" {
		b.t.Fatalf("status %d: %s", code, out)
	}
	text, err := exec.Command(program).Output()
	if err != nil {
		b.t.Fatal(err)
	}
	return string(text), len(calls) > 0
}

// expect builds twice at most: by the go command if slow, and then without.
func (b *bench) expect(what, want string, slow bool) {
	b.t.Helper()
	got, asked := b.build()
	if got != want || asked != slow {
		b.t.Errorf("%s: prints %q, want %q; the go command built it: %v, want %v", what, got, want, asked, slow)
	}
	if slow {
		if got, asked := b.build(); got != want || asked {
			b.t.Errorf("%s, again: prints %q, want %q; the go command built it: %v, want false", what, got, want, asked)
		}
	}
}

// TestCell: a cell is built without the go command while nothing has changed, and every change is seen.
func TestCell(t *testing.T) {
	b := newBench(t)
	main := b.cell + "/main.go"
	b.write(main, cellOf(lib, "nb.Say()"))
	b.expect("the first cell", "one two", true)
	if out, code, asked := b.run("get"); code != 0 || out != "" || len(asked) > 0 {
		t.Errorf("go get: status %d, %q, asked %v; want silence", code, out, asked)
	}
	b.write(main, cellOf(lib, "nb.Say(), 1"))
	b.expect("another cell", "one two1", false)
	b.write(main, cellOf(lib+"\t\"strings\"\n", "strings.ToUpper(nb.Say())"))
	b.expect("a package that no cell has had", "ONE TWO", true)
	b.write(main, cellOf(lib, "nb.Say()"))
	b.expect("the first cell again", "one two", false)

	b.write(b.lib+"/mklnb/mklnb.go", "package mklnb\n\nimport _ \"embed\"\n\n//go:embed data/text\nvar Text string\n\nvar Extra = \"\"\n\nfunc Say() string { return \"1 \" + Text + Extra }\n")
	b.expect("a changed source", "1 two", true)
	b.write(b.lib+"/mklnb/data/text", "2")
	b.expect("a changed embedded file", "1 2", true)
	b.write(b.lib+"/mklnb/more.go", "package mklnb\n\nfunc init() { Extra = \" 3\" }\n")
	b.expect("a new file", "1 2 3", true)
	b.write(b.lib+"/mklnb/more_test.go", "package mklnb\n")
	b.expect("a new test", "1 2 3", false)
	if err := os.Remove(b.lib + "/mklnb/more.go"); err != nil {
		t.Fatal(err)
	}
	b.expect("a removed file", "1 2", true)
	b.write(b.lib+"/go.mod", "module "+Module+"\n\ngo 1.25.0\n")
	b.expect("a changed module", "1 2", true)

	b.env = append(b.env, "GODEBUG=madvdontneed=1")
	b.expect("another environment", "1 2", true)
	b.env = append(b.env, "MKL_GO=plain")
	if printed, asked := b.build(); printed != "1 2" || !asked {
		t.Errorf("turned off: %q, built by the go command: %v, want true", printed, asked)
	}
}

// TestSame: what a program says of itself is what it would say had the go command built it.
func TestSame(t *testing.T) {
	b := newBench(t)
	b.write(b.cell+"/main.go", "package main\n\nimport (\n\t\"fmt\"\n\t\"runtime\"\n\t\"runtime/debug\"\n\t_ \""+Module+"/mklnb\"\n)\n\n"+
		"func main() {\n\ti, _ := debug.ReadBuildInfo()\n\t_, file, line, _ := runtime.Caller(0)\n\tfmt.Print(i, file, line, runtime.Version())\n}\n")
	first, asked := b.build()
	if !asked || !strings.Contains(first, "dep\t"+Module) {
		t.Fatalf("built by the go command: %v; it says\n%s", asked, first)
	}
	second, asked := b.build()
	if asked || second != first {
		t.Errorf("built by the go command: %v; it says\n%s\nand said\n%s", asked, second, first)
	}
}

// TestOrdinary: what is not such a cell is the go command's, with its output and its status.
func TestOrdinary(t *testing.T) {
	b := newBench(t)
	main := b.cell + "/main.go"
	b.write(main, cellOf(lib, "nb.Say()"))
	b.expect("a cell", "one two", true)
	program := filepath.Join(b.cell, "program")

	b.write(main, cellOf(lib, "nb.Nothing()"))
	out, code, asked := b.run("build", "-o", program)
	if code != 1 || !strings.Contains(out, "./main.go:8:28: undefined: nb.Nothing") || len(asked) != 1 {
		t.Errorf("a mistake: status %d, asked %v, %q", code, asked, out)
	}
	b.write(main, cellOf(lib+"\t\""+Module+"/mklnb/internal/in\"\n", "in.X, nb.Say()"))
	if out, code, _ := b.run("build", "-o", program); code != 1 || !strings.Contains(out, "use of internal package") {
		t.Errorf("an internal package: status %d, %q", code, out)
	}
	b.write(main, cellOf("", "1"))
	for range 2 {
		if printed, asked := b.build(); printed != "1" || !asked {
			t.Errorf("a cell without the library: %q, built by the go command: %v, want true", printed, asked)
		}
	}
	b.write(main, cellOf(lib, "nb.Say(), x"))
	b.write(b.cell+"/other.go", "package main\n\nconst x = 5\n")
	if printed, asked := b.build(); printed != "one two5" || !asked {
		t.Errorf("two files: %q, built by the go command: %v, want true", printed, asked)
	}
	if err := os.Remove(b.cell + "/other.go"); err != nil {
		t.Fatal(err)
	}
	b.write(main, cellOf(lib, "nb.Say()"))
	for _, args := range [][]string{{"version"}, {"build", "-o", program, "-race=false"}, {"build"}, {"env", "GOFLAGS"}} {
		if out, code, asked := b.run(args...); code != 0 || len(asked) != 1 || asked[0] != args[0] {
			t.Errorf("go %v: status %d, asked %v: %s", args, code, asked, out)
		}
	}
	if _, code, _ := b.run("no-such-command"); code != 2 {
		t.Errorf("go no-such-command: status %d, want 2", code)
	}
}

// TestRecipe: an old recipe, a broken one, one whose packages are gone, and a folder that cannot be written are
// no worse than none.
func TestRecipe(t *testing.T) {
	b := newBench(t)
	b.write(b.cell+"/main.go", cellOf(lib, "nb.Say()"))
	b.expect("a cell", "one two", true)
	files, err := filepath.Glob(b.cache + "/cells/*")
	if err != nil || len(files) != 1 {
		t.Fatalf("recipes %v, want one (%v)", files, err)
	}
	old := time.Now().Add(-lasts - time.Minute)
	if err := os.Chtimes(files[0], old, old); err != nil {
		t.Fatal(err)
	}
	b.expect("a recipe of yesterday", "one two", true)
	for _, broken := range []string{"{", "{}", `{"Folders":{"x":"y"}}`} {
		b.write(files[0], broken)
		b.expect(fmt.Sprintf("a recipe of %q", broken), "one two", true)
	}
	content, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	var r recipe
	if err := json.Unmarshal(content, &r); err != nil {
		t.Fatal(err)
	}
	r.Packages["fmt"] = b.cache + "/gone"
	if content, err = json.Marshal(r); err != nil {
		t.Fatal(err)
	}
	b.write(files[0], string(content))
	b.expect("a package that is gone", "one two", true)

	if err := os.RemoveAll(b.cache); err != nil {
		t.Fatal(err)
	}
	b.write(b.cache, "a file in the place of the folder")
	for range 2 {
		if printed, asked := b.build(); printed != "one two" || !asked {
			t.Errorf("no folder for recipes: %q, built by the go command: %v, want true", printed, asked)
		}
	}
}
