package learn

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/compare/comparetest"
	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data"
)

// leak returns 60 points of three features of noise and, as feature "leak", values of the target y.
func leak(y []float64, classes []string, values func(i int, noise float64) float64) *data.Dataset {
	rng := rand.New(rand.NewPCG(5, 5))
	x := comparetest.NormalPoints(len(y), 4, rng)
	x.Names = []string{"a", "b", "leak", "c"}
	for i := range y {
		x.Row(i)[2] = values(i, rng.NormFloat64())
	}
	return &data.Dataset{Name: "leaky", X: x, Y: y, Classes: classes}
}

// A perfect score has a warning, which names the column that determines the target, with and without splits; other
// scores have none.
func TestPerfectScoreIsDoubted(t *testing.T) {
	const n = 60
	rng := rand.New(rand.NewPCG(6, 6))
	two, three, numbers := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range n {
		two[i], three[i], numbers[i] = float64(2*rng.IntN(2)-1), float64(rng.IntN(3)), 50+10*rng.NormFloat64()
	}
	for name, d := range map[string]*data.Dataset{
		"two classes": leak(two, []string{"no", "yes"},
			func(i int, e float64) float64 { return 10*two[i] + e }),
		"two classes, falling": leak(two, []string{"no", "yes"},
			func(i int, e float64) float64 { return -two[i] }),
		"three classes": leak(three, []string{"x", "y", "z"},
			func(i int, e float64) float64 { return 30*three[i] + e }),
		"numbers": leak(numbers, nil, func(i int, e float64) float64 { return 3 - 2*numbers[i] + 1e-3*e }),
	} {
		splits := WithSplits(must(fit.Holdout(d.Y, 0.25, 2, 1)))
		for _, o := range []Option{splits, WithSplits(nil)} {
			l := learn(t, d, o)
			all := fmt.Sprint(l.Warnings)
			if strings.Count(all, `"leak"`) != 1 || strings.Contains(all, `"a"`) ||
				!strings.Contains(all, "data.Options.Group") {
				t.Errorf("%s: %q; the table %v", name, l.Warnings, l.Table != nil)
			}
		}
		// noise in place of the leak
		honest := leak(d.Y, d.Classes, func(_ int, e float64) float64 { return e })
		if l := learn(t, honest, splits); strings.Contains(fmt.Sprint(l.Warnings), "leak") {
			t.Errorf("%s without the leak: %q", name, l.Warnings)
		}
	}
}

// A selected method that is clearly worse than another candidate has a warning, which names the option.
func TestBetterMethodIsNamed(t *testing.T) {
	of := func(method string, scores ...float64) compare.Row {
		r := compare.Row{Method: method}
		for i, v := range scores {
			r.Runs = append(r.Runs, compare.Run{Split: i, Score: model.Score{RMSE: v, Accuracy: 1 - v}})
		}
		return r
	}
	table := &compare.Table{Splits: 3, Rows: []compare.Row{of(UniformName, 0.61, 0.62, 0.63),
		of(SingleName, 0.66, 0.68, 0.68), of(LearnedName, 0.6, 0.7, 0.61), of(SelectedName, 0.1, 0.1, 0.1),
		of(compare.ConstantBaseline, 0, 0, 0)}, Classes: []string{"a", "b"}}
	candidates := []string{LearnedName, UniformName, SingleName}
	for _, m := range []model.Metric{model.RMSE, model.Accuracy} {
		for method, isWorse := range map[string]bool{UniformName: false, LearnedName: false, SingleName: true} {
			w := betterMethodWarning(table, method, candidates, m)
			if isWorse != strings.Contains(w, `learn.WithMethod("uniform")`) || !isWorse && w != "" {
				t.Errorf("%s, %s: %q", method, m, w)
			}
		}
		if w := betterMethodWarning(table, SingleName, []string{SingleName}, m); w != "" {
			t.Errorf("the caller chose the method: %q", w)
		}
	}

	// The candidate of the smallest mean is not clearly better, another one is.
	table.Rows = []compare.Row{of(UniformName, 0.61, 0.62, 0.63), of(SingleName, 0.66, 0.68, 0.68),
		of(LearnedName, 0.3, 0.8, 0.5), of(SelectedName, 0.66, 0.68, 0.68)}
	for _, delivered := range []string{SingleName, LearnedName, UniformName} { // the selection is worse than uniform
		w := betterMethodWarning(table, delivered, candidates, model.RMSE)
		if !strings.Contains(w, `learn.WithMethod("uniform")`) {
			t.Errorf("delivered %s: %q", delivered, w)
		}
	}

	table.Rows = []compare.Row{of(SingleName, 82.50, 82.51, 82.52), of(LearnedName, 82.48, 82.49, 82.50)}
	if w := betterMethodWarning(table, SingleName, candidates, model.RMSE); !strings.Contains(w, " 0.02.") {
		t.Errorf("a difference of 0.02: %q", w)
	}
	none := &compare.Table{Rows: []compare.Row{of(UniformName)}}
	if w := betterMethodWarning(none, SingleName, candidates, model.RMSE); w != "" {
		t.Errorf("no split: %q", w)
	}
}

// A perfect score has no advice to try other hyperparameters.
func TestPerfectScoreNeedsNoOtherGrid(t *testing.T) {
	d := comparetest.NoisySine(40, 1)
	for i := range d.Y {
		d.Y[i] = d.X.(points.Rows).Row(i)[0]
	}
	for _, o := range []Option{WithSplits(nil), WithSplits(must(fit.Holdout(d.Y, 0.25, 2, 1)))} {
		l := learn(t, d, o, WithLambda(1e-6, 1e-3))
		if len(l.Warnings) != 1 || !strings.Contains(l.Warnings[0].Text, "alone") {
			t.Errorf("%q", l.Warnings)
		}
	}
}

// Two columns that determine the target only together have a warning without the name of a column. Groups are not
// advised if there are groups.
func TestPerfectScoreOfTwoColumns(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	d := &data.Dataset{Name: "sum", X: comparetest.NormalPoints(80, 2, rng), Y: make([]float64, 80)}
	for i := range d.Y {
		x := d.X.(points.Rows).Row(i)
		d.Y[i] = x[0] + x[1]
		d.Group = append(d.Group, fmt.Sprint(i%20))
	}
	all := fmt.Sprint(learn(t, d, WithSplits(nil)).Warnings)
	if !strings.Contains(all, "learn.Importance") || strings.Contains(all, "alone") || strings.Contains(all, ".Group") {
		t.Errorf("%q", all)
	}
}

// A column of few values determines the target if each value has one target, whatever their order.
func TestDeterminesTarget(t *testing.T) {
	const n = 40
	x := points.Rows{N: n, D: 5, Data: make([]float64, 5*n)}
	classes, numbers := make([]float64, n), make([]float64, n)
	for i := range n {
		level := i % 8
		classes[i], numbers[i] = float64(2*(level%2)-1), math.Sin(float64(level*level))
		row := x.Row(i)
		row[0], row[1], row[2], row[3] = float64(level), float64(level%2), float64(level/2%2), float64(i)
	}
	for _, c := range []struct {
		name     string
		features []int
		y        []float64
		classes  int
		want     bool
	}{{"8 values, classes", []int{0}, classes, 2, true},
		{"8 values, numbers", []int{0}, numbers, 0, true},
		{"two indicators", []int{1, 2}, classes, 2, true},
		{"8 values, the first with two classes", []int{0}, append([]float64{1}, classes[1:]...), 2, false},
		{"an indicator that tells nothing", []int{2}, classes, 2, false},
		{"the number of the row", []int{3}, classes, 2, false},
		{"one value", []int{4}, classes, 2, false},
		{"one value of sorted numbers", []int{4}, slices.Sorted(slices.Values(numbers)), 0, false}} {
		if got := determinesTarget(x, c.features, c.y, c.classes); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// A perfect score of any target has a warning, which names the target and its column. Data without columns have a
// warning that names none. A score of the caller's loss may be negative, and is then not perfect.
func TestPerfectScoreOfOtherKinds(t *testing.T) {
	const n = 40
	rng := rand.New(rand.NewPCG(9, 9))
	first, second := make([]float64, n), make([]float64, n)
	for i := range n {
		first[i], second[i] = 100*rng.NormFloat64(), rng.NormFloat64()
	}
	two := leak(first, nil, func(i int, _ float64) float64 { return second[i] })
	two.Target, two.ExtraTargets = "first", []data.Target{{Name: "second", Y: second}}
	splits := WithSplits(must(fit.Holdout(first, 0.25, 2, 1)))
	l := learn(t, two, splits, WithLambda(1e-6), WithFamily(kernel.Sum{
		Kernels: []kernel.Kernel{kernel.Linear{}}, Prepare: points.Preprocessing{points.Standardize}}))
	if all := fmt.Sprint(l.Warnings); !strings.Contains(all, " of second ") || !strings.Contains(all, `"leak"`) {
		t.Errorf("second target: %q", l.Warnings)
	}
	matrix := kernel.Precomputed{Name: "k", N: n, Data: make([]float64, n*n)}
	for i := range n {
		for j := range n {
			matrix.Data[i*n+j] = math.Exp(-0.1 * (second[i] - second[j]) * (second[i] - second[j]))
		}
	}
	d := &data.Dataset{Name: "matrix", X: points.AllIndices(n), Y: second, Kernels: kernel.List{matrix}}
	all := fmt.Sprint(learn(t, d, splits, WithLambda(1e-6)).Warnings)
	if !strings.Contains(all, "matrix was computed") || strings.Contains(all, "A column may") {
		t.Errorf("matrix: %q", all)
	}
	for _, score := range []float64{-3, 0} {
		row := func(name string, loss float64) compare.Row {
			return compare.Row{Method: name, Runs: []compare.Run{{Score: model.Score{Loss: loss}}}}
		}
		table := &compare.Table{Splits: 1, By: model.MeanLoss, Rows: []compare.Row{row(SelectedName, score),
			row(compare.ConstantBaseline, 2)}}
		if w := perfectScoreWarning(two, table, fit.GridCell{}, nil); (w != "") != (score == 0) {
			t.Errorf("score %g: %q", score, w)
		}
	}
}
