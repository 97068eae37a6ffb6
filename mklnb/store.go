package mklnb

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/store"
	"github.com/mklnb/mkl/algos/study"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/mklnb/setup"
)

// modelExt ends the names of stored models.
const modelExt = ".mkl.json"

// formerEnd ends the name under which Save keeps the model that had a name before.
const formerEnd = ".former"

// Save keeps a model under a name, in the cache folder, for LoadModel in a later cell or on another
// day. To keep it in a file of your own, use m.Save(path). A name is not a path. All notebooks share
// the names: where another model has this one, a line says which, and under what name it is kept: as name.former, in
// the place of one of the same data, else as name.former2 and so on.
func Save(name string, m *model.Model) {
	path := Must(modelPath(name))
	if m == nil && stopped() {
		put(warning(fmt.Sprintf("Nothing to save as %q: the cell was stopped.", name)))
		return
	}
	Try(os.MkdirAll(filepath.Dir(path), 0o755))
	content := Must(m.Encode())
	another := Must(keepFormer(name, path, content))
	Try(store.WriteFile(path, content, 0o644))
	put(note(fmt.Sprintf("Saved as %q: %v.%s", name, m, another)))
}

// keepFormer copies the file of a model that is to be replaced by another one, next, and says what it held.
func keepFormer(name, path string, next []byte) (said string, err error) {
	was, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && bytes.Equal(was, next) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	what, former, place, instead := "", name+formerEnd, "", ""
	m, bad := model.Decode(was)
	if bad != nil {
		what = bad.Error()
	} else if what = m.String(); m.Note != "" {
		what += "; " + m.Note
	}
	for k := 2; ; k++ {
		if place, err = modelPath(former); err != nil {
			return "", err
		}
		before, err := model.Load(place)
		if errors.Is(err, fs.ErrNotExist) {
			break
		}
		if err == nil && bad == nil && before.Name == m.Name {
			instead = ", in the place of the one before it"
			break
		}
		former = fmt.Sprint(name, formerEnd, k)
	}
	return fmt.Sprintf(" Another model had this name, saved on %s (%s): it is kept as %q%s.",
		info.ModTime().Format(time.DateOnly), what, former, instead), store.WriteFile(place, was, 0o644)
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

// Score compares what m predicts for the points of d with its labels, classes matched by their names. A line
// says so where d has values that the file learned from does not have, or the points that m was learned from.
func Score(m *model.Model, d *data.Dataset) model.Score {
	if m == nil || d == nil {
		fail(errors.New("mklnb: score: want a model and a dataset"))
	}
	if d.Unseen != nil {
		for _, doubt := range d.Doubts {
			put(warning(d.Name + ": " + doubt))
		}
	}
	if seen, stored := study.SeenInTraining(m, d); seen > 0 && 2*seen >= min(stored, d.Len()) {
		put(warning(fmt.Sprintf("%s has %d of the %d training points that the model stores: the score is optimistic. "+
			"What Learn returned has the score on held-out points.", d.Name, seen, stored)))
	}
	if m.Classes != nil && d.Classes != nil {
		return Must(m.ScoreLabels(d.X, d.Labels()))
	}
	return Must(m.Score(d.X, d.AllY()))
}

// modelPath is the file of a model's name.
func modelPath(name string) (string, error) {
	if name == "" || name[0] == '.' || strings.ContainsAny(name, `/\:`) || filepath.Base(name) != name ||
		strings.ContainsFunc(name, func(r rune) bool { return r < ' ' }) {
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

// Cached returns what f returned the last time under this name, with these inputs and by the same code; else it calls f
// and keeps the value. The same code is: the declarations that f reaches in the cells, what stands before f in its
// cell, functions init, this module with notebooks/papers, and modules replaced by folders. Other cells do not
// matter. Inputs must hold all else that the value depends on: numbers, texts, slices of them, kernels, families,
// sets and the like (store.Key). T is plain data with exported fields, a *data.Dataset, a *study.Learned, or has such
// in it (store.Store.Put). After the stop button nothing is kept; where the cache folder cannot be written, a line
// says so. A program that does not find its sources as it was built from them keeps values for itself alone, as long
// as it is not built anew with changes.
//
//	f := nb.Cached("surface", []any{"sonar", lambda, 41}, func() [][]float64 { return surface(lambda) })
func Cached[T any](name string, inputs any, f func() T) T {
	if f == nil {
		fail(fmt.Errorf("mklnb: cached %q: no function to call", name))
	}
	s, key, err := valueKey(name, inputs, f)
	if err != nil {
		fail(err)
	}
	var v T
	if s.Get(key, &v) {
		return v
	}
	if v = f(); stopped() {
		return v
	}
	if err := s.Put(key, &v); errors.Is(err, store.ErrWrite) {
		put(note(fmt.Sprintf("%q is not kept for the next time: %v", name, err)))
	} else if err != nil {
		fail(fmt.Errorf("mklnb: keep %q: %w", name, err))
	}
	return v
}

// valueKey is where a cached value lies: the folder, and the name of its file.
func valueKey[T any](name string, inputs any, f func() T) (*store.Store, string, error) {
	if _, err := modelPath(name); err != nil {
		return nil, "", fmt.Errorf("mklnb: a value named %q: want a name without separators, not a path", name)
	}
	cache, err := setup.CacheDir()
	if err != nil {
		return nil, "", err
	}
	s, err := store.Open(filepath.Join(cache, "values"))
	if err != nil {
		return nil, "", err
	}
	key, err := store.FuncKey(f, fmt.Sprintf("%T", *new(T)), inputs)
	if err != nil {
		return nil, "", fmt.Errorf("mklnb: the inputs of %q: %w", name, err)
	}
	return s, name + "-" + key[:32], nil
}
