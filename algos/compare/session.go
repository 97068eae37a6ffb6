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

// Session chooses hyperparameters and fits methods of s on any of its points, with the store and the workers of s.
// progress may be nil.
func (s *Study) Session(progress func(Progress)) (*Session, error) { return s.start(false, progress) }

// Choices returns an open choice for every method on the given points. Choose makes the choices.
func (r *Session) Choices(rows []int, seed uint64) ([]*Chosen, error) {
	return r.choices(rows, seed, "")
}

// Choose chooses the hyperparameters of each method.
func (r *Session) Choose(ctx context.Context, choices []*Chosen) error {
	if err := checkContext(ctx); err != nil {
		return err
	}
	return r.each(choices, func(c *Chosen) error { return c.settle(ctx) })
}

// checkContext returns an error if ctx is nil.
func checkContext(ctx context.Context) error {
	if ctx == nil {
		return errors.New("compare: the context is nil; pass context.Background()")
	}
	return nil
}

// StoreError returns why some results were not stored; nil if all were, or without a store.
func (r *Session) StoreError() error { return r.kept.lost() }

// AddTasks adds n tasks of the caller to the progress.
func (r *Session) AddTasks(n int) { r.progress.Total += n }

// FinishTask reports that a task of the caller is finished.
func (r *Session) FinishTask(task string) { r.finished(task, false) }

// Among returns the choices of which c is the best; nil if its method is not the best of others.
func (c *Chosen) Among() []*Chosen { return c.among }

// Winner returns the choice with the smallest error among the choices of which c is the best. It returns c if Among
// returns nil.
func (c *Chosen) Winner() *Chosen {
	if c.among == nil {
		return c
	}
	return c.among[c.won]
}

// Method returns the method that c is a choice for.
func (c *Chosen) Method() *Method { return &c.run.Methods[c.method] }

// Folds returns the folds that c was chosen on; nil if there was nothing to choose.
func (c *Chosen) Folds() []Split { return c.folds }

// Candidate returns the chosen candidate.
func (c *Chosen) Candidate() Candidate { return c.candidate() }

// AtEnd reports whether the chosen value of the hyperparameter is the first or the last of several that were tried,
// where the path can extend no further.
func (c *Chosen) AtEnd() bool { return c.edge }

// Cell returns the cross-validation error of the chosen candidate.
func (c *Chosen) Cell() Cell { return c.cell() }

// Model fits the method with the chosen hyperparameters to the training part of split and returns the model that the
// table scores.
func (c *Chosen) Model(ctx context.Context, split Split) (*model.Model, error) {
	if err := checkContext(ctx); err != nil {
		return nil, err
	}
	m, b := c.Method(), c.chosen()
	f, err := c.run.fold(b, split, split.Seed(c.run.Seed))
	if err != nil {
		return nil, err
	}
	a, offsets, err := f.fitted(ctx, m, f.sliced(b), c.value)
	if err != nil {
		return nil, fmt.Errorf("compare: method %q: %w", m.Name, err)
	}
	return f.model(c.run.Data, m.Family, a.Result, a.W, b.shifted(offsets)), nil
}

// HeldOut is the error of a method on held-out points, and how much its predictions vary there.
type HeldOut struct {
	Cell
	PredictionSD, TargetSD float64 // standard deviations within folds
}

// HeldOut returns the error on the held-out points of the folds of the choice if the method fits its dual coefficients
// with the weights theta or, if it has a rule, with the weights of the rule. If the choice was made by leave-one-out, k
// other folds are drawn. ok is false if the weights are entries of a matrix of all points, so that no fold can have
// them.
func (c *Chosen) HeldOut(ctx context.Context, theta []float64, k int) (h HeldOut, ok bool, err error) {
	b, folds, r := c.chosen(), c.folds, c.run
	b.starts, b.shift = nil, nil // as the chosen error was computed
	if b.others[0].Rule == nil {
		if s := b.others[0].Set; s != nil && s.Traits().Spectraplex() {
			return h, false, nil
		}
		b.others[0].Rule = FixedWeights{theta}
	}
	if r.Selection.Folds == LeaveOneOut { // if all points are of one group, no folds exist
		folds, _ = Selection{Folds: k}.folds(points.AllIndices(len(r.Data.Y)), r.Data.Y, r.Data.Group, r.Seed)
	}
	var predicted, targets []float64 // values of each fold minus their mean
	for _, s := range folds {
		f := r.on(b, s)
		out, err := f.decisions(ctx, c.Method(), b, c.value, &Run{})
		if err != nil {
			return h, false, err
		}
		f.scorer(b, s.Test)(&h.Cell, out)
		predicted = append(predicted, centered(out, len(s.Test))...)
		targets = append(targets, centered(f.code.EncodeAll(f.labels(s.Test)), len(s.Test))...)
	}
	h.PredictionSD, h.TargetSD = rootMeanSquare(predicted), rootMeanSquare(targets)
	return h, true, nil
}

// centered returns columns of n numbers minus the mean of each column; missing numbers (NaN) are dropped.
func centered(x []float64, n int) (all []float64) {
	for column := range slices.Chunk(x, n) {
		mean, _, _ := MeanSD(column)
		for _, v := range column {
			if !math.IsNaN(v) {
				all = append(all, v-mean)
			}
		}
	}
	return all
}

func rootMeanSquare(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v * v
	}
	return math.Sqrt(sum / float64(len(x)))
}

// Calibrate fits a sigmoid to the decision values of each column at the held-out points of k folds, with the chosen
// hyperparameters. heldOut[i] has the probability of each class at point i, by these sigmoids and decision values.
func (c *Chosen) Calibrate(ctx context.Context, k int, seed uint64) (sigmoids []model.Sigmoid, heldOut [][]float64,
	err error) {
	r, b := c.run, c.chosen()
	splits, err := (Selection{Folds: k}).splits(r.Data.Y, r.Data.Group, seed)
	if err != nil {
		return nil, nil, fmt.Errorf("compare: probabilities: %w", err)
	}
	columns := b.code.Columns()
	f, y, target := make([][]float64, columns), make([][]float64, columns), make([]float64, columns)
	values := make([][]float64, len(r.Data.Y)) // the decision values at each point
	for _, s := range splits {
		w, err := r.fold(b, s, seed)
		if err != nil {
			return nil, nil, err
		}
		out, err := w.decisions(ctx, c.Method(), b, c.value, &Run{})
		if err != nil {
			return nil, nil, fmt.Errorf("compare: probabilities: %w", err)
		}
		for i, row := range s.Test {
			for j := range columns {
				values[row] = append(values[row], out[j*len(s.Test)+i])
			}
			b.code.Encode(target, r.Data.Y[row])
			for j, t := range target {
				if !math.IsNaN(t) {
					f[j], y[j] = append(f[j], out[j*len(s.Test)+i]), append(y[j], t)
				}
			}
		}
	}
	sigmoids = make([]model.Sigmoid, columns)
	for j := range sigmoids {
		if len(f[j]) == 0 { // a pair of classes without points: probability 1/2
			continue
		}
		if sigmoids[j], err = model.FitSigmoid(f[j], y[j]); err != nil {
			return nil, nil, fmt.Errorf("compare: probabilities: column %d: %w", j+1, err)
		}
	}
	for _, v := range values {
		p := make([]float64, b.code.Classes)
		b.code.Probabilities(p, sigmoids, v)
		heldOut = append(heldOut, p)
	}
	return sigmoids, heldOut, nil
}

// Fitted is a method fitted to all points of a study.
type Fitted struct {
	Candidate Candidate // with the hyperparameter for the landmarks, if there are any
	Result    *mkl.Result
	Landmarks bool // the weights were fitted to landmarks; the dual coefficients of these were fitted to all points

	data    *data.Dataset
	family  kernel.Family
	choice  *Chosen
	fold    *fold
	problem *mkl.Problem
	w       []float64
	offsets []float64
}

// Fit fits the method with the chosen hyperparameters to all points of the study, to a relative gap, and certifies the
// result.
func (c *Chosen) Fit(ctx context.Context, seed uint64, gap float64) (*Fitted, error) {
	if err := checkContext(ctx); err != nil {
		return nil, err
	}
	d, b, m := c.run.Data, c.chosen(), c.Method()
	b.grams = m.Family.On(d.X) // with all threads
	f, err := c.run.fold(b, Split{Train: points.AllIndices(len(d.Y))}, seed)
	if err != nil {
		return nil, err
	}
	p, offsets, err := f.problem(b.path.Loss)
	if err != nil {
		return nil, err
	}
	t := &Fitted{Candidate: c.grid.candidate(c.candidate(), c.value*f.share()), Landmarks: f.landmarks != nil, data: d,
		family: m.Family, choice: c, fold: f, problem: p}
	q := t.Candidate.problem(p)
	if t.Candidate.Rule != nil {
		t.Result, err = mkl.EvaluateRule(ctx, q, t.Candidate.Rule, 0)
	} else {
		t.Result, err = lowest(ctx, q, m.solver(), mkl.Settings{Gap: gap}, b.starts)
	}
	if err != nil {
		return nil, err
	}
	t.w, t.offsets = t.Result.W, b.shifted(offsets)
	if t.Landmarks {
		t.w, t.offsets, err = f.fitAll(ctx, p.Grams, t.Result.Kernel, c.value)
	}
	return t, err
}

// Model returns the fitted model.
func (t *Fitted) Model() *model.Model {
	return t.fold.model(t.data, t.family, t.Result, t.w, t.offsets)
}

// Whole is the function of a model of landmarks as a point of the problem of all points, whose kernel matrices do not
// fit in memory.
type Whole struct {
	*mkl.Problem           // the landmarks come first; the kernels are those fitted to the landmarks
	Theta, W     []float64 // W is 0 except for the landmarks, n·c of c columns
	Family       kernel.Family

	data    *data.Dataset
	fold    *fold
	offsets []float64
}

// Model returns the model of all points with the result r of the problem.
func (p *Whole) Model(r *mkl.Result) *model.Model {
	return p.fold.model(p.data, p.Family, r, r.W, p.offsets)
}

// Whole returns the fit to landmarks as a point of the problem of all points. If a rule determined the weights, Θ
// contains only these weights.
func (t *Fitted) Whole() (*Whole, error) {
	f, c, theta := t.fold, t.choice.candidate(), t.Result.Theta
	family, err := t.problem.Grams.Freeze()
	if points.Is[points.Indices](f.x) || errors.Is(err, kernel.ErrNotFrozen) {
		return nil, errors.New("kernels that are given as matrices, or that are fitted to their points")
	}
	if err != nil {
		return nil, err
	}
	if c.Rule != nil {
		family, theta = activeKernels(family, theta)
		c.Set = set.Ball{Q: 1, Radius: 1e-12 * slices.Max(theta), Center: theta} // contains only θ
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
	y, offsets, err := columns(f.labels(order), f.code, c.Loss, f.centre)
	if err != nil {
		return nil, err
	}
	n, all := len(order), make([]float64, len(y))
	for j := range offsets {
		copy(all[j*n:], t.w[j*len(f.landmarks):(j+1)*len(f.landmarks)])
	}
	whole := *f
	whole.landmarks = order
	return &Whole{Problem: c.problem(&mkl.Problem{Grams: family.On(f.x.Slice(order)), Y: y}), Theta: theta, W: all,
		Family: family, data: t.data, fold: &whole, offsets: offsets}, nil
}

// activeKernels returns a frozen family of the kernels with θ_k > 0 only, and their θ.
func activeKernels(f kernel.Family, theta []float64) (kernel.Family, []float64) {
	var used []int
	for k, t := range theta {
		if t != 0 {
			used = append(used, k)
		}
	}
	active, ok := kernel.Select(f, used)
	if !ok || len(used) == len(theta) {
		return f, theta
	}
	return active, points.Pick(theta, used)
}
