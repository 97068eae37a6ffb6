package mklnb

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/data/datasets"
)

// Load returns a dataset by name: see datasets.Load. datasets.List lists the embedded datasets; datasets.External lists
// the datasets whose file you import:
//
//	datasets.Import("parkinsons", "parkinsons.data") // once
//
// Open reads your own file.
func Load(name string) *data.Dataset {
	d, err := datasets.Load(name)
	if err != nil && looksLikePath(name) {
		err = fmt.Errorf("%w; a file is read by nb.Open(%q)", err, name)
	}
	return Must(d, err)
}

// looksLikePath reports whether a file with this name exists, or the name has an extension or a separator of paths.
func looksLikePath(name string) bool {
	_, err := os.Stat(name)
	return err == nil || filepath.Ext(name) != "" || strings.ContainsAny(name, `/\`)
}

// Open reads a dataset from a file: see data.Open. It takes at most one data.Options:
//
//	d := nb.Open("my.csv", data.Options{Label: "sick", Missing: data.Drop})
//
// Targets names several numbers to predict, with one kernel for all:
//
//	d := nb.Open("club.csv", data.Options{Targets: []string{"weight", "waist", "pulse"}})
//
// Other readers are data.Options.OpenGrams for Gram matrices, data.Options.OpenSimilarities for similarities, data.Join
// for several files of the same points, and data.Options.OpenMatrix for other matrices. A new file in the form of an
// earlier one is opened by d.Encoding.Open, or predicted by PredictFile of the model.
func Open(path string, options ...data.Options) *data.Dataset {
	if len(options) > 1 {
		fail(fmt.Errorf("mklnb: open %s: got %d data.Options; pass one with all fields", path, len(options)))
	}
	o := data.Options{}
	if len(options) == 1 {
		o = options[0]
	}
	d, err := o.Open(path)
	e := &data.OptionsError{Options: o}
	if errors.As(err, &e) && !reflect.DeepEqual(e.Options, o) ||
		err != nil && len(options) == 0 && strings.Contains(err.Error(), "Options.") {
		if e.Options.Label == "" && e.Options.Targets == nil && !e.Options.Unlabeled {
			e.Options.Label = "…"
		}
		err = fmt.Errorf("%w; set options as in nb.Open(%q, %#v)", err, path, e.Options)
	}
	return Must(d, err)
}

// Split divides d at random into training points and test points: see fit.SplitData.
//
//	train, test := nb.Split(d, 0.25, 1)
//	nb.Show(nb.Score(nb.Learn(train).Model, test))
func Split(d *data.Dataset, fraction float64, seed uint64) (train, test *data.Dataset) {
	train, test, err := fit.SplitData(d, fraction, seed)
	return Must(train, err), test
}

// ScoreFile scores m on a file with labels. The file is read like the file that m was learned from: columns are matched
// by name, and labels are matched to the same classes. A model of several files (data.Join) takes as many files. A
// model of Gram matrices or similarities takes one matrix for each training matrix, then a file of labels:
//
//	nb.Show(nb.ScoreFile(nb.LoadModel("plants"), "test.csv"))
//	nb.Show(nb.ScoreFile(nb.LoadModel("pages"), "text_test.npy", "image_test.npy", "y_test.csv"))
func ScoreFile(m *model.Model, paths ...string) model.Score {
	if m == nil {
		fail(errors.New("mklnb: score: the model is nil; pass a model, such as nb.LoadModel(name)"))
	}
	e := m.Input
	if e == nil {
		fail(errors.New("mklnb: score: the model was not learned on a file: use nb.Score with a dataset"))
	}
	d := Must(e.Open(paths...))
	if d.Y == nil {
		advice := fmt.Sprintf("add the column %q, as in the training file", e.Label)
		switch {
		case e.Grams != nil:
			advice = "pass the file of labels after the matrices"
		case e.Parts != nil:
			advice = "add the column of labels, as in the training files"
		case e.Label == "":
			advice = "add labels, as in the training file"
		}
		fail(fmt.Errorf("mklnb: score: %s has no labels: %s", strings.Join(paths, ", "), advice))
	}
	return Score(m, d)
}

// Size returns one of three sizes of a computation, chosen by the environment variable MKL_SIZE. If MKL_SIZE is
// "small", Size returns small, for a test. If it is "default" or not set, Size returns standard, for a reader who
// waits. If it is "full", Size returns full, for the protocol of a paper.
//
//	var splits = nb.Size(2, 10, 30)
func Size[T any](small, standard, full T) T {
	switch size := os.Getenv("MKL_SIZE"); size {
	case "small":
		return small
	case "", "default":
		return standard
	case "full":
		return full
	default:
		fail(fmt.Errorf("mklnb: MKL_SIZE=%q is unknown; use small, default or full", size))
		return standard
	}
}
