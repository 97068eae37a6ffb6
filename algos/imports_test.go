package algos_test

import (
	"errors"
	"fmt"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
)

// module is the path of this module.
const module = "github.com/mklnb/mkl"

// anything is the row of a package that may import every other of this module.
var anything = []string{"*"}

// importTable says what each package may import of this module; imports go downward only. Test files may
// import upward, and a folder of test files alone has a row all the same.
var importTable = map[string][]string{
	"algos":                     anything, // tests of the tree as a whole
	"algos/linalg":              {},
	"algos/linalg/openblas":     {"algos/linalg"},
	"algos/registry":            {},
	"algos/store":               {"algos/registry", "data/sha256"},
	"algos/kernel":              {"algos/linalg", "algos/registry"},
	"algos/kernel/tessellated":  {"algos/kernel", "algos/linalg", "algos/registry"},
	"algos/set":                 {"algos/linalg", "algos/registry"},
	"algos/reg":                 {"algos/linalg", "algos/registry"},
	"algos/loss":                {"algos/kernel", "algos/linalg", "algos/registry"},
	"algos/mkl":                 {"algos/kernel", "algos/set", "algos/reg", "algos/loss", "algos/linalg", "algos/registry"},
	"algos/bench":               anything, // a command
	"algos/check":               {"algos/kernel", "algos/set", "algos/reg", "algos/loss", "algos/mkl", "algos/linalg"},
	"algos/similarity":          {"algos/kernel", "algos/linalg", "algos/registry", "algos/store"},
	"algos/model":               {"algos/kernel", "algos/registry", "algos/store"},
	"algos/study":               {"data", "algos/linalg", "algos/registry", "algos/store", "algos/kernel", "algos/similarity", "algos/set", "algos/reg", "algos/loss", "algos/mkl", "algos/model", "data/sha256", "viz"},
	"data":                      {"algos/kernel", "algos/similarity", "algos/registry", "algos/store", "data/sha256"},
	"data/fetch":                {"data"}, // a command
	"data/sha256":               nil,
	"viz":                       {},
	"viz/render":                {"viz"},
	"viz/render/cmd/mkl-render": {"viz", "viz/render"},
	"mklnb": {
		"algos/linalg", "algos/linalg/openblas", "algos/kernel", "algos/set", "algos/reg", "algos/loss", "algos/mkl", "algos/check", "algos/model", "algos/similarity", "algos/study", "algos/store",
		"data", "viz", "mklnb/internal/gonb", "mklnb/setup",
	},
	"mklnb/internal/gonb":            {},
	"mklnb/setup":                    {"algos/store"},
	"mklnb/lab":                      {"mklnb/setup"},
	"notebooks/papers/kept":          {}, // what the packages beside it share
	"notebooks/papers/kept/kepttest": {}, // makes kept results again
	"notebooks/papers/lvx": {
		"algos/kernel", "algos/set", "algos/reg", "algos/loss", "algos/mkl", "algos/check", "algos/model", "algos/study", "data", "viz",
	},
	"mklnb/lab/notebooktest": anything, // tests of the notebooks
	"docker":                 anything, // tests of the image

	// What notebooks call: experiments and figures of one paper each.
	"notebooks/papers/nkrr":  {"algos/kernel", "algos/loss", "algos/mkl", "algos/set", "algos/study", "data", "viz", "notebooks/papers/kept"},
	"notebooks/papers/tkl":   {"algos/kernel", "algos/kernel/tessellated", "algos/loss", "algos/mkl", "algos/set", "algos/study", "data", "viz", "notebooks/papers/kept"},
	"notebooks/papers/eskl":  {"algos/kernel", "algos/loss", "algos/mkl", "algos/reg", "algos/set", "algos/similarity", "algos/study", "data", "viz", "notebooks/papers/kept"},
	"notebooks/papers/qnpkl": {"algos/kernel", "algos/loss", "algos/mkl", "algos/reg", "algos/registry", "algos/set", "algos/study", "data", "data/sha256", "viz", "notebooks/papers/kept"},

	// Conformance suites.
	"algos/linalg/linalgtest": anything,
	"algos/kernel/kerneltest": anything,
	"algos/set/settest":       anything,
	"algos/reg/regtest":       anything,
	"algos/loss/losstest":     anything,
	"algos/mkl/mkltest":       anything,
	"viz/render/rendertest":   {"internal/testenv"}, // pages in a browser
	"internal/testenv":        {},                   // which tests run
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

// source is one Go file: the folder of its package from the root of the module, and its imports.
type source struct {
	pkg, name string
	test      bool
	imports   []string
}

// sources reads the imports of every Go file of the module at the root of tree, whatever its build
// constraints, but not of hidden folders, testdata, and modules inside this one.
func sources(tree fs.FS) ([]source, error) {
	var files []source
	err := fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := d.Name()
		if d.IsDir() {
			if name == "." {
				return nil
			}
			_, nested := fs.Stat(tree, name+"/go.mod")
			if strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") || base == "testdata" || base == "vendor" || nested == nil {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(base, ".go") || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") {
			return nil
		}
		imports, err := importsOf(tree, name)
		if err != nil {
			return err
		}
		files = append(files, source{path.Dir(name), name, strings.HasSuffix(base, "_test.go"), imports})
		return nil
	})
	return files, err
}

func importsOf(tree fs.FS, name string) ([]string, error) {
	text, err := fs.ReadFile(tree, name)
	if err != nil {
		return nil, err
	}
	f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly)
	if err != nil {
		return nil, err
	}
	var imports []string
	for _, spec := range f.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		imports = append(imports, p)
	}
	return imports, nil
}

// under reports whether package p is prefix or below it.
func under(p, prefix string) bool { return p == prefix || strings.HasPrefix(p, prefix+"/") }

// own returns the folder of a package of this module.
func own(p string) (string, bool) {
	if p == module {
		return ".", true
	}
	return strings.CutPrefix(p, module+"/")
}

// outside names the imports of this module that the table does not allow.
func outside(table map[string][]string, files []source) (wrong []string) {
	for _, f := range files {
		row, listed := table[f.pkg]
		if f.test || !listed || slices.Equal(row, anything) {
			continue
		}
		for _, p := range f.imports {
			if folder, ok := own(p); ok && !slices.Contains(row, folder) {
				wrong = append(wrong, fmt.Sprintf("%s imports %s; %s may import of this module: %s", f.name, folder, f.pkg, strings.Join(row, ", ")))
			}
		}
	}
	return wrong
}

// unlisted names the packages that have no row.
func unlisted(table map[string][]string, files []source) (wrong []string) {
	for _, f := range files {
		if _, ok := table[f.pkg]; !ok {
			wrong = append(wrong, f.pkg+" has no row in the table of imports")
		}
	}
	slices.Sort(wrong)
	return slices.Compact(wrong)
}

// empty names the rows whose package has no file, and those that allow a package without a row.
func empty(table map[string][]string, files []source) (wrong []string) {
	for pkg, row := range table {
		if !slices.ContainsFunc(files, func(f source) bool { return f.pkg == pkg }) {
			wrong = append(wrong, "no Go file found in "+pkg+", which has a row in the table of imports")
		}
		for _, p := range row {
			if _, ok := table[p]; !ok && p != "*" {
				wrong = append(wrong, "the row of "+pkg+" allows "+p+", which has no row")
			}
		}
	}
	slices.Sort(wrong)
	return wrong
}

// astray names the imports of other modules away from their home.
func astray(homes []home, files []source) (wrong []string) {
	for _, f := range files {
		for _, p := range f.imports {
			for _, h := range homes {
				if under(p, h.prefix) && !slices.Contains(h.in, f.pkg) && !(h.tests && f.test) {
					wrong = append(wrong, fmt.Sprintf("%s imports %s, whose home is %s", f.name, p, strings.Join(append(slices.Clone(h.in), map[bool]string{true: "test files"}[h.tests]), " ")))
				}
			}
		}
	}
	return wrong
}

// closure walks everything that package root of this module links and names the ways to what is
// heavy. load returns the imports of a package of another module or of the standard library;
// without load only the packages of this module are walked.
func closure(root string, heavy []string, files []source, load func(p string) ([]string, error)) (wrong []string, seen int, err error) {
	type step struct {
		p    string
		path []string
	}
	queue := []step{{module + "/" + root, []string{root}}}
	visited := map[string]bool{queue[0].p: true}
	for ; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		seen++
		var imports []string
		if folder, ok := own(at.p); ok {
			found := false
			for _, f := range files {
				if f.pkg == folder && !f.test {
					found, imports = true, append(imports, f.imports...)
				}
			}
			if !found {
				return wrong, seen, fmt.Errorf("no Go file found in %s: %s", folder, strings.Join(at.path, " → "))
			}
		} else if imports, err = load(at.p); err != nil {
			return wrong, seen, fmt.Errorf("%w: %s", err, strings.Join(at.path, " → "))
		}
		for _, p := range imports {
			if standard(at.p) && !standard(p) {
				p = "vendor/" + p // the standard library's own copy
			}
			if visited[p] || p == "C" || p == "unsafe" {
				continue
			}
			visited[p] = true
			path := append(slices.Clone(at.path), strings.TrimPrefix(p, module+"/"))
			if slices.ContainsFunc(heavy, func(h string) bool { return under(p, h) }) {
				wrong = append(wrong, strings.Join(path, " → "))
				continue
			}
			if _, ours := own(p); ours || load != nil {
				queue = append(queue, step{p, path})
			}
		}
	}
	return wrong, seen, nil
}

// standard reports whether p is of the standard library: no dot in its first element.
func standard(p string) bool {
	first, _, _ := strings.Cut(p, "/")
	return !strings.Contains(first, ".")
}

// disk finds packages in GOROOT and in the module cache, without the go command: what a child
// process reads, the test cache does not see.
type disk struct {
	root, cache string
	versions    map[string]string // of the modules that go.mod requires
}

// errAbsent reports a module that is not in the cache of this machine.
var errAbsent = errors.New("not in the module cache (go mod download)")

// newDisk reads the requirements of a go.mod.
func newDisk(goMod string) (*disk, error) {
	d := &disk{root: build.Default.GOROOT, cache: os.Getenv("GOMODCACHE"), versions: map[string]string{}}
	if d.cache == "" {
		d.cache = filepath.Join(filepath.SplitList(build.Default.GOPATH)[0], "pkg", "mod")
	}
	for line := range strings.Lines(goMod) {
		line, _, _ = strings.Cut(line, "//")
		word := strings.Fields(strings.TrimPrefix(strings.TrimSpace(line), "require "))
		switch {
		case len(word) > 0 && word[0] == "replace":
			return nil, fmt.Errorf("go.mod replaces a module, which this test cannot follow: %s", line)
		case len(word) == 2 && strings.HasPrefix(word[1], "v"):
			d.versions[word[0]] = word[1]
		}
	}
	return d, nil
}

// dir returns the folder of package p.
func (d *disk) dir(p string) (string, error) {
	if standard(p) {
		return filepath.Join(d.root, "src", filepath.FromSlash(p)), nil
	}
	for m := p; m != "."; m = path.Dir(m) {
		v, ok := d.versions[m]
		if !ok {
			continue
		}
		folder := filepath.Join(d.cache, filepath.FromSlash(escaped(m)+"@"+escaped(v)))
		if _, err := os.Stat(folder); err != nil {
			return "", fmt.Errorf("module %s@%s is %w", m, v, errAbsent)
		}
		return filepath.Join(folder, filepath.FromSlash(strings.TrimPrefix(p, m))), nil
	}
	return "", fmt.Errorf("no module of go.mod has package %s", p)
}

// escaped is a path in the module cache, where a capital letter X is !x.
func escaped(p string) string {
	var b strings.Builder
	for _, r := range p {
		if 'A' <= r && r <= 'Z' {
			b.WriteByte('!')
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}

// load returns the imports of package p on this machine's system and architecture.
func (d *disk) load(p string) ([]string, error) {
	folder, err := d.dir(p)
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var all []string
	files := 0
	for _, e := range entries {
		name := e.Name()
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		if ok, err := build.Default.MatchFile(folder, name); err != nil {
			return nil, err
		} else if !ok {
			continue
		}
		imports, err := importsOf(os.DirFS(folder), name)
		if err != nil {
			return nil, err
		}
		files, all = files+1, append(all, imports...)
	}
	if files == 0 {
		return nil, fmt.Errorf("no Go file of package %s in %s", p, folder)
	}
	return all, nil
}

func complain(t *testing.T, wrong []string) {
	t.Helper()
	for _, w := range wrong {
		t.Error(w)
	}
}

func moduleFiles(t *testing.T) []source {
	t.Helper()
	files, err := sources(os.DirFS(".."))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(files, func(f source) bool { return f.name == "algos/imports_test.go" }) {
		t.Fatalf("%d Go files read, but not this test: not the root of the module", len(files))
	}
	return files
}

// TestImports holds the table of imports.
func TestImports(t *testing.T) {
	files := moduleFiles(t)
	complain(t, outside(importTable, files))
	complain(t, unlisted(importTable, files))
	complain(t, empty(importTable, files))
	complain(t, astray(homes, files))
}

// TestCellClosure: no cell links what is heavy, neither through this module nor through others.
func TestCellClosure(t *testing.T) {
	files := moduleFiles(t)
	wrong, seen, err := closure("mklnb", heavy, files, nil)
	if err != nil {
		t.Fatal(err)
	}
	complain(t, wrong)
	if seen < 10 {
		t.Errorf("%d packages walked, want the whole of this module's below mklnb", seen)
	}

	goMod, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	d, err := newDisk(string(goMod))
	if err != nil {
		t.Fatal(err)
	}
	all, total, err := closure("mklnb", heavy, files, d.load)
	if errors.Is(err, errAbsent) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	if len(wrong) == 0 {
		complain(t, all)
	}
	if total <= seen {
		t.Errorf("%d packages walked, of this module alone %d: no others found", total, seen)
	}
	t.Logf("%d packages of this module, %d in all", seen, total)
}

// TestStatic: a program of algos is static unless it imports the loader itself.
func TestStatic(t *testing.T) {
	files := moduleFiles(t)
	goMod, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	d, err := newDisk(string(goMod))
	if err != nil {
		t.Fatal(err)
	}
	done := map[string]bool{}
	for _, f := range files {
		if f.test || done[f.pkg] || !under(f.pkg, "algos") || slices.Contains(mayLoad, f.pkg) {
			continue
		}
		done[f.pkg] = true
		wrong, _, err := closure(f.pkg, dynamic, files, d.load)
		if errors.Is(err, errAbsent) {
			t.Skip(err)
		}
		if err != nil {
			t.Fatal(err)
		}
		complain(t, wrong)
	}
	if len(done) < 8 || !done["algos/linalg"] || !done["algos/mkl"] {
		t.Errorf("%d packages walked: %v", len(done), done)
	}
	if wrong, _, err := closure(loader, dynamic, files, d.load); err == nil && len(wrong) == 0 {
		t.Errorf("%s is static: no other package can break the rule", loader)
	}
}

// withoutLibrary names the packages of algos that reach linalg, but have no external test file that
// brings the library, so that their tests would run in pure Go alone.
func withoutLibrary(files []source) (wrong []string, reached int) {
	brings := func(p string) bool {
		folder, ok := own(p)
		return ok && (folder == loader || folder == "algos/linalg/linalgtest")
	}
	done := map[string]bool{}
	for _, f := range files {
		if done[f.pkg] || !under(f.pkg, "algos") || f.pkg == loader || f.pkg == "algos/linalg/linalgtest" {
			continue
		}
		done[f.pkg] = true
		reaches, tested := f.pkg == "algos/linalg", false
		if !reaches {
			links, _, err := closure(f.pkg, []string{module + "/algos/linalg"}, files, nil)
			reaches = err == nil && len(links) > 0
		}
		for _, g := range files {
			if g.pkg != f.pkg || !g.test {
				continue
			}
			tested = tested || slices.ContainsFunc(g.imports, brings)
			reaches = reaches || f.pkg == "algos" && slices.Contains(g.imports, module+"/algos/mkl")
		}
		if reaches {
			reached++
			if !tested {
				wrong = append(wrong, f.pkg+" reaches algos/linalg, but no test file of it imports "+loader+" or linalgtest")
			}
		}
	}
	return wrong, reached
}

// TestLibraryInTests: the tests of every package that reaches linalg run with the library.
func TestLibraryInTests(t *testing.T) {
	wrong, reached := withoutLibrary(moduleFiles(t))
	complain(t, wrong)
	if reached < 6 {
		t.Errorf("%d packages reach algos/linalg, want at least 6", reached)
	}
	fake := []source{
		{pkg: "algos/linalg", name: "algos/linalg/a.go"},
		{pkg: "algos/linalg", name: "algos/linalg/a_test.go", test: true, imports: []string{module + "/" + loader}},
		{pkg: "algos/b", name: "algos/b/b.go", imports: []string{module + "/algos/linalg"}},
		{pkg: "algos/c", name: "algos/c/c.go", imports: []string{module + "/algos/b"}},
		{pkg: "algos/c", name: "algos/c/c_test.go", test: true, imports: []string{module + "/algos/linalg/linalgtest"}},
		{pkg: "algos/d", name: "algos/d/d.go"},
	}
	if wrong, reached := withoutLibrary(fake); len(wrong) != 1 || !strings.HasPrefix(wrong[0], "algos/b ") || reached != 3 {
		t.Errorf("in a tree where algos/b has no such test: %q, %d reach it", wrong, reached)
	}
}

// goFile is a file of a fake tree.
func goFile(imports ...string) *fstest.MapFile {
	text := "package p\n"
	for _, p := range imports {
		text += "import " + strconv.Quote(p) + "\n"
	}
	return &fstest.MapFile{Data: []byte(text)}
}

// TestImportRules breaks each rule once, in a fake tree that keeps all of them otherwise.
func TestImportRules(t *testing.T) {
	table := map[string][]string{"a": {}, "b": {"a"}, "c": anything, "edge": {"b"}, "z": {"a"}}
	homes := []home{{prefix: "example.org/x", in: []string{"edge"}}, {prefix: "example.org/browser", tests: true}}
	heavy := []string{"net/http"}
	others := map[string][]string{
		"example.org/x":         {"example.org/deep", "fmt"},
		"example.org/deep":      {},
		"example.org/slow":      {"expvar"},
		"expvar":                {"golang.org/x/v", "net/http"},
		"vendor/golang.org/x/v": {},
		"fmt":                   {"unsafe"},
	}
	load := func(p string) ([]string, error) {
		imports, ok := others[p]
		if !ok {
			return nil, fmt.Errorf("no package %s", p)
		}
		return imports, nil
	}
	for _, c := range []struct {
		name   string
		change map[string]*fstest.MapFile // nil takes a file away
		want   string                     // in the one complaint; "" for none
	}{
		{"nothing", nil, ""},
		{"upward import", map[string]*fstest.MapFile{"a/two.go": goFile(module + "/b")}, "a/two.go imports b"},
		{"upward import under a constraint", map[string]*fstest.MapFile{"a/two_plan9.go": goFile(module + "/b")}, "a/two_plan9.go imports b"},
		{"upward import of a package below", map[string]*fstest.MapFile{"z/z.go": goFile(module + "/a/inner")}, "z/z.go imports a/inner"},
		{"upward import of the root", map[string]*fstest.MapFile{"z/z.go": goFile(module)}, "z/z.go imports ."},
		{"upward import in a test", map[string]*fstest.MapFile{"a/a_test.go": goFile(module + "/b")}, ""},
		{"package without a row", map[string]*fstest.MapFile{"d/d.go": goFile()}, "d has no row"},
		{"package below one with a row", map[string]*fstest.MapFile{"a/inner/d.go": goFile()}, "a/inner has no row"},
		{"tests without a row", map[string]*fstest.MapFile{"d/d_test.go": goFile()}, "d has no row"},
		{"row without a file", map[string]*fstest.MapFile{"c/c.go": nil}, "no Go file found in c"},
		{"home left", map[string]*fstest.MapFile{"c/c.go": goFile("example.org/x/sub")}, "c/c.go imports example.org/x/sub, whose home is edge"},
		{"home left in a test", map[string]*fstest.MapFile{"c/c_test.go": goFile("example.org/x")}, "c/c_test.go imports example.org/x"},
		{"another module with the same beginning", map[string]*fstest.MapFile{"c/c.go": goFile("example.org/xylophone")}, ""},
		{"for tests only", map[string]*fstest.MapFile{"c/c.go": goFile("example.org/browser")}, "c/c.go imports example.org/browser"},
		{"for tests, in a test", map[string]*fstest.MapFile{"a/a_test.go": goFile("example.org/browser/cdp")}, ""},
		{"heavy import", map[string]*fstest.MapFile{"edge/edge.go": goFile("net/http")}, "edge → net/http"},
		{"heavy import below", map[string]*fstest.MapFile{"a/a.go": goFile("net/http/httptest")}, "edge → b → a → net/http/httptest"},
		{"heavy import through others", map[string]*fstest.MapFile{"a/a.go": goFile("example.org/slow")}, "edge → b → a → example.org/slow → expvar → net/http"},
		{"heavy import in a test", map[string]*fstest.MapFile{"a/a_test.go": goFile("net/http")}, ""},
		{"heavy import elsewhere", map[string]*fstest.MapFile{"c/c.go": goFile("net/http")}, ""},
		{"hidden folders, testdata and modules inside", map[string]*fstest.MapFile{
			".hidden/h.go": goFile(), "a/testdata/t.go": goFile(), "a/_old/t.go": goFile(),
			"tools/go.mod": {}, "tools/t.go": goFile("example.org/x"),
		}, ""},
	} {
		tree := fstest.MapFS{
			"go.mod":       {},
			"a/a.go":       goFile("fmt"),
			"b/b.go":       goFile(module + "/a"),
			"c/c.go":       goFile(module + "/edge"),
			"z/z.go":       goFile(module + "/a"),
			"edge/edge.go": goFile(module+"/b", "example.org/x"),
		}
		for name, f := range c.change {
			if tree[name] = f; f == nil {
				delete(tree, name)
			}
		}
		files, err := sources(tree)
		if err != nil {
			t.Fatal(err)
		}
		// A tree of this size reads these packages; whatever else it imports belongs to other rules.
		known := func(p string) ([]string, error) {
			if strings.HasPrefix(p, "example.org/") && others[p] == nil {
				return nil, nil
			}
			return load(p)
		}
		wrong := slices.Concat(outside(table, files), unlisted(table, files), empty(table, files), astray(homes, files))
		links, _, err := closure("edge", heavy, files, known)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		wrong = append(wrong, links...)
		switch {
		case c.want == "" && len(wrong) > 0:
			t.Errorf("%s: %q, want no complaint", c.name, wrong)
		case c.want != "" && (len(wrong) != 1 || !strings.Contains(wrong[0], c.want)):
			t.Errorf("%s: %q, want one complaint: %s", c.name, wrong, c.want)
		}
	}

	files, _ := sources(fstest.MapFS{"edge/edge.go": goFile(module + "/gone")})
	if _, _, err := closure("edge", heavy, files, load); err == nil || !strings.Contains(err.Error(), "edge → gone") {
		t.Errorf("a package that is not there: %v, want an error with the path to it", err)
	}
	if wrong := empty(map[string][]string{"edge": {"b"}}, files); len(wrong) != 1 || !strings.Contains(wrong[0], "allows b") {
		t.Errorf("a row that allows a package without one: %q, want one complaint", wrong)
	}
	if _, err := sources(fstest.MapFS{"a/a.go": {Data: []byte("not Go")}}); err == nil {
		t.Error("a file that is not Go is read without an error")
	}
}

// TestDisk: what the walk of the closure finds is what it says.
func TestDisk(t *testing.T) {
	d, err := newDisk("module m\n\nrequire example.org/Big v1.2.3\nrequire (\n\texample.org/Big/sub v0.1.0-RC // indirect\n)\n")
	if err != nil {
		t.Fatal(err)
	}
	if len(d.versions) != 2 || d.versions["example.org/Big"] != "v1.2.3" || d.versions["example.org/Big/sub"] != "v0.1.0-RC" {
		t.Errorf("requirements %v", d.versions)
	}
	d.cache = t.TempDir()
	if _, err := d.dir("example.org/Big/x"); !errors.Is(err, errAbsent) {
		t.Errorf("a module that is not in the cache: %v, want %v", err, errAbsent)
	}
	for _, name := range []string{"example.org/!big@v1.2.3/x", "example.org/!big/sub@v0.1.0-!r!c/y"} {
		if err := os.MkdirAll(filepath.Join(d.cache, filepath.FromSlash(name)), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for p, want := range map[string]string{"example.org/Big/x": "example.org/!big@v1.2.3/x", "example.org/Big/sub/y": "example.org/!big/sub@v0.1.0-!r!c/y"} {
		if got, err := d.dir(p); err != nil || got != filepath.Join(d.cache, filepath.FromSlash(want)) {
			t.Errorf("folder of %s is %s (%v), want %s below the cache", p, got, err, want)
		}
	}
	if _, err := d.load("example.org/Big/x"); err == nil {
		t.Error("a package without a Go file is read without an error")
	}
	if _, err := d.dir("example.com/other"); err == nil || errors.Is(err, errAbsent) {
		t.Errorf("a package of no module: %v, want an error that says so", err)
	}
	if _, err := newDisk("replace a => b\n"); err == nil {
		t.Error("a replaced module is passed over")
	}
	// Through the standard library, whose own copies of other modules are found too.
	files := []source{{pkg: "edge", name: "edge/edge.go", imports: []string{"expvar"}}}
	wrong, _, err := closure("edge", []string{"net/http"}, files, d.load)
	if err != nil || len(wrong) != 1 || wrong[0] != "edge → expvar → net/http" {
		t.Errorf("closure of expvar: %q, %v, want net/http in it", wrong, err)
	}
	if wrong, seen, err := closure("edge", nil, files, d.load); err != nil || len(wrong) != 0 || seen < 100 {
		t.Errorf("closure of expvar: %d packages, %q, %v, want over a hundred", seen, wrong, err)
	}
}
