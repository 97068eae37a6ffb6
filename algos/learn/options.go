package learn

import (
	"fmt"

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

// options holds the values of the options of Learn.
type options struct {
	Plan           // the fields that an option can set without the data
	givenFamily    kernel.Family
	givenLossPath  fit.Path
	givenSet       set.Set
	lambdas        []float64
	quantileLevels []float64
	foldCount      int
	solver         mkl.Solver
	methodName     string
	pointLimit     int // largest number of points for choosing hyperparameters
	landmarkLimit  int
	metric         model.Metric
	rules          []mkl.Rule
	isGiven        map[string]bool // whether the caller gave the option of this name
}

// newOptions applies the options of Learn in order. It returns an error if one is nil.
func newOptions(opts []Option) (*options, error) {
	o := &options{Plan: Plan{RelativeGap: defaultGap}, isGiven: map[string]bool{}}
	for i, f := range opts {
		if f == nil {
			return nil, fmt.Errorf("learn: option %d of %d is nil; remove it", i+1, len(opts))
		}
		f(o)
	}
	return o, nil
}

// newOption returns an option that applies change and records its name in options.isGiven.
func newOption(name string, change func(*options)) Option {
	return func(o *options) { change(o); o.isGiven[name] = true }
}

// WithFamily learns weights of the base kernels of this family, which does its own preprocessing.
func WithFamily(f kernel.Family) Option {
	return newOption("WithFamily", func(o *options) { o.givenFamily = f })
}

// WithSet learns weights in this set Θ.
func WithSet(s set.Set) Option { return newOption("WithSet", func(o *options) { o.givenSet = s }) }

// WithLoss learns with this loss, with each of the listed values of its hyperparameter:
//
//	learn.WithLoss(fit.Losses(loss.Hinge{}, fit.HalfDecades(-2, 2)...))
//	learn.WithLoss(fit.Losses(loss.Hinge{Weights: w}, 0.1, 1, 10)) // w: one weight for each point
//
// If the loss reports NeedsCentering (loss.Traits), the mean of the training targets is subtracted before the fit, and
// predictions add it again.
func WithLoss(losses fit.Path) Option {
	return newOption("WithLoss", func(o *options) { o.givenLossPath = losses })
}

// WithQuantile learns quantiles of a numeric target at each point, by loss.Pinball: 0.9 estimates the number that 90 %
// of the targets do not exceed. C and method are chosen by the mean of this loss on held-out points. Several quantiles,
// such as 0.05, 0.5 and 0.95, share one kernel; the predictions of a point are sorted, so that they do not cross. Each
// quantile is one column of the model, with a name such as "quantile 0.9". Landmarks are not used: they need the
// squared loss.
//
// A quantile τ needs 1/min(τ, 1−τ) − 1 points, or groups of points, and is an error if there are fewer. With few groups
// it is too far from the median: of 100 sets of 9 groups, 94 % of the targets of new groups were below the quantile
// 0.9, and 91 % with 30 groups. Repeated rows count as several points: remove copies.
func WithQuantile(taus ...float64) Option {
	return newOption("WithQuantile", func(o *options) { o.quantileLevels = taus })
}

// WithLambda tries these values of λ. A single value is used without a search.
func WithLambda(lambdas ...float64) Option {
	return newOption("WithLambda", func(o *options) { o.lambdas = lambdas })
}

// WithMetric chooses the method and its hyperparameters by a metric of classes: model.Balanced, the balanced accuracy,
// model.AUC, model.PositiveF1, model.F1, model.Accuracy or model.ErrorRate. The first three are for a rare class, which
// a model of large accuracy can miss. By default the RMSE of the ±1 targets chooses, or, for losses that do not
// approximate ±1, the error rate.
func WithMetric(m model.Metric) Option {
	return newOption("WithMetric", func(o *options) { o.metric = m })
}

// WithSplits compares the methods on these splits. If splits is empty, Learn compares nothing. By default, Learn makes
// 10, 5 or 3 random splits (up to 500, up to 2,000, more points) with a quarter of the points for testing.
func WithSplits(splits []fit.Split) Option {
	return newOption("WithSplits", func(o *options) { o.Splits = append([]fit.Split{}, splits...) })
}

// WithFolds chooses method and hyperparameters by cross-validation with k folds.
func WithFolds(k int) Option { return newOption("WithFolds", func(o *options) { o.foldCount = k }) }

// WithSeed sets the seed that draws splits, folds and landmarks.
func WithSeed(seed uint64) Option { return newOption("WithSeed", func(o *options) { o.Seed = seed }) }

// WithSolver learns the weights with this solver.
func WithSolver(s mkl.Solver) Option {
	return newOption("WithSolver", func(o *options) { o.solver = s })
}

// WithRules compares these rules too, such as mkl.AlignF{} and mkl.EasyMKL{}, which choose weights of the sum without
// minimizing F. Each is a method with the name of the rule, which can be selected.
func WithRules(rules ...mkl.Rule) Option {
	return newOption("WithRules", func(o *options) { o.rules = rules })
}

// WithGap fits the model until its relative gap is at most relativeGap. The default is 1e-6.
func WithGap(relativeGap float64) Option {
	return newOption("WithGap", func(o *options) { o.RelativeGap = relativeGap })
}

// WithMethod selects this method: LearnedName, UniformName or SingleName, one of these with LogSuffix with
// WithLogCandidate, or, for data with views, LearnedName + " without " + the name of a view. By default
// the method with the smallest error is selected.
func WithMethod(name string) Option {
	return newOption("WithMethod", func(o *options) { o.methodName = name })
}

// WithSelectionPoints chooses hyperparameters on at most maxPoints points: see fit.Selection.MaxPoints.
func WithSelectionPoints(maxPoints int) Option {
	return newOption("WithSelectionPoints", func(o *options) { o.pointLimit = maxPoints })
}

// WithLandmarks limits kernel matrices to at most maxPoints points: see compare.Study.Landmarks.
func WithLandmarks(maxPoints int) Option {
	return newOption("WithLandmarks", func(o *options) { o.landmarkLimit = maxPoints })
}

// WithFittedCallback calls f when the model is fitted, before the comparison. Learned.Table is still nil.
func WithFittedCallback(f func(*Learned)) Option { return func(o *options) { o.FittedCallback = f } }

// WithWorkers runs at most maxTasks tasks at a time. The results do not depend on maxTasks.
func WithWorkers(maxTasks int) Option { return func(o *options) { o.Workers = maxTasks } }

// WithStore stores results of finished tasks in a folder: see compare.Study.StoreFolder.
func WithStore(folder string) Option { return func(o *options) { o.StoreFolder = folder } }

// WithProgress calls f with the progress of the work.
func WithProgress(f func(compare.Progress)) Option {
	return func(o *options) { o.Progress = f }
}

// WithoutProbabilities learns a classifier without class probabilities (model.Model.Probabilities) and saves the time
// for them. By default, Learn fits the selected method in each fold of WithFolds. For each target column, it then fits
// a sigmoid, which turns decision values into probabilities, to the decision values at the held-out points. If this is
// not possible, the model has no probabilities, and a warning gives the reason: for example, if a class has only one
// point or one group, the model without it knows nothing of the class.
func WithoutProbabilities() Option {
	return newOption("WithoutProbabilities", func(o *options) {})
}

// WithLogCandidate tries each method on the logarithm of the target too, which may suit a target above 0 with a long
// tail, such as a price. All errors are compared in the units of the data, and a model of logarithms predicts exp f
// (model.Model.LogTargets). It takes about twice the time. On eight tables with long tails it raised R² by 3 points on
// one and lowered it by 1.5 and 3 on two, so it is no default. If logarithms are known to be better, use
// data.Options.LogTargets.
func WithLogCandidate() Option { return newOption("WithLogCandidate", func(*options) {}) }

// WithViews gives each group of features separate kernels, of the same kinds that Learn otherwise uses for all features
// together. Learned.Views then has the weight of each view. Datasets with views (data.Join, data.Dataset.View) do not
// need it.
//
//	learn.WithViews(data.Views{"spectrum": {"s*"}, "clinic": {"age", "sex"}})
func WithViews(v data.Views) Option { return newOption("WithViews", func(o *options) { o.Views = v }) }

// WithIntervals adds prediction intervals of a level, such as 0.9, to a regression model: see model.Intervals. This
// takes ten more fits with the chosen hyperparameters, each without a tenth of the points. If points have groups, each
// fit omits whole groups, and the intervals are valid for points of new groups. Repeated rows count as several points:
// remove copies. Files of predictions get the columns lower and upper.
func WithIntervals(level float64) Option {
	return newOption("WithIntervals", func(o *options) { o.IntervalLevel = level })
}
