// Package similarity makes kernels from matrices S of similarities s(x_i, x_j) that need not be positive semidefinite,
// such as alignment scores, negated distances and human judgments. A kernel machine needs a valid kernel. There are two
// ways to get one. A repair changes the eigenvalues of S, and maps the similarities of new points accordingly. Repaired
// is the family of repairs as base kernels, which can be combined. The other way is to learn a kernel matrix close to S
// together with the machine. Learned is the family of such matrices. Alignment computes Smith–Waterman and
// Needleman–Wunsch scores of sequences, for all pairs in parallel.
//
// References:
//   - Y. Chen, E. Garcia, M. Gupta, A. Rahimi and L. Cazzanti, Similarity-based classification: concepts and
//     algorithms, JMLR 10 (2009), for the repairs and their rules for new points.
//   - A. Kundu, V. Tankasali, C. Bhattacharyya and A. Ben-Tal, Efficient algorithms for learning kernels from
//     multiple similarity matrices with general convex loss functions, NIPS 2010.
package similarity

import (
	"errors"
	"fmt"
	"math"

	"github.com/mklnb/mkl/algos/linalg"

	"gonum.org/v1/gonum/mat"
)

// Symmetric returns (S + Sᵀ)/2 for a square matrix S of finite numbers, and an error for any other matrix. If an entry
// is not finite, the error names its row and column, counted from 1.
func Symmetric(s mat.Matrix) (*mat.SymDense, error) {
	n, c := s.Dims()
	if n != c {
		return nil, fmt.Errorf("similarity: the matrix has %d rows and %d columns; it must be square", n, c)
	}
	if n == 0 {
		return nil, errors.New("similarity: the matrix is empty; at least one point is needed")
	}
	out := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range n {
			if v := s.At(i, j); math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("similarity: row %d, column %d is %g; it must be finite", i+1, j+1, v)
			}
		}
		for j := i; j < n; j++ {
			out.SetSym(i, j, s.At(i, j)/2+s.At(j, i)/2)
		}
	}
	return out, nil
}

// Spectrum is the eigendecomposition S = VΛVᵀ of the symmetric matrix S of similarities between n training points. It
// does not change after its construction.
type Spectrum struct {
	S       *mat.SymDense // the matrix S, n×n
	Values  []float64     // λ_1 ≤ … ≤ λ_n, the diagonal of Λ
	Vectors *mat.Dense    // V, n×n; column i is the eigenvector of λ_i
}

// Decompose returns the eigendecomposition of S. The result refers to S without a copy. It takes about 9n³ operations.
// It returns an error if S has an entry that is not finite, or if an eigenvalue overflows.
func Decompose(s *mat.SymDense) (*Spectrum, error) {
	if s.IsEmpty() {
		return nil, errors.New("similarity: the matrix is empty; at least one point is needed")
	}
	var e linalg.Spectral
	if !e.Factorize(s, true) {
		if _, err := Symmetric(s); err != nil {
			return nil, err
		}
		return nil, errors.New("similarity: the eigenvalues overflow; scale the matrix down")
	}
	return &Spectrum{S: s, Values: append([]float64(nil), e.Values()...), Vectors: mat.DenseCopyOf(e.Vectors())}, nil
}

// NegativeMass returns Σ_{λ<0}|λ| / Σ|λ|, the negative share of the spectrum. It is at most 1. It is 0 up to rounding
// for a valid kernel, and 0 for S = 0.
func (s *Spectrum) NegativeMass() float64 {
	negative, total, largest := 0.0, 0.0, s.maxMagnitude()
	if largest == 0 {
		return 0
	}
	for _, l := range s.Values {
		total += math.Abs(l) / largest
		negative += math.Max(0, -l) / largest
	}
	return negative / total
}

// maxMagnitude returns the largest |λ|.
func (s *Spectrum) maxMagnitude() float64 { return math.Max(-s.Values[0], s.Values[len(s.Values)-1]) }
