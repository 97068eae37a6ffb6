package compare

import (
	"context"
	"fmt"
	"math"

	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data"
)

// Intervals fits the method with the chosen hyperparameters without each of k folds, at most as many as there are
// groups, and returns what the model of all points needs for prediction intervals of a level. If the data have groups,
// a fold consists of whole groups. The fits take as long as k fits of the method to (k−1)/k of the points.
func (c *Chosen) Intervals(ctx context.Context, level float64, k int, seed uint64) (*model.Intervals, error) {
	r, b := c.run, c.chosen()
	d := r.Data
	splits, err := intervalSplits(d, level, k, seed)
	if err != nil {
		return nil, fmt.Errorf("compare: %w", err)
	}
	v := &model.Intervals{Level: level}
	for i, s := range splits {
		fold, err := c.intervalFold(ctx, b, s, seed)
		if err != nil {
			return nil, fmt.Errorf("compare: intervals: fold %d of %d: %w", i+1, len(splits), err)
		}
		v.Folds = append(v.Folds, *fold)
	}
	return v, nil
}

// CheckIntervals returns an error if there can be no prediction intervals of a level for d.
func CheckIntervals(d *data.Dataset, level float64) error {
	_, err := intervalSplits(d, level, 2, 0)
	return err
}

// intervalSplits returns the folds of Intervals.
func intervalSplits(d *data.Dataset, level float64, k int, seed uint64) ([]Split, error) {
	if d.Classes != nil {
		return nil, fmt.Errorf("intervals: the targets of %s are classes; intervals are for numbers", d.Name)
	}
	if err := model.CheckLevel(level); err != nil {
		return nil, err
	}
	if n, least := len(d.Y), model.FewestForIntervals(level); n < least {
		return nil, fmt.Errorf("intervals of level %g need at least %d points; %s has %d", level, least, d.Name, n)
	}
	u, err := units(d.Y, []Draw{ByGroup(d.Group)})
	if err != nil {
		return nil, fmt.Errorf("intervals: %w", err)
	}
	splits, err := KFold(d.Y, min(k, len(u.y)), seed, ByGroup(d.Group))
	if err != nil {
		return nil, fmt.Errorf("intervals: %w", err)
	}
	return splits, nil
}

// intervalFold fits the only candidate of b to the training part of a split, and returns its model and its absolute
// residuals at the test part.
func (c *Chosen) intervalFold(ctx context.Context, b *grid, s Split, seed uint64) (*model.Fold, error) {
	d := c.run.Data
	f, err := c.run.fold(b, s, seed)
	if err != nil {
		return nil, err
	}
	a, offsets, err := f.fitted(ctx, c.Method(), f.sliced(b), c.value)
	if err != nil {
		return nil, err
	}
	all := f.model(d, c.Method().Family, a.Result, a.W, offsets)
	all.Log = false // residuals are those of the logarithms
	m, err := (&model.Model{Family: all.Family, X: all.X, Theta: all.Theta, W: all.W, Bias: all.Bias,
		Offset: all.Offset, Biases: all.Biases, Offsets: all.Offsets}).Prune()
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
