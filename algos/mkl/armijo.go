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
func sufficient(it *Iterate, ref, slope float64) bool {
	t := it.Spare()
	if math.IsNaN(t.F()) {
		return false
	}
	if t.F() <= ref+armijo*slope {
		return true
	}
	if math.Abs(t.F()-it.F()) > max(1e-10*math.Abs(it.F()), t.Primal-t.Dual(), it.Primal-it.Dual()) {
		return false
	}
	g, at := t.Grad(), 0.0
	for i := range g {
		at += g[i] * (t.Theta[i] - it.Theta[i])
	}
	return at <= (2*armijo-1)*slope
}

// armijo is a step of PGD by the rule Armijo: the length of Barzilai and Borwein, halved until F decreases
// enough.
func (s *pgd) armijo(it *Iterate) error {
	if entered, err := enter(it); entered {
		return err
	}
	first := s.last.theta == nil
	if eta := s.last.length(it); eta > 0 {
		s.step = eta
	} else if first {
		s.step = rough(it)
	} else {
		s.step *= 2
	}
	for eta := s.step; eta > 1e-10*s.step; eta /= 2 {
		s.trial(it, eta)
		slope := floats.Dot(it.Grad(), it.Spare().Theta) - floats.Dot(it.Grad(), it.Theta)
		if !(slope < 0) {
			return ErrStalled
		}
		if _, err := it.Try(); err != nil {
			if it.ctx.Err() != nil || !errors.Is(err, loss.ErrNotPSD) {
				return err
			}
			continue
		}
		if sufficient(it, it.F(), slope) {
			it.Accept()
			return nil
		}
	}
	return ErrStalled
}

// enter makes the projection of a start outside Θ the first step of a run, whatever F there: a line
// search that compares F on Θ with F outside would not lead in. It returns false where the start
// is in Θ.
func enter(it *Iterate) (bool, error) {
	if it.K > 0 || it.p.Set.Contains(it.Theta) {
		return false, nil
	}
	it.p.Set.Project(it.Spare().Theta, it.Theta)
	if _, err := it.Try(); err != nil {
		return true, err
	}
	it.Accept()
	return true, nil
}
