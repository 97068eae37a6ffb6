package mkl

import (
	"math"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/floats"
)

// ReducedGradient is SimpleMKL: on a simplex, with μ the largest weight, the direction
//
//	D_k = 0 where θ_k = 0 and ∂F_k > ∂F_μ;  else D_k = ∂F_μ − ∂F_k for k ≠ μ;  D_μ = −Σ_{k≠μ} D_k
//
// is followed from vertex to vertex of the simplex while F decreases, each weight that becomes 0
// leaving D, and then searched for the minimum between the last two.
//
// Convex F only. On a segment K(θ) is a mixture of those at its ends, so a trial costs O(n²) and an
// inner solve, whatever the number of kernels, and its slope −½wᵀ(K_b − K_a)w comes with it: the
// search is by that slope, which takes about three solves where the golden section of the paper
// takes eight for the same tenth of the segment. A search that brings nothing is repeated ten times
// as fine.
//
// References:
//   - A. Rakotomamonjy, F. Bach, S. Canu and Y. Grandvalet, SimpleMKL, JMLR 9 (2008), eq. (12) and
//     Algorithm 1.
type ReducedGradient struct{}

var _ Solver = ReducedGradient{}

func (ReducedGradient) String() string { return "ReducedGradient" }

// Uses asks for a family linear in θ on a simplex.
func (s ReducedGradient) Uses(p *Problem) (Use, error) {
	_, simplex := p.Set.(set.Simplex)
	return Use{}, unsuited(s,
		need(linear(p), "a family linear in θ"),
		need(simplex, "a simplex"))
}

// Start returns one run.
func (ReducedGradient) Start(p *Problem) Stepper {
	m, n := p.Grams.Dims()
	return &reducedGradient{fine: 0.1, d: make([]float64, m), base: make([]float64, m), end: make([]float64, m),
		other: p.Grams.New(), kw: make([]float64, n)}
}

// reducedGradient is one run.
type reducedGradient struct {
	fine      float64 // of the slope at the start of a search, what may be left of it
	d         []float64
	base, end []float64   // the ends of the segment that is searched
	other     kernel.Gram // at end
	kw        []float64
}

func (s *reducedGradient) Step(it *Iterate) error {
	if entered, err := enter(it); entered {
		return err
	}
	for {
		before := it.F()
		if err := s.step(it); err != nil {
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

// direction fills D at it and returns μ.
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

// drop moves weights below 1e-8 that F does not want to the largest one: they would end every
// segment before F can be told to change.
func (s *reducedGradient) drop(it *Iterate) error {
	g, mu, t := it.Grad(), floats.MaxIdx(it.Theta), it.Spare()
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
	if _, err := it.Try(); err != nil {
		return err
	}
	it.Accept()
	return nil
}

func (s *reducedGradient) step(it *Iterate) error {
	if err := s.drop(it); err != nil {
		return err
	}
	mu := s.direction(it)
	for {
		nu, most := -1, math.Inf(1)
		for k, d := range s.d {
			if d < 0 && -it.Theta[k]/d < most {
				nu, most = k, -it.Theta[k]/d
			}
		}
		if nu < 0 {
			return nil
		}
		t := it.Spare()
		floats.AddScaledTo(t.Theta, it.Theta, most, s.d)
		t.Theta[nu] = 0
		it.p.Set.Project(t.Theta, t.Theta) // the last digit
		if _, err := it.Try(); err != nil {
			return err
		}
		if !(t.F() < it.F()) {
			return s.search(it)
		}
		it.Accept()
		if nu == mu {
			return nil
		}
		s.d[mu] += s.d[nu]
		s.d[nu] = 0
	}
}

// slope is the derivative of F along the segment at pt, of the dual coefficients found there.
func (s *reducedGradient) slope(pt *Point, a kernel.Gram) float64 {
	linalg.SymMulVec(s.kw, s.other.K(), pt.W)
	form := floats.Dot(s.kw, pt.W)
	linalg.SymMulVec(s.kw, a.K(), pt.W)
	return -(form - floats.Dot(s.kw, pt.W)) / 2
}

// search looks for the minimum between it and the spare, where F is no less.
func (s *reducedGradient) search(it *Iterate) error {
	t := it.Spare()
	copy(s.base, it.Theta)
	copy(s.end, t.Theta)
	s.other, t.Gram = t.Gram, s.other
	lo, hi := 0.0, 1.0
	at0, at1 := s.slope(it.Point, it.Gram), s.slope(t, it.Gram)
	first, side := at0, 0
	if !(at0 < 0) {
		return nil
	}
	for range 50 {
		x := lo + (hi-lo)/2
		if at1 > 0 { // regula falsi, Illinois
			x = lo - at0*(hi-lo)/(at1-at0)
			x = min(max(x, lo+0.01*(hi-lo)), hi-0.01*(hi-lo))
		}
		for k, v := range s.base {
			t.Theta[k] = (1-x)*v + x*s.end[k]
		}
		if err := s.try(it, x); err != nil {
			return err
		}
		d := s.slope(t, it.Gram)
		if t.F() < it.F() && math.Abs(d) <= s.fine*math.Abs(first) || hi-lo < 1e-10 {
			break
		}
		if d > 0 || !(t.F() < it.F()) && lo == 0 {
			hi, at1 = x, max(d, 0)
			if side == 1 {
				at0 /= 2
			}
			side = 1
		} else {
			lo, at0 = x, d
			if side == -1 {
				at1 /= 2
			}
			side = -1
		}
	}
	if t.F() < it.F() {
		it.p.Set.Project(t.Theta, t.Theta)
		it.Accept()
	}
	return nil
}

// try evaluates the spare at its Theta, x of the way from it to end.
func (s *reducedGradient) try(it *Iterate, x float64) error {
	if err := it.ctx.Err(); err != nil {
		return err
	}
	m, ok := it.Spare().Gram.(kernel.Mixed)
	if !ok || !m.Mix(it.Gram, s.other, x) {
		_, err := it.Try()
		return err
	}
	it.Evals++
	return it.Spare().Inner(it.Point, it.Tol)
}
