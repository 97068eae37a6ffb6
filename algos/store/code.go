package store

import (
	"errors"
	"fmt"
	"go/version"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/mklnb/mkl/algos/registry"
	"github.com/mklnb/mkl/data/sha256"
)

// module is the path of this module.
const module = "github.com/mklnb/mkl"

// code names what this program is made of, so far as results depend on it that are computed by this module and by
// what comes from origins (functions, registered types):
//
//   - this module: all its files that programs are made of (sources), or version and sum where it is a released one,
//   - the release of Go, and modules that the build took in place of those that go.sum of this module says,
//   - of an origin in package main, or in a test: the declarations that it reaches (reach),
//   - where an origin is in another module, or reaches one: every other module that is linked, by version and sum, or
//     by its files where it has none (one that is replaced by a folder, or that is worked on).
//
// These are contents, not paths: in a checkout, in a copy of it elsewhere, and in programs built outside with either, the
// code is the same. Files are read as they are now; where one is gone (a program built with -trimpath or
// brought to another machine), or is younger than the program, the code is the program itself, byte for byte:
// another build of it finds nothing of what it kept.
func code(origins []origin) (string, error) {
	origins = slices.DeleteFunc(slices.Clone(origins), origin.own)
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

// origin is where a function or a type was declared. Of a type Line is 0, of a function Name is empty.
type origin struct {
	registry.Origin
	Line int
}

// test reports that o is in a file of tests, which sources leaves out.
func (o origin) test() bool { return strings.HasSuffix(o.File, "_test.go") }

// own reports that o is of ownCode.
func (o origin) own() bool {
	if _, root := here(); root != "" && filepath.IsAbs(o.File) && !under(o.Package, module) {
		hashed, _ := ownFiles()
		name, err := filepath.Rel(root, o.File)
		return err == nil && hashed.names[filepath.ToSlash(name)]
	}
	return !o.test() && under(o.Package, module)
}

// codeOf is code where the sources are there.
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
	file, root := here() // the file is below the go.mod that says which folders replace modules
	if info.Main.Path != module {
		file = ""
	}
	var sum []byte
	if root != "" {
		sum, _ = os.ReadFile(filepath.Join(root, "go.sum"))
	}
	modules := append([]*debug.Module{&info.Main}, info.Deps...)
	others, mains := false, false // whether an origin reaches another module, and that of package main
	reaches := func(pkg string) {
		m := holding(modules, pkg)
		others = others || m != nil && m.Path != module
		mains = mains || m == &info.Main && m.Path != module
	}
	for _, o := range origins {
		if o.test() || o.Package == "main" {
			text, imports, err := reach(o)
			if err != nil {
				return "", err
			}
			parts, file = append(parts, text), o.File
			for _, p := range imports {
				reaches(p)
			}
		} else {
			reaches(o.Package)
		}
	}
	for _, m := range modules {
		v := published(m)
		ours := sum == nil || strings.Contains("\n"+string(sum), "\n"+m.Path+" ")
		switch {
		case m.Path == module, m.Path == "", v != "" && strings.Contains("\n"+string(sum), "\n"+m.Path+" "+v+"\n"):
			continue // ownCode says it, by go.sum too
		case m == &info.Main && !mains, m != &info.Main && !ours && !others:
			continue // nothing that origins reach
		}
		if v == "" {
			root, err := rootOf(m, file)
			if err != nil {
				return "", err
			}
			files, err := sources(os.DirFS(root))
			if err != nil {
				return "", err
			}
			v = files.hash
		}
		parts = append(parts, m.Path, v)
	}
	return digest(parts...), nil
}

// here is this file as the compiler recorded it, and the folder of this module, "" where it is not there.
var here = sync.OnceValues(func() (file, root string) {
	_, file, _, _ = runtime.Caller(0)
	if root = filepath.Dir(filepath.Dir(filepath.Dir(file))); !filepath.IsAbs(file) || moduleIn(root) != module {
		root = ""
	}
	return file, root
})

// ownCode names the code of this module, where it is published by that version.
var ownCode = sync.OnceValues(func() (string, error) {
	release := version.Lang(runtime.Version()) + " "
	if info, ok := debug.ReadBuildInfo(); ok {
		if v := published(holding(append([]*debug.Module{&info.Main}, info.Deps...), module)); v != "" {
			return release + v, nil
		}
	}
	file, root := here()
	if root == "" {
		return "", fmt.Errorf("store: the sources of this module are not where %s was", file)
	}
	v, err := ownFiles()
	return release + v.hash, err
})

var ownFiles = sync.OnceValues(func() (hashed, error) {
	_, root := here()
	return sources(os.DirFS(root))
})

// hashed is the hash of some files, and their names.
type hashed struct {
	hash  string
	names map[string]bool
}

// published is the version and the sum of a module as it is published, of what replaces it if need be; "" where it has none.
func published(m *debug.Module) string {
	switch {
	case m == nil:
		return ""
	case m.Replace != nil:
		return published(m.Replace)
	case m.Sum == "":
		return ""
	}
	return m.Version + " " + m.Sum
}

// holding is the module that holds a package, nil where none does.
func holding(modules []*debug.Module, pkg string) (holds *debug.Module) {
	for _, m := range modules {
		if under(pkg, m.Path) && (holds == nil || len(m.Path) > len(holds.Path)) {
			holds = m
		}
	}
	return holds
}

// under reports whether a package is in a module, by their paths.
func under(pkg, module string) bool { return strings.HasPrefix(pkg+"/", module+"/") }

// moduleIn is the path of the module whose go.mod lies in a folder, "" where there is none.
func moduleIn(folder string) string {
	b, _ := os.ReadFile(filepath.Join(folder, "go.mod"))
	for line := range strings.Lines(string(b)) {
		if name, ok := strings.CutPrefix(line, "module "); ok {
			name, _, _ = strings.Cut(name, "//")
			return strings.Trim(strings.TrimSpace(name), `"`)
		}
	}
	return ""
}

// rootOf is the folder of a module that has no version, found from a file of the program: above that file, or in
// the folder that a go.mod or a go.work above it names.
func rootOf(m *debug.Module, file string) (string, error) {
	if m.Replace != nil && filepath.IsAbs(m.Replace.Path) {
		return m.Replace.Path, nil
	}
	for dir := filepath.Dir(file); filepath.IsAbs(file); dir = filepath.Dir(dir) {
		if m.Replace == nil && moduleIn(dir) == m.Path {
			return dir, nil
		}
		local := func(folder string) string {
			if filepath.IsAbs(folder) {
				return folder
			}
			return filepath.Join(dir, folder)
		}
		work, err := os.ReadFile(filepath.Join(dir, "go.work"))
		if m.Replace != nil && (err == nil || moduleIn(dir) != "") && moduleIn(local(m.Replace.Path)) != "" {
			return local(m.Replace.Path), nil
		}
		for word := range strings.FieldsSeq(string(work)) {
			if used := local(strings.Trim(word, `"`)); m.Replace == nil && moduleIn(used) == m.Path {
				return used, nil
			}
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	return "", fmt.Errorf("store: the folder of module %s is not known", m.Path)
}

// started is when this program was.
var started = time.Now()

// built is when the program was, the zero time where that is not known. What go run takes from its cache, a folder
// xx/…-d, it has found to be as its sources are now.
var built = sync.OnceValue(func() time.Time {
	exe, err := os.Executable()
	if err != nil {
		return time.Time{}
	}
	if dir := filepath.Dir(exe); strings.HasSuffix(dir, "-d") && len(filepath.Base(filepath.Dir(dir))) == 2 {
		return started
	}
	info, err := os.Stat(exe)
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
})

// sources is the hash of the files of a module that programs may be made of: go.mod, go.sum, Go files that are
// not tests, what else is compiled, and the files that Go files embed. Folders that the go command passes over, and
// modules inside this one, are none of it. A file younger than the program is an error.
func sources(root fs.FS) (hashed, error) {
	parts := map[string]string{} // contents by path
	add := func(name string) error {
		if _, ok := parts[name]; ok {
			return nil
		}
		b, err := fs.ReadFile(root, name)
		if err == nil {
			err = notYounger(root, name)
		}
		parts[name] = string(b)
		return err
	}
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		base := d.Name()
		switch {
		case err != nil || name == ".":
			return err
		case d.IsDir():
			_, nested := fs.Stat(root, path.Join(name, "go.mod"))
			if base[0] == '.' || base[0] == '_' || base == "testdata" || base == "vendor" || nested == nil {
				return fs.SkipDir
			}
			return nil
		case base[0] == '.' || base[0] == '_' || strings.HasSuffix(base, "_test.go"):
			return nil
		case name != "go.mod" && name != "go.sum" && !slices.Contains(compiled, path.Ext(name)):
			return nil
		}
		if err := add(name); err != nil || path.Ext(name) != ".go" {
			return err
		}
		return embedded(root, path.Dir(name), parts[name], add)
	})
	if err != nil {
		return hashed{}, fmt.Errorf("store: %w", err)
	}
	if len(parts) == 0 {
		return hashed{}, errors.New("store: no sources")
	}
	var list []string
	names := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		list = append(list, name, parts[name])
		names[name] = true
	}
	return hashed{digest(list...), names}, nil
}

// compiled are the extensions of what the go command compiles and links.
var compiled = []string{".go", ".s", ".S", ".h", ".hh", ".hpp", ".hxx", ".c", ".cc", ".cpp", ".cxx", ".m", ".syso"}

// embedded adds the files of folder dir that the text of a Go file embeds.
func embedded(root fs.FS, dir, text string, add func(name string) error) error {
	for rest := text; ; {
		before, after, found := strings.Cut(rest, "//go:embed ")
		if !found {
			return nil
		}
		rest = after
		if strings.TrimSpace(before[strings.LastIndexByte(before, '\n')+1:]) != "" {
			continue // within other text
		}
		line, _, _ := strings.Cut(after, "\n")
		for line = strings.TrimSpace(line); line != ""; line = strings.TrimSpace(line) {
			pattern, _, _ := strings.Cut(line, " ")
			if quoted, err := strconv.QuotedPrefix(line); err == nil {
				pattern = quoted
			}
			line = line[len(pattern):]
			if plain, err := strconv.Unquote(pattern); err == nil {
				pattern = plain
			}
			names, err := fs.Glob(root, path.Join(dir, strings.TrimPrefix(pattern, "all:")))
			if err != nil {
				return err
			}
			for _, name := range names {
				err := fs.WalkDir(root, name, func(name string, d fs.DirEntry, err error) error {
					if err != nil || d.IsDir() {
						return err
					}
					return add(name)
				})
				if err != nil {
					return err
				}
			}
		}
	}
}

// notYounger returns an error where a file was changed after the program was built.
func notYounger(root fs.FS, name string) error {
	info, err := fs.Stat(root, name)
	if err == nil && !built().IsZero() && info.ModTime().After(built()) {
		err = fmt.Errorf("%s was changed after this program was built", name)
	}
	return err
}

// program is the sha256 of the program.
var program = sync.OnceValues(func() (string, error) {
	name, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("store: %w", err)
	}
	f, err := os.Open(name)
	if err != nil {
		return "", fmt.Errorf("store: %w", err)
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", fmt.Errorf("store: %w", err)
	}
	return fmt.Sprintf("program %x", h.Sum(nil)), nil
})
