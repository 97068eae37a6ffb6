package mkl

import (
	"math"

	"github.com/mklnb/mkl/algos/reg"

	"gonum.org/v1/gonum/floats"
)

// ClosedForm alternates between f and θ in the form of F with one function for each base kernel,
//
//	F(θ) = min_{f_1 … f_m}  ½ Σ_k ‖f_k‖²/θ_k + loss(Σ_k f_k) + r(θ),   ‖f_k‖² = θ_k² wᵀK_kw at the minimum,
//
// which is convex in both. θ for given f is in closed form on the part θ ≥ 0 of a p-norm ball about 0,
// p-norm multiple kernel learning,
//
//	θ_k = Λ‖f_k‖^{2/(p+1)} / (Σ_j ‖f_j‖^{2p/(p+1)})^{1/p},
//
// on a simplex, which is p = 1, and on θ ≥ 0 with a regularizer that is reg.Balanced: reg.Ridge,
// reg.ElasticNet, reg.Groups. A step costs one evaluation and never increases F, whatever the loss; no
// line search, no kinks to stop at. The gap falls linearly for p > 1 and like 1/k for p = 1, where
// θ_k = 0 is reached in the limit only: weights below 1e-12 of the largest that F does not want are
// set to 0. A weight that is 0 stays 0.
//
// References:
//   - M. Kloft, U. Brefeld, S. Sonnenburg and A. Zien, ℓp-norm multiple kernel learning, JMLR 12
//     (2011), eq. (24), Algorithm 1.
//   - Z. Xu, R. Jin, H. Yang, I. King and M. Lyu, Simple and efficient multiple kernel learning by
//     group lasso, ICML 2010, eq. (8).
type ClosedForm struct{}

var _ Solver = ClosedForm{}

func (ClosedForm) String() string { return "ClosedForm" }

// Requirements asks for a family linear in θ, and a simplex, a ball about 0, or θ ≥ 0 with a regularizer.
func (s ClosedForm) Requirements(p *Problem) (Requirements, error) {
	_, balanced := p.Reg.(reg.WeightMinimizer)
	q, _ := p.norm()
	return Requirements{Enter: true, Inner: 1e-2}, unsuited(s,
		need(isLinear(p), "a family linear in θ"),
		need(p.Reg == nil && q > 0 || p.Set.Traits().Orthant() && balanced,
			"a simplex or a ball about 0 without a regularizer, or θ ≥ 0 with one in closed form"))
}

// norm returns q and Λ where Θ is {θ ≥ 0 : ‖θ‖_q ≤ Λ} or, with q = 1, {θ ≥ 0 : Σθ = Λ}; else 0.
func (p *Problem) norm() (q, radius float64) {
	switch t := p.Set.Traits(); {
	case t.Simplex():
		return 1, t.Sum
	case t.Ball != nil && floats.Norm(t.Ball.Center, math.Inf(1)) == 0:
		return t.Ball.Q, t.Ball.Radius
	}
	return 0, 0
}

// Start returns one run.
func (ClosedForm) Start(p *Problem) Stepper {
	q, radius := p.norm()
	return closedForm{q, radius}
}

// closedForm is one run.
type closedForm struct{ q, radius float64 }

func (s closedForm) Step(it *Iterate) error {
	t, g := it.Trial(), it.GradJ()
	for k, v := range it.Theta {
		t.Theta[k] = v * v * max(0, -2*g[k]) // ‖f_k‖²
	}
	if it.p.Reg != nil {
		it.p.Reg.(reg.WeightMinimizer).MinimizeWeights(t.Theta, t.Theta)
	} else {
		top := 0.0
		for k, v := range t.Theta {
			t.Theta[k] = math.Pow(v, 1/(s.q+1))
			top = max(top, t.Theta[k])
		}
		if top == 0 { // w = 0, or no kernel that it sees: every θ is as good
			return ErrStalled
		}
		least := floats.Min(g)
		for k, v := range t.Theta {
			if v < 1e-12*top && g[k] > least {
				t.Theta[k] = 0
			}
		}
		onto(t.Theta, s.q, s.radius)
		it.p.Set.Project(t.Theta, t.Theta) // the last digit
	}
	return it.TryAndAccept()
}

// onto scales v ≥ 0, not 0, to ‖v‖_q = Λ.
func onto(v []float64, q, radius float64) {
	top := floats.Max(v)
	floats.Scale(1/top, v)
	floats.Scale(radius/floats.Norm(v, q), v)
}
