package loss

import (
	"math"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"

	"gonum.org/v1/gonum/floats"
)

// boundMatrixErrors returns three bounds: entryError, a relative bound on the errors of the entries of K; shiftToPSD, a
// δ ≥ 0 such that K(θ) + δI is positive semidefinite; and addedShift, a bound on the multiple of I that the family
// added to K(θ). If K states no bounds, it assumes 16 rounded operations for each entry, and addedShift = 0.
func boundMatrixErrors(k *kernel.Matrix, diag []float64) (entryError, shiftToPSD, addedShift float64) {
	if entryErrorBound, shiftToPSD, addedShift, ok := k.ErrorBounds(); ok {
		return entryErrorBound, shiftToPSD, addedShift
	}
	u := linalg.RoundingFactor(16)
	return u, u * floats.Sum(diag), 0
}

// boundErrorsOfKw returns a function of i that bounds the rounding error of (Kw)_i for the w in s, and two shifts: K +
// shiftToPSD·I is positive semidefinite, and the family added at most addedShift·I to K. If kw is not nil, it is Kw
// with a relative error of at most linalg.Epsilon in each number, and the bound is linalg.Epsilon·|kw_i|. Otherwise the
// bound is errorFactor·r_i Σ_j r_j|w_j| with r_i = √(K_ii + shiftToPSD), where errorFactor is the relative error of the
// entries of K and of the sum.
func (s *Solution) boundErrorsOfKw(k *kernel.Matrix, kw []float64) (bound func(i int) float64, shiftToPSD,
	addedShift float64) {
	s.diagRoots = linalg.Resize(s.diagRoots, len(s.W))
	phiColumnCount := k.Diagonal(s.diagRoots)
	entryError, shiftToPSD, addedShift := boundMatrixErrors(k, s.diagRoots)
	if kw != nil {
		return func(i int) float64 { return linalg.Epsilon * math.Abs(kw[i]) }, shiftToPSD, addedShift
	}
	errorFactor := linalg.RoundingFactor(len(s.diagRoots)+phiColumnCount+4) + entryError
	sumOfWTimesRoots := 0.0 // Σ_j r_j|w_j| with r_j = √(K_jj + shiftToPSD)
	for i, v := range s.diagRoots {
		s.diagRoots[i] = math.Sqrt(v + shiftToPSD)
		sumOfWTimesRoots += s.diagRoots[i] * math.Abs(s.W[i])
	}
	if sumOfWTimesRoots == 0 { // w = 0, so Kw = 0 even if errorFactor is infinite
		errorFactor = 0
	}
	return func(i int) float64 { return errorFactor * s.diagRoots[i] * sumOfWTimesRoots }, shiftToPSD, addedShift
}
