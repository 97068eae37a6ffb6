package notebooks

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/testenv"
	"github.com/mklnb/mkl/mklnb/setup"
)

// cached is a cell that keeps values, and says so where it computes them.
const cached = `package main

import (
	"fmt"

	"example.com/other"
	nb "github.com/mklnb/mkl/mklnb"
	"github.com/mklnb/mkl/notebooks/papers/nkrr"
)

func helper() float64 { return 1 }

func value() float64 {
	return nb.Cached("value", nil, func() float64 {
		fmt.Println("value")
		return helper() + float64(nkrr.Quick2.Halves)
	})
}

func others() float64 {
	return nb.Cached("others", nil, func() float64 {
		fmt.Println("others")
		return other.Value()
	})
}

func main() { value(); others() }
`

// TestCachedFollowsCode: an edit of what a kept value comes from, anywhere in the module, in a module that is
// replaced, or in a function of the cell, computes it anew; one of another cell does not, nor does another folder of
// the checkout.
func TestCachedFollowsCode(t *testing.T) {
	testenv.Long(t)
	root := must(setup.Root())
	run := func(dir string, args ...string) string {
		t.Helper()
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
		return strings.Join(strings.Fields(string(out)), " ")
	}
	t.Setenv("MKL_CACHE", t.TempDir())
	for name, value := range map[string]string{"CGO_ENABLED": "0", "GOPROXY": "off", "GOWORK": "", "GOFLAGS": `-buildvcs=false "-ldflags=-s -w" -gcflags=all=-dwarf=false`} {
		t.Setenv(name, value)
	}
	top := t.TempDir()
	module, dir := root, filepath.Join(top, "gonb_1234")
	testenv.Write(t, top, map[string]string{
		"mkl/.keep": "", "gonb_1234/main.go": cached, "gonb_1234/go.mod": "module gonb_1234\n\ngo 1.26\n\nrequire example.com/other v1.0.0\n\nreplace example.com/other => ../other\n",
		"other/go.mod": "module example.com/other\n\ngo 1.26\n", "other/other.go": "package other\n\nfunc Value() float64 { return 1 }\n",
	})
	run(root, "cp", "-r", "algos", "data", "mklnb", "notebooks", "viz", "go.mod", "go.sum", filepath.Join(top, "mkl"))
	for _, c := range []struct{ about, file, old, new, computed string }{
		{"the first", "", "", "", "value others"},
		{"again", "", "", "", ""},
		{"a copy of the checkout", "mkl", "", "", ""},
		{"an unrelated cell", "gonb_1234/main.go", "func main", "func aside() float64 { return helper() }\n\nfunc main", ""},
		{"a function of a cell", "gonb_1234/main.go", "return 1", "return 2", "value"},
		{"the function itself", "gonb_1234/main.go", "return other.Value()", "return 2 * other.Value()", "others"},
		{"notebooks/papers", "mkl/notebooks/papers/nkrr/table1.go", "package nkrr", "package nkrr // edited", "value others"},
		{"mklnb", "mkl/mklnb/store.go", "package mklnb", "package mklnb // edited", "value others"},
		{"another module", "other/other.go", "return 1", "return 2", "value others"},
		{"a test", "mkl/mklnb/facade_test.go", "package mklnb", "package mklnb // edited", ""},
	} {
		switch name := filepath.Join(top, c.file); c.file {
		case "":
		case "mkl":
			module = name
		default:
			b := must(os.ReadFile(name))
			edited := strings.Replace(string(b), c.old, c.new, 1)
			if edited == string(b) {
				t.Fatalf("%s: no %q in %s", c.about, c.old, c.file)
			}
			try(os.WriteFile(name, []byte(edited), 0o644))
		}
		try(os.WriteFile(filepath.Join(dir, "go.work"), []byte("go 1.26\n\nuse (\n\t./\n\t"+module+"\n)\n"), 0o644))
		run(dir, "go", "build", "-o", "cell", ".")
		if got := run(dir, "./cell"); got != c.computed {
			t.Errorf("%s: computed are %q, want %q", c.about, got, c.computed)
		}
	}
}
