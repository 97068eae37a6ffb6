package mkl_test

import (
	"math"
	"runtime"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/mkl/mkltest"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"
)

// TestFewFeatures: of many points with few features no n×n matrix is made, not for a certificate either.
func TestFewFeatures(t *testing.T) {
	x, y := mkltest.RandomPoints(3000, 5, 1)
	p := &mkl.Problem{Grams: kernel.Features{}.Bind(x), Set: set.Simplex{}, Loss: loss.Squared{Lambda: 1e-3}, Y: y}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r, err := mkl.Solve(ctx, p, mkl.SPG{}, nil)
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(err)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 3000*3000*8/2 {
		t.Errorf("%d bytes allocated, half of an n×n matrix or more: %v", used, r)
	}
}

// TestNearlyIndefinite: a base matrix may miss being positive semidefinite by ¾λ by the bound of its
// rounding, and not by a Cholesky factor of K + ½λI: that proves enough.
func TestNearlyIndefinite(t *testing.T) {
	near := func(e float64) kernel.Kernel {
		return kernel.Precomputed{N: 2, Data: []float64{1, 1 + e, 1 + e, 1}}
	}
	p := &mkl.Problem{Grams: kernel.List{near(3e-12), near(2e-12)}.Bind(points.AllIndices(2)), Set: set.Simplex{},
		Loss: loss.Squared{Lambda: 1e-11}, Y: []float64{1, -1}}
	r := must(mkl.Solve(ctx, p, mkl.SPG{}, nil))
	if math.IsInf(r.Upper, 1) || r.Kind != mkl.Global {
		t.Errorf("%v", r)
	}
}

// TestNothingGlobal: an argument that gives no bound does not make a certificate global, and a run whose
// residual is as small as asked ends as stationary.
func TestNothingGlobal(t *testing.T) {
	x, y := mkltest.RandomPoints(20, 3, 5)
	p := &mkl.Problem{Grams: kernel.Features{}.Bind(x), Set: set.Orthant{}, Reg: slant{[]float64{0.3, 0.3, 0.3}},
		Loss: loss.Squared{Lambda: 0.5}, Y: y}
	r := must(mkl.Solve(ctx, p, mkl.SPG{}, nil))
	if r.Kind == mkl.Global && math.IsInf(r.Lower, -1) || r.Kind == mkl.FirstOrder && r.Status != mkl.Stationary {
		t.Errorf("%v, lower %g", r, r.Lower)
	}
}
