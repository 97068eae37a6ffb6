package mkl

// cut bounds min F from below for a family linear in θ and a convex r that is neither 0 nor quadratic. Let D(α) be the
// part of the dual objective without K, and w the dual coefficients of a fixed α. F_α(θ) = D(α) − ½wᵀK(θ)w + r(θ) ≤
// F(θ) is convex in θ. Its tangent at θ bounds it from below, and the minimum of the tangent over Θ bounds min F.
var cut = boundProof{
	name: "a cut",
	appliesTo: func(p *Problem) bool {
		_, ok := p.regularizerAsQuadratics()
		return isLinearFamily(p) && p.Reg != nil && !ok
	},
	lowerBound: func(pt *Point) (float64, float64) {
		b := pt.tangent()
		return b.lowerBound(pt.p.Set, pt.Oracle().Minimum)
	},
}
