package learn

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"

	"github.com/mklnb/mkl/algos/store"
	"github.com/mklnb/mkl/data"
)

// Learn learns a kernel for d. It handles classes, and regression with one target or several. It fits the model to all
// points, then compares the candidate methods on the same splits. NewPlan makes every decision that does not need a
// fit, and Fit follows the plan (Learned.Plan).
//
// The model is that of the method with the smallest cross-validation error: learned weights, uniform weights, the best
// single kernel, or the linear kernel alone, which is also a yardstick. The same folds decide on the method and on the
// hyperparameters. If a chosen width or λ is at an end of its grid, values beyond that end are tried too. In the
// comparison, all this is chosen inside every training part, so the row SelectedName has the score to expect on new
// data. The interval of this score is for models learned from three quarters of the points, the default training part.
//
// The kernels of a table are linear, Gaussians exp(−‖u−v‖²/2s²) with widths s of ½, 1, 2, 4 and 8 times the root mean
// square distance of standardized points, and Laplacians exp(−‖u−v‖₁/2s) with ½, 2 and 8 times the mean distance.
// Laplacians are for skewed, stepped or count features, for which Gaussians do badly. Each is also tried alone. If a
// Gaussian with width 4 or 8 is then the best, but better than the linear kernel by at most one standard error over the
// folds, the linear kernel is chosen.
//
// Equal points stay on one side of every split and fold (Learned.DuplicateNote). Learned.Warnings lists possible faults
// of the data (data.Dataset.Doubts). Several targets share one kernel: see compare.Study. The loss is the squared one
// for classes too; WithLoss selects another one.
//
// Above 800 points, hyperparameters are chosen on a sample of 800. From 1,200 points on, the method is then selected in
// a final round: each candidate is fitted to four fifths of the points, at most 2,000, and tested on at most as many
// others (fit.Selection.FinalPoints). Above 2,000 points, the weights are learned and certified on a sample of at most
// 2,000 points, the landmarks. Above 10,000 points, this sample and the final round are smaller. The dual coefficients
// of the landmarks are then fitted to all points (compare.Study.Landmarks). A family whose kernels have few features
// needs no landmarks: it computes no n×n matrix. At the end, at most two passes over all pairs of points
// bound how far the objective F of the model is from its minimum over all points (Learned.Proof). For m kernels of n
// points this takes about mn²/2 nanoseconds of one core. If mn²/2 > 10¹¹, there is no proof.
//
// If ctx ends before there is a model, Learn returns an error. If it ends later, Learned.Table is marked as stopped,
// and Learned.Warnings name what the model lacks.
func Learn(ctx context.Context, d *data.Dataset, opts ...Option) (*Learned, error) {
	p, s, err := planStudy(d, opts)
	if err != nil {
		return nil, err
	}
	return p.fit(ctx, s)
}

// WriteSplits writes the splits of the comparison to a CSV file, so that other programs can score other models on them.
// The file has one line for each point, in the order of the data: its number from 1, or its key (data.Options.Key), and
// for each split "train" or "test". It returns an error if rows of the file of the data are not points, because then
// numbers of points are not those of rows, and points have no keys.
func (l *Learned) WriteSplits(file string) error {
	s, err := l.comparisonStudy()
	if err != nil {
		return err
	}
	d, name := s.Data, "key"
	if d.Keys == nil {
		name = "point"
		if d.DroppedPoints > 0 {
			return fmt.Errorf("learn: %d rows of the file of %s are not points, so the numbers of points are not "+
				"those of rows; name a column of keys (data.Options.Key)", d.DroppedPoints, d.Name)
		}
	}
	lines := make([][]string, len(d.Y)+1)
	for i := range lines {
		switch {
		case i == 0:
			lines[i] = []string{name}
		case d.Keys != nil:
			lines[i] = []string{d.Keys[i-1]}
		default:
			lines[i] = []string{fmt.Sprint(i)}
		}
	}
	for k, split := range s.Splits {
		for i := range lines {
			lines[i] = append(lines[i], "") // a point may be in neither part
		}
		lines[0][k+1] = fmt.Sprintf("split %d", k+1)
		for _, i := range split.Train {
			lines[i+1][k+1] = "train"
		}
		for _, i := range split.Test {
			lines[i+1][k+1] = "test"
		}
	}
	var text bytes.Buffer
	if err := csv.NewWriter(&text).WriteAll(lines); err != nil {
		return fmt.Errorf("learn: %w", err)
	}
	return store.WriteFile(file, text.Bytes(), 0o644)
}
