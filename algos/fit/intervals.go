package fit

import (
	"context"
	"fmt"
	"math"

	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
)

// HeldOut is a target, and its prediction by a model that was fitted without the fold of its point.
type HeldOut struct{ Target, Prediction float64 }

// Intervals returns the models and residuals from which a model of all points computes prediction intervals of a level:
// for each of foldCount folds, a model that is fitted without the fold, with the chosen hyperparameters, and its
// residuals at the points of the fold. Folds keep groups of the data whole, and there are at most as many folds as
// groups. heldOut has the predictions behind the residuals, fold after fold, and in each fold column after column.
func (t *Fitted) Intervals(ctx context.Context, level float64, foldCount int, seed uint64) (v *model.Intervals,
	heldOut []HeldOut, err error) {
	c := t.choice
	r, b := c.workspace, c.chosenGrid()
	d := r.Data
	if err := r.CheckIntervals(d, level, b.path.Loss); err != nil {
		return nil, nil, err
	}
	folds, err := splitIntoAtMostKFolds(d.Y, d.Group, foldCount, seed)
	if err != nil {
		return nil, nil, err
	}
	b.quantileShift = nil // residuals are those of uncorrected predictions
	v = &model.Intervals{Level: level}
	weights := ResidualWeights(d, r.GroupsHoldDuplicates, points.AllIndices(len(d.Y)), loss.PointWeights(b.path.Loss))
	for i, s := range folds {
		fold, ofFold, err := c.fitFoldForIntervals(ctx, b, s, seed)
		if err != nil {
			return nil, nil, fmt.Errorf("fit: intervals: fold %d of %d: %w", i+1, len(folds), err)
		}
		fold.Weights = points.Pick(weights, s.Test)
		v.Folds, heldOut = append(v.Folds, *fold), append(heldOut, ofFold...)
	}
	return v, heldOut, nil
}

// fitFoldForIntervals fits the only candidate of b to the training part of a split. It returns the model, its absolute
// residuals at the points of the test part, and its predictions there.
func (c *Choice) fitFoldForIntervals(ctx context.Context, b *grid, s Split, seed uint64) (fold *model.Fold,
	heldOut []HeldOut, err error) {
	d := c.grid.data
	fitted, err := c.fitRows(ctx, b, s.Train, seed)
	if err != nil {
		return nil, nil, err
	}
	splitModel := fitted.Model
	if splitModel == nil {
		return nil, nil, errOneClass
	}
	// The copy lacks LogTargets, so if targets are logarithms (data.Dataset.LogTargets), it predicts logarithms, as
	// residuals need.
	m := &model.Model{Family: splitModel.Family, X: splitModel.X, Theta: splitModel.Theta, W: splitModel.W,
		Biases: splitModel.Biases, Offsets: splitModel.Offsets}
	predictions, err := m.Values(d.X.Slice(s.Test))
	if err != nil {
		return nil, nil, err
	}
	// Without its matrices, a model of Gram matrices or similarities cannot predict the points of the dataset any more.
	if m, err = m.Prune(); err != nil {
		return nil, nil, err
	}
	fold = &model.Fold{Model: *m}
	y := d.TransformedY()
	for j := range len(y) / len(d.Y) {
		for i, t := range points.Pick(y[j*len(d.Y):(j+1)*len(d.Y)], s.Test) {
			h := HeldOut{t, predictions.At(i, j)}
			fold.Residuals = append(fold.Residuals, math.Abs(t-h.Prediction))
			if d.LogTargets {
				h = HeldOut{math.Exp(t), math.Exp(h.Prediction)}
			}
			heldOut = append(heldOut, h)
		}
	}
	return fold, heldOut, nil
}
