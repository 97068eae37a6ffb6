package cells

import (
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// packages knows the packages that cells import: where they are, what they export, and their types.
type packages struct {
	folder  string            // of the program of a cell
	aliases map[string]string // path by name, for names that are not those of the packages
	goroot  string

	index      map[string][]string // paths by name; nil until go list has succeeded
	indexGuard sync.Mutex
	std        map[string][]string
	stdOnce    sync.Once

	mu       sync.Mutex
	listed   map[string]listed // by path
	roots    []string          // the paths that were listed together with what they import
	files    string            // state of the source files of the listed packages
	looked   bool              // the state is that at the start of the cell
	importer types.Importer
}

// listed is a package as go list prints it.
type listed struct{ name, export, folder string }

// run runs the go command in the folder of the program and returns its output.
func (p *packages) run(args ...string) (string, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = p.folder
	output, err := cmd.Output()
	if err != nil {
		if exit, ok := err.(*exec.ExitError); ok {
			return "", fmt.Errorf("go %s: %w: %s", args[0], err, exit.Stderr)
		}
		return "", fmt.Errorf("go %s: %w", args[0], err)
	}
	return string(output), nil
}

// load returns the importer of these packages and of those that they import. It lists them again if they are new or if
// a source file has changed.
func (p *packages) load(paths []string) (types.Importer, error) {
	if len(paths) == 0 {
		return importer.Default(), nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	missing := slices.ContainsFunc(paths, func(path string) bool {
		_, ok := p.listed[path]
		return !ok && path != "unsafe"
	})
	if !missing && p.importer != nil && (p.looked || p.files == p.stateOfFiles()) {
		p.looked = true
		return p.importer, nil
	}
	for _, path := range paths {
		if !slices.Contains(p.roots, path) {
			p.roots = append(p.roots, path)
		}
	}
	output, err := p.run(append([]string{"list", "-e", "-export", "-deps", "-f",
		"{{.ImportPath}}\t{{.Name}}\t{{.Export}}\t{{.Dir}}"},
		p.roots...)...)
	if err != nil {
		p.roots = nil
		return nil, err
	}
	p.listed = map[string]listed{}
	for line := range strings.Lines(output) {
		if f := strings.Split(strings.TrimSuffix(line, "\n"), "\t"); len(f) == 4 {
			p.listed[f[0]] = listed{f[1], f[2], f[3]}
		}
	}
	p.roots = slices.DeleteFunc(p.roots, func(path string) bool { return p.listed[path].export == "" })
	p.importer = importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) {
		l := p.listed[path]
		if l.export == "" {
			return nil, fmt.Errorf("package %s does not compile", path)
		}
		return os.Open(l.export)
	})
	p.files, p.looked = p.stateOfFiles(), true
	return p.importer, nil
}

// startCell, at the start of a cell or a completion, makes the next load look for changes of source files.
func (p *packages) startCell() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.looked = false
}

// isMissing reports whether one of these packages does not exist or does not compile.
func (p *packages) isMissing(paths []string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.ContainsFunc(paths, func(path string) bool { return p.listed[path].export == "" })
}

// stateOfFiles returns a text that differs if a source file of a listed package has changed, except of Go itself.
func (p *packages) stateOfFiles() string {
	var b strings.Builder
	note := func(path string) {
		if info, err := os.Stat(path); err == nil {
			fmt.Fprintln(&b, path, info.Size(), info.ModTime().UnixNano())
		}
	}
	for _, name := range []string{"GOFLAGS", "GOOS", "GOARCH", "GOAMD64", "CGO_ENABLED", "GOEXPERIMENT"} {
		fmt.Fprintln(&b, name, os.Getenv(name))
	}
	for _, name := range []string{"go.mod", "go.sum", "go.work"} {
		note(filepath.Join(p.folder, name))
	}
	var folders []string
	for _, l := range p.listed {
		if l.folder != "" && !strings.HasPrefix(l.folder, p.root()) {
			folders = append(folders, l.folder)
		}
	}
	slices.Sort(folders)
	for _, folder := range folders {
		note(folder)
		entries, _ := os.ReadDir(folder)
		for _, e := range entries {
			if !e.IsDir() && !strings.HasSuffix(e.Name(), "_test.go") {
				note(filepath.Join(folder, e.Name()))
			}
		}
	}
	return b.String()
}

// root returns the folder of Go.
func (p *packages) root() string {
	if p.goroot == "" {
		output, _ := p.run("env", "GOROOT")
		p.goroot = strings.TrimSpace(output)
	}
	return p.goroot
}

// nameOf returns the name of a package, without a list a guess.
func (p *packages) nameOf(importPath string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if l := p.listed[importPath]; l.name != "" {
		return l.name
	}
	return guessName(importPath)
}

// guessName returns the name that a package of a path usually has.
func guessName(importPath string) string {
	name := path.Base(importPath)
	if len(name) > 1 && name[0] == 'v' && strings.Trim(name[1:], "0123456789") == "" {
		name = path.Base(path.Dir(importPath))
	}
	name, _, _ = strings.Cut(name, ".")
	return strings.TrimPrefix(name, "go-")
}

// readIndex finds the packages that cells may import without saying so. If go list fails or finds none, for example
// because the folder of the program is being made, it tries once more, and the next call tries again.
func (p *packages) readIndex() {
	p.indexGuard.Lock()
	defer p.indexGuard.Unlock()
	for attempt := 0; p.index == nil && attempt < 2; attempt++ {
		output, err := p.run("list", "-e", "-f", "{{.ImportPath}}\t{{.Name}}\t{{.Standard}}", "all",
			"gonum.org/v1/gonum/...")
		if err != nil {
			continue
		}
		p.index = map[string][]string{}
		for line := range strings.Lines(output) {
			f := strings.Split(strings.TrimSpace(line), "\t")
			if len(f) == 3 && f[2] == "false" && f[1] != "main" && isPublic(f[0]) &&
				!slices.Contains(p.index[f[1]], f[0]) {
				p.index[f[1]] = append(p.index[f[1]], f[0])
			}
		}
		if len(p.index) == 0 {
			p.index = nil
		}
	}
}

func isPublic(path string) bool {
	return !strings.HasPrefix(path, "vendor/") && !strings.HasPrefix(path, "cmd/") &&
		!slices.ContainsFunc(strings.Split(path, "/"), func(part string) bool { return part == "internal" })
}

// readStd finds the packages of Go.
func (p *packages) readStd() {
	p.stdOnce.Do(func() {
		p.std = map[string][]string{}
		source := filepath.Join(p.root(), "src")
		filepath.WalkDir(source, func(file string, d fs.DirEntry, err error) error {
			if err != nil || !d.IsDir() || file == source {
				return nil
			}
			relative, _ := filepath.Rel(source, file)
			relative = filepath.ToSlash(relative)
			if n := d.Name(); n == "internal" || n == "vendor" || n == "testdata" || relative == "cmd" ||
				n[0] == '.' || n[0] == '_' {
				return fs.SkipDir
			}
			name := guessName(relative)
			p.std[name] = append(p.std[name], relative)
			return nil
		})
	})
}

// candidates returns the packages of a name that export all of the given names. If only one has the name, it is the
// one: an error is then about what it does not export.
func (p *packages) candidates(name string, members []string) []string {
	if path := p.aliases[name]; path != "" {
		return []string{path}
	}
	p.readStd()
	found := p.exporting(p.std[name], members)
	if len(found) == 0 || !isEverywhere(name) {
		p.readIndex()
		found = p.exporting(slices.Concat(p.std[name], p.index[name]), members)
	}
	if own := slices.DeleteFunc(slices.Clone(found), isDependency); len(own) > 0 { // encoding/json, not another json
		found = own
	}
	// math/rand/v2 replaces math/rand
	return slices.DeleteFunc(slices.Clone(found), func(path string) bool { return slices.Contains(found, path+"/v2") })
}

func (p *packages) isName(name string) bool {
	p.readStd()
	p.readIndex()
	return p.aliases[name] != "" || len(p.std[name]) > 0 || len(p.index[name]) > 0
}

// names returns the names of packages that cells may import without saying so, except of other libraries.
func (p *packages) names() (names []string) {
	p.readStd()
	p.readIndex()
	names = slices.AppendSeq(slices.Collect(maps.Keys(p.std)), maps.Keys(p.aliases))
	for name, paths := range p.index {
		if !slices.Contains(names, name) && !slices.ContainsFunc(paths, isDependency) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// isDependency reports whether a package is neither of Go nor of this library nor of gonum.
func isDependency(path string) bool {
	return strings.Contains(path, ".") && !strings.HasPrefix(path, libraryPath) &&
		!strings.HasPrefix(path, "gonum.org/")
}

// isEverywhere reports whether a name always means the package of Go, so that no other one is looked for.
func isEverywhere(name string) bool {
	return slices.Contains([]string{"fmt", "os", "strings", "time", "flag", "math", "sort", "slices", "errors",
		"bytes", "strconv"}, name)
}

// exporting returns the packages of a list that export all members, or the only one.
func (p *packages) exporting(list, members []string) []string {
	if len(list) < 2 || len(members) == 0 {
		return list
	}
	return slices.DeleteFunc(slices.Clone(list), func(path string) bool {
		exported := p.exported(path)
		return slices.ContainsFunc(members, func(m string) bool { return !slices.Contains(exported, m) })
	})
}
