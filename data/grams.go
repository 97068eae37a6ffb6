package data

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data/internal/sheet"
)

// OpenGrams reads points that are given by Gram matrices only. Each file, CSV or NPY, holds one matrix of n rows and n
// columns and becomes one base kernel (Dataset.Kernels), named after the file. learn.Learn learns weights of these
// kernels.
//
// Options.LabelFile names the file of the n labels: an NPY file, a CSV file with one label a line (with or without a
// name on the first line), or a CSV file with a column of labels (Options.Label) and a column of groups
// (Options.Group).
//
// A matrix that is not square, not symmetric or not positive semidefinite is an error (see OpenSimilarities), and so
// are matrices of different sizes. If a matrix from an NPY file of float32 is not positive semidefinite only because of
// rounding, it is repaired (kernel.Precomputed.RepairRounding) and Dataset.Preparation reports it. All other numbers
// are taken as exact, except that a number between −1e-100 and 1e-100 is read as 0.
//
// A CSV file may have names of the points in its first line, its first column, or both, as pandas and R write them.
// Names are matched between the lines and columns of all files, with the file of labels (its first column if that has
// no name, Options.Key, or a column that holds the same names), and with files of new points. They become Dataset.Keys.
// Files without names have the points in the same order. So have files with the names 0, 1, 2, … or 1, 2, 3, …; the
// same names in another order in another file are an error, because they may be names or positions.
//
//	d := data.Options{LabelFile: "y.csv"}.OpenGrams("text.npy", "image.npy")
//	l := nb.Learn(d)
//	l.Model.PredictFile("text_test.npy", "image_test.npy")
//	nb.Show(nb.ScoreFile(l.Model, "text_test.npy", "image_test.npy", "y_test.csv"))
//
// New points need one file for each matrix, in the same order: a row for each new point, a column for each training
// point, in the order of the training points or with their names. The order of the files is free if their names tell
// which matrix each belongs to: apart from the words that all files have, and that all matrices have, the words of the
// names are the same, as in text_test.npy and image_test.npy for text.npy and image.npy.
func (o Options) OpenGrams(paths ...string) (*Dataset, error) {
	return prefixError(o.openSquareMatrices(paths, "kernel values", func(r *datasetBuilder, m matrix) error {
		k, δ, err := kernel.Precomputed{Name: m.name, N: m.x.N, Data: m.x.Data}.RepairRounding(m.roundoff)
		if errors.Is(err, kernel.ErrNotPSD) {
			err = fmt.Errorf("%w; use OpenSimilarities for matrices that are not valid kernels", err)
		}
		if δ > 0 {
			r.notes = append(r.notes, fmt.Sprintf("the diagonal of %s raised by %.2g to compensate the rounding to "+
				"float32", m.name, δ))
		}
		r.Kernels = append(r.Kernels, k)
		return err
	}))
}

// openSquareMatrices reads one square matrix from each file and calls add with it. Then it adds the labels in the file
// Options.LabelFile. The points become indices of rows of the matrices. valueNoun names the numbers in messages, for
// example "similarities".
func (o Options) openSquareMatrices(paths []string, valueNoun string,
	add func(r *datasetBuilder, m matrix) error) (*Dataset, error) {
	if err := o.validateSquareMatrices(paths); err != nil {
		return nil, err
	}
	matrices, err := o.openMatrices(paths, true)
	if err != nil {
		return nil, err
	}
	n := matrices[0].x.N
	e := &Encoding{Options: o, FeatureCount: n}
	r := datasetBuilder{Dataset: Dataset{X: points.AllIndices(n), Encoding: e, Source: describeSource(paths)},
		o: &job{Options: o}, notes: []string{fmt.Sprintf("%s of %s in %s", valueNoun, sheet.Count(n, "point"),
			sheet.Count(len(paths), "file"))}}
	for k, m := range matrices {
		switch {
		case m.x.N != m.x.D:
			err = fmt.Errorf("%s and %s of numbers; the matrix must be square, with one number for each two points",
				sheet.Count(m.x.N, "row"), sheet.Count(m.x.D, "column"))
		case slices.Contains(e.Grams, m.name):
			err = fmt.Errorf("two matrices are named %s; rename one of the files", m.name)
		default:
			err = add(&r, m)
		}
		if err != nil {
			return nil, fileError(paths[k], err)
		}
		if m.roundedToZeroCount > 0 {
			r.notes = append(r.notes, fmt.Sprintf("%s of %s with magnitudes below 1e-100 read as 0",
				sheet.Count(m.roundedToZeroCount, "number"), m.name))
		}
		if !slices.ContainsFunc(m.x.Data, func(v float64) bool { return v != 0 }) {
			r.Doubts = append(r.Doubts, fmt.Sprintf("all numbers of %s are 0, so it carries no information", m.name))
		}
		e.Grams = append(e.Grams, m.name)
	}
	r.o.Name = cmp.Or(o.Name, strings.Join(e.Grams, " + "))
	r.Keys = namesOfPoints(matrices)
	for _, m := range matrices {
		if !areSerialNumbers(r.Keys) && (m.rowNames == nil || areSerialNumbers(m.rowNames)) {
			r.notes = append(r.notes, m.name+" has no names of points, so their order is that of the other files")
		}
	}
	if o.LabelFile != "" {
		if err := r.addLabels(o.LabelFile); err != nil {
			return nil, err
		}
		e.Label = r.targets[0].name
	}
	if e.Names = r.Keys; areSerialNumbers(r.Keys) {
		r.Keys = nil
	}
	e.Options.LabelFile = ""
	return r.finishDataset()
}

// describeSource returns the text of Dataset.Source: the names of the files at paths.
func describeSource(paths []string) string {
	names := make([]string, len(paths))
	for k, path := range paths {
		names[k] = filepath.Base(path)
	}
	if len(names) == 1 {
		return "file " + names[0]
	}
	return "files " + strings.Join(names, ", ")
}

// matrixOptions returns the format of the file at path and, for CSV, the options of o for header, cells and numbers.
func (o Options) matrixOptions(path string) Options {
	m := Options{}.withFormatOf(path)
	if m.Format == CSV {
		m.Decimal, m.Thousands, m.Header, m.MissingMarkers = o.Decimal, o.Thousands, o.Header, o.MissingMarkers
		m.Comma = cmp.Or(o.Comma, m.Comma)
		m.Comment, m.SkipRows, m.SkipFooter = o.Comment, o.SkipRows, o.SkipFooter
	}
	return m
}

// validateSquareMatrices returns an error if paths is empty, or if an option does not apply to points that are given by
// the matrices in these files.
func (o Options) validateSquareMatrices(paths []string) error {
	if len(paths) == 0 {
		return errors.New("no matrix to open; pass one file or more")
	}
	if o.LabelFile == "" && !o.Unlabeled {
		return fileError(paths[0], errors.New("a matrix holds no labels: set Options.LabelFile to the file of labels, "+
			"or Options.Unlabeled if there are none"))
	}
	r := npySquareMatrices
	for _, path := range append(slices.Clone(paths), o.LabelFile) {
		if (Options{}).withFormatOf(path).Format == CSV {
			r = csvSquareMatrices
		}
	}
	return o.validate(r)
}

// openMatricesOfNewPoints reads new points that are given by kernel values or similarities: one matrix for each
// training matrix, with a row for each new point and a column for each training point. Unless unlabeled is set, one
// more file may follow, with the labels of the new points.
func (e *Encoding) openMatricesOfNewPoints(paths []string, unlabeled bool) (*Dataset, error) {
	labelPath := ""
	if k := len(e.Grams); !unlabeled && len(paths) == k+1 {
		labelPath, paths = paths[k], paths[:k]
	}
	if len(paths) != len(e.Grams) {
		return nil, fmt.Errorf("got %s; pass %d matrices of new points × training points, one for each of "+
			"%s; to score, pass the file of labels after these", sheet.Count(len(paths), "file"), len(e.Grams),
			strings.Join(e.Grams, ", "))
	}
	paths, _ = MatchFiles(paths, e.Grams)
	o := e.Options
	if o.Header == HeaderYes {
		o.Header = HeaderAuto // files of new points may lack the header of the training files
	}
	list, err := o.openMatrices(paths, false)
	if err != nil {
		return nil, err
	}
	x := points.KernelRows{N: e.FeatureCount, Names: slices.Clone(e.Grams)}
	for k, m := range list {
		if m.x.D != e.FeatureCount {
			return nil, fileError(paths[k], fmt.Errorf("got %d columns; give %d, one for each training point", m.x.D,
				e.FeatureCount))
		}
		if err := m.orderColumns(e.Names); err != nil {
			return nil, fileError(paths[k], err)
		}
		x.Data = append(x.Data, m.x.Data)
	}
	r := datasetBuilder{Dataset: Dataset{X: x, Keys: namesOfPoints(list), Source: describeSource(paths)},
		o: &job{Options: e.Options, training: e}}
	r.o.Name = baseName(paths[0])
	if labelPath != "" {
		if r.o.Group != "" && r.o.Targets == nil {
			r.o.Label = e.Label // the file may lack the groups
		}
		if err := r.addLabels(labelPath); err != nil {
			return nil, err
		}
	}
	if areSerialNumbers(r.Keys) {
		r.Keys = nil
	}
	return r.finishDataset()
}

// MatchFiles returns the paths of files in the order of the names of matrices or datasets, if the names of the files
// tell which of these each belongs to: see OpenGrams. Otherwise it returns the paths as they are, and false.
func MatchFiles(paths, names []string) (ordered []string, isMatched bool) {
	fileNames := make([]string, len(paths))
	for k, path := range paths {
		fileNames[k] = baseName(path)
	}
	wordsOfFiles, wordsOfNames := sheet.DistinctiveWords(fileNames), sheet.DistinctiveWords(names)
	if !slices.Equal(slices.Sorted(slices.Values(wordsOfFiles)), sheet.SortedUnique(wordsOfNames)) {
		return paths, false
	}
	for _, words := range wordsOfNames {
		ordered = append(ordered, paths[slices.Index(wordsOfFiles, words)])
	}
	return ordered, true
}
