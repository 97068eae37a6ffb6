package mkl

import (
	"math"

	"github.com/mklnb/mkl/algos/linalg"

	"gonum.org/v1/gonum/floats"
)

// cut bounds min F from below for a family linear in θ and a convex r that is neither 0 nor quadratic. Let D(α) be the
// part of the dual objective without K, and w the dual coefficients of a fixed α. F_α(θ) = D(α) − ½wᵀK(θ)w + r(θ) ≤
// F(θ) is convex in θ. With a subgradient g of F_α at θ,
//
//	min F ≥ F_α(θ) − ⟨g,θ⟩ + min_Θ ⟨g,·⟩.
//
// Of the rounding errors in r, the bound covers only those of the value r(θ) and of the m products in ⟨g,θ⟩.
var cut = boundProof{
	name: "a cut",
	appliesTo: func(p *Problem) bool {
		_, ok := p.regularizerAsQuadratics()
		return isLinearFamily(p) && p.Reg != nil && !ok
	},
	lowerBound: func(pt *Point) (float64, float64) {
		intercept, roundingErr := pt.cutValueAtZero()
		roundingErr += pt.boundErrorOfVertexMinimum()
		return intercept + pt.Oracle().Minimum - roundingErr, roundingErr
	},
}

// cutValueAtZero returns F(θ) − ⟨∇F(θ),θ⟩, the tangent of F at θ evaluated at 0, and a bound of its rounding error.
func (pt *Point) cutValueAtZero() (intercept, roundingErr float64) {
	g, gradErrs, r := pt.Grad(), pt.gradientErrorBounds(), pt.roundingBounds()
	absoluteSum, gradErr := math.Abs(pt.R)+pt.LinearTerm+pt.QuadraticTerm+pt.WKW, 0.0
	for k, v := range pt.Theta {
		absoluteSum += math.Abs(g[k] * v)
		gradErr += gradErrs[k] * math.Abs(v)
	}
	roundingErr = r.linearErr + r.quadraticErr/2 + r.wkwErr/2 + gradErr + linalg.RoundingFactor(len(g)+64)*absoluteSum
	return pt.F() - floats.Dot(g, pt.Theta), roundingErr
}
