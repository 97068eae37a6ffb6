package mkl

import (
	"fmt"
	"math"
	"slices"
)

// QuasiNewton is QN-PKL, a diagonal quasi-Newton method on θ ≥ 0. It was designed for products of Gaussians
// (kernel.Gaussians) and the hinge loss, and takes any family and loss with a differentiable F:
//
//	p_t     = −∇F(θ_t)
//	θ_{t+1} = max(0, θ_t + δ B_t∘p_t),   δ ∈ {1, 1/10, 1/100, …} the first with
//	F(θ_{t+1}) ≤ F(θ_t) + 1e-4 ⟨∇F(θ_t), θ_{t+1}−θ_t⟩
//	B_{t+1} = (θ_{t+1} − θ_t) / (∇F(θ_{t+1}) − ∇F(θ_t)),  by coordinates.
//
// B is the inverse of the observed curvature. If a coordinate showed no curvature or a negative one, its B is the
// Barzilai–Borwein length. All entries of B are limited to within a factor of 10⁴ of the median. If no δ satisfies the
// condition, B starts again from b₁.
//
// F decreases at every step. In general F has other minima than the one found: the certificate is of first order. LBFGS
// takes fewer evaluations.
//
// AsPrinted runs the algorithm as printed in the paper. Equation (7) there has p, minus the gradient, in the place of
// the gradient, so that B < 0 where F is convex, and the second direction ascends. The algorithm also lets θ leave θ ≥
// 0, and accepts the last trial even if no δ decreased F. It ends after a few evaluations far above the minimum.
// AsPrinted is for study only.
//
// References:
//   - D. Picard, N. Thome, M. Cord and A. Rakotomamonjy, Learning geometric combinations of Gaussian
//     kernels with alternating quasi-Newton algorithm, ESANN 2012, Algorithm 1, (6), (7).
type QuasiNewton struct {
	AsPrinted bool
	// B1 is b₁, the first B. If B1 is 0, the first B moves the coordinate with the largest slope by the mean of θ.
	B1 float64
	// Force also allows a loss whose dual is not strictly concave (Traits.Strict) together with a polynomial family;
	// see SPG.
	Force bool
}

var _ Solver = QuasiNewton{}

func (s QuasiNewton) String() string {
	name := "QN-PKL"
	if s.AsPrinted {
		name += " as printed"
	}
	if s.B1 != 0 {
		name += fmt.Sprintf(", b₁=%g", s.B1)
	}
	if s.Force {
		name += ", forced"
	}
	return name
}

// Requirements asks for θ ≥ 0 and a differentiable F. With the hinge loss F is differentiable if K(θ) is positive
// definite, as Gaussian kernels are on distinct points.
func (s QuasiNewton) Requirements(p *Problem) (Requirements, error) {
	return Requirements{Enter: true, Inner: 1e-9}, unsuited(s,
		need(s.B1 >= 0, "b₁ > 0, or 0 for a default"),
		needCone(p),
		needSlopes(p, s.Force))
}

// needCone asks for θ ≥ 0.
func needCone(p *Problem) error {
	return need(p.Set.Traits().Orthant(), "the set θ ≥ 0")
}

// needSlopes asks for a differentiable F. It assumes that K(θ) is positive definite if the family is not a polynomial
// in θ.
func needSlopes(p *Problem, force bool) error {
	return need(force || p.Differentiable() || p.Degree() == 0, smoothLoss)
}

// Start returns one run.
func (s QuasiNewton) Start(p *Problem) Stepper {
	m, _ := p.Grams.Dims()
	return &quasiNewton{QuasiNewton: s, gap: math.Inf(1), p: make([]float64, m)}
}

// quasiNewton is one run.
type quasiNewton struct {
	QuasiNewton
	b, p  []float64
	fresh bool    // B has its initial value
	gap   float64 // g of the paper
}

// begin sets B to its initial value.
func (s *quasiNewton) begin(it *Iterate) {
	b := s.B1
	if b == 0 {
		b = meanStep(it.Point)
	}
	s.b, s.fresh = make([]float64, len(s.p)), true
	for k := range s.b {
		s.b[k] = b
	}
}

func (s *quasiNewton) Step(it *Iterate) error {
	if s.b == nil {
		s.begin(it)
	}
	for k, g := range it.Grad() {
		s.p[k] = -g
	}
	if s.AsPrinted {
		return s.printed(it)
	}
	for {
		ok, err := s.search(it)
		switch {
		case err != nil:
			return err
		case ok:
			s.update(it)
			it.Accept()
			return nil
		case s.fresh:
			return ErrStalled
		}
		s.begin(it)
	}
}

// search tries δ = 1, 1/10, … and returns false if none satisfies the condition.
func (s *quasiNewton) search(it *Iterate) (bool, error) {
	t := it.Trial()
	for delta := 1.0; delta > 1e-10; delta /= 10 {
		slope := 0.0
		for k, p := range s.p {
			t.Theta[k] = max(0, it.Theta[k]+delta*s.b[k]*p)
			slope -= p * (t.Theta[k] - it.Theta[k])
		}
		if !(slope < 0) {
			return false, nil
		}
		if _, err := it.Try(); err != nil {
			if !it.tooFar(err) {
				return false, err
			}
			continue
		}
		if it.sufficient(it.F(), slope) {
			return true, nil
		}
	}
	return false, nil
}

// update computes B from the step from it to the trial.
func (s *quasiNewton) update(it *Iterate) {
	t, g := it.Trial(), it.Trial().Grad()
	ss, sz := 0.0, 0.0
	var good []float64
	for k := range s.b {
		d, z := t.Theta[k]-it.Theta[k], g[k]+s.p[k]
		ss, sz = ss+d*d, sz+d*z
		s.b[k] = d / z
		if s.b[k] > 0 && !math.IsInf(s.b[k], 1) {
			good = append(good, s.b[k])
		}
	}
	bb := meanStep(t)
	if sz > 0 {
		bb = ss / sz
	}
	middle := bb
	if len(good) > 0 {
		slices.Sort(good)
		middle = good[len(good)/2]
	}
	for k, b := range s.b {
		if !(b > 0) || math.IsInf(b, 1) {
			b = bb
		}
		s.b[k] = min(max(b, middle/1e4), middle*1e4)
	}
	s.fresh = false
}

// epsilon is ε of the paper. A relative decrease of F of at most ε ends the run; a δ below ε ends the search.
const epsilon = 1e-3

// printed runs one pass of the outer loop of the paper.
func (s *quasiNewton) printed(it *Iterate) error {
	if s.gap <= epsilon {
		return ErrStalled
	}
	t, o := it.Trial(), it.F()
	for delta := 1.0; ; {
		for k, p := range s.p {
			t.Theta[k] = it.Theta[k] + delta*s.b[k]*p
		}
		if _, err := it.Try(); err != nil {
			return err
		}
		if delta /= 10; t.F() < o || delta < epsilon {
			break
		}
	}
	for k, g := range t.Grad() {
		if b := (t.Theta[k] - it.Theta[k]) / (-g - s.p[k]); !math.IsNaN(b) { // 0/0: a constant feature
			s.b[k] = b
		}
	}
	s.gap = (o - t.F()) / o
	it.Accept()
	return nil
}
