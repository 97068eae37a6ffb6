package mkl

import (
	"math"

	"github.com/mklnb/mkl/algos/linalg"

	"gonum.org/v1/gonum/floats"
)

// hiddenRidge bounds min F for degree 2 and r = β‖θ‖². There wᵀK(θ)w = θᵀQθ ≤ λ_max(Q)‖θ‖² (Q: see quadraticForm). For
// ½s²λ_max(Q) ≤ β and 0 ≤ s ≤ 1 follows
//
//	F(θ) ≥ s·Linear − ½s²Quadratic − ½s²θᵀQθ + β‖θ‖² ≥ s·Linear − ½s²Quadratic
//
// for every θ of any Θ. The bound uses the s with the largest right side. It is useful only if Θ contains θ = 0. For
// other Θ, ‖θ‖ has a positive lower bound, which this argument does not use.
var hiddenRidge = boundArgument{
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
		q, e, ok := pt.quadraticForm()
		if !ok {
			return 0, 0
		}
		ridge, _ := pt.p.ridgeRegularizer()
		spectrum := linalg.Spectral{Threads: pt.Threads}
		if !spectrum.Factorize(q, false) {
			return 0, 0
		}
		l := spectrum.Values()
		m := len(l)
		maxEigenvalue := max(l[m-1]+e+10*linalg.RoundingFactor(m)*floats.Norm(l, 2), 0)
		r := pt.roundingBounds()
		linear, quadratic := pt.Linear-r.linear, pt.Quadratic+r.quadratic
		if !(linear > 0) {
			return 0, 0
		}
		s := min(1, linear/quadratic, math.Sqrt(2*ridge.A/maxEigenvalue)*(1-linalg.RoundingFactor(4)))
		value := s*linear - s*(s*quadratic)/2
		valueErr := linalg.RoundingFactor(8) * s * linear
		return value - valueErr, valueErr + s*r.linear + s*(s*r.quadratic)/2
	},
}
