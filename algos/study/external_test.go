package study

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/registry"
	"github.com/mklnb/mkl/data"
)

// hinge is a loss that the library does not have: the SVM without bias,
//
//	D(α) = Σα_i,  0 ≤ α ≤ C,  w = y∘α,
//
// by coordinate ascent. Whatever w it starts from is cut into the box.
type hinge struct{ C float64 }

func init() { registry.Register(hinge{}) }

// sweeps counts passes over the points, of warm and cold starts.
var sweeps atomic.Int64

func (h hinge) String() string { return fmt.Sprintf("hinge, C=%.4g", h.C) }

func (h hinge) Constant() (string, float64)    { return "C", h.C }
func (hinge) WithConstant(c float64) loss.Loss { return hinge{c} }

func (h hinge) Validate(y []float64) error {
	if !(h.C > 0) {
		return fmt.Errorf("hinge: C = %g, want > 0", h.C)
	}
	for i, v := range y {
		if v != 1 && v != -1 {
			return fmt.Errorf("hinge: target %d is %g, want a label ±1", i+1, v)
		}
	}
	return nil
}

func (h hinge) Solve(_ context.Context, s *loss.Solution, g loss.Gram, y []float64, tol float64) error {
	if len(s.W) != len(y) {
		s.W = make([]float64, len(y))
	}
	k := g.K()
	for i, v := range y {
		s.W[i] = v * math.Min(math.Max(v*s.W[i], 0), h.C)
	}
	for range 100000 {
		h.Judge(s, g, y, nil)
		if s.Primal-s.Dual() <= tol*math.Max(1, math.Abs(s.Dual())) {
			break
		}
		sweeps.Add(1)
		for i, v := range y {
			f := 0.0
			for j, w := range s.W {
				f += k.At(i, j) * w
			}
			s.W[i] = v * math.Min(math.Max(v*s.W[i]+(1-v*f)/k.At(i, i), 0), h.C)
		}
	}
	return nil
}

func (hinge) Traits() loss.Traits     { return loss.Traits{} }
func (h hinge) Slice([]int) loss.Loss { return h }

func (h hinge) Judge(s *loss.Solution, g loss.Gram, y, _ []float64) {
	k := g.K()
	s.Lin, s.Quad, s.WKW, s.Bias = 0, 0, 0, 0
	slack := 0.0
	for i, v := range y {
		f := 0.0
		for j, w := range s.W {
			f += k.At(i, j) * w
		}
		s.Lin += v * s.W[i]
		s.WKW += s.W[i] * f
		slack += math.Max(0, 1-v*f)
	}
	s.Primal = s.WKW/2 + h.C*slack
}

// svm is that loss on a path of C.
func svm(c ...float64) Path {
	return Losses(hinge{}, c...)
}

// moons are two noisy half circles.
func moons(n int, seed uint64) *data.Dataset {
	rng := rand.New(rand.NewPCG(seed, 0))
	var rows [][]float64
	var y []float64
	for i := range n {
		t, v := math.Pi*rng.Float64(), float64(2*(i%2)-1)
		rows = append(rows, []float64{v*math.Cos(t) + 0.3*rng.NormFloat64() + v/2, v*math.Sin(t) + 0.3*rng.NormFloat64()})
		y = append(y, v)
	}
	return &data.Dataset{Name: "moons", X: kernel.NewRows(rows), Y: y, Classes: []string{"lower", "upper"}}
}

// A loss from outside beside ridge in one table, learned and by a rule; resumed from its store; and
// the cells of one never read by the other.
func TestLossFromOutside(t *testing.T) {
	d := moons(40, 1)
	bases := kernel.List{kernel.RBF{Gamma: 0.2}, kernel.RBF{Gamma: 2}}
	values := []float64{0.1, 1, 10}
	methods := func(a Path) []Method {
		return []Method{
			{Name: a.String(), Family: bases, Grid: Grid{a}, Solver: mkl.SPG{Force: true}},
			{Name: a.String() + ", uniform", Family: bases, Grid: Grid{a, Rules(mkl.Uniform{})}},
		}
	}
	s := &Study{Data: d, Splits: must(Halves(d.Y, 3, 1)), Store: t.TempDir(), Workers: 2,
		Selection: Selection{Folds: 3, By: ErrorRate}}
	run := func(want int) *Table {
		t.Helper()
		stored := 0
		table := must(s.Run(context.Background(), func(p Progress) { stored = p.Stored }))
		if stored != want {
			t.Errorf("%d tasks were stored, want %d", stored, want)
		}
		table.Seconds = 0
		return table
	}
	tasks := 2 * 3 * (3 + 1) // methods, splits, folds and the fit
	s.Methods = methods(Ridge(values...))
	run(0)
	s.Methods = methods(svm(values...))
	run(0)
	s.Methods = append(s.Methods, methods(Ridge(values...))...)
	both := run(2 * tasks)
	if again := run(2 * tasks); !reflect.DeepEqual(again, both) {
		t.Errorf("resumed:\n%v\nat first:\n%v", again, both)
	}
	for _, r := range both.Rows {
		if a := both.Summary(r.Method, Accuracy).Mean; a < 0.8 || len(r.Runs) != 3 {
			t.Errorf("%s has accuracy %v on %d splits, want at least 0.8 on 3", r.Method, a, len(r.Runs))
		}
	}
	if text := both.String(); !strings.Contains(text, "C = ") || !strings.Contains(text, "λ = ") {
		t.Errorf("the table does not name the constants:\n%s", text)
	}
	if !both.Certified() {
		t.Errorf("not certified:\n%v", both)
	}
	s.Methods, s.Selection.Folds = methods(svm(values...)), LeaveOneOut
	if _, err := s.Run(context.Background(), nil); err == nil || !strings.Contains(err.Error(), "hinge, C=0.1 has no leave-one-out") {
		t.Errorf("leave-one-out of the hinge loss: %v", err)
	}
}

// Along a path of C each solve starts at the dual coefficients of the one before: together they take
// fewer sweeps than each from the start, and find the same.
func TestPathIsWarmInW(t *testing.T) {
	d := moons(60, 2)
	p := &mkl.Problem{Grams: kernel.List{kernel.RBF{Gamma: 0.5}}.On(d.X), Y: d.Y}
	values := []float64{1, 1.1, 1.2, 1.3, 1.4, 1.5}
	for name, rest := range map[string]Grid{"solver": {}, "rule": {Rules(mkl.Uniform{})}} {
		m := Method{Gap: 1e-6}
		if len(rest) == 0 {
			m.Solver = mkl.SPG{Force: true}
		}
		try := func(g Grid) *Curve {
			m.Grid = g
			return must(CrossValidate(context.Background(), p, m, Selection{Folds: 4}, 1))
		}
		sweeps.Store(0)
		warm := try(append(Grid{svm(values...)}, rest...))
		took := sweeps.Swap(0)
		for i, v := range values {
			cold := try(append(Grid{svm(v)}, rest...)).Cells[0]
			if math.Abs(cold.RMSE()-warm.Cells[i].RMSE()) > 1e-2*cold.RMSE() {
				t.Errorf("%s, C = %g: RMSE %v from the answer before, %v from the start", name, v, warm.Cells[i].RMSE(), cold.RMSE())
			}
		}
		if alone := sweeps.Load(); float64(took) > 0.9*float64(alone) {
			t.Errorf("%s: %d sweeps along the path, %d each from the start: want clearly fewer", name, took, alone)
		}
	}
}

// A path grows where its end is chosen, by the spacing of its values, and says where it may not.
func TestPathGrows(t *testing.T) {
	d := moons(60, 3)
	p := &mkl.Problem{Grams: kernel.List{kernel.RBF{Gamma: 0.5}}.On(d.X), Y: d.Y}
	best := func(a Path) (value float64, edge bool, tried int) {
		c := must(CrossValidate(context.Background(), p, Method{Grid: Grid{a}}, Selection{Folds: 4}, 1))
		return c.Cells[c.Best].Value, c.Edge, len(c.Cells)
	}
	whole, _, _ := best(Ridge(HalfDecades(-3, 3)...))
	for _, from := range [][]float64{HalfDecades(-3, -2), HalfDecades(2, 3)} {
		if v, edge, _ := best(Ridge(from...)); !edge || v == whole {
			t.Fatalf("control: of %g, λ = %g is chosen", from, v)
		}
		if v, edge, _ := best(Ridge(from...).Growing(5)); edge || math.Abs(math.Log10(v/whole)) > 0.6 {
			t.Errorf("%g grows to λ = %g, at an end: %v; of all values %g is chosen", from, v, edge, whole)
		}
		if v, edge, tried := best(Ridge(from...).Growing(0.5)); !edge || tried != 4 {
			t.Errorf("%g may grow by half a decade: λ = %g, at an end: %v, %d values tried, want 4", from, v, edge, tried)
		}
	}
}
