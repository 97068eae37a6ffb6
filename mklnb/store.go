package mklnb

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/store"
	"github.com/mklnb/mkl/data"
)

// modelExt is the extension of the files of stored models.
const modelExt = ".mkl.json"

// SaveOption changes what Save does.
type SaveOption int

// Replace lets Save replace another model of the same name.
const Replace SaveOption = 1

// Save stores a model under a name, for LoadModel in a later cell or on another day. The names are those of the working
// folder, which is that of the notebook; the files are in the user's folder of configurations, or in MKL_MODELS. To
// store a model in a file of your own, use m.Save(path). A name is not a path. Save ends the cell with an error if
// another model has this name, unless Replace is among the options. The model of a stopped cell never replaces another.
func Save(name string, m *model.Model, options ...SaveOption) {
	path := Must(modelPath(name))
	if m == nil && isStopped() {
		showPage(warningPage(fmt.Sprintf("Nothing to save as %q: the cell was stopped.", name)))
		return
	}
	replacedNote := ""
	var content bytes.Buffer
	Try(m.Write(&content))
	if oldContent, err := os.ReadFile(path); err == nil && !bytes.Equal(oldContent, content.Bytes()) {
		if isStopped() {
			fail(fmt.Errorf("mklnb: the cell was stopped, and its model does not replace the model %q; run it again",
				name))
		}
		if !slices.Contains(options, Replace) {
			fail(fmt.Errorf("mklnb: another model was saved as %q; use another name, or nb.Save(%q, m, nb.Replace)",
				name, name))
		}
		replacedNote = " It replaces another model."
	}
	Try(os.MkdirAll(filepath.Dir(path), 0o755))
	Try(store.WriteFile(path, content.Bytes(), 0o644))
	showPage(notePage(fmt.Sprintf("Saved as %q: %v.%s In the notebooks of this folder, nb.LoadModel(%q) reads it.",
		name, m, replacedNote, name)))
}

// LoadModel returns the model that Save stored under a name.
func LoadModel(name string) *model.Model {
	path := Must(modelPath(name))
	m, err := model.Load(path)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("mklnb: no model was saved as %q%s", name, savedNames(filepath.Dir(path)))
	}
	return Must(m, err)
}

// Score compares the predictions of m for the points of d with the labels of d: see model.Model.Score. Score
// warns if d has nominal values that did not occur in the training file. Show warns if d contains training points.
func Score(m *model.Model, d *data.Dataset) model.Score {
	if m == nil || d == nil {
		fail(errors.New("mklnb: score: the model or the dataset is nil; pass a model and a dataset"))
	}
	if d.UnseenValues != nil {
		for _, doubt := range d.Doubts {
			showPage(warningPage(d.Name + ": " + doubt))
		}
	}
	return Must(m.Score(d))
}

func modelPath(name string) (string, error) {
	if name == "" || name[0] == '.' || strings.ContainsAny(name, `/\:`) || filepath.Base(name) != name ||
		strings.ContainsFunc(name, func(r rune) bool { return r < ' ' }) {
		return "", fmt.Errorf("mklnb: %q cannot name a model; use a name, not a path, without a leading dot", name)
	}
	folder, err := os.Getwd()
	root := os.Getenv("MKL_MODELS")
	if err == nil && root == "" {
		root, err = os.UserConfigDir()
		root = filepath.Join(root, "mkl", "models")
	}
	if err != nil {
		return "", fmt.Errorf("mklnb: no folder for models is known: %w; set MKL_MODELS", err)
	}
	return filepath.Join(root, fmt.Sprintf("%s-%.4x", filepath.Base(folder), sha256.Sum256([]byte(folder))),
		name+modelExt), nil
}

// savedNames lists at most ten names of stored models.
func savedNames(dir string) string {
	modelFiles, _ := filepath.Glob(filepath.Join(dir, "*"+modelExt))
	if len(modelFiles) == 0 {
		return "; no model is saved yet: use nb.Save"
	}
	var names []string
	for _, f := range modelFiles[:min(len(modelFiles), 10)] {
		names = append(names, strings.TrimSuffix(filepath.Base(f), modelExt))
	}
	return "; the saved models are " + strings.Join(names, ", ")
}
