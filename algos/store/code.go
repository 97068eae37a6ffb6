package store

import (
	"cmp"
	"errors"
	"fmt"
	"go/version"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mklnb/mkl/algos/registry"
)

// module is the path of this module.
const module = "github.com/mklnb/mkl"

// origin is where a function or a type was declared. Of a type Line is 0, of a function Name is empty.
type origin struct {
	registry.Origin
	Line int
}

// test says that o is in a file of tests, which sources leaves out.
func (o origin) test() bool { return strings.HasSuffix(o.File, "_test.go") }

// code is the hash of what results are computed by:
//
//   - the release of Go and this module: its version and sum if it is a published one, else its files (sources),
//   - modules that its go.mod requires directly, where the program is linked with others than its go.sum says,
//   - of functions and types (origins) in package main or in tests: the declarations that they reach (reach),
//   - if an origin is outside this module: all other modules that are linked.
//
// It is one of contents: a copy of this module in another folder has the same code. Where a file is gone, or younger
// than the program, or the folder of a module is not known (-trimpath, go.work), the code is the program, byte for
// byte.
func code(origins []origin) (string, error) {
	known := fmt.Sprint(origins)
	if c, ok := codes.Load(known); ok {
		return c.(string), nil
	}
	c, err := codeOf(origins)
	if err != nil {
		if c, err = program(); err != nil {
			return "", err
		}
	}
	codes.Store(known, c)
	return c, nil
}

var codes sync.Map // code by the text of its origins

// codeOf is code where all files are there.
func codeOf(origins []origin) (string, error) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "", errors.New("store: no build information")
	}
	own, err := ownCode()
	if err != nil {
		return "", err
	}
	parts := []string{own}
	at, apart, outside := ownRoot(), "", false // at is where the program's own module lies, apart its package main
	for _, o := range origins {
		if o.Package == "main" || o.test() {
			text, err := reach(o)
			if err != nil {
				return "", err
			}
			parts = append(parts, text)
		}
		if !strings.HasPrefix(o.Package+"/", module+"/") {
			outside, at = true, filepath.Dir(o.File)
			if o.Package == "main" {
				apart = at
			}
		}
	}
	for at != filepath.Dir(at) && moduleIn(at) == "" {
		at = filepath.Dir(at)
	}
	sum, _ := os.ReadFile(filepath.Join(ownRoot(), "go.sum"))
	mod, _ := os.ReadFile(filepath.Join(ownRoot(), "go.mod"))
	for i, m := range append([]*debug.Module{&info.Main}, info.Deps...) {
		name, v := m.Path, published(m)
		if name == module || name == "" || v != "" && strings.Contains("\n"+string(sum), "\n"+name+" "+v+"\n") ||
			!outside && !requires(string(mod), name) {
			continue
		}
		if v == "" {
			folder := at
			if m.Replace != nil {
				if folder = m.Replace.Path; !filepath.IsAbs(folder) {
					folder = filepath.Join(at, folder)
				}
			}
			if moduleIn(folder) != name {
				return "", fmt.Errorf("store: the folder of module %s is not known", name)
			}
			if v, err = sources(folder, apart); err != nil {
				return "", err
			}
		}
		if i == 0 {
			name = "main" // a notebook gives it another name each time
		}
		parts = append(parts, name, v)
	}
	return digest(parts...), nil
}

// ownCode is the release of Go and the code of this module.
var ownCode = sync.OnceValues(func() (string, error) {
	release := version.Lang(runtime.Version()) + " "
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range append([]*debug.Module{&info.Main}, info.Deps...) {
			if v := published(m); m.Path == module && v != "" {
				return release + v, nil
			}
		}
	}
	if ownRoot() == "" {
		return "", errors.New("store: the folder of this module is not known")
	}
	v, err := sources(ownRoot(), "")
	return release + v, err
})

// ownRoot is the folder of this module, "" where it is not there.
func ownRoot() string {
	_, file, _, _ := runtime.Caller(0)
	root := filepath.Dir(filepath.Dir(filepath.Dir(file)))
	if !filepath.IsAbs(file) || moduleIn(root) != module {
		return ""
	}
	return root
}

// published is the version and the sum of a module, or of what replaces it; "" where it has none.
func published(m *debug.Module) string {
	if m = cmp.Or(m.Replace, m); m.Sum == "" {
		return ""
	}
	return m.Version + " " + m.Sum
}

// moduleIn is the path of the module whose go.mod lies in a folder, "" where there is none.
func moduleIn(folder string) string {
	b, _ := os.ReadFile(filepath.Join(folder, "go.mod"))
	for line := range strings.Lines(string(b)) {
		if f := strings.Fields(line); len(f) > 1 && f[0] == "module" {
			return strings.Trim(f[1], `"`)
		}
	}
	return ""
}

// requires says that the text of a go.mod names a module that packages import: what those of other modules import does
// not compute results.
func requires(mod, name string) bool {
	for line := range strings.Lines(mod) {
		if slices.Contains(strings.Fields(line), name) && !strings.Contains(line, "// indirect") {
			return true
		}
	}
	return false
}

// sources is the hash of the files of the module in a folder: go.mod, go.sum and all that lie in or below a folder of
// Go files, whether they are embedded or not; but not of tests, testdata, notebooks, folders that begin with . or _,
// links (an editor's lock leads nowhere), other modules inside this one, and the files of the folder apart, "" for
// none. A file beside a notebook is in no folder of Go files: cells may write such.
func sources(folder, apart string) (string, error) {
	root := os.DirFS(folder)
	var parts []string
	packages := map[string]bool{} // folders in or below one of Go files
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		base, above := d.Name(), path.Dir(name)
		switch {
		case err != nil:
			return err
		case d.IsDir():
			_, nested := fs.Stat(root, path.Join(name, "go.mod"))
			if name != "." && (base[0] == '.' || base[0] == '_' || base == "testdata" || nested == nil) {
				return fs.SkipDir
			}
			files, err := fs.Glob(root, path.Join(name, "*.go"))
			isTest := func(file string) bool { return strings.HasSuffix(file, "_test.go") }
			packages[name] = packages[above] || len(slices.DeleteFunc(files, isTest)) > 0
			return err
		case !packages[above] && name != "go.mod" && name != "go.sum", filepath.Join(folder, above) == apart,
			!d.Type().IsRegular(), strings.HasSuffix(base, "_test.go"), strings.HasSuffix(base, ".ipynb"):
			return nil
		}
		b, err := readOlder(root, name)
		parts = append(parts, name, string(b))
		return err
	})
	return digest(parts...), err
}

// readOlder reads a file; one that was changed after the program was built is an error.
func readOlder(root fs.FS, name string) ([]byte, error) {
	info, err := fs.Stat(root, name)
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	if built, err := built(); err != nil || info.ModTime().After(built) {
		return nil, fmt.Errorf("store: %s was changed after this program was built", name)
	}
	return fs.ReadFile(root, name)
}

// built is when the program was.
var built = sync.OnceValues(func() (t time.Time, err error) {
	exe, err := os.Executable()
	if err != nil {
		return t, err
	}
	info, err := os.Stat(exe)
	if err != nil {
		return t, err
	}
	return info.ModTime(), nil
})

// program is the hash of the program's bytes.
var program = sync.OnceValues(func() (string, error) {
	exe, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("store: %w", err)
	}
	b, err := os.ReadFile(exe)
	if err != nil {
		return "", fmt.Errorf("store: %w", err)
	}
	return "program " + digest(string(b)), nil
})
