package mklnb

import (
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"
	"hash"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/mklnb/setup"
)

// modelExt ends the names of stored models.
const modelExt = ".mkl.json"

// Save keeps a model under a name, in the cache folder, for LoadModel in a later cell or on another
// day. To keep it in a file of your own, use m.Save(path). A name is not a path.
func Save(name string, m *model.Model) {
	path := Must(modelPath(name))
	if m == nil && stopped() {
		put(loud(fmt.Sprintf("Nothing to save as %q: the cell was stopped.", name)))
		return
	}
	Try(os.MkdirAll(filepath.Dir(path), 0o755))
	Try(m.Save(path))
	put(note(fmt.Sprintf("Saved as %q: %v.", name, m)))
}

// LoadModel returns the model that Save kept under a name.
func LoadModel(name string) *model.Model {
	path := Must(modelPath(name))
	m, err := model.Load(path)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("mklnb: no model was saved as %q%s", name, savedNames(filepath.Dir(path)))
	}
	return Must(m, err)
}

// modelPath is the file of a model's name.
func modelPath(name string) (string, error) {
	if name == "" || name[0] == '.' || strings.ContainsAny(name, `/\:`) || filepath.Base(name) != name || strings.ContainsFunc(name, func(r rune) bool { return r < ' ' }) {
		return "", fmt.Errorf("mklnb: a model named %q: want a name without separators, not a path", name)
	}
	cache, err := setup.CacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(cache, "models", name+modelExt), nil
}

// savedNames says which models there are.
func savedNames(dir string) string {
	files, _ := filepath.Glob(filepath.Join(dir, "*"+modelExt))
	if len(files) == 0 {
		return "; none is saved yet (nb.Save)"
	}
	var names []string
	for _, f := range files[:min(len(files), 10)] {
		names = append(names, strings.TrimSuffix(filepath.Base(f), modelExt))
	}
	return "; saved are " + strings.Join(names, ", ")
}

// Cached returns what f returned the last time it was asked for under this name with these inputs,
// on this version of the module; else it calls f and keeps the value for the next time. Inputs must
// hold all that the value depends on, also a number that is raised with f's own code; they are
// compared as %#v prints them, so give values, not pointers. A file that is damaged is computed
// anew. T is plain data with exported fields, as encoding/gob takes it. After the stop button
// nothing is kept.
//
//	f := nb.Cached("surface", []any{"sonar", lambda, 41}, func() [][]float64 { return surface(lambda) })
func Cached[T any](name string, inputs any, f func() T) T {
	path, err := valuePath[T](name, inputs)
	if err != nil {
		fail(err)
	}
	if b, err := os.ReadFile(path); err == nil {
		var v T
		if body, ok := sealed(b); ok && gob.NewDecoder(bytes.NewReader(body)).Decode(&v) == nil {
			return v
		}
	}
	v := f()
	if stopped() {
		return v
	}
	var body bytes.Buffer
	if err := gob.NewEncoder(&body).Encode(v); err != nil {
		fail(fmt.Errorf("mklnb: keep %q: %w", name, err))
	}
	if err := writeWhole(path, seal(body.Bytes())); err != nil {
		fail(fmt.Errorf("mklnb: keep %q: %w", name, err))
	}
	return v
}

// valuePath is the file of a cached value.
func valuePath[T any](name string, inputs any) (string, error) {
	if _, err := modelPath(name); err != nil {
		return "", fmt.Errorf("mklnb: a value named %q: want a name without separators, not a path", name)
	}
	cache, err := setup.CacheDir()
	if err != nil {
		return "", err
	}
	code, err := codeVersion()
	if err != nil {
		return "", err
	}
	h := fnv.New128a()
	for _, part := range []string{code, fmt.Sprintf("%T", *new(T)), fmt.Sprintf("%#v", inputs)} {
		piece(h, part)
	}
	return filepath.Join(cache, "values", fmt.Sprintf("%s-%x", name, h.Sum(nil))), nil
}

// piece takes one piece in, its length before it.
func piece(h hash.Hash, part string) { fmt.Fprintf(h, "%d %s\n", len(part), part) }

// seal puts a checksum before a body, and sealed takes it off if it is right.
func seal(body []byte) []byte { return append(sum(body), body...) }

func sealed(b []byte) ([]byte, bool) {
	n := len(sum(nil))
	if len(b) < n || !bytes.Equal(b[:n], sum(b[n:])) {
		return nil, false
	}
	return b[n:], true
}

func sum(body []byte) []byte {
	h := fnv.New128a()
	h.Write(body)
	return h.Sum(nil)
}

// writeWhole writes a file by way of another that is renamed.
func writeWhole(path string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	t, err := os.CreateTemp(filepath.Dir(path), ".value-*.tmp")
	if err != nil {
		return err
	}
	defer os.Remove(t.Name()) // gone already, unless something fails
	_, err = t.Write(content)
	if err = errors.Join(err, t.Close()); err != nil {
		return err
	}
	return os.Rename(t.Name(), path)
}

// codeVersion names the code of this module: its version where it was built as a module of one, else
// a hash of the .go files of algos and data.
var codeVersion = sync.OnceValues(func() (string, error) {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range append([]*debug.Module{&info.Main}, info.Deps...) {
			if m.Path == "github.com/mklnb/mkl" && m.Replace == nil && m.Sum != "" {
				return m.Version + " " + m.Sum, nil
			}
		}
	}
	root, err := setup.Root()
	if err != nil {
		return "", err
	}
	h := fnv.New128a()
	for _, top := range []string{"algos", "data"} {
		err := filepath.WalkDir(filepath.Join(root, top), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			b, err := os.ReadFile(path)
			piece(h, strings.TrimPrefix(path, root))
			piece(h, string(b))
			return err
		})
		if err != nil {
			return "", fmt.Errorf("mklnb: the sources of this module: %w", err)
		}
	}
	return fmt.Sprintf("sources %x", h.Sum(nil)), nil
})
