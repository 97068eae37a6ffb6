package compare

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/internal/argument"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data"
)

// Session returns a session that chooses hyperparameters and fits methods of s on any points of its data. It uses
// StoreFolder and Workers of s, and ignores its splits. progress may be nil.
func (s *Study) Session(progress func(Progress)) (*Session, error) {
	return s.openSession(false, progress)
}

// Choose makes the choices concurrently, on the points that were given to PrepareChoices (argument rows).
func (r *Session) Choose(ctx context.Context, choices []*Choice) error {
	if err := argument.CheckContext(ctx, "compare"); err != nil {
		return err
	}
	return r.forEachChoice(choices, func(c *Choice) error { return c.chooseOnce(ctx) })
}

// StoreError returns the error because of which some results could not be stored, or nil.
func (r *Session) StoreError() error { return r.store.getWriteError() }

// AddTasks adds taskCount tasks of the caller to the total number of tasks in the progress.
func (r *Session) AddTasks(taskCount int) { r.progress.Total += taskCount }

// FinishTask counts one task of the caller (AddTasks) as finished and reports the progress, with the name of the task.
func (r *Session) FinishTask(task string) { r.reportFinishedTask(task, false) }

// Alternatives returns the choices of the methods among which c's method selects (Method.Alternatives), or nil.
func (c *Choice) Alternatives() []*Choice { return c.alternativeChoices }

// BestAlternative returns the choice with the smallest error among c.Alternatives(), or c itself if there are none.
func (c *Choice) BestAlternative() *Choice {
	if c.alternativeChoices == nil {
		return c
	}
	return c.alternativeChoices[c.winnerIndex]
}

// Method returns the method whose hyperparameters c chooses.
func (c *Choice) Method() *Method { return &c.session.Methods[c.methodIndex] }

// IsValueAtPathEnd reports whether the chosen hyperparameter value is the first or the last of several tried values.
func (c *Choice) IsValueAtPathEnd() bool { return c.isValueAtPathEnd }

// FitModel fits the method with the chosen hyperparameters to the training part of split, as a run of the study does.
func (c *Choice) FitModel(ctx context.Context, split Split) (*model.Model, error) {
	if err := argument.CheckContext(ctx, "compare"); err != nil {
		return nil, err
	}
	m, err := c.fitSplitModel(ctx, c.chosenGrid(), split, split.Seed(c.session.Seed))
	if err != nil {
		return nil, fmt.Errorf("compare: method %q: %w", c.Method().Name, err)
	}
	return m, nil
}

// fitSplitModel fits the only candidate of b at the chosen hyperparameter value to the training part of split and
// returns the model. The seed draws the landmarks.
func (c *Choice) fitSplitModel(ctx context.Context, b *grid, split Split, seed uint64) (*model.Model, error) {
	f, err := c.session.newFoldWithLandmarks(b, split, seed)
	if err != nil {
		return nil, err
	}
	m := c.Method()
	a, targetOffsets, err := f.fitCandidate(ctx, m, f.restrictLossToTraining(b), c.chosenValue)
	if err != nil {
		return nil, err
	}
	return f.buildModel(c.session.Data, m.Family, b.path.Loss, a.Result, a.W,
		b.offsetsPlusQuantileShift(targetOffsets)), nil
}

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
func (c *Choice) Calibrate(ctx context.Context, foldCount int, seed uint64) (sigmoids []model.Sigmoid,
	heldOutProbabilities [][]float64, err error) {
	r, b := c.session, c.chosenGrid()
	folds, err := (Selection{Folds: foldCount}).newFoldsOfPoints(r.Data.SplitLabels(), r.Data.Group, seed)
	if err == nil {
		err = checkTrainingClasses(r.Data, folds)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("compare: folds for class probabilities: %w", err)
	}
	n, columns := len(r.Data.Y), b.encoding.Columns()
	decisionValues := make([]float64, n*columns) // all values of the first column, then of the second, …
	for _, s := range folds {
		fold, err := r.newFoldWithLandmarks(b, s, seed)
		if err != nil {
			return nil, nil, err
		}
		predictions, err := fold.fitAndPredict(ctx, c.Method(), b, c.chosenValue, &Run{})
		if err != nil {
			return nil, nil, fmt.Errorf("compare: class probabilities of method %q: %w", c.Method().Name, err)
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
			return nil, nil, fmt.Errorf("compare: fitting probabilities: target column %d: %w", j+1, err)
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

// Fitted is a method fitted to all points of a study.
type Fitted struct {
	Candidate Candidate // chosen hyperparameters, with λp/n instead of λ for p landmarks of n points
	Result    *mkl.Result
	// UsesLandmarks reports whether the weights were fitted to landmarks (Study.Landmarks). The dual coefficients of
	// the landmarks were then fitted to all points.
	UsesLandmarks bool

	choice  *Choice
	fold    *fold
	problem *mkl.Problem
	w       []float64
	offsets []float64
}

// Fit fits the method with the chosen hyperparameters to all points of the study, until the relative gap is at most
// gap. If a rule gives θ, only the dual coefficients are fitted. The seed draws the landmarks.
func (c *Choice) Fit(ctx context.Context, seed uint64, gap float64) (*Fitted, error) {
	if err := argument.CheckContext(ctx, "compare"); err != nil {
		return nil, err
	}
	d, b, m := c.session.Data, c.chosenGrid(), c.Method()
	b.grams = m.Family.Bind(d.X) // these Grams use all threads; those of chosenGrid use one thread
	f, err := c.session.newFoldWithLandmarks(b, Split{Train: points.AllIndices(len(d.Y))}, seed)
	if err != nil {
		return nil, err
	}
	p, targetOffsets, err := f.newProblem(b.path.Loss)
	if err != nil {
		return nil, err
	}
	t := &Fitted{Candidate: c.grid.candidateWithValue(c.Candidate(), c.chosenValue*f.landmarkShare()),
		UsesLandmarks: f.landmarks != nil, choice: c, fold: f, problem: p}
	q := t.Candidate.applyTo(p)
	if t.Candidate.Rule != nil {
		t.Result, err = mkl.EvaluateRule(ctx, q, t.Candidate.Rule, 0)
	} else {
		t.Result, err = solveMultiStart(ctx, q, m.Solver, mkl.Settings{Gap: gap}, b.startThetas)
	}
	if err != nil {
		return nil, err
	}
	t.w, t.offsets = t.Result.W, b.offsetsPlusQuantileShift(targetOffsets)
	if t.UsesLandmarks {
		t.w, t.offsets, err = f.fitLandmarkCoefficients(ctx, p.Grams, t.Result.PredictionTheta, c.chosenValue)
	}
	return t, err
}

// Model returns the fitted model.
func (t *Fitted) Model() *model.Model {
	return t.fold.buildModel(t.choice.session.Data, t.choice.Method().Family, t.Candidate.Loss, t.Result, t.w,
		t.offsets)
}

// FullSolution is a model that was fitted to landmarks (Study.Landmarks), written as a feasible solution θ, w of the
// learning problem on all points. Package mkl can then bound the objective F over all points (CertifyAt). The kernel
// matrices of all points need not fit in memory.
type FullSolution struct {
	*mkl.Problem           // has all points, the landmarks first; kernel parameters are fitted to the landmarks
	Theta, W     []float64 // W: n dual coefficients for each target column, 0 except for the landmarks
}

// SolutionOnAllPoints returns the fit to landmarks as a feasible solution of the problem on all points. If a rule
// determined θ, the set Θ of the problem on all points contains only this θ, up to a relative difference of 1e-12. It
// is an error if the kernels are matrices, or have fitted parameters that cannot be frozen (kernel.ErrNotFrozen).
func (t *Fitted) SolutionOnAllPoints() (*FullSolution, error) {
	f, c, theta := t.fold, t.choice.Candidate(), t.Result.Theta
	family, err := t.problem.Grams.FreezeFit()
	if points.Is[points.Indices](f.allPoints) || errors.Is(err, kernel.ErrNotFrozen) {
		return nil, errors.New("the kernel values of all points are unknown: the kernels are matrices, or have " +
			"parameters that were fitted to the landmarks only")
	}
	if err != nil {
		return nil, err
	}
	if c.Rule != nil {
		family, theta = activeKernels(family, theta)
		c.Set = set.Ball{Q: 1, Radius: 1e-12 * slices.Max(theta), Center: theta}
	}
	landmarksFirst, isLandmark := slices.Clone(f.landmarks), make([]bool, f.allPoints.Len())
	for _, i := range landmarksFirst {
		isLandmark[i] = true
	}
	for _, i := range f.split.Train {
		if !isLandmark[i] {
			landmarksFirst = append(landmarksFirst, i)
		}
	}
	y, _, err := encodeTargetColumns(f.targetsOf(landmarksFirst), f.encoding, c.Loss, f.centerTargets)
	if err != nil {
		return nil, err
	}
	n, fullW := len(landmarksFirst), make([]float64, len(y))
	for j := range len(y) / n {
		copy(fullW[j*n:], t.w[j*len(f.landmarks):(j+1)*len(f.landmarks)])
	}
	p := &mkl.Problem{Grams: family.Bind(f.allPoints.Slice(landmarksFirst)), Y: y}
	return &FullSolution{Problem: c.applyTo(p), Theta: theta, W: fullW}, nil
}

// activeKernels returns the family of the kernels of f with θ_k ≠ 0, and their weights. It returns f and theta
// unchanged if f cannot be reduced.
func activeKernels(f kernel.Family, theta []float64) (activeFamily kernel.Family, activeTheta []float64) {
	var activeIndices []int
	for k, t := range theta {
		if t != 0 {
			activeIndices = append(activeIndices, k)
		}
	}
	activeFamily, ok := kernel.SelectKernels(f, activeIndices)
	if !ok || len(activeIndices) == len(theta) {
		return f, theta
	}
	return activeFamily, points.Pick(theta, activeIndices)
}

// Intervals returns the models and residuals from which a model of all points computes prediction intervals of a level:
// for each of foldCount folds, a model that is fitted without the fold, with the chosen hyperparameters, and its
// residuals at the points of the fold. Folds keep groups of the data whole, and there are at most as many folds as
// groups.
func (c *Choice) Intervals(ctx context.Context, level float64, foldCount int, seed uint64) (*model.Intervals, error) {
	r, b := c.session, c.chosenGrid()
	d := r.Data
	if err := r.CheckIntervals(level, b.path.Loss); err != nil {
		return nil, err
	}
	folds, err := splitIntoAtMostKFolds(d.Y, d.Group, foldCount, seed)
	if err != nil {
		return nil, err
	}
	b.quantileShift = nil // residuals are those of uncorrected predictions
	v := &model.Intervals{Level: level}
	weights := residualWeights(d, r.GroupsHoldDuplicates, points.AllIndices(len(d.Y)), loss.PointWeights(b.path.Loss))
	for i, s := range folds {
		fold, err := c.fitFoldForIntervals(ctx, b, s, seed)
		if err != nil {
			return nil, fmt.Errorf("compare: intervals: fold %d of %d: %w", i+1, len(folds), err)
		}
		fold.Weights = points.Pick(weights, s.Test)
		v.Folds = append(v.Folds, *fold)
	}
	return v, nil
}

// fitFoldForIntervals fits the only candidate of b to the training part of a split. It returns the model and its
// absolute residuals at the points of the test part.
func (c *Choice) fitFoldForIntervals(ctx context.Context, b *grid, s Split, seed uint64) (*model.Fold, error) {
	d := c.session.Data
	splitModel, err := c.fitSplitModel(ctx, b, s, seed)
	if err != nil {
		return nil, err
	}
	// The copy lacks LogTargets, so if targets are logarithms (data.Dataset.LogTargets), it predicts logarithms, as
	// residuals need.
	m := &model.Model{Family: splitModel.Family, X: splitModel.X, Theta: splitModel.Theta, W: splitModel.W,
		Bias: splitModel.Bias, Offset: splitModel.Offset, Biases: splitModel.Biases, Offsets: splitModel.Offsets}
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
