package compare

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

// fold is one split of the data into a training and a test part, on which candidates of a grid are fitted and scored.
// Targets, dual coefficients and predictions of several target columns (targets or classes: model.TargetEncoding) are
// stored column after column.
type fold struct {
	grams         kernel.Grams  // of all points
	x             points.Points // all points
	y             []float64     // labels or numbers of all points; several targets are divided by scales
	scales        []float64     // standard deviations of several targets in the training part; nil for one target
	isLog         bool          // y holds logarithms (data.Dataset.Log); scores are computed from their exp
	encoding      model.TargetEncoding
	split         Split
	centerTargets bool  // subtract the mean of each column: see encodeColumns
	landmarks     []int // training points that the weights are learned on; nil: all training points
	storesStarts  bool  // store θ of each fold in Cell.Starts: see Selection.Restarts
}

// newFold returns the fold of split s for the grid b, without landmarks.
func (r *Session) newFold(b *grid, s Split) *fold {
	f := &fold{grams: b.grams, x: r.Data.X, y: r.targets, encoding: b.encoding, split: s,
		centerTargets: r.CenterTargets, storesStarts: r.Selection.Restarts, isLog: r.Data.Log}
	if b.encoding.Targets == 0 {
		return f
	}
	f.y = slices.Clone(r.targets)
	for y := range slices.Chunk(f.y, len(r.Data.Y)) {
		scale := stat.PopStdDev(points.Pick(y, s.Train), nil)
		if !(scale > 0) {
			scale = 1
		}
		f.scales = append(f.scales, scale)
		for i := range y {
			y[i] /= scale
		}
	}
	return f
}

// restoreUnits multiplies each column of x by the scale of its target, in place. So x gets the units of the data.
func (f *fold) restoreUnits(x []float64) {
	n := len(x) / f.encoding.Columns()
	for j, s := range f.scales {
		floats.Scale(s, x[j*n:(j+1)*n])
	}
}

// newFoldWithLandmarks returns the fold of split s for the grid b. It draws landmarks with the seed if Study.Landmarks
// applies: the loss is squared, the training part has more points, and the kernels do not have few features.
func (r *Session) newFoldWithLandmarks(b *grid, s Split, seed uint64) (*fold, error) {
	f := r.newFold(b, s)
	n := len(s.Train)
	if _, squared := b.path.Loss.(loss.Squared); r.Landmarks == 0 || n <= r.Landmarks || !squared ||
		HasFewFeatures(b.grams, r.Landmarks) {
		return f, nil
	}
	sample, err := drawByClass(points.Pick(r.Data.Y, s.Train), r.Landmarks, seed)
	if err != nil {
		return nil, fmt.Errorf("compare: %d landmarks of %d points: %w", r.Landmarks, n, err)
	}
	f.landmarks = points.Pick(s.Train, sample)
	return f, nil
}

// landmarkShare returns p/n for p landmarks among n training points; 1 if there are no landmarks. A fit to p landmarks
// uses λp/n: the errors of p points then weigh as much against the regularizer as the errors of n points do with λ.
func (f *fold) landmarkShare() float64 {
	return float64(len(f.weightPoints())) / float64(len(f.split.Train))
}

// weightPoints returns the landmarks or, without landmarks, the training points. The weights are learned on these.
func (f *fold) weightPoints() []int {
	if f.landmarks != nil {
		return f.landmarks
	}
	return f.split.Train
}

// newProblem returns the learning problem on weightPoints with the loss l and without a set Θ. offsets are the
// constants that were subtracted from its target columns. If all targets have one class, the error is errOneClass.
func (f *fold) newProblem(l loss.Loss) (p *mkl.Problem, offsets []float64, err error) {
	rows := f.weightPoints()
	y, offsets, err := encodeColumns(f.targetsOf(rows), f.encoding, l, f.centerTargets)
	return &mkl.Problem{Grams: f.grams.Slice(rows), Y: y}, offsets, err
}

// restrictToTraining returns a copy of b for the training part: the loss has only the point weights of this part.
func (f *fold) restrictToTraining(b *grid) *grid {
	restricted := *b
	restricted.path.Loss = b.path.Loss.Slice(f.split.Train)
	return &restricted
}

// targetsOf returns the targets of the points rows: all rows for the first target, then for the second, …
func (f *fold) targetsOf(rows []int) []float64 {
	var part []float64
	for y := range slices.Chunk(f.y, len(f.y)/max(f.encoding.Targets, 1)) {
		part = append(part, points.Pick(y, rows)...)
	}
	return part
}

// newScorer returns a function that adds to a cell the errors of the predictions at the points rows. predictions
// contains all rows for the first target column, then for the second, …
func (f *fold) newScorer(b *grid, rows []int) func(cell *Cell, predictions []float64) {
	y, n, c := f.targetsOf(rows), len(rows), f.encoding.Columns()
	targets, values := f.encoding.EncodeAll(y), make([]float64, c)
	scoredLoss, scored := b.path.Loss.(loss.Scored)
	return func(cell *Cell, predictions []float64) {
		for i := range n {
			sum, score, count := 0.0, 0.0, float64(c)
			for j := range values {
				values[j] = predictions[j*n+i]
				t := targets[j*n+i]
				sum += (values[j] - t) * (values[j] - t)
				if scored {
					score += scoredLoss.Score(values[j], t)
				}
			}
			wrong := f.encoding.Classes > 0 && f.encoding.Decide(values) != f.encoding.Class(y[i])
			cell.addPoint(sum/count, score/count, wrong)
		}
	}
}

// evaluateGrid fits the candidates of b to the training part and returns their errors at the test points. For each of
// b.candidates it returns one cell for each of the hyperparameter values.
func (f *fold) evaluateGrid(ctx context.Context, m *Method, b *grid, values []float64) ([]Cell, error) {
	fullGrid := b
	b = f.restrictToTraining(b)
	p, offsets, err := f.newProblem(b.path.Loss)
	oneClass := errors.Is(err, errOneClass)
	if err != nil && !oneClass {
		return nil, err
	}
	cells := make([]Cell, len(b.candidates)*len(values))
	for i := range cells {
		cells[i].Value = values[i%len(values)]
	}
	rows := f.split.Test
	predictions, score := make([]float64, len(rows)*len(offsets)), f.newScorer(fullGrid, rows)
	if oneClass {
		predictions = f.predictOneClass(b, 0, offsets, &Run{})
		for i := range cells {
			score(&cells[i], predictions)
		}
		return cells, nil
	}
	testPredictor := predictor{grams: f.grams, rows: rows, base: f.split.Train}
	for a, err := range solveGrid(ctx, p, b, values, m) {
		if err != nil {
			return nil, err
		}
		cell := &cells[a.candidateIndex*len(values)+a.valueIndex]
		if a.hasFailed() {
			cell.Failed++
			continue
		}
		if f.storesStarts && a.Rule == nil && a.Kind == mkl.FirstOrder {
			cell.Starts = [][]float64{slices.Clone(a.Theta)}
		}
		testPredictor.predict(predictions, a.Result, offsets)
		score(cell, predictions)
		cell.Shift = quantileShifts(fullGrid.path.Loss, predictions, f.encoding.EncodeAll(f.targetsOf(rows)),
			len(offsets))
	}
	return cells, nil
}

// fitAndScore fits the only candidate of b at one hyperparameter value and stores its score on the test points in run.
func (f *fold) fitAndScore(ctx context.Context, m *Method, b *grid, value float64, run *Run) error {
	predictions, err := f.fitAndPredict(ctx, m, b, value, run)
	if err == nil {
		y := f.targetsOf(f.split.Test)
		f.restoreUnits(predictions)
		f.restoreUnits(y)
		for i := range predictions {
			if f.isLog {
				predictions[i], y[i] = math.Exp(predictions[i]), math.Exp(y[i])
			}
		}
		run.Score = model.Measure(predictions, y, f.encoding)
		AddLoss(&run.Score, b.path.Loss, predictions, f.encoding.EncodeAll(y))
	}
	return err
}

// fitAndPredict fits the only candidate of b at one hyperparameter value. It returns the predicted value of each target
// column at the test points, and stores the weights, the status and the gap of the fit in run.
func (f *fold) fitAndPredict(ctx context.Context, m *Method, b *grid, value float64, run *Run) ([]float64, error) {
	b = f.restrictToTraining(b)
	a, offsets, err := f.fitCandidate(ctx, m, b, value)
	if errors.Is(err, errOneClass) {
		return f.predictOneClass(b, value, offsets, run), nil
	}
	if err != nil {
		return nil, err
	}
	test := f.split.Test
	predictions := make([]float64, len(test)*len(offsets))
	p := predictor{grams: f.grams, rows: test, base: f.weightPoints()}
	p.predict(predictions, a.Result, b.shiftedOffsets(offsets))
	for i, v := range predictions {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("the prediction for point %d is %g, which is not finite", test[i%len(test)]+1, v)
		}
	}
	run.Hyperparameter, run.Value, run.Label = a.Hyperparameter, value, a.Label
	run.Theta = slices.Clone(a.Theta)
	run.Status = a.Status
	switch {
	case a.Rule != nil:
	case a.Kind == mkl.Global:
		run.Gap = math.Max(a.RelativeGap(), 0)
	case a.Residual > 0:
		run.Gap = a.Residual / math.Abs(a.Upper)
	}
	return predictions, nil
}

// fitCandidate fits the only candidate of b, a grid from restrictToTraining, at one hyperparameter value. If there are
// landmarks, their dual coefficients are then fitted to all training points. offsets are the constants that predictions
// add to each target column. If all training points have one class, the error is errOneClass.
func (f *fold) fitCandidate(ctx context.Context, m *Method, b *grid, value float64) (a *solution, offsets []float64,
	err error) {
	p, offsets, err := f.newProblem(b.path.Loss)
	if err != nil {
		return nil, offsets, err
	}
	values := []float64{value * f.landmarkShare()}
	for a, err = range solveGrid(ctx, p, b, values, m) {
		if err != nil {
			return nil, nil, err
		}
	}
	if a.hasFailed() {
		return nil, nil, fmt.Errorf("K(θ) + λI is not positive definite with %v", a.Loss)
	}
	if f.landmarks != nil {
		a.W, offsets, err = f.fitAllPoints(ctx, p.Grams, a.Kernel, value)
	}
	return a, offsets, err
}

// buildModel returns the model of a fit to this fold of d. It has the weights and biases of r, the dual coefficients w
// on weightPoints, and the constant offset of each target column.
func (f *fold) buildModel(d *data.Dataset, family kernel.Family, r *mkl.Result, w, offsets []float64) *model.Model {
	m := newModel(d, family, r, f.encoding)
	m.X, m.W = d.X.Slice(f.weightPoints()), slices.Clone(w)
	if n := len(f.split.Train); m.X.Len() < n {
		m.Points, m.Landmarks = n, true
	}
	bias := slices.Clone(biasesOf(r)) // 0 for the squared loss, which is the only one with landmarks
	for _, x := range [][]float64{m.W, bias, offsets} {
		f.restoreUnits(x)
	}
	setConstants(m, bias, offsets)
	return m
}

// errOneClass is the error if all training points have one class: only the constant offsets can be learned.
var errOneClass = errors.New("all training points have one class; at least two classes are needed")

// predictOneClass returns the offsets, which are the predictions at the test points if all training points have one
// class. It stores in run the hyperparameter value and θ = 0.
func (f *fold) predictOneClass(b *grid, value float64, offsets []float64, run *Run) []float64 {
	m, _ := f.grams.Dims()
	run.Hyperparameter, run.Value, run.Label = b.path.Hyperparameter(), value, b.candidates[0].Label
	run.Theta, run.Status = make([]float64, m), mkl.Certified
	predictions := make([]float64, 0, len(offsets)*len(f.split.Test))
	for _, v := range offsets {
		predictions = append(predictions, slices.Repeat([]float64{v}, len(f.split.Test))...)
	}
	return predictions
}

// quantileShifts returns Cell.Shift for the predictions at held-out points: for each target column, the τ quantile
// of the residuals target − prediction, for the τ of the loss l. It returns nil if l is not loss.Pinball.
func quantileShifts(l loss.Loss, predictions, targets []float64, columnCount int) []float64 {
	p, ok := l.(loss.Pinball)
	if !ok {
		return nil
	}
	n, shift := len(predictions)/columnCount, make([]float64, columnCount)
	for j := range shift {
		var all []float64
		for i := j * n; i < (j+1)*n; i++ {
			all = append(all, targets[i]-predictions[i])
		}
		shift[j] = residualQuantile(all, p.Tau)
	}
	return shift
}

// residualQuantile sorts n residuals and returns a number x such that a new residual is at most x with probability τ,
// if it is exchangeable with the given residuals: the order statistic of rank τ(n+1), interpolated between neighbors,
// but at least the smallest and at most the largest residual. It is 0 if there are none.
func residualQuantile(residuals []float64, tau float64) float64 {
	n := len(residuals)
	if n == 0 {
		return 0
	}
	slices.Sort(residuals)
	rank := max(tau*float64(n+1), 1)
	i := int(rank)
	if i >= n {
		return residuals[n-1]
	}
	return residuals[i-1] + (rank-float64(i))*(residuals[i]-residuals[i-1])
}

// encodeColumns encodes labels or numbers y as target columns for a loss (TargetEncoding.EncodeAll). It subtracts an
// offset from each column, which predictions add again. All columns share one θ, which minimizes the sum of the
// objectives J of all columns. This sum is convex if each J is. So there is one kernel to interpret, one matrix to
// factorize, and one certificate.
//
// For a Linear loss (loss.Traits), if centerTargets is set, the offset is the mean of the column; otherwise it is 0.
// Other losses have their own bias, and their labels remain ±1. If all labels in a column of classes are the same, the
// column is set to NaN, so that it is not fitted, and its offset is this label. If no column remains, encodeColumns
// returns the offsets with errOneClass.
func encodeColumns(y []float64, encoding model.TargetEncoding, l loss.Loss, centerTargets bool) (targets,
	offsets []float64, err error) {
	c := encoding.Columns()
	targets, offsets = encoding.EncodeAll(y), make([]float64, c)
	n, remaining := len(targets)/c, c
	linear := l.Traits().LinearInTargets
	for j := range c {
		column := targets[j*n : (j+1)*n]
		equal := slices.Min(column) == slices.Max(column)
		switch {
		case linear && centerTargets:
			mean := stat.Mean(column, nil)
			if equal {
				mean = column[0] // without rounding, so that the column is exactly 0
			}
			offsets[j] = mean
			floats.AddConst(-mean, column)
		case !linear && equal && encoding.Classes > 0:
			offsets[j] = column[0]
			for i := range column {
				column[i] = math.NaN()
			}
			remaining--
		}
	}
	if remaining == 0 {
		return nil, offsets, errOneClass
	}
	return targets, offsets, nil
}
