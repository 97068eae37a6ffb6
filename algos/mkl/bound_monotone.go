package mkl

import (
	"math"

	"github.com/mklnb/mkl/algos/linalg"
)

// monotonicity bounds min F for a power family if Θ is a box and θ is its greatest element: K grows with θ, so
// sup_Θ wᵀK(θ)w = wᵀK(θ)w.
var monotonicity = argument{
	by: "monotonicity",
	suits: func(p *Problem) bool {
		b := p.Set.Traits().Ball
		return b != nil && math.IsInf(b.Q, 1) && p.Degree() > 1 && p.Reg == nil
	},
	lower: func(pt *Point) (float64, float64) {
		b := pt.p.Set.Traits().Ball // a box with the greatest element μ₀ + Λ1
		const near = 1e-14
		for k, v := range pt.Theta {
			top := b.Radius
			if b.Center != nil {
				top += b.Center[k]
			}
			if v < top*(1-near) {
				return 0, 0 // F ≥ 0, because α = 0 is feasible
			}
		}
		d := float64(pt.p.Degree())
		return pt.dualBound(pt.WKW, pt.rounding().form+pt.indefinite()+2*d*(near+linalg.Epsilon)*pt.WKW)
	},
}
