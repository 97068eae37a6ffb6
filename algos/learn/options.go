package learn

import (
	"fmt"
	"reflect"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data"
)

// Option changes a default of Learn. The defaults are 5 folds, seed 0, 10 splits with a quarter of the points as test
// points (5 splits above 500 points, 3 above 2,000), the squared loss with λ = 10⁻⁴ … 10² in half decades, equal
// weights or weights learned in one of two balls around equal weights, the solver mkl.SPG and the relative gap 1e-6.
// The comment of Learn describes the defaults of kernels, landmarks and the sample for choosing hyperparameters.
type Option func(*options)

// options holds the values that the options of Learn set. The zero value of a field is the default. The option that
// sets the field F is WithF.
type options struct {
	Family          kernel.Family
	Loss            fit.Path
	Set             set.Set
	Lambda          []float64
	Quantile        []float64
	Folds           int
	Splits          []fit.Split
	Seed            uint64
	Solver          mkl.Solver
	Rules           []mkl.Rule
	Gap             float64
	Method          string
	Metric          model.Metric
	BalancedClasses bool
	SelectionPoints int
	Landmarks       int
	LogCandidate    bool
	Views           data.Views
	Intervals       float64

	withoutProbabilities bool
	workers              int
	store                string
	progress             func(compare.Progress)
	fittedCallback       func(*Learned)
}

// newOptions applies the options of Learn in order. It returns an error if one is nil.
func newOptions(opts []Option) (*options, error) {
	o := &options{}
	for i, f := range opts {
		if f == nil {
			return nil, fmt.Errorf("learn: option %d of %d is nil; remove it", i+1, len(opts))
		}
		f(o)
	}
	return o, nil
}

// given returns the names of the options that set an exported field of o to another value than the default.
func (o *options) given() (names []string) {
	v := reflect.ValueOf(*o)
	for i := range v.NumField() {
		if f := v.Type().Field(i); f.IsExported() && !v.Field(i).IsZero() {
			names = append(names, "With"+f.Name)
		}
	}
	return names
}

// WithFamily learns weights of the base kernels of this family, which does its own preprocessing.
func WithFamily(f kernel.Family) Option { return func(o *options) { o.Family = f } }

// WithSet learns weights in this set Θ.
func WithSet(s set.Set) Option { return func(o *options) { o.Set = s } }

// WithLoss learns with this loss, with each of the listed values of its hyperparameter:
//
//	learn.WithLoss(fit.Losses(loss.Hinge{}, fit.HalfDecades(-2, 2)...))
//	learn.WithLoss(fit.Losses(loss.Hinge{Weights: w}, 0.1, 1, 10)) // w: one weight for each point
//
// If the loss reports NeedsCentering (loss.Traits), the mean of the training targets is subtracted before the fit, and
// predictions add it again.
func WithLoss(losses fit.Path) Option { return func(o *options) { o.Loss = losses } }

// WithQuantile learns quantiles of a numeric target at each point, by loss.Pinball: 0.9 estimates the number that 90 %
// of the targets do not exceed. C and method are chosen by the mean of this loss on held-out points. Several quantiles,
// such as 0.05, 0.5 and 0.95, share one kernel; the predictions of a point are sorted, so that they do not cross. Each
// quantile is one column of the model, with a name such as "quantile 0.9". Landmarks are not used: they need the
// squared loss.
//
// A quantile τ needs 1/min(τ, 1−τ) − 1 points, or groups of points, and is an error if there are fewer. With few groups
// it is too far from the median: of 100 sets of 9 groups, 94 % of the targets of new groups were below the quantile
// 0.9, and 91 % with 30 groups. Repeated rows count as several points: remove copies.
func WithQuantile(taus ...float64) Option { return func(o *options) { o.Quantile = taus } }

// WithLambda tries these values of λ. A single value is used without a search.
func WithLambda(lambdas ...float64) Option { return func(o *options) { o.Lambda = lambdas } }

// WithMetric chooses the method and its hyperparameters by a metric of classes: model.Balanced, the balanced accuracy,
// model.AUC, model.PositiveF1, model.LogLoss, model.F1, model.Accuracy or model.ErrorRate. Balanced, AUC and PositiveF1
// are for a rare class, which a model of large accuracy can miss. The log loss is that of probabilities from decision
// values at held-out points, each computed with a sigmoid that was fitted to other points (model.ScoreCalibrated). By
// default the RMSE of the ±1 targets chooses, or, for losses that do not approximate ±1, the error rate.
func WithMetric(m model.Metric) Option { return func(o *options) { o.Metric = m } }

// WithBalancedClasses gives each of K classes the same total weight, as class_weight="balanced" in scikit-learn: a
// point of a class of n_c of n points has the weight n/(K·n_c) in the loss, which is the squared one or a loss of
// WithLoss without weights. The model finds more points of a rare class, and predicts it too often. Scores and
// probabilities use these weights too: the accuracy is that of classes of equal frequency, about the balanced accuracy.
// A rule of WithRules does not use them to choose θ. For other weights, set them in the loss of WithLoss.
func WithBalancedClasses() Option { return func(o *options) { o.BalancedClasses = true } }

// WithSplits compares the methods on these splits. If splits is empty, Learn compares nothing. By default, Learn makes
// 10, 5 or 3 random splits (up to 500, up to 2,000, more points) with a quarter of the points for testing.
func WithSplits(splits []fit.Split) Option {
	return func(o *options) { o.Splits = append([]fit.Split{}, splits...) }
}

// WithFolds chooses method and hyperparameters by cross-validation with k folds.
func WithFolds(k int) Option { return func(o *options) { o.Folds = k } }

// WithSeed sets the seed that draws splits, folds and landmarks.
func WithSeed(seed uint64) Option { return func(o *options) { o.Seed = seed } }

// WithSolver learns the weights with this solver.
func WithSolver(s mkl.Solver) Option { return func(o *options) { o.Solver = s } }

// WithRules compares these rules too, such as mkl.AlignF{} and mkl.EasyMKL{}, which choose weights of the sum without
// minimizing F. Each is a method with the name of the rule, which can be selected.
func WithRules(rules ...mkl.Rule) Option { return func(o *options) { o.Rules = rules } }

// WithGap fits the model until its relative gap is at most relativeGap. The default is 1e-6. It is an error with a
// method of WithMethod that does not minimize F over the weights.
func WithGap(relativeGap float64) Option { return func(o *options) { o.Gap = relativeGap } }

// WithMethod selects this method: LearnedName, UniformName, SingleName or LinearName, one of these with LogSuffix with
// WithLogCandidate, the name of a rule of WithRules, or, for data with views, LearnedName + " without " + the name of a
// view. By default the method with the smallest error is selected.
func WithMethod(name string) Option { return func(o *options) { o.Method = name } }

// WithSelectionPoints chooses hyperparameters on at most maxPoints points: see fit.Selection.MaxPoints.
func WithSelectionPoints(maxPoints int) Option {
	return func(o *options) { o.SelectionPoints = maxPoints }
}

// WithLandmarks limits kernel matrices to at most maxPoints points, drawn without regard to weights of points: see
// compare.Study.Landmarks.
func WithLandmarks(maxPoints int) Option { return func(o *options) { o.Landmarks = maxPoints } }

// WithFittedCallback calls f when the model is fitted, before the comparison. Learned.Table is still nil.
func WithFittedCallback(f func(*Learned)) Option { return func(o *options) { o.fittedCallback = f } }

// WithWorkers runs at most maxTasks tasks at a time. The results do not depend on maxTasks.
func WithWorkers(maxTasks int) Option { return func(o *options) { o.workers = maxTasks } }

// WithStore stores results of finished tasks in a folder: see compare.Study.StoreFolder.
func WithStore(folder string) Option { return func(o *options) { o.store = folder } }

// WithProgress calls f with the progress of the work.
func WithProgress(f func(compare.Progress)) Option { return func(o *options) { o.progress = f } }

// WithoutProbabilities learns a classifier without class probabilities (model.Model.Probabilities) and saves the time
// for them. By default, Learn fits the selected method in each fold of WithFolds. For each target column, it then fits
// a sigmoid, which turns decision values into probabilities, to the decision values at the held-out points. If this is
// not possible, the model has no probabilities, and a warning gives the reason: for example, if a class has only one
// point or one group, the model without it knows nothing of the class.
func WithoutProbabilities() Option { return func(o *options) { o.withoutProbabilities = true } }

// WithLogCandidate tries each method on the logarithm of the target too, which may suit a target above 0 with a long
// tail, such as a price. All errors are compared in the units of the data, and a model of logarithms predicts exp f
// (model.Model.LogTargets). It takes about twice the time. On eight tables with long tails it raised R² by 3 points on
// one and lowered it by 1.5 and 3 on two, so it is no default. If logarithms are known to be better, use
// data.Options.LogTargets.
func WithLogCandidate() Option { return func(o *options) { o.LogCandidate = true } }

// WithViews gives each group of features separate kernels, of the same kinds that Learn otherwise uses for all features
// together. Learned.Views then has the weight of each view. Datasets with views (data.Join, data.Dataset.View) do not
// need it.
//
//	learn.WithViews(data.Views{"spectrum": {"s*"}, "clinic": {"age", "sex"}})
func WithViews(v data.Views) Option { return func(o *options) { o.Views = v } }

// WithIntervals adds prediction intervals of a level, such as 0.9, to a regression model: see model.Intervals. This
// takes ten more fits with the chosen hyperparameters, each without a tenth of the points. If points have groups, each
// fit omits whole groups, and the intervals are valid for points of new groups. Repeated rows count as several points:
// remove copies. Files of predictions get the columns lower and upper.
func WithIntervals(level float64) Option { return func(o *options) { o.Intervals = level } }
