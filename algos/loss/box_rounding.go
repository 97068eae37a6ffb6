package loss

import (
	"math"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"
)

// setRoundingBound sets s.Rounding and s.ShiftError for the optimal value J, the dual objective D and the residuals x =
// y − f − b, f = Kw. kw is nil, or Kw with a relative error of at most linalg.Epsilon in each number.
//
// Rounding of Kw: the error of risk_i is at most the bound of the error of (Kw)_i times the largest slope of risk_i.
//
// Infeasible w: rounding may make Σw nonzero and put w slightly outside its bounds. A feasible vector near w has a D
// that is lower by at most (|Σw| + the rounding of Σ|w|) times the largest |y_i − f_i| + ε + r_i|w_i|. If w is farther
// from feasible, LinearTerm is set to 0, so that w proves only the lower bound that α = 0 proves.
//
// Indefinite K: the stored matrix K(θ) may have negative eigenvalues ≥ −δ, where δ = shiftToPSD. Without ridges, J ≤
// ½wᵀKw + Σ_i max_α (x_iα − ε|α| + ½δ(α − w_i)²) over lo_i ≤ α ≤ hi_i. With ridges, J exceeds the primal value by at
// most the maximum of ½δ‖α − w‖² − ½ρ‖α − α*‖² over feasible α, where ρ is the smallest ridge r_i, and α*_i is the
// derivative of risk_i at x_i.
//
// Shifted K: the family may have added a multiple of I, at most addedShift·I, to K(θ). ShiftError bounds its effect.
func (q *boxQP) setRoundingBound(s *Solution, matrix *kernel.Matrix, kw []float64) {
	productErrorOf, shiftToPSD, addedShift := s.boundErrorsOfKw(matrix, kw)
	sumRounding := linalg.RoundingFactor(len(q.w) + 4) // bound on the relative rounding error of a sum of n terms
	var (
		linearSize         float64 // Σ_i (|y_iw_i| + ε|w_i|), the size of the linear terms of D
		formError          float64 // bound on the error of wᵀKw
		risks              float64 // Σ_i risk_i
		risksError         float64 // bound on the rounding error of the sum risks
		sumW, sumAbsW      float64
		maxSlope           float64 // the largest absolute slope of D in a w_i
		excessIfIndefinite float64 // how far J can exceed Primal if K has the eigenvalue −shiftToPSD, without ridges
		squaredDistance    float64 // ‖α* − w‖², where α*_i is the derivative of risk_i at x_i
		shiftError         float64
		minRidge           = math.Inf(1) // the smallest ridge r_i
		isInfeasible       bool          // w is outside its bounds by more than rounding
	)
	for i, w := range q.w {
		f := q.f[i]
		isInfeasible = isInfeasible || w > q.hi[i]*(1+sumRounding) || w < q.lo[i]*(1+sumRounding)
		productError := productErrorOf(i)
		linearSize += math.Abs(q.y[i]*w) + q.epsilon*math.Abs(w)
		formError += math.Abs(w) * (productError + sumRounding*math.Abs(f))
		x := q.y[i] - f - s.Bias // the residual; residualError bounds its rounding error
		risks += q.riskAt(i, x)
		residualError := productError +
			linalg.RoundingFactor(2)*(math.Abs(q.y[i])+math.Abs(f)+math.Abs(s.Bias)+q.epsilon)
		sumW += w
		sumAbsW += math.Abs(w)
		maxSlope = max(maxSlope, math.Abs(x)+productError+q.epsilon+q.r[i]*math.Abs(w))
		if q.hasRidge {
			x = max(x, 0)
			if q.hi[i] == 0 {
				x = max(-(q.y[i] - f - s.Bias), 0)
			}
			risksError += (x + residualError/2) * residualError / q.r[i]
			d := x/q.r[i] - math.Abs(w)
			squaredDistance += d * d
			minRidge = min(minRidge, q.r[i])
			x += residualError + shiftToPSD*math.Abs(w)
			if remainingRidge := q.r[i] - shiftToPSD; addedShift > 0 && addedShift < remainingRidge {
				shiftError += x * x * addedShift / remainingRidge / (remainingRidge - addedShift) / 2
			} else if addedShift > 0 {
				shiftError = math.Inf(1)
			}
			continue
		}
		risksError += q.largestRiskSlope(i, x, residualError) * residualError
		if shiftToPSD+addedShift > 0 {
			excess, excessWithoutShift := q.computeExcessIfIndefinite(i, x, residualError, shiftToPSD, addedShift)
			shiftError += excessWithoutShift - excess
			if shiftToPSD > 0 {
				excessIfIndefinite += excess
			}
		}
	}
	sumError := math.Abs(sumW) + sumRounding*sumAbsW
	if isInfeasible || sumError > 1e-6*sumAbsW { // then D(w) does not bound J: use the lower bound for w = 0
		s.LinearTerm = 0
	}
	s.Rounding = Rounding{LinearTerm: sumRounding*linearSize + sumError*(maxSlope+math.Abs(s.Bias)),
		QuadraticTerm: sumRounding * s.QuadraticTerm, WKW: formError, SumOfW: sumError, HasBounds: true}
	s.Rounding.Primal = formError/2 + risksError + sumRounding*risks
	s.ShiftError = shiftError * (1 + sumRounding)
	switch {
	case shiftToPSD == 0:
	case !q.hasRidge:
		s.Rounding.Primal += excessIfIndefinite
	case shiftToPSD >= minRidge/2:
		s.Rounding.Primal = math.Inf(1)
	default:
		s.Rounding.Primal += shiftToPSD * minRidge * squaredDistance / (2 * (minRidge - shiftToPSD))
	}
}

// largestRiskSlope returns the largest absolute slope of risk_i where the residual can be, given its error.
func (q *boxQP) largestRiskSlope(i int, residual, residualError float64) (largest float64) {
	if residual+residualError > q.epsilon {
		largest = q.hi[i]
	}
	if residual-residualError < -q.epsilon {
		largest = max(largest, -q.lo[i])
	}
	return largest
}

// computeExcessIfIndefinite returns how far the term of point i in J can exceed its risk because K may have the
// eigenvalue −shiftToPSD: for K, and for K − addedShift·I. residualError bounds the rounding error of the residual.
func (q *boxQP) computeExcessIfIndefinite(i int, residual, residualError, shiftToPSD, addedShift float64) (excess,
	excessWithoutShift float64) {
	w := q.w[i]
	for _, a := range [...]float64{q.lo[i], 0, q.hi[i]} {
		v := residual*a - q.epsilon*math.Abs(a) + shiftToPSD*(a-w)*(a-w)/2 + math.Abs(a)*residualError - q.riskAt(i,
			residual)
		excess = max(excess, v)
		excessWithoutShift = max(excessWithoutShift, v+addedShift*a*a/2)
	}
	return excess, excessWithoutShift
}
