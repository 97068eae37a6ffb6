package mkl

import (
	"math"

	"github.com/mklnb/mkl/algos/linalg"

	"gonum.org/v1/gonum/floats"
)

// hiddenRidge bounds min F from below for degree 2 and r = β‖θ‖². An m×m matrix Q has wᵀK(θ)w = θᵀQθ ≤ λ_max(Q)‖θ‖² for
// every θ. s scales the dual coefficients w, and the dual objective without K is at least s·LinearTerm −
// ½s²QuadraticTerm (loss.Solution). For ½s²λ_max(Q) ≤ β and 0 ≤ s ≤ 1 follows
//
//	F(θ) ≥ s·LinearTerm − ½s²QuadraticTerm − ½s²θᵀQθ + β‖θ‖² ≥ s·LinearTerm − ½s²QuadraticTerm
//
// for every θ of any Θ. The bound uses the s with the largest right side. It is useful only if Θ contains θ = 0. For
// other Θ, ‖θ‖ has a positive lower bound, which this proof does not use.
var hiddenRidge = boundProof{
	name: "hidden convexity",
	appliesTo: func(p *Problem) bool {
		if p.Degree() != 2 {
			return false
		}
		r, ok := p.ridgeRegularizer()
		m, _ := p.Grams.Dims()
		return ok && r.K == 0 && floats.Norm(r.C, math.Inf(1)) == 0 && m <= maxFormOrder &&
			p.Set.Contains(make([]float64, m))
	},
	lowerBound: func(pt *Point) (float64, float64) {
		q, e, ok := pt.quadraticFormInTheta()
		if !ok {
			return 0, 0
		}
		ridge, _ := pt.p.ridgeRegularizer()
		spectrum := linalg.Spectral{Threads: pt.Threads}
		if !spectrum.Factorize(q, false) {
			return 0, 0
		}
		eigenvalues := spectrum.Values()
		m := len(eigenvalues)
		maxEigenvalue := max(eigenvalues[m-1]+e+10*linalg.RoundingFactor(m)*floats.Norm(eigenvalues, 2), 0)
		r := pt.roundingBounds()
		linearTerm, quadraticTerm := pt.LinearTerm-r.linearErr, pt.QuadraticTerm+r.quadraticErr
		if !(linearTerm > 0) {
			return 0, 0
		}
		s := min(1, linearTerm/quadraticTerm, math.Sqrt(2*ridge.A/maxEigenvalue)*(1-linalg.RoundingFactor(4)))
		dualValue := s*linearTerm - s*(s*quadraticTerm)/2
		dualValueErr := lastRoundingFactor() * s * linearTerm
		return dualValue - dualValueErr, dualValueErr + s*r.linearErr + s*(s*r.quadraticErr)/2
	},
}
