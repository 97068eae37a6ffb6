package learn

import (
	"context"
	"fmt"
	"math"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/viz"
)

// doubt compares the cross-validation error by which c was chosen with the error that the model's weights have on the
// same held-out points, and how much the predictions vary there. It adds a warning to l if the second error is larger
// by 5 % and a hundredth of the targets' standard deviation or, for error rates, by two standard deviations, or if the
// predictions are nearly constant. The model's weights have seen all labels, so their error is rather too small.
func doubt(ctx context.Context, c *compare.Chosen, how compare.Selection, calibration int, l *Learned) {
	found, ok, err := c.HeldOut(ctx, l.Result.Theta, calibration)
	if err != nil {
		l.Warnings = append(l.Warnings,
			fmt.Sprintf("Whether the model reproduces the error it was chosen by is not known: %v.", err))
	}
	if !ok {
		return
	}
	by, chosen := how.Metric(), c.Cell()
	was, is := chosen.Error(by), found.Error(by)
	most := was + max(0.05*was, 0.01*found.TargetSD)
	if by == compare.ErrorRate {
		most = was + 2*math.Sqrt(math.Max(was*(1-was), 1/chosen.Weight)/chosen.Weight)
	}
	// LeaveOneOut already uses the weights of all points.
	if c.Candidate().Rule == nil && how.Folds != compare.LeaveOneOut && is > most {
		d := viz.Digits(is, was)
		why := "The weights of all points are unlike those of the folds"
		if l.Result.Kind == mkl.FirstOrder {
			why = "The objective has several minima, and the one found with all points is unlike those of the folds"
		}
		l.Warnings = append(l.Warnings, fmt.Sprintf("The model does not reproduce the error that it was chosen by: "+
			"with its weights the %s on points left out is %s, not %s. %s: WithMethod(%q) learns none; "+
			"fewer features, a smaller set (WithSet) or another seed (WithSeed) may do better.", by, d[0], d[1], why,
			UniformName))
	}
	if found.PredictionSD < nearlyConstant*found.TargetSD {
		d := viz.Digits(found.PredictionSD, found.TargetSD)
		l.Warnings = append(l.Warnings, fmt.Sprintf("The model predicts nearly the same for every new point: "+
			"on points left out its predictions have a standard deviation of %s, the targets of %s. "+
			"It has found nothing to predict by: more points, other features or another family (WithFamily) may help.",
			d[0], d[1]))
	}
}

// nearlyConstant is the ratio of the standard deviations of predictions and targets below which predictions are called
// constant.
const nearlyConstant = 0.02
