package mkl

import (
	"math"

	"github.com/mklnb/mkl/algos/kernel"

	"gonum.org/v1/gonum/floats"
)

// ReducedGradient is SimpleMKL. On a simplex, with μ the index of the largest weight, its direction is
//
//	D_k = 0 if θ_k = 0 and ∂F_k > ∂F_μ;  D_k = ∂F_μ − ∂F_k for all other k ≠ μ;  D_μ = −Σ_{k≠μ} D_k
//
// A step follows D from vertex to vertex of the simplex while F decreases. A weight that becomes 0 leaves D. Then the
// step searches for the minimum between the last two points.
//
// F must be convex. K(θ + xD) = K(θ) + xK(D), so a trial costs O(n²) and an inner solve, whatever the number of
// kernels. A trial also gives its slope −½wᵀK(D)w, and the search uses this slope. It takes about three solves; the
// golden section of the paper takes eight for the same tenth of the segment. A search that does not decrease F is
// repeated ten times as fine. With hundreds of kernels one step may pass hundreds of vertices, at one solve each.
//
// References:
//   - A. Rakotomamonjy, F. Bach, S. Canu and Y. Grandvalet, SimpleMKL, JMLR 9 (2008), eq. (12) and
//     Algorithm 1.
type ReducedGradient struct{}

var _ Solver = ReducedGradient{}

func (ReducedGradient) String() string { return "ReducedGradient" }

// Requirements asks for a family linear in θ on a simplex.
func (s ReducedGradient) Requirements(p *Problem) (Requirements, error) {
	return Requirements{Enter: true}, unsuited(s,
		need(isLinear(p), "a family linear in θ"),
		need(p.Set.Traits().Simplex(), "a simplex"))
}

// Start returns one run.
func (ReducedGradient) Start(p *Problem) Stepper {
	m, n := p.Grams.Dims()
	return &reducedGradient{fine: 0.1, d: make([]float64, m), unit: make([]float64, m), along: p.Grams.New(),
		change: p.Grams.New(), kw: make([]float64, n)}
}

// reducedGradient is one run.
type reducedGradient struct {
	fine    float64     // fraction of the initial slope at which a search may end
	d, unit []float64   // D; e_μ − e_ν
	along   kernel.Gram // at D
	change  kernel.Gram // at e_μ − e_ν
	mixed   bool        // the family mixes Grams (kernel.Grams.Mix)
	moved   bool        // Mix made the Gram of the current point
	kw      []float64
}

func (s *reducedGradient) Step(it *Iterate) error {
	for {
		before := it.F()
		if err := s.drop(it); err != nil {
			return err
		}
		err := s.walk(it)
		if err == nil && s.moved { // evaluate the same θ with the base matrices
			err = s.settle(it)
		}
		if err != nil {
			return err
		}
		if it.F() < before-1e-12*math.Abs(before) {
			return nil
		}
		if s.fine /= 10; s.fine < 1e-9 {
			return ErrStalled
		}
	}
}

// settle evaluates the current θ again, with the base matrices.
func (s *reducedGradient) settle(it *Iterate) error {
	s.moved = false
	it.p.Set.Project(it.Trial().Theta, it.Theta) // corrects the last digit
	return it.TryAndAccept()
}

// drop moves every weight below 1e-8 of the largest weight to the largest weight, if its slope is the larger one. Such
// weights would end every segment before F changes measurably.
func (s *reducedGradient) drop(it *Iterate) error {
	g, mu, t := it.Grad(), floats.MaxIdx(it.Theta), it.Trial()
	copy(t.Theta, it.Theta)
	some := false
	for k, v := range it.Theta {
		if v > 0 && v < 1e-8*it.Theta[mu] && g[k] > g[mu] {
			t.Theta[mu] += v
			t.Theta[k], some = 0, true
		}
	}
	if !some {
		return nil
	}
	return it.TryAndAccept()
}

// direction computes D at it and returns μ.
func (s *reducedGradient) direction(it *Iterate) (mu int) {
	g := it.Grad()
	mu = floats.MaxIdx(it.Theta)
	sum := 0.0
	for k, v := range it.Theta {
		s.d[k] = g[mu] - g[k]
		if k == mu || v <= 0 && s.d[k] < 0 {
			s.d[k] = 0
		}
		sum += s.d[k]
	}
	s.d[mu] = -sum
	return mu
}

// walk moves from vertex to vertex, and searches the last segment.
func (s *reducedGradient) walk(it *Iterate) error {
	mu := s.direction(it)
	s.along.At(s.d)
	s.mixed = true // until Mix returns false
	for {
		nu, most := -1, math.Inf(1)
		for k, d := range s.d {
			if d < 0 && -it.Theta[k]/d < most {
				nu, most = k, -it.Theta[k]/d
			}
		}
		if nu < 0 || floats.Max(s.d) <= 0 { // only rounding errors remain in D
			return nil
		}
		if err := s.try(it, most, nu); err != nil {
			return err
		}
		t := it.Trial()
		if !(t.F() < it.F()) {
			return s.search(it, most)
		}
		s.accept(it)
		if nu == mu {
			return nil
		}
		if s.mixed {
			clear(s.unit)
			s.unit[mu], s.unit[nu] = 1, -1
			s.change.At(s.unit)
			it.p.Grams.Mix(s.along, 1, s.along, s.d[nu], s.change)
		}
		s.d[mu] += s.d[nu]
		s.d[nu] = 0
	}
}

func (s *reducedGradient) accept(it *Iterate) {
	it.Accept()
	s.moved = s.mixed
}

// try evaluates the trial at θ + xD. Weight nu is 0 there, unless nu is −1.
func (s *reducedGradient) try(it *Iterate, x float64, nu int) error {
	if err := it.ctx.Err(); err != nil {
		return err
	}
	t := it.Trial()
	for k, v := range it.Theta {
		t.Theta[k] = max(0, v+x*s.d[k])
	}
	if nu >= 0 {
		t.Theta[nu] = 0
	}
	if s.mixed {
		s.mixed = it.p.Grams.Mix(t.Gram, 1, it.Gram, x, s.along)
	}
	if !s.mixed {
		_, err := it.Try()
		return err
	}
	it.Evals++
	return t.Inner(it.Point, it.Tol)
}

// slope returns the derivative of F along D at pt.
func (s *reducedGradient) slope(pt *Point) float64 {
	if !s.mixed {
		return floats.Dot(pt.Grad(), s.d)
	}
	form := 0.0
	for w := range pt.columns(pt.W) {
		s.along.K().MulVec(s.kw, w)
		form += floats.Dot(s.kw, w)
	}
	if pt.p.Reg == nil {
		return -form / 2
	}
	slopes := make([]float64, len(s.d))
	pt.p.Reg.Value(slopes, pt.Theta)
	return floats.Dot(slopes, s.d) - form/2
}

// search looks for the minimum between it and the trial, which is at x = most and whose F is not smaller.
func (s *reducedGradient) search(it *Iterate, most float64) error {
	t := it.Trial()
	lo, hi, at0, at1 := 0.0, most, s.slope(it.Point), s.slope(t)
	if !(at0 < 0) {
		return nil
	}
	first, side := at0, 0
	for range 50 {
		x := lo + (hi-lo)/2
		if at1 > 0 { // regula falsi, Illinois
			x = lo - at0*(hi-lo)/(at1-at0)
			x = min(max(x, lo+0.01*(hi-lo)), hi-0.01*(hi-lo))
		}
		if err := s.try(it, x, -1); err != nil {
			return err
		}
		d := s.slope(t)
		if t.F() < it.F() && math.Abs(d) <= s.fine*math.Abs(first) || hi-lo < 1e-10*most {
			break
		}
		if d > 0 || !(t.F() < it.F()) && lo == 0 {
			if hi, at1 = x, max(d, 0); side == 1 {
				at0 /= 2
			}
			side = 1
		} else {
			if lo, at0 = x, d; side == -1 {
				at1 /= 2
			}
			side = -1
		}
	}
	if t.F() < it.F() {
		s.accept(it)
	}
	return nil
}
