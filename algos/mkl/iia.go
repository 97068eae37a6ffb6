package mkl

import (
	"fmt"

	"github.com/mklnb/mkl/algos/loss"

	"gonum.org/v1/gonum/floats"
)

// IIA is the interpolated iterative algorithm, for families linear in θ and the squared loss:
//
//	θ_k     = argmin_{θ∈Θ} −½⟨v(α_k), θ⟩ + r(θ),   v(α)_j = αᵀK_jα
//	α_{k+1} = η α_k + (1−η)(K(θ_k) + λI)⁻¹y.
//
// On a q-norm ball of radius Λ about μ₀, 1 < q < ∞, the first line is θ = μ₀ + Λ u/‖u‖_q, u = v^{1/(q−1)} (Theorem 2.1
// of Li et al. for q = 2). With r = β‖θ‖² it is θ = v/4β (Theorem 2.2, which has v/2β for a β that is twice this one).
//
// For q = 2, the local rate is at worst |1 − 3(1−η)| or η. IIA therefore converges for every problem if η > ⅓. Below ⅓
// it cycles for small λ. For other q it converges for every problem if (1−η)(1 + 2/(q−1)) < 2. Requirements rejects
// other η, and η ≤ ⅓ with a quadratic r, unless AllowCycling is set. A step costs one evaluation of F.
//
// References:
//   - C. Cortes, M. Mohri and A. Rostamizadeh, L₂ regularization for learning kernels, UAI 2009.
//   - C. Li, L. Venturi and R. Xu, Learning the kernel, Algorithms 3 (IIA) and 4 (rIIA).
type IIA struct {
	// Eta is η ∈ (0, 1), the share of the old α in the new one. 0 means ½, as in the papers.
	Eta float64
	// AllowCycling accepts an η with which IIA may cycle. With AllowCycling, Eta = 0 means η = 0.
	AllowCycling bool
}

var _ Solver = IIA{}

func (s IIA) String() string {
	if s.Eta == 0 && !s.AllowCycling {
		return "IIA"
	}
	return fmt.Sprintf("IIA(η=%g)", s.etaOrDefault())
}

func (s IIA) etaOrDefault() float64 {
	if s.Eta == 0 && !s.AllowCycling {
		return 0.5
	}
	return s.Eta
}

// Requirements requires a linear family, the squared loss, and a ball with 1 < q < ∞ or a quadratic regularizer.
func (s IIA) Requirements(p *Problem) (Requirements, error) {
	ball := p.Set.Traits().Ball
	_, isSquaredLoss := p.Loss.(loss.Squared)
	_, isRegQuadratic := p.regularizerAsQuadratics()
	isNormBall := p.Reg == nil && ball != nil && ball.Q > 1
	// bounds the eigenvalues of (K + λI)⁻¹ times the Hessian of the dual; IIA converges if they are < 2/(1−η)
	eigenvalueBound := 3.0
	if isNormBall {
		eigenvalueBound = 1 + 2/(ball.Q-1)
	}
	return Requirements{}, unsuitedError(s,
		require(p.Degree() == 1, "a kernel family linear in θ"),
		require(isSquaredLoss, "the squared loss"),
		require(isNormBall || isRegQuadratic, "a ball with 1 < q < ∞, or a quadratic regularizer"),
		require(s.Eta >= 0 && s.Eta < 1, "0 ≤ η < 1"),
		require(s.AllowCycling || (1-s.etaOrDefault())*eigenvalueBound < 2,
			fmt.Sprintf("η > %.3g, with which IIA converges for every problem,"+
				" or AllowCycling: true", 1-2/eigenvalueBound)))
}

func (s IIA) Start(*Problem) Stepper { return &interpolatedIteration{oldAlphaWeight: s.etaOrDefault()} }

type interpolatedIteration struct {
	oldAlphaWeight float64
	alpha          []float64 // α_k, an average of solutions for several θ
	gradJ          []float64 // ∇J for α_k, with the entries −½α_kᵀK_jα_k
}

func (s *interpolatedIteration) Step(it *Iterate) error {
	if s.alpha == nil {
		s.alpha = append(s.alpha, it.W...)
		s.gradJ = append(s.gradJ, it.GradJ()...) // free: the certificate has already computed ∇J
	} else {
		it.Gram.Gradient(s.gradJ, s.alpha) // K is linear in θ: its derivative is the same at every θ
		floats.Scale(-0.5, s.gradJ)
	}
	t := it.TrialPoint()
	if q, ok := it.p.regularizerAsQuadratics(); ok {
		it.p.minimizeLinearPlusQuadratics(t.Theta, s.gradJ, 1, q)
	} else {
		it.p.Set.Minimize(t.Theta, s.gradJ)
	}
	if _, err := it.EvaluateTrial(); err != nil {
		return err
	}
	for i, w := range t.W {
		s.alpha[i] = s.oldAlphaWeight*s.alpha[i] + (1-s.oldAlphaWeight)*w
	}
	it.AcceptTrial()
	return nil
}
