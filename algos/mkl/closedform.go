package mkl

import (
	"math"

	"github.com/mklnb/mkl/algos/reg"

	"gonum.org/v1/gonum/floats"
)

// ClosedForm minimizes F alternately in f and in θ. It uses the form of F with one function for each base kernel,
//
//	F(θ) = min_{f_1 … f_m}  ½ Σ_k ‖f_k‖²/θ_k + loss(Σ_k f_k) + r(θ),   ‖f_k‖² = θ_k² wᵀK_kw at the minimum,
//
// which is jointly convex in f and θ. For given f, θ has a closed form on three kinds of sets. On the part θ ≥ 0 of a
// p-norm ball about 0 (p-norm multiple kernel learning) it is
//
//	θ_k = Λ‖f_k‖^{2/(p+1)} / (Σ_j ‖f_j‖^{2p/(p+1)})^{1/p}.
//
// On a simplex with the sum Λ, θ is the same with p = 1. On θ ≥ 0, ClosedForm needs a regularizer that is a
// reg.WeightMinimizer: reg.Ridge or reg.Lasso.
//
// A step costs one evaluation and never increases F, for any loss. It needs no line search, and kinks do not stop it.
// The gap falls linearly for p > 1 and like 1/k for p = 1. For p = 1, a weight reaches 0 only in the limit. Therefore,
// without a regularizer, a weight below 1e-12 of the largest is set to 0 if ∂J/∂θ_k is above the smallest partial
// derivative. A weight that is 0 stays 0.
//
// Reference: M. Kloft, U. Brefeld, S. Sonnenburg and A. Zien, ℓp-norm multiple kernel learning, JMLR 12 (2011), eq.
// (24), Algorithm 1.
type ClosedForm struct{}

var _ Solver = ClosedForm{}

func (ClosedForm) String() string { return "ClosedForm" }

// Requirements requires a family linear in θ. It also requires a simplex or a ball about 0 without a regularizer, or
// θ ≥ 0 with a reg.WeightMinimizer.
func (s ClosedForm) Requirements(p *Problem) (Requirements, error) {
	r, _ := p.Reg.(reg.WeightMinimizer)
	q, _ := p.normBall()
	return Requirements{Enter: true, Inner: 1e-2}, unsuitedError(s,
		require(isLinearFamily(p), "a family linear in θ"),
		require(p.Reg == nil && q > 0 || p.Set.Traits().Orthant() && r != nil,
			"a simplex or a ball about 0 without a regularizer, or θ ≥ 0 with one in closed form"))
}

// normBall returns q and Λ if Θ is {θ ≥ 0 : ‖θ‖_q ≤ Λ}, and q = 1 and Λ if Θ is {θ ≥ 0 : Σθ = Λ}. It returns zeros for
// other sets.
func (p *Problem) normBall() (q, radius float64) {
	switch t := p.Set.Traits(); {
	case t.Simplex():
		return 1, t.Sum
	case t.Ball != nil && floats.Norm(t.Ball.Center, math.Inf(1)) == 0:
		return t.Ball.Q, t.Ball.Radius
	}
	return 0, 0
}

func (ClosedForm) Start(p *Problem) Stepper {
	q, radius := p.normBall()
	r, _ := p.Reg.(reg.WeightMinimizer)
	return closedForm{q, radius, r}
}

type closedForm struct {
	q, radius float64             // norm and radius of Θ; see normBall
	reg       reg.WeightMinimizer // nil without a regularizer
}

func (s closedForm) Step(it *Iterate) error {
	t, g := it.Trial(), it.GradJ()
	for k, v := range it.Theta {
		t.Theta[k] = v * v * max(0, -2*g[k]) // ‖f_k‖²
	}
	if s.reg != nil {
		s.reg.MinimizeWeights(t.Theta, t.Theta)
	} else {
		largest := 0.0
		for k, v := range t.Theta {
			t.Theta[k] = math.Pow(v, 1/(s.q+1))
			largest = max(largest, t.Theta[k])
		}
		if largest == 0 { // w = 0, or wᵀK_kw = 0 for every k with θ_k > 0: no θ is preferred
			return ErrStalled
		}
		minSlope := floats.Min(g)
		for k, v := range t.Theta {
			if v < 1e-12*largest && g[k] > minSlope {
				t.Theta[k] = 0
			}
		}
		scaleToNorm(t.Theta, s.q, s.radius)
		it.p.Set.Project(t.Theta, t.Theta) // corrects rounding, so that θ is in Θ
	}
	return it.TryAndAccept()
}

// scaleToNorm multiplies v by one factor so that ‖v‖_q = radius. v must be ≥ 0 and not 0.
func scaleToNorm(v []float64, q, radius float64) {
	largest := floats.Max(v)
	floats.Scale(1/largest, v)
	floats.Scale(radius/floats.Norm(v, q), v)
}
