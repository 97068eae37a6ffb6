package data

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/points"
)

// Similarity is a symmetric matrix of similarities s(x_i, x_j) between N points, of any sign. It need not be a valid
// kernel.
type Similarity struct {
	Name string
	N    int
	// S is N×N, row-major, in the form that similarity.Learned and reg.DistancePenalty take. The points of a dataset
	// are points.Indices: numbers, from 0, of rows of S.
	S    []float64
	Part string // the part of points.Parts that the points are (Join), or empty
}

// Matrix returns S in the form that similarity.Decompose takes.
func (s Similarity) Matrix() *mat.SymDense {
	return mat.NewSymDense(s.N, slices.Clone(s.S))
}

// OpenSimilarities reads points that are given by matrices of similarities only, such as alignment scores, negated
// distances or human judgments. Each file, CSV or NPY, holds one matrix of n rows and n columns and becomes one of
// Dataset.Similarities, named after the file. The matrices need not be positive semidefinite. The n labels are in the
// file Options.LabelFile, as for OpenGrams.
//
//	d := data.Options{LabelFile: "y.csv"}.OpenSimilarities("scores.csv")
//
// s_ij and s_ji are replaced by their mean. If they differ by more than rounding explains (1e-8 of the largest entry,
// or 8·2⁻²⁴ of it in a file of float32), Dataset.Doubts state the largest difference and its place. They also mention a
// matrix that looks like distances (0 on the diagonal, positive numbers elsewhere), and a matrix of zeros. Errors are:
// a matrix that is not square, matrices of different sizes, a missing cell, and a number that is not finite. See
// OpenGrams for names of rows and columns.
//
// learn.Learn uses spectrum corrections of the matrices as base kernels (similarity.Repaired). similarity.Learned and
// reg.DistancePenalty take Similarity.S; similarity.Decompose takes Similarity.Matrix(). New points are rows of
// similarities to the n points: Dataset.Encoding.OpenPoints reads one file for each matrix, in the same order, as
// points.KernelRows.
func (o Options) OpenSimilarities(paths ...string) (*Dataset, error) {
	return prefixError(o.openSquareMatrices(paths, "similarities", func(r *datasetBuilder, m matrix) error {
		if note := symmetrize(m.x, max(1e-8, 8*m.roundoff)); note != "" {
			r.Doubts = append(r.Doubts, m.name+note)
		}
		if looksLikeDistances(m.x) {
			r.Doubts = append(r.Doubts, m.name+" has 0 for each point with itself and positive numbers for all other "+
				"pairs, as distances do: turn distances into similarities by negation, or by exp(−distance)")
		}
		r.Similarities = append(r.Similarities, Similarity{Name: m.name, N: m.x.N, S: m.x.Data})
		return nil
	}))
}

// symmetrize replaces x_ij and x_ji by their mean. If some pair differs by more than tolerance times the largest
// magnitude of a number, it returns a note on the largest difference, and otherwise "".
func symmetrize(x points.Rows, tolerance float64) (note string) {
	allowedDifference := tolerance * max(slices.Max(x.Data), -slices.Min(x.Data))
	for i := range x.N {
		for j := i + 1; j < x.N; j++ {
			a, b := &x.Data[i*x.D+j], &x.Data[j*x.D+i]
			if d := math.Abs(*a - *b); d > allowedDifference {
				allowedDifference = d
				note = fmt.Sprintf(" is not symmetric: the largest difference is %.3g, between %.6g in row %d, "+
					"column %d, and %.6g in row %[4]d, column %[3]d; the mean of both is used", d, *a, i+1, j+1, *b)
			}
			mean := *a/2 + *b/2
			*a, *b = mean, mean
		}
	}
	return note
}

// looksLikeDistances reports whether the square matrix x has three or more rows, 0 on the diagonal and positive numbers
// elsewhere.
func looksLikeDistances(x points.Rows) bool {
	for k, v := range x.Data {
		if isDiagonal := k/x.D == k%x.D; isDiagonal && v != 0 || !isDiagonal && v <= 0 {
			return false
		}
	}
	return x.N > 2
}

// checkSimilarities returns an error unless the points are indices of rows of the similarities.
func (d *Dataset) checkSimilarities() error {
	for _, s := range d.Similarities {
		x, err := points.As[points.Indices](d.pointsOf(s.Part))
		if err != nil || len(s.S) != s.N*s.N || slices.Max(x) >= s.N {
			return fmt.Errorf("its points must be row numbers of the similarity %s, which must have %d×%d numbers and "+
				"has %d", s.Name, s.N, s.N, len(s.S))
		}
	}
	return nil
}
