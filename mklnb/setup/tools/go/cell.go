package main

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Module is the module whose cells have recipes.
const Module = "github.com/mklnb/mkl"

// Flags are the GOFLAGS of the kernel spec: what build does is what they ask for.
const Flags = `-buildvcs=false "-ldflags=-s -w" -gcflags=all=-dwarf=false`

// lasts is how long a recipe is good for.
const lasts = 24 * time.Hour

// cell is the program in the working directory.
type cell struct {
	real    string
	imports []string
	file    string // of its recipe: the name carries a hash of the environment and the module files
}

// readCell reads the program in the working directory, and false where it does not use this library, is not
// one that GoNB makes for its kernel spec, or has something that only the go command understands.
func readCell(real string) (*cell, bool) {
	if os.Getenv("GOFLAGS") != Flags || os.Getenv("CGO_ENABLED") != "0" {
		return nil, false
	}
	entries, err := os.ReadDir(".")
	if err != nil {
		return nil, false
	}
	for _, e := range entries {
		switch filepath.Ext(e.Name()) {
		case ".go":
			if e.Name() != "main.go" {
				return nil, false
			}
		case ".s", ".c", ".h", ".syso":
			return nil, false
		}
	}
	src, err := os.ReadFile("main.go")
	if err != nil || bytes.Contains(src, []byte("//go:")) || bytes.Contains(src, []byte("+build")) {
		return nil, false
	}
	f, err := parser.ParseFile(token.NewFileSet(), "main.go", src, parser.ImportsOnly)
	if err != nil || f.Name.Name != "main" {
		return nil, false
	}
	c := &cell{real: real}
	for _, s := range f.Imports {
		path, err := strconv.Unquote(s.Path.Value)
		if err != nil || path == "C" || slices.Contains(strings.Split(path, "/"), "internal") || strings.HasPrefix(path, ".") {
			return nil, false
		}
		if path != "unsafe" {
			c.imports = append(c.imports, path)
		}
	}
	if !c.uses() {
		return nil, false
	}
	dir := os.Getenv("MKL_CACHE")
	if dir == "" {
		if dir, err = os.UserCacheDir(); err != nil {
			return nil, false
		}
		dir = filepath.Join(dir, "mkl")
	}
	name, err := c.key()
	if err != nil {
		return nil, false
	}
	c.file = filepath.Join(dir, "cells", name)
	return c, true
}

// uses reports whether the cell imports a package of this library.
func (c *cell) uses() bool {
	return slices.ContainsFunc(c.imports, func(p string) bool { return p == Module || strings.HasPrefix(p, Module+"/") })
}

// key names everything that decides which compiled packages a cell gets, but for their sources.
func (c *cell) key() (string, error) {
	h := sha256.New()
	info, err := os.Stat(c.real)
	if err != nil {
		return "", err
	}
	fmt.Fprintf(h, "%s %d %d\n", c.real, info.Size(), info.ModTime().UnixNano())
	for _, kv := range os.Environ() {
		if strings.HasPrefix(kv, "GO") && !strings.HasPrefix(kv, "GONB_") { // GOROOT, GOCACHE, GOAMD64, ...
			fmt.Fprintln(h, kv)
		}
	}
	settings := os.Getenv("GOENV")
	if settings == "" {
		if dir, err := os.UserConfigDir(); err == nil {
			settings = filepath.Join(dir, "go", "env")
		}
	}
	for _, name := range []string{"go.mod", "go.sum", "go.work", "go.work.sum", settings} {
		content, err := os.ReadFile(name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		if name == "go.mod" { // the module's name is another in every kernel
			_, content, _ = bytes.Cut(content, []byte("\n"))
		}
		fmt.Fprintf(h, "%s %d\n%s\n", name, len(content), content)
	}
	return hex.EncodeToString(h.Sum(nil))[:32], nil
}

// recipe is how cells are built while nothing changes.
type recipe struct {
	Compile, Link string            // the two tools
	Version, Lang string            // of Go, as the compiler wants them: go1.26.8, go1.26
	Info          string            // what debug.ReadBuildInfo will say
	Packages      map[string]string // import path to compiled package
	Folders       map[string]string // folder or file of the checkout to the hash of what it holds
}

// recipe is the one that is kept for c, if it is not too old; fresh says whether it is still good.
func (c *cell) recipe() *recipe {
	info, err := os.Stat(c.file)
	if err != nil || time.Since(info.ModTime()) > lasts {
		return nil
	}
	content, err := os.ReadFile(c.file)
	if err != nil {
		return nil
	}
	r := new(recipe)
	if json.Unmarshal(content, r) != nil || len(r.Folders) == 0 {
		return nil
	}
	return r
}

// fresh reports whether everything that r rests on is as it was.
func (r *recipe) fresh() bool {
	for path, want := range r.Folders {
		if got, err := hash(path); err != nil || got != want {
			return false
		}
	}
	return true
}

// knows reports whether r has all these packages.
func (r *recipe) knows(imports []string) bool {
	return !slices.ContainsFunc(imports, func(p string) bool { return r.Packages[p] == "" })
}

// build compiles and links the cell into out.
func (r *recipe) build(out string) error {
	tmp, err := os.MkdirTemp("", "mkl-cell-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	var b strings.Builder
	for path, file := range r.Packages {
		fmt.Fprintf(&b, "packagefile %s=%s\n", path, file)
	}
	write := func(name string) (string, error) {
		path := filepath.Join(tmp, name)
		return path, os.WriteFile(path, []byte(b.String()), 0o600)
	}
	config, err := write("importcfg")
	if err != nil {
		return err
	}
	object := filepath.Join(tmp, "main.a")
	// The flags are those that go build -x prints; the identity that it gives a program is read by nothing.
	err = exec.Command(r.Compile, "-o", object, "-trimpath", tmp+"=>", "-p", "main", "-lang="+r.Lang, "-complete", "-buildid", "cell",
		"-goversion", r.Version, "-c=2", "-dwarf=false", "-nolocalimports", "-importcfg", config, "-pack", "./main.go").Run()
	if err != nil {
		return err
	}
	// The marks around the information are those of cmd/go/internal/modload.
	fmt.Fprintf(&b, "packagefile main=%s\nmodinfo %q\n", object,
		"\x30\x77\xaf\x0c\x92\x74\x08\x02\x41\xe1\xc1\x07\xe6\xd6\x18\xe6"+r.Info+"\xf9\x32\x43\x31\x86\x18\x20\x72\x00\x82\x42\x10\x41\x16\xd8\xf2")
	if config, err = write("importcfg.link"); err != nil {
		return err
	}
	return exec.Command(r.Link, "-o", out, "-importcfg", config, "-buildmode=exe", "-buildid=cell", "-s", "-w", object).Run()
}

// listed is what go list says of a package.
type listed struct {
	ImportPath, Dir, Export string
	Standard                bool
	EmbedFiles              []string
	Module                  *struct{ Path, Dir, GoMod string }
	Error                   *struct{ Err string }
}

// record keeps a recipe of what the go command has just built as out, with what before knew.
func (c *cell) record(before *recipe, out string) {
	if os.MkdirAll(filepath.Dir(c.file), 0o755) != nil {
		return
	}
	tmp, err := os.CreateTemp(filepath.Dir(c.file), ".recipe-*")
	if err != nil {
		return // a cache folder that cannot be written
	}
	defer os.Remove(tmp.Name())
	defer tmp.Close()
	r, err := c.newRecipe(out)
	if err != nil {
		return
	}
	if before != nil {
		for path, file := range before.Packages {
			if r.Packages[path] == "" {
				r.Packages[path] = file
			}
		}
		for path, sum := range before.Folders {
			if r.Folders[path] == "" {
				r.Folders[path] = sum
			}
		}
	}
	if json.NewEncoder(tmp).Encode(r) == nil && tmp.Close() == nil {
		_ = os.Rename(tmp.Name(), c.file)
	}
}

// newRecipe asks the go command for everything that the program in out was made of.
func (c *cell) newRecipe(out string) (*recipe, error) {
	packages, err := c.list()
	if err != nil {
		return nil, err
	}
	r := &recipe{Packages: map[string]string{}, Folders: map[string]string{}}
	var paths []string
	for _, p := range packages {
		switch {
		case p.Error != nil:
			return nil, errors.New(p.Error.Err)
		case p.ImportPath == "unsafe" || p.Export == "":
			continue
		case p.Standard:
		case p.Module == nil:
			continue // the cell itself
		case p.Module.Path == Module: // the one module that is not immutable
			paths = append(paths, p.Dir, p.Module.GoMod, filepath.Join(p.Module.Dir, "go.sum"))
			for _, e := range p.EmbedFiles {
				paths = append(paths, filepath.Dir(filepath.Join(p.Dir, e)))
			}
		case !immutable(p.Module.Dir):
			return nil, errors.New("another module that may change: " + p.Module.Path)
		}
		r.Packages[p.ImportPath] = p.Export
	}
	for _, path := range paths {
		if r.Folders[path] == "" {
			if r.Folders[path], err = hash(path); err != nil {
				return nil, err
			}
		}
	}
	// What changed between the listing and the hashing shows as a difference of two listings.
	again, err := c.list()
	if err != nil {
		return nil, err
	}
	same := func(a, b listed) bool { return a.ImportPath == b.ImportPath && a.Export == b.Export }
	if !slices.EqualFunc(packages, again, same) {
		return nil, errors.New("the sources are being changed")
	}
	return r, r.tools(c.real, out)
}

// list is go list of the cell and all that it links.
func (c *cell) list() ([]listed, error) {
	out, err := exec.Command(c.real, "list", "-deps", "-export", "-json=ImportPath,Dir,Export,Standard,EmbedFiles,Module,Error", ".").Output()
	if err != nil {
		return nil, err
	}
	var all []listed
	for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
		var p listed
		if err := d.Decode(&p); err != nil {
			return nil, err
		}
		if p.Module != nil && strings.HasPrefix(p.Module.Path, "gonb_") {
			p.Module, p.Export = nil, ""
		}
		all = append(all, p)
	}
	return all, nil
}

// immutable reports whether dir is in a module cache: its path carries a version.
func immutable(dir string) bool { return strings.Contains(dir, "@v") }

// tools fills in what the go command knows of itself and has written into the program.
func (r *recipe) tools(real, out string) error {
	text, err := exec.Command(real, "env", "GOTOOLDIR", "GOVERSION").Output()
	if err != nil {
		return err
	}
	words := strings.Split(strings.TrimSpace(string(text)), "\n")
	if len(words) != 2 {
		return fmt.Errorf("go env said %q", text)
	}
	r.Compile, r.Link, r.Version = filepath.Join(words[0], "compile"), filepath.Join(words[0], "link"), words[1]
	mod, err := os.ReadFile("go.mod")
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(mod)) {
		if w := strings.Fields(line); len(w) == 2 && w[0] == "go" {
			r.Lang = "go" + strings.Join(strings.SplitN(w[1], ".", 3)[:2], ".")
		}
	}
	if r.Lang == "" || !strings.HasPrefix(r.Version+".", r.Lang+".") {
		return fmt.Errorf("language %q of %s: settings of an older Go would be needed", r.Lang, r.Version)
	}
	info, err := buildinfo.ReadFile(out)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(info.Settings, func(s debug.BuildSetting) bool { return s.Key == "DefaultGODEBUG" }) {
		return errors.New("settings of an older Go are needed")
	}
	info.GoVersion = "" // written beside it
	r.Info = info.String()
	return nil
}

// hash is a hash of a file, or of what a build could read in a folder: files but tests, names of folders.
func hash(path string) (string, error) {
	h := sha256.New()
	add := func(name, file string) error {
		content, err := os.ReadFile(file)
		fmt.Fprintf(h, "%d %d\n%s\n", len(name), len(content), name)
		h.Write(content)
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if !info.IsDir() {
		err = add("", path)
		return hex.EncodeToString(h.Sum(nil)), err
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return "", err
	}
	for _, e := range entries {
		switch {
		case e.IsDir(): // a new one may be embedded
			fmt.Fprintf(h, "%s/\n", e.Name())
		case !e.Type().IsRegular():
			return "", errors.New("not a file: " + e.Name())
		case !strings.HasSuffix(e.Name(), "_test.go"):
			if err := add(e.Name(), filepath.Join(path, e.Name())); err != nil {
				return "", err
			}
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
