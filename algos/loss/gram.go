package loss

import (
	"math"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"

	"gonum.org/v1/gonum/floats"
)

// matrixBounds returns the bounds that kernel.ErrorBounded defines: entries, a relative bound on the errors of the
// entries of K; shift, a δ ≥ 0 such that K(θ) + δI is positive semidefinite; and addedShift, a bound on the diagonal
// shift that K(θ) already contains. If K does not state them, matrixBounds assumes 16 rounded operations for each entry
// and computes them from the diagonal of K.
func matrixBounds(k *kernel.Matrix, diag []float64) (entries, shift, addedShift float64) {
	if entries, shift, addedShift, ok := k.Bounds(); ok {
		return entries, shift, addedShift
	}
	u := linalg.Gamma(16)
	return u, u * floats.Sum(diag), 0
}

// productErrorBounds stores r_i = √(K_ii + δ) in s.diagRoots and returns the c with which the computed (Kw)_i differs
// from (K(θ)w)_i by at most c r_i Σ_j r_j|w_j|. It also returns shift = δ and addedShift: see matrixBounds.
func (s *Solution) productErrorBounds(k *kernel.Matrix) (c, shift, addedShift float64) {
	s.diagRoots = resize(s.diagRoots, len(s.W))
	rank := k.Diagonal(s.diagRoots)
	u, shift, addedShift := matrixBounds(k, s.diagRoots)
	for i, v := range s.diagRoots {
		s.diagRoots[i] = math.Sqrt(v + shift)
	}
	return linalg.Gamma(len(s.diagRoots)+rank+4) + u, shift, addedShift
}
