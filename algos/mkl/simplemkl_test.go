package mkl_test

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/mkl/mkltest"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"
)

// simplexCases are those of kinked on a simplex, and of the squared loss.
func simplexCases() (cs []mkltest.Case) {
	for _, c := range append(kinked(), mkltest.Cases()...) {
		if _, ok := c.Set.(set.Simplex); ok {
			cs = append(cs, c)
		}
	}
	return cs
}

func TestReducedGradient(t *testing.T) {
	var smooth []mkltest.Case
	for _, c := range simplexCases() {
		if !strings.HasPrefix(c.Name, "features, ") { // kinks: see below
			smooth = append(smooth, c)
		}
	}
	mkltest.TestSolver(t, mkl.ReducedGradient{}, mkltest.Options{Cases: smooth, Gap: 1e-5, MaxWarmStartSteps: 20})
}

// TestReducedGradientVertices: matrices of rank one, of which the best is often alone, with the slope of r and
// without, and targets that are all 0, which leave r.
func TestReducedGradientVertices(t *testing.T) {
	const n, m = 12, 5
	rng := rand.New(rand.NewPCG(4, 4))
	var columns kernel.List
	for k := range m {
		columns = append(columns, kernel.Linear{Columns: []int{k}})
	}
	for draw := range 40 {
		x, c, y := points.Rows{N: n, D: m, Data: make([]float64, n*m)}, make([]float64, m), make([]float64, n)
		for i := range x.Data {
			x.Data[i] = rng.NormFloat64()
		}
		for i := range y {
			if draw%4 < 3 {
				y[i] = x.Row(i)[0] + 0.3*rng.NormFloat64()
			}
		}
		p := &mkl.Problem{Grams: columns.Bind(x), Set: set.Simplex{}, Loss: loss.Squared{Lambda: 0.5}, Y: y}
		if draw%2 == 1 {
			for k := range c {
				c[k] = rng.NormFloat64()
			}
			p.Reg = slant{c}
		}
		r, err := mkl.Solve(context.Background(), p, mkl.ReducedGradient{}, &mkl.Settings{Gap: 1e-5})
		if err != nil || r.Status != mkl.Certified {
			t.Errorf("draw %d: %v, %v", draw, r, err)
		}
	}
}

// TestReducedGradientKinks: where F has kinks a run may stall above the minimum, and then says so.
func TestReducedGradientKinks(t *testing.T) {
	for _, c := range simplexCases() {
		if !strings.HasPrefix(c.Name, "features, ") {
			continue
		}
		r := must(mkl.Solve(context.Background(), c.Problem, mkl.ReducedGradient{}, &mkl.Settings{Gap: 1e-5}))
		if r.Status != mkl.Certified && r.Status != mkl.Stalled || r.RelativeGap() > 0.2 {
			t.Errorf("%s: %v", c.Name, r)
		}
	}
}
