package mkl

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
)

// Iterate is what a run shows: the point, and what is proved so far.
type Iterate struct {
	*Point              // the current point; a step replaces it by a trial that it accepted
	K       int         // steps taken
	Evals   int         // evaluations of F
	Best    float64     // smallest Upper so far, +Inf while no iterate was in Θ
	Lower   float64     // best proved lower bound of min F, −Inf if none; a step may raise it
	Cert    Certificate // of the current point, with the best Lower so far
	Tol     float64     // inner tolerance a step should ask for
	Elapsed time.Duration

	ctx       context.Context
	trial     *Point
	idle      int     // steps in a row whose inner solve was inexact and that proved nothing
	noise     float64 // rounding in Upper − Lower, or the inner gap, as steps see them, where it mattered
	broke     bool    // a step met a K + λI without a Cholesky factor
	open      bool    // a step of a run with Requirements.OnePoint has begun, and accepted nothing: Point is nothing
	remake    func()  // writes θ of the current point once more, where that takes less than a copy; else nil
	tight     float64 // factor of Tol, less than 1 after a stall of an iterative loss
	allowance float64 // Cert.Rounding by the sharp bounds, +Inf before they were asked for
}

// Gap is the relative gap reached, Best − Lower over |Best|, or where nothing global is proved the
// relative residual; +Inf while no iterate was in Θ.
func (it *Iterate) Gap() float64 {
	if math.IsInf(it.Best, 1) {
		return it.Best
	}
	if it.Cert.Kind == FirstOrder {
		return loss.RelativeGap(it.Cert.Residual, it.Best)
	}
	return loss.RelativeGap(it.Best-it.Lower, it.Best)
}

// Trial is an unused Point, in a run with Requirements.OnePoint the current one: write its Theta, then Try.
func (it *Iterate) Trial() *Point { return it.trial }

// Try evaluates the trial at its Theta, warm from the current point. It fails with the context's
// error once that has ended, so that a line search can be stopped too. Where the trial lies outside
// Θ and K(θ) is not positive semidefinite there, the error is both ErrStalled and loss.ErrNotPSD.
func (it *Iterate) Try() (*Point, error) {
	if err := it.ctx.Err(); err != nil {
		return it.trial, err
	}
	it.trial.Gram.At(it.trial.Theta)
	return it.tried()
}

// TryTowards is Try at (1−η)θ + η vec(vvᵀ), of a Gram that is a kernel.RankOne.
func (it *Iterate) TryTowards(v []float64, eta float64) (*Point, error) {
	if err := it.ctx.Err(); err != nil {
		return it.trial, err
	}
	t, q := it.trial.Theta, len(v)
	for i, a := range v {
		row, was := t[i*q:(i+1)*q], it.Theta[i*q:(i+1)*q]
		for j, b := range v {
			row[j] = (1-eta)*was[j] + eta*(a*b)
		}
	}
	it.trial.Gram.(kernel.RankOne).Towards(it.Gram, v, eta)
	return it.tried()
}

// tried solves the inner problem of the trial.
func (it *Iterate) tried() (*Point, error) {
	it.Evals++
	err := it.trial.Inner(it.Point, it.Tol)
	if errors.Is(err, loss.ErrNotPSD) && !it.p.Set.Contains(it.trial.Theta) {
		err = fmt.Errorf("%w: a step left Θ: %w", ErrStalled, err)
	}
	return it.trial, err
}

// TryAndAccept is Try, and Accept unless that fails.
func (it *Iterate) TryAndAccept() error {
	if _, err := it.Try(); err != nil {
		return err
	}
	it.Accept()
	return nil
}

// Accept makes the trial, as evaluated by Try, the current point.
func (it *Iterate) Accept() {
	it.Point, it.trial = it.trial, it.Point
	it.open, it.remake = false, nil
}
