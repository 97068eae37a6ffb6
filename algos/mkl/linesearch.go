package mkl

import (
	"errors"
	"math"

	"github.com/mklnb/mkl/algos/loss"

	"gonum.org/v1/gonum/floats"
)

// armijo is c of the sufficient decrease F(θ⁺) ≤ F + c⟨∇F, θ⁺−θ⟩.
const armijo = 1e-4

// sufficient reports whether the trial decreases F enough from ref along a direction whose slope
// at it is slope < 0. Where F no longer resolves the step, |F(θ⁺) − F| ≤ 1e-10|F| or what the inner solves of the
// two points left open, the slope at the trial decides: it must not have grown to (1−2c)|slope| (the approximate
// Wolfe condition).
//
// Reference: W. Hager and H. Zhang, SIAM J. Optim. 16 (2005), eq. (4.1).
func (it *Iterate) sufficient(ref, slope float64) bool {
	t := it.Trial()
	if math.IsNaN(t.F()) {
		return false
	}
	if t.F() <= ref+armijo*slope {
		return true
	}
	if math.Abs(t.F()-it.F()) > max(1e-10*math.Abs(it.F()), t.Primal-t.Dual(), it.Primal-it.Dual()) {
		return false
	}
	return it.slope(t.Grad()) <= (2*armijo-1)*slope
}

// slope is ⟨g, θ⁺−θ⟩, θ⁺ of the trial.
func (it *Iterate) slope(g []float64) (sum float64) {
	t := it.Trial().Theta
	for k, v := range g {
		sum += v * (t[k] - it.Theta[k])
	}
	return sum
}

// tooFar reports whether the error of a Try is only that K(θ) was not positive semidefinite there: a shorter step may
// do.
func (it *Iterate) tooFar(err error) bool {
	return it.ctx.Err() == nil && errors.Is(err, loss.ErrNotPSD)
}

// barzilaiBorwein remembers the last point of a run and gives the step length of Barzilai and Borwein,
// sᵀs/sᵀz with s = θ − θ₋, z = ∇F(θ) − ∇F(θ₋).
type barzilaiBorwein struct{ theta, grad []float64 }

// length returns the step, or 0 where sᵀz ≤ 0 (no curvature seen) or there is no last point, and
// remembers the point of it.
func (s *barzilaiBorwein) length(it *Iterate) float64 {
	g, step := it.Grad(), 0.0
	if s.theta != nil {
		ss, sz := 0.0, 0.0
		for i := range g {
			d := it.Theta[i] - s.theta[i]
			ss += d * d
			sz += d * (g[i] - s.grad[i])
		}
		if sz > 0 {
			step = ss / sz
		}
	}
	s.theta, s.grad = append(s.theta[:0], it.Theta...), append(s.grad[:0], g...)
	return step
}

// farStep is a first step length where no curvature is known: it moves θ as far as θ is from 0.
func farStep(it *Iterate) float64 {
	n := floats.Norm(it.Grad(), 2)
	if n == 0 {
		return 1
	}
	return math.Max(floats.Norm(it.Theta, 2), 1e-3) / n
}

// meanStep is a first step length on θ ≥ 0 where no curvature is known: it moves the coordinate with the largest
// slope at pt, of those that may move, by the mean of θ.
func meanStep(pt *Point) float64 {
	mean, top := 0.0, 0.0
	for k, g := range pt.Grad() {
		if mean += pt.Theta[k]; pt.Theta[k] > 0 || g < 0 {
			top = max(top, math.Abs(g))
		}
	}
	if mean /= float64(len(pt.Theta)); mean == 0 {
		mean = 1
	}
	if top == 0 {
		return 1
	}
	return mean / top
}
