package data

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/similarity"
)

// Similarity is a symmetric matrix of similarities s(x_i, x_j) between N points, of any sign. It need not be a valid
// kernel.
type Similarity struct {
	Name string
	N    int
	// N×N, row-major, in the form that similarity.Learned and reg.DistancePenalty take. Point i of a dataset is row
	// X[i], in which X are points.Indices.
	S []float64
}

// Matrix returns S in the form that similarity.Decompose takes.
func (s Similarity) Matrix() *mat.SymDense {
	return mat.NewSymDense(s.N, slices.Clone(s.S))
}

// OpenSimilarities reads similarities with the default options: see Options.OpenSimilarities.
func OpenSimilarities(labels string, paths ...string) (*Dataset, error) {
	return Options{Labels: labels}.OpenSimilarities(paths...)
}

// OpenSimilarities reads points that are given by matrices of similarities only, such as alignment scores, negated
// distances or human judgments. Each file, CSV or NPY, holds one matrix of n rows and n columns and becomes one of
// Dataset.Similarities, named after the file. The matrices need not be positive semidefinite.
//
// The n labels are in the file Options.Labels, as for OpenGrams. A single CSV file may also have a column of labels
// itself (Options.Label; the last column if it is empty) and a column of groups.
//
//	d := nb.Must(data.OpenSimilarities("y.csv", "scores.csv"))
//	d := nb.Must(data.Options{Label: "class"}.OpenSimilarities("scores_with_classes.csv"))
//
// s_ij and s_ji are replaced by their mean. If they differ by more than rounding explains (1e-8 of the largest entry;
// for float16 and float32 8 times their unit roundoff), Dataset.Prepared and Doubts state the largest difference and
// its place. A matrix that looks like distances (0 for each point with itself, positive for all other pairs) is a doubt
// too, and so is a matrix of zeros. Errors are: a matrix that is not square, matrices of different sizes, a missing
// cell, and a number that is not finite. A first column that holds names and has no header is dropped, and so is a
// column in Options.DropColumns. If these names are the names of the columns in another order, this is an error.
//
// learn.Learn uses spectrum corrections of the matrices as base kernels (similarity.Repaired). similarity.Learned and
// reg.DistancePenalty take Similarity.S, similarity.Decompose takes its Matrix. New points are rows of similarities to
// the n points: Dataset.Encoding.Points reads one file for each matrix, in the same order (see OpenGrams), as
// points.KernelRows. If both CSV files name their columns, these are matched by name, and a missing name is an error.
// Otherwise columns are matched by position.
func (o Options) OpenSimilarities(paths ...string) (*Dataset, error) {
	if len(paths) == 0 {
		return nil, errors.New("data: no matrix of similarities to open; pass one file or more")
	}
	inside := o.Labels == "" && !o.Unlabeled // the file has a column of labels
	if format := o.suffix(paths[0]).Format; inside && (len(paths) > 1 || format != CSV) {
		return nil, fmt.Errorf("data: %s: no labels: set Options.Labels to the file of labels, or Options.Unlabeled "+
			"if there are none (a single csv file may have a column of labels)", filepath.Base(paths[0]))
	}
	var err error
	if inside {
		err = o.validate(readers.similarities)
	} else {
		err = o.validateSquares(paths)
	}
	if err != nil {
		return nil, err
	}
	d := &Dataset{Encoding: &Encoding{Similar: true}}
	var notes []string
	n, err := o.squares(d, paths, func(path string) (square, error) {
		if inside {
			return o.openLabeledSquare(path, d)
		}
		q, _, err := o.matrixOptions(path).openSquare(path)
		return q, err
	}, func(q square) error {
		m := mat.NewDense(q.x.N, q.x.N, q.x.Data)
		s, err := similarity.Symmetric(m)
		if err != nil {
			return err
		}
		for _, note := range []string{asymmetryNote(m, q.roundoff), distanceNote(s)} {
			if note != "" {
				notes = append(notes, q.name+" "+note)
			}
		}
		d.addZeroDoubt(q)
		d.Similarities = append(d.Similarities, Similarity{Name: q.name, N: q.x.N, S: similarity.Vec(s)})
		return nil
	})
	if err != nil {
		return nil, err
	}
	d.Doubts = append(d.Doubts, notes...)
	d.Prepared = strings.Join(append([]string{fmt.Sprintf("similarities of %s, %s", count(n, "point"),
		matrices(len(paths)))}, d.Doubts...), "; ")
	return o.labeled(d)
}

// openLabeledSquare reads a CSV file of a matrix with a column of labels, which are stored in d.
func (o Options) openLabeledSquare(path string, d *Dataset) (square, error) {
	q, labels, err := o.openSquare(path)
	if err != nil || q.x.N != q.x.D {
		if u, _, wrong := o.matrixOptions(path).openSquare(path); wrong == nil && u.x.N == u.x.D {
			return q, fmt.Errorf("data: %s: %s and as many columns of numbers, and no column of labels: set "+
				"Options.Labels to a file of %[3]d labels, one a line, add a column of labels to this file (the last, "+
				"or Options.Label), or set Options.Unlabeled if there are none", filepath.Base(path),
				count(u.x.N, "row"), u.x.N)
		}
	}
	if err != nil {
		return q, err
	}
	d.Y, d.ExtraTargets, d.Log, d.Classes, d.Target, d.Group = labels.Y, labels.ExtraTargets, labels.Log,
		labels.Classes, labels.Target, labels.Group
	d.Encoding.Label, d.Encoding.NoName = d.Target, d.Target == ""
	return q, nil
}

// asymmetryNote describes how far S is from symmetric. It returns "" if rounding to the unit roundoff u explains it.
func asymmetryNote(s *mat.Dense, u float64) string {
	size, i, j := similarity.Asymmetry(s)
	largest := 0.0
	for _, v := range s.RawMatrix().Data {
		largest = math.Max(largest, math.Abs(v))
	}
	if size <= math.Max(1e-8, 8*u)*largest {
		return ""
	}
	return fmt.Sprintf("is not symmetric: the largest difference is %.3g, between %.6g in row %d, column %d, and "+
		"%.6g in row %[4]d, column %[3]d; the mean of both is used",
		size, s.At(i, j), i+1, j+1, s.At(j, i))
}

// distanceNote returns a doubt if S looks like distances: 0 for each point with itself, positive for all other pairs.
func distanceNote(s *mat.SymDense) string {
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
	return "has 0 for each point with itself and positive numbers for all other pairs, as distances do: turn " +
		"distances into similarities by negation, or by exp(−distance)"
}

// checkSimilarities returns an error if the similarities do not suit X.
func (d *Dataset) checkSimilarities() error {
	if d.Similarities == nil {
		return nil
	}
	x, err := points.As[points.Indices](d.X)
	if err != nil {
		return fmt.Errorf("data: %s has similarities, but its points are %s; they must be indices into the matrices",
			d.Name, pointKind(d.X))
	}
	for _, s := range d.Similarities {
		if err := (similarity.Learned{Name: s.Name, N: s.N, S: s.S}).Validate(); err != nil {
			return fmt.Errorf("data: %s: %s: %w", d.Name, s.Name, err)
		}
		if first := d.Similarities[0]; s.S == nil || s.N != first.N {
			return fmt.Errorf("data: %s: the similarity %s has %d numbers for %d points, but %s has %d points", d.Name,
				s.Name, len(s.S), s.N, first.Name, first.N)
		}
		if largest := slices.Max(x); largest >= s.N {
			return fmt.Errorf("data: %s: a point is row %d of the similarity %s, which has %d rows", d.Name, largest+1,
				s.Name, s.N)
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
