package store

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"go/version"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"github.com/mklnb/mkl/algos"
	"github.com/mklnb/mkl/algos/registry"
)

// module is the path of this module. gonum is the version of the module gonum.org/v1/gonum that its go.mod requires.
const (
	module = "github.com/mklnb/mkl"
	gonum  = "v0.17.0"
)

// Key returns the name of a result in a Store: the SHA-256, in hexadecimal, of the parts and of the code that computes
// with them. Parts are values of registered types, strings, numbers, slices of these ([]string, []int, []float64,
// [][]float64, []any), and nil. Equal parts give equal keys in every program. A part of another type, or with a
// function in it, is an error.
//
// A hash of the sources of the library represents the code. If a part contains a type that a program declares itself,
// the key also depends on the sources of that program: see the package comment.
func Key(parts ...any) (string, error) {
	content, err := registry.Marshal(parts)
	if err != nil {
		return "", fmt.Errorf("store: %w", err)
	}
	libraryHash, err := fingerprint()
	if err != nil {
		return "", err
	}
	texts := []string{libraryHash, string(content)}
	for _, name := range registry.Names() {
		file := registry.RegisteringFile(name)
		if file == "" || isLibraryType(name, file) || !bytes.Contains(content, []byte(`{"type":"`+name+`"`)) {
			continue // file is "" for the types of Go itself
		}
		programHash, err := hashProgramSources(file)
		if err != nil { // its sources are missing or incomplete: the hash of the whole program replaces theirs
			programHash, err = executableHash()
		}
		if err != nil {
			return "", err
		}
		texts = append(texts, programHash)
	}
	return hashTexts(texts...), nil
}

// isLibraryType reports whether the type of this name belongs to this library, whose sources the result of fingerprint
// covers. file is the source file that registered the type.
func isLibraryType(name, file string) bool {
	name = strings.TrimPrefix(name, "*")
	inLibrary := strings.HasPrefix(name, module+"/algos/") || strings.HasPrefix(name, module+"/data.")
	return inLibrary && !strings.Contains(name, "[") && !strings.HasSuffix(file, "_test.go")
}

// sources holds the embedded source files of the library by folder.
var sources = map[string]fs.FS{"algos": algos.Sources}

// AddSources adds the embedded source files of a folder of this module to the fingerprint. Call it only in init
// functions.
func AddSources(folder string, files fs.FS) { sources[folder] = files }

// fingerprint returns a hash of the code of the library: of its embedded source files, the release of Go, and the
// version of gonum if it is not the version that this module requires. The required version does not enter the hash, so
// that tests, whose build information lists no modules, have the same fingerprint as programs.
var fingerprint = sync.OnceValues(func() (string, error) {
	texts := []string{version.Lang(runtime.Version())}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if m.Path == "gonum.org/v1/gonum" && (m.Version != gonum || m.Replace != nil) {
				if m = cmp.Or(m.Replace, m); m.Sum == "" {
					return executableHash()
				}
				texts = append(texts, m.Path, m.Version, m.Sum)
			}
		}
	}
	for _, folder := range slices.Sorted(maps.Keys(sources)) {
		err := fs.WalkDir(sources[folder], ".", func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			content, err := fs.ReadFile(sources[folder], name)
			texts = append(texts, folder, name, string(content))
			return err
		})
		if err != nil {
			return "", fmt.Errorf("store: %w", err)
		}
	}
	return hashTexts(texts...), nil
})

// hashProgramSources returns the hash of the source files in the folder of file, and of the versions of all modules. It
// returns an error if the program has other code than these files, the packages of this module outside notebooks, and
// modules with versions. It also returns an error if one of these files is newer than the program.
func hashProgramSources(file string) (string, error) {
	errUnknown := errors.New("store: the sources of this program are unknown")
	info, ok := debug.ReadBuildInfo()
	names, _ := filepath.Glob(filepath.Join(filepath.Dir(file), "*.*"))
	name, _ := os.Executable()
	executableInfo, err := os.Stat(name)
	if err != nil || !ok || !filepath.IsAbs(file) || !slices.Contains(names, file) ||
		strings.HasSuffix(file, "_test.go") {
		return "", errUnknown
	}
	var texts []string
	for _, m := range info.Deps {
		if r := cmp.Or(m.Replace, m); r.Sum != "" {
			texts = append(texts, m.Path, r.Path, r.Version, r.Sum)
		} else if m.Path != module {
			return "", errUnknown
		}
	}
	// A source file that contains one of these texts uses code in other files.
	markersOfUnhashedCode := []string{"//go:embed", `import "C"`, module + "/notebooks/"}
	if info.Main.Path != module {
		markersOfUnhashedCode = append(markersOfUnhashedCode, info.Main.Path+"/")
	}
	for _, name := range names {
		if ext := filepath.Ext(name); ext != ".go" && ext != ".s" || strings.HasSuffix(name, "_test.go") {
			continue
		}
		sourceInfo, err := os.Stat(name)
		content, readErr := os.ReadFile(name)
		isInContent := func(s string) bool { return strings.Contains(string(content), s) }
		if err != nil || readErr != nil || sourceInfo.ModTime().After(executableInfo.ModTime()) ||
			slices.ContainsFunc(markersOfUnhashedCode, isInContent) {
			return "", errUnknown
		}
		texts = append(texts, filepath.Base(name), string(content))
	}
	return hashTexts(texts...), nil
}

// executableHash returns the hash of the bytes of this program.
var executableHash = sync.OnceValues(func() (string, error) {
	var content []byte
	name, err := os.Executable()
	if err == nil {
		content, err = os.ReadFile(name)
	}
	if err != nil {
		return "", fmt.Errorf("store: %w", err)
	}
	return "executable " + hashTexts(string(content)), nil
})
