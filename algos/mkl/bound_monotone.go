package mkl

import (
	"math"

	"github.com/mklnb/mkl/algos/linalg"
)

// monotonicity bounds min F if Θ is a box, θ is its greatest element, and K(θ) is a polynomial of degree d > 1 with
// positive semidefinite coefficients. Such a K grows with θ, so that sup_{θ'∈Θ} wᵀK(θ')w = wᵀK(θ)w.
var monotonicity = argument{
	name: "monotonicity",
	appliesTo: func(p *Problem) bool {
		b := p.Set.Traits().Ball
		return b != nil && math.IsInf(b.Q, 1) && p.Degree() > 1 && p.Reg == nil
	},
	lowerBound: func(pt *Point) (float64, float64) {
		b := pt.p.Set.Traits().Ball // a box with the greatest element μ₀ + Λ1
		const near = 1e-14
		for k, v := range pt.Theta {
			largest := b.Radius
			if b.Center != nil {
				largest += b.Center[k]
			}
			if v < largest*(1-near) {
				return 0, 0 // F ≥ 0, because α = 0 is feasible
			}
		}
		d := float64(pt.p.Degree())
		return pt.dualBound(pt.WKW, pt.roundingBounds().form+pt.indefinitenessError()+2*d*(near+linalg.Epsilon)*pt.WKW)
	},
}
