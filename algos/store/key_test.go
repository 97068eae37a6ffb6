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

	"github.com/mklnb/mkl/algos/testenv"
)

// keysProgram prints the keys of a type of the library and of a type of its own.
const keysProgram = `package main

import (
	"fmt"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/registry"
	"github.com/mklnb/mkl/algos/store"
	"github.com/mklnb/mkl/data/datasets"
)

type Own struct{ Gamma float64 }

func (o Own) Value() float64 { return 2 * o.Gamma }

func init() { registry.Register(Own{}) }

func main() {
	_ = datasets.List
	library, err := store.Key("fold", kernel.RBF{Gamma: 0.5}, []float64{1, 2})
	if err != nil {
		panic(err)
	}
	own, err := store.Key("fold", Own{Gamma: 0.5})
	if err != nil {
		panic(err)
	}
	fmt.Println(library, own)
}
`

// program is a folder with a program outside this module, which is built with the module in root.
type program struct{ dir, root string }

func newProgram(t *testing.T, root string) program {
	p := program{t.TempDir(), root}
	p.write(t, "main.go", keysProgram)
	p.write(t, "go.sum", string(must(os.ReadFile(filepath.Join(root, "go.sum")))))
	p.write(t, "go.mod", "module program\n\ngo 1.26.0\n\nrequire (\n\tgithub.com/mklnb/mkl v0.0.0\n"+
		"\tgonum.org/v1/gonum "+gonum+"\n)\n\nreplace github.com/mklnb/mkl => "+root+"\n")
	return p
}

// write writes a file of the program as if an hour ago.
func (p program) write(t *testing.T, name, text string) {
	t.Helper()
	writeOld(t, filepath.Join(p.dir, name), text)
}

func writeOld(t *testing.T, path, text string) {
	t.Helper()
	past := time.Now().Add(-time.Hour)
	ok(t, errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644),
		os.Chtimes(path, past, past)))
}

// run runs a command in the folder of the program and returns the two keys that it prints.
func (p program) run(t *testing.T, env []string, args ...string) (library, own string) {
	t.Helper()
	keys := strings.Fields(runIn(t, p.dir, env, args...))
	if len(keys) != 2 {
		t.Fatalf("%v printed %q", args, keys)
	}
	return keys[0], keys[1]
}

// keys builds the program with flags, for a cell in a workspace, and returns the keys that it prints.
func (p program) keys(t *testing.T, env []string, flags ...string) (library, own string) {
	t.Helper()
	return p.run(t, nil, p.build(t, env, flags...))
}

func (p program) build(t *testing.T, env []string, flags ...string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "program")
	runIn(t, p.dir, env, append(append([]string{"go", "build", "-o", name}, flags...), ".")...)
	return name
}

func runIn(t *testing.T, dir string, env []string, args ...string) string {
	t.Helper()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off", "GOPROXY=off", "GOFLAGS=-mod=mod"), env...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v\n%s", args, err, stderr.String())
	}
	return string(out)
}

// TestKeysOfPrograms: the library's key is the same by go run, by go build in another folder, in a notebook cell, and
// in a program without sources. An edit of a library file changes it. The key of a program's own type changes with the
// program.
func TestKeysOfPrograms(t *testing.T) {
	testenv.SkipUnlessLong(t)
	_, file, _, _ := runtime.Caller(0)
	root := filepath.Dir(filepath.Dir(filepath.Dir(file)))
	copied := filepath.Join(t.TempDir(), "copy")
	ok(t, os.Mkdir(copied, 0o755))
	runIn(t, root, nil, "cp", "-r", "algos", "data", "viz", "go.mod", "go.sum", copied)

	library, own := newProgram(t, root).run(t, nil, "go", "run", ".")
	if library == own {
		t.Error("different parts have the same key")
	}
	p := newProgram(t, copied)
	built := p.build(t, nil, "-ldflags=-s -w")
	cell := newProgram(t, copied)
	cell.write(t, "go.mod", "module gonb_1234\n\ngo 1.26.0\n\nrequire gonum.org/v1/gonum "+gonum+"\n")
	cell.write(t, "go.work", "go 1.26.0\n\nuse (\n\t./\n\t"+copied+"\n)\n")
	workspace := []string{"GOWORK=", "GOFLAGS=-buildvcs=false"}
	trimmed := p.build(t, nil, "-trimpath")
	for name, keys := range map[string]func() (string, string){
		"go build, with a copy of the module": func() (string, string) { return p.run(t, nil, built) },
		"a notebook cell":                     func() (string, string) { return cell.keys(t, workspace) },
	} {
		if l, o := keys(); l != library || o != own {
			t.Errorf("%s: the keys are %s %s; go run prints %s %s", name, l, o, library, own)
		}
	}
	if l, o := p.run(t, nil, trimmed); l != library || o == own {
		t.Errorf("built with -trimpath: the key of the library is %s, not %s; its own type has the key %s", l,
			library, o)
	}

	// Edits of the program.
	p.write(t, "main.go", strings.Replace(keysProgram, "return 2 *", "return 3 *", 1))
	if l, o := p.keys(t, nil); l != library || o == own {
		t.Errorf("an edit of the program: key %s of the library, %s of its own type; before: %s %s", l, o, library, own)
	}
	young := time.Now().Add(time.Hour)
	ok(t, os.Chtimes(filepath.Join(p.dir, "main.go"), young, young))
	if l, o := p.run(t, nil, built); l != library || o == own {
		t.Errorf("sources that are younger than the program: keys %s %s; before: %s %s", l, o, library, own)
	}
	p.write(t, "sub/sub.go", "package sub\n\nconst Factor = 2\n")
	p.write(t, "main.go", strings.Replace(strings.Replace(keysProgram, "2 * o", "sub.Factor * o", 1), `"fmt"`,
		"\"fmt\"\n\t\"program/sub\"", 1))
	_, two := p.keys(t, nil)
	p.write(t, "sub/sub.go", "package sub\n\nconst Factor = 3\n")
	if l, three := p.keys(t, nil); l != library || two == three {
		t.Errorf("an edit of another package of the program: keys %s %s; before: %s %s", l, three, library, two)
	}

	// Edits of the module, and then no module at all.
	p.write(t, "main.go", keysProgram)
	for _, edit := range []struct {
		name    string
		changes bool
	}{
		{"algos/mkl/spg.go", true}, {"data/matrix.go", true}, {"algos/model/model_test.go", false},
	} {
		name := filepath.Join(copied, edit.name)
		before := string(must(os.ReadFile(name)))
		writeOld(t, name, before+"\n// edited\n")
		if l, _ := p.keys(t, nil); (l != library) != edit.changes {
			t.Errorf("%s: an edit changes the key: %v; it should: %v", edit.name, l != library, edit.changes)
		}
		writeOld(t, name, before)
	}
	ok(t, errors.Join(os.RemoveAll(copied), os.RemoveAll(p.dir)))
	if err := os.Mkdir(p.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if l, o := p.run(t, nil, built); l != library || o == own {
		t.Errorf("without any sources: keys %s %s; before: %s %s", l, o, library, own)
	}
}

// TestGonum: the constant is the version in go.mod.
func TestGonum(t *testing.T) {
	mod := string(must(os.ReadFile("../../go.mod")))
	if !strings.Contains(mod, "gonum.org/v1/gonum "+gonum+"\n") || strings.Contains(mod, "replace ") {
		t.Errorf("go.mod does not require gonum %s; correct the constant in key.go", gonum)
	}
}
