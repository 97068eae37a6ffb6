package data

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/kernel"
)

// OpenGrams reads Gram matrices with the default options: see Options.OpenGrams.
func OpenGrams(labels string, grams ...string) (*Dataset, error) {
	return Options{Labels: labels}.OpenGrams(grams...)
}

// OpenGrams reads points that are given by Gram matrices alone, CSV or NPY files of n rows and n columns
// each, one for each base kernel: Dataset.Kernels, named by their files, which are the family of kernels
// that study.Learn takes. Options.Labels names the file with the n labels, CSV of one column (with or
// without a name) or NPY. A matrix that is not square, of another size than the others, not symmetric or
// not positive semidefinite is an error (see OpenSimilarities). What rounding explains of an NPY file of float16 or
// float32 is mended (kernel.Precomputed.Mend), and Dataset.Prepared says so; all other numbers are taken as exact. A
// first column of names is left out, as in OpenSimilarities.
//
//	d := nb.Must(data.Options{Labels: "y.csv"}.OpenGrams("text.npy", "image.npy"))
//	nb.Must(nb.Learn(d).Model.PredictFile("text_test.npy", "image_test.npy"))
//
// New points are a file for each matrix, in the same order. Files in another order are refused where their names say
// so (image_test.npy first). Else the order given is taken, right or wrong.
func (o Options) OpenGrams(paths ...string) (*Dataset, error) {
	if len(paths) == 0 {
		return nil, errors.New("data: no Gram matrix to open, want one file for each base kernel")
	}
	if o.Labels == "" && !o.Unlabelled {
		return nil, errors.New("data: Gram matrices hold no labels: Options.Labels names their file, Unlabelled " +
			"says that there is none")
	}
	d := &Dataset{Encoding: &Encoding{}}
	var mended []string
	n, err := o.squares(d, paths, func(path string) (square, error) {
		q, _, err := o.unlabelled().openSquare(path)
		return q, err
	}, func(q square) error {
		k, δ, err := kernel.Precomputed{Name: q.name, N: q.x.N, Data: q.x.Data}.Mend(q.roundoff)
		if errors.Is(err, kernel.ErrNotPSD) {
			err = fmt.Errorf("%w; OpenSimilarities takes matrices that are no kernels", err)
		}
		if δ > 0 {
			mended = append(mended, fmt.Sprintf("the diagonal of %s raised by %.2g, which its rounding to float16 "+
				"or float32 asks for", q.name, δ))
		}
		d.Kernels = append(d.Kernels, k)
		return err
	})
	if err != nil {
		return nil, err
	}
	d.Prepared = strings.Join(append([]string{fmt.Sprintf("%s, each of %d rows and columns", count(len(paths), "Gram"),
		n)}, mended...), "; ")
	return o.labelled(d)
}

// square is a matrix between the points of a dataset, as one file has it.
type square struct {
	name     string      // of the file, without folder and suffix
	x        kernel.Rows // n×n
	columns  []string    // names of its columns; nil where the file has none
	roundoff float64     // of its numbers: see kernel.Precomputed.Mend
}

// squares reads a matrix from each file and hands it to take. They must be square, of one size, of different names,
// and of the same points in the same order, as far as their columns have names. It makes of d points that are given
// by these matrices, and returns their number.
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
			err = fmt.Errorf("%s and %s of numbers, want a square matrix, one number for each two points",
				count(q.x.N, "row"), count(q.x.D, "column"))
			if e.Similar && q.x.D == q.x.N+1 && (o.Labels != "" || o.Unlabelled) {
				err = fmt.Errorf("%w: one column more, as of labels: without Options.Labels and Unlabelled it is "+
					"read as such", err)
			}
		case files != nil && q.x.N != e.Width:
			err = fmt.Errorf("%d points, but %d in %s: want the same points in the same order", q.x.N, e.Width,
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
	d.X, d.Source = kernel.AllPlaces(e.Width), "files "+strings.Join(files, ", ")
	if len(files) == 1 {
		d.Source = "file " + files[0]
	}
	return e.Width, nil
}

// openSquare reads a file with a matrix between points, CSV or NPY, and of a CSV file the labels, where the options
// say that it has some, as a dataset.
func (o Options) openSquare(path string) (q square, d *Dataset, err error) {
	q.name, o = base(path), o.suffix(path)
	if o.Format != CSV {
		q.x, q.roundoff, err = Options{MaxBytes: o.MaxBytes}.openMatrix(path)
		return q, nil, err
	}
	err = o.with(path, func(raw []byte, _ string) error {
		var rows []string // names of the rows, in a first column that is left out
		if d, err = o.readSquare(raw, &rows); err != nil || rows != nil && d.X.Len() != d.Dim() {
			// a first column without a name may be names of the points: it is, if the others are square
			how := o
			how.Leave = append(slices.Clone(o.Leave), "x1")
			if named, wrong := how.readSquare(raw, &rows); wrong == nil && named.X.Len() == named.Dim() {
				d, err = named, nil
			}
		}
		if err != nil {
			return err
		}
		q.x, q.columns = d.X.(kernel.Rows), columnsNamed(d)
		if q.columns == nil || q.columns[0] == "x1" || len(rows) != len(q.columns) {
			return nil
		}
		for i, name := range rows {
			if at := slices.Index(q.columns, name); at >= 0 && at != i {
				return fmt.Errorf("row %d is named %s, which is column %d of the numbers: want the points of rows "+
					"and columns in the same order", i+1, clip(name), at+1)
			}
		}
		return nil
	})
	return q, d, err
}

// readSquare reads a CSV file of numbers, with or without a label. The cells of a first column that is left out are
// stored in rows.
func (o Options) readSquare(raw []byte, rows *[]string) (*Dataset, error) {
	o.Constant, o.Duplicate, o.Missing, *rows = Accept, Accept, Refuse, nil
	return (&job{Options: o, matrix: true, first: rows}).read(raw)
}

// unlabelled is o for a file that has no column of labels.
func (o Options) unlabelled() Options {
	o.Labels, o.Label, o.Targets, o.Nominal, o.Unlabelled, o.Regression, o.Log, o.Positive, o.Rest = "", "", nil, nil,
		true, false, false, "", false
	return o
}

// labelled gives points that are given by matrices the labels of the file Options.Labels, if there is one.
func (o Options) labelled(d *Dataset) (*Dataset, error) {
	if o.Labels != "" {
		if err := o.label(d, d.X.Len()); err != nil {
			return nil, err
		}
	}
	d.Encoding.Classes, d.Encoding.Options.Labels = d.Classes, ""
	if err := d.Validate(); err != nil {
		return nil, err
	}
	return d, nil
}

// columnsNamed are the names that a CSV file gives to the columns of d; nil if it gives none.
func columnsNamed(d *Dataset) []string {
	if d.Encoding.Unnamed > 0 {
		return nil
	}
	return d.Features()
}

// name keeps the names that a CSV file gives to the points that Grams are of, in the order of its columns. Another file
// that names others, or has them in other places, is an error.
func (e *Encoding) name(names []string) error {
	switch {
	case names == nil, anyNumber(names, nil):
	case e.Columns == nil:
		for _, s := range names {
			e.Columns = append(e.Columns, Column{Name: s})
		}
	default:
		for j, c := range e.Columns {
			switch at := slices.Index(names, c.Name); {
			case at < 0:
				return fmt.Errorf("no column %s, which is number %d in %s: want the same points in the same order",
					clip(c.Name), j+1, e.Grams[0])
			case at != j:
				return fmt.Errorf("column %s is number %d, but %d in %s: want the same points in the same order",
					clip(c.Name), at+1, j+1, e.Grams[0])
			}
		}
	}
	return nil
}
