package mkl

import (
	"math"

	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/reg"

	"gonum.org/v1/gonum/floats"
)

// lasso bounds min F for a family linear in θ on θ ≥ 0 with r(θ) = βΣθ. The dual coefficients sα are feasible for
// 0 ≤ s ≤ 1. With v_k = wᵀK_kw they prove
//
//	min F ≥ s·Linear − ½s²Quadratic + min_{θ≥0} ( r(θ) − ½s²⟨v,θ⟩ ).
//
// The last minimum is 0 if ½s²·max v ≤ β, and −∞ otherwise. The bound uses the best s with ½s²·max v ≤ β.
var lasso = argument{
	name: "duality",
	appliesTo: func(p *Problem) bool {
		_, isLasso := p.Reg.(reg.Lasso)
		return p.Set.Traits().Orthant() && isLasso && isLinearFamily(p)
	},
	lowerBound: func(pt *Point) (float64, float64) {
		v := make([]float64, len(pt.Theta))
		floats.AddScaled(v, -2, pt.GradJ())
		floats.AddScaled(v, 2, pt.gradError())
		t := max(floats.Max(v), 0) / pt.p.Reg.(reg.Lasso).Beta * (1 + linalg.Gamma(len(v)+64))
		return pt.scaledBound(math.Sqrt(2/t) * (1 - linalg.Gamma(4)))
	},
}
