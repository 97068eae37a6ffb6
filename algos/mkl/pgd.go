package mkl

import (
	"fmt"

	"gonum.org/v1/gonum/floats"
)

// StepRule chooses the step length of PGD.
type StepRule int

const (
	// Armijo, the default, halves the Barzilai–Borwein length until the new θ⁺ has F(θ⁺) ≤ F(θ) + 1e-4⟨∇F, θ⁺−θ⟩.
	Armijo StepRule = iota
	// Constant uses the length PGD.Eta in every step, as in the papers.
	Constant
	// ShrinkOnLonger starts with the step length PGD.Eta and multiplies it by 0.8 after every move that was longer than
	// the one before (Cortes et al., section 4).
	ShrinkOnLonger
	// ShrinkOnIncrease starts with the length PGD.Eta and multiplies it by 0.8 if F increases (Li et al., section 3).
	ShrinkOnIncrease
)

func (r StepRule) String() string {
	switch r {
	case Armijo:
		return "Armijo"
	case Constant:
		return "constant"
	case ShrinkOnLonger:
		return "shrink the step after a longer one"
	case ShrinkOnIncrease:
		return "shrink on increase"
	}
	return fmt.Sprintf("StepRule(%d)", int(r))
}

// PGD is projected gradient descent:
//
//	θ_{k+1} = P_Θ(θ_k − η_k ∇F(θ_k)).
//
// With the squared loss it is Algorithms 1, 2, 5 and 6 of Li et al. and Algorithm 1 of Cortes et al. (the quadratic
// ones for degree 2, the regularized ones with reg.Ridge). F here is half of F in the papers, so that a step length η
// of the papers is 2η here. With the rules other than Armijo, F need not decrease and a run may cycle, as it does on
// the dataset ionosphere with the rule Constant and η = 1.
//
// Line 6 of Algorithm 6 of Li et al. has the sign of its step reversed; the sign is correct here. At θ = 0, where ∇F =
// 0 for every weight β of reg.Ridge, that algorithm stays forever. PGD leaves θ = 0 if β < SmallestBetaForZeroTheta.
//
// References:
//   - C. Cortes, M. Mohri and A. Rostamizadeh, Learning non-linear combinations of kernels, NIPS
//     2009, Algorithm 1.
//   - C. Li, L. Venturi and R. Xu, Learning the kernel for classification and regression,
//     Algorithms 1, 2, 5, 6.
type PGD struct {
	Rule StepRule
	// Eta is the step length η; 0 means 2, which is 1 for the 2F of the papers. The rule Armijo does not use Eta.
	Eta float64
	// ScaleToSphere replaces the projection onto the q-norm ball of center μ₀ and radius Λ by the scaling of θ−μ₀ to
	// ‖θ−μ₀‖_q = Λ of both papers. For q ≠ 2 the points where steps become 0 do not minimize F, and θ may leave Θ.
	ScaleToSphere bool
}

var _ Solver = PGD{}

func (s PGD) String() string {
	name := "PGD"
	if s.Rule != Armijo {
		name = fmt.Sprintf("PGD(η=%g, %v)", s.etaOrDefault(), s.Rule)
	}
	if s.ScaleToSphere {
		name += ", normalized"
	}
	return name
}

func (s PGD) etaOrDefault() float64 {
	if s.Eta == 0 {
		return 2
	}
	return s.Eta
}

// Requirements requires a ball if ScaleToSphere is set, and a differentiable F for the rule Armijo.
func (s PGD) Requirements(p *Problem) (Requirements, error) {
	return Requirements{ProjectsStart: s.Rule == Armijo}, unsuitedError(s,
		require(s.Rule >= Armijo && s.Rule <= ShrinkOnIncrease,
			"one of the step rules Armijo, Constant, ShrinkOnLonger and ShrinkOnIncrease"),
		require(s.Eta >= 0, "Eta ≥ 0 (0 means 2)"),
		require(!s.ScaleToSphere || p.Set.Traits().Ball != nil, "a ball, to whose sphere θ is scaled"),
		require(s.Rule != Armijo || p.IsDifferentiable(), smoothLossRequirement))
}

func (s PGD) Start(p *Problem) Stepper {
	r := &pgd{PGD: s, stepLength: s.etaOrDefault(), project: p.Set.Project}
	if s.ScaleToSphere {
		r.project = p.Set.Traits().Ball.Normalize
	}
	return r
}

type pgd struct {
	PGD
	project        func(dst, x []float64) // the projection onto Θ or, with ScaleToSphere, the scaling to the sphere
	stepLength     float64                // length of the next step; with the rule Armijo, of the last step
	lengthRule     barzilaiBorwein
	lastMoveLength float64 // distance of the last two iterates
}

func (s *pgd) Step(it *Iterate) error {
	if hasEscaped, err := leaveZeroTheta(it); hasEscaped {
		return err
	}
	if s.Rule == Armijo {
		return s.takeArmijoStep(it)
	}
	t := it.TrialPoint()
	s.storeTrial(it, s.stepLength)
	if _, err := it.EvaluateTrial(); err != nil {
		return err
	}
	moveLength := floats.Distance(t.Theta, it.Theta, 2)
	if s.Rule == ShrinkOnLonger && it.K > 0 && moveLength > s.lastMoveLength || s.Rule == ShrinkOnIncrease &&
		t.F() > it.F() {
		s.stepLength *= 0.8
	}
	s.lastMoveLength = moveLength
	it.AcceptTrial()
	return nil
}

// takeArmijoStep tries the Barzilai–Borwein length and halves it until F decreases enough.
func (s *pgd) takeArmijoStep(it *Iterate) error {
	isFirst := s.lengthRule.lastTheta == nil
	if eta := s.lengthRule.nextStepLength(it); eta > 0 {
		s.stepLength = eta
	} else if isFirst {
		s.stepLength = firstStepLength(it)
	} else {
		s.stepLength *= 2
	}
	return it.acceptOrStall(it.searchLine(it.F(), s.stepLength, maxHalvings, func(eta float64) float64 {
		s.storeTrial(it, eta)
		return floats.Dot(it.Grad(), it.TrialPoint().Theta) - floats.Dot(it.Grad(), it.Theta)
	}, halve))
}

// storeTrial stores θ − stepLength·∇F in the trial point, projected onto Θ or, with ScaleToSphere, scaled to the
// sphere.
func (s *pgd) storeTrial(it *Iterate, stepLength float64) {
	t := it.TrialPoint()
	floats.AddScaledTo(t.Theta, it.Theta, -stepLength, it.Grad())
	s.project(t.Theta, t.Theta)
}
