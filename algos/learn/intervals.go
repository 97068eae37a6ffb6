package learn

import (
	"context"
	"fmt"

	"github.com/mklnb/mkl/algos/compare"
)

// intervalFolds is the number of folds for prediction intervals. More folds make the intervals narrower, because the
// models of folds are learned from more points, and take as many more fits.
const intervalFolds = 10

// WithIntervals adds prediction intervals of a level, such as 0.9, to a model of numbers: see model.Intervals. This
// takes ten more fits, each without a tenth of the points, with the chosen hyperparameters. If points have groups, a
// fit lacks whole groups, and the intervals are for points of new groups. Files of predictions get the columns lower
// and upper.
func WithIntervals(level float64) Option {
	return given("WithIntervals", func(o *options) { o.Intervals = level })
}

// addIntervals adds the intervals of the plan to the model of l.
func (o *fitting) addIntervals(ctx context.Context, c *compare.Chosen, l *Learned) (err error) {
	if o.Intervals == 0 {
		return nil
	}
	if l.Model.Intervals, err = c.Intervals(ctx, o.Intervals, intervalFolds, o.Seed+1); err != nil {
		return fmt.Errorf("learn: WithIntervals: %w", err)
	}
	l.Model.Note += fmt.Sprintf("; %g %% prediction intervals by CV+ of %d folds", 100*o.Intervals,
		len(l.Model.Intervals.Folds))
	return nil
}
