package learn

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

const (
	minPoints       = 8    // smallest number of different points: enough for quarters of four classes and five folds
	maxSingles      = 64   // largest number of kernels that are tried as single kernels
	maxViews        = 6    // largest number of views that are dropped one by one
	selectionPoints = 800  // largest number of points on which hyperparameters are chosen
	defaultFolds    = 5    // number of folds, unless there are fewer groups or points
	defaultGap      = 1e-6 // relative gap of the model's fit
)

// newPlan returns the plan for d, which prepareData returned. An option makes a decision if it is given; otherwise the
// decision is the default.
func (o *options) newPlan(d *data.Dataset, task Task) (p Plan, err error) {
	p = o.Plan
	p.Task, p.GivenOptions = task, slices.Sorted(maps.Keys(o.given))
	if err := o.checkOptions(&p); err != nil {
		return p, err
	}
	f := &family{learned: o.family, singleKernels: o.family}
	if o.family == nil {
		if f, err = defaultFamilies(d); err != nil {
			return p, err
		}
	}
	grams := f.learned.Bind(d.X)
	if err := grams.Validate(); err != nil {
		return p, fmt.Errorf("learn: %w", err)
	}
	uniform, others, err := o.lossPaths(d)
	if err != nil {
		return p, err
	}
	if p.Landmarks, err = o.chooseLandmarks(task.Points, grams, uniform.Loss); err != nil {
		return p, err
	}
	if p.Splits, err = o.chooseSplits(d); err != nil {
		return p, err
	}
	if p.Selection, err = o.chooseSelection(d, p.Splits, uniform.Loss); err != nil {
		return p, err
	}
	p.Methods = o.candidateMethods(d, f, grams, uniform, others)
	p.Candidates = []string{o.method}
	if o.method == "" {
		p.Candidates = append([]string{LearnedName}, slices.DeleteFunc(methodNames(p.Methods),
			func(name string) bool { return name == LearnedName })...)
	}
	p.Probabilities = d.Classes != nil && !o.given["WithoutProbabilities"]
	return p, nil
}

// checkOptions returns an error that names an option if the option is out of range or has no effect on the data of p.
func (o *options) checkOptions(p *Plan) error {
	bad := func(option, problem, remedy string) error {
		return fmt.Errorf("learn: %s: %s; %s", option, problem, remedy)
	}
	empty := map[string]bool{"WithFamily": o.family == nil, "WithSet": o.set == nil, "WithSolver": o.solver == nil,
		"WithLoss": o.loss.Loss == nil, "WithLambda": o.lambdas == nil, "WithViews": o.Views == nil}
	for _, option := range p.GivenOptions {
		if empty[option] {
			return bad(option, "it has no value", "give one, or remove the option")
		}
	}
	switch {
	case o.given["WithGap"] && !(o.Gap > 0):
		return bad("WithGap", fmt.Sprintf("got %g", o.Gap), "use a number > 0")
	case o.given["WithoutProbabilities"] && p.Task.Classes == 0:
		return bad("WithoutProbabilities", fmt.Sprintf("the targets of %s are numbers, not classes", p.Task.Data),
			"remove the option")
	case o.given["WithIntervals"] && o.Intervals == 0:
		return bad("WithIntervals", "the level is 0", "use a level such as 0.9, or remove the option")
	case o.given["WithGap"] && (o.method == UniformName || o.method == SingleName):
		return bad("WithGap", fmt.Sprintf("the method %q learns no weights", o.method),
			"remove the option, or use another method (WithMethod)")
	}
	return nil
}

// candidateMethods returns the methods that can be selected: uniform weights, the best single kernel, learned weights,
// and learned weights without each view. A model without an uninformative view has a smaller cross-validation error,
// and is then selected. Learned weights alone do not remove such a view, because kernels of noise get a weight too: a
// narrow kernel adds to K what a larger λ adds.
func (o *options) candidateMethods(d *data.Dataset, f *family, g kernel.Grams, uniform,
	otherLosses compare.Path) []compare.Method {
	m, _ := g.Dims()
	learned, otherSet := o.weightSets(m)
	solver := o.solver
	if solver == nil {
		solver = defaultSolver(g, uniform.Loss)
	}
	all := []compare.Method{{Name: UniformName, Family: f.learned,
		Grid: compare.Grid{uniform, otherSet, compare.Rules(mkl.Uniform{})}}}
	if k, _ := f.singleKernels.Bind(d.X).Dims(); k <= maxSingles {
		all = append(all, compare.Method{Name: SingleName, Family: f.singleKernels,
			Grid: compare.Grid{otherLosses, otherSet,
				compare.SingleKernels{TriedFirst: f.triedFirst, Similar: f.similar}}})
	}
	all = append(all, compare.Method{Name: LearnedName, Family: f.learned, Grid: compare.Grid{otherLosses, learned},
		Solver: solver})
	if o.family == nil && o.set == nil && len(d.Views) >= 2 && len(d.Views) <= maxViews {
		for v, view := range d.Views {
			others := slices.DeleteFunc(slices.Clone(kernel.KernelsOf(f.learned)),
				func(k kernel.Kernel) bool { return compare.ViewIndex(d.Views, k) == v })
			part, _ := kernel.WithKernels(f.learned, others)
			balls, _ := o.weightSets(len(others))
			all = append(all, compare.Method{Name: LearnedName + " without " + view.Name, Family: part,
				Grid: compare.Grid{otherLosses, balls}, Solver: solver})
		}
	}
	return all
}

// weightSets returns the sets Θ of m learned weights to choose from, and the set Θ for the other methods.
func (o *options) weightSets(m int) (learned, others compare.Axis) {
	if o.set != nil {
		return compare.Sets(o.set), compare.Sets(o.set)
	}
	c := 1 / math.Sqrt(float64(max(m, 1)))
	return compare.Balls(2, c*c, 0.75*c, 7.5*c), compare.Sets(set.Simplex{})
}

// lossPaths returns the losses of uniform weights and of the other methods. By default the other methods try values of
// the hyperparameter near the value that was chosen for uniform weights.
func (o *options) lossPaths(d *data.Dataset) (uniform, others compare.Path, err error) {
	switch {
	case o.given["WithQuantile"] && (o.loss.Loss != nil || o.lambdas != nil):
		return uniform, others, errors.New("learn: WithQuantile has its own loss and C; remove WithLoss and WithLambda")
	case o.given["WithQuantile"]:
		uniform, err = quantilePath(d, o.quantile)
		return uniform, uniform.WithinDecades(UniformName, 0.5), err
	case o.loss.Loss != nil && o.lambdas != nil:
		return uniform, others, errors.New("learn: WithLoss and WithLambda exclude each other; use one of them " +
			"(WithLambda is for the squared loss)")
	case o.loss.Loss != nil && len(o.loss.Values) > 1:
		return o.loss, o.loss.WithinDecades(UniformName, 1), nil
	case o.loss.Loss != nil:
		return o.loss, o.loss, nil
	case o.lambdas != nil:
		return compare.Ridge(o.lambdas...), compare.Ridge(o.lambdas...), nil
	}
	uniform = compare.Ridge(compare.HalfDecades(-4, 2)...).Extendable(3)
	return uniform, uniform.WithinDecades(UniformName, 0.5), nil
}

// quantilePath returns the losses for a quantile. The values of C are multiples of the standard deviation of the
// targets, because the best C is proportional to it. Several targets are already in units of their standard deviations.
func quantilePath(d *data.Dataset, tau float64) (compare.Path, error) {
	if d.Classes != nil {
		return compare.Path{}, fmt.Errorf("learn: WithQuantile: the targets of %s are classes, not numbers; remove "+
			"the option", d.Name)
	}
	if !(tau > 0 && tau < 1) {
		return compare.Path{}, fmt.Errorf("learn: WithQuantile: got %g; use a number between 0 and 1", tau)
	}
	c := compare.HalfDecades(-2, 2)
	if d.ExtraTargets == nil {
		floats.Scale(stat.PopStdDev(d.TransformedY(), nil), c)
	}
	return compare.Losses(loss.Pinball{Tau: tau}, c...).Extendable(2), nil
}

// defaultSolver returns the solver for learned weights.
func defaultSolver(g kernel.Grams, l loss.Loss) mkl.Solver {
	switch {
	case l.Traits().StrictlyConcave:
		return mkl.SPG{}
	case g.Degree() == 1:
		return mkl.Level{} // J has kinks if K is singular
	}
	return mkl.SPG{Force: true}
}

// defaultLandmarks returns the default number of landmarks for n points: 2000 for up to 10,000 points, p with np² ≤
// 4·10¹⁰ for 10,000 to 20,000 points, 1414 for 20,000 to 200,000 points, and p with np² ≤ 4·10¹¹ above that.
func defaultLandmarks(n int) int {
	limit := func(work float64) int { return int(math.Sqrt(work / float64(n))) } // the p with np² = work
	return max(min(2000, limit(4e10)), min(1414, limit(4e11)))
}

// chooseLandmarks returns the number of landmarks for n points; 0 if the model is fitted to all points.
func (o *options) chooseLandmarks(n int, g kernel.Grams, l loss.Loss) (int, error) {
	if o.landmarks < 0 {
		return 0, fmt.Errorf("learn: WithLandmarks: got %d; use a number > 0, or 0 for the default", o.landmarks)
	}
	landmarks := o.landmarks
	if landmarks == 0 {
		landmarks = defaultLandmarks(n)
	}
	if n <= landmarks || compare.HasFewFeatures(g, landmarks) {
		return 0, nil
	}
	if _, squared := l.(loss.Squared); squared {
		return landmarks, nil
	} else if o.given["WithLandmarks"] {
		return 0, fmt.Errorf("learn: landmarks (WithLandmarks) need the squared loss, but the loss is %s; remove the "+
			"option, or use the squared loss", compare.Describe(l))
	}
	return 0, nil
}

// chooseSplits returns the splits of the comparison. By default, larger datasets get fewer splits.
func (o *options) chooseSplits(d *data.Dataset) ([]compare.Split, error) {
	if o.given["WithSplits"] || o.Splits != nil {
		return o.Splits, nil
	}
	count := 3
	if n := len(d.Y); n <= 500 {
		count = 10
	} else if n <= 2000 {
		count = 5
	}
	return compare.Holdout(d.Y, 0.25, count, o.Seed, compare.ByGroup(d.Group))
}

// countUnits returns the number of the given rows or, if d has groups, the number of groups that they belong to.
func countUnits(d *data.Dataset, rows []int) int {
	if d.Group == nil {
		return len(rows)
	}
	return countDistinct(points.Pick(d.Group, rows))
}

// chooseSelection returns how hyperparameters and method are chosen. Every training part needs at least one point, or
// one group, for each fold. The default number of folds is reduced to this limit; WithFolds beyond it is an error.
func (o *options) chooseSelection(d *data.Dataset, splits []compare.Split, l loss.Loss) (selection compare.Selection,
	err error) {
	selection = compare.Selection{Folds: o.folds, Points: o.pointLimit, Restarts: true}
	if o.pointLimit < 0 {
		return selection, fmt.Errorf("learn: WithPoints: got %d; use a number > 0, or 0 for the default", o.pointLimit)
	}
	if selection.Points == 0 {
		selection.Points = selectionPoints
	}
	least := min(selection.Points, countUnits(d, points.AllIndices(len(d.Y))))
	for i, s := range splits {
		if err := s.Validate(i, len(d.Y)); err != nil {
			return selection, err
		}
		least = min(least, countUnits(d, s.Train))
	}
	if selection.Folds == 0 {
		selection.Folds = max(min(defaultFolds, least), 2)
	}
	if selection.Folds > least {
		unit := "points"
		if d.Group != nil {
			unit = "groups"
		}
		return selection, fmt.Errorf("learn: %d folds (WithFolds) need as many %s, but a training part of %s, or the "+
			"sample for choosing hyperparameters (WithPoints), has %d; use fewer folds", selection.Folds, unit,
			d.Name, least)
	}
	if _, ok := l.(loss.Scored); ok {
		selection.By = compare.MeanLoss
	} else if !l.Traits().LinearInTargets && d.Classes != nil {
		selection.By = compare.ErrorRate // decision values of this loss do not approximate ±1
	}
	return selection, nil
}

// countDistinct returns the number of different groups.
func countDistinct(group []string) int {
	return len(slices.Compact(slices.Sorted(slices.Values(group))))
}
