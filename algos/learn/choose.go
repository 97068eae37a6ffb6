package learn

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

const (
	minDistinctPoints = 8    // smallest number of different points that Learn accepts
	maxSingleKernels  = 64   // families with more kernels are not searched for the best single kernel
	maxDroppedViews   = 6    // largest number of views for which models that leave out one view are tried
	selectionPoints   = 800  // default of WithSelectionPoints: points for choosing hyperparameters
	maxFinalPoints    = 2000 // default of the training points of the final round (fit.Selection.FinalPoints)
	defaultFolds      = 5    // default of WithFolds, unless there are fewer points or groups
	defaultGap        = 1e-6 // default of WithGap
)

// newPlan returns the plan for d, a dataset that prepareData returned. The plan has the values of the options that the
// caller set, and defaults for the rest.
func (o *options) newPlan(d *data.Dataset, task Task) (p Plan, err error) {
	p = Plan{Task: task, Views: o.Views, RelativeGap: cmp.Or(o.Gap, defaultGap), IntervalLevel: o.Intervals,
		Seed: o.Seed, Workers: o.workers, StoreFolder: o.store, GivenOptions: o.given(), Progress: o.progress,
		FittedCallback: o.fittedCallback}
	if err := o.checkOptionsAgainst(&p); err != nil {
		return p, err
	}
	f := &family{sumFamily: o.Family}
	if o.Family == nil {
		if f, err = kernelsForData(d); err != nil {
			return p, err
		}
	}
	grams := f.sumFamily.Bind(d.X)
	if err := grams.Validate(); err != nil {
		return p, fmt.Errorf("learn: %w", err)
	}
	lossesForUniform, lossesForOthers, err := o.chooseLossPaths(d)
	if err != nil {
		return p, err
	}
	if p.Landmarks, err = o.chooseLandmarkCount(task.Points, grams, lossesForUniform.Loss); err != nil {
		return p, err
	}
	if p.Splits, err = o.chooseSplits(d); err != nil {
		return p, err
	}
	if p.Selection, err = o.chooseSelection(d, p.Splits, lossesForUniform.Loss); err != nil {
		return p, err
	}
	p.Methods = o.candidateMethods(d, f, grams, lossesForUniform, lossesForOthers)
	p.Candidates = []string{o.Method}
	if o.Method == "" {
		p.Candidates = append([]string{LearnedName}, slices.DeleteFunc(methodNames(p.Methods),
			func(name string) bool { return name == LearnedName })...)
	}
	p.Probabilities = d.Classes != nil && !o.withoutProbabilities
	return p, nil
}

// optionError returns an error that names an option.
func optionError(option, problem, remedy string) error {
	return fmt.Errorf("learn: %s: %s; %s", option, problem, remedy)
}

// checkOptionsAgainst returns an error that names an option if its value is out of range or has no effect on p's data.
func (o *options) checkOptionsAgainst(p *Plan) error {
	switch {
	case o.Loss.Loss == nil && slices.Contains(p.GivenOptions, "WithLoss"):
		return optionError("WithLoss", "there is no loss", "use fit.Losses with a loss")
	case slices.Contains(o.Rules, nil):
		return optionError("WithRules", "a rule is nil", "give one, or remove it")
	case o.Folds < 0 || o.Folds == 1:
		return optionError("WithFolds", fmt.Sprintf("got %d", o.Folds), "use 2 or more, or 0 for the default")
	case o.workers < 0:
		return optionError("WithWorkers", fmt.Sprintf("got %d", o.workers), "use 1 or more, or 0 for the default")
	case !(p.RelativeGap > 0):
		return optionError("WithGap", fmt.Sprintf("got %g", o.Gap), "use a number > 0, or 0 for the default")
	case o.withoutProbabilities && p.Task.Classes == 0:
		return optionError("WithoutProbabilities",
			fmt.Sprintf("the targets of %s are numbers, not classes", p.Task.Data), "remove the option")
	case o.Gap != 0 && o.Method != "" && !strings.HasPrefix(o.Method, LearnedName):
		return optionError("WithGap", fmt.Sprintf("the method %q does not minimize F over the weights", o.Method),
			"remove the option, or use another method (WithMethod)")
	}
	return nil
}

// candidateMethods returns the methods that can be selected: uniform weights, the best single kernel, learned weights,
// and, for each view, learned weights without this view. Learning alone does not remove an uninformative view: a narrow
// kernel is nearly the identity matrix, so it acts like a larger λ and gets a weight even if its features are noise. If
// the cross-validation error is smaller without the view, the method without it is selected.
func (o *options) candidateMethods(d *data.Dataset, f *family, g kernel.Grams, lossesForUniform,
	lossesForOthers fit.Path) []fit.Method {
	m, _ := g.Dims()
	setsForLearned, setForOthers := o.chooseFeasibleWeightSets(m)
	solver := o.Solver
	if solver == nil {
		solver = defaultSolver(g, lossesForUniform.Loss)
	}
	methods := []fit.Method{{Name: UniformName, Fitter: fit.Search{Family: f.sumFamily,
		Grid: fit.Grid{lossesForUniform, setForOthers, fit.Rules(mkl.Uniform{})}}}}
	if m <= maxSingleKernels {
		setForSingle := setForOthers
		if o.Set != nil && o.Set.Validate(m) == nil && !hasSingleKernels(o.Set, g) {
			setForSingle = fit.Sets(set.Simplex{})
		}
		methods = append(methods, fit.Method{Name: SingleName, Fitter: fit.Search{Family: f.sumFamily,
			Grid: fit.Grid{lossesForOthers, setForSingle, fit.SingleKernels{SimilarKernels: f.similarKernelGroups}}}})
	}
	methods = append(methods, fit.Method{Name: LearnedName, Fitter: fit.Search{Family: f.sumFamily,
		Grid: fit.Grid{lossesForOthers, setsForLearned}, Solver: solver}})
	for _, rule := range o.Rules {
		methods = append(methods, fit.Method{Name: fmt.Sprint(rule), Fitter: fit.Search{Family: f.sumFamily,
			Grid: fit.Grid{lossesForOthers, setForOthers, fit.Rules(rule)}}})
	}
	if o.Family == nil && o.Set == nil && len(d.Views) >= 2 && len(d.Views) <= maxDroppedViews {
		for v, view := range d.Views {
			otherKernels := slices.DeleteFunc(slices.Clone(kernel.KernelsOf(f.sumFamily)),
				func(k kernel.Kernel) bool { return fit.ViewIndex(d.Views, k) == v })
			remainingFamily, _ := kernel.WithKernels(f.sumFamily, otherKernels)
			setsWithoutView, _ := o.chooseFeasibleWeightSets(len(otherKernels))
			methods = append(methods, fit.Method{Name: LearnedName + " without " + view.Name,
				Fitter: fit.Search{Family: remainingFamily, Grid: fit.Grid{lossesForOthers, setsWithoutView},
					Solver: solver}})
		}
	}
	if f.linearFamily != nil {
		methods = append(methods, fit.Method{Name: LinearName, Fitter: fit.Search{Family: f.linearFamily,
			Grid: fit.Grid{lossesForUniform, fit.Sets(set.Simplex{}), fit.Rules(mkl.Uniform{})}}})
	}
	if o.LogCandidate {
		for _, m := range slices.Clone(methods) {
			logs := m.Search()
			logs.LogTargets, logs.Grid = true, slices.Clone(logs.Grid)
			for i, axis := range logs.Grid {
				if path, ok := axis.(fit.Path); ok && path.NearMethod != "" {
					path.NearMethod += LogSuffix
					logs.Grid[i] = path
				}
			}
			methods = append(methods, fit.Method{Name: m.Name + LogSuffix, Fitter: logs})
		}
	}
	return methods
}

// checkLogCandidate returns an error if WithLogCandidate is given and d has no logarithms to try.
func (o *options) checkLogCandidate(d *data.Dataset) error {
	reason := ""
	switch {
	case !o.LogCandidate:
		return nil
	case d.Classes != nil:
		reason = fmt.Sprintf("the targets of %s are classes, not numbers", d.Name)
	case d.ExtraTargets != nil:
		reason = fmt.Sprintf("%s has several targets", d.Name)
	case d.LogTargets:
		reason = fmt.Sprintf("the logarithms of the target of %s are learned anyway (Options.LogTargets)", d.Name)
	case slices.Min(d.Y) <= 0:
		reason = fmt.Sprintf("the target of %s has the value %g, which has no logarithm", d.Name, slices.Min(d.Y))
	case d.Views != nil, o.Loss.Loss != nil, o.Quantile != nil:
		reason = "it cannot be combined with views, WithLoss or WithQuantile"
	default:
		return nil
	}
	return optionError("WithLogCandidate", reason, "remove the option")
}

// hasSingleKernels reports whether a set has weights with each base kernel of g alone.
func hasSingleKernels(s set.Set, g kernel.Grams) bool {
	m, _ := g.Dims()
	for k := range m {
		if _, err := (fit.SingleKernel{Kernel: k}).Weights(context.Background(),
			&mkl.Problem{Grams: g, Set: s}); err != nil {
			return false
		}
	}
	return true
}

// chooseFeasibleWeightSets returns the sets Θ of allowed weights: several for learned weights, one for other methods.
func (o *options) chooseFeasibleWeightSets(kernelCount int) (setsForLearned, setForOthers fit.Axis) {
	if o.Set != nil {
		return fit.Sets(o.Set), fit.Sets(o.Set)
	}
	return defaultBalls(kernelCount), fit.Sets(set.Simplex{})
}

// defaultBalls returns the sets Θ of learned weights of this number of kernels: balls around equal weights of sum 1.
func defaultBalls(kernelCount int) fit.Axis {
	c := 1 / math.Sqrt(float64(max(kernelCount, 1)))
	return fit.Balls(2, c*c, 0.75*c, 7.5*c)
}

// chooseLossPaths returns the losses for uniform weights and for the other methods, with hyperparameter values to try.
// With WithBalancedClasses, they have weights of points.
func (o *options) chooseLossPaths(d *data.Dataset) (lossesForUniform, lossesForOthers fit.Path, err error) {
	lossesForUniform, lossesForOthers, err = o.chooseLossPathsAsGiven(d)
	if err != nil || !o.BalancedClasses {
		return lossesForUniform, lossesForOthers, err
	}
	if d.Classes == nil {
		return lossesForUniform, lossesForOthers, optionError("WithBalancedClasses",
			fmt.Sprintf("the targets of %s are numbers, not classes", d.Name), "remove the option")
	}
	var weighted loss.Loss
	weights := balancedWeights(d)
	switch l := lossesForUniform.Loss.(type) {
	case loss.Squared:
		l.Weights = weights
		weighted = l
	case loss.Hinge:
		l.Weights = weights
		weighted = l
	case loss.SquaredHinge:
		l.Weights = weights
		weighted = l
	case loss.EpsilonInsensitive:
		l.Weights = weights
		weighted = l
	}
	if weighted == nil || loss.PointWeights(lossesForUniform.Loss) != nil {
		return lossesForUniform, lossesForOthers, optionError("WithBalancedClasses",
			fmt.Sprintf("the loss of WithLoss, %s, has weights of points already, or cannot be given any",
				fit.Describe(lossesForUniform.Loss)),
			"remove the option, and set the weights of points in the loss if it has them")
	}
	lossesForUniform.Loss, lossesForOthers.Loss = weighted, weighted
	return lossesForUniform, lossesForOthers, nil
}

// chooseLossPathsAsGiven is chooseLossPaths without WithBalancedClasses. By default the methods other than uniform
// weights try only values near the value that is chosen for uniform weights.
func (o *options) chooseLossPathsAsGiven(d *data.Dataset) (lossesForUniform, lossesForOthers fit.Path, err error) {
	_, isPinball := o.Loss.Loss.(loss.Pinball)
	weights := loss.PointWeights(o.Loss.Loss)
	switch {
	case o.Quantile != nil && (o.Loss.Loss != nil || o.Lambda != nil):
		return lossesForUniform, lossesForOthers, errors.New("learn: WithQuantile sets the loss and C; " +
			"remove WithLoss and WithLambda")
	case o.Quantile != nil:
		lossesForUniform, err = newQuantileLossPath(d, o.Quantile)
		return lossesForUniform, lossesForUniform.WithinDecades(UniformName, 0.5), err
	case o.Loss.Loss != nil && o.Lambda != nil:
		return lossesForUniform, lossesForOthers, errors.New("learn: WithLoss and WithLambda exclude each other; " +
			"use one of them (WithLambda is for the squared loss)")
	case isPinball && d.Classes != nil:
		return lossesForUniform, lossesForOthers, fmt.Errorf("learn: WithLoss: %v is for numbers, but the targets of "+
			"%s are classes; use another loss", o.Loss, d.Name)
	case weights != nil && len(weights) != len(d.Y):
		return lossesForUniform, lossesForOthers, fmt.Errorf("learn: WithLoss: the loss has %d weights of points, but "+
			"%s has %d points (%d of the file were left out); give one for each point", len(weights), d.Name, len(d.Y),
			d.DroppedPoints)
	case o.Loss.Loss != nil && len(o.Loss.Values) > 1:
		return o.Loss, o.Loss.WithinDecades(UniformName, 1), nil
	case o.Loss.Loss != nil:
		return o.Loss, o.Loss, nil
	case o.Lambda != nil:
		return fit.Ridge(o.Lambda...), fit.Ridge(o.Lambda...), nil
	}
	lossesForUniform = fit.Ridge(fit.HalfDecades(-4, 2)...).Extendable(3)
	return lossesForUniform, lossesForUniform.WithinDecades(UniformName, 0.5), nil
}

// balancedWeights returns the weight of each point of d with which all classes have the same total weight, and the mean
// of all weights is 1.
func balancedWeights(d *data.Dataset) []float64 {
	counts, weights := d.ClassCounts(), make([]float64, len(d.Y))
	for i := range weights {
		weights[i] = float64(len(d.Y)) / (float64(len(counts)) * float64(counts[d.Class(i)]))
	}
	return weights
}

// newQuantileLossPath returns the pinball loss for the quantiles taus, with values of C to try. They are multiples of
// the standard deviation of the targets, because the best C is proportional to it. Several columns of targets need no
// multiples: they are already in units of their standard deviations.
func newQuantileLossPath(d *data.Dataset, taus []float64) (fit.Path, error) {
	if d.Classes != nil {
		return fit.Path{}, fmt.Errorf("learn: WithQuantile: the targets of %s are classes, not numbers; remove "+
			"the option", d.Name)
	}
	sorted := slices.Sorted(slices.Values(taus))
	if len(sorted) == 0 || !(sorted[0] > 0 && sorted[len(sorted)-1] < 1) || len(slices.Compact(sorted)) < len(taus) {
		return fit.Path{}, fmt.Errorf("learn: WithQuantile: got %g; use different numbers between 0 and 1", taus)
	}
	c, l := fit.HalfDecades(-2, 2), loss.Pinball{Tau: sorted[0]}
	switch {
	case len(taus) == 1 && d.ExtraTargets == nil:
		floats.Scale(stat.PopStdDev(d.TransformedY(), nil), c)
	case len(taus) > 1 && d.ExtraTargets != nil:
		return fit.Path{}, fmt.Errorf("learn: WithQuantile: got %g, but %s has several targets; use one quantile, "+
			"or one target", taus, d.Name)
	case len(taus) > 1:
		l = loss.Pinball{Taus: sorted}
	}
	return fit.Losses(l, c...).Extendable(2), nil
}

// withTargetForEachQuantile returns d or, if l is a loss.Pinball of several quantiles, a copy of d in which its target
// is repeated for each of them, under a name such as "quantile 0.9".
func withTargetForEachQuantile(d *data.Dataset, l loss.Loss) *data.Dataset {
	p, ok := l.(loss.Pinball)
	if !ok || p.Taus == nil || d.ExtraTargets != nil { // extra targets may be those of an earlier call
		return d
	}
	repeated := *d
	repeated.Target = fmt.Sprintf("quantile %g", p.Taus[0])
	for _, tau := range p.Taus[1:] {
		target := data.Target{Name: fmt.Sprintf("quantile %g", tau), Y: d.Y}
		repeated.ExtraTargets = append(repeated.ExtraTargets, target)
	}
	return &repeated
}

// defaultSolver returns the solver for learned weights.
func defaultSolver(g kernel.Grams, l loss.Loss) mkl.Solver {
	switch {
	case l.Traits().StrictlyConcave:
		return mkl.SPG{}
	case g.Degree() == 1:
		return mkl.Level{} // F(θ) has kinks where the kernel matrix is singular; Level needs only subgradients
	}
	return mkl.SPG{AllowNonsmooth: true}
}

// defaultLandmarkCount returns the default number of landmarks for n = pointCount: 2000 up to n = 10,000, √(4·10¹⁰/n)
// up to n = 20,000, 1414 up to n = 200,000, and √(4·10¹¹/n) above that.
func defaultLandmarkCount(pointCount int) int {
	// the number p of landmarks with np² = work
	landmarksForWork := func(work float64) int { return int(math.Sqrt(work / float64(pointCount))) }
	return max(min(2000, landmarksForWork(4e10)), min(1414, landmarksForWork(4e11)))
}

// chooseLandmarkCount returns the number of landmarks; 0 if the weights are learned on all points.
func (o *options) chooseLandmarkCount(pointCount int, g kernel.Grams, l loss.Loss) (int, error) {
	if o.Landmarks < 0 {
		return 0, fmt.Errorf("learn: WithLandmarks: got %d; use a number > 0, or 0 for the default", o.Landmarks)
	}
	landmarkCount := o.Landmarks
	if landmarkCount == 0 {
		landmarkCount = defaultLandmarkCount(pointCount)
	}
	if pointCount <= landmarkCount || fit.HasFewerFeaturesThanPoints(g, landmarkCount) {
		return 0, nil
	}
	if _, isSquared := l.(loss.Squared); isSquared {
		return landmarkCount, nil
	} else if o.Landmarks > 0 {
		return 0, fmt.Errorf("learn: landmarks (WithLandmarks) need the squared loss, but the loss is %s; remove the "+
			"option, or use the squared loss", fit.Describe(l))
	}
	return 0, nil
}

// chooseSplits returns the splits of the comparison. By default, larger datasets get fewer splits.
func (o *options) chooseSplits(d *data.Dataset) ([]fit.Split, error) {
	if o.Splits != nil {
		return o.Splits, nil
	}
	splitCount := 3
	if n := len(d.Y); n <= 500 {
		splitCount = 10
	} else if n <= 2000 {
		splitCount = 5
	}
	return fit.Holdout(d.SplitLabels(), 0.25, splitCount, o.Seed, fit.ByGroup(d.Group))
}

// countPointsOrGroups returns the number of the given rows or, if d has groups, the number of groups of these rows.
func countPointsOrGroups(d *data.Dataset, rows []int) int {
	if d.Group == nil {
		return len(rows)
	}
	return countDistinct(points.Pick(d.Group, rows))
}

// chooseSelection returns how hyperparameters and method are chosen. Every training part needs at least one point, or
// one group, for each fold. If one has fewer, the default number of folds is reduced; a number from WithFolds is an
// error.
func (o *options) chooseSelection(d *data.Dataset, splits []fit.Split, l loss.Loss) (selection fit.Selection,
	err error) {
	selection = fit.Selection{Folds: o.Folds, MaxPoints: o.SelectionPoints, RestartFromFolds: true}
	if o.SelectionPoints < 0 {
		return selection, fmt.Errorf("learn: WithSelectionPoints: got %d; use 1 or more, or 0 for the default",
			o.SelectionPoints)
	}
	if selection.MaxPoints == 0 {
		selection.MaxPoints = selectionPoints
	}
	smallestCount := min(selection.MaxPoints, countPointsOrGroups(d, points.AllIndices(len(d.Y))))
	for i, s := range splits {
		if err := s.Validate(i, len(d.Y)); err != nil {
			return selection, err
		}
		smallestCount = min(smallestCount, countPointsOrGroups(d, s.Train))
	}
	if selection.Folds == 0 {
		selection.Folds = max(min(defaultFolds, smallestCount), 2)
	}
	if selection.Folds > smallestCount {
		unitNoun := "points"
		if d.Group != nil {
			unitNoun = "groups"
		}
		return selection, fmt.Errorf("learn: %d folds (WithFolds) need at least as many %s, but a training part of "+
			"%s, or the sample for choosing hyperparameters (WithSelectionPoints), has %d; use fewer folds",
			selection.Folds, unitNoun, d.Name, smallestCount)
	}
	if o.Method == "" {
		needed := min(int(math.Ceil(selection.NeededFinalPoints())), maxFinalPoints)
		selection.FinalPoints = max(cmp.Or(o.Landmarks, defaultLandmarkCount(len(d.Y))), needed)
	}
	if o.Metric != "" {
		selection.By = o.Metric
		if metrics := model.ClassMetrics(len(d.Classes)); d.Classes == nil || !slices.Contains(metrics, o.Metric) {
			return selection, fmt.Errorf("learn: WithMetric: %q does not suit the targets of %s; use one of %q, which "+
				"are for classes", o.Metric, d.Name, metrics)
		}
	} else if _, ok := l.(loss.Scored); ok && d.Classes == nil {
		selection.By = model.MeanLoss
	} else if !l.Traits().LinearInTargets && d.Classes != nil {
		selection.By = model.ErrorRate // decision values of this loss do not approximate ±1, as RMSE needs
	}
	return selection, nil
}

func countDistinct(groupNames []string) int {
	return len(slices.Compact(slices.Sorted(slices.Values(groupNames))))
}
