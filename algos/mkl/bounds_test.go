package mkl_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/floats"
)

// random is n points of m features and targets, all normal.
func random(n, m int, seed uint64) (points.Rows, []float64) {
	r := rand.New(rand.NewPCG(seed, 1))
	x := points.Rows{N: n, D: m, Data: make([]float64, n*m)}
	for i := range x.Data {
		x.Data[i] = r.NormFloat64()
	}
	y := make([]float64, n)
	for i := range y {
		y[i] = r.NormFloat64()
	}
	return x, y
}

// TestStartsOutside: for degrees above 1 no bound taken at a start outside Θ, negative coordinates
// included, is above the minimum, and the run from there ends as well as another.
func TestStartsOutside(t *testing.T) {
	seeds := uint64(150)
	if testing.Short() {
		seeds = 30
	}
	for seed := range seeds {
		x, y := random(6, 3, seed)
		r := rand.New(rand.NewPCG(seed, 2))
		d := 2 + int(seed%2)
		p := &mkl.Problem{Grams: kernel.Features{Degree: d}.On(x), Set: set.Ball{Q: float64(d), Radius: 1},
			Loss: loss.Squared{Lambda: 0.5}, Y: y}
		best, err := mkl.Solve(ctx, p, mkl.SPG{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		theta := make([]float64, 3)
		for k := range theta {
			theta[k] = r.NormFloat64()
		}
		got, err := mkl.Solve(ctx, p, mkl.SPG{}, &mkl.Settings{Theta: theta})
		switch {
		case errors.Is(err, loss.ErrNotPSD): // K at the start
		case err != nil:
			t.Errorf("seed %d from %v: %v", seed, theta, err)
		case got.Lower > best.Upper || best.Lower > got.Upper || got.Infeasible:
			t.Errorf("seed %d from %v: [%g, %g] outside %t, from Start [%g, %g]", seed, theta, got.Lower, got.F,
				got.Infeasible, best.Lower, best.F)
		}
	}
}

// TestFewFeatures: of many points with few features no n×n matrix is made, not for a certificate either.
func TestFewFeatures(t *testing.T) {
	x, y := random(3000, 5, 1)
	for i := range y {
		y[i] = 0.1*y[i] + x.Row(i)[0]
	}
	p := &mkl.Problem{Grams: kernel.Features{}.On(x), Set: set.Simplex{}, Loss: loss.Squared{Lambda: 1e-3}, Y: y}
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
	p := &mkl.Problem{Grams: kernel.List{near(3e-12), near(2e-12)}.On(points.AllIndices(2)), Set: set.Simplex{},
		Loss: loss.Squared{Lambda: 1e-11}, Y: []float64{1, -1}}
	r, err := mkl.Solve(ctx, p, mkl.SPG{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if math.IsInf(r.Upper, 1) || r.Kind != mkl.Global {
		t.Errorf("%v", r)
	}
}

// slope is r(θ) = ⟨c,θ⟩, a regularizer that is not quadratic.
type slope struct{ c []float64 }

func (slope) Validate(int) error { return nil }
func (s slope) Value(grad, theta []float64) float64 {
	if grad != nil {
		floats.Add(grad, s.c)
	}
	return floats.Dot(s.c, theta)
}

// TestNothingGlobal: an argument that gives no bound does not make a certificate global, and a run whose
// residual is as small as asked ends as stationary.
func TestNothingGlobal(t *testing.T) {
	x, y := random(20, 3, 5)
	p := &mkl.Problem{Grams: kernel.Features{}.On(x), Set: set.Orthant{}, Reg: slope{[]float64{0.3, 0.3, 0.3}},
		Loss: loss.Squared{Lambda: 0.5}, Y: y}
	r, err := mkl.Solve(ctx, p, mkl.SPG{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if r.Kind == mkl.Global && math.IsInf(r.Lower, -1) || r.Kind == mkl.FirstOrder && r.Status != mkl.Stationary {
		t.Errorf("%v, lower %g", r, r.Lower)
	}
}

// TestRuleIsOnePoint: what EvaluateRule returns is of one α: its upper bound follows from its θ and W.
func TestRuleIsOnePoint(t *testing.T) {
	for seed := range uint64(40) {
		x, y := random(20, 4, seed)
		floats.Scale(math.Pow(10, float64(seed%7)), x.Data)
		p := &mkl.Problem{Grams: kernel.Features{Degree: 2}.On(x), Set: set.Ball{Q: 2, Radius: 1},
			Loss: loss.Squared{Lambda: 1e-2}, Y: y}
		r, err := mkl.EvaluateRule(t.Context(), p, mkl.Uniform{}, 0)
		if errors.Is(err, loss.ErrNotPSD) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if math.IsInf(r.Upper, 1) {
			continue
		}
		pt := p.NewPoint()
		copy(pt.Theta, r.Theta)
		if err := pt.Evaluate(nil, 0); err != nil {
			t.Fatal(err)
		}
		copy(pt.W, r.W)
		p.Loss.Evaluate(&pt.Solution, pt.Gram, y, nil)
		if primal := pt.Primal; primal > r.Upper+2*pt.Rounding.Primal ||
			r.Upper > primal+4*pt.Rounding.Primal+1e-9*primal {
			t.Errorf("seed %d: upper bound %.10g, of θ and W %.10g ± %.2g", seed, r.Upper, primal, pt.Rounding.Primal)
		}
		if r.Rounding > r.Gap() {
			t.Errorf("seed %d: %g of a gap of %g is rounding", seed, r.Rounding, r.Gap())
		}
	}
}
