package fit

import (
	"context"
	"fmt"
	"math"

	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
)

// Intervals returns the models and residuals from which a model of all points computes prediction intervals of a level:
// for each of foldCount folds, a model that is fitted without the fold, with the chosen hyperparameters, and its
// residuals at the points of the fold. Folds keep groups of the data whole, and there are at most as many folds as
// groups.
func (t *Fitted) Intervals(ctx context.Context, level float64, foldCount int, seed uint64) (*model.Intervals, error) {
	c := t.choice
	r, b := c.workspace, c.chosenGrid()
	d := r.Data
	if err := r.CheckIntervals(d, level, b.path.Loss); err != nil {
		return nil, err
	}
	folds, err := splitIntoAtMostKFolds(d.Y, d.Group, foldCount, seed)
	if err != nil {
		return nil, err
	}
	b.quantileShift = nil // residuals are those of uncorrected predictions
	v := &model.Intervals{Level: level}
	weights := ResidualWeights(d, r.GroupsHoldDuplicates, points.AllIndices(len(d.Y)), loss.PointWeights(b.path.Loss))
	for i, s := range folds {
		fold, err := c.fitFoldForIntervals(ctx, b, s, seed)
		if err != nil {
			return nil, fmt.Errorf("fit: intervals: fold %d of %d: %w", i+1, len(folds), err)
		}
		fold.Weights = points.Pick(weights, s.Test)
		v.Folds = append(v.Folds, *fold)
	}
	return v, nil
}

// fitFoldForIntervals fits the only candidate of b to the training part of a split. It returns the model and its
// absolute residuals at the points of the test part.
func (c *Choice) fitFoldForIntervals(ctx context.Context, b *grid, s Split, seed uint64) (*model.Fold, error) {
	d := c.grid.data
	fitted, err := c.fitRows(ctx, b, s.Train, seed)
	if err != nil {
		return nil, err
	}
	splitModel := fitted.Model
	if splitModel == nil {
		return nil, errOneClass
	}
	// The copy lacks LogTargets, so if targets are logarithms (data.Dataset.LogTargets), it predicts logarithms, as
	// residuals need.
	m := &model.Model{Family: splitModel.Family, X: splitModel.X, Theta: splitModel.Theta, W: splitModel.W,
		Biases: splitModel.Biases, Offsets: splitModel.Offsets}
	predictions, err := m.Values(d.X.Slice(s.Test))
	if err != nil {
		return nil, err
	}
	// Without its matrices, a model of Gram matrices or similarities cannot predict the points of the dataset any more.
	if m, err = m.Prune(); err != nil {
		return nil, err
	}
	fold := &model.Fold{Model: *m}
	y := d.TransformedY()
	for j := range len(y) / len(d.Y) {
		for i, t := range points.Pick(y[j*len(d.Y):(j+1)*len(d.Y)], s.Test) {
			fold.Residuals = append(fold.Residuals, math.Abs(t-predictions.At(i, j)))
		}
	}
	return fold, nil
}
