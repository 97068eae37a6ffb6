package fit

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/floats"

	"github.com/mklnb/mkl/algos/compare/comparetest"
	"github.com/mklnb/mkl/algos/model"
)

// uncentered is a family that fits nothing to its points.
var uncentered = kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 0.5}}

// crossValidated is the choice for a method of this family on all points of d.
func crossValidated(t *testing.T, d *data.Dataset, folds int, m Search) *Choice {
	t.Helper()
	m.Family = uncentered
	return chosen(t, d, Settings{Selection: Selection{Folds: folds}}, Method{Name: "m", Fitter: m})
}

// TestCrossValidationByHand compares the cells with slicing, solving and predicting one by one, without warm starts.
func TestCrossValidationByHand(t *testing.T) {
	d, radii := comparetest.OverlappingClasses(24, 2, 4), []float64{0.5, 3}
	c := crossValidated(t, d, 3, Search{Grid: Grid{Ridge(0.1, 1, 10), Balls(2, 1, radii...)}, Gap: 1e-9})
	p, want := &mkl.Problem{Grams: uncentered.Bind(d.X), Y: d.Y}, make([]float64, len(c.cells))
	for _, s := range must(KFold(d.Y, 3, 0)) {
		for i, cell := range c.cells {
			q := &mkl.Problem{Grams: p.Grams.Slice(s.Train), Y: points.Pick(d.Y, s.Train)}
			q.Set, q.Loss = set.Ball{Q: 2, Radius: radii[i/3],
				Center: []float64{1, 1}}, loss.Squared{Lambda: cell.HyperparameterValue}
			r := must(mkl.Solve(t.Context(), q, mkl.SPG{}, &mkl.Settings{Gap: 1e-9}))
			f := make([]float64, len(s.Test))
			(&predictor{allGrams: p.Grams, predictedIndices: s.Test, dualIndices: s.Train}).predict(f, r, []float64{0})
			for k, row := range s.Test {
				want[i] += (f[k] - d.Y[row]) * (f[k] - d.Y[row])
			}
		}
	}
	for i, cell := range c.cells {
		// The solves have a gap of 1e-9 and other starts.
		if math.Abs(cell.SquaredErrorSum-want[i]) > 1e-5*want[i] || cell.N != 24 {
			t.Errorf("cell %+v, by hand %v", cell, want[i])
		}
	}
	low := floats.MinIdx(want)
	if found := c.Candidate(); found.Value != c.cells[low].HyperparameterValue ||
		found.Set.(set.Ball).Radius != radii[low/3] {
		t.Errorf("chosen %v with %v, by hand cell %d", found.Loss, found.Set, low)
	}
}

func TestBest(t *testing.T) {
	cells := []GridCell{{SquaredErrorSum: 5, N: 10, Wrong: 1}, {SquaredErrorSum: 3, N: 10, Wrong: 2},
		{SquaredErrorSum: 1, FailedFolds: 1},
		{SquaredErrorSum: 4, N: 10, Wrong: 1}, {SquaredErrorSum: 3, N: 10, Wrong: 9}, {SquaredErrorSum: math.NaN()}}
	if got := smallestErrorIndex(cells, model.RMSE); got != 1 {
		t.Errorf("smallest RMSE at %d, want 1", got)
	}
	if got := smallestErrorIndex(cells, model.ErrorRate); got != 3 {
		t.Errorf("smallest error rate at %d, want 3, which has the smaller RMSE of two", got)
	}
	if got := smallestErrorIndex(cells[2:3], model.RMSE); got != -1 {
		t.Errorf("of cells that failed %d is best, want none", got)
	}
	undefined := GridCell{SquaredErrorSum: 1, N: 10} // FoldErrorSum/FoldCount is NaN
	if got := smallestErrorIndex([]GridCell{undefined, {SquaredErrorSum: 2, N: 10, FoldErrorSum: 0.5, FoldCount: 1},
		undefined}, model.AUC); got != 1 {
		t.Errorf("smallest 1 − AUC at %d, want 1, the only cell in which the AUC is defined", got)
	}
}

// TestUndefinedMetric: if the metric of the choice is not defined in any fold, the error names it.
func TestUndefinedMetric(t *testing.T) {
	d := comparetest.OverlappingClasses(12, 2, 4)
	choices := must(must(Open(d, []Method{{Name: "m", Fitter: Search{Family: uncentered,
		Grid: Grid{Ridge(0.1, 1), Rules(mkl.Uniform{})}}}}, Settings{Selection: Selection{Folds: 12, By: model.AUC}},
		nil)).PrepareChoices(points.AllIndices(12), 0, ""))
	if err := Choose(t.Context(), choices); err == nil || !strings.Contains(err.Error(), "AUC") ||
		strings.Contains(err.Error(), "positive definite") {
		t.Errorf("folds of one point have no AUC, and the error is %v", err)
	}
}

// TestLandmarkShare: with weights of points, the errors of the landmarks have the share of their weights.
func TestLandmarkShare(t *testing.T) {
	f := fold{split: Split{Train: []int{0, 1, 2, 3}}, landmarks: []int{1, 3}}
	if got := f.landmarkShare(nil); got != 0.5 {
		t.Errorf("without weights the share is %g, want ½", got)
	}
	if got := f.landmarkShare([]float64{1, 5, 2, 2, 90}); got != 0.7 {
		t.Errorf("the share is %g, want 0.7", got)
	}
	if f.landmarks = nil; f.landmarkShare([]float64{1, 5, 2, 2, 90}) != 1 {
		t.Error("without landmarks the share is not 1")
	}
}

func TestNear(t *testing.T) {
	grid := HalfDecades(-3, 4)
	if len(grid) != 15 || math.Abs(grid[14]-1e4) > 1e-8 {
		t.Fatalf("half decades from 1e-3 to 1e4: %v", grid)
	}
	a := Ridge(grid...).WithinDecades("base", 1.3)
	l := a.valuesNear(1)
	if len(l) != 5 || l[0] < l[4] || math.Abs(l[0]-10) > 1e-12 || math.Abs(l[4]-0.1) > 1e-12 {
		t.Errorf("within 1.3 decades of 1: %v, want 10 … 0.1", l)
	}
	if l := Ridge(1, 1, 2).Values; !slices.Equal(l, []float64{2, 1}) {
		t.Errorf("the whole grid, descending: %v", l)
	}
}

// TestFailedCells tests that a candidate with a matrix that is not positive definite in floating point is not chosen,
// and that it is an error if all candidates have one.
func TestFailedCells(t *testing.T) {
	x := points.Rows{N: 12, D: 11, Data: make([]float64, 12*11)}
	for i := range x.N {
		x.Data[11*i] = float64(1 + i%3) // of rank 1, and no root with fewer columns than points
	}
	d, s := &data.Dataset{X: x, Y: labels(12, 6)}, Settings{Selection: Selection{Folds: 3}}
	method := func(lambdas ...float64) Method {
		return Method{Name: "m", Fitter: Search{Family: kernel.Features{}, Grid: Grid{Ridge(lambdas...),
			Rules(mkl.Uniform{})}}}
	}
	c := chosen(t, d, s, method(1e-40, 1))
	if c.cells[0].FailedFolds != 0 || c.cells[1].FailedFolds != 3 || c.chosenValue != 1 {
		t.Errorf("cells %+v, chosen λ = %g, want the second to have failed in 3 folds", c.cells, c.chosenValue)
	}
	w := must(Open(d, []Method{method(1e-40, 1e-41)}, s, nil))
	err := Choose(t.Context(), must(w.PrepareChoices(points.AllIndices(12), 0, "")))
	says(t, fmt.Sprint(err), "not positive definite for any candidate")
}

// counted is the hinge loss, which counts the solves that have no w to start from.
type counted struct {
	loss.Hinge
	cold *atomic.Int64
}

func (c counted) WithParameter(v float64) loss.Loss { c.C = v; return c }

func (c counted) Slice([]int) loss.Loss { return c }

func (c counted) Solve(ctx context.Context, s *loss.Solution, g loss.Gram, y []float64, tol float64) error {
	if len(s.W) == 0 {
		c.cold.Add(1)
	}
	return c.Hinge.Solve(ctx, s, g, y, tol)
}

// TestPathIsWarmInW tests that along a path of C each solve starts at the dual coefficients of the previous one, for a
// solver and for a rule.
func TestPathIsWarmInW(t *testing.T) {
	for name, rest := range map[string]Grid{"solver": nil, "rule": {Rules(mkl.Uniform{})}} {
		cold := func(values ...float64) int64 {
			l := counted{cold: &atomic.Int64{}}
			m := Search{Grid: append(Grid{Losses(l, values...)}, rest...)}
			if rest == nil {
				m.Solver = mkl.SPG{AllowNonsmooth: true}
			}
			crossValidated(t, comparetest.OverlappingClasses(40, 2, 4), 4, m)
			return l.cold.Load()
		}
		if path, two := cold(1, 1.1, 1.2, 1.3), cold(1, 1.1); path != two || two == 0 {
			t.Errorf("%s: %d solves along the path start without w, %d of two values", name, path, two)
		}
	}
}

// TestPathGrows tests that a path whose end is chosen is extended by the spacing of its values, up to its limit.
func TestPathGrows(t *testing.T) {
	d := comparetest.OverlappingClasses(60, 2, 4)
	best := func(a Path) (value float64, edge bool, tried int) {
		c := crossValidated(t, d, 4, Search{Grid: Grid{a}})
		return c.chosenValue, c.isValueAtPathEnd, len(c.cells)
	}
	whole, _, _ := best(Ridge(HalfDecades(-3, 3)...))
	for _, from := range [][]float64{HalfDecades(-3, -2), HalfDecades(2.5, 3)} {
		if v, edge, _ := best(Ridge(from...)); !edge || v == whole {
			t.Fatalf("control: of %g, λ = %g is chosen", from, v)
		}
		if v, edge, _ := best(Ridge(from...).Extendable(5)); edge || math.Abs(math.Log10(v/whole)) > 0.6 {
			t.Errorf("%g grows to λ = %g, at an end: %v; of all values %g is chosen", from, v, edge, whole)
		}
		if v, edge, tried := best(Ridge(from...).Extendable(0.5)); !edge || tried != len(from)+1 {
			t.Errorf("%g may grow by half a decade: λ = %g, at an end: %v, %d tried", from, v, edge, tried)
		}
	}
}

func TestOnly(t *testing.T) {
	p := &mkl.Problem{Grams: uncentered.Bind(comparetest.OverlappingClasses(8, 2, 4).X)}
	for _, c := range []struct {
		s    set.Set
		want []float64
	}{{set.Simplex{Sum: 2}, []float64{0, 2}}, {set.Orthant{}, []float64{0, 1}},
		{set.Ball{Q: 2, Radius: 3}, []float64{0, 3}}} {
		q := *p
		q.Set = c.s
		if got, err := (SingleKernel{Kernel: 1}).Weights(t.Context(), &q); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("only the second kernel on %T: %v, %v, want %v", c.s, got, err, c.want)
		}
	}
	q := *p
	q.Set = set.Ball{Q: 2, Radius: 0.5, Center: []float64{1, 1}}
	if got, err := (SingleKernel{Kernel: 1}).Weights(t.Context(), &q); err == nil {
		t.Errorf("a ball in which no kernel is alone gives %v without an error", got)
	}
}

// TestChoiceByLogLoss compares cells with the log loss of the values at the held-out points of all folds: the value
// with the smallest one is chosen. On some data it is not the value that the RMSE chooses.
func TestChoiceByLogLoss(t *testing.T) {
	lambdas, others := []float64{10, 1, 0.1, 0.01}, 0
	for seed := range uint64(4) {
		d := comparetest.OverlappingClasses(60, 2, seed)
		choiceBy := func(by model.Metric) *Choice {
			return chosen(t, d, Settings{Selection: Selection{Folds: 3, By: by}}, Method{Name: "m",
				Fitter: Search{Family: uncentered, Grid: Grid{Ridge(lambdas...), Rules(mkl.Uniform{})}}})
		}
		c, want := choiceBy(model.LogLoss), make([]float64, len(lambdas))
		values, y := make([][]float64, len(lambdas)), []float64(nil)
		p := &mkl.Problem{Grams: uncentered.Bind(d.X), Y: d.Y}
		for _, s := range must(KFold(d.Y, 3, 0)) {
			y = append(y, points.Pick(d.Y, s.Test)...)
			for i, lambda := range lambdas {
				q := &mkl.Problem{Grams: p.Grams.Slice(s.Train), Y: points.Pick(d.Y, s.Train), Set: set.Simplex{},
					Loss: loss.Squared{Lambda: lambda}}
				r, f := must(mkl.EvaluateRule(t.Context(), q, mkl.Uniform{}, 0)), make([]float64, len(s.Test))
				of := predictor{allGrams: p.Grams, predictedIndices: s.Test, dualIndices: s.Train}
				of.predict(f, r, []float64{0})
				values[i] = append(values[i], f...)
			}
		}
		for i, cell := range c.cells {
			want[i] = model.ScoreCalibrated(values[i], y, nil, model.TargetEncoding{Classes: 2}).LogLoss
			if got := cell.Error(model.LogLoss); !(math.Abs(got-want[i]) < 1e-9) {
				t.Errorf("seed %d, λ = %g: the log loss is %.9g, want %.9g", seed, lambdas[i], got, want[i])
			}
		}
		if best := lambdas[floats.MinIdx(want)]; c.chosenValue != best {
			t.Errorf("seed %d: λ = %g is chosen, and %g has the smallest log loss of %g", seed, c.chosenValue, best,
				want)
		}
		if choiceBy("").chosenValue != c.chosenValue {
			others++
		}
	}
	if others == 0 {
		t.Error("the log loss chooses as the RMSE does on all data, so this test shows no difference")
	}
}
