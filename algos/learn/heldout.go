package learn

import (
	"context"
	"math"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/stat"
)

// HeldOut compares two errors on the held-out points of the same folds: the error of the selected candidate, whose
// weights were learned in each fold, and the error with the weights of the model, which were learned on all labels. The
// second error is therefore too small rather than too large.
type HeldOut struct {
	Metric     compare.Metric
	Selected   float64 // cross-validation error of the candidate
	ModelError float64 // error with the weights of the model
	Limit      float64 // the largest ModelError that IsReproduced accepts; +Inf if both errors use the same weights
	FirstOrder bool    // the solver found a stationary point, and F may have several minima
	Err        error   // the reason why there is no comparison; nil if there is one
}

// IsReproduced reports whether the model has the error by which it was selected. It may be larger by 5 % or
// by a hundredth of the standard deviation of the targets, whichever is more, or for error rates by two standard
// deviations of the rate.
func (h *HeldOut) IsReproduced() bool { return h.ModelError <= h.Limit }

// checkHeldOut returns the HeldOut of the candidate c and its fit r to all points of d. It returns nil if the weights
// of r cannot be used in the folds.
func checkHeldOut(ctx context.Context, d *data.Dataset, c *compare.Chosen, by compare.Metric, r *mkl.Result) *HeldOut {
	found, ok, err := c.HeldOutError(ctx, r.Theta)
	if err != nil {
		return &HeldOut{Err: err}
	}
	if !ok {
		return nil
	}
	chosen := c.Cell()
	h := &HeldOut{Metric: by, Selected: chosen.Error(by), ModelError: found.Error(by), Limit: math.Inf(1),
		FirstOrder: r.Kind == mkl.FirstOrder}
	if c.Candidate().Rule != nil {
		return h // the weights follow from a rule
	}
	targetSD := 1. // of several targets, and about that of classes
	if d.Classes == nil && d.ExtraTargets == nil {
		targetSD = stat.PopStdDev(d.TransformedY(), nil)
	}
	h.Limit = h.Selected + max(0.05*h.Selected, 0.01*targetSD)
	if by == compare.ErrorRate {
		rate, n := h.Selected, float64(chosen.N)
		h.Limit = rate + 2*math.Sqrt(math.Max(rate*(1-rate), 1/n)/n)
	}
	return h
}
