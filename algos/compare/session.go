package compare

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data"
)

// Session returns a session of s, which chooses hyperparameters and fits methods on any points of s. It uses Store and
// Workers of s, and ignores its splits. progress may be nil.
func (s *Study) Session(progress func(Progress)) (*Session, error) {
	return s.openSession(false, progress)
}

// Choose chooses the hyperparameters for each of the choices, all at the same time.
func (r *Session) Choose(ctx context.Context, choices []*Choice) error {
	if err := checkContext(ctx); err != nil {
		return err
	}
	return r.forEachChoice(choices, func(c *Choice) error { return c.chooseOnce(ctx) })
}

// checkContext returns an error if ctx is nil.
func checkContext(ctx context.Context) error {
	if ctx == nil {
		return errors.New("compare: the context is nil; pass context.Background()")
	}
	return nil
}

// StoreError returns an error if some results could not be stored. It returns nil without a store.
func (r *Session) StoreError() error { return r.store.writeFailure() }

// AddTasks adds n tasks of the caller to the progress.
func (r *Session) AddTasks(n int) { r.progress.Total += n }

// FinishTask reports that a task of the caller is finished.
func (r *Session) FinishTask(task string) { r.reportTask(task, false) }

// Alternatives returns the choices of the methods that c's method selects among (Method.Alternatives); nil if it
// selects among none.
func (c *Choice) Alternatives() []*Choice { return c.alternatives }

// Winner returns the choice with the smallest error among the choices that Alternatives returns; c if Alternatives
// returns nil.
func (c *Choice) Winner() *Choice {
	if c.alternatives == nil {
		return c
	}
	return c.alternatives[c.winnerIndex]
}

// Method returns the method that c is a choice for.
func (c *Choice) Method() *Method { return &c.session.Methods[c.methodIndex] }

// AtEnd reports whether the chosen value of the hyperparameter is the first or the last of several that were tried, and
// the path cannot extend further (Path.ExtendDecades).
func (c *Choice) AtEnd() bool { return c.atEnd }

// Model fits the method with the chosen hyperparameters to the training part of split and returns the model that the
// table scores.
func (c *Choice) Model(ctx context.Context, split Split) (*model.Model, error) {
	if err := checkContext(ctx); err != nil {
		return nil, err
	}
	m, err := c.fitModel(ctx, c.chosenGrid(), split, split.Seed(c.session.Seed))
	if err != nil {
		return nil, fmt.Errorf("compare: method %q: %w", c.Method().Name, err)
	}
	return m, nil
}

// fitModel fits the only candidate of b at the chosen value to the training part of split and returns the model. The
// seed draws the landmarks.
func (c *Choice) fitModel(ctx context.Context, b *grid, split Split, seed uint64) (*model.Model, error) {
	f, err := c.session.newFoldWithLandmarks(b, split, seed)
	if err != nil {
		return nil, err
	}
	m := c.Method()
	a, offsets, err := f.fitCandidate(ctx, m, f.restrictToTraining(b), c.value)
	if err != nil {
		return nil, err
	}
	return f.buildModel(c.session.Data, m.Family, a.Result, a.W, b.shiftedOffsets(offsets)), nil
}

// Calibrate fits one sigmoid for each target column (one class against the rest). It fits them to the decision values
// at the held-out points of k folds, with the chosen hyperparameters. heldOut[i] contains the probability of each class
// at point i, which the sigmoids give for the held-out decision values of the point.
func (c *Choice) Calibrate(ctx context.Context, k int, seed uint64) (sigmoids []model.Sigmoid, heldOut [][]float64,
	err error) {
	r, b := c.session, c.chosenGrid()
	splits, err := (Selection{Folds: k}).newSplits(r.Data.Y, r.Data.Group, seed)
	if err != nil {
		return nil, nil, fmt.Errorf("compare: probabilities: %w", err)
	}
	n, columns := len(r.Data.Y), b.encoding.Columns()
	decisionValues := make([]float64, n*columns) // column after column
	for _, s := range splits {
		fitFold, err := r.newFoldWithLandmarks(b, s, seed)
		if err != nil {
			return nil, nil, err
		}
		predictions, err := fitFold.fitAndPredict(ctx, c.Method(), b, c.value, &Run{})
		if err != nil {
			return nil, nil, fmt.Errorf("compare: probabilities: %w", err)
		}
		for i, row := range s.Test {
			for j := range columns {
				decisionValues[j*n+row] = predictions[j*len(s.Test)+i]
			}
		}
	}
	labels := b.encoding.EncodeAll(r.Data.Y)
	for j := range columns {
		s, err := model.FitSigmoid(decisionValues[j*n:(j+1)*n], labels[j*n:(j+1)*n])
		if err != nil {
			return nil, nil, fmt.Errorf("compare: probabilities: column %d: %w", j+1, err)
		}
		sigmoids = append(sigmoids, s)
	}
	values := make([]float64, columns) // at one point
	for i := range n {
		for j := range columns {
			values[j] = decisionValues[j*n+i]
		}
		p := make([]float64, b.encoding.Classes)
		b.encoding.Probabilities(p, sigmoids, values)
		heldOut = append(heldOut, p)
	}
	return sigmoids, heldOut, nil
}

// Fitted is a method fitted to all points of a study.
type Fitted struct {
	Candidate Candidate // with λp/n instead of λ if the weights were fitted to p landmarks of n points
	Result    *mkl.Result
	// Landmarks reports whether the weights were fitted to landmarks (Study.Landmarks). The dual coefficients of the
	// landmarks were then fitted to all points.
	Landmarks bool

	choice  *Choice
	fold    *fold
	problem *mkl.Problem
	w       []float64
	offsets []float64
}

// Fit fits the method with the chosen hyperparameters to all points of the study, to the relative gap gap, and
// certifies the result. The seed draws the landmarks.
func (c *Choice) Fit(ctx context.Context, seed uint64, gap float64) (*Fitted, error) {
	if err := checkContext(ctx); err != nil {
		return nil, err
	}
	d, b, m := c.session.Data, c.chosenGrid(), c.Method()
	b.grams = m.Family.Bind(d.X) // with all threads
	f, err := c.session.newFoldWithLandmarks(b, Split{Train: points.AllIndices(len(d.Y))}, seed)
	if err != nil {
		return nil, err
	}
	p, offsets, err := f.newProblem(b.path.Loss)
	if err != nil {
		return nil, err
	}
	t := &Fitted{Candidate: c.grid.withValue(c.Candidate(), c.value*f.landmarkShare()),
		Landmarks: f.landmarks != nil, choice: c, fold: f, problem: p}
	q := t.Candidate.applyTo(p)
	if t.Candidate.Rule != nil {
		t.Result, err = mkl.EvaluateRule(ctx, q, t.Candidate.Rule, 0)
	} else {
		t.Result, err = solveMultiStart(ctx, q, m.Solver, mkl.Settings{Gap: gap}, b.starts)
	}
	if err != nil {
		return nil, err
	}
	t.w, t.offsets = t.Result.W, b.shiftedOffsets(offsets)
	if t.Landmarks {
		t.w, t.offsets, err = f.fitAllPoints(ctx, p.Grams, t.Result.Kernel, c.value)
	}
	return t, err
}

// Model returns the fitted model.
func (t *Fitted) Model() *model.Model {
	return t.fold.buildModel(t.choice.session.Data, t.choice.Method().Family, t.Result, t.w, t.offsets)
}

// FullSolution is a model that was fitted to landmarks (Study.Landmarks), written as a feasible solution θ, w of the
// learning problem on all points. So package mkl can bound the objective F on all points. It must do so without storing
// kernel matrices, because the matrices of all points may not fit in memory.
type FullSolution struct {
	*mkl.Problem           // on all points, the landmarks first; the kernels are those fitted to the landmarks
	Theta, W     []float64 // W has n entries for each target column, and is 0 except for the landmarks
}

// FullSolution returns the fit to landmarks as a feasible solution of the learning problem on all points (type
// FullSolution). If a rule determined the weights θ, the set Θ of that problem contains only this θ, up to a relative
// difference of 1e-12. It is an error if the kernels are matrices, or fit something to their points that cannot be
// frozen (kernel.ErrNotFrozen).
func (t *Fitted) FullSolution() (*FullSolution, error) {
	f, c, theta := t.fold, t.choice.Candidate(), t.Result.Theta
	family, err := t.problem.Grams.Freeze()
	if points.Is[points.Indices](f.x) || errors.Is(err, kernel.ErrNotFrozen) {
		return nil, errors.New("kernels that are given as matrices, or that are fitted to their points")
	}
	if err != nil {
		return nil, err
	}
	if c.Rule != nil {
		family, theta = activeKernels(family, theta)
		// a ball so small that it contains only θ, up to a relative difference of 1e-12
		c.Set = set.Ball{Q: 1, Radius: 1e-12 * slices.Max(theta), Center: theta}
	}
	order, isLandmark := slices.Clone(f.landmarks), make([]bool, f.x.Len())
	for _, i := range order {
		isLandmark[i] = true
	}
	for _, i := range f.split.Train {
		if !isLandmark[i] {
			order = append(order, i)
		}
	}
	y, _, err := encodeColumns(f.targetsOf(order), f.encoding, c.Loss, f.centerTargets)
	if err != nil {
		return nil, err
	}
	n, allW := len(order), make([]float64, len(y))
	for j := range len(y) / n {
		copy(allW[j*n:], t.w[j*len(f.landmarks):(j+1)*len(f.landmarks)])
	}
	p := &mkl.Problem{Grams: family.Bind(f.x.Slice(order)), Y: y}
	return &FullSolution{Problem: c.applyTo(p), Theta: theta, W: allW}, nil
}

// activeKernels returns the family of only those kernels of f with θ_k ≠ 0, and their weights. It returns f and theta
// unchanged if f cannot be reduced.
func activeKernels(f kernel.Family, theta []float64) (kernel.Family, []float64) {
	var used []int
	for k, t := range theta {
		if t != 0 {
			used = append(used, k)
		}
	}
	active, ok := kernel.SelectKernels(f, used)
	if !ok || len(used) == len(theta) {
		return f, theta
	}
	return active, points.Pick(theta, used)
}

// Intervals returns what a model of all points needs for prediction intervals of a level: for each of k folds, the
// model that the method with the chosen hyperparameters fits without the fold, and its residuals at the points of the
// fold. If the data have groups, a fold consists of whole groups, and there are at most as many folds as groups.
// The cost is k fits, each to (k−1)/k of the points.
func (c *Choice) Intervals(ctx context.Context, level float64, k int, seed uint64) (*model.Intervals, error) {
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
	if n, least := len(d.Y), model.MinPointsForIntervals(level); n < least {
		return nil, fmt.Errorf("intervals of level %g need at least %d points; %s has %d; use a lower "+
			"level", level, least, d.Name, n)
	}
	splits, err := kFoldAtMost(d.Y, d.Group, k, seed)
	if err != nil {
		return nil, fmt.Errorf("intervals: %w", err)
	}
	return splits, nil
}

// fitIntervalFold fits the only candidate of b to the training part of a split, and returns its model and its absolute
// residuals at the test part.
func (c *Choice) fitIntervalFold(ctx context.Context, b *grid, s Split, seed uint64) (*model.Fold, error) {
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
	predictions, err := m.Values(d.X.Slice(s.Test))
	if err != nil {
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
