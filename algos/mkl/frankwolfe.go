package mkl

import (
	"fmt"
	"math"

	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/floats"
)

// FrankWolfe minimizes F over a bounded Θ by linear minimization, without projections:
//
//	s_k     = argmin_{s ∈ Θ} ⟨∇F(θ_k), s⟩
//	θ_{k+1} = θ_k + η_k (s_k − θ_k),  η_k = 2/(k+2).
//
// The family must be linear in θ, so that F is convex. For k ≥ 1, F(θ_k) − min F ≤ 2C/(k+2), where C is the curvature
// constant of F on Θ,
//
//	C = sup {2/η² (F(θ + η(s−θ)) − F(θ) − η⟨∇F(θ), s−θ⟩) : θ, s ∈ Θ, 0 < η ≤ 1}.
//
// With a loss that is not strictly concave, such as the hinge loss, F has kinks at θ with a singular K(θ). C is then
// infinite, and the iterates need not approach a minimizer.
//
// A step costs one evaluation of F. The certificate computes s_k anyway. If θ is a matrix in a set.Spectraplex, then
// s_k = vvᵀ. A family with kernel.RankOneMixed, such as tessellated kernels, then updates K by a step of rank one.
// At each θ the loss is solved only to a tenth of the gap of the run so far. For an accurate θ, SPG or Level is faster.
//
// Reference: M. Jaggi, Revisiting Frank–Wolfe: projection-free sparse convex optimization, ICML 2013, Algorithm 1 and
// Theorem 1.
type FrankWolfe struct {
	// ExactLineSearch chooses η by a search for F'(η) = 0 on [0, 1], with secants (Illinois). The first η tried is 1.5
	// times the η of the last step. The search accepts η if |F'(η)| ≤ Slope·|F'(0)| and F has decreased. F' alone is
	// not enough, because it may jump to a value near 0 at a kink of F. A step costs 2 to 4 evaluations.
	ExactLineSearch bool
	// Slope is the fraction of |F'(0)|, the slope of F at η = 0, at which an exact line search ends. If 0, it is 0.1.
	Slope float64
}

var _ Solver = FrankWolfe{}

func (f FrankWolfe) String() string {
	switch {
	case f.ExactLineSearch && f.Slope != 0:
		return fmt.Sprintf("FrankWolfe(exact, slope=%g)", f.Slope)
	case f.ExactLineSearch:
		return "FrankWolfe(exact)"
	}
	return "FrankWolfe"
}

// Requirements requests a minimizer s_k of ⟨∇F(θ_k),·⟩ over Θ. It requires a family linear in θ and a bounded set.
func (f FrankWolfe) Requirements(p *Problem) (Requirements, error) {
	u := Requirements{ProjectsStart: true, NeedsVertex: true, NeedsRankOne: p.hasRankOneVertices(), MaxInnerGap: 1e-1}
	if f.ExactLineSearch { // the line search compares values and slopes of F, which need a more exact w
		u.MaxInnerGap = 1e-4
	}
	return u, unsuitedError(f,
		require(f.Slope >= 0 && f.Slope < 1, "0 ≤ Slope < 1"),
		require(isLinearFamily(p), "a kernel family linear in θ"),
		require(p.hasBoundedSet(), "a bounded set"))
}

// hasRankOneVertices reports whether the vertices of Θ are matrices vvᵀ.
func (p *Problem) hasRankOneVertices() bool {
	rows, cols := p.Grams.ThetaShape()
	return p.Set.Traits().IsSpectraplex() && rows > 0 && rows == cols
}

func (p *Problem) hasBoundedSet() bool {
	m, _ := p.Grams.Dims()
	e := make([]float64, m)
	floats.AddConst(1, e)
	return !math.IsInf(set.SupportAbs(p.Set, e), 1)
}

func (f FrankWolfe) Start(p *Problem) Stepper {
	state := &frankWolfe{FrankWolfe: f, firstStepLength: 1}
	if !p.hasRankOneVertices() {
		m, _ := p.Grams.Dims()
		state.direction = make([]float64, m)
	}
	return state
}

type frankWolfe struct {
	FrankWolfe
	direction       []float64 // s − θ for the vertex s that the oracle returned; nil if s is vvᵀ
	vertexVector    []float64 // v of the vertex s = vvᵀ; nil if s is not of this form
	firstStepLength float64   // first step length η of the next exact line search
}

func (f *frankWolfe) Step(it *Iterate) error {
	vertex := it.Oracle() // the certificate has already computed this minimizer
	if f.vertexVector = vertex.RankOneFactor; f.vertexVector == nil {
		floats.SubTo(f.direction, vertex.Minimizer, it.Theta)
	}
	if f.ExactLineSearch {
		return f.takeLineSearchStep(it)
	}
	if err := f.tryStep(it, 2/float64(it.K+2)); err != nil {
		return err
	}
	it.AcceptTrial()
	return nil
}

// tryStep evaluates F at the trial θ + ηd, where d = s − θ leads to the vertex s of this step.
func (f *frankWolfe) tryStep(it *Iterate, eta float64) error {
	if f.vertexVector != nil {
		_, err := it.EvaluateRankOneTrial(f.vertexVector, eta)
		return err
	}
	t := it.TrialPoint().Theta
	floats.AddScaledTo(t, it.Theta, eta, f.direction)
	if !it.p.Set.Contains(t) { // rounding errors of many steps can move θ out of Θ
		it.p.Set.Project(t, t)
	}
	_, err := it.EvaluateTrial()
	return err
}

// directionalSlope returns ⟨∇F, d⟩ at pt for the direction d = s − θ of this step.
func (f *frankWolfe) directionalSlope(it *Iterate, pt *Point) float64 {
	if f.vertexVector == nil {
		return floats.Dot(pt.Grad(), f.direction)
	}
	g, q := pt.Grad(), len(f.vertexVector)
	s := -floats.Dot(g, it.Theta)
	for i, a := range f.vertexVector {
		s += a * floats.Dot(g[i*q:(i+1)*q], f.vertexVector)
	}
	return s
}

// takeLineSearchStep makes a step by an exact line search. It accepts an η at which |F'(η)| ≤ Slope·|F'(0)| and F has
// decreased. If the bracket shrinks to a kink of F, it accepts the η with the smallest F that it tried.
func (f *frankWolfe) takeLineSearchStep(it *Iterate) error {
	startSlope := f.directionalSlope(it, it.Point)
	if !(startSlope < 0) {
		return ErrStalled
	}
	if f.vertexVector != nil {
		it.discardGradients()
	}
	maxFractionOfStartSlope := f.Slope
	if maxFractionOfStartSlope == 0 {
		maxFractionOfStartSlope = 0.1
	}
	lo, slopeLo, hi, slopeHi := 0.0, startSlope, 0.0, 0.0 // the interval of η, with F' at its ends
	bestEta, bestF, trialEta := 0.0, it.F(), 0.0          // η of the smallest F so far, that F; η of the trial
	evaluateAt := func(eta float64) (isFinished bool, slope float64, err error) {
		if err = f.tryStep(it, eta); err != nil {
			return false, 0, err
		}
		trialEta, slope = eta, f.directionalSlope(it, it.TrialPoint())
		hasDecreased := it.TrialPoint().F() <= it.F()+armijoConstant*eta*startSlope
		if hasDecreased && it.TrialPoint().F() < bestF {
			bestEta, bestF = eta, it.TrialPoint().F()
		}
		isFlat := math.Abs(slope) <= maxFractionOfStartSlope*-startSlope
		return hasDecreased && (isFlat || eta == 1 && slope <= 0), slope, nil
	}
	acceptTrial := func() error {
		f.firstStepLength = math.Max(1.5*trialEta, 1e-4)
		it.AcceptTrial()
		return nil
	}
	for eta := math.Min(1, f.firstStepLength); ; eta = math.Min(1, 4*eta) {
		isFinished, slope, err := evaluateAt(eta)
		if err != nil {
			return err
		}
		if isFinished {
			return acceptTrial()
		}
		if hi, slopeHi = eta, slope; slope > 0 || eta == 1 {
			break
		}
		lo, slopeLo = eta, slope
	}
	maxTrials, minRelDistanceToEnds := 60, 1e-3 // a precise search needs more trials, nearer to lo and hi
	if maxFractionOfStartSlope >= 1e-3 {
		maxTrials, minRelDistanceToEnds = 12, 0.1
	}
	for range maxTrials {
		if hi-lo <= 1e-12*hi || !(slopeHi > 0) {
			break
		}
		eta := (lo*slopeHi - hi*slopeLo) / (slopeHi - slopeLo)
		eta = math.Min(math.Max(eta, lo+minRelDistanceToEnds*(hi-lo)), hi-minRelDistanceToEnds*(hi-lo))
		isFinished, slope, err := evaluateAt(eta)
		if err != nil {
			return err
		}
		if isFinished {
			return acceptTrial()
		}
		if slope < 0 {
			lo, slopeLo, slopeHi = eta, slope, slopeHi/2
		} else {
			hi, slopeHi, slopeLo = eta, slope, slopeLo/2
		}
	}
	if bestEta == 0 {
		return ErrStalled
	}
	if trialEta != bestEta {
		if err := f.tryStep(it, bestEta); err != nil {
			return err
		}
		trialEta = bestEta
	}
	return acceptTrial()
}
