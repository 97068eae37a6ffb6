package mkl

// duality bounds min F from below for a family linear in θ without a regularizer. For every feasible α and 0 ≤ s ≤ 1,
// sα is feasible too. The part D of the dual objective without K has D(sα) ≥ s·LinearTerm − ½s²QuadraticTerm
// (loss.Solution). By weak duality J(θ) ≥ D(sα) − ½s² wᵀK(θ)w for every θ, so that
//
//	min_Θ J ≥ s·LinearTerm − ½s²(QuadraticTerm + sup_Θ wᵀK(θ)w),   sup_Θ wᵀK(θ)w = −2 min_Θ ⟨∇J,θ⟩.
//
// The best s has a closed form.
var duality = boundProof{
	name:      "duality",
	appliesTo: func(p *Problem) bool { return isLinearFamily(p) && p.Reg == nil },
	lowerBound: func(pt *Point) (float64, float64) {
		b := pt.dualAffineBound()
		return pt.dualBound(-2*pt.Oracle().Minimum, 2*b.minimumErr(pt.p.Set))
	},
}
