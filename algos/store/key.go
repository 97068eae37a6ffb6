package store

import (
	"bytes"
	"cmp"
	"fmt"
	"go/version"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/mklnb/mkl/algos/registry"
)

// Numbers is the state of the numbers that this library computes. Every key depends on it. Raise it if a change of the
// code changes a number in a result; TestNumbers of package compare fails until then.
const Numbers = 2

// module is the path of this module. gonum is the version of the module gonum.org/v1/gonum that its go.mod requires.
const (
	module = "github.com/mklnb/mkl"
	gonum  = "v0.17.0"
)

// Key returns the name of a result in a Store: the SHA-256, in hexadecimal, of the parts and of what computes with
// them. Parts are values of registered types, strings, numbers, slices of these ([]string, []int, []float64,
// [][]float64, []any), and nil. Equal parts give equal keys in every program. A part of another type, or with a
// function in it, is an error.
//
// Numbers, the release of Go, the version of gonum and the kind of processor for which the program was built represent
// the code. If a part contains a type that a program declares itself, the key also depends on the bytes of the program.
func Key(parts ...any) (string, error) {
	content, err := registry.Marshal(parts)
	if err != nil {
		return "", fmt.Errorf("store: %w", err)
	}
	texts := []string{build(), string(content)}
	for _, name := range registry.Names() {
		if file := registry.RegisteringFile(name); file != "" && !isLibraryType(name, file) && // "": a type of Go
			bytes.Contains(content, []byte(`{"type":"`+name+`"`)) {
			programHash, err := executableHash()
			if err != nil {
				return "", err
			}
			texts = append(texts, programHash)
			break
		}
	}
	return hashTexts(texts...), nil
}

// isLibraryType reports whether the type of this name belongs to this library, for whose code Numbers stands. file is
// the source file that registered the type.
func isLibraryType(name, file string) bool {
	name = strings.TrimPrefix(name, "*")
	inLibrary := strings.HasPrefix(name, module+"/algos/") || strings.HasPrefix(name, module+"/data.")
	return inLibrary && !strings.Contains(name, "[") && !strings.HasSuffix(file, "_test.go")
}

// build describes this program.
var build = sync.OnceValue(func() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return describe(info)
})

// describe returns a text that differs between builds whose numbers may differ: Numbers, the release of Go, the
// processor with its level such as GOAMD64=v3, and the version of gonum if it is not the one that this module requires.
// The required version is left out, because the build information of tests lists no modules.
func describe(info *debug.BuildInfo) string {
	text := fmt.Sprintf("%d %s %s", Numbers, version.Lang(runtime.Version()), runtime.GOARCH)
	for _, s := range info.Settings {
		if s.Key == "GO"+strings.ToUpper(runtime.GOARCH) {
			text += " " + s.Value
		}
	}
	for _, m := range info.Deps {
		if m.Path == "gonum.org/v1/gonum" && (m.Version != gonum || m.Replace != nil) {
			m = cmp.Or(m.Replace, m)
			text += fmt.Sprintf(" %s %s %s", m.Path, m.Version, m.Sum)
		}
	}
	return text
}

// executableHash returns the hash of the bytes of this program.
var executableHash = sync.OnceValues(func() (string, error) {
	name, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("store: %w", err)
	}
	content, err := os.ReadFile(name)
	if err != nil {
		return "", fmt.Errorf("store: %w", err)
	}
	return hashTexts(string(content)), nil
})
