package learn

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/algos/similarity"
	"github.com/mklnb/mkl/data"
)

const (
	fewest       = 8   // the least number of different points: for quarters of four classes and five folds
	manyFeatures = 5   // enough features that some of them may be useless
	mostSingles  = 64  // at most so many kernels are tried one by one
	choosePoints = 800 // at most so many points are used to choose hyperparameters
)

// study fills in the defaults of o, notes them in l, and returns the comparison.
func (o *options) study(d *data.Dataset, l *Learned) (*compare.Study, error) {
	for _, doubt := range d.Doubts {
		l.Warnings = append(l.Warnings, "Data: "+doubt)
	}
	if o.points < 0 || o.landmarks < 0 {
		return nil, fmt.Errorf("learn: WithPoints(%d) and WithLandmarks(%d), want none below 0; 0 is the default",
			o.points, o.landmarks)
	}
	if o.given["WithBudget"] && !(o.seconds > 0 && o.bytes > 0) {
		return nil, fmt.Errorf("learn: WithBudget(%g, %g), want seconds and bytes above 0", o.seconds, o.bytes)
	}
	singles, axis, err := o.chooseFamily(d, l)
	if err != nil {
		return nil, err
	}
	grams := o.family.On(d.X)
	if err := grams.Validate(); err != nil {
		return nil, fmt.Errorf("learn: %w", err)
	}
	m, _ := grams.Dims()
	learned, others := o.chooseSets(m, l)
	path, near, err := o.choosePaths(l)
	if err != nil {
		return nil, err
	}
	none := path // the constant baseline, without class weights
	none.Values, none.Extend, none.Near = path.Grid()[:1], 0, ""
	if path.Hyperparameter() == "" {
		none.Values = nil
	}
	if path.Loss, err = o.weigh(d, path.Loss); err != nil {
		return nil, err
	}
	near.Loss = path.Loss
	place := len(l.Defaults) // where the default of the folds goes, which depends on the splits
	if err := o.chooseSizes(d, grams, path.Loss, l); err != nil {
		return nil, err
	}
	if err := o.chooseSplits(d, l); err != nil {
		return nil, err
	}
	folds, err := o.chooseFolds(d)
	if err != nil {
		return nil, err
	}
	if o.folds == 0 {
		how := fmt.Sprintf("%d-fold cross-validation", folds)
		if o.duplicates > 0 {
			how += ", duplicates in one fold"
		} else if d.Group != nil {
			how += ", by group"
		}
		what := strings.TrimSuffix("choice of "+path.Hyperparameter(), " ") + " and method"
		l.Defaults = slices.Insert(l.Defaults, place, Default{what, how + ", inside each training part", "WithFolds"})
	}
	o.note(l, "WithSeed", "seed of splits and folds", fmt.Sprint(o.seed))
	o.chooseSolver(grams, path.Loss, l)
	if len(d.Classes) > 2 {
		o.note(l, "WithMulticlass", "classes", o.multiclass.Encoding(model.TargetEncoding{Classes: len(d.Classes)},
			path.Loss).String()+", one kernel for all")
	}
	if d.ExtraTargets != nil {
		o.note(l, "", "targets", fmt.Sprintf("%d, one kernel for all; in training and in the choice of constants "+
			"each in units of its standard deviation there", 1+len(d.ExtraTargets)))
	}
	if d.Log {
		o.note(l, "", "logarithms", "of the targets are learned and constants chosen by their errors (Options.Log); "+
			"scores and predictions are in the file's unit")
	}
	if !o.given["WithLambda"] { // WithLambda implies the squared loss
		o.note(l, "WithLoss", "loss", "squared, for ±1 labels too, the mean of the targets taken away")
	}
	how := compare.Selection{Folds: folds, Points: o.points, Restarts: true}
	if !path.Loss.Traits().Linear && d.Classes != nil {
		how.By = compare.ErrorRate // the loss does not aim at ±1
		value := "the rate of errors on points left out"
		if o.given["WithClassWeights"] {
			value += ", with the weights of their classes"
		}
		o.note(l, "", "constants chosen by", value)
	}
	if o.duplicates > 0 {
		l.Duplicates = o.duplicateNote(d)
	}

	methods := []compare.Method{{Name: UniformName, Family: o.family,
		Grid: compare.Grid{path, others, compare.Rules(mkl.Uniform{})}}}
	among := []string{LearnedName, UniformName}
	if k, _ := singles.On(d.X).Dims(); k <= mostSingles {
		methods = append(methods, compare.Method{Name: SingleName, Family: singles, Grid: compare.Grid{near, others,
			axis}})
		among = append(among, SingleName)
	} else {
		o.note(l, "", "best single kernel", fmt.Sprintf("not tried: there are %d, more than %d", k, mostSingles))
	}
	methods = append(methods, compare.Method{Name: LearnedName, Family: o.family, Grid: compare.Grid{near, learned},
		Solver: o.solver})
	for _, f := range o.fewer(d) {
		among = append(among, LearnedName+" without "+f.without)
		methods = append(methods, compare.Method{Name: among[len(among)-1], Family: f.family, Grid: compare.Grid{near,
			f.balls},
			Solver: o.solver})
	}
	if o.method == "" {
		o.note(l, "WithMethod", "method", "of "+strings.Join(among, ", ")+
			" the one with the smallest error on points left out")
	} else if slices.Contains(among, o.method) {
		among = []string{o.method}
	} else {
		return nil, fmt.Errorf("learn: WithMethod(%q), want one of %q", o.method, among)
	}
	nothing := o.family
	if d.Dim() > 0 {
		nothing = kernel.Features{} // needs no kernel matrix
	}
	methods = append(methods, compare.Method{Name: LearnName, Among: among},
		compare.Method{Name: compare.ConstantBaseline, Family: nothing,
			Grid: compare.Grid{none, compare.Sets(set.Orthant{}), compare.Rules(compare.FixedWeights{})}})
	for i := range methods {
		methods[i].Multiclass = o.multiclass
	}
	return &compare.Study{Data: d, Splits: o.splits, CentreTargets: true, Baseline: UniformName, Selection: how,
		Landmarks: l.Landmarks,
		Seed:      o.seed, Workers: o.workers, Store: o.store, Methods: methods}, nil
}

// note notes a decision in l, unless its option is given. option is "" for a decision without an option.
func (o *options) note(l *Learned, option, what, value string) {
	if !o.given[option] || option == "" {
		l.Defaults = append(l.Defaults, Default{what, value, option})
	}
}

// chooseFamily fills in the family of kernels. It returns the family of single kernels, with its axis.
func (o *options) chooseFamily(d *data.Dataset, l *Learned) (singles kernel.Family, axis compare.Axis, err error) {
	if o.family != nil {
		return o.family, compare.SingleKernels{}, nil
	}
	f, err := familyOf(d)
	if err != nil {
		return nil, nil, err
	}
	o.family = f.learned
	o.note(l, "WithFamily", "family of kernels", f.words)
	if x, err := points.As[points.Rows](d.X); err == nil && x.D >= manyFeatures && d.Views == nil {
		o.note(l, "", "not tried", Beyond)
	}
	return f.singles, compare.SingleKernels{First: f.first, Alike: f.alike}, nil
}

// chooseSets returns the sets Θ for m learned weights, and the set Θ for the other methods.
func (o *options) chooseSets(m int, l *Learned) (learned, others compare.Axis) {
	if o.set != nil {
		return compare.Sets(o.set), compare.Sets(o.set)
	}
	c := 1 / math.Sqrt(float64(max(m, 1)))
	o.note(l, "WithSet", "set of weights",
		fmt.Sprintf("θ ≥ 0, ‖θ − 1/m‖₂ ≤ Λ, Λ = %.3g or %.3g: 0.75 or 7.5 times the norm of the uniform weights 1/m",
			0.75*c, 7.5*c))
	return compare.Balls(2, c*c, 0.75*c, 7.5*c), compare.Sets(set.Simplex{})
}

// mostViews is the largest number of views for which Learn tries to drop each view.
const mostViews = 6

// fewer is the default family without one of the views.
type fewer struct {
	without string
	family  kernel.Family
	balls   compare.Axis
}

// fewer returns the default families that each lack one view. A model without an uninformative view has a smaller
// cross-validation error, and is then selected. Learned weights alone do not remove such a view, because kernels of
// noise get a weight too: a narrow kernel adds to K what a larger λ adds.
func (o *options) fewer(d *data.Dataset) (all []fewer) {
	sum, ok := o.family.(kernel.Sum)
	if !ok || o.given["WithFamily"] || o.set != nil || len(d.Views) < 2 || len(d.Views) > mostViews {
		return nil
	}
	for v, view := range d.Views {
		f := sum
		f.Kernels = slices.DeleteFunc(slices.Clone(sum.Kernels),
			func(k kernel.Kernel) bool { return compare.ViewOf(d.Views, k) == v })
		balls, _ := o.chooseSets(len(f.Kernels), &Learned{})
		all = append(all, fewer{view.Name, f, balls})
	}
	return all
}

// choosePaths returns the losses of uniform weights and of the other methods.
func (o *options) choosePaths(l *Learned) (uniform, near compare.Path, err error) {
	switch {
	case o.loss.Loss != nil && o.lambdas != nil:
		return uniform, near, errors.New("learn: Learn with WithLoss and WithLambda: want one of them, WithLambda is " +
			"for the squared loss")
	case o.loss.Loss != nil && len(o.loss.Values) > 1:
		return o.loss, o.loss.WithinDecades(UniformName, 1), nil
	case o.loss.Loss != nil:
		return o.loss, o.loss, nil
	case o.lambdas != nil:
		return compare.Ridge(o.lambdas...), compare.Ridge(o.lambdas...), nil
	}
	o.note(l, "WithLambda", "grid of λ",
		"1e-4 … 1e2 by half decades for uniform weights, for others those within half a decade of that choice; where "+
			"an end is chosen the grid grows, to 1e-7 … 1e5 at most")
	uniform = compare.Ridge(compare.HalfDecades(-4, 2)...).Extendable(3)
	return uniform, uniform.WithinDecades(UniformName, 0.5), nil
}

// defaultLandmarks returns the default number of landmarks for n points: 2000 for up to 10,000 points, p with np² ≤
// 4·10¹⁰ for 10,000 to 20,000 points, 1414 for 20,000 to 200,000 points, and p with np² ≤ 4·10¹¹ above that.
func defaultLandmarks(n int) int {
	most := func(work float64) int { return int(math.Sqrt(work / float64(n))) }
	return max(min(2000, most(4e10)), min(1414, most(4e11)))
}

// chooseSizes fills in the number of points for choosing hyperparameters and the number of landmarks. It returns an
// error if the kernel matrices do not fit in memory.
func (o *options) chooseSizes(d *data.Dataset, grams kernel.Grams, of loss.Loss, l *Learned) error {
	n := len(d.Y)
	if o.points == 0 {
		o.points = choosePoints
	}
	if o.points < n {
		o.note(l, "WithPoints", "points they are chosen on", fmt.Sprintf("%d of %d", o.points, n))
	}
	if o.landmarks == 0 {
		o.landmarks = defaultLandmarks(n)
	}
	small := compare.HasFewFeatures(grams, o.landmarks)
	switch _, squared := of.(loss.Squared); {
	case small:
		return nil
	case n <= o.landmarks:
	case !squared && o.given["WithLandmarks"]:
		return fmt.Errorf("learn: WithLandmarks(%d): coefficients of landmarks are fitted by the squared loss, the "+
			"loss is %v", o.landmarks, of)
	case squared && len(d.Classes) > 2 && o.multiclass == compare.OneVsOne:
		return fmt.Errorf("learn: WithMulticlass(OneVsOne) of %d points, of which %d are landmarks: their "+
			"coefficients are fitted to all points at once, want OneVsRest, or WithLandmarks(%d)", n, o.landmarks, n)
	case squared:
		l.Landmarks = o.landmarks
		o.note(l, "WithLandmarks", "landmarks",
			fmt.Sprintf("%d of %d points, drawn at random: weights are learned on these, their dual coefficients "+
				"fitted to all", o.landmarks, n))
		if dim := d.Dim(); dim > o.landmarks {
			l.Warnings = append(l.Warnings, fmt.Sprintf("%d features, and %d landmarks: even of a linear kernel they "+
				"span no more than %d directions, and a linear model of all features may predict better. "+
				"More landmarks (WithLandmarks) come nearer.", dim, o.landmarks, o.landmarks))
		}
		n = o.landmarks
	}
	m, _ := grams.Dims()
	if _, ok := o.family.(similarity.Repaired); ok {
		m *= 3 // the repairs themselves, and their rules for new points
	}
	return o.fits(n, m, l)
}

// fits estimates the memory for m kernel matrices of n points. Each concurrent task needs m packed base matrices, as
// much again while these are computed, and four n×n matrices. fits lowers the number of workers until the tasks fit in
// kernel.Memory, and notes that in l. If a single task has no room for its base matrices, a Sum recomputes them on each
// use. If it has no room for the four matrices, fits returns an error.
func (o *options) fits(n, m int, l *Learned) error {
	const option = "kernel.SetMemory"
	square, memory := float64(n)*float64(n), float64(kernel.Memory())
	all, least := (8*float64(m)+32)*square, 32*square
	if least > memory {
		return fmt.Errorf("learn: the kernel matrices of %d points need %.2g GB at least, more than %.2g GB (%s): %d "+
			"points would fit (data.Dataset.Slice); the squared loss takes landmarks of more (WithLandmarks), but no "+
			"class weights",
			n, least/1e9, memory/1e9, option, int(math.Sqrt(memory/32)))
	}
	want := compare.Workers(o.workers)
	if room := max(1, int(min(memory/all, float64(want)))); room < want {
		o.workers = room
		o.note(l, option, "tasks at a time", fmt.Sprintf("%d, not %d: the kernel matrices of more need over %.2g GB",
			room, want, memory/1e9))
	}
	if all > memory {
		o.note(l, option, "kernel matrices",
			fmt.Sprintf("made again whenever they are used, where %.2g GB have no room for them", memory/1e9))
	}
	return nil
}

// chooseSplits fills in the splits for the comparison. Larger datasets get fewer splits.
func (o *options) chooseSplits(d *data.Dataset, l *Learned) (err error) {
	if o.splits != nil {
		return nil
	}
	count := 3
	if n := len(d.Y); n <= 500 {
		count = 10
	} else if n <= 2000 {
		count = 5
	}
	what, kind := "points", ""
	if o.duplicates > 0 {
		what = "different points"
	} else if d.Group != nil {
		what = "groups"
	}
	if d.Classes != nil {
		kind = ", stratified by class"
	}
	o.note(l, "WithSplits", "splits to compare on",
		fmt.Sprintf("%d random ones, a quarter of the %s to test on%s; the comparison takes about %d times what the "+
			"model took", count, what, kind, count))
	o.splits, err = compare.Holdout(d.Y, 0.25, count, o.seed, compare.ByGroup(d.Group))
	return err
}

// chooseFolds returns a number of folds for which every training part has enough points, or enough groups if the data
// has groups. It returns an error if there are too few.
func (o *options) chooseFolds(d *data.Dataset) (int, error) {
	what := "points"
	size := func(rows []int) int { return len(rows) }
	if d.Group != nil {
		what = "groups"
		size = func(rows []int) int { return distinct(points.Pick(d.Group, rows)) }
	}
	all := size(points.AllIndices(len(d.Y)))
	least := all
	for i, s := range o.splits {
		if err := s.Validate(i, len(d.Y)); err != nil {
			return 0, err
		}
		least = min(least, size(s.Train))
	}
	least = min(least, o.points)
	folds := o.folds
	if folds == 0 {
		folds = max(min(5, least), 2)
	}
	o.calibration = folds
	if folds == compare.LeaveOneOut {
		o.calibration = min(5, all)
	}
	if folds > least {
		return 0, fmt.Errorf("learn: %d folds (WithFolds) of %s, of which a training part or the points that "+
			"constants are chosen on have %d %s, want as many as folds", folds, d.Name, least, what)
	}
	if o.probabilities && o.calibration < 2 {
		return 0, fmt.Errorf("learn: WithProbabilities: %s has one group, want 2 or more to leave one out", d.Name)
	}
	return folds, nil
}

// chooseSolver fills in the solver and the model's relative gap.
func (o *options) chooseSolver(grams kernel.Grams, of loss.Loss, l *Learned) {
	if o.solver == nil {
		switch {
		case of.Traits().Strict:
			o.solver = mkl.SPG{}
		case grams.Degree() == 1:
			o.solver = mkl.Level{} // J has kinks where K is singular
		default:
			o.solver = mkl.SPG{Force: true}
		}
		o.note(l, "WithSolver", "solver", o.solver.String())
	}
	if o.gap == 0 {
		o.gap = 1e-6
		o.note(l, "WithGap", "relative gap", "1e-3 in the comparison, 1e-6 for the model")
	}
}

// duplicateNote states how many points of d equal another point, and whether splits separate them.
func (o *options) duplicateNote(d *data.Dataset) string {
	s := fmt.Sprintf("%d of %d rows are duplicates of another row", o.duplicates, len(d.Y))
	if o.duplicates == 1 {
		s = fmt.Sprintf("1 of %d rows is a duplicate of another row", len(d.Y))
	}
	if n := compare.CountCutGroups(d.Group, o.splits); n > 0 {
		return s + fmt.Sprintf("; %d of %d splits (WithSplits) have duplicates on both sides, so the score is "+
			"optimistic.", n, len(o.splits))
	}
	return s + "; duplicates are on one side of each split."
}
