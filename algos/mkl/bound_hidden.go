package mkl

import "math"

// hiddenConvexity bounds min F from below for a power family of degree d ≥ 2 on a q-norm ball of radius Λ about μ₀, d ≤
// q. For every θ, F(θ) is at least the dual objective, which contains −½wᵀK(θ)w. A bound of sup_Θ wᵀK(θ)w is enough.
//
// wᵀK(θ)w is a nonnegative combination of products of at most d factors θ_k = μ₀_k + t_k^{1/q}. A product of powers of
// entries of t whose exponents sum to at most 1 is concave on t ≥ 0. Therefore wᵀK(θ)w is concave in t. In t, the part
// of the ball with θ ≥ μ₀ is {t ≥ 0, Σt ≤ Λ^q}. A θ with θ_k < μ₀_k does not raise the supremum, because K grows with
// θ. A concave function lies below its tangent at the current θ:
//
//	sup_Θ wᵀKw ≤ wᵀK(θ)w + 2(Λ^q max_k c_k − Σ_k t_kc_k),  c_k = −g_k u_k^{1−q}/q,  u = θ−μ₀, t = u^q.
//
// Here w are the dual coefficients and g is ∇J(θ). The proof needs θ > μ₀ in every coordinate. At other θ the tangent
// is vertical or does not exist.
var hiddenConvexity = boundProof{
	name:      "hidden convexity",
	appliesTo: func(p *Problem) bool { return isObjectiveConvexInPowers(p) },
	lowerBound: func(pt *Point) (float64, float64) {
		ball := pt.p.Set.Traits().Ball
		q, radius, center := ball.Q, ball.Radius, ball.Center
		g, e := pt.GradJ(), pt.gradientErrorBounds()
		maxSlope, slopeErrBound, slopeDotT, slopeDotTErr := 0.0, 0.0, 0.0, 0.0 // Λ^q max c_k, Σt_kc_k, bounds of errors
		for k, gk := range g {
			u := pt.Theta[k]
			if center != nil {
				u = math.Max(u-center[k], 0)
			}
			if !(u > 0) { // u = θ_k − μ₀_k ≤ 0: F has no derivative in u^q at u = 0, so there is no bound
				return 0, 0
			}
			c := radius * math.Pow(radius/u, q-1) / q // Λ^q ∂θ_k/∂t_k, without Λ^q, which may overflow
			maxSlope = math.Max(maxSlope, -gk*c)
			slopeErrBound = math.Max(slopeErrBound, (e[k]+powRoundingFactor(q)*math.Abs(gk))*c)
			slopeDotT -= gk * u / q
			slopeDotTErr += e[k]*u/q + powRoundingFactor(1)*math.Abs(gk)*u
		}
		supWKW := pt.WKW + 2*(maxSlope-slopeDotT)
		absoluteSum := pt.WKW + 2*maxSlope + 2*math.Abs(slopeDotT)
		supWKWErr := pt.roundingBounds().wkwErr + pt.indefinitenessError() + 2*(slopeErrBound+slopeDotTErr) +
			powRoundingFactor(float64(len(g)))*absoluteSum
		return pt.dualBound(supWKW, supWKWErr)
	},
}

// isObjectiveConvexInPowers reports whether F is convex in the powers t_k = (θ_k−μ₀_k)^q: Θ is a q-norm ball about μ₀,
// 2 ≤ d ≤ q < ∞ for the degree d of K(θ), and there is no regularizer.
func isObjectiveConvexInPowers(p *Problem) bool {
	b := p.Set.Traits().Ball
	return b != nil && p.Reg == nil && p.Degree() >= 2 && b.Q >= float64(p.Degree())
}
