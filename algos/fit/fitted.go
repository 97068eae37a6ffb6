package fit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/internal/argument"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data"
)

// Fit chooses the hyperparameters on d and fits the model to all points of d.
func (s Search) Fit(ctx context.Context, d *data.Dataset) (*Fitted, error) {
	return fitMethod(ctx, d, Method{Name: "search", Fitter: s}, s.Settings)
}

// Fit selects the search on d and fits its model to all points of d.
func (b Best) Fit(ctx context.Context, d *data.Dataset) (*Fitted, error) {
	return fitMethod(ctx, d, Method{Name: "best", Fitter: b}, b.Settings)
}

// fitMethod fits a Search or a Best to all points of d.
func fitMethod(ctx context.Context, d *data.Dataset, m Method, s Settings) (*Fitted, error) {
	if err := argument.CheckContext(ctx, "fit"); err != nil {
		return nil, err
	}
	w, err := Open(d, []Method{m}, s, nil)
	if err != nil {
		return nil, err
	}
	return w.Fit(ctx, m.Name, 0)
}

// Fit chooses the hyperparameters of all methods on all points of the data, the methods concurrently, and fits the
// model of the named one until the relative gap is at most gap, or Search.Gap if gap is 0. The model has only its
// support vectors (model.Model.Prune).
func (w *Workspace) Fit(ctx context.Context, method string, gap float64) (*Fitted, error) {
	choices, err := w.PrepareChoices(points.AllIndices(len(w.Data.Y)), w.Seed, "")
	if err == nil {
		err = Choose(ctx, choices)
	}
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	best := choices[w.MethodIndex(method)]
	c := best.BestAlternative()
	s := &Selected{Method: c.used(), Candidate: c.Candidate(), Cell: c.chosenCell(),
		IsValueAtPathEnd: c.isValueAtPathEnd}
	for i, a := range best.alternativeChoices {
		candidate, by := a.Candidate(), w.Selection.Metric()
		t := Tried{Method: a.Method().Name, Label: candidate.Label, Value: candidate.Value, By: by,
			Error: best.alternativeCells[i].Error(by)}
		if best.finalRound != nil {
			t.FinalPoints = len(best.finalRound.Train)
		}
		s.Tried = append(s.Tried, t)
	}
	t, err := c.fitAll(ctx, w.Seed, cmp.Or(gap, c.search().Gap))
	if err == nil {
		t.Selected = s
		t.Model, err = t.Model.Prune()
	}
	return t, err
}

// used returns the method of c with the settings of the workspace and the default values.
func (c *Choice) used() Method {
	s := c.search()
	s.Settings = c.workspace.Settings
	s.Settings.Selection.By, s.Settings.Selection.Folds = s.Settings.Selection.Metric(), len(c.selectionFolds)
	return Method{c.Method().Name, s}
}

// ChooseAndFit chooses the hyperparameters, the candidates of a Best concurrently, and fits the method with them to the
// points with the indices rows: see FitRows.
func (c *Choice) ChooseAndFit(ctx context.Context, rows []int, seed uint64) (*Fitted, error) {
	if err := Choose(ctx, c.alternativeChoices); err != nil {
		return nil, err
	}
	if err := c.Choose(ctx); err != nil {
		return nil, err
	}
	return c.BestAlternative().FitRows(ctx, rows, seed)
}

// FitRows fits the method with the chosen hyperparameters to the points with the indices rows, with the Gap and the
// Iterations of the method. The seed draws the landmarks. If all points have one class, Fitted predicts this class.
func (c *Choice) FitRows(ctx context.Context, rows []int, seed uint64) (*Fitted, error) {
	if err := argument.CheckContext(ctx, "fit"); err != nil {
		return nil, err
	}
	var t *Fitted
	var err error
	if c.isForeign() {
		var d *data.Dataset
		if d, err = c.workspace.Data.Slice(rows); err == nil {
			t, err = c.Method().Fitter.Fit(ctx, d)
		}
		switch {
		case err != nil:
		case t == nil || t.Model == nil:
			err = errors.New("Fit returned no model; return a Fitted with a Model")
		default: // a Search that Fit called may have left the rest, which belongs to another workspace
			t = &Fitted{Model: t.Model, Result: t.Result, Candidate: t.Candidate, UsesLandmarks: t.UsesLandmarks}
		}
	} else {
		t, err = c.fitRows(ctx, c.chosenGrid(), rows, seed)
	}
	if err != nil {
		return nil, fmt.Errorf("fit: method %q: %w", c.Method().Name, err)
	}
	t.choice = c
	return t, nil
}

// fixNotPSD is the advice of errors if K(θ) + λI has no Cholesky factor.
const fixNotPSD = "use larger λ; test a kernel of your own with kerneltest.TestFamily, because NaN or a negative " +
	"eigenvalue of K(θ) has the same effect"

// fitRows is FitRows with the only candidate of b. It uses one thread, because tasks run concurrently.
func (c *Choice) fitRows(ctx context.Context, b *grid, rows []int, seed uint64) (*Fitted, error) {
	return c.fit(ctx, b, rows, seed, func(p *mkl.Problem, b *grid, value float64) (*mkl.Result, error) {
		for a, err := range solveGrid(ctx, p, b, []float64{value}, c.search()) {
			if err == nil && a.hasFailed() {
				err = fmt.Errorf("K(θ) + λI is not positive definite for the loss %v; %s", a.Loss, fixNotPSD)
			}
			if err != nil {
				return nil, err
			}
			return a.Result, nil
		}
		return nil, nil
	})
}

// fitAll fits the method with the chosen hyperparameters to all points, until the relative gap is at most gap. If a
// rule gives θ, only the dual coefficients are fitted. The seed draws the landmarks.
func (c *Choice) fitAll(ctx context.Context, seed uint64, gap float64) (*Fitted, error) {
	d, b, m := c.workspace.Data, c.chosenGrid(), c.search()
	b.grams = m.Family.Bind(d.X) // these Grams use all threads; those of chosenGrid use one thread
	return c.fit(ctx, b, points.AllIndices(len(d.Y)), seed,
		func(p *mkl.Problem, b *grid, value float64) (*mkl.Result, error) {
			candidate := b.candidateWithValue(b.candidates[0], value)
			q := candidate.applyTo(p)
			if candidate.Rule != nil {
				return mkl.EvaluateRule(ctx, q, candidate.Rule, 0)
			}
			return solveMultiStart(ctx, q, m.Solver, mkl.Settings{Gap: gap, Iterations: 2 * m.Iterations},
				b.startThetas)
		})
}

// fit fits the only candidate of b to the points with the indices rows. solve solves the problem of the points on which
// θ is learned, for a grid with the losses of these points and a value of the hyperparameter.
func (c *Choice) fit(ctx context.Context, b *grid, rows []int, seed uint64,
	solve func(p *mkl.Problem, b *grid, value float64) (*mkl.Result, error)) (*Fitted, error) {
	f, err := c.workspace.newFoldWithLandmarks(b, Split{Train: rows}, seed)
	if err != nil {
		return nil, err
	}
	value := c.chosenValue * f.landmarkShare(loss.PointWeights(b.path.Loss))
	trained := b.withLossOf(rows)
	b = b.withLossOf(f.rowsForLearningTheta())
	t := &Fitted{Candidate: trained.candidateWithValue(b.candidates[0], value), UsesLandmarks: f.landmarks != nil,
		choice: c, fold: f}
	t.problem, t.offsets, err = f.newProblem(b.path.Loss)
	if errors.Is(err, errOneClass) {
		m, _ := b.grams.Dims()
		t.Result = &mkl.Result{Theta: make([]float64, m), Status: mkl.Certified}
		return t, nil
	}
	if err != nil {
		return nil, err
	}
	if t.Result, err = solve(t.problem, b, value); err != nil {
		return nil, err
	}
	if views := c.workspace.Data.Views; views != nil {
		t.Result.ThetaLabels = labelsWithViewNames(views, c.search().Family, t.Result.ThetaLabels)
	}
	t.w = t.Result.W
	if t.UsesLandmarks {
		t.w, t.offsets, err = f.fitLandmarkCoefficients(ctx, t.problem.Grams, t.Result.PredictionTheta, c.chosenValue,
			trained.path.Loss)
	}
	if err != nil {
		return nil, err
	}
	t.offsets = b.offsetsPlusQuantileShift(t.offsets)
	t.Model = f.buildModel(c.grid.data, c.search().Family, t.Candidate.Loss, t.Result, t.w, t.offsets)
	return t, nil
}

// predictRows returns the predicted value of each target column at the points of the dataset with the indices rows: all
// values of the first column, then of the second, … If logarithms of targets were fitted, it predicts logarithms.
func (t *Fitted) predictRows(rows []int) ([]float64, error) {
	predictions := make([]float64, 0, len(rows)*len(t.offsets))
	for _, v := range t.offsets {
		predictions = append(predictions, slices.Repeat([]float64{v}, len(rows))...)
	}
	if t.w == nil { // all training points have one class
		return predictions, nil
	}
	r := *t.Result
	r.W = t.w
	p := predictor{allGrams: t.fold.gramsOfAllPoints, predictedIndices: rows,
		dualIndices: t.fold.rowsForLearningTheta()}
	p.predict(predictions, &r, t.offsets)
	if l, ok := t.Candidate.Loss.(loss.Pinball); ok {
		model.SortQuantiles(predictions, l.Levels())
	}
	for i, v := range predictions {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("the prediction for point %d is %g, which is not finite", rows[i%len(rows)]+1, v)
		}
	}
	t.fold.restoreTargetUnits(predictions)
	return predictions, nil
}

// Score returns the score of the predictions at the points of the dataset with the indices rows, in the units of the
// data.
func (t *Fitted) Score(rows []int) (model.Score, error) {
	if t.choice == nil {
		return model.Score{}, errors.New("fit: the score of rows needs a model that was fitted in a workspace; use " +
			"Fitted.Model.Score")
	}
	if t.fold == nil { // of another package
		d, err := newPoints(t.choice.workspace.Data, rows)
		if err != nil {
			return model.Score{}, err
		}
		if t.choice.workspace.Selection.By == model.LogLoss { // as for the other methods
			return t.Model.ScoreCalibrated(d)
		}
		return t.Model.Score(d)
	}
	predictions, err := t.predictRows(rows)
	if err != nil {
		return model.Score{}, err
	}
	y := t.fold.targetsOf(rows)
	t.fold.restoreTargetUnits(y)
	if t.choice.grid.data.LogTargets {
		for i := range predictions {
			predictions[i], y[i] = math.Exp(predictions[i]), math.Exp(y[i])
		}
	}
	return ScoreByLoss(predictions, y, t.choice.grid.path.Loss.Slice(rows), t.fold.encoding,
		t.choice.workspace.Selection.By), nil
}

// chosenGrid returns a grid of the chosen candidate only, with GridCell.StartThetas of the chosen cell, and the shifts
// of predicted quantiles.
func (c *Choice) chosenGrid() *grid {
	b := c.grid.withCandidate(c.candidateIndex)
	if c.cells != nil {
		b.startThetas, b.quantileShift = c.chosenCell().StartThetas, c.quantileShifts()
	}
	return b
}

// quantileShifts returns, for loss.Pinball, what the final model adds to its predictions: shiftOfQuantile of the
// residuals of each target column in the chosen cell. It is nil for other losses.
func (c *Choice) quantileShifts() (shifts []float64) {
	l, ok := c.grid.path.Loss.(loss.Pinball)
	if !ok {
		return nil
	}
	r, rows := c.workspace, c.heldOutRows()
	weights := ResidualWeights(r.Data, r.GroupsHoldDuplicates, rows, l.Weights)
	for j, residuals := range c.chosenCell().Residuals {
		shifts = append(shifts, shiftOfQuantile(residuals, weights, loss.ForColumn(l, j).(loss.Pinball).Tau))
	}
	return shifts
}

// SplitTask returns the task that fits the method with the chosen hyperparameters to the training part of a split. Its
// Name, Result and Compute are not set.
func (c *Choice) SplitTask(split Split, seed uint64) *Task {
	if c.isForeign() {
		return &Task{Kind: "split", Method: c.methodIndex, Split: split}
	}
	b := c.chosenGrid()
	return &Task{Kind: "split", Method: c.methodIndex, Candidates: b.candidates, Values: []float64{c.chosenValue},
		Split: split, Inputs: []any{fmt.Sprint(seed), b.startThetas, b.quantileShift}}
}
