package learn

import (
	"fmt"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data"
)

// Option changes a default of Learn. The defaults are 5 folds, seed 0, a quarter of the points as test points in 10
// splits (5 above 500 points, 3 above 2,000), the squared loss with λ = 10⁻⁴ … 10² by half decades, equal weights or
// weights in one of two balls around them, the solver mkl.SPG and the relative gap 1e-6. Learn describes kernels,
// landmarks and points of the choice.
type Option func(*options)

// options holds the values of the options of Learn.
type options struct {
	Plan       // with what an option decides without the data
	family     kernel.Family
	loss       compare.Path
	set        set.Set
	lambdas    []float64
	quantile   float64
	folds      int
	solver     mkl.Solver
	method     string
	pointLimit int // of WithPoints
	landmarks  int
	given      map[string]bool // the names of the options that make decisions
}

// newOptions applies the options of Learn in order. It returns an error if one is nil.
func newOptions(opts []Option) (*options, error) {
	o := &options{Plan: Plan{Gap: defaultGap}, given: map[string]bool{}}
	for i, f := range opts {
		if f == nil {
			return nil, fmt.Errorf("learn: option %d of %d is nil; remove it", i+1, len(opts))
		}
		f(o)
	}
	return o, nil
}

// newOption returns an option that applies change and records its name in options.given.
func newOption(name string, change func(*options)) Option {
	return func(o *options) { change(o); o.given[name] = true }
}

// WithFamily learns in this family. The family does its own preprocessing.
func WithFamily(f kernel.Family) Option {
	return newOption("WithFamily", func(o *options) { o.family = f })
}

// WithSet learns in this set Θ.
func WithSet(s set.Set) Option { return newOption("WithSet", func(o *options) { o.set = s }) }

// WithLoss learns with this loss. The path lists the values of its hyperparameter to try:
//
//	learn.WithLoss(compare.Losses(loss.Hinge{}, compare.HalfDecades(-2, 2)...))
//	learn.WithLoss(compare.Losses(loss.Hinge{Weights: w}, 0.1, 1, 10)) // w: one weight for each point
func WithLoss(p compare.Path) Option { return newOption("WithLoss", func(o *options) { o.loss = p }) }

// WithQuantile learns the quantile tau of a numeric target at each point, by loss.Pinball: 0.9 estimates the number
// that 90 % of the targets do not exceed. C and method are chosen by the mean of the pinball loss on held-out points.
// All kernel matrices have all points.
func WithQuantile(tau float64) Option {
	return newOption("WithQuantile", func(o *options) { o.quantile = tau })
}

// WithLambda tries these values of λ. A single value is used as it is.
func WithLambda(lambdas ...float64) Option {
	return newOption("WithLambda", func(o *options) { o.lambdas = lambdas })
}

// WithSplits compares on these splits. Without splits, Learn compares nothing.
func WithSplits(splits []compare.Split) Option {
	return newOption("WithSplits", func(o *options) { o.Splits = append([]compare.Split{}, splits...) })
}

// WithFolds chooses λ by cross-validation with k folds.
func WithFolds(k int) Option { return newOption("WithFolds", func(o *options) { o.folds = k }) }

// WithSeed draws splits and folds from this seed.
func WithSeed(seed uint64) Option { return newOption("WithSeed", func(o *options) { o.Seed = seed }) }

// WithSolver learns with this solver.
func WithSolver(s mkl.Solver) Option {
	return newOption("WithSolver", func(o *options) { o.solver = s })
}

// WithGap solves the model's problem to this relative gap. The default is 1e-6.
func WithGap(gap float64) Option { return newOption("WithGap", func(o *options) { o.Gap = gap }) }

// WithMethod uses this method: LearnedName, UniformName or SingleName, or LearnedName + " without " and the name of a
// view if Learn tries to drop views. By default the method with the smallest cross-validation error is used.
func WithMethod(name string) Option {
	return newOption("WithMethod", func(o *options) { o.method = name })
}

// WithPoints chooses hyperparameters on at most n points: see compare.Selection.Points.
func WithPoints(n int) Option { return newOption("WithPoints", func(o *options) { o.pointLimit = n }) }

// WithLandmarks limits kernel matrices to at most n points: see compare.Study.Landmarks.
func WithLandmarks(n int) Option {
	return newOption("WithLandmarks", func(o *options) { o.landmarks = n })
}

// WithFitted calls f when there is a model, before the comparison. The Learned has no Table yet.
func WithFitted(f func(*Learned)) Option { return func(o *options) { o.Fitted = f } }

// WithWorkers runs at most n tasks at a time. The result does not depend on n.
func WithWorkers(n int) Option { return func(o *options) { o.Workers = n } }

// WithStore stores finished tasks in a folder: see compare.Study.Store.
func WithStore(folder string) Option { return func(o *options) { o.Store = folder } }

// WithProgress calls f with the progress of the work.
func WithProgress(f func(compare.Progress)) Option {
	return func(o *options) { o.Progress = f }
}

// WithoutProbabilities learns a classifier without class probabilities (model.Model.Probabilities) and saves the fits
// that they need: one for each fold. By default, Learn fits the chosen candidate again in each fold of WithFolds. It
// then fits one sigmoid for each column of targets, which turns the decision values at the held-out points into
// probabilities. If these fits fail, the model has no probabilities, and a warning gives the reason.
func WithoutProbabilities() Option {
	return newOption("WithoutProbabilities", func(o *options) {})
}

// WithViews gives each group of features separate kernels. They are the kernels that Learn uses for all features
// without this option. Learned.Views then has the share of the weight of each view. Datasets that have views
// (data.Join, data.Dataset.View) do not need this option.
//
//	learn.WithViews(data.Views{"spectrum": {"s*"}, "clinic": {"age", "sex"}})
func WithViews(v data.Views) Option { return newOption("WithViews", func(o *options) { o.Views = v }) }

// WithIntervals adds prediction intervals of a level, such as 0.9, to a model of numbers: see model.Intervals. This
// takes ten more fits, each without a tenth of the points, with the chosen hyperparameters. If points have groups, a
// fit lacks whole groups, and the intervals are for points of new groups. Files of predictions get the columns lower
// and upper.
func WithIntervals(level float64) Option {
	return newOption("WithIntervals", func(o *options) { o.Intervals = level })
}
