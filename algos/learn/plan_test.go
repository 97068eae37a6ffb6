package learn

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/compare/comparetest"
	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/algos/testenv"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/data/datasets"
)

func ExampleNewPlan() {
	d := comparetest.OverlappingClasses(40, 3, 1)
	p, err := NewPlan(d, WithSplits(nil))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.Candidates, p.Selection)
	p.Candidates, p.Selection.Folds = []string{UniformName}, 3
	l, err := Fit(context.Background(), d, p)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(l.Method)
	// Output:
	// [learned uniform best single linear] 5-fold cross-validation
	// uniform
}

// A plan does not change the data or depend on an earlier plan, and Fit does what a changed plan decides.
func TestPlanIsPlain(t *testing.T) {
	d, same := datasets.Friedman(80, 1), datasets.Friedman(80, 1)
	p, again := must(NewPlan(d, WithSplits(nil))), must(NewPlan(d, WithSplits(nil)))
	if !reflect.DeepEqual(d, same) {
		t.Error("NewPlan changes the data")
	}
	if !reflect.DeepEqual(p, again) {
		t.Errorf("two plans of the same data:\n%v\n%v", p, again)
	}
	first := must(Fit(context.Background(), d, p))
	if !reflect.DeepEqual(p, again) || !reflect.DeepEqual(d, same) {
		t.Error("Fit changes the plan or the data")
	}
	l := must(Learn(context.Background(), d, WithSplits(nil)))
	if !reflect.DeepEqual(l.Result.Theta, first.Result.Theta) || !reflect.DeepEqual(l.Tried, first.Tried) {
		t.Errorf("Learn finds %v, Fit of its plan %v", l, first)
	}
	p.Candidates, p.Selection.Folds, p.Landmarks, p.Seed, p.RelativeGap = []string{UniformName}, 3, 40, 2, 1e-4
	for i := range p.Methods {
		s := p.Methods[i].Search()
		s.Grid = slices.Clone(s.Grid)
		s.Grid[0] = fit.Ridge(0.5)
		p.Methods[i].Fitter = s
	}
	p.Splits = must(fit.Holdout(d.Y, 0.25, 2, 1))
	l = must(Fit(context.Background(), d, p))
	if l.Method != UniformName || l.Lambda != 0.5 || l.Landmarks != 40 || l.Model.X.Len() != 40 ||
		l.Table.Splits != 2 || l.Table.Seed != 2 || len(l.Tried) != 1 {
		t.Errorf("the changed plan\n%v\nis not what was done:\n%v", p, l)
	}
}

func plannedStudy(d *data.Dataset) *compare.Study {
	p := must(NewPlan(d))
	return must(p.newStudy(d))
}

// Fit refuses a plan that it cannot follow.
func TestPlanErrors(t *testing.T) {
	d := comparetest.OverlappingClasses(40, 3, 1)
	for want, change := range map[string]func(p *Plan){
		"the plan was made for other data":          func(p *Plan) { p.Task.Digest = "of other targets" },
		`the methods "uniform" and`:                 func(p *Plan) { p.Methods = nil },
		`no method "magic"`:                         func(p *Plan) { p.Candidates = []string{"magic"} },
		"has no axis of losses":                     func(p *Plan) { p.Methods[0].Fitter = fit.Search{} },
		"41 folds of 40 points":                     func(p *Plan) { p.Selection.Folds = 41 },
		`Candidates of method "selected" are empty`: func(p *Plan) { p.Candidates = []string{} },
		"split 1 has 0 training":                    func(p *Plan) { p.Splits = []fit.Split{{Test: []int{41}}} },
	} {
		p := must(NewPlan(d))
		change(&p)
		says(t, testenv.ErrorText(Fit(context.Background(), d, p)), want)
	}
	grouped, regrouped := *d, *d
	for i := range d.Y {
		grouped.Group = append(grouped.Group, fmt.Sprint(i/2))
		regrouped.Group = append(regrouped.Group, fmt.Sprint(i/4))
	}
	says(t, testenv.ErrorText(Fit(context.Background(), &regrouped, must(NewPlan(&grouped)))), "made for other data")
	for _, err := range []string{
		testenv.ErrorText(Fit(nil, d, must(NewPlan(d)))),          //nolint:staticcheck // the error is the point
		testenv.ErrorText(PartialDependenceOf(nil, nil, nil, "")), //nolint:staticcheck // as above
		testenv.ErrorText(plannedStudy(d).Run(nil, nil))} {        //nolint:staticcheck // as above
		says(t, err, "the context is nil")
	}
	_, err := NewPlan(d, WithSet(set.Simplex{}), WithSolver(mkl.IIA{}))
	if _, fit := Learn(context.Background(), d, WithSet(set.Simplex{}), WithSolver(mkl.IIA{})); err != nil ||
		!errors.Is(fit, mkl.ErrUnsuited) {
		t.Errorf("a solver that does not suit: plan %v, fit %v", err, fit)
	}
}

// An option that is out of range, or that the data gives nothing to do, is refused by name.
func TestOptionErrors(t *testing.T) {
	two, numbers := comparetest.OverlappingClasses(40, 3, 1), comparetest.NoisySine(40, 1)
	none, hinge := *two, WithLoss(fit.Losses(loss.Hinge{}, 1))
	none.Y, none.Classes = nil, nil
	for _, c := range []struct {
		d    *data.Dataset
		want string
		opts []Option
	}{
		{nil, "the dataset is nil", []Option{WithSeed(1)}},
		{&none, "has no labels", nil},
		{two, "option 2 of 2 is nil", []Option{WithSeed(1), nil}},
		{two, "WithQuantile", []Option{WithQuantile(0.5)}},
		{two, "WithGap", []Option{WithGap(1e-4), WithMethod(SingleName)}},
		{two, "WithGap", []Option{WithGap(1e-4), WithMethod(LinearName)}},
		{two, "WithGap", []Option{WithGap(1e-4), WithRules(mkl.EasyMKL{}), WithMethod(fmt.Sprint(mkl.EasyMKL{}))}},
		{two, "WithLandmarks", []Option{WithLandmarks(20), hinge}},
		{two, "WithLambda", []Option{WithLambda(1), hinge}},
		{two, "WithLoss", []Option{WithLoss(fit.Losses(nil, 1))}},
		{two, "WithGap", []Option{WithGap(-1)}},
		{two, "WithSelectionPoints", []Option{WithSelectionPoints(-1)}},
		{two, "WithMethod", []Option{WithMethod("magic")}},
		{two, "WithFolds", []Option{WithFolds(41)}},
		{two, "WithFolds: got 1", []Option{WithFolds(1)}},
		{two, "WithWorkers: got -1", []Option{WithWorkers(-1)}},
		{two, "split 1 ", []Option{WithSplits([]fit.Split{{Train: []int{0, 99}, Test: []int{1}}})}},
		{numbers, "WithoutProbabilities", []Option{WithoutProbabilities()}},
	} {
		says(t, testenv.ErrorText(NewPlan(c.d, c.opts...)), c.want)
	}
	for name, o := range map[string]Option{"λ": WithLambda(0), "set": WithSet(set.Ball{Q: 2})} {
		if l, err := Learn(context.Background(), two, o); err == nil || l != nil {
			t.Errorf("%s: %v, error %v", name, l, err)
		}
	}
}

// TestZeroOptions tests that an option with the zero value of its type is the default.
func TestZeroOptions(t *testing.T) {
	d := comparetest.OverlappingClasses(40, 3, 1)
	want := must(NewPlan(d))
	got := must(NewPlan(d, WithFamily(nil), WithSet(nil), WithLoss(fit.Path{}), WithLambda(), WithQuantile(),
		WithFolds(0), WithSeed(0), WithSolver(nil), WithRules(), WithGap(0), WithMethod(""), WithMetric(""),
		WithSelectionPoints(0), WithLandmarks(0), WithViews(nil), WithIntervals(0)))
	if !reflect.DeepEqual(got, want) || got.GivenOptions != nil {
		t.Errorf("%+v, want %+v", got, want)
	}
	if !slices.Equal(must(NewPlan(d, WithSplits(nil))).GivenOptions, []string{"WithSplits"}) {
		t.Error("no splits are a value of WithSplits")
	}
}

// A model without splits reports a hyperparameter at an end of the values tried, and no other.
func TestEndIsReported(t *testing.T) {
	d := comparetest.NoisySine(40, 1)
	for end, opts := range map[bool][]Option{true: {WithLambda(1e4, 1e5)}, false: nil} {
		l := learn(t, d, append(opts, WithSplits(nil))...)
		said := strings.Contains(fmt.Sprint(l.Warnings), "λ = 1e+04 is at an end of the tried values")
		if said != end || !end && l.Warnings != nil {
			t.Errorf("%d options: %q", len(opts), l.Warnings)
		}
	}
}
