package data

import (
	"errors"
	"fmt"
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
	// N×N, row by row, as similarity.Learned and reg.DistancePenalty take it; point i of a dataset is row X[i], X its
	// kernel.Places
	S []float64
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
// study.Learn takes the repairs of their spectra as base kernels (similarity.Repaired); similarity.Learned and
// reg.DistancePenalty take Similarity.S, similarity.Decompose its Matrix. New points are rows of similarities to these
// n points: Dataset.Encoding.Points reads them, a file for each matrix, in the same order (see OpenGrams), as
// kernel.Related; where both CSV files name the columns they are matched by name, a name that is missing is an error;
// else they are matched by place.
func (o Options) OpenSimilarities(paths ...string) (*Dataset, error) {
	switch {
	case len(paths) == 0:
		return nil, errors.New("data: no matrix of similarities to open, want one file or more")
	case o.Missing == Drop || o.Missing == Fill:
		return nil, errors.New("data: Options.Missing: similarities are read whole, want Refuse")
	}
	inside := o.Labels == "" && !o.Unlabelled // the file has a column of labels
	if format := o.suffix(paths[0]).Format; inside && (len(paths) > 1 || format != CSV) {
		return nil, fmt.Errorf("data: %s: no labels: Options.Labels names their file, Unlabelled says that there "+
			"are none (one CSV file may have them in a column)", filepath.Base(paths[0]))
	}
	how := o
	if !inside {
		how = o.unlabelled()
	}
	d := &Dataset{Encoding: &Encoding{Similar: true}}
	var notes []string
	n, err := o.squares(d, paths, func(path string) (square, error) {
		q, inner, err := how.openSquare(path)
		if inside && (err != nil || q.x.N != q.x.D) {
			if u, _, wrong := o.unlabelled().openSquare(path); wrong == nil && u.x.N == u.x.D {
				return q, fmt.Errorf("data: %s: %s and as many columns of numbers, and no column of labels: want "+
					"a file of %[3]d labels, one a line (Options.Labels), "+
					"or a column of labels more in this one (the last, or Options.Label); Unlabelled says that "+
					"there are none", filepath.Base(path), count(u.x.N, "row"), u.x.N)
			}
		}
		if inside && err == nil {
			d.Y, d.More, d.Log, d.Classes, d.Target, d.Group = inner.Y, inner.More, inner.Log, inner.Classes,
				inner.Target, inner.Group
			d.Encoding.Label, d.Encoding.NoName = d.Target, d.Target == ""
		}
		return q, err
	}, func(q square) error {
		m := mat.NewDense(q.x.N, q.x.N, q.x.Data)
		s, err := similarity.Symmetric(m)
		if err != nil {
			return err
		}
		for _, note := range []string{asymmetry(m, q.roundoff), distant(s)} {
			if note != "" {
				notes = append(notes, q.name+" "+note)
			}
		}
		d.Similarities = append(d.Similarities, Similarity{Name: q.name, N: q.x.N, S: similarity.Vec(s)})
		return nil
	})
	if err != nil {
		return nil, err
	}
	d.Doubts = notes
	d.Prepared = strings.Join(append([]string{fmt.Sprintf("similarities of %s, %s", count(n, "point"),
		matrices(len(paths)))}, notes...), "; ")
	return o.labelled(d)
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
	return fmt.Sprintf("is not symmetric, by %.3g at most: %.6g in row %d, column %d, but %.6g in row %[4]d, "+
		"column %[3]d; of the two the mean is taken",
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
	return "has 0 for each point with itself and more with every other, as distances do: of distances, " +
		"similarities are their negatives, or exp(−distance)"
}

// checkSimilarities says what of them does not suit X.
func (d *Dataset) checkSimilarities() error {
	if d.Similarities == nil {
		return nil
	}
	x, ok := d.X.(kernel.Places)
	if !ok {
		return fmt.Errorf("data: %s has similarities, but its points are %s; they must be indices into the matrices",
			d.Name, pointKind(d.X))
	}
	for _, s := range d.Similarities {
		if err := (similarity.Learned{Name: s.Name, N: s.N, S: s.S}).Validate(); err != nil {
			return fmt.Errorf("data: %s: %s: %w", d.Name, s.Name, err)
		}
		if first := d.Similarities[0]; s.S == nil || s.N != first.N {
			return fmt.Errorf("data: %s: %d numbers of the similarity %s of %d points, want those of %d", d.Name,
				len(s.S), s.Name, s.N, first.N)
		}
		if top := slices.Max(x); top >= s.N {
			return fmt.Errorf("data: %s: a point is row %d of the similarity %s, which has %d", d.Name, top+1, s.Name,
				s.N)
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
