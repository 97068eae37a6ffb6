package loss

import (
	"math"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"

	"gonum.org/v1/gonum/floats"
)

// matrixErrorBounds returns three bounds: entryError, a relative bound on the errors of the entries of K; shiftToPSD, a
// δ ≥ 0 such that K(θ) + δI is positive semidefinite; and includedShift, a bound on the multiple of I that the family
// added to K(θ). If K states no bounds, it assumes 16 rounded operations for each entry, and includedShift = 0.
func matrixErrorBounds(k *kernel.Matrix, diag []float64) (entryError, shiftToPSD, includedShift float64) {
	if entryErrorBound, shiftToPSD, includedShift, ok := k.ErrorBounds(); ok {
		return entryErrorBound, shiftToPSD, includedShift
	}
	u := linalg.RoundingFactor(16)
	return u, u * floats.Sum(diag), 0
}

// boundProductErrors returns a function of i that bounds the rounding error of (Kw)_i for the w in s, and the shifts of
// matrixErrorBounds: K + shiftToPSD·I is positive semidefinite, and K contains at most includedShift·I. If kw is not
// nil, it is Kw with a relative error of at most linalg.Epsilon in each number, and the bound is linalg.Epsilon·|kw_i|.
// Otherwise the bound is errorFactor·r_i Σ_j r_j|w_j| with r_i = √(K_ii + shiftToPSD), where errorFactor is the
// relative error of the entries of K and of the sum.
func (s *Solution) boundProductErrors(k *kernel.Matrix, kw []float64) (bound func(i int) float64, shiftToPSD,
	includedShift float64) {
	s.diagRoots = resize(s.diagRoots, len(s.W))
	rootColumns := k.Diagonal(s.diagRoots)
	entryError, shiftToPSD, includedShift := matrixErrorBounds(k, s.diagRoots)
	if kw != nil {
		return func(i int) float64 { return linalg.Epsilon * math.Abs(kw[i]) }, shiftToPSD, includedShift
	}
	errorFactor := linalg.RoundingFactor(len(s.diagRoots)+rootColumns+4) + entryError
	rootWeightedSum := 0.0 // Σ_j r_j|w_j| with r_j = √(K_jj + shiftToPSD)
	for i, v := range s.diagRoots {
		s.diagRoots[i] = math.Sqrt(v + shiftToPSD)
		rootWeightedSum += s.diagRoots[i] * math.Abs(s.W[i])
	}
	if rootWeightedSum == 0 { // w = 0, so Kw = 0 even if errorFactor is infinite
		errorFactor = 0
	}
	return func(i int) float64 { return errorFactor * s.diagRoots[i] * rootWeightedSum }, shiftToPSD, includedShift
}
