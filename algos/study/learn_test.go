package study

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data"
)

// wave is y = sin(2x_1) + noise, of two features.
func wave(n int, seed uint64) *data.Dataset {
	rng := rand.New(rand.NewPCG(seed, 1))
	x := kernel.Rows{N: n, D: 2, Data: make([]float64, 2*n)}
	y := make([]float64, n)
	for i := range n {
		x.Data[2*i], x.Data[2*i+1] = 3*rng.Float64(), rng.Float64()
		y[i] = 10 + math.Sin(2*x.Data[2*i]) + 0.1*rng.NormFloat64()
	}
	return &data.Dataset{Name: "wave", X: x, Y: y}
}

func learn(t *testing.T, d *data.Dataset, opts ...Option) *Learned {
	t.Helper()
	l, err := Learn(context.Background(), d, opts...)
	if err != nil {
		t.Fatal(err)
	}
	timeless(l.Table)
	l.Result.Trace = nil // with its times
	return l
}

func TestLearnRegression(t *testing.T) {
	l := learn(t, wave(60, 1))
	s := l.Table.Summary(LearnedName, RMSE)
	if s.N != 20 || s.Mean > 0.3 || s.Mean < 0.1 { // noise 0.1, spread of the targets 0.7
		t.Errorf("RMSE %+v, want between the noise 0.1 and 0.3", s)
	}
	test := wave(200, 2)
	score, err := l.Model.Score(test.X, test.Y)
	if err != nil || score.RMSE > 0.3 {
		t.Errorf("the model scores %v, %v on new points", score, err)
	}
	if !l.Table.Certified() || l.Result.Status != mkl.Certified || l.Result.RelativeGap() > 1e-6 {
		t.Errorf("not certified: %v", l.Result)
	}
	checkLearned(t, l)
}

func TestLearnClasses(t *testing.T) {
	d := clouds(50, 3, 1)
	l := learn(t, d)
	if s := l.Table.Summary(LearnedName, Accuracy); s.Mean < 0.85 { // the best rule errs on 7 %
		t.Errorf("accuracy %+v, want 0.85 or more", s)
	}
	if c, err := l.Model.Classify(d.X); err != nil || c[1] != "right" {
		t.Errorf("classes %v, %v", c, err)
	}
	checkLearned(t, l)
	if again := learn(t, d, WithWorkers(1)); !reflect.DeepEqual(again, l) {
		t.Errorf("one worker finds\n%v\nmore\n%v", again, l)
	}
	if other := learn(t, d, WithSeed(1)); reflect.DeepEqual(other.Table.Rows, l.Table.Rows) {
		t.Error("another seed finds the same table")
	}
}

// checkLearned looks at what every Learned has.
func checkLearned(t *testing.T, l *Learned) {
	t.Helper()
	for _, f := range l.Figures() {
		if err := f.Validate(); err != nil {
			t.Errorf("figure %q: %v", f.Title, err)
		}
	}
	if len(l.Figures()) != 3 || len(l.Table.Rows) != 3 {
		t.Errorf("%d figures, %d methods, want 3 of each", len(l.Figures()), len(l.Table.Rows))
	}
	text := l.String()
	for _, d := range l.Defaults {
		if d.What == "" || d.Value == "" || !strings.Contains(text, d.Value) || d.Option != "" && !strings.Contains(text, d.Option) {
			t.Errorf("the default %+v is not printed", d)
		}
	}
	if err := l.Model.Validate(); err != nil {
		t.Error(err)
	}
}

// Each default has an option, and an option that is given is no default.
func TestLearnDefaults(t *testing.T) {
	d := clouds(40, 2, 1)
	options := map[string]Option{
		"WithFamily": WithFamily(features), "WithSet": WithSet(set.Ball{Q: 2, Radius: 1}), "WithLambda": WithLambda(0.1, 1),
		"WithSplits": WithSplits(must(Halves(d.Y, 3, 1))), "WithFolds": WithFolds(3), "WithSeed": WithSeed(4),
		"WithSolver": WithSolver(mkl.PGD{}), "WithGap": WithGap(1e-4),
	}
	var all []Option
	named := map[string]bool{}
	for _, v := range learn(t, d, WithSplits(must(Halves(d.Y, 2, 1)))).Defaults {
		named[v.Option] = true
	}
	named["WithSplits"] = true
	for name, o := range options {
		if !named[name] {
			t.Errorf("no default names %s", name)
		}
		all = append(all, o)
		l := learn(t, d, o, WithSplits(must(Halves(d.Y, 2, 1))))
		for _, v := range l.Defaults {
			if v.Option == name {
				t.Errorf("%s is given, yet %+v is called a default", name, v)
			}
		}
	}
	l := learn(t, d, all...)
	for _, v := range l.Defaults {
		if v.Option != "" {
			t.Errorf("all is given, yet %+v is called a default", v)
		}
	}
	if l.Result.Solver != "PGD" && !strings.HasPrefix(l.Result.Solver, "PGD") || l.Table.Splits != 3 || l.Table.Seed != 4 || !reflect.DeepEqual(l.Model.Family, kernel.Family(features)) {
		t.Errorf("the options were not heeded: %v", l)
	}
	if l.Lambda != 0.1 && l.Lambda != 1 {
		t.Errorf("λ = %v, want 0.1 or 1", l.Lambda)
	}
}

// Large sets and sparse points have other families; kinds without one are told so.
func TestDefaultFamily(t *testing.T) {
	x := kernel.Rows{N: 3, D: 2, Data: make([]float64, 6)}
	sparse := kernel.Sparse{D: 5, Ptr: []int{0, 1, 2}, Col: []int{1, 2}, Val: []float64{1, 1}}
	big, wide := kernel.Rows{N: 2000, D: 8, Data: make([]float64, 16000)}, kernel.Rows{N: 2000, D: 40, Data: make([]float64, 80000)}
	for _, c := range []struct {
		x    kernel.Points
		want string
	}{{x, "kernel.Sum"}, {sparse, "kernel.Sum"}, {big, "kernel.Features"}, {wide, "kernel.Features"}} {
		f, words, err := defaultFamily(c.x)
		if err != nil || fmt.Sprintf("%T", f) != c.want || words == "" {
			t.Errorf("%d points: %T, %q, %v, want %s", c.x.Len(), f, words, err, c.want)
		}
	}
	if _, _, err := defaultFamily(kernel.AllPlaces(3)); err == nil || !strings.Contains(err.Error(), "WithFamily") {
		t.Errorf("places: error %v, want one that names the option", err)
	}
}

func TestLearnErrors(t *testing.T) {
	ctx, d := context.Background(), clouds(20, 2, 1)
	none := *d
	none.Y, none.Classes = nil, nil
	for name, f := range map[string]func() (*Learned, error){
		"no data":   func() (*Learned, error) { return Learn(ctx, nil) },
		"no labels": func() (*Learned, error) { return Learn(ctx, &none) },
		"λ":         func() (*Learned, error) { return Learn(ctx, d, WithLambda(0)) },
		"set":       func() (*Learned, error) { return Learn(ctx, d, WithSet(set.Ball{Q: 2})) },
		"family":    func() (*Learned, error) { return Learn(ctx, d, WithFamily(kernel.List{})) },
		"solver":    func() (*Learned, error) { return Learn(ctx, d, WithSet(set.Simplex{}), WithSolver(mkl.IIA{})) },
		"gap":       func() (*Learned, error) { return Learn(ctx, d, WithGap(-1)) },
	} {
		if l, err := f(); err == nil || l != nil {
			t.Errorf("%s: %v, error %v", name, l, err)
		}
	}
}

// A stopped Learn has its table, marked, and no model.
func TestLearnStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	l, err := Learn(ctx, clouds(40, 2, 1), WithProgress(func(p Progress) {
		if p.Done == 20 {
			cancel()
		}
	}))
	if err != nil || !l.Table.Stopped || l.Model != nil || l.Result != nil {
		t.Fatalf("%+v, %v", l, err)
	}
	for _, f := range l.Figures() {
		if err := f.Validate(); err != nil {
			t.Error(err)
		}
	}
	if !strings.Contains(l.String(), "Stopped") {
		t.Error("it does not say that it was stopped")
	}
}

// On sonar learning is clearly better than uniform weights, and certified everywhere.
func TestLearnSonar(t *testing.T) {
	if testing.Short() {
		t.Skip("a few seconds")
	}
	d, err := data.Load("sonar")
	if err != nil {
		t.Fatal(err)
	}
	l := learn(t, d)
	if c := l.Table.Compare(LearnedName, UniformName, RMSE); c.Hi >= 0 {
		t.Errorf("%v, want clearly less", c)
	}
	if s := l.Table.Summary(LearnedName, Accuracy); s.Lo < 0.75 {
		t.Errorf("accuracy %+v, want 0.75 or more", s)
	}
	if !l.Table.Certified() || l.Result.Status != mkl.Certified {
		t.Errorf("not certified:\n%v", l)
	}
}

func ExampleLearn() {
	d := data.Rings(80, 7)
	l, err := Learn(context.Background(), d, WithSeed(1))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(l.Result.Status)
	fmt.Println(l.Model.Classify(kernel.NewRows([][]float64{{0, 0.1}})))
	for _, v := range l.Defaults {
		fmt.Printf("%s: %s\n", v.Option, v.What)
	}
	// Output:
	// certified
	// [inner] <nil>
	// WithFamily: family of kernels
	// WithSet: set of weights
	// WithLambda: grid of λ
	// WithFolds: choice of λ
	// WithSplits: splits to score on
	// WithSolver: solver
	// WithGap: relative gap
	// WithLoss: loss
}

func ExampleStudy() {
	d := data.Rings(60, 7)
	halves, err := Halves(d.Y, 5, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	bases := kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 1}, kernel.RBF{Gamma: 10}}
	s := &Study{Data: d, Splits: halves, CentreTargets: true, Selection: Selection{Folds: 5}, Methods: []Method{
		{Name: "uniform", Family: bases, Grid: Grid{Rules(mkl.Uniform{})}},
		{Name: "learned", Family: bases},
	}}
	table, err := s.Run(context.Background(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range table.Rows {
		fmt.Printf("%-8s accuracy %.2f\n", r.Method, table.Summary(r.Method, Accuracy).Mean)
	}
	// Output:
	// uniform  accuracy 0.91
	// learned  accuracy 0.93
}
