package fit

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// newFold returns the fold of split s, with the kernels and the target encoding of the grid b. It has no landmarks.
func (r *Workspace) newFold(b *grid, s Split) *fold {
	f := &fold{gramsOfAllPoints: b.grams, allPoints: r.Data.X, allTargets: b.targets, encoding: b.encoding, split: s,
		centerTargets: !r.UncenteredTargets, keepsThetaForRestarts: r.Selection.RestartFromFolds}
	if r.Selection.hasFoldMetric() {
		f.foldMetric = r.Selection.By
	}
	if b.encoding.Targets == 0 {
		return f
	}
	f.allTargets = slices.Clone(b.targets)
	pointWeights := loss.PointWeights(b.path.Loss)
	for targets := range slices.Chunk(f.allTargets, len(r.Data.Y)) {
		targetSD := stat.PopStdDev(points.Pick(targets, s.Train), points.Pick(pointWeights, s.Train))
		if !(targetSD > 0) {
			targetSD = 1
		}
		f.targetScales = append(f.targetScales, targetSD)
		for i := range targets {
			targets[i] /= targetSD
		}
	}
	return f
}

// restoreTargetUnits multiplies each column of values by the scale of its target, so that it has the units of the data.
func (f *fold) restoreTargetUnits(values []float64) {
	n := len(values) / f.encoding.Columns()
	for j, s := range f.targetScales {
		floats.Scale(s, values[j*n:(j+1)*n])
	}
}

// newFoldWithLandmarks is like newFold, but draws Settings.Landmarks landmarks with the seed if the loss is squared,
// there are more training points, and K(θ) has no small feature matrix (HasFewerFeaturesThanPoints).
func (r *Workspace) newFoldWithLandmarks(b *grid, s Split, seed uint64) (*fold, error) {
	f := r.newFold(b, s)
	n := len(s.Train)
	if _, isSquared := b.path.Loss.(loss.Squared); r.Landmarks == 0 || n <= r.Landmarks || !isSquared ||
		HasFewerFeaturesThanPoints(b.grams, r.Landmarks) {
		return f, nil
	}
	sample, err := sampleStratified(points.Pick(r.Data.SplitLabels(), s.Train), r.Landmarks, seed)
	if err != nil {
		return nil, fmt.Errorf("fit: choosing %d landmarks among %d points: %w", r.Landmarks, n, err)
	}
	f.landmarks = points.Pick(s.Train, sample)
	return f, nil
}

// HasFewerFeaturesThanPoints reports whether g represents K(θ) as ΦΦᵀ with a feature matrix Φ that has fewer columns
// than rows. If so, fits on all n points compute no n×n matrix. Φ has one row for each point; only the first
// 2·landmarkCount of them are examined, or all if there are fewer.
func HasFewerFeaturesThanPoints(g kernel.Grams, landmarkCount int) bool {
	if g.StoredTriangleCount() > 0 {
		return false
	}
	m, n := g.Dims()
	if n > 2*landmarkCount {
		g = g.Slice(points.AllIndices(2 * landmarkCount))
	}
	theta := make([]float64, m)
	for k := range theta {
		theta[k] = 1
	}
	gram := g.New()
	gram.SetTheta(theta)
	return gram.K().LowRankFactor() != nil
}

// landmarkShare returns p/n for p landmarks among n training points; 1 without landmarks. A fit to p landmarks uses
// λp/n, so that the sum of p errors has the same weight relative to the regularizer as the sum of n errors with λ. With
// weights of points, of which nil means that all are 1, p and n are the sums of these weights.
func (f *fold) landmarkShare(weights []float64) float64 {
	rows := f.rowsForLearningTheta()
	if weights == nil || f.landmarks == nil {
		return float64(len(rows)) / float64(len(f.split.Train))
	}
	return floats.Sum(points.Pick(weights, rows)) / floats.Sum(points.Pick(weights, f.split.Train))
}

// rowsForLearningTheta returns the indices of the points on which the weights θ are learned: the landmarks, which are a
// sample of the training points, or, without landmarks, all training points.
func (f *fold) rowsForLearningTheta() (indices []int) {
	if f.landmarks != nil {
		return f.landmarks
	}
	return f.split.Train
}

// newProblem returns the problem of the points on which θ is learned: their kernels, and their target columns for the
// loss l. Loss and Set are not set. targetOffsets are the constants that were subtracted from the target columns. If
// all targets have one class, the error is errOneClass.
func (f *fold) newProblem(l loss.Loss) (p *mkl.Problem, targetOffsets []float64, err error) {
	rows := f.rowsForLearningTheta()
	y, targetOffsets, err := encodeTargetColumns(f.targetsOf(rows), f.encoding, l, f.centerTargets)
	return &mkl.Problem{Grams: f.gramsOfAllPoints.Slice(rows), Y: y}, targetOffsets, err
}

// targetsOf returns the targets of the points pointIndices: all values of the first target, then of the second, …
func (f *fold) targetsOf(pointIndices []int) []float64 {
	var targets []float64
	for column := range slices.Chunk(f.allTargets, len(f.allTargets)/max(f.encoding.Targets, 1)) {
		targets = append(targets, points.Pick(column, pointIndices)...)
	}
	return targets
}

// newErrorAdder returns a function that adds the errors of predictions at the points with the indices rows to a cell.
// predictions contains all values of the first target column, then of the second, …
func (f *fold) newErrorAdder(b *grid, rows []int) func(cell *GridCell, predictions []float64) {
	y, n, c := f.targetsOf(rows), len(rows), f.encoding.Columns()
	targets, predictionsAtPoint := f.encoding.EncodeAll(y), make([]float64, c)
	weights := points.Pick(loss.PointWeights(b.path.Loss), rows)
	scoredLosses := make([]loss.Scored, c) // an entry is nil if the loss of the column has no score
	for j := range scoredLosses {
		scoredLosses[j], _ = loss.ForColumn(b.path.Loss, j).(loss.Scored)
	}
	return func(cell *GridCell, predictions []float64) {
		for i := range n {
			squaredErrorSum, lossScoreSum, columnCount := 0.0, 0.0, float64(c)
			for j := range predictionsAtPoint {
				predictionsAtPoint[j] = predictions[j*n+i]
				t := targets[j*n+i]
				if b.scoresExp {
					predictionsAtPoint[j], t = math.Exp(predictionsAtPoint[j]), math.Exp(t)
				}
				squaredErrorSum += (predictionsAtPoint[j] - t) * (predictionsAtPoint[j] - t)
				if scoredLosses[j] != nil {
					lossScoreSum += scoredLosses[j].Score(predictionsAtPoint[j], t)
				}
			}
			weight := 1.0
			if weights != nil {
				weight = weights[i]
			}
			isWrong := f.encoding.Classes > 0 &&
				f.encoding.PredictedClass(predictionsAtPoint) != f.encoding.ClassIndex(y[i])
			cell.addErrorsOfPoint(weight, squaredErrorSum/columnCount, lossScoreSum/columnCount, isWrong)
		}
		if _, isPinball := b.path.Loss.(loss.Pinball); isPinball || f.foldMetric == model.LogLoss {
			residuals := slices.Clone(targets)
			floats.Sub(residuals, predictions)
			cell.Residuals = slices.Collect(slices.Chunk(residuals, n))
		}
		if f.foldMetric == "" {
			return
		}
		v := f.foldMetric.ValueIn(scoreForMetric(predictions, y, weights, f.encoding, f.foldMetric))
		if f.foldMetric.HigherIsBetter() {
			v = 1 - v
		}
		if !math.IsNaN(v) {
			cell.FoldErrorSum, cell.FoldCount = cell.FoldErrorSum+v, cell.FoldCount+1
		}
	}
}

// evaluateGrid fits the candidates of b to the training part and returns their errors at the test points. For each of
// b.candidates it returns one cell for each of the hyperparameter values.
func (f *fold) evaluateGrid(ctx context.Context, m Search, b *grid, pathValues []float64) ([]GridCell, error) {
	fullGrid := b
	b = b.withLossOf(f.split.Train)
	p, targetOffsets, err := f.newProblem(b.path.Loss)
	hasOneClass := errors.Is(err, errOneClass)
	if err != nil && !hasOneClass {
		return nil, err
	}
	cells := make([]GridCell, len(b.candidates)*len(pathValues))
	for i := range cells {
		cells[i].HyperparameterValue = pathValues[i%len(pathValues)]
	}
	testRows := f.split.Test
	predictions, addErrors := make([]float64, len(testRows)*len(targetOffsets)), f.newErrorAdder(fullGrid, testRows)
	if hasOneClass {
		for j, v := range targetOffsets {
			column := predictions[j*len(testRows) : (j+1)*len(testRows)]
			floats.AddConst(v, column)
		}
		for i := range cells {
			addErrors(&cells[i], predictions)
		}
		return cells, nil
	}
	testPredictor := predictor{allGrams: f.gramsOfAllPoints, predictedIndices: testRows, dualIndices: f.split.Train}
	for a, err := range solveGrid(ctx, p, b, pathValues, m) {
		if err != nil {
			return nil, err
		}
		cell := &cells[a.candidateIndex*len(pathValues)+a.pathValueIndex]
		if a.hasFailed() {
			cell.FailedFolds++
			continue
		}
		if f.keepsThetaForRestarts && a.Rule == nil && a.Kind == mkl.FirstOrder {
			cell.StartThetas = [][]float64{slices.Clone(a.Theta)}
		}
		testPredictor.predict(predictions, a.Result, targetOffsets)
		addErrors(cell, predictions)
	}
	return cells, nil
}

// buildModel returns the model that was fitted to the training part of f, points of d. It has the weights and biases of
// r, the dual coefficients w of the points on which θ was learned, and the constant offset of each target column. l is
// the loss of the fit.
func (f *fold) buildModel(d *data.Dataset, family kernel.Family, l loss.Loss, r *mkl.Result,
	w, offsets []float64) *model.Model {
	m := newModel(d, family, l, r, f.encoding)
	m.X, m.W = d.X.Slice(f.rowsForLearningTheta()), slices.Clone(w)
	if n := len(f.split.Train); m.X.Len() < n {
		m.Points, m.Landmarks = n, true
	}
	m.Biases = slices.Clone(biasesOf(r)) // all 0 with landmarks: these need the squared loss, which has no bias
	m.Offsets = slices.Clone(offsets)
	for _, x := range [][]float64{m.W, m.Biases, m.Offsets} {
		f.restoreTargetUnits(x)
	}
	return m
}

// errOneClass is the error if all training points have one class: a model could only predict constants (the offsets).
var errOneClass = errors.New("all training points have one class; at least two classes are needed")

// tieBreakingShare is the factor of the mean without weights that is added to the weighted mean of labels ±1. If the
// weights of points give all classes the same total weight, up to rounding, the constant baseline predicts the class
// with the most points, and not one that rounding chooses.
const tieBreakingShare = 1e-9

// encodeTargetColumns encodes labels or numbers y as target columns (TargetEncoding.EncodeAll) and subtracts an offset
// from each column, which predictions add again. All columns share one θ, which minimizes the sum of the objectives of
// all columns. So there is one kernel to interpret, one matrix to factorize, and one certificate.
//
// If the loss reports NeedsCentering (loss.Traits) and centerTargets is set, the offset is the mean of the column, with
// the point weights of the loss and, for labels, tieBreakingShare. Otherwise the offset is 0. There is one exception:
// if all labels (±1) in a column are the same and the loss does not report NeedsCentering, the column cannot be fitted.
// It becomes NaN, and its offset is this label. If all columns become NaN, the result is the offsets with errOneClass.
func encodeTargetColumns(y []float64, encoding model.TargetEncoding, l loss.Loss, centerTargets bool) (targets,
	offsets []float64, err error) {
	c := encoding.Columns()
	targets, offsets = encoding.EncodeAll(y), make([]float64, c)
	n, fittedColumnCount := len(targets)/c, c
	needsCentering, weights := l.Traits().NeedsCentering, loss.PointWeights(l)
	for j := range c {
		column := targets[j*n : (j+1)*n]
		isConstant := slices.Min(column) == slices.Max(column)
		switch {
		case needsCentering && centerTargets:
			mean := stat.Mean(column, weights)
			if encoding.Classes > 0 && weights != nil {
				mean += tieBreakingShare * stat.Mean(column, nil)
			}
			if isConstant {
				mean = column[0] // stat.Mean may round; column − mean must be 0 here
			}
			offsets[j] = mean
			floats.AddConst(-mean, column)
		case !needsCentering && isConstant && encoding.Classes > 0:
			offsets[j] = column[0]
			for i := range column {
				column[i] = math.NaN()
			}
			fittedColumnCount--
		}
	}
	if fittedColumnCount == 0 {
		return nil, offsets, errOneClass
	}
	return targets, offsets, nil
}
