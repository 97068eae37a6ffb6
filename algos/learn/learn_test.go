package learn

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/data/datasets"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/mklnb/mkl/algos/compare/comparetest"
	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/testenv"
)

// learn is Learn without times, and without its plan, whose options are functions that equal nothing.
func learn(t *testing.T, d *data.Dataset, opts ...Option) *Learned {
	t.Helper()
	l := must(Learn(context.Background(), d, opts...))
	if l.Table != nil {
		timeless(l.Table)
	}
	l.Result.Trace, l.study, l.Plan = nil, nil, Plan{}
	if err := l.Model.Validate(); err != nil {
		t.Error(err)
	}
	return l
}

func TestLearnRegression(t *testing.T) {
	l := learn(t, comparetest.NoisySine(60, 1))
	s := l.Table.Summary(SelectedName, model.RMSE)
	if s.N != 10 || s.Mean > 0.3 || s.Mean < 0.1 { // noise 0.1, spread of the targets 0.7
		t.Errorf("RMSE %+v, want between the noise 0.1 and 0.3", s)
	}
	test := comparetest.NoisySine(200, 2)
	score, err := l.Model.Score(test)
	if err != nil || score.RMSE > 0.3 {
		t.Errorf("the model scores %v, %v on new points", score, err)
	}
	if !l.Table.Certified() || l.Method == LearnedName && l.Result.RelativeGap() > 1e-6 {
		t.Errorf("not certified: %v", l.Result)
	}
	if len(l.Table.Rows) != 6 {
		t.Errorf("%d methods, want 6", len(l.Table.Rows))
	}
}

func TestLearnClasses(t *testing.T) {
	d := comparetest.OverlappingClasses(50, 3, 1)
	l := learn(t, d)
	if s := l.Table.Summary(SelectedName, model.Accuracy); s.Mean < 0.85 { // the best rule errs on 7 %
		t.Errorf("accuracy %+v, want 0.85 or more", s)
	}
	if c, err := l.Model.Classify(d.X); err != nil || c[1] != "right" {
		t.Errorf("classes %v, %v", c, err)
	}
	again := learn(t, d, WithWorkers(1))
	if again.Seconds = l.Seconds; !reflect.DeepEqual(again, l) {
		t.Errorf("one worker finds\n%v\nmore\n%v", again, l)
	}
	if other := learn(t, d, WithSeed(1)); reflect.DeepEqual(other.Table.Rows, l.Table.Rows) {
		t.Error("another seed finds the same table")
	}
}

// Any number of points has the same Gaussians; features of 0 and 1 stay, sparse points keep zeros, kinds
// without a default are told so.
func TestDefaultFamily(t *testing.T) {
	rows := func(n, d int) points.Rows {
		x := points.Rows{N: n, D: d, Data: make([]float64, n*d)}
		for i := range x.Data {
			x.Data[i] = math.Sin(float64(i))
		}
		return x
	}
	mixed := rows(30, 3)
	for i := range mixed.N {
		mixed.Row(i)[1] = float64(i % 2)
	}
	dense := points.Preprocessing{points.StandardizeNumbers}
	sparse := points.Sparse{D: 5, Ptr: []int{0, 1, 2}, Col: []int{1, 2}, Val: []float64{1, 1}}
	for _, c := range []struct {
		x       points.Points
		square  float64
		prepare points.Preprocessing
	}{
		{rows(3, 2), 4, dense},
		{rows(3000, 8), 16, dense},
		{mixed, 4.5, dense},
		{sparse, 2, points.Preprocessing{points.MaxAbs, points.UnitRows}},
	} {
		f := must(kernelsForPoints(c.x))
		sum := f.sumFamily.(kernel.Sum)
		if !reflect.DeepEqual(sum.Prepare, c.prepare) ||
			!reflect.DeepEqual(sum.Kernels[2], kernel.Kernel(kernel.RBF{Gamma: 1 / (2 * c.square)})) {
			t.Errorf("%d points: %v", c.x.Len(), sum)
		}
		count := map[string]int{}
		for _, k := range sum.Kernels {
			count[kernelKind(k.String())]++
		}
		want := map[string]int{"linear": 1, "RBF": 5}
		if c.prepare[0] == points.StandardizeNumbers {
			want["Laplacian"] = 3
		}
		if !reflect.DeepEqual(count, want) {
			t.Errorf("%d points: kernels %v, want %v", c.x.Len(), count, want)
		}
		group := f.similarKernelGroups[0]
		if fmt.Sprint(points.Pick(sum.Kernels, group)) != fmt.Sprint(kernel.List{sum.Kernels[0], sum.Kernels[5],
			sum.Kernels[4]}) {
			t.Errorf("similar kernels %v of %v", group, sum.Kernels)
		}
	}
	says(t, testenv.ErrorText(kernelsForPoints(points.AllIndices(3))), "WithFamily")
}

// The model comes first: stopped before, there is an error; after, the model and a table that is marked.
func TestLearnStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if l, err := Learn(ctx, comparetest.OverlappingClasses(40, 2, 1), WithProgress(func(p compare.Progress) {
		if p.Done == 3 {
			cancel()
		}
	})); err == nil || l != nil {
		t.Errorf("stopped before the model: %v, %v", l, err)
	}
	ctx, cancel = context.WithCancel(context.Background())
	defer cancel()
	var early *model.Model
	l, err := Learn(ctx, comparetest.OverlappingClasses(40, 2, 1), WithProgress(func(p compare.Progress) {
		if early == nil && p.Table != nil {
			t.Errorf("%s: a table before the comparison", p.TaskName)
		}
	}), WithFittedCallback(func(l *Learned) {
		early = l.Model
		if l.Table != nil || len(l.Tried) == 0 {
			t.Errorf("before the comparison: %+v", l)
		}
		cancel()
	}))
	if err != nil || !l.Table.Stopped || l.Model == nil || l.Model != early || l.Result == nil {
		t.Fatalf("%+v, %v", l, err)
	}
}

// A stop after the fit keeps the model, and says what it lacks.
func TestLearnStoppedBeforeIntervals(t *testing.T) {
	d := comparetest.NoisySine(60, 1)
	search := fit.Search{Family: kernel.List{kernel.RBF{Gamma: 1}}, Grid: fit.Grid{fit.Ridge(0.1)}}
	fitted := must(search.Fit(t.Context(), d))
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	l := &Learned{Model: fitted.Model}
	err := (&planRun{Plan: Plan{IntervalLevel: 0.9}}).addIntervals(ended, fitted, l)
	if err != nil || l.Model.Intervals != nil || len(l.Warnings) != 1 {
		t.Fatalf("%v, %+v", err, l)
	}
	says(t, l.Warnings[0].Text, "stopped before there were prediction intervals")
}

// The method taken is the one with the smallest error on points left out, in Learn and in the table,
// and WithMethod takes another.
func TestLearnTakesTheBest(t *testing.T) {
	for _, d := range []*data.Dataset{comparetest.NoisySine(60, 1), comparetest.OverlappingClasses(40, 3, 2)} {
		l := learn(t, d, WithSplits(must(fit.Holdout(d.Y, 0.25, 3, 1))))
		taken := slices.IndexFunc(l.Tried, func(v fit.Tried) bool { return v.Method == l.Method })
		for _, v := range l.Tried {
			if v.Error < l.Tried[taken].Error {
				t.Errorf("%s: %s was taken, %+v", d.Name, l.Method, l.Tried)
			}
		}
		for _, run := range l.Table.Row(SelectedName).Runs {
			name := ""
			for _, m := range []string{LearnedName, UniformName, SingleName} {
				if strings.HasPrefix(run.Label, m) {
					name = m
				}
			}
			of := l.Table.Row(name).Runs
			if name == "" || of[run.Split].Score.RMSE != run.Score.RMSE {
				t.Errorf("%s: split %d takes %q and scores %v", d.Name, run.Split+1, run.Label, run.Score)
			}
		}
		for _, name := range []string{LearnedName, UniformName, SingleName} {
			if l := learn(t, d, WithMethod(name), WithSplits(nil)); l.Method != name || l.Table != nil ||
				l.Model.Validate() != nil {
				t.Errorf("%s: WithMethod(%q) takes %q", d.Name, name, l.Method)
			}
		}
	}
}

// The constant baseline predicts the mean of the training points, or their most frequent class. Labels that are noise
// are not better than it.
func TestConstantBaseline(t *testing.T) {
	d := comparetest.OverlappingClasses(80, 3, 1)
	for i := range d.Y {
		if d.Y[i] = -1; i%10 == 0 {
			d.Y[i] = 1
		}
	}
	rand.New(rand.NewPCG(3, 3)).Shuffle(80, func(i, j int) { d.Y[i], d.Y[j] = d.Y[j], d.Y[i] })
	l := learn(t, d, WithSplits(must(fit.Holdout(d.Y, 0.25, 4, 1))))
	if s := l.Table.Summary(compare.ConstantBaseline, model.Accuracy); s.Mean != 0.9 {
		t.Errorf("accuracy of the constant baseline: %v", s)
	}
	if d := l.Table.Compare(SelectedName, compare.ConstantBaseline, model.Accuracy); d.Lo > 0 {
		t.Errorf("labels that are noise are learned: %+v", d)
	}
	w := comparetest.NoisySine(60, 1)
	splits := must(fit.Holdout(w.Y, 0.25, 4, 1))
	l = learn(t, w, WithSplits(splits))
	for s, run := range l.Table.Row(compare.ConstantBaseline).Runs {
		test := points.Pick(w.Y, splits[s].Test)
		floats.AddConst(-stat.Mean(points.Pick(w.Y, splits[s].Train), nil), test)
		want := floats.Norm(test, 2) / math.Sqrt(float64(len(test)))
		if math.Abs(run.Score.RMSE-want) > 1e-12 {
			t.Errorf("RMSE of the constant baseline is %g, of the mean %g", run.Score.RMSE, want)
		}
	}
}

// Beyond the landmarks the family stays the same, weights are those of the landmarks, and
// coefficients are the minimizer on all points.
func TestLandmarks(t *testing.T) {
	const n = 240
	all := comparetest.NoisySine(n, 1)
	l := learn(t, all, WithLandmarks(60), WithSplits(must(fit.Holdout(all.Y, 0.25, 2, 1))))
	if l.Landmarks != 60 || l.Model.X.Len() != 60 || l.Points != n {
		t.Fatalf("%d landmarks; a model of %d points", l.Landmarks, l.Model.X.Len())
	}
	says(t, l.Model.String(), "model of 240 points, approximated by 60 landmarks, ")
	if s := l.Table.Summary(SelectedName, model.RMSE); !(s.Mean < 0.2) {
		t.Errorf("the comparison: %v", s)
	}
	// w minimizes ½wᵀWw + ‖y − Cw‖²/2λ: the gradient CᵀCw + λWw − Cᵀy is 0
	x, p := l.Model.X, l.Model.X.Len()
	g := l.Model.Family.Bind(x)
	c, w := mat.NewDense(n, p, nil), mat.NewDense(p, p, nil)
	g.Cross(all.X).StoreMatrix(c, l.Model.Theta)
	g.Cross(x).StoreMatrix(w, l.Model.Theta)
	y := slices.Clone(all.Y)
	floats.AddConst(-l.Model.Offsets[0], y)
	v, r, grad, ww := mat.NewVecDense(p, l.Model.W), &mat.VecDense{}, &mat.VecDense{}, &mat.VecDense{}
	r.MulVec(c, v)
	r.SubVec(r, mat.NewVecDense(n, y))
	grad.MulVec(c.T(), r)
	ww.MulVec(w, v)
	grad.AddScaledVec(grad, l.Lambda, ww)
	if norm := mat.Norm(grad, 2); norm > 1e-6*mat.Norm(v, 2) {
		t.Errorf("the gradient at w has norm %g, ‖w‖ = %g", norm, mat.Norm(v, 2))
	}
	if l := learn(t, all, WithFamily(features), WithLandmarks(60), WithSplits(nil)); l.Landmarks != 0 ||
		l.Model.X.Len() != n {
		t.Errorf("few features: %d landmarks of a model of %d points", l.Landmarks, l.Model.X.Len())
	}
}

func ExampleLearn() {
	d := datasets.Rings(80, 7)
	l, err := Learn(context.Background(), d, WithSeed(1))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(l.Method)
	fmt.Println(l.Model.Classify(points.NewRows([][]float64{{0, 0.1}})))
	// Output:
	// learned
	// [inner] <nil>
}

// The sign of a product of two of many features is beyond the default family, but not beyond a width for each feature,
// which the result recommends.
func TestLearnBeyond(t *testing.T) {
	const n, d = 160, 12
	x := comparetest.NormalPoints(n, d, rand.New(rand.NewPCG(3, 1)))
	y := make([]float64, n)
	for i := range y {
		y[i] = math.Copysign(1, x.Row(i)[0]*x.Row(i)[1])
	}
	set := &data.Dataset{Name: "sign of a product", X: x, Y: y, Classes: []string{"minus", "plus"}}
	err := func(opts ...Option) float64 {
		l := learn(t, set, append(opts, WithSplits(nil))...)
		for _, tried := range l.Tried {
			if tried.Method == l.Method {
				return tried.Error
			}
		}
		return math.NaN()
	}
	one, each := err(), err(WithFamily(kernel.Gaussians{Prepare: points.Preprocessing{points.Standardize}}))
	if !(one > 0.85 && each < 0.75) {
		t.Errorf("RMSE %.3f of one width for all features, %.3f of one for each", one, each)
	}
}
