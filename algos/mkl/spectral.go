package mkl

import (
	"math"

	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/floats"
)

// spectral remembers the last point of a run and gives the step length of Barzilai and Borwein,
// sᵀs/sᵀz with s = θ − θ₋, z = ∇F(θ) − ∇F(θ₋).
type spectral struct{ theta, grad []float64 }

// length returns the step, or 0 where sᵀz ≤ 0 (no curvature seen) or there is no last point, and
// remembers it's point.
func (s *spectral) length(it *Iterate) float64 {
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

// armijo is c of the sufficient decrease F(θ⁺) ≤ F + c⟨∇F, θ⁺−θ⟩.
const armijo = 1e-4

// sufficient reports whether the trial decreases F enough from ref along a direction whose slope
// at it is slope < 0. Where F no longer resolves the step, |F(θ⁺) − F| ≤ 1e-10|F|, the slope at
// the trial decides: it must not have grown to (1−2c)|slope| (the approximate Wolfe condition).
//
// Reference: W. Hager and H. Zhang, SIAM J. Optim. 16 (2005), eq. (4.1).
func sufficient(it *Iterate, ref, slope float64) bool {
	t := it.Spare()
	if math.IsNaN(t.F()) {
		return false
	}
	if t.F() <= ref+armijo*slope {
		return true
	}
	if math.Abs(t.F()-it.F()) > 1e-10*math.Abs(it.F()) {
		return false
	}
	g, at := t.Grad(), 0.0
	for i := range g {
		at += g[i] * (t.Theta[i] - it.Theta[i])
	}
	return at <= (2*armijo-1)*slope
}

// enter makes the projection of a start outside Θ the first step of a run, whatever F there: a line
// search that compares F on Θ with F outside would not lead in. It returns false where the start
// is in Θ.
func enter(it *Iterate) (bool, error) {
	if it.K > 0 || set.Contains(it.p.Set, it.Theta) {
		return false, nil
	}
	it.p.Set.Project(it.Spare().Theta, it.Theta)
	if _, err := it.Try(); err != nil {
		return true, err
	}
	it.Accept()
	return true, nil
}

// rough is a first step length where no curvature is known: as far as θ is from 0.
func rough(it *Iterate) float64 {
	n := floats.Norm(it.Grad(), 2)
	if n == 0 {
		return 1
	}
	return math.Max(floats.Norm(it.Theta, 2), 1e-3) / n
}
