package learn

import (
	"fmt"
	"time"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data"
)

// Option changes a default of Learn.
type Option func(*options)

type options struct {
	family     kernel.Family
	views      data.Views
	loss       compare.Path
	set        set.Set
	lambdas    []float64
	splits     []compare.Split
	folds      int
	seed       uint64
	solver     mkl.Solver
	gap        float64
	multiclass compare.Multiclass
	method     string
	points     int
	landmarks  int
	seconds    float64 // of WithBudget; 0: none
	bytes      float64
	workers    int
	fitted     func(*Learned)
	store      string
	progress   func(compare.Progress)
	given      map[string]bool
	duplicates int // points that equal an earlier one, in its group

	doing func(what string, left time.Duration) // tells progress of what follows the tasks

	probabilities bool
	calibration   int // folds of the probabilities
	classWeights  map[string]float64
}

// newOptions are the options of Learn.
func newOptions(opts []Option) (*options, error) {
	o := &options{given: map[string]bool{}}
	for i, f := range opts {
		if f == nil {
			return nil, fmt.Errorf("learn: option %d of %d is nil", i+1, len(opts))
		}
		f(o)
	}
	return o, nil
}

// given is an option of this name: what is given is no default.
func given(name string, change func(*options)) Option {
	return func(o *options) { change(o); o.given[name] = true }
}

// WithFamily learns in this family; preprocessing is its business.
func WithFamily(f kernel.Family) Option {
	return given("WithFamily", func(o *options) { o.family = f })
}

// WithSet learns in this set Θ.
func WithSet(s set.Set) Option { return given("WithSet", func(o *options) { o.set = s }) }

// WithLoss learns by this loss, with the values of its constant that the path has:
//
//	learn.WithLoss(compare.Losses(loss.Hinge{}, compare.HalfDecades(-2, 2)...))
func WithLoss(p compare.Path) Option { return given("WithLoss", func(o *options) { o.loss = p }) }

// WithLambda tries these λ; one is taken as it is.
func WithLambda(lambdas ...float64) Option {
	return given("WithLambda", func(o *options) { o.lambdas = lambdas })
}

// WithSplits compares on these splits; on none, there is no comparison.
func WithSplits(splits []compare.Split) Option {
	return given("WithSplits", func(o *options) { o.splits = append([]compare.Split{}, splits...) })
}

// WithFolds chooses λ by so many folds of cross-validation, or LeaveOneOut.
func WithFolds(k int) Option { return given("WithFolds", func(o *options) { o.folds = k }) }

// WithSeed draws splits and folds from this seed.
func WithSeed(seed uint64) Option { return given("WithSeed", func(o *options) { o.seed = seed }) }

// WithSolver learns by this solver.
func WithSolver(s mkl.Solver) Option { return given("WithSolver", func(o *options) { o.solver = s }) }

// WithMulticlass learns more than two classes in this way.
func WithMulticlass(m compare.Multiclass) Option {
	return given("WithMulticlass", func(o *options) { o.multiclass = m })
}

// WithGap solves the model's problem to this relative gap.
func WithGap(gap float64) Option { return given("WithGap", func(o *options) { o.gap = gap }) }

// WithMethod takes LearnedName, UniformName or SingleName, whichever is best on points left out.
func WithMethod(name string) Option { return given("WithMethod", func(o *options) { o.method = name }) }

// WithPoints chooses constants on so many points at most: see Selection.Points.
func WithPoints(n int) Option { return given("WithPoints", func(o *options) { o.points = n }) }

// WithLandmarks makes kernel matrices of so many points at most: see Study.Landmarks.
func WithLandmarks(n int) Option { return given("WithLandmarks", func(o *options) { o.landmarks = n }) }

// WithBudget solves the problem of all points too (mkl.Subspace), where there are more than landmarks, for so many
// seconds after all else and in so many bytes, until F of the model is within the gap of WithGap, 1e-3 by default, of
// its minimum. The model is of all points where its F is smaller then; where the budget ends before the gap, it is the
// best so far, and a warning says how much more that takes.
//
// It is for weights and a function that are those of all points, with a proof, and not for smaller errors. Landmarks
// smooth, and λ was chosen on 800 points at most: of 5,000 points of Friedman's first problem, at the λ chosen, 0.032,
// the RMSE on new points was 1.099 of 2,000 landmarks and 1.117 of all points, with the same weights at three times
// that λ 1.089. WithLambda tries larger ones.
func WithBudget(seconds, bytes float64) Option {
	return given("WithBudget", func(o *options) { o.seconds, o.bytes = seconds, bytes })
}

// WithFitted is told when there is a model, before the comparison: f has no Table yet.
func WithFitted(f func(*Learned)) Option { return given("", func(o *options) { o.fitted = f }) }

// telling makes doing: progress as it was last, and what is done now.
func (o *options) telling() {
	o.doing = func(string, time.Duration) {}
	if tell := o.progress; tell != nil {
		var last compare.Progress
		o.progress = func(p compare.Progress) { last = p; tell(p) }
		o.doing = func(what string, left time.Duration) { last.Doing, last.Left = what, left; tell(last) }
	}
}

// WithWorkers runs so many tasks at a time; the result is the same.
func WithWorkers(n int) Option { return given("", func(o *options) { o.workers = n }) }

// WithStore keeps finished tasks in a folder, as Study.Store.
func WithStore(folder string) Option { return given("", func(o *options) { o.store = folder }) }

// WithProgress is told how far the work is.
func WithProgress(f func(compare.Progress)) Option {
	return given("", func(o *options) { o.progress = f })
}

// WithProbabilities has the model give probabilities of its classes (Model.Probabilities): a sigmoid for
// each column, fitted to the decision values at points left out of the folds of WithFolds, 5 of LeaveOneOut, with the
// constants that were chosen. It takes as many fits more. Where they fail, the model has no probabilities
// and Learned.Defaults says why.
func WithProbabilities() Option {
	return given("WithProbabilities", func(o *options) { o.probabilities = true })
}

// WithClassWeights weighs errors at the points of each class: C is multiplied by the weight of the class,
// 1 where w does not name it; the errors that constants and method are chosen by have the same weights. It is for
// losses with weights of points, as loss.Hinge. BalancedWeights makes a w.
//
//	learn.WithLoss(compare.Losses(loss.Hinge{}, 0.1, 1, 10)), learn.WithClassWeights(learn.BalancedWeights(d))
func WithClassWeights(w map[string]float64) Option {
	return given("WithClassWeights", func(o *options) { o.classWeights = w })
}

// WithViews gives each group of features kernels of its own, the same that Learn takes for all features
// without it; Learned.Views then says how much of the weight is each view's. Datasets that have views
// (data.Join, data.Dataset.View) need no option.
//
//	learn.WithViews(data.Views{"spectrum": {"s*"}, "clinic": {"age", "sex"}})
func WithViews(v data.Views) Option { return given("WithViews", func(o *options) { o.views = v }) }
