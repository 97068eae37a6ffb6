package mkl

import (
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/set"
)

// monotonicity bounds min F for a power family where Θ has a greatest element, such as a box, and
// θ is it: K grows with θ, so sup_Θ wᵀK(θ)w = wᵀK(θ)w.
var monotonicity = argument{
	by: "monotonicity",
	suits: func(p *Problem) bool {
		s, ok := p.Set.(set.Greatest)
		return ok && p.Degree() > 1 && p.Reg == nil && s.Greatest(nil)
	},
	lower: func(pt *Point) (float64, float64) {
		top := make([]float64, len(pt.Theta))
		pt.p.Set.(set.Greatest).Greatest(top)
		const near = 1e-14
		for k, v := range pt.Theta {
			if v < top[k]*(1-near) {
				return 0, 0 // F ≥ 0: α = 0 is feasible
			}
		}
		d := float64(pt.p.Degree())
		return pt.dual(pt.WKW, pt.rounding().form+pt.indefinite()+2*d*(near+linalg.Epsilon)*pt.WKW)
	},
}
