package mkl

import (
	"math"

	"github.com/mklnb/mkl/algos/linalg"

	"gonum.org/v1/gonum/floats"
)

// cut bounds min F for a family linear in θ and a convex r that is neither 0 nor quadratic. For fixed α, F_α(θ) = D(α)
// − ½wᵀK(θ)w + r(θ) ≤ F(θ) is convex. With a subgradient g of F_α at θ,
//
//	min F ≥ F_α(θ) − ⟨g,θ⟩ + min_Θ ⟨g,·⟩.
//
// Of the rounding errors in r, the bound covers only those of the value r(θ) and of the m products in ⟨g,θ⟩.
var cut = boundArgument{
	name: "a cut",
	appliesTo: func(p *Problem) bool {
		_, ok := p.regularizerAsQuadratics()
		return isLinearFamily(p) && p.Reg != nil && !ok
	},
	lowerBound: func(pt *Point) (float64, float64) {
		intercept, roundingErr := pt.cutIntercept()
		roundingErr += pt.oracleErrorBound()
		return intercept + pt.Oracle().Minimum - roundingErr, roundingErr
	},
}

// cutIntercept returns F_α(θ) − ⟨g,θ⟩, the value at 0 of the tangent of F_α, and a bound of its rounding error.
func (pt *Point) cutIntercept() (intercept, roundingErr float64) {
	g, gradErrs, r := pt.Grad(), pt.gradientErrorBounds(), pt.roundingBounds()
	absoluteSum, gradErr := math.Abs(pt.R)+pt.Linear+pt.Quadratic+pt.WKW, 0.0
	for k, v := range pt.Theta {
		absoluteSum += math.Abs(g[k] * v)
		gradErr += gradErrs[k] * math.Abs(v)
	}
	roundingErr = r.linear + r.quadratic/2 + r.wkw/2 + gradErr + linalg.RoundingFactor(len(g)+64)*absoluteSum
	return pt.F() - floats.Dot(g, pt.Theta), roundingErr
}
