package mkl

import (
	"math"

	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/floats"
)

// ridgeDuality bounds min F from below for a family linear in θ and r(θ) = a‖θ−c‖² + k with numbers a and k and a
// center c. For 0 ≤ s ≤ 1, sα is feasible, and the dual objective without K is at least s·LinearTerm − ½s²QuadraticTerm
// there:
//
//	min F ≥ s·LinearTerm − ½s²QuadraticTerm + min_Θ ( s²⟨∇J,θ⟩ + r(θ) ).
//
// The projection θ* of c − s²∇J/2a attains the minimum. s is 1 unless a smaller s gives a larger right side, as it may
// if a is small and Θ hardly limits θ. The right side is concave in s. A search over twelve values of s approximates
// its maximum; every s gives a valid bound. An error e of s²∇J changes the minimum by at most ⟨|e|,|θ*|⟩ + ‖e‖²/4a,
// because s²⟨∇J,θ⟩ + r(θ) grows at least like a‖θ−θ*‖² about θ*. The error also changes the minimum by at most max_Θ
// ⟨|e|,|θ|⟩. The smaller of these two bounds is used.
var ridgeDuality = boundProof{
	name: "duality",
	appliesTo: func(p *Problem) bool {
		if !isLinearFamily(p) {
			return false
		}
		_, ok := p.regularizerAsQuadratics()
		return ok
	},
	lowerBound: func(pt *Point) (float64, float64) {
		q, _ := pt.p.regularizerAsQuadratics()
		g, theta := pt.GradJ(), make([]float64, len(pt.Theta))
		// evaluateAt stores in theta the minimizer θ* of s²⟨∇J,θ⟩ + r(θ) over Θ. It returns the bound of min F for s,
		// and the derivative of this bound in s (Danskin's theorem).
		evaluateAt := func(s float64) (boundValue, slope float64) {
			minimum := pt.p.minimizeLinearPlusQuadratics(theta, g, s*s, q)
			boundValue = s*pt.LinearTerm - s*s*pt.QuadraticTerm/2 + minimum
			return boundValue, pt.LinearTerm - s*pt.QuadraticTerm + 2*s*floats.Dot(g, theta)
		}
		s := 1.0
		boundValue, slope := evaluateAt(s)
		if slope < -1e-6*(math.Abs(pt.LinearTerm)+pt.QuadraticTerm) {
			// the slope is slopeLo > 0 at lo and slopeHi < 0 at hi
			lo, slopeLo, hi, slopeHi := 0.0, pt.LinearTerm, s, slope
			for range 12 {
				t := lo + (hi-lo)*min(max(slopeLo/(slopeLo-slopeHi), 0.1), 0.9)
				v, d := evaluateAt(t)
				if v > boundValue {
					s, boundValue = t, v
				}
				if d > 0 {
					lo, slopeLo = t, d
				} else {
					hi, slopeHi = t, d
				}
			}
			boundValue, _ = evaluateAt(s)
		}
		r := pt.roundingBounds()
		// theta minimizes s²⟨∇J,θ⟩ + r(θ) only up to rounding, so the minimum in boundValue may be slightly too large
		minimumErr, absoluteSum := pt.boundMinimumError(q, g, theta, s*s)
		roundingErr := s*r.linearErr + s*s*r.quadraticErr/2 + minimumErr +
			sumRoundingFactor(len(theta))*absoluteSum +
			lastRoundingFactor()*(s*math.Abs(pt.LinearTerm)+s*s*pt.QuadraticTerm)
		return boundValue - roundingErr, roundingErr
	},
}

// boundMinimumError bounds the errors of the computed minimum of gradScale·⟨∇J,θ⟩ + Σ_i q_i(θ_i) over Θ, attained at
// theta. minimumErr bounds how much the error of g, the computed ∇J, changes this minimum. sumOfAbsoluteTerms is the
// sum of the absolute values of the terms of the minimum. The rounding error of the minimum is proportional to it.
func (pt *Point) boundMinimumError(q quadratics, g, theta []float64, gradScale float64) (minimumErr,
	sumOfAbsoluteTerms float64) {
	n, partSet := len(theta)/len(q), pt.p.Set
	if len(q) > 1 {
		partSet = partSet.Traits().Factor
	}
	gradErr, e := pt.gradientErrorBounds(), make([]float64, n)
	for i, r := range q {
		errTimesTheta := 0.0
		sumOfAbsoluteTerms += math.Abs(r.K)
		for k, c := range r.C {
			e[k] = gradScale * (1 + linalg.RoundingFactor(4)) * gradErr[i*n+k]
			v, gradSize := theta[i*n+k], math.Abs(gradScale*g[i*n+k])
			d, a := math.Abs(v-c), math.Abs(v)
			sumOfAbsoluteTerms += gradSize*a + r.A*d*(d+a+math.Abs(c)+gradSize/r.A)
			errTimesTheta += e[k] * a
		}
		errNorm := floats.Norm(e, 2)
		minimumErr += math.Min(errTimesTheta+errNorm*errNorm/(4*r.A), set.SupportAbs(partSet, e))
	}
	return minimumErr, sumOfAbsoluteTerms
}
