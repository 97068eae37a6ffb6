package algos_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/build"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// module is the path of this module.
const module = "github.com/mklnb/mkl"

// anything is the row of a package that may import every other of this module.
var anything = []string{"*"}

// importTable says what each package may import of this module; imports go downward only. Test files may
// import upward, and a folder of test files alone has a row all the same.
var importTable = map[string][]string{
	"algos":                      {}, // tests of the tree as a whole
	"algos/linalg":               {},
	"algos/linalg/openblas":      {"algos/linalg"},
	"algos/registry":             {},
	"algos/store":                {"algos/registry"},
	"algos/points":               {"algos/linalg", "algos/registry"},
	"algos/internal/argument":    {},
	"algos/internal/random":      {},
	"algos/internal/elementwise": {},
	"algos/internal/memory":      {},
	"algos/internal/polynomial":  {},
	"algos/internal/design":      {"algos/internal/elementwise", "algos/linalg", "algos/points"},
	"algos/kernel": {"algos/internal/design", "algos/internal/elementwise", "algos/internal/polynomial",
		"algos/linalg", "algos/points", "algos/registry"},
	"algos/kernel/blocks":      {"algos/kernel", "algos/points", "algos/linalg", "algos/registry"},
	"algos/kernel/words":       {"algos/kernel", "algos/points", "algos/registry"},
	"algos/kernel/tessellated": {"algos/kernel", "algos/points", "algos/linalg", "algos/registry"},
	"algos/set":                {"algos/linalg", "algos/registry"},
	"algos/reg":                {"algos/linalg", "algos/registry"},
	"algos/loss":               {"algos/kernel", "algos/points", "algos/linalg", "algos/registry"},
	"algos/mkl": {"algos/kernel", "algos/points", "algos/set", "algos/reg", "algos/loss", "algos/linalg",
		"algos/internal/argument", "algos/internal/memory", "algos/registry"},
	"algos/bench": anything, // a command
	"algos/check": {"algos/kernel", "algos/points", "algos/set", "algos/reg", "algos/loss", "algos/mkl",
		"algos/linalg"},
	"algos/similarity": {"algos/kernel", "algos/points", "algos/linalg", "algos/internal/argument",
		"algos/internal/memory", "algos/registry"},
	"algos/model": {"algos/kernel", "algos/points", "algos/registry", "algos/store", "data"},
	"algos/learn": {"algos/compare", "algos/fit", "data", "algos/internal/argument", "algos/internal/memory",
		"algos/internal/random", "algos/kernel", "algos/kernel/words", "algos/points", "algos/similarity",
		"algos/set", "algos/loss", "algos/mkl", "algos/model", "algos/store"},
	"algos/fit": {"algos/internal/argument", "algos/internal/random", "data", "algos/linalg", "algos/registry",
		"algos/kernel", "algos/points", "algos/set", "algos/reg", "algos/loss", "algos/mkl", "algos/model"},
	"algos/compare": {"algos/fit", "algos/internal/argument", "data", "algos/linalg",
		"algos/registry", "algos/store", "algos/points", "algos/mkl", "algos/model"},
	"algos/compare/comparetest": {"algos/points", "data"},
	"data": {"algos/kernel", "algos/points", "algos/registry", "algos/store",
		"data/internal/npy", "data/internal/sheet"},
	"data/internal/npy":         {"algos/points", "data/internal/sheet"},
	"data/internal/sheet":       {},
	"data/datasets":             {"algos/points", "algos/store", "data"},
	"data/datasets/fetch":       {"data/datasets"}, // a command
	"viz":                       {},
	"viz/render":                {"viz"},
	"viz/render/cmd/mkl-render": {"viz", "viz/render"},
	"mklnb": {"algos/linalg", "algos/linalg/openblas", "algos/kernel", "algos/points", "algos/set", "algos/reg",
		"algos/loss", "algos/mkl", "algos/check", "algos/model", "algos/similarity", "algos/compare",
		"algos/fit", "algos/learn", "algos/store", "data", "data/datasets", "viz", "mklnb/internal/gonb", "mklnb/kept",
		"mklnb/report", "mklnb/setup"},
	// the only package that turns results into words, tables and charts
	"mklnb/report": {"algos/kernel", "algos/points", "algos/similarity", "algos/mkl", "algos/model",
		"algos/compare", "algos/fit", "algos/learn", "data", "viz"},
	"mklnb/internal/gonb": {},
	"mklnb/setup":         {"algos/store"},
	"mklnb/kept":          {"algos/registry"},
	// the patched GoNB imports copies
	"mklnb/setup/cells":     {},
	"mklnb/setup/processes": {},
	"mklnb/web":             {}, // a command; its program app is for WebAssembly alone
	"mklnb/web/session": {"algos/compare", "algos/learn", "data", "data/datasets", "mklnb/report", "viz",
		"viz/render"},
	"mklnb/lab": {"mklnb/setup"},
	"mklnb/study": {"algos/compare", "algos/fit", "algos/linalg", "algos/points", "algos/registry", "algos/store",
		"mklnb/report"},
	"mklnb/study/mkl-study": {"mklnb/study"}, // a command
	"mklnb/study/clusters":  {},              // examples, and tests of them
	// used by the other packages
	"notebooks/papers/shared": {"algos/check", "algos/kernel", "algos/points", "algos/mkl", "data", "viz"},
	// computes stored results again
	"notebooks/papers/shared/sharedtest": {"algos/testenv", "notebooks/papers/shared"},
	"notebooks/papers/lvx": {"algos/kernel", "algos/points", "algos/set", "algos/reg", "algos/loss", "algos/mkl",
		"algos/check", "algos/model", "algos/linalg", "algos/compare", "algos/fit", "data", "data/datasets", "viz",
		"notebooks/papers/shared"},
	"mklnb/lab/notebooktest": anything, // tests of the notebooks
	"docker":                 anything, // tests of the image

	// What notebooks call: experiments and figures of one paper each.
	"notebooks/papers/start": {"algos/compare", "algos/fit", "algos/model", "algos/learn", "data", "data/datasets",
		"viz",
		"notebooks/papers/shared"},
	"notebooks/papers/findings": {"algos/learn", "algos/model", "viz", "notebooks/papers/start",
		"notebooks/papers/nkrr", "notebooks/papers/lvx", "notebooks/papers/qnpkl", "notebooks/papers/eskl",
		"notebooks/papers/tkl"},
	"notebooks/papers/nkrr": {"algos/check", "algos/kernel", "algos/points", "algos/loss", "algos/mkl",
		"algos/set", "algos/compare", "algos/fit", "algos/model", "data", "data/datasets", "viz",
		"notebooks/papers/shared"},
	"notebooks/papers/tkl": {"algos/kernel", "algos/points", "algos/kernel/tessellated", "algos/loss",
		"algos/mkl", "algos/set", "algos/compare", "algos/fit", "algos/model", "data", "data/datasets", "viz",
		"notebooks/papers/shared"},
	"notebooks/papers/eskl": {"algos/kernel", "algos/kernel/blocks", "algos/kernel/words", "algos/points",
		"algos/loss", "algos/mkl", "algos/reg", "algos/set", "algos/similarity", "algos/compare", "algos/fit",
		"algos/model", "data",
		"data/datasets", "viz", "notebooks/papers/shared"},
	"notebooks/papers/qnpkl": {"algos/kernel", "algos/points", "algos/loss", "algos/mkl", "algos/model",
		"algos/reg", "algos/set", "algos/compare", "algos/fit", "algos/model", "data", "data/datasets", "viz",
		"notebooks/papers/shared"},

	// Conformance suites.
	"algos/linalg/linalgtest": anything,
	"algos/kernel/kerneltest": anything,
	"algos/set/settest":       anything,
	"algos/reg/regtest":       anything,
	"algos/loss/losstest":     anything,
	"algos/mkl/mkltest":       anything,
	"viz/render/rendertest":   {"algos/testenv"}, // pages in a browser
	"algos/testenv":           {},                // which tests run
}

// home is where packages of other modules may be imported.
type home struct {
	prefix string
	in     []string // packages of this module
	tests  bool     // test files of every package too
}

var homes = []home{
	{prefix: "github.com/janpfeifer/gonb", in: []string{"mklnb/internal/gonb"}},
	{prefix: "github.com/chromedp", tests: true},
	{prefix: "github.com/go-echarts", in: []string{"viz/render"}},
	{prefix: "github.com/ebitengine/purego", in: []string{"algos/linalg/openblas"}},
	{prefix: "gonum.org/v1/gonum/blas", in: []string{"algos/linalg", "algos/linalg/openblas"}},
	{prefix: "gonum.org/v1/gonum/lapack", in: []string{"algos/linalg"}},
}

// dynamic is what makes a program one that needs the C library to start, always or where cgo is on:
// it starts in no scratch or Alpine image.
var dynamic = []string{"github.com/ebitengine/purego", "runtime/cgo", "net", "os/user", "plugin"}

// loader is the package that brings a shared library, and with it the first of those.
const loader = "algos/linalg/openblas"

// mayLoad are the packages of algos whose programs may be dynamic, and those of tests alone.
var mayLoad = []string{loader, "algos/bench", "algos/linalg/linalgtest"}

// heavy is what no notebook cell may link: every cell links the closure of the facade, and
// net/http alone doubles the time of building one.
var heavy = []string{"net/http", "html/template", "gonum.org/v1/plot"}

// listed contains the imports of a package, and the imports of its tests.
type listed struct{ Imports, TestImports []string }

// packages returns the packages of this module by folder, as they are built for a system. It reads the files itself:
// Go's test cache does not see the files that a child process reads.
func packages(t *testing.T, system string) map[string]listed {
	t.Helper()
	target := build.Default
	target.GOOS, target.GOARCH, target.CgoEnabled = system, "amd64", false
	all := map[string]listed{}
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() || path == ".." {
			return err
		}
		if name := d.Name(); name == "testdata" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") {
			return fs.SkipDir
		}
		if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil { // another module
			return fs.SkipDir
		}
		p, err := target.ImportDir(path, 0)
		var none *build.NoGoError
		if errors.As(err, &none) {
			return nil
		}
		folder, _ := filepath.Rel("..", path)
		all[filepath.ToSlash(folder)] = listed{p.Imports, slices.Concat(p.TestImports, p.XTestImports)}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// linkedPackages returns all packages that each package of this module links, by folder. It reads go.mod, which makes
// the test depend on the versions of other modules.
func linkedPackages(t *testing.T) map[string][]string {
	t.Helper()
	if _, err := os.ReadFile("../go.mod"); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "list", "-json=ImportPath,Deps", "./...")
	cmd.Dir, cmd.Env = "..", append(os.Environ(), "GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v", cmd, err)
	}
	deps := map[string][]string{}
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p struct {
			ImportPath string
			Deps       []string
		}
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return deps
		} else if err != nil {
			t.Fatal(err)
		}
		if folder, ours := own(p.ImportPath); ours {
			deps[folder] = p.Deps
		}
	}
}

func under(p, prefix string) bool { return p == prefix || strings.HasPrefix(p, prefix+"/") }

// own returns the folder of a package of this module.
func own(p string) (string, bool) { return strings.CutPrefix(p, module+"/") }

// misplaced names the imports that table and homes do not allow, packages without a row and rows without a package.
func misplaced(table map[string][]string, homes []home, all map[string]listed) (wrong []string) {
	say := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	for folder, p := range all {
		row, ok := table[folder]
		if !ok {
			say("%s has no row in the table of imports", folder)
		}
		for _, i := range p.Imports {
			if to, ours := own(i); ours && !slices.Equal(row, anything) && !slices.Contains(row, to) {
				say("%s imports %s; it may import of this module: %s", folder, to, strings.Join(row, ", "))
			}
		}
		for _, h := range homes {
			imports := p.Imports
			if !h.tests {
				imports = slices.Concat(imports, p.TestImports)
			}
			for _, i := range imports {
				if under(i, h.prefix) && !slices.Contains(h.in, folder) {
					say("%s imports %s, whose home is %v (test files: %v)", folder, i, h.in, h.tests)
				}
			}
		}
	}
	for folder, row := range table {
		if _, ok := all[folder]; !ok {
			say("%s has a row in the table of imports and no Go file", folder)
		}
		for _, to := range row {
			if _, ok := table[to]; !ok && to != "*" {
				say("the row of %s allows %s, which has no row", folder, to)
			}
		}
	}
	slices.Sort(wrong)
	return wrong
}

// below returns the packages among deps that are equal to or below one of the prefixes.
func below(deps, prefixes []string) (found []string) {
	for _, d := range deps {
		if slices.ContainsFunc(prefixes, func(prefix string) bool { return under(d, prefix) }) {
			found = append(found, d)
		}
	}
	return found
}

// TestImports holds the table and the homes, on every system.
func TestImports(t *testing.T) {
	for _, system := range []string{"linux", "darwin", "windows"} {
		for _, w := range misplaced(importTable, homes, packages(t, system)) {
			t.Errorf("%s: %s", system, w)
		}
	}
}

// TestImportsLinked tests that no cell links what is heavy, a program of algos is static unless it imports the loader
// itself, and the tests of a package that computes with linalg run with the library too, but for conformance suites.
func TestImportsLinked(t *testing.T) {
	all, deps := packages(t, "linux"), linkedPackages(t)
	if found := below(deps["mklnb"], heavy); found != nil {
		t.Errorf("every cell links %v", found)
	}
	computing := 0 // packages that link linalg
	for folder, p := range all {
		if !under(folder, "algos") || slices.Contains(mayLoad, folder) {
			continue
		}
		if found := below(deps[folder], dynamic); found != nil {
			t.Errorf("programs with %s are dynamic: they link %v", folder, found)
		}
		isSuite := strings.HasSuffix(folder, "test") || folder == "algos/linalg"
		if isSuite || folder != "algos" && below(deps[folder], []string{module + "/algos/linalg"}) == nil {
			continue
		}
		computing++
		if !slices.Contains(p.TestImports, module+"/"+loader) &&
			!slices.Contains(p.TestImports, module+"/algos/linalg/linalgtest") {
			t.Errorf("no test of %s imports %s or linalgtest", folder, loader)
		}
	}
	if computing < 10 || below(deps[loader], dynamic) == nil {
		t.Errorf("%d packages compute with linalg, %s links %v: the rules ask nothing", computing, loader,
			below(deps[loader], dynamic))
	}
}
