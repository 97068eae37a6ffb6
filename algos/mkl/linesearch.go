package mkl

import (
	"errors"
	"math"

	"github.com/mklnb/mkl/algos/loss"

	"gonum.org/v1/gonum/floats"
)

// armijo is c in the condition of sufficient decrease, F(θ⁺) ≤ F + c⟨∇F, θ⁺−θ⟩.
const armijo = 1e-4

// sufficient reports whether the trial decreases F enough from ref. slope < 0 is the slope at it along the direction of
// the step. If |F(θ⁺) − F| is at most the largest of 1e-10|F| and the inner gaps of the two points, F does not resolve
// the step. The slope at the trial then decides: it must be at most (1−2c)|slope| (the approximate Wolfe condition).
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

// slope returns ⟨g, θ⁺−θ⟩, where θ⁺ is θ of the trial.
func (it *Iterate) slope(g []float64) (sum float64) {
	t := it.Trial().Theta
	for k, v := range g {
		sum += v * (t[k] - it.Theta[k])
	}
	return sum
}

// tooFar reports whether Try failed only because K(θ) was not positive semidefinite at the trial. A shorter step may
// succeed.
func (it *Iterate) tooFar(err error) bool {
	return it.ctx.Err() == nil && errors.Is(err, loss.ErrNotPSD)
}

// barzilaiBorwein computes the step length of Barzilai and Borwein, sᵀs/sᵀz with s = θ − θ₋, z = ∇F(θ) − ∇F(θ₋). It
// stores the last point of a run.
type barzilaiBorwein struct{ theta, grad []float64 }

// length returns the step length and stores the current point. It returns 0 if sᵀz ≤ 0, so that no curvature was seen,
// or if no point has been stored.
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

// farStep returns a first step length for use without known curvature. A step along −∇F then moves θ as far as θ is
// from 0, and by at least 1e-3.
func farStep(it *Iterate) float64 {
	n := floats.Norm(it.Grad(), 2)
	if n == 0 {
		return 1
	}
	return math.Max(floats.Norm(it.Theta, 2), 1e-3) / n
}

// meanStep returns a first step length on θ ≥ 0 for use without known curvature. The step moves the coordinate with the
// largest slope at pt, among the coordinates that may move, by the mean of θ.
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
