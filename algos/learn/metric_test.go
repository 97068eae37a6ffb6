package learn

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/floats"
)

// ring draws n points of which about one in ten, those near a circle, is of the positive class.
func ring(n int) *data.Dataset {
	rng := rand.New(rand.NewPCG(11, 12))
	x, y := points.Rows{N: n, D: 2}, make([]string, n)
	for i := range y {
		a, b := rng.NormFloat64(), rng.NormFloat64()
		x.Data = append(x.Data, a, b)
		if y[i] = "common"; math.Abs(a*a+b*b-1)+0.2*rng.NormFloat64() < 0.05 {
			y[i] = "rare"
		}
	}
	return must(data.New("rare", x, y))
}

// TestMetric: the method is the one with the smallest error of the metric, the log loss or 1 − another metric, in the
// mean over folds, which is near that on the splits. The metric is the first one of the table, and that of importances.
func TestMetric(t *testing.T) {
	d := ring(200)
	splits := must(fit.Holdout(d.Y, 0.25, 4, 1))
	for _, metric := range []model.Metric{model.Balanced, model.AUC, model.PositiveF1, model.LogLoss} {
		l := must(Learn(t.Context(), d, WithMetric(metric), WithSplits(splits)))
		best := math.Inf(1)
		for _, c := range l.Tried {
			best = min(best, c.Error)
			onSplits := l.Table.Summary(c.Method, metric).Mean
			if metric != model.LogLoss {
				onSplits = 1 - onSplits
			}
			if c.By != metric || math.Abs(c.Error-onSplits) > 0.2 {
				t.Errorf("%s: %s has the error %g by %s, and %g on the splits", metric, c.Method, c.Error, c.By,
					onSplits)
			}
		}
		if w := must(Importance(t.Context(), l, nil)); l.Table.Metrics()[0] != metric || w.Metric != metric ||
			!(math.Abs(w.BaseScores[0]-l.Table.Values(SelectedName, metric)[0]) < 1e-9) {
			t.Errorf("%s: the table has %v first, and importances have %s %v", metric, l.Table.Metrics(), w.Metric,
				w.BaseScores)
		}
		for _, c := range l.Tried {
			if c.Method == l.Method && c.Error > best {
				t.Errorf("%s: %s is selected of %+v", metric, l.Method, l.Tried)
			}
		}
	}
}

func TestMetricErrors(t *testing.T) {
	d := ring(60)
	for _, metric := range []model.Metric{model.RMSE, model.R2, "area", "Brier"} {
		_, err := NewPlan(d, WithMetric(metric))
		for _, named := range []model.Metric{metric, model.Balanced, model.AUC, model.PositiveF1, model.ErrorRate,
			model.LogLoss} {
			if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("%q", named)) {
				t.Errorf("the error of the metric %q does not name %q: %v", metric, named, err)
			}
		}
	}
	numbers := prices(60)
	numbers.LogTargets = false
	if _, err := NewPlan(numbers, WithMetric(model.AUC)); err == nil {
		t.Error("AUC is accepted for numbers")
	}
}

// TestBalancedClasses: on new points, balanced weights raise the balanced accuracy, and the recall of a rare class. The
// classes have equal total weight. The option is an error with numbers, and with options that set the loss.
func TestBalancedClasses(t *testing.T) {
	d, fresh := ring(200), ring(2000)
	scoreOf := func(o ...Option) model.Score {
		l := must(Learn(t.Context(), d, append(o, WithSplits(nil))...))
		return must(l.Model.Score(fresh))
	}
	plain, balanced := scoreOf(), scoreOf(WithBalancedClasses())
	t.Logf("balanced accuracy %.3f, with weights %.3f; accuracy %.3f, %.3f", plain.Balanced, balanced.Balanced,
		plain.Accuracy, balanced.Accuracy)
	if !(balanced.Balanced > plain.Balanced+0.05) {
		t.Errorf("balanced accuracy %.3f, with weights %.3f", plain.Balanced, balanced.Balanced)
	}
	w, total := balancedWeights(d), map[int]float64{}
	for i := range w {
		total[d.Class(i)] += w[i]
	}
	if len(total) != 2 || math.Abs(total[0]-100) > 1e-9 || math.Abs(total[1]-100) > 1e-9 {
		t.Errorf("total weights of the classes: %v", total)
	}
	for _, l := range []loss.Loss{loss.Squared{}, loss.Hinge{}, loss.SquaredHinge{}, loss.EpsilonInsensitive{}} {
		for _, m := range must(NewPlan(d, WithBalancedClasses(), WithLoss(fit.Losses(l, 1)))).Methods {
			if got := loss.PointWeights(must(findLossPath(m)).Loss); !slices.Equal(got, w) {
				t.Errorf("%T: the method %q has the weights %v", l, m.Name, got)
			}
		}
	}
	numbers := prices(60)
	numbers.LogTargets = false
	for name, f := range map[string]func() (Plan, error){
		"numbers": func() (Plan, error) { return NewPlan(numbers, WithBalancedClasses()) },
		"weights": func() (Plan, error) {
			return NewPlan(d, WithBalancedClasses(), WithLoss(fit.Losses(loss.Hinge{Weights: w}, 1)))
		},
		"a loss without weights": func() (Plan, error) {
			return NewPlan(d, WithBalancedClasses(),
				WithLoss(fit.Losses(loss.Columns{Loss: loss.Hinge{C: 1}, Count: 1})))
		},
	} {
		if _, err := f(); err == nil || !strings.Contains(err.Error(), "WithBalancedClasses") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestBalancedBaseline: if the classes of a training part have the same total weight, the constant baseline predicts
// the class with most points, and not one that rounding chooses. The table states that there are weights.
func TestBalancedBaseline(t *testing.T) {
	for _, counts := range [][]int{{84, 28}, {28, 84}, {36, 12, 72}} {
		var x points.Rows
		var y []string
		rng := rand.New(rand.NewPCG(13, 14))
		for k, count := range counts {
			for range count {
				x.Data, y = append(x.Data, rng.NormFloat64()), append(y, fmt.Sprint("class ", k))
			}
		}
		x.N, x.D = len(y), 1
		d := must(data.New("balanced", x, y))
		mostFrequent := slices.Index(d.Classes, fmt.Sprint("class ", slices.Index(counts, slices.Max(counts))))
		splits := must(fit.Holdout(d.Y, 0.25, 3, 1))
		l := must(Learn(t.Context(), d, WithSplits(splits), WithFamily(kernel.List{kernel.Linear{}}),
			WithLoss(fit.Losses(loss.Squared{Weights: balancedWeights(d)}, 1))))
		for _, run := range l.Table.Row(compare.ConstantBaseline).Runs {
			for k, row := range run.Score.Confusion {
				for j, n := range row {
					if n > 0 && j != mostFrequent {
						t.Fatalf("%v: the baseline predicts class %d for points of class %d, want %d", counts, j, k,
							mostFrequent)
					}
				}
			}
		}
		if !l.Table.HasPointWeights {
			t.Errorf("%v: the table has no weights of points", counts)
		}
	}
}

// TestLogLossOfOutlierIsFinite: with one outlier among points that are separated well, all errors by the log loss are
// finite. With exchanged classes, the errors and the selected method are the same.
func TestLogLossOfOutlierIsFinite(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 16))
	x, y := points.Rows{N: 200, D: 2}, make([]string, 200)
	for i := range y {
		y[i] = string("ab"[i%2])
		x.Data = append(x.Data, float64(2*(i%2)-1)*(1+0.01*rng.NormFloat64()), rng.NormFloat64())
	}
	x.Data[2*6] = 40 // an outlier of the class a
	d := must(data.New("outlier", x, y))
	exchanged := *d
	exchanged.Classes, exchanged.Y, exchanged.ClassesExchanged = []string{"b", "a"}, slices.Clone(d.Y), true
	floats.Scale(-1, exchanged.Y)
	learnedFrom := func(d *data.Dataset) *Learned {
		return must(Learn(t.Context(), d, WithMetric(model.LogLoss), WithLambda(0.01, 1),
			WithSplits(must(fit.Holdout(d.SplitLabels(), 0.25, 3, 1))), WithFamily(kernel.List{kernel.Linear{},
				kernel.Linear{Columns: []int{0}}})))
	}
	a, b := learnedFrom(d), learnedFrom(&exchanged)
	if a.Method != b.Method || len(a.Tried) == 0 {
		t.Errorf("%s is selected, with exchanged classes %s", a.Method, b.Method)
	}
	for i, tried := range a.Tried {
		if other := b.Tried[i]; !(tried.Error < 1) || math.Abs(tried.Error-other.Error) > 1e-6 {
			t.Errorf("%s has the log loss %g, with exchanged classes %g", tried.Method, tried.Error, other.Error)
		}
	}
	for _, row := range a.Table.Rows {
		got, want := a.Table.Values(row.Method, model.LogLoss), b.Table.Values(row.Method, model.LogLoss)
		for i := range got {
			if !(got[i] < 10) || math.Abs(got[i]-want[i]) > 1e-6 {
				t.Errorf("%s has the log losses %g, with exchanged classes %g", row.Method, got, want)
			}
		}
	}
}
