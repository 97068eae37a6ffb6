package mkl

import (
	"fmt"
	"math"
	"slices"
)

// QuasiNewton is QN-PKL, a diagonal quasi-Newton method on θ ≥ 0. Its paper uses it for products of Gaussians
// (kernel.Gaussians) and the hinge loss. Here it accepts any family and loss with a differentiable F:
//
//	p_t     = −∇F(θ_t)
//	θ_{t+1} = max(0, θ_t + δ B_t∘p_t),   δ ∈ {1, 1/10, 1/100, …} the first with
//	F(θ_{t+1}) ≤ F(θ_t) + 1e-4 ⟨∇F(θ_t), θ_{t+1}−θ_t⟩
//	B_{t+1} = (θ_{t+1} − θ_t) / (∇F(θ_{t+1}) − ∇F(θ_t)),  coordinate by coordinate.
//
// An entry of B is the inverse of the curvature that the last step showed in its coordinate. If that curvature is not
// positive, the entry is the Barzilai–Borwein length. All entries of B are limited to within a factor of 10⁴ of the
// median. If F is too large at every δ tried, every entry of B is set to its first value (B1) again.
//
// F decreases at every step. F may have other minima: the certificate is of first order. LBFGS takes fewer evaluations.
//
// AsPrinted runs the algorithm as printed in the paper. Equation (7) there has p, minus the gradient, in the place of
// the gradient, so that B < 0 where F is convex, and the second direction ascends. The algorithm also lets θ leave θ ≥
// 0, and accepts the last trial even if no δ decreased F. It ends far above the minimum and is for study only.
//
// References:
//   - D. Picard, N. Thome, M. Cord and A. Rakotomamonjy, Learning geometric combinations of Gaussian
//     kernels with alternating quasi-Newton algorithm, ESANN 2012, Algorithm 1, (6), (7).
type QuasiNewton struct {
	AsPrinted bool
	// ClipNegative sets negative entries of every trial θ to 0, which AsPrinted alone does not do.
	ClipNegative bool
	// B1 is the value of every entry of the first B, the diagonal of the approximate inverse Hessian. If B1 is 0, the
	// first step changes the coordinate with the largest |∂F/∂θ_k| by the mean of θ.
	B1 float64
}

var _ Solver = QuasiNewton{}

func (s QuasiNewton) String() string {
	name := "QN-PKL"
	if s.AsPrinted {
		name += " as printed"
	}
	if s.AsPrinted && s.ClipNegative {
		name += ", θ ≥ 0"
	}
	if s.B1 != 0 {
		name += fmt.Sprintf(", b₁=%g", s.B1)
	}
	return name
}

// Requirements requires θ ≥ 0 and a differentiable F. With the hinge loss F is differentiable if K(θ) is positive
// definite, as Gaussian kernels are on distinct points.
func (s QuasiNewton) Requirements(p *Problem) (Requirements, error) {
	return Requirements{ProjectsStart: true, MaxInnerGap: 1e-9}, unsuitedError(s,
		require(s.B1 >= 0, "B1 > 0, or 0 for the default"),
		requireOrthant(p),
		requireDifferentiable(p))
}

func requireOrthant(p *Problem) error {
	return require(p.Set.Traits().IsOrthant(), "the set θ ≥ 0")
}

// requireDifferentiable returns an error unless F is differentiable. A family that is not a polynomial in θ (Degree 0)
// is assumed to have positive definite matrices K(θ), at which F is differentiable with any loss.
func requireDifferentiable(p *Problem) error {
	return require(p.IsDifferentiable() || p.Degree() == 0, smoothLossRequirement)
}

func (s QuasiNewton) Start(p *Problem) Stepper {
	m, _ := p.Grams.Dims()
	return &quasiNewton{QuasiNewton: s, lastDecrease: math.Inf(1), p: make([]float64, m)}
}

type quasiNewton struct {
	QuasiNewton
	b, p         []float64 // B, the diagonal of the approximate inverse Hessian, and p_t = −∇F(θ_t)
	hasInitialB  bool      // every entry of B still, or again, has its first value
	lastDecrease float64   // relative decrease of F in the last step with AsPrinted; g in the paper
}

// resetInverseCurvature sets every entry of B to its first value, B1 or its default.
func (s *quasiNewton) resetInverseCurvature(it *Iterate) {
	b := s.B1
	if b == 0 {
		b = firstStepLengthOnOrthant(it.Point)
	}
	s.b, s.hasInitialB = make([]float64, len(s.p)), true
	for k := range s.b {
		s.b[k] = b
	}
}

func (s *quasiNewton) Step(it *Iterate) error {
	if s.b == nil {
		s.resetInverseCurvature(it)
	}
	for k, g := range it.Grad() {
		s.p[k] = -g
	}
	if s.AsPrinted {
		return s.takeStepAsPrinted(it)
	}
	for {
		ok, err := s.searchStepLength(it)
		switch {
		case err != nil:
			return err
		case ok:
			s.updateInverseCurvature(it)
			it.AcceptTrial()
			return nil
		case s.hasInitialB:
			return ErrStalled
		}
		s.resetInverseCurvature(it)
	}
}

// searchStepLength tries δ = 1, 1/10, … and reports whether the last trial decreases F enough (Armijo).
func (s *quasiNewton) searchStepLength(it *Iterate) (accepted bool, err error) {
	t := it.TrialPoint()
	return it.searchLine(it.F(), 1, 11, func(stepLength float64) (slope float64) {
		for k, p := range s.p {
			t.Theta[k] = max(0, it.Theta[k]+stepLength*s.b[k]*p)
			slope -= p * (t.Theta[k] - it.Theta[k])
		}
		return slope
	}, func(stepLength, _ float64, _ bool) float64 { return stepLength / 10 })
}

// updateInverseCurvature computes B, the inverse curvature of F in each coordinate, from the step to the trial.
func (s *quasiNewton) updateInverseCurvature(it *Iterate) {
	t, g := it.TrialPoint(), it.TrialPoint().Grad()
	ss, sz := 0.0, 0.0
	var positive []float64
	for k := range s.b {
		d, z := t.Theta[k]-it.Theta[k], g[k]+s.p[k]
		ss, sz = ss+d*d, sz+d*z
		s.b[k] = d / z
		if s.b[k] > 0 && !math.IsInf(s.b[k], 1) {
			positive = append(positive, s.b[k])
		}
	}
	defaultLength := firstStepLengthOnOrthant(t)
	if sz > 0 {
		defaultLength = ss / sz
	}
	medianB := defaultLength
	if len(positive) > 0 {
		slices.Sort(positive)
		medianB = positive[len(positive)/2]
	}
	for k, b := range s.b {
		if !(b > 0) || math.IsInf(b, 1) {
			b = defaultLength
		}
		s.b[k] = min(max(b, medianB/1e4), medianB*1e4)
	}
	s.hasInitialB = false
}

// epsilon is ε in the paper. In the algorithm as printed, a relative decrease of F of at most ε ends the run, and a
// step length δ < ε ends the search for a step length.
const epsilon = 1e-3

// takeStepAsPrinted makes one pass of the outer loop of the algorithm as printed in the paper.
func (s *quasiNewton) takeStepAsPrinted(it *Iterate) error {
	if s.lastDecrease <= epsilon {
		return ErrStalled
	}
	t, oldF := it.TrialPoint(), it.F()
	for stepLength := 1.0; ; {
		for k, p := range s.p {
			t.Theta[k] = it.Theta[k] + stepLength*s.b[k]*p
			if s.ClipNegative {
				t.Theta[k] = max(0, t.Theta[k])
			}
		}
		if _, err := it.EvaluateTrial(); err != nil {
			return err
		}
		if stepLength /= 10; t.F() < oldF || stepLength < epsilon {
			break
		}
	}
	for k, g := range t.Grad() {
		if b := (t.Theta[k] - it.Theta[k]) / (-g - s.p[k]); !math.IsNaN(b) { // b is 0/0 if feature k is constant
			s.b[k] = b
		}
	}
	s.lastDecrease = (oldF - t.F()) / oldF
	it.AcceptTrial()
	return nil
}
