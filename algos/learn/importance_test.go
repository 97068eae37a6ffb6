package learn

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/testenv"
	"github.com/mklnb/mkl/data"

	"github.com/mklnb/mkl/algos/compare/comparetest"
	"github.com/mklnb/mkl/algos/fit"

	"gonum.org/v1/gonum/floats"
)

// threeViews is y = the sum of five features + the product of two of five others + noise, with 30 that tell nothing.
func threeViews(n int, seed uint64) *data.Dataset {
	rng := rand.New(rand.NewPCG(seed, 3))
	x := points.Rows{N: n, D: 40, Data: make([]float64, n*40)}
	for i := range x.Data {
		x.Data[i] = rng.NormFloat64()
	}
	d := &data.Dataset{Name: "three views", X: x, Views: []data.View{{Name: "linear",
		Features: points.AllIndices(40)[:5]},
		{Name: "product", Features: points.AllIndices(40)[5:10]}, {Name: "noise",
			Features: points.AllIndices(40)[10:]}}}
	for i := range n {
		r := x.Row(i)
		d.Y = append(d.Y, r[0]+r[1]+r[2]+r[3]+r[4]+r[5]*r[6]+0.3*rng.NormFloat64())
	}
	return d
}

// TestImportanceOfViews: the intervals of the two views that matter never contain 0; that of noise does, and noise has
// at most 5 % of the weight, in 18 of 20 seeds or more. The score before a permutation is that of Learn's table, bit
// for bit.
func TestImportanceOfViews(t *testing.T) {
	seeds, n, splits := 2, 150, 5
	if testenv.RunsAllTests() {
		seeds, n, splits = 20, 200, 10
	}
	nothing, light := 0, 0
	for seed := range seeds {
		d := threeViews(n, uint64(seed))
		l := must(Learn(t.Context(), d, WithStore(t.TempDir()),
			WithSplits(must(fit.Holdout(d.Y, 0.25, splits, 0)))))
		w := must(Importance(t.Context(), l, nil))
		of := func(name string) Group {
			return w.Groups[slices.IndexFunc(w.Groups, func(g Group) bool { return g.Name == name })]
		}
		if noise := of("noise"); !noise.Drop.ExcludesZero() && !noise.Significant() {
			nothing++
		}
		if l.Views[2].WeightShare <= 0.05 {
			light++
		}
		if w.Groups[0].Name != "linear" || !(of("linear").Drop.Lo > 0) || !(of("product").Drop.Lo > 0) {
			t.Errorf("seed %d: %+v", seed, w.Groups)
		}
		if want := l.Table.Values(SelectedName, model.RMSE); !slices.Equal(w.BaseScores, want) {
			t.Errorf("the score with all views is %v, in the table %v", w.BaseScores, want)
		}
	}
	if least := (seeds*18 + 19) / 20; nothing < least || light < least {
		t.Errorf("of %d seeds the interval of noise contains 0 in %d, and noise has 5 %% of the weight at most in %d",
			seeds, nothing, light)
	}
}

// explained is what scikit-learn says of a model: see testdata/sklearn.py.
type explained struct {
	X, W, Y, Labels []float64
	RMSE, Accuracy  struct {
		Orders [][][]int // by feature and permutation
		Mean   []float64
	}
	One struct { // of the second feature
		Grid [][]float64
		Mean []float64
	}
}

// TestScikitLearn: importance by the same permutations, and partial dependence, are those of scikit-learn to rounding.
func TestScikitLearn(t *testing.T) {
	text := must(os.ReadFile("testdata/sklearn.json"))
	var e explained
	if err := json.Unmarshal(text, &e); err != nil {
		t.Fatal(err)
	}
	x := points.Rows{N: 12, D: 3, Data: e.X}
	m := &model.Model{Family: kernel.List{kernel.RBF{Gamma: 0.5}}, X: x, Theta: []float64{1}, W: e.W,
		Biases: []float64{0.25}}
	near := func(what string, got, want float64) {
		if !(math.Abs(got-want) <= 1e-13) {
			t.Errorf("%s is %.17g, of scikit-learn %.17g", what, got, want)
		}
	}
	for _, metric := range []model.Metric{model.RMSE, model.Accuracy} {
		of, y, m := e.RMSE, e.Y, *m
		if metric == model.Accuracy {
			of, y, m.Classes = e.Accuracy, e.Labels, []string{"-1", "1"}
		}
		for j, orders := range of.Orders {
			w := &Importances{Metric: metric, Groups: []Group{{Features: []int{j}}}}
			if err := w.addScoreDrops(t.Context(), &m, x, y, nil, orders); err != nil {
				t.Fatal(err)
			}
			near(string(metric)+" without feature "+string(rune('1'+j)), w.Groups[0].Drops[0], of.Mean[j])
		}
	}
	p := &PartialDependence{OutputNames: []string{"f"}, Values: quantileGrid(x, 1, len(e.One.Grid[0]))}
	for i, want := range e.One.Grid[0] {
		near("a value", p.Values[i], want)
	}
	if err := p.computeMeanPredictions(t.Context(), m, x, []int{1}, nil); err != nil {
		t.Fatal(err)
	}
	for i, want := range e.One.Mean {
		near("a mean", p.Mean[0][i], want)
	}
}

// TestParts: smaller parts of a training part have whole groups, as many as folds, and 16 points.
func TestParts(t *testing.T) {
	d := &data.Dataset{Y: make([]float64, 64)}
	for i := range d.Y {
		d.Y[i], d.Group = float64(i)+0.5, append(d.Group, fmt.Sprint(i%16))
	}
	s := &compare.Study{Data: d,
		Settings: fit.Settings{Selection: fit.Selection{Folds: 5}}, Splits: must(fit.Holdout(d.Y, 0.25, 3, 1,
			fit.ByGroup(d.Group)))}
	for i, p := range must(shrinkTrainingParts(s, 0.5)) {
		if n := countDistinct(points.Pick(d.Group, p.Train)); len(p.Train) != 24 || n != 6 ||
			!slices.Equal(p.Test, s.Splits[i].Test) {
			t.Errorf("part %d of %d groups: %v", i+1, n, p)
		}
	}
	if s.Selection.Folds = 7; must(shrinkTrainingParts(s, 0.5)) != nil {
		t.Error("parts of fewer groups than folds")
	}
	if s.Selection.Folds = 2; must(shrinkTrainingParts(s, 0.3)) != nil {
		t.Error("parts of less than 16 points")
	}
}

// plants have a nominal column, and water beside rain, which tells the same.
func plants(n int) *data.Dataset {
	rng := rand.New(rand.NewPCG(5, 5))
	x := points.Rows{N: n, D: 6, Names: []string{"light", "soil=clay", "soil=sand", "soil=loam", "water", "rain"}}
	d := &data.Dataset{Name: "plants", Target: "height",
		Encoding: &data.Encoding{Columns: []data.Column{{Name: "light"},
			{Name: "soil", Levels: []string{"clay", "sand", "loam"}}, {Name: "water"}, {Name: "rain"}}}}
	for i := range n {
		soil, light, water := make([]float64, 3), rng.Float64(), rng.NormFloat64()
		soil[i%3] = 1
		x.Data = append(append(append(x.Data, light), soil...), water, water+0.1*rng.NormFloat64())
		d.Y = append(d.Y, 2*light+float64(i%3)+0.3*water+0.1*rng.NormFloat64())
	}
	d.X = x
	return d
}

// TestExplain: of a table with a nominal and two correlated columns, importance is by column and names the two; partial
// dependences follow what the data were made by; the learning curve ends at Learn's table. What was stopped says so.
func TestExplain(t *testing.T) {
	l := must(Learn(t.Context(), plants(90), WithStore(t.TempDir())))
	w := must(Importance(t.Context(), l, nil))
	rain := slices.IndexFunc(w.Groups, func(g Group) bool { return g.Name == "rain" })
	if len(w.Groups) != 4 || w.Groups[0].Name != "soil" || len(w.Groups[0].Features) != 3 ||
		w.Groups[rain].CorrelatedGroup != "water" || !(w.Groups[rain].Correlation > 0.995) {
		t.Errorf("%+v", w)
	}
	if p := must(PartialDependenceOf(t.Context(), l, nil, "light")); !slices.IsSorted(p.Mean[0]) {
		t.Errorf("light: %v, want a rising mean", p.Mean[0])
	}
	if m := must(PartialDependenceOf(t.Context(), l, nil, "soil")).Mean[0]; math.Abs(m[1]-m[0]-1) > 0.2 ||
		math.Abs(m[2]-m[1]-1) > 0.2 {
		t.Errorf("soils %v, want steps of 1", m)
	}
	percent := 0 // of the tasks that are done
	c := must(LearningCurveOf(t.Context(), l, func(p compare.Progress) { percent = 100 * p.Done / p.Total }))
	last := c.Sizes[len(c.Sizes)-1]
	if want := l.Table.Summary(SelectedName, model.RMSE); len(c.Sizes) != 3 || last.Points != 67 ||
		last.Summary.Mean != want.Mean ||
		last.Summary.Lo != want.Lo || !(last.Gain.Mean > 0) || percent != 100 {
		t.Errorf("%v\nwant at last %v", c, want)
	}
	var gains []float64 // of the interval with the ratio of the smaller size, which is the longer one
	for i, v := range last.Scores {
		gains = append(gains, c.Sizes[1].Scores[i]-v)
	}
	if g := compare.CorrectedResampledDifference(gains, l.Table.TestTrainRatio); !(last.Gain.Mean == g.Mean &&
		last.Gain.Lo < g.Lo-0.1*(g.Hi-g.Lo)) {
		t.Errorf("gain %v, with the ratio of the larger size %v", last.Gain, g)
	}

	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if w, err := Importance(ended, l, nil); err != nil || !w.Stopped || len(w.Groups) > 0 {
		t.Errorf("stopped: %v, %v", w, err)
	}
	late := &Importances{Metric: model.RMSE, Groups: make([]Group, 2)} // while a model scores
	err := late.addScoreDrops(ended, l.Model, l.Model.X.(points.Rows), l.study.Data.AllY(), nil,
		[][]int{points.AllIndices(l.Points)})
	if !errors.Is(err, context.Canceled) || late.Groups[0].Drops != nil {
		t.Errorf("permuted after the end: %v, %v", err, late.Groups)
	}
	if p, err := PartialDependenceOf(ended, l, nil, "light"); err != nil || p.Mean != nil {
		t.Errorf("a partial dependence that was stopped: %v, %v", p, err)
	}
	if c, err := LearningCurveOf(ended, l, nil); err != nil || !c.Stopped {
		t.Errorf("a learning curve that was stopped: %v, %v", c, err)
	}
	says(t, testenv.ErrorText(PartialDependenceOf(t.Context(), l, nil, "color")), `no column "color"`)
	if _, err := Importance(t.Context(), &Learned{}, nil); err == nil {
		t.Error("a Learned that was not learned is asked")
	}
	sparse := points.Sparse{D: 1, Ptr: []int{0, 0}}
	words := &compare.Study{Data: &data.Dataset{Name: "words", X: sparse}, Splits: l.study.Splits}
	says(t, testenv.ErrorText(Importance(t.Context(), &Learned{study: words}, nil)), "words: only dense features")
}

// TestPartialOfClasses: what is predicted of classes called by numbers is no number, a column that has nothing to do
// with it is said to change nothing, and one that has one value is refused.
func TestPartialOfClasses(t *testing.T) {
	d := comparetest.ClassClusters(3, 15, 1, 2, 1)
	d.Classes = []string{"1", "2", "3"}
	x := points.Rows{N: d.Len(), D: 3, Names: []string{"a", "b", "one"}}
	for i := range x.N {
		x.Data = append(x.Data, d.X.(points.Rows).Row(i)[0], float64(i%7), 1)
	}
	d.X = x
	l := must(Learn(t.Context(), d, WithSplits(nil),
		WithFamily(kernel.Sum{Kernels: kernel.List{kernel.RBF{Gamma: 1, Columns: []int{0}}}})))
	p := must(PartialDependenceOf(t.Context(), l, nil, "a"))
	want := []string{"probability of 1", "probability of 2", "probability of 3"}
	if !slices.Equal(p.OutputNames, want) || len(p.Mean) != 3 {
		t.Errorf("outputs %q, want %q", p.OutputNames, want)
	}
	for k := range p.Mean[0] {
		if sum := p.Mean[0][k] + p.Mean[1][k] + p.Mean[2][k]; math.Abs(sum-1) > 1e-9 {
			t.Errorf("value %d: the mean probabilities have the sum %g", k, sum)
		}
	}
	if mean := must(PartialDependenceOf(t.Context(), l, nil, "b")).Mean[0]; slices.Max(mean)-slices.Min(mean) > 1e-9 {
		t.Errorf("b, which has no kernel, changes the mean: %v", mean)
	}
	_, err := PartialDependenceOf(t.Context(), l, nil, "one")
	says(t, testenv.ErrorText(l, err), `column "one" of `, "use a column that varies")
}

// TestImportanceScores: the score that drops are from is that of Learn's table, of all kinds of targets and with
// landmarks.
func TestImportanceScores(t *testing.T) {
	for name, c := range map[string]struct {
		d      *data.Dataset
		metric model.Metric
		opts   []Option
	}{
		"two classes": {comparetest.OverlappingClasses(30, 2, 1), model.ErrorRate, nil},
		"two targets": {three(40, 1), model.RMSE, nil},
		"landmarks":   {comparetest.NoisySine(60, 1), model.RMSE, []Option{WithLandmarks(15)}},
		"a quantile":  {comparetest.NoisySine(40, 1), model.MeanLoss, []Option{WithQuantile(0.9)}},
	} {
		l := must(Learn(t.Context(), c.d, append(c.opts, WithFamily(gaussians),
			WithSplits(must(fit.Holdout(c.d.Y, 0.25, 3, 1))))...))
		w := must(Importance(t.Context(), l, nil))
		for i, want := range l.Table.Values(SelectedName, c.metric) {
			if w.Metric != c.metric || !(math.Abs(w.BaseScores[i]-want) <= 1e-12*want) {
				t.Errorf("%s: split %d has %s %.15g, in the table %.15g", name, i+1, w.Metric, w.BaseScores[i], want)
			}
		}
	}
}

// TestImportanceOfMany: of 16 groups the one that is just above 0 by its own interval is not called clear, and p is
// that of the interval: 0.05 where this ends at 0.
func TestImportanceOfMany(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	w := &Importances{Data: "d", Metric: model.RMSE, TestTrainRatio: 1. / 3}
	starts := map[int]float64{3: 1, 5: 0.01, 7: 0} // lower ends of the intervals of some groups
	for i := range 16 {
		g := Group{Name: fmt.Sprintf("g%d", i)}
		for range 10 {
			g.Drops = append(g.Drops, 0.1*rng.NormFloat64())
		}
		if start, ok := starts[i]; ok {
			floats.AddConst(start-compare.CorrectedResampledDifference(g.Drops, w.TestTrainRatio).Lo, g.Drops)
		}
		w.Groups = append(w.Groups, g)
	}
	w.computePValuesOfDrops()
	p, g := w.Groups[2].Drop.PValue(), w.Groups
	if g[0].Name != "g3" || !g[0].Significant() || g[1].Name != "g5" || g[1].Significant() ||
		!g[1].Drop.ExcludesZero() || g[2].Name != "g7" || math.Abs(p-0.05) > 1e-9 {
		t.Errorf("p = %g: %+v", p, g[:3])
	}
}
