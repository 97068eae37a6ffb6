package store

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/testenv"
)

// keysProgram prints the keys of a type of the library and of a type of its own.
const keysProgram = `package main

import (
	"fmt"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/registry"
	"github.com/mklnb/mkl/algos/store"
)

type Own struct{ Gamma float64 }

func (o Own) Value() float64 { return 2 * o.Gamma }

func init() { registry.Register(Own{}) }

func main() {
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

// TestKeysOfPrograms: the key of a type of the library is the same in every program. The key of a program's own type
// changes with the program.
func TestKeysOfPrograms(t *testing.T) {
	testenv.SkipUnlessLong(t)
	keys := func(source string) (library, own string) {
		t.Helper()
		path := filepath.Join(t.TempDir(), "main.go")
		ok(t, os.WriteFile(path, []byte(source), 0o644))
		out := strings.Fields(string(must(exec.Command("go", "run", path).Output())))
		if len(out) != 2 {
			t.Fatalf("the program printed %q", out)
		}
		return out[0], out[1]
	}
	library, own := keys(keysProgram)
	edited, editedOwn := keys(strings.Replace(keysProgram, "return 2 *", "return 3 *", 1))
	if edited != library || editedOwn == own || own == library {
		t.Errorf("an edit of the program: keys %s %s; before: %s %s", edited, editedOwn, library, own)
	}
}

// TestBuilds: builds whose last digits may differ share no keys, and other settings change no key. A program knows the
// level of its processor.
func TestBuilds(t *testing.T) {
	level := "GO" + strings.ToUpper(runtime.GOARCH)
	with := func(key, value, gonumVersion string) string {
		return describe(&debug.BuildInfo{Settings: []debug.BuildSetting{{Key: key, Value: value}},
			Deps: []*debug.Module{{Path: "gonum.org/v1/gonum", Version: gonumVersion}}})
	}
	v1 := with(level, "v1", gonum)
	if with(level, "v3", gonum) == v1 || with(level, "v1", "v0.99.0") == v1 {
		t.Error("two processors or two versions of gonum have the same text")
	}
	if with("-trimpath", "true", gonum) != with("CGO_ENABLED", "0", gonum) {
		t.Error("a setting without effect on numbers changes the text")
	}
	info, _ := debug.ReadBuildInfo()
	if runtime.GOARCH == "amd64" && !slices.ContainsFunc(info.Settings, func(s debug.BuildSetting) bool {
		return s.Key == level && strings.HasSuffix(build(), " "+s.Value)
	}) {
		t.Errorf("the level of the processor is not in %q", build())
	}
}

// TestGonum: the constant is the version in go.mod.
func TestGonum(t *testing.T) {
	mod := string(must(os.ReadFile("../../go.mod")))
	if !strings.Contains(mod, "gonum.org/v1/gonum "+gonum+"\n") || strings.Contains(mod, "replace ") {
		t.Errorf("go.mod does not require gonum %s; correct the constant in key.go", gonum)
	}
}
