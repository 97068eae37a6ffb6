package mkl

import (
	"fmt"
	"math"
	"slices"
)

// QuasiNewton is QN-PKL, a diagonal quasi-Newton method on θ ≥ 0 made for products of Gaussians
// (kernel.Gaussians) and the hinge loss, and open to any family and loss with a differentiable F:
//
//	p_t     = −∇F(θ_t)
//	θ_{t+1} = max(0, θ_t + δ B_t∘p_t),   δ ∈ {1, 1/10, 1/100, …} the first with
//	F(θ_{t+1}) ≤ F(θ_t) + 1e-4 ⟨∇F(θ_t), θ_{t+1}−θ_t⟩
//	B_{t+1} = (θ_{t+1} − θ_t) / (∇F(θ_{t+1}) − ∇F(θ_t)),  by coordinates.
//
// B is the inverse of the curvature seen. Where a coordinate saw none, or a negative one, its B is the
// length of Barzilai and Borwein; all are kept within 10⁴ of the median. Where no δ will do, B starts
// again from b₁.
//
// F decreases at every step. It has other minima than the one found, in general: what is proved is
// first order. LBFGS takes fewer evaluations.
//
// AsPrinted runs the algorithm as it stands in the paper. Its (7) has p, minus the gradient, in the
// place of the gradient, so that B < 0 where F is convex and the second direction ascends; it lets θ
// leave θ ≥ 0; and it keeps the last trial even where no δ decreased F. It ends after a few evaluations
// far above the minimum: it is there to be studied.
//
// References:
//   - D. Picard, N. Thome, M. Cord and A. Rakotomamonjy, Learning geometric combinations of Gaussian
//     kernels with alternating quasi-Newton algorithm, ESANN 2012, Algorithm 1, (6), (7).
type QuasiNewton struct {
	AsPrinted bool
	// B1 is b₁, the first B. If B1 is 0, it moves the coordinate with the largest slope by the
	// mean of θ.
	B1 float64
	// Force runs it with a loss that is not strictly concave (Traits.Strict) and a polynomial family too; see SPG.
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

// Requirements asks for θ ≥ 0 and a differentiable F. Of the hinge loss F is that where K(θ) is positive
// definite, as Gaussians are on different points.
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

// needSlopes asks for a differentiable F; a family that is no polynomial counts as one of definite K(θ).
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
	fresh bool    // B is as at the start
	gap   float64 // g of the paper
}

// begin makes B that of the start.
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

// search tries δ = 1, 1/10, … and returns false where none will do.
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

// update makes B of the step from it to the trial.
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

// epsilon is ε of the paper: it ends at a relative decrease of F, or a δ, below that.
const epsilon = 1e-3

// printed is one pass of the paper's outer loop.
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
