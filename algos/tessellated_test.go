package algos_test

import (
	"math"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/mklnb/mkl/algos/kernel/tessellated"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/mkl/mkltest"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/floats"
)

// tessellatedProblem is one of n points of d features with labels.
func tessellatedProblem(n, d int, f tessellated.Family) (*mkl.Problem, points.Rows) {
	x, y := mkltest.Points(n, d, 9)
	for i, v := range y {
		y[i] = math.Copysign(1, v)
	}
	return &mkl.Problem{Grams: f.Bind(x), Set: set.Spectraplex{}, Loss: loss.Hinge{C: 1}, Y: y}, x
}

// TestTessellatedModel: a model goes to a file and comes back, and predicts points outside the box too.
func TestTessellatedModel(t *testing.T) {
	for _, f := range []tessellated.Family{
		{Degree: 2, Metric: tessellated.Balanced, Unit: true}, {Degree: 1, Basis: tessellated.ZX, Unit: true}} {
		p, x := tessellatedProblem(60, 4, f)
		r, err := mkl.Solve(t.Context(), p, mkl.FrankWolfe{}, &mkl.Settings{Gap: 1e-2})
		if err != nil {
			t.Fatal(err)
		}
		m := &model.Model{Family: f, X: x, Theta: r.Kernel, W: r.W, Bias: r.Bias, Classes: []string{"−", "+"}}
		file := filepath.Join(t.TempDir(), "model.json")
		if err := m.Save(file); err != nil {
			t.Fatal(err)
		}
		l, err := model.Load(file)
		if err != nil {
			t.Fatal(err)
		}
		z, _ := mkltest.Points(30, 4, 10)
		z.Data[5] = 40 // far outside
		a, err := m.Predict(z)
		if err != nil {
			t.Fatal(err)
		}
		b, err := l.Predict(z)
		if err != nil || !floats.Equal(a, b) {
			t.Errorf("predictions of the stored model differ by %g (%v)", floats.Distance(a, b, 2), err)
		}
		if _, err := m.Prune(); err != nil {
			t.Error(err)
		}
	}
}

// TestTessellatedMemory: a fit of n points takes at most 4n² numbers and a few of the size of θ.
func TestTessellatedMemory(t *testing.T) {
	const n = 1500
	p, _ := tessellatedProblem(n, 8, tessellated.Family{Degree: 1, Unit: true})
	floats := maxLive(t, p, mkl.FrankWolfe{}, mkl.Settings{Gap: 5e-2, Iterations: 6})
	if floats > 4*n*n {
		t.Errorf("%.2f n² numbers", floats/n/n)
	} else {
		t.Logf("%.2f n² numbers", floats/n/n)
	}
}

// maxLive returns the largest amount of memory, in numbers of 8 bytes, that a solve holds between its steps in addition
// to the memory in use before it. Pooled work space is not counted, because other solves can use it.
func maxLive(t *testing.T, p *mkl.Problem, s mkl.Solver, settings mkl.Settings) float64 {
	t.Helper()
	var before, after runtime.MemStats
	runtime.GC()
	runtime.GC() // a second collection empties the pools too
	runtime.ReadMemStats(&before)
	largest := before.HeapAlloc
	settings.Watch = func(*mkl.Iterate) bool {
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&after)
		largest = max(largest, after.HeapAlloc)
		return false
	}
	if _, err := mkl.Solve(t.Context(), p, s, &settings); err != nil {
		t.Fatal(err)
	}
	return float64(largest-before.HeapAlloc) / 8
}
