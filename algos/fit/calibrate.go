package fit

import (
	"context"
	"fmt"
	"slices"

	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/data"
)

// checkTrainingClasses returns an error if the training part of a fold lacks a class of d. A decision value that was
// learned without a class says nothing about this class, so no sigmoid can be fitted to such values.
func checkTrainingClasses(d *data.Dataset, folds []Split) error {
	counts := d.ClassCounts()
	for _, f := range folds {
		occurs, groups := make([]bool, len(d.Classes)), map[string]bool{}
		for k, n := range counts {
			occurs[k] = n == 0 // the data has no points of this class
		}
		for _, i := range f.Train {
			occurs[d.Class(i)] = true
		}
		k := slices.Index(occurs, false)
		if k < 0 {
			continue
		}
		for i := range d.Group {
			if d.Class(i) == k {
				groups[d.Group[i]] = true
			}
		}
		switch {
		case len(groups) > 1 || d.Group == nil && counts[k] > 1:
			return fmt.Errorf("all points of class %q are in one fold; use more folds (Selection.Folds, "+
				"learn.WithFolds), or merge the class with another", d.Classes[k])
		case counts[k] > 1:
			return fmt.Errorf("all points of class %q are in one group, or equal each other; add points of this class "+
				"to another group, or merge the class with another", d.Classes[k])
		}
		return fmt.Errorf("class %q has only one point; add points of this class, or merge it with another",
			d.Classes[k])
	}
	return nil
}

// Calibrate fits one sigmoid for each target column (one class against the rest), to the decision values at the
// held-out points of foldCount folds, with the chosen hyperparameters and the point weights of the loss.
// heldOutProbabilities[i] contains the probability of each class at point i, computed from the decision values of the
// fold in which the point is held out.
func (t *Fitted) Calibrate(ctx context.Context, foldCount int, seed uint64) (sigmoids []model.Sigmoid,
	heldOutProbabilities [][]float64, err error) {
	c := t.choice
	r, b := c.workspace, c.chosenGrid()
	folds, err := (Selection{Folds: foldCount}).newFoldsOfPoints(r.Data.SplitLabels(), r.Data.Group, seed)
	if err == nil {
		err = checkTrainingClasses(r.Data, folds)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("fit: folds for class probabilities: %w", err)
	}
	n, columns := len(r.Data.Y), b.encoding.Columns()
	decisionValues := make([]float64, n*columns) // all values of the first column, then of the second, …
	for _, s := range folds {
		var predictions []float64
		fitted, err := c.fitRows(ctx, b, s.Train, seed)
		if err == nil {
			predictions, err = fitted.predictRows(s.Test)
		}
		if err != nil {
			return nil, nil, fmt.Errorf("fit: class probabilities of method %q: %w", c.Method().Name, err)
		}
		for i, row := range s.Test {
			for j := range columns {
				decisionValues[j*n+row] = predictions[j*len(s.Test)+i]
			}
		}
	}
	labels := b.encoding.EncodeAll(r.Data.Y)
	for j := range columns {
		s, err := model.FitSigmoid(decisionValues[j*n:(j+1)*n], labels[j*n:(j+1)*n],
			loss.PointWeights(b.path.Loss))
		if err != nil {
			return nil, nil, fmt.Errorf("fit: fitting probabilities: target column %d: %w", j+1, err)
		}
		sigmoids = append(sigmoids, s)
	}
	pointValues := make([]float64, columns) // decision values at one point
	for i := range n {
		for j := range columns {
			pointValues[j] = decisionValues[j*n+i]
		}
		p := make([]float64, b.encoding.Classes)
		b.encoding.Probabilities(p, sigmoids, pointValues)
		heldOutProbabilities = append(heldOutProbabilities, p)
	}
	return sigmoids, heldOutProbabilities, nil
}
