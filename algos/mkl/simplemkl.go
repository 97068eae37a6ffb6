package mkl

import (
	"math"

	"github.com/mklnb/mkl/algos/kernel"

	"gonum.org/v1/gonum/floats"
)

// ReducedGradient is SimpleMKL. On a simplex, with ∂F_k = ∂F/∂θ_k and the largest weight θ_μ, its direction is
//
//	D_k = 0 if θ_k = 0 and ∂F_k > ∂F_μ;  D_k = ∂F_μ − ∂F_k for all other k ≠ μ;  D_μ = −Σ_{k≠μ} D_k
//
// A step moves along D until a weight becomes 0. If F has decreased, that weight is removed from D, and the step moves
// on along the new D. Otherwise the step searches for the minimum of F between the last two points.
//
// F must be convex. K(θ + xD) = K(θ) + xK(D). Therefore a trial θ + xD costs O(n²) and one solve of the loss, for any
// number of kernels. It also gives the derivative −½wᵀK(D)w of F along D, which the search uses. The search takes about
// three solves; the golden section of the paper takes eight for the same tenth of the segment. If a step does not
// decrease F, its search is repeated with a tenth of the tolerance for the derivative. With hundreds of kernels one
// step may set hundreds of weights to 0, at one solve of the loss each.
//
// References:
//   - A. Rakotomamonjy, F. Bach, S. Canu and Y. Grandvalet, SimpleMKL, JMLR 9 (2008), eq. (12) and
//     Algorithm 1.
type ReducedGradient struct{}

var _ Solver = ReducedGradient{}

func (ReducedGradient) String() string { return "ReducedGradient" }

// Requirements requires a family linear in θ on a simplex.
func (s ReducedGradient) Requirements(p *Problem) (Requirements, error) {
	return Requirements{ProjectsStart: true}, unsuitedError(s,
		require(isLinearFamily(p), "a family linear in θ"),
		require(p.Set.Traits().IsSimplex(), "a simplex"))
}

func (ReducedGradient) Start(p *Problem) Stepper {
	m, n := p.Grams.Dims()
	return &reducedGradient{slopeFraction: 0.1, direction: make([]float64, m), unitDifference: make([]float64, m),
		directionGram: p.Grams.New(), changeGram: p.Grams.New(), kw: make([]float64, n)}
}

type reducedGradient struct {
	slopeFraction             float64     // a search may end if |slope| ≤ this fraction of the slope at its start
	direction, unitDifference []float64   // D; the vector with 1 at μ and −1 at the ν whose weight became 0
	directionGram             kernel.Gram // K(D) for D = direction
	changeGram                kernel.Gram // K(θ) for θ = unitDifference
	canMix                    bool        // the family computes K(θ + xD) from K(θ) and K(D) (kernel.Grams.Mix)
	isMixedPoint              bool        // Mix computed K(θ) of the current point
	kw                        []float64   // K(D)w for one column w
}

func (s *reducedGradient) Step(it *Iterate) error {
	for {
		oldF := it.F()
		if err := s.dropTinyWeights(it); err != nil {
			return err
		}
		err := s.followDirection(it)
		if err == nil && s.isMixedPoint { // evaluate the same θ with the base matrices
			err = s.reevaluatePoint(it)
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

// reevaluatePoint evaluates F at the current θ again, with K(θ) computed from the base matrices and not by Mix, whose
// rounding errors add up.
func (s *reducedGradient) reevaluatePoint(it *Iterate) error {
	s.isMixedPoint = false
	it.p.Set.Project(it.Trial().Theta, it.Theta) // corrects rounding, so that θ is in Θ
	return it.EvaluateAndAcceptTrial()
}

// dropTinyWeights adds to the largest weight θ_μ every weight θ_k < 1e-8·θ_μ that has ∂F_k > ∂F_μ, and sets θ_k to 0.
// Without this, such a weight would become 0 after a tiny step along D, before F changes measurably.
func (s *reducedGradient) dropTinyWeights(it *Iterate) error {
	g, mu, t := it.Grad(), floats.MaxIdx(it.Theta), it.Trial()
	copy(t.Theta, it.Theta)
	hasDropped := false
	for k, v := range it.Theta {
		if v > 0 && v < 1e-8*it.Theta[mu] && g[k] > g[mu] {
			t.Theta[mu] += v
			t.Theta[k], hasDropped = 0, true
		}
	}
	if !hasDropped {
		return nil
	}
	return it.EvaluateAndAcceptTrial()
}

// computeDirection computes D at the current point and returns μ: see ReducedGradient.
func (s *reducedGradient) computeDirection(it *Iterate) (largestIndex int) {
	g := it.Grad()
	largestIndex = floats.MaxIdx(it.Theta)
	directionSum := 0.0
	for k, v := range it.Theta {
		s.direction[k] = g[largestIndex] - g[k]
		if k == largestIndex || v <= 0 && s.direction[k] < 0 {
			s.direction[k] = 0
		}
		directionSum += s.direction[k]
	}
	s.direction[largestIndex] = -directionSum
	return largestIndex
}

// followDirection moves along D while F decreases. When a weight becomes 0, it removes this weight from D and moves on.
// At the end it searches the last segment for the minimum.
func (s *reducedGradient) followDirection(it *Iterate) error {
	mu := s.computeDirection(it)
	s.directionGram.SetTheta(s.direction)
	s.canMix = true // tryStep sets it to false if Mix does not work
	for {
		nu, maxLength := -1, math.Inf(1)
		for k, d := range s.direction {
			if d < 0 && -it.Theta[k]/d < maxLength {
				nu, maxLength = k, -it.Theta[k]/d
			}
		}
		if nu < 0 || floats.Max(s.direction) <= 0 { // no weight falls, or none rises: D is 0 up to rounding
			return nil
		}
		if err := s.tryStep(it, maxLength, nu); err != nil {
			return err
		}
		t := it.Trial()
		if !(t.F() < it.F()) {
			return s.searchSegment(it, maxLength)
		}
		s.acceptTrial(it)
		if nu == mu {
			return nil
		}
		if s.canMix {
			clear(s.unitDifference)
			s.unitDifference[mu], s.unitDifference[nu] = 1, -1
			s.changeGram.SetTheta(s.unitDifference)
			it.p.Grams.Mix(s.directionGram, 1, s.directionGram, s.direction[nu], s.changeGram)
		}
		s.direction[mu] += s.direction[nu]
		s.direction[nu] = 0
	}
}

// acceptTrial accepts the trial, and records in isMixedPoint whether Mix computed its K(θ).
func (s *reducedGradient) acceptTrial(it *Iterate) {
	it.AcceptTrial()
	s.isMixedPoint = s.canMix
}

// tryStep evaluates the trial θ + stepLength·D. It sets the weight with index zeroIndex to exactly 0, unless zeroIndex
// is −1.
func (s *reducedGradient) tryStep(it *Iterate, stepLength float64, zeroIndex int) error {
	if err := it.ctx.Err(); err != nil {
		return err
	}
	t := it.Trial()
	for k, v := range it.Theta {
		t.Theta[k] = max(0, v+stepLength*s.direction[k])
	}
	if zeroIndex >= 0 {
		t.Theta[zeroIndex] = 0
	}
	if s.canMix {
		s.canMix = it.p.Grams.Mix(t.Gram, 1, it.Gram, stepLength, s.directionGram)
	}
	if !s.canMix {
		_, err := it.EvaluateTrial()
		return err
	}
	it.Evals++
	return t.SolveInner(it.Point, it.Tol)
}

// slopeAlongDirection returns the derivative of F along D at pt.
func (s *reducedGradient) slopeAlongDirection(pt *Point) float64 {
	if !s.canMix {
		return floats.Dot(pt.Grad(), s.direction)
	}
	form := 0.0
	for w := range pt.splitColumns(pt.W) {
		s.directionGram.K().MulVec(s.kw, w)
		form += floats.Dot(s.kw, w)
	}
	if pt.p.Reg == nil {
		return -form / 2
	}
	regGrad := make([]float64, len(s.direction))
	pt.p.Reg.Value(regGrad, pt.Theta)
	return floats.Dot(regGrad, s.direction) - form/2
}

// searchSegment looks for the minimum of F on θ + xD, 0 ≤ x ≤ maxLength. The trial is at x = maxLength, and its F is
// not smaller than F of the current point. If it finds a smaller F, it accepts that point.
func (s *reducedGradient) searchSegment(it *Iterate, maxLength float64) error {
	t := it.Trial()
	lo, hi, slopeLo, slopeHi := 0.0, maxLength, s.slopeAlongDirection(it.Point), s.slopeAlongDirection(t)
	if !(slopeLo < 0) {
		return nil
	}
	startSlope, lastSide := slopeLo, 0 // lastSide is the end of [lo, hi] moved last: −1 lo, +1 hi, 0 none
	for range 50 {
		x := lo + (hi-lo)/2
		if slopeHi > 0 { // regula falsi, with the Illinois modification below
			x = lo - slopeLo*(hi-lo)/(slopeHi-slopeLo)
			x = min(max(x, lo+0.01*(hi-lo)), hi-0.01*(hi-lo))
		}
		if err := s.tryStep(it, x, -1); err != nil {
			return err
		}
		d := s.slopeAlongDirection(t)
		if t.F() < it.F() && math.Abs(d) <= s.slopeFraction*math.Abs(startSlope) || hi-lo < 1e-10*maxLength {
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
