package data

import (
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/similarity"
)

// Similarity is a symmetric matrix of similarities s(x_i, x_j) between N points, of any sign. It need not be a kernel.
type Similarity struct {
	Name string
	N    int
	S    []float64 // N×N, row by row, as similarity.Learned and reg.Near take it; point i of a dataset is row X[i], X its kernel.Places
}

// Matrix returns S as similarity.Decompose takes it.
func (s Similarity) Matrix() *mat.SymDense {
	return mat.NewSymDense(s.N, slices.Clone(s.S))
}

// OpenSimilarities reads similarities with the default options: see Options.OpenSimilarities.
func OpenSimilarities(labels string, paths ...string) (*Dataset, error) {
	return Options{Labels: labels}.OpenSimilarities(paths...)
}

// OpenSimilarities reads points that are given by matrices of similarities alone, such as scores of alignments, negated
// distances or judgements of people: Dataset.Similarities, named by their files. They need not be positive
// semidefinite. A file is CSV or NPY, of n rows and n columns. The n labels are in the file that
// Options.Labels names, CSV of one column (with or without a name) or NPY; or, of one CSV file, in a column of its own
// (Options.Label, the last if it is empty).
//
//	d := nb.Must(data.OpenSimilarities("y.csv", "scores.csv"))
//	d := nb.Must(data.Options{Label: "class"}.OpenSimilarities("scores_with_classes.csv"))
//
// Of s_ij and s_ji the mean is taken. Where they differ by more than rounding explains (1e-8 of the largest entry; of
// float16 and float32 8 times their unit roundoff), Dataset.Prepared and Doubts say by how much at most and where. A
// matrix that looks like distances, 0 for each point with itself and more with every other, is doubted too. A
// matrix that is not square, or of another size than the others, is an error, and so is a cell that is missing or no
// finite number, by row and column. A first column of names, which has none itself, is left out, as is one that
// Options.Leave names; where they are those of the columns in another order, that is an error.
//
// study.Learn takes the repairs of their spectra as base kernels (similarity.Repaired); similarity.Learned and reg.Near take Similarity.S,
// similarity.Decompose its Matrix. New points are rows of similarities to these n points: Dataset.Encoding.Points reads them,
// a file for each matrix, in the same order (see OpenGrams), as kernel.Related; where both CSV files name the columns they are
// matched by name, a name that is missing is an error; else they are matched by place.
func (o Options) OpenSimilarities(paths ...string) (*Dataset, error) {
	switch {
	case len(paths) == 0:
		return nil, errors.New("data: no matrix of similarities to open, want one file or more")
	case o.Missing == Drop || o.Missing == Fill:
		return nil, errors.New("data: Options.Missing: similarities are read whole, want Refuse")
	}
	inside := o.Labels == "" && !o.Unlabelled
	if format := o.suffix(paths[0]).Format; inside && (len(paths) > 1 || format != CSV) {
		return nil, fmt.Errorf("data: %s: no labels: Options.Labels names their file, Unlabelled says that there are none (one CSV file may have them in a column)", filepath.Base(paths[0]))
	}
	d := &Dataset{}
	e := &Encoding{Options: o, Similar: true}
	var inner []string // names of the columns beside the label's
	if inside {
		var err error
		if d, err = o.table(paths[0]); err != nil || d.X.Len() != d.X.(kernel.Rows).D {
			if without := o.square(paths[0]); without != nil {
				return nil, without
			}
		}
		if err != nil {
			return nil, err
		}
		inner, e.Label, e.NoName = columnsNamed(d), d.Target, d.Target == ""
	}
	d.Name, d.Title, d.Doubts, d.Encoding = o.Name, o.Title, nil, e
	var files, notes []string
	for _, path := range paths {
		var x kernel.Rows
		var u float64
		var names []string
		switch {
		case inside:
			x, names = d.X.(kernel.Rows), inner
		case o.suffix(path).Format == CSV:
			t, err := o.unlabelled().table(path)
			if err != nil {
				return nil, err
			}
			x, names = t.X.(kernel.Rows), columnsNamed(t)
		default:
			var err error
			if x, _, u, err = (Options{MaxBytes: o.MaxBytes, MaxLine: o.MaxLine}).openMatrix(path); err != nil {
				return nil, err
			}
		}
		file, name := filepath.Base(path), base(path)
		switch {
		case x.N != x.D:
			return nil, fmt.Errorf("data: %s: %s and %s of numbers, want a square matrix, s(x_i, x_j)%s", file, count(x.N, "row"), count(x.D, "column"), aside(inside, x))
		case e.Width != 0 && x.N != e.Width:
			return nil, fmt.Errorf("data: %s: %d points, but %d in %s: want the same points in the same order", file, x.N, e.Width, files[0])
		case slices.Contains(e.Grams, name):
			return nil, fmt.Errorf("data: two matrices of similarities are named %s", name)
		}
		if err := e.name(names); err != nil {
			return nil, fmt.Errorf("data: %s: %w", file, err)
		}
		m := mat.NewDense(x.N, x.N, x.Data)
		s, err := similarity.Symmetric(m)
		if err != nil {
			return nil, fmt.Errorf("data: %s: %w", file, err)
		}
		for _, note := range []string{asymmetry(m, u), distant(s)} {
			if note != "" {
				notes = append(notes, name+" "+note)
			}
		}
		d.Similarities = append(d.Similarities, Similarity{Name: name, N: x.N, S: similarity.Vec(s)})
		e.Grams, e.Width, files = append(e.Grams, name), x.N, append(files, file)
		e.Entries = append(e.Entries, entriesOf(x.Data, x.N))
	}
	n := e.Width
	if d.Name == "" {
		d.Name = strings.Join(e.Grams, " + ")
	}
	d.X, d.Source = kernel.AllPlaces(n), "files "+strings.Join(files, ", ")
	if len(paths) == 1 {
		d.Source = "file " + files[0]
	}
	d.Prepared, d.Doubts = fmt.Sprintf("similarities of %s, %s", count(n, "point"), matrices(len(paths))), notes
	for _, note := range notes {
		d.Prepared = also(d.Prepared, note)
	}
	if o.Labels != "" {
		if err := o.label(d, n); err != nil {
			return nil, err
		}
	}
	e.Classes, e.Options.Labels = d.Classes, ""
	if err := d.Validate(); err != nil {
		return nil, err
	}
	return d, nil
}

// table reads a CSV file of similarities, with the label's column or without, as points.
func (o Options) table(path string) (*Dataset, error) {
	o.Constant, o.Duplicate, o.Missing = Accept, Accept, Refuse
	d, err := o.Open(path)
	if err != nil || len(d.Encoding.Columns) > 0 && d.Encoding.Columns[0].Name == "x1" && d.Encoding.Columns[0].Levels != nil {
		// a first column without a name may be names of the points; where it is refused, it is if the others are square
		o.Leave = append(slices.Clone(o.Leave), "x1")
		if named, wrong := o.Open(path); wrong == nil {
			if x, ok := named.X.(kernel.Rows); err == nil || ok && x.N == x.D {
				d, err = named, nil
			}
		}
	}
	if err != nil {
		return nil, err
	}
	x, ok := d.X.(kernel.Rows)
	if !ok {
		return nil, fmt.Errorf("data: %s: points of kind %T, want a matrix of numbers", filepath.Base(path), d.X)
	}
	for _, c := range d.Encoding.Columns {
		if c.Levels != nil {
			return nil, fmt.Errorf("data: %s: column %s is text, want numbers: Options.Leave leaves a column out, Label names that of the labels", filepath.Base(path), clip(c.Name))
		}
	}
	d.X = x
	if err := o.sameOrder(path, columnsNamed(d)); err != nil {
		return nil, err
	}
	return d, nil
}

// sameOrder refuses a matrix of the named columns whose rows have these names in another order, in a first column that
// is left out.
func (o Options) sameOrder(path string, columns []string) error {
	if columns == nil || columns[0] == "x1" {
		return nil
	}
	var rows []string
	o = o.suffix(path)
	if _, err := o.with(path, func(r io.Reader) error {
		_, err := readCSV(o.cap(r), &job{Options: o, first: &rows})
		return err
	}); err != nil || len(rows) != len(columns) {
		return err
	}
	for i, name := range rows {
		if at := slices.Index(columns, name); at >= 0 && at != i {
			return fmt.Errorf("data: %s: row %d is named %s, which is column %d of the numbers: want the points of rows and columns in the same order", filepath.Base(path), i+1, clip(name), at+1)
		}
	}
	return nil
}

// unlabelled is o for a file that has no column of labels.
func (o Options) unlabelled() Options {
	o.Labels, o.Label, o.Unlabelled, o.Regression, o.Positive, o.Rest = "", "", true, false, "", false
	return o
}

// square is the error of a file that is to have a column of labels, and is a square matrix of numbers without one.
func (o Options) square(path string) error {
	d, err := o.unlabelled().table(path)
	if err != nil || d.X.Len() != d.X.(kernel.Rows).D {
		return nil
	}
	n := d.X.Len()
	return fmt.Errorf("data: %s: %s and as many columns of numbers, and no column of labels: want a file of %[3]d labels, one a line (Options.Labels), or a column of labels more in this one (the last, or Options.Label); Unlabelled says that there are none",
		filepath.Base(path), count(n, "row"), n)
}

// aside is what may be wrong with a matrix that is not square.
func aside(inside bool, x kernel.Rows) string {
	switch {
	case inside && x.D > x.N:
		return ": Options.Leave leaves columns out"
	case !inside && x.D == x.N+1:
		return ": one column more, as of labels: without Options.Labels and Unlabelled it is read as such"
	}
	return ""
}

// asymmetry says how far S is from symmetric, "" where rounding to unit roundoff u explains it.
func asymmetry(s *mat.Dense, u float64) string {
	size, i, j := similarity.Asymmetry(s)
	top := 0.0
	for _, v := range s.RawMatrix().Data {
		top = math.Max(top, math.Abs(v))
	}
	if size <= math.Max(1e-8, 8*u)*top {
		return ""
	}
	return fmt.Sprintf("is not symmetric, by %.3g at most: %.6g in row %d, column %d, but %.6g in row %[4]d, column %[3]d; of the two the mean is taken",
		size, s.At(i, j), i+1, j+1, s.At(j, i))
}

// distant says that S looks like distances, "" where it does not: 0 for each point with itself, more with every other.
func distant(s *mat.SymDense) string {
	n := s.SymmetricDim()
	for i := range n {
		for j := range i + 1 {
			if v := s.At(i, j); i == j && v != 0 || i != j && v <= 0 {
				return ""
			}
		}
	}
	if n < 3 {
		return ""
	}
	return "has 0 for each point with itself and more with every other, as distances do: of distances, similarities are their negatives, or exp(−distance)"
}

// checkSimilarities says what of them does not suit X.
func (d *Dataset) checkSimilarities() error {
	if d.Similarities == nil {
		return nil
	}
	x, ok := d.X.(kernel.Places)
	if !ok {
		return fmt.Errorf("data: %s has similarities, and points of kind %T, want kernel.Places in them", d.Name, d.X)
	}
	for _, s := range d.Similarities {
		if err := (similarity.Learned{Name: s.Name, N: s.N, S: s.S}).Validate(); err != nil {
			return fmt.Errorf("data: %s: %s: %w", d.Name, s.Name, err)
		}
		if first := d.Similarities[0]; s.S == nil || s.N != first.N {
			return fmt.Errorf("data: %s: %d numbers of the similarity %s of %d points, want those of %d", d.Name, len(s.S), s.Name, s.N, first.N)
		}
		if top := slices.Max(x); top >= s.N {
			return fmt.Errorf("data: %s: a point is row %d of the similarity %s, which has %d", d.Name, top+1, s.Name, s.N)
		}
	}
	return nil
}

func matrices(n int) string {
	if n == 1 {
		return "1 matrix"
	}
	return fmt.Sprintf("%d matrices", n)
}
