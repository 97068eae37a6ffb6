package study

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/algos/similarity"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/viz"
)

// The methods of Learn's table.
const (
	NoSkillName = "no skill" // the mean, or the class most often among the points learned from
	UniformName = "uniform"
	SingleName  = "best single"
	LearnedName = "learned"
	LearnName   = "Learn" // of uniform, best single and learned the one that Learn takes
)

// Learned is what Learn found.
type Learned struct {
	Data      string
	Points    int
	Landmarks int          // points whose kernels the model has; 0: all
	Model     *model.Model // of all points; Save keeps it
	Result    *mkl.Result  // the solve that gave its weights, with its certificate
	Method    string       // LearnedName, UniformName or SingleName: the one taken
	Constant  string       // of its loss: "λ", "C"
	Lambda    float64      // that constant
	Views     []View       // what the views of the data have of its weight; nil without views
	Label     string       // chosen beside it: "Λ=0.3", a single kernel
	Tried     []Tried      // the methods it was chosen from
	Table     *Table       // these methods, and none, on the same splits; nil without splits
	Defaults  []Default    // what was decided without being asked
	Warnings  []string     // what may be wrong with the data, and what the model does not do as it was chosen to
	Repeats   string       // how many points repeat another one, and where these are; "" where none do
	Seconds   float64      // until there was a model; Table.Seconds is what the comparison took
}

// Tried is the error of a method on points left out, on all points at hand.
type Tried struct {
	Method, Label string
	Value         float64 // of the loss's constant
	By            Metric
	Error         float64
	Weighted      bool // each point's error times the weight of its class (WithClassWeights)
}

// Default is a decision and the option that changes it.
type Default struct{ What, Value, Option string }

// Option changes a default of Learn.
type Option func(*options)

type options struct {
	family     kernel.Family
	views      data.Views
	loss       Path
	set        set.Set
	lambdas    []float64
	splits     []Split
	folds      int
	seed       uint64
	solver     mkl.Solver
	gap        float64
	multiclass Multiclass
	method     string
	points     int
	landmarks  int
	workers    int
	fitted     func(*Learned)
	store      string
	progress   func(Progress)
	given      map[string]bool
	repeats    int // points that repeat an earlier one, in its group

	probabilities bool
	calibration   int // folds of the probabilities
	classWeights  map[string]float64
}

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
//	study.WithLoss(study.Losses(loss.Hinge{}, study.HalfDecades(-2, 2)...))
func WithLoss(p Path) Option { return given("WithLoss", func(o *options) { o.loss = p }) }

// WithLambda tries these λ; one is taken as it is.
func WithLambda(lambdas ...float64) Option {
	return given("WithLambda", func(o *options) { o.lambdas = lambdas })
}

// WithSplits compares on these splits; on none, there is no comparison.
func WithSplits(splits []Split) Option {
	return given("WithSplits", func(o *options) { o.splits = append([]Split{}, splits...) })
}

// WithFolds chooses λ by so many folds of cross-validation, or LeaveOneOut.
func WithFolds(k int) Option { return given("WithFolds", func(o *options) { o.folds = k }) }

// WithSeed draws splits and folds from this seed.
func WithSeed(seed uint64) Option { return given("WithSeed", func(o *options) { o.seed = seed }) }

// WithSolver learns by this solver.
func WithSolver(s mkl.Solver) Option { return given("WithSolver", func(o *options) { o.solver = s }) }

// WithMulticlass learns more than two classes in this way.
func WithMulticlass(m Multiclass) Option {
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

// WithFitted is told when there is a model, before the comparison: f has no Table yet.
func WithFitted(f func(*Learned)) Option { return given("", func(o *options) { o.fitted = f }) }

// WithWorkers runs so many tasks at a time; the result is the same.
func WithWorkers(n int) Option { return given("", func(o *options) { o.workers = n }) }

// WithStore keeps finished tasks in a folder, as Study.Store.
func WithStore(folder string) Option { return given("", func(o *options) { o.store = folder }) }

// WithProgress is told how far the work is.
func WithProgress(f func(Progress)) Option { return given("", func(o *options) { o.progress = f }) }

// Learn learns a kernel for d, regression, of one target or several, or classes: it fits the model to all points, then compares
// the methods that it chose from, on the same splits. What it decides by itself is listed in
// Learned.Defaults, with the option that changes it.
//
// The model is what wins inside the data: learned weights, uniform ones, or the best single kernel,
// of widths and λ that grow beyond their grids where an end is chosen. The error that decides is that
// on points left out of the same folds, constants included. In the comparison every training part
// makes that choice for itself: the row LearnName is the score to expect. Its interval is that of models
// learned from three quarters of the points. Of 200 simulated calls (40 to 120 points, 2 to 500 features, seven
// families, four losses, rows that repeat) it held the error on 5,000 new points of the model of all in 191.
//
// Points that repeat one another, but for rows of few levels, are kept on one side of every split and fold:
// see Learned.Repeats. Learned.Warnings says what may be wrong with the data (data.Dataset.Doubts), and where the model
// does not do what it was chosen for.
//
// Of more than 800 points, constants are chosen on 800. Kernel matrices are made of at
// most 2000 points, fewer of more than 10,000: of n points so many that np² ≤ 4·10¹⁰. Weights are
// learned on these, the landmarks, with their certificate, and the dual coefficients of the landmarks
// are then fitted to all points (Study.Landmarks). A family with few features needs no landmarks.
//
// Several targets have one kernel: see Study.
//
// The loss is the squared one for classes too. Against it the hinge loss (C of 0.01 … 100, by the rate
// of errors in the same folds), all else the same, had on eight splits an accuracy of the row LearnName
// that was more by (95 % interval)
//
//	liver-bupa         +0.007 [−0.057, +0.072]    breast-ljubljana   +0.002 [−0.058, +0.062]
//	sonar              +0.005 [−0.017, +0.027]    votes84            +0.001 [−0.011, +0.013]
//	heart-statlog      +0.009 [−0.024, +0.043]    breast-wisconsin   +0.001 [−0.013, +0.014]
//	ionosphere         −0.004 [−0.030, +0.021]    pima               −0.003 [−0.025, +0.019]
//
// so that no interval excludes 0, in 1.1 to 4.5 times the time. Choosing λ of the squared loss by errors
// instead made as little difference, −0.004 to +0.016. WithLoss takes the hinge.
//
// The end of ctx before there is a model is an error; later, the table is marked as stopped.
func Learn(ctx context.Context, d *data.Dataset, opts ...Option) (*Learned, error) {
	o := &options{given: map[string]bool{}}
	for i, f := range opts {
		if f == nil {
			return nil, fmt.Errorf("study: option %d of %d is nil", i+1, len(opts))
		}
		f(o)
	}
	if d == nil {
		return nil, errors.New("study: no data")
	}
	if err := d.Validate(); err != nil {
		return nil, fmt.Errorf("study: %w", err)
	}
	if len(d.Y) == 0 {
		return nil, fmt.Errorf("study: %s has no labels to learn from", d.Name)
	}
	if len(d.Y) < fewest {
		return nil, fmt.Errorf("study: %s has %d points, want %d or more to learn, choose (WithFolds) and compare (WithSplits) on", d.Name, len(d.Y), fewest)
	}
	if o.views != nil {
		var err error
		if d, err = d.View(o.views); err != nil {
			return nil, fmt.Errorf("study: %w", err)
		}
	}
	d, o.repeats = Together(d)
	if n := len(d.Y) - o.repeats; n < fewest {
		return nil, fmt.Errorf("study: %s has %d different points, others repeat them, want %d or more", d.Name, n, fewest)
	}
	l, t0 := &Learned{Data: d.Name, Points: len(d.Y)}, time.Now()
	s, err := o.study(d, l)
	if err != nil {
		return nil, err
	}
	if err := o.fit(ctx, s, l); err != nil {
		return nil, err
	}
	l.Seconds = time.Since(t0).Seconds()
	if o.fitted != nil {
		o.fitted(l)
	}
	if len(s.Splits) > 0 {
		l.Table, err = s.Run(ctx, o.progress)
	}
	return l, err
}

// study fills the defaults of o, notes them in l, and returns the comparison.
func (o *options) study(d *data.Dataset, l *Learned) (*Study, error) {
	note := func(option, what, value string) {
		if !o.given[option] {
			l.Defaults = append(l.Defaults, Default{what, value, option})
		}
	}
	for _, doubt := range d.Doubts {
		l.Warnings = append(l.Warnings, "Data: "+doubt)
	}
	n := len(d.Y)
	if o.points < 0 || o.landmarks < 0 {
		return nil, fmt.Errorf("study: WithPoints(%d) and WithLandmarks(%d), want none below 0; 0 is the default", o.points, o.landmarks)
	}
	singles, axis := o.family, Singles()
	if o.family == nil {
		f, err := familyOf(d)
		if err != nil {
			return nil, err
		}
		o.family, singles, axis = f.learned, f.singles, SinglesFrom(f.first...)
		note("WithFamily", "family of kernels", f.words)
		if x, ok := d.X.(kernel.Rows); ok && x.D >= manyFeatures && d.Views == nil {
			l.Defaults = append(l.Defaults, Default{What: "not tried", Value: Beyond})
		}
	}
	grams := o.family.On(d.X)
	if err := grams.Validate(); err != nil {
		return nil, fmt.Errorf("study: %w", err)
	}
	m, _ := grams.Dims()
	of, others := Sets(o.set), Sets(o.set)
	if o.set == nil {
		c := 1 / math.Sqrt(float64(max(m, 1)))
		of, others = Balls(2, c*c, 0.75*c, 7.5*c), Sets(set.Simplex{})
		note("WithSet", "set of weights", fmt.Sprintf("θ ≥ 0, ‖θ − 1/m‖₂ ≤ Λ, Λ = %.3g or %.3g: 0.75 or 7.5 times the norm of the uniform weights 1/m", 0.75*c, 7.5*c))
	}
	lambda, near := Ridge(o.lambdas...), Ridge(o.lambdas...)
	switch {
	case o.loss.Loss != nil && o.lambdas != nil:
		return nil, errors.New("study: Learn with WithLoss and WithLambda: want one of them, WithLambda is for the squared loss")
	case o.loss.Loss != nil:
		lambda, near = o.loss, o.loss
		if len(o.loss.Values) > 1 {
			near = o.loss.Near(UniformName, 1)
		}
	case o.lambdas == nil:
		lambda = Ridge(HalfDecades(-4, 2)...).Growing(3)
		near = lambda.Near(UniformName, 0.5)
		note("WithLambda", "grid of λ", "1e-4 … 1e2 by half decades for uniform weights, for others those within half a decade of that choice; where an end is chosen the grid grows, to 1e-7 … 1e5 at most")
	}
	zero := lambda // of no skill: without weights of classes
	var err error
	if lambda, err = o.weigh(d, lambda); err != nil {
		return nil, err
	}
	if near, err = o.weigh(d, near); err != nil {
		return nil, err
	}
	place := len(l.Defaults) // of the folds, which depend on the splits
	if o.points == 0 {
		o.points = 800
	}
	if o.points < n {
		note("WithPoints", "points they are chosen on", fmt.Sprintf("%d of %d", o.points, n))
	}
	if o.landmarks == 0 {
		o.landmarks = min(2000, int(math.Sqrt(4e10/float64(n))))
	}
	switch _, squared := lambda.Loss.(loss.Squared); {
	case few(grams, o.landmarks) || n <= o.landmarks:
	case !squared && o.given["WithLandmarks"]:
		return nil, fmt.Errorf("study: WithLandmarks(%d): coefficients of landmarks are fitted by the squared loss, the loss is %v", o.landmarks, lambda.Loss)
	case squared:
		l.Landmarks = o.landmarks
		note("WithLandmarks", "landmarks", fmt.Sprintf("%d of %d points, drawn at random: weights are learned on these, their dual coefficients fitted to all", o.landmarks, n))
	}
	held := m
	if _, ok := o.family.(similarity.Repaired); ok {
		held = 3 * m // the repairs themselves, and their rules for new points
	}
	if err := o.fits(n, held, l.Landmarks, few(grams, o.landmarks), l); err != nil {
		return nil, err
	}
	if o.splits == nil {
		count := splitCount(n)
		var err error
		if o.splits, err = Holdout(d.Y, 0.25, count, o.seed, ByGroup(d.Group)); err != nil {
			return nil, err
		}
		what, kind := "points", ""
		if o.repeats > 0 {
			what = "different points"
		} else if d.Group != nil {
			what = "groups"
		}
		if d.Classes != nil {
			kind = ", stratified by class"
		}
		note("WithSplits", "splits to compare on", fmt.Sprintf("%d random ones, a quarter of the %s to test on%s; the comparison takes about %d times what the model took", count, what, kind, count))
	}
	folds, err := o.chooseFolds(d)
	if err != nil {
		return nil, err
	}
	if o.folds == 0 {
		how := fmt.Sprintf("%d-fold cross-validation", folds)
		if o.repeats > 0 {
			how += ", repeats of a point in one fold"
		} else if d.Group != nil {
			how += ", by group"
		}
		what := strings.TrimSuffix("choice of "+lambda.constant(), " ") + " and method"
		l.Defaults = slices.Insert(l.Defaults, place, Default{what, how + ", inside each training part", "WithFolds"})
	}
	note("WithSeed", "seed of splits and folds", fmt.Sprint(o.seed))
	if o.solver == nil {
		o.solver = mkl.SPG{}
		if !lambda.Loss.Traits().Strict {
			if grams.Degree() == 1 {
				o.solver = mkl.Level{} // J has kinks where K is singular
			} else {
				o.solver = mkl.SPG{Force: true}
			}
		}
		note("WithSolver", "solver", o.solver.String())
	}
	if o.gap == 0 {
		o.gap = 1e-6
		note("WithGap", "relative gap", "1e-3 in the comparison, 1e-6 for the model")
	}
	if len(d.Classes) > 2 {
		note("WithMulticlass", "classes", o.multiclass.code(model.Code{Classes: len(d.Classes)}, lambda.Loss).String()+", one kernel for all")
	}
	if d.More != nil {
		l.Defaults = append(l.Defaults, Default{What: "targets", Value: fmt.Sprintf("%d, one kernel for all; in training and in the choice of constants each in units of its standard deviation there", len(d.Targets()))})
	}
	if d.Log {
		l.Defaults = append(l.Defaults, Default{What: "logarithms", Value: "of the targets are learned and constants chosen by their errors (Options.Log); scores and predictions are in the file's unit"})
	}
	if !o.given["WithLambda"] { // which is for this loss
		note("WithLoss", "loss", "squared, for ±1 labels too, the mean of the targets taken away")
	}
	how := Selection{Folds: folds, Points: o.points, Restarts: true}
	if !lambda.Loss.Traits().Linear && d.Classes != nil {
		how.By = ErrorRate // of a loss that does not aim at ±1
		value := "the rate of errors on points left out"
		if o.given["WithClassWeights"] {
			value += ", with the weights of their classes"
		}
		l.Defaults = append(l.Defaults, Default{What: "constants chosen by", Value: value})
	}
	s := &Study{Data: d, Splits: o.splits, CentreTargets: true, Baseline: UniformName, Selection: how, Landmarks: l.Landmarks,
		Seed: o.seed, Workers: o.workers, Store: o.store, Methods: []Method{
			{Name: UniformName, Family: o.family, Multiclass: o.multiclass, Grid: Grid{lambda, others, Rules(mkl.Uniform{})}},
		}}
	among := []string{LearnedName, UniformName}
	if k, _ := singles.On(d.X).Dims(); k <= mostSingles {
		s.Methods = append(s.Methods, Method{Name: SingleName, Family: singles, Multiclass: o.multiclass, Grid: Grid{near, others, axis}})
		among = append(among, SingleName)
	} else {
		l.Defaults = append(l.Defaults, Default{What: "best single kernel", Value: fmt.Sprintf("not tried: there are %d, more than %d", k, mostSingles)})
	}
	s.Methods = append(s.Methods, Method{Name: LearnedName, Family: o.family, Multiclass: o.multiclass, Grid: Grid{near, of}, Solver: o.solver})
	if o.method != "" {
		if !slices.Contains(among, o.method) {
			return nil, fmt.Errorf("study: WithMethod(%q), want one of %q", o.method, among)
		}
		among = []string{o.method}
	} else {
		note("WithMethod", "method", "of "+strings.Join(among, ", ")+" the one with the smallest error on points left out")
	}
	s.Methods = append(s.Methods, Method{Name: LearnName, Among: among})
	if o.repeats > 0 {
		l.Repeats = o.kept(d)
	}
	nothing := o.family
	if _, ok := d.X.(kernel.Featured); ok {
		nothing = kernel.Features{} // no matrix
	}
	zero.Values, zero.Decades, zero.Beside = zero.values()[:1], 0, ""
	if _, tuned := zero.Loss.(loss.Tuned); !tuned {
		zero.Values = nil
	}
	s.Methods = append(s.Methods, Method{Name: NoSkillName, Family: nothing, Multiclass: o.multiclass, Grid: Grid{zero, Sets(set.Orthant{}), Rules(Nothing{})}})
	return s, nil
}

// chooseFolds is the number of folds that every training part has points for, or groups, and says what
// cannot be divided so.
func (o *options) chooseFolds(d *data.Dataset) (int, error) {
	least, what := len(d.Y), "points"
	if d.Group != nil {
		least, what = distinct(d.Group), "groups"
	}
	for i, s := range o.splits {
		if err := s.check(i, len(d.Y)); err != nil {
			return 0, err
		}
		if d.Group != nil {
			least = min(least, distinct(at(d.Group, s.Train)))
		} else {
			least = min(least, len(s.Train))
		}
	}
	least = min(least, o.points)
	folds := o.folds
	if folds == 0 {
		folds = max(min(5, least), 2)
	}
	o.calibration = folds
	if folds == LeaveOneOut {
		o.calibration = min(5, len(d.Y))
		if d.Group != nil {
			o.calibration = min(5, distinct(d.Group))
		}
	}
	if folds != LeaveOneOut && folds > least {
		return 0, fmt.Errorf("study: %d folds (WithFolds) of %s, of which a training part or the points that constants are chosen on have %d %s, want as many as folds", folds, d.Name, least, what)
	}
	if o.probabilities && o.calibration < 2 {
		return 0, fmt.Errorf("study: WithProbabilities: %s has one group, want 2 or more to leave one out", d.Name)
	}
	return folds, nil
}

// kept says how repeats of points are divided.
func (o *options) kept(d *data.Dataset) string {
	s := fmt.Sprintf("%d of %d rows repeat another", o.repeats, len(d.Y))
	if o.repeats == 1 {
		s = fmt.Sprintf("1 of %d rows repeats another", len(d.Y))
	}
	if n := cutGroups(d.Group, o.splits); n > 0 {
		return s + fmt.Sprintf("; repeats are on both sides of %d of %d splits (WithSplits), and the score is optimistic.", n, len(o.splits))
	}
	return s + "; repeats are kept on one side of each split."
}

// fewest is the number of points that Learn needs at least: of four classes' quarters and five folds.
const fewest = 8

// manyFeatures are enough for some of them to be of no use.
const manyFeatures = 5

// mostSingles is the number of kernels tried one by one at most.
const mostSingles = 64

// fits estimates the memory of the kernel matrices, of each task at a time m base matrices packed, as many
// again in the making, and four matrices n×n. It lowers the number of workers until they fit in kernel.Memory and
// notes that in l. Where one alone has no room for its base matrices, a Sum makes them again; where it has none for
// the four, it is refused.
func (o *options) fits(n, m, landmarks int, few bool, l *Learned) error {
	if few {
		return nil
	}
	const option = "kernel.SetMemory"
	side := float64(n)
	if landmarks > 0 {
		side = float64(landmarks)
	}
	all, least, memory := (8*float64(m)+32)*side*side, 32*side*side, float64(kernel.Memory())
	if least > memory {
		return fmt.Errorf("study: the kernel matrices of %.0f points need %.2g GB at least, more than %.2g GB (%s): %d points would fit; the squared loss takes landmarks of more (WithLandmarks)",
			side, least/1e9, memory/1e9, option, int(math.Sqrt(memory/32)))
	}
	workers := (&run{Study: &Study{Workers: o.workers}}).workers()
	if room := max(1, int(min(memory/all, float64(workers)))); room < workers {
		o.workers = room
		l.Defaults = append(l.Defaults, Default{"tasks at a time", fmt.Sprintf("%d, not %d: the kernel matrices of more need over %.2g GB", room, workers, memory/1e9), option})
	}
	if all > memory {
		l.Defaults = append(l.Defaults, Default{"kernel matrices", fmt.Sprintf("made again whenever they are used, where %.2g GB have no room for them", memory/1e9), option})
	}
	return nil
}

// splitCount is the number of splits that n points have time for.
func splitCount(n int) int {
	switch {
	case n <= 500:
		return 10
	case n <= 2000:
		return 5
	}
	return 3
}

// family is the default for some points.
type family struct {
	learned, singles kernel.Family
	first            []int // of the singles, tried first
	words            string
}

// defaultFamily is the family for x.
func defaultFamily(x kernel.Points) (*family, error) {
	if s, ok := x.(kernel.Sequences); ok {
		return sequenceFamily(s), nil
	}
	featured, ok := x.(kernel.Featured)
	if !ok {
		return nil, fmt.Errorf("study: no family is the default for points of kind %T: use WithFamily", x)
	}
	d, _ := featured.Features()
	// The widths are about the root mean square distance, not the median: that of standardized
	// points is √(2d) whatever the points, so that no point tested on has a part in it, and that of a
	// column of 0 and 1 is taken as √½, which it is at equal shares. (Of points of norm 1 with mean 0
	// it is √2.) Learned weights and their sum have widths from ½ to 8: with ¼, F prefers the narrowest
	// kernel, which is nearly the identity, and on sonar, ionosphere and liver the learned weights did
	// worse than uniform ones.
	var prepare kernel.Prepare
	var square float64
	var words string
	if _, sparse := x.(kernel.Sparse); sparse { // standardizing would fill them
		prepare, square, words = kernel.Prepare{kernel.MaxAbs, kernel.UnitRows}, 2, "points of norm 1, of features divided by their largest"
	} else {
		nominal := zeroOne(featured)
		prepare, square, words = kernel.Prepare{kernel.StandardizeNumbers}, 2*float64(d-nominal)+0.5*float64(nominal), "standardized features"
		if nominal > 0 {
			words += fmt.Sprintf(", %d with values 0 and 1 left unscaled", nominal)
		}
	}
	gaussian := func(scale float64) kernel.Kernel { return kernel.RBF{Gamma: 1 / (2 * scale * scale * square)} }
	sum := kernel.List{kernel.Linear{}}
	for _, scale := range []float64{0.5, 1, 2, 4, 8} {
		sum = append(sum, gaussian(scale))
	}
	var each kernel.List
	for scale := 1. / 16; scale <= 8; scale *= 2 {
		each = append(each, gaussian(scale))
	}
	each = append(each, kernel.Linear{}) // which the widest is nearly
	return &family{kernel.Sum{Kernels: sum, Prepare: prepare, Normalize: kernel.MeanDiagonal},
		kernel.Sum{Kernels: each, Prepare: prepare, Normalize: kernel.MeanDiagonal}, []int{0, 2, 4, 6},
		fmt.Sprintf("linear and 5 Gaussians of widths ½ … 8 times the root mean square distance √%g, mean diagonal 1, of %s; singly, widths 1/16, ¼, 1 and 4, then those beside the one chosen, to linear", square, words)}, nil
}

// sequenceFamily is the default for sequences: of DNA where they have its letters alone, else of proteins.
func sequenceFamily(x kernel.Sequences) *family {
	words := []kernel.Spectrum{{K: 1}, {K: 2}, {K: 3}, {K: 4}, {K: 4, Mismatches: 1}}
	what := "amino acids"
	if !slices.ContainsFunc(x, func(s string) bool { return strings.Trim(s, "ACGTNacgtn") != "" }) {
		words = []kernel.Spectrum{{K: 2}, {K: 4}, {K: 6}, {K: 8}, {K: 6, Mismatches: 1}}
		for i := range words {
			words[i].Alphabet = "ACGT"
		}
		what = "DNA"
	}
	var list kernel.List
	var names []string
	for _, k := range words {
		list, names = append(list, k), append(names, fmt.Sprint(k))
	}
	f := kernel.Sum{Kernels: list, Normalize: kernel.Cosine}
	return &family{f, f, []int{0, 1, 2, 3, 4}, fmt.Sprintf("words of letters of %s: %s, each normalised to 1 for a sequence with itself; singly, the same", what, strings.Join(names, ", "))}
}

// zeroOne is the number of features that are 0 or 1 at every point.
func zeroOne(x kernel.Featured) int {
	d, _ := x.Features()
	number, row, count := make([]bool, d), make([]float64, d), 0
	for i := range x.Len() {
		x.Dense(row, i)
		for j, v := range row {
			number[j] = number[j] || v != 0 && v != 1
		}
	}
	for _, n := range number {
		if !n {
			count++
		}
	}
	return count
}

// fit chooses on all points and learns the model.
func (o *options) fit(ctx context.Context, s *Study, l *Learned) error {
	r, err := s.start(false)
	if err != nil {
		return err
	}
	chosen, err := r.planChoices(upTo(len(r.y)), o.seed, "")
	if err != nil {
		return err
	}
	if err := r.work(ctx, o.progress); err != nil {
		return err
	}
	if r.kept != nil && r.kept.unkept != nil {
		l.Defaults = append(l.Defaults, Default{"store", fmt.Sprintf("not every result is kept for the next time: %v", r.kept.unkept), "WithStore"})
	}
	at := s.index(LearnName)
	if err := chosen[at].settle(ctx); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("study: stopped before there is a model: %w", err)
	}
	by := s.Selection.By
	if by == "" {
		by = RMSE
	}
	for _, c := range chosen[at].among {
		t := Tried{Method: s.Methods[c.method].Name, Label: c.grid.others[c.other].Label, Value: c.value, By: by, Error: c.cell().RMSE()}
		if by == ErrorRate {
			t.Error = c.cell().ErrorRate()
		}
		t.Weighted = o.given["WithClassWeights"]
		l.Tried = append(l.Tried, t)
	}
	c := chosen[at].among[chosen[at].won]
	b := c.chosen()
	m := &s.Methods[c.method]
	b.grams = m.Family.On(s.Data.X)
	f, err := r.fold(b, Split{Train: upTo(len(r.y))}, o.seed)
	if err != nil {
		return err
	}
	p, offsets, err := f.problem(b.path.Loss)
	if err != nil {
		return err
	}
	cand := c.candidate()
	if cand.Rule != nil {
		l.Result, err = mkl.Weigh(ctx, cand.problem(p), cand.Rule, 0)
	} else {
		l.Result, err = lowest(ctx, cand.problem(p), m.solver(), mkl.Settings{Gap: o.gap}, b.starts)
	}
	if err != nil {
		return err
	}
	res := l.Result
	l.Method, l.Label, l.Constant, l.Lambda = m.Name, cand.Label, cand.Constant, c.value
	l.Model = &model.Model{Name: s.Data.Name, Family: m.Family, X: s.Data.X, Theta: res.Kernel, Labels: res.Labels, W: res.W,
		Classes: s.Data.Classes, Pairs: b.code.Pairs, Targets: s.Data.Targets(), Log: s.Data.Log,
		Note: strings.TrimSpace(m.Name+": "+called(cand.Loss)+" "+cand.Label) + fmt.Sprintf("; %v; %v", res.Status, res.Proof())}
	if e := s.Data.Encoding; e != nil {
		l.Model.Input = *e
	}
	if l.Views = viewShares(s.Data.Views, m.Family, res.Kernel); l.Views != nil {
		l.Model.Labels = viewLabels(s.Data.Views, m.Family, res.Labels)
		res.Labels = l.Model.Labels
	}
	switch {
	case f.landmarks != nil:
		l.Model.X = s.Data.X.Slice(f.landmarks)
		if l.Model.W, offsets, l.Lambda, err = f.fitAll(ctx, p.Grams, res.Kernel, c.value); err != nil {
			return err
		}
		l.Model.Note += fmt.Sprintf("; weights of %d landmarks, coefficients of %d points, λ = %.3g", l.Landmarks, l.Points, l.Lambda)
		l.Model.Biases, l.Model.Offsets = make([]float64, len(offsets)), offsets
	case len(offsets) > 1:
		l.Model.Biases, l.Model.Offsets = res.Biases, offsets
	default:
		l.Model.Bias = res.Bias
	}
	if len(offsets) == 1 {
		l.Model.Offset, l.Model.Biases, l.Model.Offsets = offsets[0], nil, nil
	}
	if f.scales != nil {
		l.Model.W, l.Model.Biases = slices.Clone(l.Model.W), slices.Clone(l.Model.Biases)
		for _, x := range [][]float64{l.Model.W, l.Model.Biases, l.Model.Offsets} {
			f.unscale(x)
		}
	}
	if o.probabilities {
		if l.Model.Sigmoids, err = r.calibrate(ctx, m, b, c.value, o.calibration, o.seed); err != nil {
			l.Defaults = append(l.Defaults, Default{"probabilities", fmt.Sprintf("the model has none: %v", err), "WithProbabilities"})
		} else {
			l.Model.Note += fmt.Sprintf("; probabilities by sigmoids of decision values in %d-fold cross-validation", o.calibration)
		}
	}
	folds := chosen[at].among[chosen[at].won].folds
	if s.Selection.Folds == LeaveOneOut {
		parts, _ := (Selection{Folds: o.calibration}).splits(r.y, r.group, o.seed) // none of one group
		folds = nil
		for _, s := range parts {
			folds = append(folds, s.hash())
		}
	}
	r.doubt(ctx, m, c, folds, l)
	l.Model, err = l.Model.Prune()
	return err
}

// Figures are the comparison as a table and as bars, the confusion of more than two classes, and the
// weights of the model.
func (l *Learned) Figures() []viz.Figure {
	var f []viz.Figure
	for _, t := range l.Table.each() {
		f = append(f, t.Figure())
		m := RMSE
		if t.Classes != nil {
			m = Accuracy
		}
		if t.leader(RMSE) >= 0 {
			f = append(f, t.Dots(m))
		}
		if len(t.Classes) > 2 && len(t.row(LearnName).Runs) > 0 {
			f = append(f, t.Confusion(LearnName))
		}
	}
	if len(l.Views) > 0 {
		f = append(f, l.viewBars())
	}
	if l.Result != nil {
		f = append(f, l.weights())
	}
	return f
}

// mostBars is the number of weights drawn at most.
const mostBars = 25

// weights draws the largest weights.
func (l *Learned) weights() viz.Figure {
	order := make([]int, len(l.Result.Theta))
	total, used := 0.0, 0
	for i, t := range l.Result.Theta {
		order[i] = i
		total += t
		if t > 0 {
			used++
		}
	}
	caption := fmt.Sprintf("%s, %s, n = %d, %s = %.3g. %v.", l.Data, l.Method, l.Points, l.Constant, l.Lambda, l.Result.Proof())
	if len(order) > mostBars {
		slices.SortStableFunc(order, func(a, b int) int {
			switch x, y := l.Result.Theta[a], l.Result.Theta[b]; {
			case x > y:
				return -1
			case x < y:
				return 1
			}
			return 0
		})
		caption += fmt.Sprintf(" Shown are the %d largest of %d weights.", mostBars, len(order))
		order = order[:mostBars]
	}
	names, theta := make([]string, len(order)), make([]float64, len(order))
	for i, k := range order {
		names[i], theta[i] = l.Result.Labels[k], l.Result.Theta[k]
	}
	title := fmt.Sprintf("%d of %d kernels are used", used, len(l.Result.Theta))
	if used == len(l.Result.Theta) {
		title = fmt.Sprintf("All %d kernels are used", used)
	}
	return viz.Bars(title, caption, names, viz.Bar{Name: LearnedName, Values: theta}).
		WithAxes("base kernel", "weight θ").
		WithBaseline("equal weights of the same sum", total/float64(len(l.Result.Theta)))
}
