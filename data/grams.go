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

// OpenGrams reads Gram matrices with the default options: see Options.OpenGrams.
func OpenGrams(labels string, grams ...string) (*Dataset, error) {
	return Options{Labels: labels}.OpenGrams(grams...)
}

// OpenGrams reads points that are given by Gram matrices only. Each file, CSV or NPY, holds one matrix of n rows and n
// columns and becomes one base kernel (Dataset.Kernels), named after the file. learn.Learn learns weights of these
// kernels.
//
// Options.Labels names the file of the n labels: an NPY file, a CSV file with one label a line (with or without a name
// on the first line), or a CSV file with a column of labels (Options.Label) and a column of groups (Options.Group).
//
// A matrix that is not square, not symmetric or not positive semidefinite is an error (see OpenSimilarities), and so
// are matrices of different sizes. If rounding explains why a matrix from an NPY file of float16 or float32 is not
// positive semidefinite, it is repaired (kernel.Precomputed.Mend) and Dataset.Prepared reports it. All other numbers
// are taken as exact. A first column of names is ignored, as in OpenSimilarities.
//
//	d := nb.Must(data.Options{Labels: "y.csv"}.OpenGrams("text.npy", "image.npy"))
//	l := nb.Learn(d)
//	nb.Must(l.Model.PredictFile("text_test.npy", "image_test.npy"))
//	nb.Show(nb.ScoreFile(l.Model, "text_test.npy", "image_test.npy", "y_test.csv"))
//
// New points need one file for each matrix, in the same order. If the names of the files show another order
// (image_test.npy first), this is an error. Otherwise the given order is used.
func (o Options) OpenGrams(paths ...string) (*Dataset, error) {
	if len(paths) == 0 {
		return nil, errors.New("data: no Gram matrix to open; pass one file for each base kernel")
	}
	if o.Labels == "" && !o.Unlabeled {
		return nil, errors.New("data: Gram matrices hold no labels: set Options.Labels to the file of labels, or " +
			"Options.Unlabeled if there are none")
	}
	if err := o.validateSquares(paths); err != nil {
		return nil, err
	}
	d := &Dataset{Encoding: &Encoding{}}
	var notes []string
	n, err := o.squares(d, paths, func(path string) (square, error) {
		q, _, err := o.matrixOptions(path).openSquare(path)
		return q, err
	}, func(q square) error {
		k, δ, err := kernel.Precomputed{Name: q.name, N: q.x.N, Data: q.x.Data}.Mend(q.roundoff)
		if errors.Is(err, kernel.ErrNotPSD) {
			err = fmt.Errorf("%w; OpenSimilarities reads matrices that are not valid kernels", err)
		}
		if δ > 0 {
			notes = append(notes, fmt.Sprintf("the diagonal of %s raised by %.2g to compensate the rounding to "+
				"float16 or float32", q.name, δ))
		}
		d.addZeroDoubt(q)
		d.Kernels = append(d.Kernels, k)
		return err
	})
	if err != nil {
		return nil, err
	}
	notes = append([]string{fmt.Sprintf("%s, each of %d rows and columns", count(len(paths), "Gram"), n)}, notes...)
	d.Prepared = strings.Join(append(notes, d.Doubts...), "; ")
	return o.labeled(d)
}

// addZeroDoubt adds a doubt if all numbers of q are 0.
func (d *Dataset) addZeroDoubt(q square) {
	if !slices.ContainsFunc(q.x.Data, func(v float64) bool { return v != 0 }) {
		d.Doubts = append(d.Doubts, fmt.Sprintf("all numbers of %s are 0, so it carries no information", q.name))
	}
}

// square is a matrix between the points of a dataset, read from one file.
type square struct {
	name     string      // of the file, without folder and suffix
	x        points.Rows // n×n
	columns  []string    // names of its columns; nil if the file has none
	roundoff float64     // of its numbers: see kernel.Precomputed.Mend
}

// squares reads a matrix from each file, passes it to take, and returns the number of points. The matrices must be
// square and of one size, and must have different names. If their columns have names, these must agree. The points of d
// become indices into these matrices.
func (o Options) squares(d *Dataset, paths []string, read func(path string) (square, error),
	take func(square) error) (n int, err error) {
	e := d.Encoding
	var files []string
	for _, path := range paths {
		q, err := read(path)
		if err != nil {
			return 0, err
		}
		file := filepath.Base(path)
		switch {
		case q.x.N != q.x.D:
			err = fmt.Errorf("%s and %s of numbers; the matrix must be square, with one number for each two points",
				count(q.x.N, "row"), count(q.x.D, "column"))
			if e.Similar && q.x.D == q.x.N+1 && (o.Labels != "" || o.Unlabeled) {
				err = fmt.Errorf("%w; a further column of labels is read if Options.Labels and Unlabeled are not set",
					err)
			}
		case files != nil && q.x.N != e.Width:
			err = fmt.Errorf("%d points, but %d in %s: pass the same points in the same order", q.x.N, e.Width,
				files[0])
		case slices.Contains(e.Grams, q.name):
			err = fmt.Errorf("two matrices are named %s", q.name)
		default:
			if err = e.name(q.columns); err == nil {
				err = take(q)
			}
		}
		if err != nil {
			return 0, fmt.Errorf("data: %s: %w", file, err)
		}
		e.Grams, e.Width, files = append(e.Grams, q.name), q.x.N, append(files, file)
	}
	e.Options, d.Title = o, o.Title
	if d.Name = o.Name; d.Name == "" {
		d.Name = strings.Join(e.Grams, " + ")
	}
	d.X, d.Source = points.AllIndices(e.Width), "files "+strings.Join(files, ", ")
	if len(files) == 1 {
		d.Source = "file " + files[0]
	}
	return e.Width, nil
}

// openSquare reads a square matrix from a CSV or NPY file. If the options name a column of labels in a CSV file, d has
// these labels.
func (o Options) openSquare(path string) (q square, d *Dataset, err error) {
	q.name, o = base(path), o.suffix(path)
	if o.Format != CSV {
		q.x, q.roundoff, err = o.openMatrix(path)
		return q, nil, err
	}
	err = o.with(path, func(raw []byte, _ string) error {
		var rows []string // cells of a first column that holds the names of the rows
		if d, err = o.readSquare(raw, &rows); err != nil || rows != nil && d.X.Len() != d.Dim() {
			// An unnamed first column holds the names of the points if the other columns form a square.
			withNames := o
			withNames.DropColumns = append(slices.Clone(o.DropColumns), "x1")
			named, wrong := withNames.readSquare(raw, &rows)
			if wrong == nil && named.X.Len() == named.Dim() {
				d, err = named, nil
			}
		}
		if err != nil {
			return err
		}
		q.x, q.columns = points.ToRows(d.X), columnsNamed(d)
		if q.columns == nil || q.columns[0] == "x1" || len(rows) != len(q.columns) {
			return nil
		}
		for i, name := range rows {
			if at := slices.Index(q.columns, name); at >= 0 && at != i {
				return fmt.Errorf("row %d is named %s, which is column %d of the numbers: rows and columns must have "+
					"the same order", i+1, clip(name), at+1)
			}
		}
		return nil
	})
	return q, d, err
}

// readSquare reads a CSV file of numbers, with or without labels. It stores the cells of a dropped first column in
// rows.
func (o Options) readSquare(raw []byte, rows *[]string) (*Dataset, error) {
	*rows = nil
	return (&job{Options: o, matrix: true, first: rows}).read(raw)
}

// matrixOptions returns the options that apply to the matrix in the file at path.
func (o Options) matrixOptions(path string) Options {
	m := Options{MaxBytes: o.MaxBytes}.suffix(path)
	if m.Format == CSV {
		m.Decimal, m.Thousands, m.Header, m.MissingMarkers, m.DropColumns, m.Unlabeled = o.Decimal, o.Thousands,
			o.Header, o.MissingMarkers,
			o.DropColumns, true
		m.Comma = cmp.Or(o.Comma, m.Comma)
	}
	return m
}

// labeled adds the labels and groups of the file Options.Labels, if there is one, to points that are given by
// matrices.
func (o Options) labeled(d *Dataset) (*Dataset, error) {
	e := d.Encoding
	if o.Labels != "" {
		if err := o.label(d, nil); err != nil {
			return nil, err
		}
		e.Label, e.NoName = d.Target, d.Target == ""
	}
	e.Classes, e.Options.Labels = d.Classes, ""
	if err := d.Validate(); err != nil {
		return nil, err
	}
	return d, nil
}

// validateSquares returns an error if an option does not apply to points that are given by the matrices in these files.
func (o Options) validateSquares(paths []string) error {
	r := readers.npySquares
	for _, path := range append(slices.Clone(paths), o.Labels) {
		if (Options{}).suffix(path).Format == CSV {
			r = readers.csvSquares
		}
	}
	if o.Labels == "" && (o.Label != "" || o.Group != "" || o.Targets != nil) {
		return badOption("Label, Group and Targets", "they name columns of the file of labels; set Options.Labels")
	}
	return o.validate(r)
}

// columnsNamed returns the names of the columns of d in a CSV file, or nil if the file does not name them.
func columnsNamed(d *Dataset) []string {
	if d.Encoding.Unnamed > 0 {
		return nil
	}
	return d.Features()
}

// name stores the names that a CSV file gives to the points, in the order of its columns. It returns an error if an
// earlier file has other names or another order.
func (e *Encoding) name(names []string) error {
	switch {
	case names == nil:
	case e.Columns == nil:
		for _, s := range names {
			e.Columns = append(e.Columns, Column{Name: s})
		}
	default:
		for j, c := range e.Columns {
			switch at := slices.Index(names, c.Name); {
			case at < 0:
				return fmt.Errorf("no column %s, which is number %d in %s: pass the same points in the same order",
					clip(c.Name), j+1, e.Grams[0])
			case at != j:
				return fmt.Errorf("column %s is number %d, but %d in %s: pass the same points in the same order",
					clip(c.Name), at+1, j+1, e.Grams[0])
			}
		}
	}
	return nil
}
