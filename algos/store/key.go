package store

import (
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"github.com/mklnb/mkl/algos/registry"
	"github.com/mklnb/mkl/data/sha256"
)

// Key is the sha256 of its parts and of the code, in hexadecimal: the name of a result in a Store.
// Parts are values of registered types, strings, numbers, slices of these ([]string, []int,
// []float64, [][]float64, []any), and nil; equal parts give equal keys in every program. A part of another type,
// or with a function in it, is an error: such a part cannot be told from another.
//
// The code is CodeVersion and, for each type of a part that another module declares, the version of
// that module; where a module has none (a checkout, a notebook cell), the program itself.
func Key(parts ...any) (string, error) { return key(versionOf, parts) }

func key(version func(pkg string) (string, error), parts []any) (string, error) {
	b, err := registry.Marshal(parts)
	if err != nil {
		return "", fmt.Errorf("store: %w", err)
	}
	code, err := CodeVersion()
	if err != nil {
		return "", err
	}
	h := sha256.New()
	pieces(h, code)
	packages, err := registry.Packages(parts)
	if err != nil {
		return "", fmt.Errorf("store: %w", err)
	}
	for _, p := range packages {
		if v, err := version(p); err != nil {
			return "", err
		} else if v != code {
			pieces(h, p, v)
		}
	}
	pieces(h, string(b))
	return hex.EncodeToString(h.Sum(nil)), nil
}

// module is the path of this module.
const module = "github.com/mklnb/mkl"

// CodeVersion names the code of this module: its version where the program was built with a released
// one; where it is built from a checkout, the sha256 of the .go files of algos and data, tests apart, and of go.sum;
// where those are not there any more, the sha256 of the program.
var CodeVersion = sync.OnceValues(func() (string, error) {
	if v := released(module); v != "" {
		return v, nil
	}
	if _, file, _, ok := runtime.Caller(0); ok {
		root := filepath.Join(filepath.Dir(file), "..", "..")
		if v, err := sources(os.DirFS(root), "algos", "data", "go.sum"); err == nil {
			return v, nil
		}
	}
	return program()
})

// versionOf names the code of a package that declares a type.
func versionOf(pkg string) (string, error) {
	for _, covered := range []string{module + "/algos/", module + "/data/"} {
		if strings.HasPrefix(pkg+"/", covered) {
			return CodeVersion()
		}
	}
	if v := released(pkg); v != "" {
		return v, nil
	}
	return program()
}

// released is the version of the module that holds a package where the program was built with that
// module as published, else "".
func released(pkg string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	return releasedIn(info, pkg)
}

func releasedIn(info *debug.BuildInfo, pkg string) string {
	var holds *debug.Module
	for _, m := range append([]*debug.Module{&info.Main}, info.Deps...) {
		if strings.HasPrefix(pkg+"/", m.Path+"/") && (holds == nil || len(m.Path) > len(holds.Path)) {
			holds = m
		}
	}
	if holds == nil || holds.Replace != nil || holds.Sum == "" {
		return ""
	}
	return holds.Version + " " + holds.Sum
}

// program is the sha256 of the program.
var program = sync.OnceValues(func() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("store: %w", err)
	}
	f, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("store: %w", err)
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", fmt.Errorf("store: %w", err)
	}
	return "program " + hex.EncodeToString(h.Sum(nil)), nil
})

// sources is the sha256 of the .go files below some folders, tests apart, and of go.sum where that is one of
// them: other versions of gonum give other numbers.
func sources(root fs.FS, folders ...string) (string, error) {
	h, n := sha256.New(), 0
	for _, folder := range slices.Sorted(slices.Values(folders)) {
		err := fs.WalkDir(root, folder, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || path != "go.sum" && (!strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go")) {
				return err
			}
			b, err := fs.ReadFile(root, path)
			pieces(h, path, string(b))
			n++
			return err
		})
		if err != nil {
			return "", err
		}
	}
	if n == 0 {
		return "", errors.New("store: no sources")
	}
	return "sources " + hex.EncodeToString(h.Sum(nil)), nil
}

// pieces hashes texts, each after its length, so that "ab", "c" and "a", "bc" differ.
func pieces(h hash.Hash, parts ...string) {
	for _, p := range parts {
		fmt.Fprintf(h, "%d %s\n", len(p), p)
	}
}
