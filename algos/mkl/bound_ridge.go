package mkl

import (
	"math"

	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/floats"
)

// ridgeDuality bounds min F for a family linear in θ and r(θ) = a‖θ−c‖² + k. The dual coefficients sα are feasible for
// 0 ≤ s ≤ 1, and prove
//
//	min F ≥ s·Linear − ½s²Quadratic + min_Θ ( s²⟨∇J,θ⟩ + r(θ) ).
//
// The projection θ* of c − s²∇J/2a attains the minimum. s is 1 unless a smaller s gives a larger right side, as it may
// if a is small and Θ hardly limits θ. The right side is concave in s. A search over twelve values of s approximates
// its maximum; every s gives a valid bound. An error e of s²∇J changes the minimum by at most ⟨|e|,|θ*|⟩ + ‖e‖²/4a,
// because s²⟨∇J,θ⟩ + r(θ) grows at least like a‖θ−θ*‖² about θ*. The error also changes the minimum by at most max_Θ
// ⟨|e|,|θ|⟩. The smaller of these two bounds is used.
var ridgeDuality = boundArgument{
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
		// evaluateAt stores θ* for s in theta. It returns the bound for s and its derivative in s (Danskin's theorem).
		evaluateAt := func(s float64) (value, slope float64) {
			minimum := pt.p.minimizeWithQuadratics(theta, g, s*s, q)
			return s*pt.Linear - s*s*pt.Quadratic/2 + minimum, pt.Linear - s*pt.Quadratic + 2*s*floats.Dot(g, theta)
		}
		s := 1.0
		value, slope := evaluateAt(s)
		if slope < -1e-6*(math.Abs(pt.Linear)+pt.Quadratic) {
			lo, slopeLo, hi, slopeHi := 0.0, pt.Linear, s, slope // the slope is slopeLo > 0 at lo and slopeHi < 0 at hi
			for range 12 {
				t := lo + (hi-lo)*min(max(slopeLo/(slopeLo-slopeHi), 0.1), 0.9)
				v, d := evaluateAt(t)
				if v > value {
					s, value = t, v
				}
				if d > 0 {
					lo, slopeLo = t, d
				} else {
					hi, slopeHi = t, d
				}
			}
			value, _ = evaluateAt(s)
		}
		r := pt.roundingBounds()
		// θ* is the projection only up to rounding, so its value may be slightly above the minimum
		minimumErr, absoluteSum := pt.minimumError(q, g, theta, s*s)
		roundingErr := s*r.linear + s*s*r.quadratic/2 + minimumErr + linalg.RoundingFactor(len(theta)+64)*absoluteSum +
			linalg.RoundingFactor(8)*(s*math.Abs(pt.Linear)+s*s*pt.Quadratic)
		return value - roundingErr, roundingErr
	},
}

// minimumError bounds the errors of the minimum of gradScale·⟨∇J,θ⟩ + q(θ) over Θ, which theta attains. minimumErr
// bounds the change of the minimum by the error of g, the computed ∇J. absoluteSum is the sum of the absolute values of
// the terms of the minimum; it bounds the rounding of their sum.
func (pt *Point) minimumError(q quadratics, g, theta []float64, gradScale float64) (minimumErr, absoluteSum float64) {
	n, factorSet := len(theta)/len(q), pt.p.Set
	if len(q) > 1 {
		factorSet = factorSet.Traits().Factor
	}
	gradErr, e := pt.gradientErrorBounds(), make([]float64, n)
	for i, r := range q {
		absDot := 0.0
		absoluteSum += math.Abs(r.K)
		for k, c := range r.C {
			e[k] = gradScale * (1 + linalg.RoundingFactor(4)) * gradErr[i*n+k]
			v, gradSize := theta[i*n+k], math.Abs(gradScale*g[i*n+k])
			d, a := math.Abs(v-c), math.Abs(v)
			absoluteSum += gradSize*a + r.A*d*(d+a+math.Abs(c)+gradSize/r.A)
			absDot += e[k] * a
		}
		errNorm := floats.Norm(e, 2)
		minimumErr += math.Min(absDot+errNorm*errNorm/(4*r.A), set.SupportAbs(factorSet, e))
	}
	return minimumErr, absoluteSum
}
