package loss

import (
	"math"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"
)

// setRoundingBound sets s.Rounding and s.ShiftError. kw is nil, or Kw with a relative error of at most linalg.Epsilon
// in each number.
//
// Rounding of Kw: the error of (Kw)_i is at most the bound that productErrors returns for i. The computed risk of point
// i then has at most an error of this bound times the largest slope of risk_i.
//
// Infeasible w: rounding may make Σw nonzero and put w slightly outside its bounds. A feasible vector near w has a D
// that is lower by at most (|Σw| + the rounding of Σ|w|) times the largest |y_i − f_i| + ε + r_i|w_i|. If w is farther
// from feasible, Linear is set to 0, so that w proves only the lower bound that α = 0 proves.
//
// Indefinite K: psdShift is a δ ≥ 0 such that K(θ) + δI is positive semidefinite. K(θ) may have the eigenvalue −δ. For
// r = 0, J ≤ ½wᵀKw + Σ_i max_α (x_iα − ε|α| + ½δ(α − w_i)²) with x = y − f − b and lo_i ≤ α ≤ hi_i. For r > 0, J
// exceeds the primal value by at most the maximum of ½δ‖α − w‖² − ½r‖α − α*‖² over feasible α, where α*_i is the
// derivative of risk_i at x_i, and r, without an index, the smallest r_i.
//
// Shifted K: addedShift is at least the diagonal shift that K(θ) contains. ShiftError bounds the effect of removing it.
func (q *boxQP) setRoundingBound(s *Solution, matrix *kernel.Matrix, kw []float64) {
	productErrorOf, psdShift, addedShift := s.productErrors(matrix, kw)
	sumFactor := linalg.RoundingFactor(len(q.w) + 4) // relative rounding error of a sum of n terms
	var (
		linearSize     float64 // Σ_i |y_iw_i| + ε|w_i|
		formError      float64 // bound on the error of wᵀKw
		risks          float64 // Σ_i risk_i
		risksError     float64 // bound on the error of risks
		sumW, sumAbsW  float64
		maxSlope       float64 // the largest slope of D in w_i
		indefiniteGain float64 // Σ_i max_α (x_iα − ε|α| + ½δ(α − w_i)²) − risk_i(x_i)
		distance2      float64 // ‖α* − w‖²: see the comment above
		shiftError     float64
		minRidge       = math.Inf(1) // the smallest r_i
		isInfeasible   bool          // w is outside its bounds by more than rounding
	)
	for i, w := range q.w {
		f := q.f[i]
		isInfeasible = isInfeasible || w > q.hi[i]*(1+sumFactor) || w < q.lo[i]*(1+sumFactor)
		productError := productErrorOf(i)
		linearSize += math.Abs(q.y[i]*w) + q.epsilon*math.Abs(w)
		formError += math.Abs(w) * (productError + sumFactor*math.Abs(f))
		x := q.y[i] - f - s.Bias // residualError, below, bounds the error of x
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
			distance2 += d * d
			minRidge = min(minRidge, q.r[i])
			x += residualError + psdShift*math.Abs(w)
			if curvature := q.r[i] - psdShift; addedShift > 0 && addedShift < curvature {
				shiftError += x * x * addedShift / curvature / (curvature - addedShift) / 2
			} else if addedShift > 0 {
				shiftError = math.Inf(1)
			}
			continue
		}
		risksError += q.largestRiskSlope(i, x, residualError) * residualError
		if psdShift+addedShift > 0 {
			gain, unshiftedGain := q.indefiniteGainTerms(i, x, residualError, psdShift, addedShift)
			shiftError += unshiftedGain - gain
			if psdShift > 0 {
				indefiniteGain += gain
			}
		}
	}
	sumError := math.Abs(sumW) + sumFactor*sumAbsW
	if isInfeasible || sumError > 1e-6*sumAbsW { // then D(w) proves nothing: use the lower bound for w = 0
		s.Linear = 0
	}
	s.Rounding = Rounding{Linear: sumFactor*linearSize + sumError*(maxSlope+math.Abs(s.Bias)), Quadratic: sumFactor *
		s.Quadratic, WKW: formError, Sum: sumError, IsKnown: true}
	s.Rounding.Primal = formError/2 + risksError + sumFactor*risks
	s.ShiftError = shiftError * (1 + sumFactor)
	switch {
	case psdShift == 0:
	case !q.hasRidge:
		s.Rounding.Primal += indefiniteGain
	case psdShift >= minRidge/2:
		s.Rounding.Primal = math.Inf(1)
	default:
		s.Rounding.Primal += psdShift * minRidge * distance2 / (2 * (minRidge - psdShift))
	}
}

// largestRiskSlope returns the largest slope of risk_i within residualError of the residual.
func (q *boxQP) largestRiskSlope(i int, residual, residualError float64) (largest float64) {
	if residual+residualError > q.epsilon {
		largest = q.hi[i]
	}
	if residual-residualError < -q.epsilon {
		largest = max(largest, -q.lo[i])
	}
	return largest
}

// indefiniteGainTerms returns term i of the sum indefiniteGain in setRoundingBound, for K(θ) and for K(θ) −
// addedShift·I. residualError bounds the error of the residual.
func (q *boxQP) indefiniteGainTerms(i int, residual, residualError, psdShift, addedShift float64) (gain,
	unshiftedGain float64) {
	w := q.w[i]
	for _, a := range [...]float64{q.lo[i], 0, q.hi[i]} {
		v := residual*a - q.epsilon*math.Abs(a) + psdShift*(a-w)*(a-w)/2 + math.Abs(a)*residualError - q.riskAt(i,
			residual)
		gain = max(gain, v)
		unshiftedGain = max(unshiftedGain, v+addedShift*a*a/2)
	}
	return gain, unshiftedGain
}
