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
// A step moves along D until a weight becomes 0. If F has decreased, that weight is removed from D, and the step moves
// on along the new D. Otherwise the step searches for the minimum of F between the last two points.
//
// F must be convex. K(θ + xD) = K(θ) + xK(D). Therefore a trial θ + xD costs O(n²) and an inner solve, for any number
// of kernels. It also gives the derivative −½wᵀK(D)w of F along D, which the search uses. It takes about three solves;
// the golden section of the paper takes eight for the same tenth of the segment. If a step does not decrease F, its
// search is repeated with a tenth of the tolerance for the derivative. With hundreds of kernels one step may set
// hundreds of weights to 0, at one inner solve each.
//
// References:
//   - A. Rakotomamonjy, F. Bach, S. Canu and Y. Grandvalet, SimpleMKL, JMLR 9 (2008), eq. (12) and
//     Algorithm 1.
type ReducedGradient struct{}

var _ Solver = ReducedGradient{}

func (ReducedGradient) String() string { return "ReducedGradient" }

// Requirements requires a family linear in θ on a simplex.
func (s ReducedGradient) Requirements(p *Problem) (Requirements, error) {
	return Requirements{Enter: true}, unsuitedError(s,
		require(isLinearFamily(p), "a family linear in θ"),
		require(p.Set.Traits().Simplex(), "a simplex"))
}

func (ReducedGradient) Start(p *Problem) Stepper {
	m, n := p.Grams.Dims()
	return &reducedGradient{slopeFraction: 0.1, d: make([]float64, m), unitDifference: make([]float64, m),
		gramD: p.Grams.New(), gramChange: p.Grams.New(), kw: make([]float64, n)}
}

type reducedGradient struct {
	slopeFraction     float64     // a search may end if |slope| ≤ this fraction of the slope at its start
	d, unitDifference []float64   // D; e_μ − e_ν
	gramD             kernel.Gram // K(D)
	gramChange        kernel.Gram // K(e_μ − e_ν)
	canMix            bool        // the family computes K(θ + xD) from K(θ) and K(D) (kernel.Grams.Mix)
	isMixedPoint      bool        // Mix computed K(θ) of the current point
	kw                []float64   // K(D)w for one column w
}

func (s *reducedGradient) Step(it *Iterate) error {
	for {
		oldF := it.F()
		if err := s.dropTinyWeights(it); err != nil {
			return err
		}
		err := s.walkVertices(it)
		if err == nil && s.isMixedPoint { // evaluate the same θ with the base matrices
			err = s.reevaluate(it)
		}
		if err != nil {
			return err
		}
		if it.F() < oldF-1e-12*math.Abs(oldF) {
			return nil
		}
		if s.slopeFraction /= 10; s.slopeFraction < 1e-9 {
			return ErrStalled
		}
	}
}

// reevaluate evaluates F at the current θ again, with K(θ) computed from the base matrices and not by Mix, whose
// rounding errors add up.
func (s *reducedGradient) reevaluate(it *Iterate) error {
	s.isMixedPoint = false
	it.p.Set.Project(it.Trial().Theta, it.Theta) // corrects rounding, so that θ is in Θ
	return it.EvaluateAndAcceptTrial()
}

// dropTinyWeights sets to 0 every weight θ_k below 1e-8 of the largest weight θ_μ with ∂F_k > ∂F_μ, and adds it to θ_μ.
// Without this, such a weight would become 0 after a tiny step along D, before F changes measurably.
func (s *reducedGradient) dropTinyWeights(it *Iterate) error {
	g, mu, t := it.Grad(), floats.MaxIdx(it.Theta), it.Trial()
	copy(t.Theta, it.Theta)
	dropped := false
	for k, v := range it.Theta {
		if v > 0 && v < 1e-8*it.Theta[mu] && g[k] > g[mu] {
			t.Theta[mu] += v
			t.Theta[k], dropped = 0, true
		}
	}
	if !dropped {
		return nil
	}
	return it.EvaluateAndAcceptTrial()
}

// computeDirection computes D at the current point and returns μ.
func (s *reducedGradient) computeDirection(it *Iterate) (mu int) {
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

// walkVertices moves along D and its successors, from which weights that became 0 are removed, while F decreases. Then
// it searches the last segment for the minimum.
func (s *reducedGradient) walkVertices(it *Iterate) error {
	mu := s.computeDirection(it)
	s.gramD.SetTheta(s.d)
	s.canMix = true // until Mix returns false
	for {
		nu, longest := -1, math.Inf(1)
		for k, d := range s.d {
			if d < 0 && -it.Theta[k]/d < longest {
				nu, longest = k, -it.Theta[k]/d
			}
		}
		if nu < 0 || floats.Max(s.d) <= 0 { // only rounding errors remain in D
			return nil
		}
		if err := s.tryStep(it, longest, nu); err != nil {
			return err
		}
		t := it.Trial()
		if !(t.F() < it.F()) {
			return s.searchSegment(it, longest)
		}
		s.acceptTrial(it)
		if nu == mu {
			return nil
		}
		if s.canMix {
			clear(s.unitDifference)
			s.unitDifference[mu], s.unitDifference[nu] = 1, -1
			s.gramChange.SetTheta(s.unitDifference)
			it.p.Grams.Mix(s.gramD, 1, s.gramD, s.d[nu], s.gramChange)
		}
		s.d[mu] += s.d[nu]
		s.d[nu] = 0
	}
}

// acceptTrial accepts the trial, and records in isMixedPoint whether Mix computed its K(θ).
func (s *reducedGradient) acceptTrial(it *Iterate) {
	it.AcceptTrial()
	s.isMixedPoint = s.canMix
}

// tryStep evaluates the trial θ + xD. It sets weight nu of the trial to exactly 0, unless nu is −1.
func (s *reducedGradient) tryStep(it *Iterate, x float64, nu int) error {
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
	if s.canMix {
		s.canMix = it.p.Grams.Mix(t.Gram, 1, it.Gram, x, s.gramD)
	}
	if !s.canMix {
		_, err := it.EvaluateTrial()
		return err
	}
	it.Evals++
	return t.Inner(it.Point, it.Tol)
}

// slopeAlongD returns the derivative of F along D at pt.
func (s *reducedGradient) slopeAlongD(pt *Point) float64 {
	if !s.canMix {
		return floats.Dot(pt.Grad(), s.d)
	}
	quadratic := 0.0
	for w := range pt.splitColumns(pt.W) {
		s.gramD.K().MulVec(s.kw, w)
		quadratic += floats.Dot(s.kw, w)
	}
	if pt.p.Reg == nil {
		return -quadratic / 2
	}
	slopes := make([]float64, len(s.d))
	pt.p.Reg.Value(slopes, pt.Theta)
	return floats.Dot(slopes, s.d) - quadratic/2
}

// searchSegment looks for the minimum of F on θ + xD, 0 ≤ x ≤ longest. The trial is at x = longest, and its F is not
// smaller than F of the current point. If it finds a smaller F, it accepts that point.
func (s *reducedGradient) searchSegment(it *Iterate, longest float64) error {
	t := it.Trial()
	lo, hi, slopeLo, slopeHi := 0.0, longest, s.slopeAlongD(it.Point), s.slopeAlongD(t)
	if !(slopeLo < 0) {
		return nil
	}
	first, lastSide := slopeLo, 0 // lastSide is the end of [lo, hi] moved last: −1 lo, +1 hi, 0 none
	for range 50 {
		x := lo + (hi-lo)/2
		if slopeHi > 0 { // regula falsi, with the Illinois modification below
			x = lo - slopeLo*(hi-lo)/(slopeHi-slopeLo)
			x = min(max(x, lo+0.01*(hi-lo)), hi-0.01*(hi-lo))
		}
		if err := s.tryStep(it, x, -1); err != nil {
			return err
		}
		d := s.slopeAlongD(t)
		if t.F() < it.F() && math.Abs(d) <= s.slopeFraction*math.Abs(first) || hi-lo < 1e-10*longest {
			break
		}
		if d > 0 || !(t.F() < it.F()) && lo == 0 {
			if hi, slopeHi = x, max(d, 0); lastSide == 1 {
				slopeLo /= 2
			}
			lastSide = 1
		} else {
			if lo, slopeLo = x, d; lastSide == -1 {
				slopeHi /= 2
			}
			lastSide = -1
		}
	}
	if t.F() < it.F() {
		s.acceptTrial(it)
	}
	return nil
}
