package learn

import (
	"context"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/compare/comparetest"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data"
)

func ExampleNewPlan() {
	d := comparetest.Clouds(40, 3, 1)
	p, err := NewPlan(d, WithLoss(compare.Losses(loss.Hinge{}, 0.1, 1, 10)), WithFamily(gaussians), WithSplits(nil))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(p)
	// Output:
	// task: clouds: points 40, features 3, classes 2
	// method uniform
	//   kernels: linear, 2 RBF(γ = 0.1 … 1); normalization: mean diagonal; features: standardize
	//   hinge loss, C = 0.1, 1, 10
	//   θ ≥ 0, Σθ = 1
	//   Uniform
	// method best single
	//   kernels: those of uniform
	//   hinge loss, C = 0.1, 1, 10 within 1 decades of that of uniform
	//   θ ≥ 0, Σθ = 1
	//   each kernel alone
	// method learned
	//   kernels: those of uniform
	//   hinge loss, C = 0.1, 1, 10 within 1 decades of that of uniform
	//   θ ≥ 0, ‖θ − 0.333‖_2 ≤ Λ, Λ = 0.433, 4.33
	//   solver: Level
	// candidates: learned, uniform, best single
	// selection: 5-fold cross-validation on at most 800 points, by error rate
	// splits: 0
	// relative gap: 1e-06
	// probabilities: sigmoids of held-out values
	// seed: 0
}

// The plans of classes, numbers with landmarks, more classes, groups, views, Gram matrices, similarities and sequences.
func TestPlans(t *testing.T) {
	groups := comparetest.Clouds(40, 3, 1)
	for i := range groups.Y {
		groups.Group = append(groups.Group, fmt.Sprint(i/4))
	}
	grams := comparetest.Clouds(10, 2, 1)
	eye := make([]float64, 100)
	for i := range 10 {
		eye[11*i] = 1
	}
	grams.X, grams.Kernels = points.AllIndices(10), kernel.List{kernel.Precomputed{Name: "a", N: 10, Data: eye}}
	var got strings.Builder
	for _, c := range []struct {
		d    *data.Dataset
		opts []Option
	}{
		{comparetest.Clouds(40, 3, 1), nil},
		{data.Friedman(600, 1), []Option{WithLandmarks(100), WithBudget(60, 1e9), WithLambda(1)}},
		{comparetest.Clusters(3, 20, 4, 2, 3), []Option{WithFolds(3), WithSeed(7)}},
		{groups, []Option{WithMethod(SingleName), WithLambda(1)}},
		{twice(30, 1), []Option{WithPoints(20)}},
		{three(40, 1), []Option{WithSet(set.Orthant{})}},
		{comparetest.TwoViews(60), []Option{WithSplits(nil), WithViews(data.Views{"a": {"s*"}, "b": {"age"}})}},
		{grams, []Option{WithFolds(2)}},
		{must(data.Load("globins")), []Option{WithFolds(10)}},
		{comparetest.Clouds(40, 3, 1), []Option{WithLoss(compare.Losses(loss.Hinge{}, 0.1, 1, 10)),
			WithClassWeights(map[string]float64{"left": 2})}},
	} {
		p := must(NewPlan(c.d, c.opts...))
		fmt.Fprintf(&got, "%v", p)
		if len(p.Given) == 0 {
			for _, d := range p.Defaults() {
				fmt.Fprintf(&got, "default %s: %s (%s)\n", d.What, d.Value, d.Option)
			}
		}
		got.WriteString("\n")
	}
	const file = "testdata/plans.txt"
	if os.Getenv("MKL_UPDATE") != "" {
		if err := os.WriteFile(file, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want := string(must(os.ReadFile(file))); got.String() != want {
		t.Errorf("the plans differ from %s (MKL_UPDATE=1 writes it):\n%s", file, got.String())
	}
}

// A plan does not change the data or depend on an earlier plan, and Fit does what a changed plan decides.
func TestPlanIsPlain(t *testing.T) {
	d, same := data.Friedman(80, 1), data.Friedman(80, 1)
	p, again := must(NewPlan(d, WithSplits(nil))), must(NewPlan(d, WithSplits(nil)))
	if !reflect.DeepEqual(d, same) {
		t.Error("NewPlan changes the data")
	}
	if !p.equal(&again) {
		t.Errorf("two plans of the same data:\n%v\n%v", p, again)
	}
	first := must(Fit(context.Background(), d, p))
	if !p.equal(&again) || !reflect.DeepEqual(d, same) {
		t.Error("Fit changes the plan or the data")
	}
	l := must(Learn(context.Background(), d, WithSplits(nil)))
	if !reflect.DeepEqual(l.Result.Theta, first.Result.Theta) || !reflect.DeepEqual(l.Tried, first.Tried) {
		t.Errorf("Learn finds %v, Fit of its plan %v", l, first)
	}
	p.Candidates, p.Selection.Folds, p.Landmarks, p.Seed, p.Gap = []string{UniformName}, 3, 40, 2, 1e-4
	for i := range p.Methods {
		p.Methods[i].Grid = slices.Clone(p.Methods[i].Grid)
		p.Methods[i].Grid[0] = compare.Ridge(0.5)
	}
	p.Splits = must(compare.Holdout(d.Y, 0.25, 2, 1))
	l = must(Fit(context.Background(), d, p))
	if l.Method != UniformName || l.Lambda != 0.5 || l.Landmarks != 40 || l.Model.X.Len() != 40 ||
		l.Table.Splits != 2 || l.Table.Seed != 2 || len(l.Tried) != 1 {
		t.Errorf("the changed plan\n%v\nis not what was done:\n%v", p, l)
	}
	says(t, failure(Importance(context.Background(), l, DropGroup, nil)), "the plan was changed")
}

// Fit refuses a plan that it cannot follow.
func TestPlanErrors(t *testing.T) {
	d := comparetest.Clouds(40, 3, 1)
	for want, change := range map[string]func(p *Plan){
		"the plan is for other data":              func(p *Plan) { p.Task.Points++ },
		`no method "uniform"`:                     func(p *Plan) { p.Methods = nil },
		`no method "magic"`:                       func(p *Plan) { p.Candidates = []string{"magic"} },
		"has no losses":                           func(p *Plan) { p.Methods[0].Grid = nil },
		"which clouds of 40 points does not need": func(p *Plan) { p.Landmarks = 40 },
		"no weights of points":                    func(p *Plan) { p.ClassWeights = map[string]float64{"left": 2} },
		"41 folds of 40":                          func(p *Plan) { p.Selection.Folds = 41 },
		"best among no others":                    func(p *Plan) { p.Candidates = []string{} },
		"split 1 has 0 points":                    func(p *Plan) { p.Splits = []compare.Split{{Test: []int{41}}} },
	} {
		p := must(NewPlan(d))
		change(&p)
		says(t, failure(Fit(context.Background(), d, p)), want)
	}
	says(t, failure(Fit(nil, d, must(NewPlan(d)))), "the context is nil") //nolint:staticcheck // the error is the point
}

// An option that the data gives nothing to do is refused by name.
func TestUnusedOptions(t *testing.T) {
	two, numbers := comparetest.Clouds(40, 3, 1), comparetest.Wave(40, 1)
	for option, opts := range map[string][]Option{
		"WithMulticlass": {WithMulticlass(compare.OneVsRest)},
		"WithBudget":     {WithBudget(1, 1e9)},
		"WithGap":        {WithGap(1e-4), WithMethod(SingleName)},
		"WithLandmarks":  {WithLandmarks(20), WithLoss(compare.Losses(loss.Hinge{}, 1))},
		"WithLambda":     {WithLambda(1), WithLoss(compare.Losses(loss.Hinge{}, 1))},
	} {
		says(t, failure(NewPlan(two, opts...)), option)
	}
	for option, o := range map[string]Option{"WithoutProbabilities": WithoutProbabilities(),
		"WithClassWeights": WithClassWeights(nil), "WithMulticlass": WithMulticlass(compare.OneVsOne)} {
		says(t, failure(NewPlan(numbers, o)), option)
	}
}
