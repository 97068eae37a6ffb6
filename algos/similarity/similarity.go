// Package similarity makes kernels from matrices S of similarities s(x_i, x_j) that need not be positive semidefinite,
// such as alignment scores, negated distances and human judgments. A kernel machine needs a valid kernel. There are two
// ways to get one: change the eigenvalues of S, or learn a kernel matrix close to S together with the machine.
//
//	Decompose, Spectrum   the eigenvalues of S; Spectrum.NegativeMass is the negative share of them
//	Repair, Repairs       ways to change eigenvalues: Denoise, Flip, Shift …; Spectrum.Repair makes a Kernel
//	Kernel                a repaired kernel matrix; Cross maps the similarities of new points accordingly
//	Repaired              the family of repairs as base kernels, whose weights mkl or learn learns
//	Learned               the family of kernel matrices near S: a problem with reg.DistancePenalty
//	Alignment             Smith–Waterman and Needleman–Wunsch scores of sequences, for all pairs in parallel
//	Vec                   S as θ, row by row
//
//	s, err := similarity.Decompose(matrix) // S, n×n
//	k, err := s.Repair(similarity.Denoise) // k.K is a kernel matrix, n×n
//	z, err := k.Cross(scores)              // l×n kernel values of l new points, from their similarities
//
// learn.Learn does this by itself for similarities that data.Options.OpenSimilarities reads from a file.
//
// References:
//   - Y. Chen, E. Garcia, M. Gupta, A. Rahimi and L. Cazzanti, Similarity-based classification: concepts and
//     algorithms, JMLR 10 (2009), for the repairs and their rules for new points.
//   - A. Kundu, V. Tankasali, C. Bhattacharyya and A. Ben-Tal, Efficient algorithms for learning kernels from multiple
//     similarity matrices with general convex loss functions, NIPS 2010.
package similarity

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/linalg"

	"gonum.org/v1/gonum/mat"
)

// Spectrum is the eigendecomposition S = VΛVᵀ of the symmetric matrix S of similarities between n training points. It
// does not change after its construction.
type Spectrum struct {
	S       *mat.SymDense // the matrix S, n×n
	Values  []float64     // the eigenvalues λ_1 ≤ … ≤ λ_n, the diagonal of Λ
	Vectors *mat.Dense    // V, n×n; column i is the eigenvector of λ_i
}

// maxEntry is the bound below which the magnitudes of similarities must be, so that no square of an eigenvalue
// overflows.
const maxEntry = 1e140

// Decompose returns the eigendecomposition of S. The result refers to S without a copy. It takes about 9n³ operations.
// It returns an error if S has an entry that is not finite or not below 1e140 in magnitude.
func Decompose(s *mat.SymDense) (*Spectrum, error) {
	if s.IsEmpty() {
		return nil, errors.New("similarity: the matrix is empty; pass at least one point")
	}
	n := s.SymmetricDim()
	for i := range n {
		for j := i; j < n; j++ {
			if v := s.At(i, j); !(math.Abs(v) < maxEntry) {
				return nil, fmt.Errorf("similarity: row %d, column %d is %g; it must be finite and below %g, so scale "+
					"the matrix down", i+1, j+1, v, maxEntry)
			}
		}
	}
	var e linalg.Spectral
	if !e.Factorize(s, true) {
		return nil, errors.New("similarity: the eigenvalue iteration of the similarity matrix does not converge; " +
			"scale the entries of the matrix to magnitudes of about 1")
	}
	return &Spectrum{S: s, Values: slices.Clone(e.Values()), Vectors: mat.DenseCopyOf(e.Vectors())}, nil
}

// NegativeMass returns Σ_{λ<0}|λ| / Σ|λ|, the negative share of the spectrum. It is at most 1. It is 0 up to rounding
// for a valid kernel, and 0 for S = 0.
func (s *Spectrum) NegativeMass() float64 {
	negativeSum, absoluteSum := 0.0, 0.0
	for _, l := range s.Values {
		absoluteSum += math.Abs(l)
		negativeSum += max(0, -l)
	}
	if absoluteSum == 0 {
		return 0
	}
	return negativeSum / absoluteSum
}
