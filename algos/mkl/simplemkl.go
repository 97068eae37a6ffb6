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
// number of kernels. The dual coefficients w of this solve also give the derivative −½wᵀK(D)w of F along D, which the
// search uses. To find the minimum to a tenth of the segment, the search takes about three solves, and the golden
// section of the paper eight. If a step does not decrease F, its search is repeated with a tenth of the tolerance for
// the derivative. With hundreds of kernels one step may set hundreds of weights to 0, at one solve of the loss each.
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
		require(isLinearFamily(p), "a kernel family linear in θ"),
		require(p.Set.Traits().IsSimplex(), "a simplex"))
}

func (ReducedGradient) Start(p *Problem) Stepper {
	m, n := p.Grams.Dims()
	return &reducedGradient{maxFractionOfStartSlope: 0.1, direction: make([]float64, m), directionGram: p.Grams.New(),
		vertexDifference: make([]float64, m), vertexDifferenceGram: p.Grams.New(), kw: make([]float64, n)}
}

type reducedGradient struct {
	maxFractionOfStartSlope     float64     // a search may end if |slope| ≤ this fraction of the slope at its start
	direction, vertexDifference []float64   // D; e_μ − e_ν for the largest weight μ and a ν that became 0
	directionGram               kernel.Gram // K(D) for D = direction
	vertexDifferenceGram        kernel.Gram // K_μ − K_ν, for moving the entry ν of D to μ
	canMixGrams                 bool        // the family computes K(θ) + xK(D) from the two matrices (kernel.Mixed)
	hasMixedGram                bool        // K(θ) of the current point was computed as a sum K(θ) + xK(D)
	kw                          []float64   // K(D)w for one column w of the dual coefficients
}

func (s *reducedGradient) Step(it *Iterate) error {
	for {
		oldF := it.F()
		if err := s.dropTinyWeights(it); err != nil {
			return err
		}
		err := s.followDirection(it)
		if err == nil && s.hasMixedGram { // rounding errors of K(θ) + xK(D) add up: use the base matrices
			err = s.reevaluatePoint(it)
		}
		if err != nil {
			return err
		}
		if it.F() < oldF-1e-12*math.Abs(oldF) {
			return nil
		}
		if s.maxFractionOfStartSlope /= 10; s.maxFractionOfStartSlope < 1e-9 {
			return ErrStalled
		}
	}
}

// reevaluatePoint evaluates F at the current θ again, with K(θ) computed from the base matrices.
func (s *reducedGradient) reevaluatePoint(it *Iterate) error {
	s.hasMixedGram = false
	it.p.Set.Project(it.TrialPoint().Theta, it.Theta) // corrects rounding, so that θ is in Θ
	return it.EvaluateAndAcceptTrial()
}

// dropTinyWeights adds to the largest weight θ_μ every weight θ_k < 1e-8·θ_μ that has ∂F/∂θ_k > ∂F/∂θ_μ, and sets θ_k
// to 0. Without this, such a weight would become 0 after a tiny step along the direction, before F changes measurably.
func (s *reducedGradient) dropTinyWeights(it *Iterate) error {
	g, mu, t := it.Grad(), floats.MaxIdx(it.Theta), it.TrialPoint()
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

// computeDirection stores the reduced descent direction D at the current point, and returns the index μ of the largest
// weight, which takes up the changes of the others.
func (s *reducedGradient) computeDirection(it *Iterate) (indexOfLargestWeight int) {
	g := it.Grad()
	indexOfLargestWeight = floats.MaxIdx(it.Theta)
	directionSum := 0.0
	for k, v := range it.Theta {
		s.direction[k] = g[indexOfLargestWeight] - g[k]
		if k == indexOfLargestWeight || v <= 0 && s.direction[k] < 0 {
			s.direction[k] = 0
		}
		directionSum += s.direction[k]
	}
	s.direction[indexOfLargestWeight] = -directionSum
	return indexOfLargestWeight
}

// followDirection moves along the descent direction D while the objective F decreases. When a weight becomes 0, it
// removes this weight from D and moves on. At the end it searches the last segment for the minimum.
func (s *reducedGradient) followDirection(it *Iterate) error {
	mu := s.computeDirection(it)
	s.directionGram.SetTheta(s.direction)
	s.canMixGrams = true // until the family reports that it cannot
	for {
		nu, maxLength := -1, math.Inf(1)
		for k, d := range s.direction {
			if d < 0 && -it.Theta[k]/d < maxLength {
				nu, maxLength = k, -it.Theta[k]/d
			}
		}
		if nu < 0 || floats.Max(s.direction) <= 0 { // no weight falls (nu = −1), or none rises: D is 0
			return nil
		}
		if err := s.tryStep(it, maxLength, nu); err != nil {
			return err
		}
		t := it.TrialPoint()
		if !(t.F() < it.F()) {
			return s.searchMinimumOnSegment(it, maxLength)
		}
		s.acceptTrial(it)
		if nu == mu {
			return nil
		}
		if s.canMixGrams {
			clear(s.vertexDifference)
			s.vertexDifference[mu], s.vertexDifference[nu] = 1, -1
			s.vertexDifferenceGram.SetTheta(s.vertexDifference)
			s.directionGram.(kernel.Mixed).Mix(1, s.directionGram, s.direction[nu], s.vertexDifferenceGram)
		}
		s.direction[mu] += s.direction[nu]
		s.direction[nu] = 0
	}
}

// acceptTrial accepts the trial, and records in hasMixedGram whether its K(θ) was computed as K(θ) + xK(D).
func (s *reducedGradient) acceptTrial(it *Iterate) {
	it.AcceptTrial()
	s.hasMixedGram = s.canMixGrams
}

// tryStep evaluates the trial θ + stepLength·D, D the direction. It sets weight indexToZero, unless −1, to exactly 0.
func (s *reducedGradient) tryStep(it *Iterate, stepLength float64, indexToZero int) error {
	if err := it.ctx.Err(); err != nil {
		return err
	}
	t := it.TrialPoint()
	for k, v := range it.Theta {
		t.Theta[k] = max(0, v+stepLength*s.direction[k])
	}
	if indexToZero >= 0 {
		t.Theta[indexToZero] = 0
	}
	if s.canMixGrams {
		g, ok := t.Gram.(kernel.Mixed)
		s.canMixGrams = ok && g.Mix(1, it.Gram, stepLength, s.directionGram)
	}
	if !s.canMixGrams {
		_, err := it.EvaluateTrial()
		return err
	}
	it.Evals++
	return t.SolveDual(it.Point, it.Tol)
}

func (s *reducedGradient) slopeAlongDirection(pt *Point) float64 {
	if !s.canMixGrams {
		return floats.Dot(pt.Grad(), s.direction)
	}
	quadraticForm := 0.0
	for w := range pt.splitColumns(pt.W) {
		s.directionGram.K().MulVec(s.kw, w)
		quadraticForm += floats.Dot(s.kw, w)
	}
	if pt.p.Reg == nil {
		return -quadraticForm / 2
	}
	regGrad := make([]float64, len(s.direction))
	pt.p.Reg.Value(regGrad, pt.Theta)
	return floats.Dot(regGrad, s.direction) - quadraticForm/2
}

// searchMinimumOnSegment looks for the minimum of F on θ + xD, 0 ≤ x ≤ maxLength, D the direction. The trial is at x =
// maxLength, and its F is not smaller than F of the current point. If it finds a smaller F, it accepts that point.
func (s *reducedGradient) searchMinimumOnSegment(it *Iterate, maxLength float64) error {
	t := it.TrialPoint()
	lo, hi, slopeLo, slopeHi := 0.0, maxLength, s.slopeAlongDirection(it.Point), s.slopeAlongDirection(t)
	if !(slopeLo < 0) {
		return nil
	}
	startSlope, lastMovedEnd := slopeLo, 0 // the end of [lo, hi] moved last: −1 lo, +1 hi, 0 none
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
		if t.F() < it.F() && math.Abs(d) <= s.maxFractionOfStartSlope*math.Abs(startSlope) || hi-lo < 1e-10*maxLength {
			break
		}
		if d > 0 || !(t.F() < it.F()) && lo == 0 {
			if hi, slopeHi = x, max(d, 0); lastMovedEnd == 1 {
				slopeLo /= 2
			}
			lastMovedEnd = 1
		} else {
			if lo, slopeLo = x, d; lastMovedEnd == -1 {
				slopeHi /= 2
			}
			lastMovedEnd = -1
		}
	}
	if t.F() < it.F() {
		s.acceptTrial(it)
	}
	return nil
}
