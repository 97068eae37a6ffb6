package loss

import (
	"math"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"

	"gonum.org/v1/gonum/floats"
)

// matrixErrorBounds returns three bounds: entryError, a relative bound on the errors of the entries of K; psdShift, a δ
// ≥ 0 such that K(θ) + δI is positive semidefinite; and addedShift, a bound on the multiple of I that the family added
// to K(θ). If K states no bounds, matrixErrorBounds assumes 16 rounded operations for each entry, and addedShift = 0.
func matrixErrorBounds(k *kernel.Matrix, diag []float64) (entryError, psdShift, addedShift float64) {
	if statedError, psdShift, addedShift, ok := k.ErrorBounds(); ok {
		return statedError, psdShift, addedShift
	}
	u := linalg.RoundingFactor(16)
	return u, u * floats.Sum(diag), 0
}

// boundProductErrors returns a function of i that bounds the rounding error of (Kw)_i for the w in s, and the shifts of
// matrixErrorBounds: K + psdShift·I is positive semidefinite, and K contains at most addedShift·I. If kw is not nil, it
// is Kw with a relative error of at most linalg.Epsilon in each number, and the bound is linalg.Epsilon·|kw_i|.
// Otherwise the bound is errorFactor·r_i Σ_j r_j|w_j| with r_i = √(K_ii + psdShift), where errorFactor is the relative
// error of the entries of K and of the sum.
func (s *Solution) boundProductErrors(k *kernel.Matrix, kw []float64) (bound func(i int) float64, psdShift,
	addedShift float64) {
	s.diagRoots = resize(s.diagRoots, len(s.W))
	rank := k.Diagonal(s.diagRoots)
	entryError, psdShift, addedShift := matrixErrorBounds(k, s.diagRoots)
	if kw != nil {
		return func(i int) float64 { return linalg.Epsilon * math.Abs(kw[i]) }, psdShift, addedShift
	}
	errorFactor, rootWeightedSum := linalg.RoundingFactor(len(s.diagRoots)+rank+4)+entryError, 0.0 // Σ_j r_j|w_j|
	for i, v := range s.diagRoots {
		s.diagRoots[i] = math.Sqrt(v + psdShift)
		rootWeightedSum += s.diagRoots[i] * math.Abs(s.W[i])
	}
	if rootWeightedSum == 0 { // w = 0, so Kw = 0 even if errorFactor is infinite
		errorFactor = 0
	}
	return func(i int) float64 { return errorFactor * s.diagRoots[i] * rootWeightedSum }, psdShift, addedShift
}
