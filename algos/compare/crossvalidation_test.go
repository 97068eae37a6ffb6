package compare

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"github.com/mklnb/mkl/algos/compare/comparetest"
)

// uncentred is a problem whose family fits nothing to its points.
func uncentred(n int) *mkl.Problem {
	d := comparetest.Clouds(n, 2, 4)
	return &mkl.Problem{Grams: kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 0.5}}.On(d.X), Set: set.Simplex{},
		Loss: loss.Squared{Lambda: 1}, Y: d.Y}
}

// Leave-one-out from one factorisation is as many folds as points, of a family that fits nothing to them: for rules, of
// two classes and of three.
func TestLeaveOneOutIsFolds(t *testing.T) {
	family := kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 0.2}}
	path := Ridge(HalfDecades(-2, 1)...)
	for i, c := range []struct {
		d *data.Dataset
		m Method
	}{
		{comparetest.Clouds(20, 2, 4), Method{Grid: Grid{path, Rules(mkl.Uniform{})}}},
		{comparetest.Clouds(20, 2, 4), Method{Grid: Grid{path, SingleKernels{}}}},
		{comparetest.Clusters(3, 5, 4, 1, 8), Method{Grid: Grid{path, Rules(mkl.Uniform{})}, Multiclass: OneVsRest}},
		{comparetest.Clusters(3, 5, 4, 1, 8), Method{Grid: Grid{path, Rules(mkl.Uniform{})}, Multiclass: OneVsOne}},
	} {
		n := c.d.Len()
		c.m.Name, c.m.Family = "m", family
		cells := func(folds int) []Cell {
			return chosen(t, &Study{Data: c.d, Methods: []Method{c.m}, Selection: Selection{Folds: folds}}, 0).cells
		}
		a, b := cells(LeaveOneOut), cells(n)
		if len(a) != len(b) || bestIndex(a, RMSE) != bestIndex(b, RMSE) {
			t.Errorf("case %d: best cell %d of %d, by folds %d of %d", i, bestIndex(a, RMSE), len(a),
				bestIndex(b, RMSE), len(b))
		}
		for k, cell := range a {
			if math.Abs(cell.RMSE()-b[k].RMSE()) > 1e-9 || cell.Wrong != b[k].Wrong || cell.N != n {
				t.Errorf("case %d: leave-one-out %+v, by folds %+v", i, cell, b[k])
			}
		}
	}
}

// With the mean taken away the labels are not ±1; the errors of signs are those of labels.
func TestLeaveOneOutCountsLabels(t *testing.T) {
	d := comparetest.Clouds(30, 2, 4)
	d.Y[0], d.Y[2], d.Y[4] = 1, 1, 1 // a mean that is not 0
	family := kernel.List{kernel.Linear{}}
	c := chosen(t, &Study{Data: d, Selection: Selection{Folds: LeaveOneOut}, CentreTargets: true,
		Methods: []Method{{Name: "m", Family: family, Grid: Grid{Ridge(0.1, 1), Rules(mkl.Uniform{})}}}}, 0)
	wrong, y := 0.0, slices.Clone(d.Y)
	floats.AddConst(-stat.Mean(d.Y, nil), y)
	pt := (&mkl.Problem{Grams: family.On(d.X), Set: set.Simplex{}, Loss: loss.Squared{Lambda: 0.1}, Y: y}).NewPoint()
	pt.Theta[0] = 1
	res := make([]float64, len(d.Y))
	if err := pt.Evaluate(nil, 1e-8); err != nil || !pt.LeaveOneOut(res) {
		t.Fatal(err)
	}
	for i, v := range d.Y {
		if f := v - res[i]; (f >= 0) != (v > 0) { // f₋ᵢ + mean
			wrong++
		}
	}
	if c.cells[1].Wrong != wrong {
		t.Errorf("%g wrong signs, by hand %g", c.cells[1].Wrong, wrong)
	}
}

// The cells are those of slicing, solving and predicting one by one from the start.
func TestCrossValidateByHand(t *testing.T) {
	p := uncentred(24)
	radii := []float64{0.5, 3}
	m := Method{Grid: Grid{Ridge(0.1, 1, 10), Balls(2, 1, radii...)}, Gap: 1e-9}
	c := must(CrossValidate(context.Background(), p, m, Selection{Folds: 3}, 7))
	want := make([]float64, len(c.Cells))
	for _, s := range must(KFold(p.Y, 3, 7)) {
		for i, cell := range c.Cells {
			q := must(p.Slice(s.Train))
			q.Set, q.Loss = set.Ball{Q: 2, Radius: radii[i/3],
				Center: []float64{1, 1}}, loss.Squared{Lambda: cell.Value}
			r := must(mkl.Solve(context.Background(), q, mkl.SPG{}, &mkl.Settings{Gap: 1e-9}))
			f := make([]float64, len(s.Test))
			newPredictor(p.Grams.Block(s.Test, s.Train), len(f), len(s.Train)).predict(f, r, []float64{0})
			for k, row := range s.Test {
				want[i] += (f[k] - p.Y[row]) * (f[k] - p.Y[row])
			}
		}
	}
	low := 0
	for i, cell := range c.Cells {
		if math.Abs(cell.Square-want[i]) > 1e-5*want[i] || cell.N != 24 { // solves to a gap of 1e-9 from other starts
			t.Errorf("cell %+v, by hand %v", cell, want[i])
		}
		if want[i] < want[low] {
			low = i
		}
	}
	if c.Best != low || c.Chosen.Loss.(loss.Squared).Lambda != c.Cells[low].Value ||
		c.Chosen.Set.(set.Ball).Radius != radii[low/3] {
		t.Errorf("best %d with %v and %v, by hand cell %d", c.Best, c.Chosen.Loss, c.Chosen.Set, low)
	}
}

func TestCrossValidateErrors(t *testing.T) {
	p, ridge := uncentred(12), Grid{Ridge(1, 2)}
	q := *p
	q.Y = q.Y[1:]
	stopped, cancel := context.WithCancel(context.Background())
	cancel()
	for _, c := range map[string]struct {
		ctx  context.Context
		p    *mkl.Problem
		grid Grid
		how  Selection
		want string
	}{
		"no problem": {t.Context(), nil, ridge, Selection{}, "no problem"},
		"lengths":    {t.Context(), &q, ridge, Selection{}, "got 11 targets for 12 points"},
		"folds":      {t.Context(), p, ridge, Selection{Folds: 13}, "13 folds for 12 points"},
		"λ":          {t.Context(), p, Grid{Ridge(-1)}, Selection{}, "λ = -1"},
		"near":       {t.Context(), p, Grid{Ridge(1).WithinDecades("a", 1)}, Selection{}, "no other method"},
		"stopped":    {stopped, p, ridge, Selection{}, "context canceled"},
	} {
		says(t, failure(CrossValidate(c.ctx, c.p, Method{Grid: c.grid}, c.how, 1)), c.want)
	}
}

// Errors at points left out have the weights that the loss gives these points, by solves of each fold one
// by one, and so has the choice.
func TestCrossValidateWeighted(t *testing.T) {
	d := comparetest.Clouds(40, 2, 4)
	w := make([]float64, 40)
	for i := range w { // a rare class in the midst of the other, in need of weights
		w[i], d.Y[i] = 0.5, -1
		if x := d.X.(points.Rows).Row(i); x[0]+3*math.Sin(float64(7*i)) > 2 {
			w[i], d.Y[i] = 3, 1
		}
	}
	p := &mkl.Problem{Grams: kernel.List{kernel.RBF{Gamma: 0.5}}.On(d.X), Set: set.Simplex{}, Y: d.Y}
	constants := []float64{0.003, 0.01, 0.1, 1, 100}
	m := Method{Grid: Grid{Losses(loss.Hinge{Weights: w}, constants...), Rules(mkl.Uniform{})}}
	c := must(CrossValidate(t.Context(), p, m, Selection{Folds: 4, By: ErrorRate}, 7))
	plain, wrong := make([]float64, 5), make([]float64, 5)
	for _, s := range must(KFold(p.Y, 4, 7)) {
		for i, v := range constants {
			q := must(p.Slice(s.Train))
			q.Loss = loss.Hinge{C: v, Weights: points.Pick(w, s.Train)}
			f := make([]float64, len(s.Test))
			r := must(mkl.EvaluateRule(t.Context(), q, mkl.Uniform{}, 0))
			newPredictor(p.Grams.Block(s.Test, s.Train), len(f), len(s.Train)).predict(f, r, []float64{0})
			for k, row := range s.Test {
				if (f[k] >= 0) != (p.Y[row] > 0) {
					plain[i]++
					wrong[i] += w[row]
				}
			}
		}
	}
	for i, cell := range c.Cells {
		if cell.Wrong != wrong[i] || math.Abs(cell.Weight-floats.Sum(w)) > 1e-12 || cell.N != 40 {
			t.Errorf("C = %g: %+v, by hand %g of %g", cell.Value, cell, wrong[i], floats.Sum(w))
		}
	}
	least := slices.Min(wrong)
	if wrong[c.Best] != least {
		t.Errorf("the best is C = %g, by hand one of %v", c.Cells[c.Best].Value, wrong)
	}
	if wrong[slices.Index(plain, slices.Min(plain))] == least {
		t.Errorf("plain errors %v choose as weighted ones %v do: nothing is tested", plain, wrong)
	}
}

func TestBest(t *testing.T) {
	cells := []Cell{{Square: 5, N: 10, Wrong: 1}, {Square: 3, N: 10, Wrong: 2}, {Square: 1, Failed: 1},
		{Square: 4, N: 10, Wrong: 1}, {Square: 3, N: 10, Wrong: 9}, {Square: math.NaN()}}
	if got := bestIndex(cells, RMSE); got != 1 {
		t.Errorf("smallest RMSE at %d, want 1", got)
	}
	if got := bestIndex(cells, ErrorRate); got != 3 {
		t.Errorf("smallest error rate at %d, want 3, which has the smaller RMSE of two", got)
	}
	if got := bestIndex(cells[2:3], RMSE); got != -1 {
		t.Errorf("of cells that failed %d is best, want none", got)
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

// A matrix that is not positive definite to working precision is left out, not an error.
func TestFailedCells(t *testing.T) {
	x := points.Rows{N: 12, D: 11, Data: make([]float64, 12*11)}
	for i := range x.N {
		x.Data[11*i] = float64(1 + i%3) // of rank 1, and no root with fewer columns than points
	}
	p := &mkl.Problem{Grams: kernel.Features{}.On(x), Set: set.Simplex{}, Loss: loss.Squared{Lambda: 1},
		Y: labels(12, 6)}
	c := must(CrossValidate(context.Background(), p, Method{Grid: Grid{Ridge(1e-40, 1), Rules(mkl.Uniform{})}},
		Selection{Folds: 3}, 1))
	if c.Cells[0].Failed != 0 || c.Cells[1].Failed != 3 || c.Best != 0 {
		t.Errorf("cells %+v, best %d, want the second to have failed in 3 folds", c.Cells, c.Best)
	}
	_, err := CrossValidate(t.Context(), p, Method{Grid: Grid{Ridge(1e-40, 1e-41), Rules(mkl.Uniform{})}},
		Selection{Folds: 3}, 1)
	says(t, fmt.Sprint(err), "not positive definite anywhere on the grid")
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

// Along a path of C each solve starts at the dual coefficients of the one before, of a solver and of a rule.
func TestPathIsWarmInW(t *testing.T) {
	for name, rest := range map[string]Grid{"solver": nil, "rule": {Rules(mkl.Uniform{})}} {
		cold := func(values ...float64) int64 {
			l := counted{cold: &atomic.Int64{}}
			m := Method{Grid: append(Grid{Losses(l, values...)}, rest...)}
			if rest == nil {
				m.Solver = mkl.SPG{Force: true}
			}
			must(CrossValidate(t.Context(), uncentred(40), m, Selection{Folds: 4}, 1))
			return l.cold.Load()
		}
		if path, one := cold(1, 1.1, 1.2, 1.3), cold(1); path != one || one == 0 {
			t.Errorf("%s: %d solves along the path start without w, %d at one value", name, path, one)
		}
	}
}

// A path grows where its end is chosen, by the spacing of its values, and says where it may not. One value is tried
// too.
func TestPathGrows(t *testing.T) {
	p := uncentred(60)
	best := func(a Path) (value float64, edge bool, tried int) {
		c := must(CrossValidate(t.Context(), p, Method{Grid: Grid{a}}, Selection{Folds: 4}, 1))
		return c.Cells[c.Best].Value, c.Edge, len(c.Cells)
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
	if v, edge, tried := best(Ridge(1)); v != 1 || edge || tried != 1 {
		t.Errorf("of λ = 1 alone: %g, at an end: %v, %d tried", v, edge, tried)
	}
}

// From μ₀ = 1, on the sphere of radius 2, to that of radius 6.
func TestScaled(t *testing.T) {
	at := []float64{1, 1}
	from, to := set.Ball{Q: 2, Radius: 2, Center: at}, set.Ball{Q: 2, Radius: 6, Center: at}
	if got := scaleToBall(&mkl.Result{Theta: []float64{3, 1}}, from, to).Theta; !slices.Equal(got, []float64{7, 1}) {
		t.Errorf("(3, 1) of radius 2 becomes %v of radius 6, want (7, 1)", got)
	}
	// 1 + 3(0 − 1) is below 0, where K(θ) need not be positive semidefinite.
	if got := scaleToBall(&mkl.Result{Theta: []float64{0, 2}}, from, to).Theta; got[0] < 0 || !(got[1] > 2) {
		t.Errorf("(0, 2) of radius 2 becomes %v of radius 6, want it in θ ≥ 0", got)
	}
	start := &mkl.Result{Theta: []float64{0.5, 0.5}}
	if got := scaleToBall(start, set.Simplex{}, set.Simplex{}).Theta; !slices.Equal(got,
		[]float64{0.5, 0.5}) {
		t.Errorf("a start on the simplex becomes %v", got)
	}
}

func TestOnly(t *testing.T) {
	p := uncentred(8)
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
}

func ExampleCrossValidate() {
	d := data.Rings(80, 7)
	p := &mkl.Problem{Grams: kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 1}}.On(d.X), Set: set.Simplex{},
		Loss: loss.Squared{Lambda: 1}, Y: d.Y}
	c, err := CrossValidate(context.Background(), p, Method{Grid: Grid{Ridge(0.01, 1, 100)}}, Selection{Folds: 5}, 7)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, cell := range c.Cells {
		fmt.Printf("λ = %-4g RMSE %.2f\n", cell.Value, cell.RMSE())
	}
	fmt.Println("best:", c.Chosen.Loss)
	// Output:
	// λ = 100  RMSE 0.96
	// λ = 1    RMSE 0.41
	// λ = 0.01 RMSE 0.39
	// best: squared loss, λ=0.01
}
