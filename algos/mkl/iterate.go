package mkl

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/mklnb/mkl/algos/loss"
)

// Iterate is the current point of a run with the bounds proved so far.
type Iterate struct {
	*Point              // the current point; AcceptTrial replaces it by the trial
	K       int         // number of steps so far
	Evals   int         // number of evaluations of F so far
	Best    float64     // smallest Upper so far, +Inf while no iterate was in Θ
	Lower   float64     // largest proved lower bound of min F, −Inf if none; a step may raise it
	Cert    Certificate // certificate of the current point, with the largest Lower so far
	Tol     float64     // relative gap to which a step must solve the loss
	Elapsed time.Duration

	ctx                   context.Context
	trial                 *Point  // the point that Trial returns
	inexactSteps          int     // number of successive steps with an inexact solve of the loss and no smaller gap
	noiseBeforeRefinement float64 // error of F before the last refineBounds; it hides smaller changes of F
	endedNotPSD           bool    // the last step ended at a θ at which K + λI has no Cholesky factor
	tolFactor             float64 // factor by which Tol is multiplied; below 1 after solveInnerAgain
	sharpRounding         float64 // Cert.Rounding of the sharp bounds, +Inf before they are computed
}

// Gap returns the relative gap (Best − Lower)/|Best| or, without a global certificate, the relative residual. It is
// +Inf while no iterate was in Θ.
func (it *Iterate) Gap() float64 {
	if math.IsInf(it.Best, 1) {
		return it.Best
	}
	if it.Cert.Kind == FirstOrder {
		return loss.RelativeGap(it.Cert.Residual, it.Best)
	}
	return loss.RelativeGap(it.Best-it.Lower, it.Best)
}

// Trial returns the Point for the next trial: write its Theta, then call EvaluateTrial.
func (it *Iterate) Trial() *Point { return it.trial }

// EvaluateTrial evaluates F at Theta of the trial, with a warm start from the current point. After the end of the
// context it returns the context's error, so that line searches stop too. If the trial lies outside Θ and K(θ) is not
// positive semidefinite there, the error is both ErrStalled and loss.ErrNotPSD.
func (it *Iterate) EvaluateTrial() (*Point, error) {
	if err := it.ctx.Err(); err != nil {
		return it.trial, err
	}
	it.trial.Gram.SetTheta(it.trial.Theta)
	return it.solveTrialLoss()
}

// EvaluateRankOneTrial evaluates F at (1−η)θ + η vec(vvᵀ), the new Theta of the trial. It uses kernel.Grams.MixRankOne
// if the family supports it.
func (it *Iterate) EvaluateRankOneTrial(v []float64, eta float64) (*Point, error) {
	if err := it.ctx.Err(); err != nil {
		return it.trial, err
	}
	t, q := it.trial.Theta, len(v)
	for i, a := range v {
		newRow, oldRow := t[i*q:(i+1)*q], it.Theta[i*q:(i+1)*q]
		for j, b := range v {
			newRow[j] = (1-eta)*oldRow[j] + eta*(a*b)
		}
	}
	if !it.p.Grams.MixRankOne(it.trial.Gram, it.Gram, v, eta) {
		it.trial.Gram.SetTheta(t)
	}
	return it.solveTrialLoss()
}

// solveTrialLoss solves the loss at θ of the trial.
func (it *Iterate) solveTrialLoss() (*Point, error) {
	it.Evals++
	err := it.trial.SolveInner(it.Point, it.Tol)
	if errors.Is(err, loss.ErrNotPSD) && !it.p.Set.Contains(it.trial.Theta) {
		err = fmt.Errorf("%w: a step left Θ: %w", ErrStalled, err)
	}
	return it.trial, err
}

// EvaluateAndAcceptTrial calls EvaluateTrial and, if it succeeds, AcceptTrial.
func (it *Iterate) EvaluateAndAcceptTrial() error {
	if _, err := it.EvaluateTrial(); err != nil {
		return err
	}
	it.AcceptTrial()
	return nil
}

// AcceptTrial makes the trial, which EvaluateTrial has evaluated, the current point.
func (it *Iterate) AcceptTrial() { it.Point, it.trial = it.trial, it.Point }
