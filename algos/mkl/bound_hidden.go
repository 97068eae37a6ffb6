package mkl

import (
	"math"

	"github.com/mklnb/mkl/algos/linalg"
)

// hiddenConvexity bounds min F for a power family of degree d ≥ 2 on a q-norm ball about μ₀, d ≤ q.
//
// wᵀK(θ)w is a nonnegative combination of products of at most d factors θ_k = μ₀_k + t_k^{1/q}. A product of powers of
// t whose exponents sum to at most 1 is concave on t ≥ 0, and so is every such combination. The ball is
// {t ≥ 0, Σt ≤ Λ^q}. The part of Θ below μ₀ cannot contain the maximum, since K grows with θ. A concave function
// lies below its tangent:
//
//	sup_Θ wᵀKw ≤ wᵀK(θ)w + 2(Λ^q max_k c_k − Σ_k t_kc_k),  c_k = −g_k w_k^{1−q}/q,  w = θ−μ₀, t = w^q.
//
// In c_k and t, w is θ−μ₀ and not the dual coefficients. The argument needs θ > μ₀ in every coordinate. At other θ the
// tangent is vertical or does not exist.
var hiddenConvexity = argument{
	by:    "hidden convexity",
	suits: func(p *Problem) bool { return hidden(p) },
	lower: func(pt *Point) (float64, float64) {
		ball := pt.p.Set.Traits().Ball
		q, radius, center := ball.Q, ball.Radius, ball.Center
		g, e := pt.GradJ(), pt.gradError()
		top, topErr, sum, sumErr := 0.0, 0.0, 0.0, 0.0
		for k, gk := range g {
			w := pt.Theta[k]
			if center != nil {
				w = math.Max(w-center[k], 0)
			}
			if !(w > 0) { // F has no derivative in t_k here: even with g_k = 0, θ can be a saddle point
				return 0, 0
			}
			c := radius * math.Pow(radius/w, q-1) / q // Λ^q ∂θ_k/∂t_k, computed without Λ^q itself
			top = math.Max(top, -gk*c)
			topErr = math.Max(topErr, (e[k]+slack(q)*math.Abs(gk))*c)
			sum -= gk * w / q
			sumErr += e[k]*w/q + slack(1)*math.Abs(gk)*w
		}
		sup := pt.WKW + 2*(top-sum)
		size := pt.WKW + 2*top + 2*math.Abs(sum)
		return pt.dualBound(sup, pt.rounding().form+pt.indefinite()+2*(topErr+sumErr)+slack(float64(len(g)))*size)
	},
}

// slack returns the relative rounding error of a few operations and one power with the exponent q.
func slack(q float64) float64 { return linalg.Gamma(16 + 4*math.Abs(q)) }

// hidden reports whether F is convex in t = (θ−μ₀)^q.
func hidden(p *Problem) bool {
	b := p.Set.Traits().Ball
	return b != nil && p.Reg == nil && p.Degree() >= 2 && b.Q >= float64(p.Degree()) && !math.IsInf(b.Q, 1)
}
