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

// Iterate is the current point of a run with the bounds proved so far.
type Iterate struct {
	*Point          // the current point; AcceptTrial replaces it by the trial
	bounds          // a step must not modify them: the driver computes every bound and restores the proved ones
	K       int     // number of steps so far
	Evals   int     // number of evaluations of F so far
	Tol     float64 // relative duality gap to which a step must solve the dual problem for w
	Elapsed time.Duration

	proved                   bounds // the bounds as the driver proved them
	ctx                      context.Context
	trial                    *Point  // the point with the θ that a step tries
	inexactStepCount         int     // successive steps with an inexactly solved loss and a gap that did not shrink
	errorOfF                 float64 // rounding error of F without doubled precision; it hides smaller changes of F
	lastStepFoundIndefiniteK bool    // the last step ended at a θ with an indefinite K(θ) + λI
	tolFactor                float64 // factor of Tol, 1 until a stall makes more exact solves of the loss necessary
	roundingOfCostlyProofs   float64 // Cert.Rounding of the costly proofs, +Inf before they are tried
}

// bounds are the bounds of a run that the driver proved so far.
type bounds struct {
	BestUpper float64     // smallest Upper so far, +Inf while no iterate was in Θ
	Lower     float64     // largest proved lower bound of min F, −Inf if none; Cert.By names its proof
	Cert      Certificate // certificate of the current point, with the largest Lower so far
}

// Gap returns BestUpper − Lower or, without a global certificate, Cert.Residual, divided by |BestUpper|. It is +Inf
// while no iterate was in Θ.
func (it *Iterate) Gap() float64 {
	if math.IsInf(it.BestUpper, 1) {
		return it.BestUpper
	}
	if it.Cert.Kind == FirstOrder {
		return loss.RelativeGap(it.Cert.Residual, it.BestUpper)
	}
	return loss.RelativeGap(it.BestUpper-it.Lower, it.BestUpper)
}

// TrialPoint returns the Point for the next trial: write its Theta, which has length m, then call EvaluateTrial. Until
// AcceptTrial, each call returns the same Point. A trial that is not accepted needs no call; write another Theta.
func (it *Iterate) TrialPoint() *Point { return it.trial }

// EvaluateTrial evaluates F at Theta of the trial, with a warm start from the current point. After the end of the
// context it returns the context's error, so that line searches stop too. If the trial lies outside Θ and K(θ) is not
// positive semidefinite there, errors.Is finds ErrStalled and loss.ErrNotPSD in the error.
func (it *Iterate) EvaluateTrial() (*Point, error) {
	if err := it.ctx.Err(); err != nil {
		return it.trial, err
	}
	it.trial.Gram.SetTheta(it.trial.Theta)
	return it.solveTrialDual()
}

// EvaluateRankOneTrial sets Theta of the trial to (1−η)θ + η vec(vvᵀ), η = eta, and evaluates F there. It uses
// kernel.RankOneMixed if the family supports it.
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
	if g, ok := it.trial.Gram.(kernel.RankOneMixed); !ok || !g.MixRankOne(it.Gram, v, eta) {
		it.trial.Gram.SetTheta(t)
	}
	return it.solveTrialDual()
}

func (it *Iterate) solveTrialDual() (*Point, error) {
	it.Evals++
	err := it.trial.SolveDual(it.Point, it.Tol)
	if errors.Is(err, loss.ErrNotPSD) && !it.p.Set.Contains(it.trial.Theta) {
		err = fmt.Errorf("%w: a step left the set Θ: %w", ErrStalled, err)
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
