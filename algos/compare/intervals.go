package compare

import (
	"context"
	"fmt"
	"math"

	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data"
)

// Intervals returns what a model of all points needs for prediction intervals of a level: for each of k folds, the
// model that the method with the chosen hyperparameters fits without the fold, and its residuals at the points of the
// fold. If the data have groups, a fold consists of whole groups, and there are at most as many folds as groups.
// The cost is k fits, each to (k−1)/k of the points.
func (c *Chosen) Intervals(ctx context.Context, level float64, k int, seed uint64) (*model.Intervals, error) {
	r, b := c.session, c.chosenGrid()
	d := r.Data
	splits, err := newIntervalSplits(d, level, k, seed)
	if err != nil {
		return nil, fmt.Errorf("compare: %w", err)
	}
	b.shift = nil // the models of the folds predict without it
	v := &model.Intervals{Level: level}
	for i, s := range splits {
		fold, err := c.fitIntervalFold(ctx, b, s, seed)
		if err != nil {
			return nil, fmt.Errorf("compare: intervals: fold %d of %d: %w", i+1, len(splits), err)
		}
		v.Folds = append(v.Folds, *fold)
	}
	return v, nil
}

// CheckIntervals returns an error if Intervals cannot make prediction intervals of a level for d: its targets are
// classes, the level is invalid, or there are too few points.
func CheckIntervals(d *data.Dataset, level float64) error {
	_, err := newIntervalSplits(d, level, 2, 0)
	return err
}

// newIntervalSplits returns the folds of Intervals.
func newIntervalSplits(d *data.Dataset, level float64, k int, seed uint64) ([]Split, error) {
	if d.Classes != nil {
		return nil, fmt.Errorf("intervals: the targets of %s are classes; intervals are for numbers", d.Name)
	}
	if err := model.CheckLevel(level); err != nil {
		return nil, err
	}
	if n, least := len(d.Y), model.FewestForIntervals(level); n < least {
		return nil, fmt.Errorf("intervals of level %g need at least %d points; %s has %d", level, least, d.Name, n)
	}
	splits, err := kFoldAtMost(d.Y, d.Group, k, seed)
	if err != nil {
		return nil, fmt.Errorf("intervals: %w", err)
	}
	return splits, nil
}

// fitIntervalFold fits the only candidate of b to the training part of a split, and returns its model and its absolute
// residuals at the test part.
func (c *Chosen) fitIntervalFold(ctx context.Context, b *grid, s Split, seed uint64) (*model.Fold, error) {
	d := c.session.Data
	full, err := c.fitModel(ctx, b, s, seed)
	if err != nil {
		return nil, err
	}
	// The copy has no Log, so the residuals are differences of logarithms if data.Dataset.Log is set.
	m, err := (&model.Model{Family: full.Family, X: full.X, Theta: full.Theta, W: full.W, Bias: full.Bias,
		Offset: full.Offset, Biases: full.Biases, Offsets: full.Offsets}).Prune()
	if err != nil {
		return nil, err
	}
	out, err := m.Values(d.X.Slice(s.Test))
	if err != nil {
		return nil, err
	}
	fold := &model.Fold{Model: *m}
	y := d.TransformedY()
	for j := range len(y) / len(d.Y) {
		for i, t := range points.Pick(y[j*len(d.Y):(j+1)*len(d.Y)], s.Test) {
			fold.Residuals = append(fold.Residuals, math.Abs(t-out.At(i, j)))
		}
	}
	return fold, nil
}
