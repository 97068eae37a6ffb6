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
)

// OpenGrams reads points that are given by Gram matrices only. Each file, CSV or NPY, holds one matrix of n rows and n
// columns and becomes one base kernel (Dataset.Kernels), named after the file. learn.Learn learns weights of these
// kernels.
//
// Options.Labels names the file of the n labels: an NPY file, a CSV file with one label a line (with or without a name
// on the first line), or a CSV file with a column of labels (Options.Label) and a column of groups (Options.Group).
//
// A matrix that is not square, not symmetric or not positive semidefinite is an error (see OpenSimilarities), and so
// are matrices of different sizes. If rounding explains why a matrix from an NPY file of float32 is not
// positive semidefinite, it is repaired (kernel.Precomputed.Mend) and Dataset.Prepared reports it. All other numbers
// are taken as exact, except that a number between −1e-100 and 1e-100 is read as 0.
//
// A CSV file may name the points in its first line, in its first column, or in both. Files that name the points must
// name them in the same order, and so must a CSV file of labels.
//
//	d := nb.Must(data.Options{Labels: "y.csv"}.OpenGrams("text.npy", "image.npy"))
//	l := nb.Learn(d)
//	nb.Must(l.Model.PredictFile("text_test.npy", "image_test.npy"))
//	nb.Show(nb.ScoreFile(l.Model, "text_test.npy", "image_test.npy", "y_test.csv"))
//
// New points need one file for each matrix, in the same order: a row for each new point, a column for each training
// point, in the order of the training points. Names of columns that differ from the names of the training points, or
// have another order, are an error.
func (o Options) OpenGrams(paths ...string) (*Dataset, error) {
	return o.openSquares(paths, false, func(r *reading, m matrix) error {
		k, δ, err := kernel.Precomputed{Name: m.name, N: m.x.N, Data: m.x.Data}.Mend(m.roundoff)
		if errors.Is(err, kernel.ErrNotPSD) {
			err = fmt.Errorf("%w; OpenSimilarities reads matrices that are not valid kernels", err)
		}
		if δ > 0 {
			r.notes = append(r.notes, fmt.Sprintf("the diagonal of %s raised by %.2g to compensate the rounding to "+
				"float32", m.name, δ))
		}
		r.Kernels = append(r.Kernels, k)
		return err
	})
}

// openSquares reads one square matrix from each file, passes it to add, and adds the labels in the file Options.Labels.
// The points become indices into the matrices.
func (o Options) openSquares(paths []string, isSimilarity bool,
	add func(r *reading, m matrix) error) (*Dataset, error) {
	if err := o.validateSquares(paths); err != nil {
		return nil, err
	}
	r := reading{o: &job{Options: o}}
	e := &Encoding{Options: o}
	var names []string // names of the points
	var files []string
	namesFile := "" // the file that names the points
	for _, path := range paths {
		m, err := o.matrixOptions(path).openMatrix(path, shape{isSquare: true})
		if err != nil {
			return nil, err
		}
		file := filepath.Base(path)
		switch {
		case m.x.N != m.x.D:
			err = fmt.Errorf("%s and %s of numbers; the matrix must be square, with one number for each two points",
				countText(m.x.N, "row"), countText(m.x.D, "column"))
		case files != nil && m.x.N != e.Width:
			err = fmt.Errorf("%d points, but %d in %s: pass the same points in the same order", m.x.N, e.Width,
				files[0])
		case slices.Contains(e.Grams, m.name):
			err = fmt.Errorf("two matrices are named %s", m.name)
		default:
			if err = cmp.Or(m.checkNames(), checkSameNames(m.pointNames(), names, namesFile)); err == nil {
				err = add(&r, m)
			}
		}
		if err != nil {
			return nil, fmt.Errorf("data: %s: %w", file, err)
		}
		if names == nil {
			names, namesFile = m.pointNames(), file
		}
		if m.roundedToZero > 0 {
			r.notes = append(r.notes, fmt.Sprintf("%s of %s below 1e-100 read as 0",
				countText(m.roundedToZero, "number"), m.name))
		}
		if !slices.ContainsFunc(m.x.Data, func(v float64) bool { return v != 0 }) {
			r.Doubts = append(r.Doubts, fmt.Sprintf("all numbers of %s are 0, so it carries no information",
				m.name))
		}
		e.Grams, e.Width, files = append(e.Grams, m.name), m.x.N, append(files, file)
	}
	kind := fmt.Sprintf("%s, each of %d rows and columns", countText(len(paths), "Gram"), e.Width)
	if isSimilarity {
		kind = fmt.Sprintf("similarities of %s in %s", countText(e.Width, "point"), countText(len(paths), "file"))
	}
	r.notes, r.Encoding, r.X = append([]string{kind}, r.notes...), e, points.AllIndices(e.Width)
	r.Source, r.o.Name = sourceOf(files), cmp.Or(o.Name, strings.Join(e.Grams, " + "))
	if o.Labels != "" {
		var err error
		if names, err = r.addLabels(o.Labels, names, namesFile); err != nil {
			return nil, err
		}
		e.Label = r.targets[0].name
	}
	e.Options.Labels = ""
	for _, name := range names {
		e.Columns = append(e.Columns, Column{Name: name})
	}
	return r.datasetOfFiles()
}

// sourceOf describes the files that a dataset was read from.
func sourceOf(files []string) string {
	if len(files) == 1 {
		return "file " + files[0]
	}
	return "files " + strings.Join(files, ", ")
}

// matrixOptions returns the options that apply to the matrix in the file at path.
func (o Options) matrixOptions(path string) Options {
	m := Options{}.withFormatOf(path)
	if m.Format == CSV {
		m.Decimal, m.Thousands, m.Header, m.MissingMarkers = o.Decimal, o.Thousands, o.Header, o.MissingMarkers
		m.DropColumns, m.Comma = o.DropColumns, cmp.Or(o.Comma, m.Comma)
	}
	return m
}

// validateSquares returns an error if paths is empty, or if an option does not apply to points that are given by the
// matrices in these files.
func (o Options) validateSquares(paths []string) error {
	if len(paths) == 0 {
		return errors.New("data: no matrix to open; pass one file or more")
	}
	if o.Labels == "" && !o.Unlabeled {
		return fmt.Errorf("data: %s: a matrix holds no labels: set Options.Labels to the file of labels, or "+
			"Options.Unlabeled if there are none", filepath.Base(paths[0]))
	}
	r := inputKinds.npySquares
	for _, path := range append(slices.Clone(paths), o.Labels) {
		if (Options{}).withFormatOf(path).Format == CSV {
			r = inputKinds.csvSquares
		}
	}
	return o.validate(r)
}

// openCrossMatrices reads new points that are given by kernel values or similarities: one matrix for each training
// matrix, with a row for each new point and a column for each training point. Unless unlabeled is set, one more file
// may follow, with the labels of the new points.
func (e *Encoding) openCrossMatrices(paths []string, unlabeled bool) (*Dataset, error) {
	labels := ""
	if k := len(e.Grams); !unlabeled && len(paths) == k+1 {
		labels, paths = paths[k], paths[:k]
	}
	if len(paths) != len(e.Grams) {
		return nil, fmt.Errorf("data: got %s; pass %d matrices of new points × points learned from, one for each of "+
			"%s (to score, then the file of labels)", countText(len(paths), "file"), len(e.Grams),
			strings.Join(e.Grams, ", "))
	}
	var trainingNames []string
	for _, c := range e.Columns {
		trainingNames = append(trainingNames, c.Name)
	}
	x := points.KernelRows{N: e.Width, Names: slices.Clone(e.Grams)}
	o := e.Options
	o.DropColumns = nil
	if o.Header == HeaderYes {
		o.Header = HeaderAuto // a file of new points may lack names
	}
	var files, names []string
	namesFile := "" // the file that names the new points
	for _, path := range paths {
		m, err := o.matrixOptions(path).openMatrix(path, shape{isCross: true, known: trainingNames})
		file := filepath.Base(path)
		switch {
		case err != nil:
			return nil, err
		case m.x.D != e.Width:
			return nil, fmt.Errorf("data: %s: got %d columns; give %d, one for each training point", file, m.x.D,
				e.Width)
		case m.columns != nil && trainingNames == nil && !isCounting(m.columns):
			return nil,
				fmt.Errorf("data: %s: the first line names the columns, but the training file names no points; "+
					"remove the line if the columns have the order of the training points", file)
		case files != nil && m.x.N != x.Len():
			return nil, fmt.Errorf("data: %s: %d new points, but %d in %s", file, m.x.N, x.Len(), files[0])
		}
		err = cmp.Or(checkSameNames(m.columns, trainingNames, "the training files"),
			checkSameNames(m.rows, names, namesFile))
		if err != nil {
			return nil, fmt.Errorf("data: %s: %w", file, err)
		}
		if names == nil {
			names, namesFile = m.rows, file
		}
		x.Data, files = append(x.Data, m.x.Data), append(files, file)
	}
	r := reading{Dataset: Dataset{X: x, Source: sourceOf(files)}, o: &job{Options: e.Options, training: e}}
	r.o.Name = baseName(paths[0])
	if labels != "" {
		if r.o.Group != "" && r.o.Targets == nil { // new files need no groups
			r.o.Label, r.o.Group = e.Label, ""
		}
		if _, err := r.addLabels(labels, names, namesFile); err != nil {
			return nil, err
		}
	}
	return r.datasetOfFiles()
}

// datasetOfFiles returns the dataset of several files. Its error begins with the name of the package.
func (r *reading) datasetOfFiles() (*Dataset, error) {
	d, err := r.dataset()
	if err != nil {
		return nil, fmt.Errorf("data: %w", err)
	}
	return d, nil
}
