package mkl_test

import (
	"context"
	"math"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/mkl/mkltest"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/floats"
)

// ridged is a problem of degree 2 with r = β‖θ‖² on the orthant.
func ridged(seed uint64, beta float64) *mkl.Problem {
	x, y := mkltest.RandomPoints(20, 3, seed)
	return &mkl.Problem{Grams: kernel.Features{Degree: 2}.Bind(x), Set: set.Orthant{At: 0.3},
		Loss: loss.Squared{Lambda: 1}, Reg: reg.Ridge{Beta: beta}, Y: y}
}

// TestEscape: just above β₀ no point of a grid of rays is better than θ = 0, just below the eigenvector is, and
// each solver that starts at 0 ends at 0 or at the minimum that it finds from elsewhere, certified either way.
func TestEscape(t *testing.T) {
	for seed := range uint64(5) {
		beta, v, err := mkl.SmallestBetaForZeroTheta(ridged(seed, 1))
		if err != nil {
			t.Fatal(err)
		}
		value := func(p *mkl.Problem, theta []float64) float64 {
			pt := pointAt(p, theta, 1e-14)
			return pt.F()
		}
		zero := []float64{0, 0, 0}
		above, below := ridged(seed, 1.01*beta), ridged(seed, 0.99*beta)
		small := make([]float64, 3)
		floats.ScaleTo(small, 1e-3, v)
		if f, at := value(below, small), value(below, zero); f >= at {
			t.Errorf("seed %d, 0.99β₀: F = %.15g along the eigenvector, %.15g at 0", seed, f, at)
		}
		for i := range 11 {
			for j := range 11 - i {
				u := []float64{float64(i), float64(j), float64(10 - i - j)}
				for _, step := range []float64{1e-3, 1e-2, 0.1, 1, 10} {
					floats.ScaleTo(small, step/floats.Norm(u, 2), u)
					if f, at := value(above, small), value(above, zero); f < at {
						t.Errorf("seed %d, 1.01β₀: F = %.15g at %v, %.15g at 0", seed, f, small, at)
					}
				}
			}
		}
		for _, s := range []mkl.Solver{mkl.SPG{}, mkl.PGD{}} {
			for _, c := range []struct {
				p    *mkl.Problem
				zero bool
			}{{above, true}, {below, false}, {ridged(seed, beta/10), false}, {ridged(seed, beta*10), true}} {
				best := must(mkl.Solve(context.Background(), c.p, mkl.SPG{}, &mkl.Settings{Gap: 1e-9}))
				r := must(mkl.Solve(context.Background(), c.p, s, &mkl.Settings{Gap: 1e-6, Theta: zero}))
				if (floats.Norm(r.Theta, 2) < 1e-4) != c.zero || math.Abs(r.F-best.F) > 1e-5*best.F ||
					r.Kind != mkl.Global {
					t.Errorf("seed %d, %v from 0: %v at %v, want F = %.12g, θ = 0 %v", seed, s, r, r.Theta, best.F,
						c.zero)
				}
			}
		}
	}
	for name, p := range map[string]*mkl.Problem{
		"degree 1": {Grams: kernel.Features{}.Bind(points.NewRows([][]float64{{1}, {2}})), Set: set.Orthant{},
			Loss: loss.Squared{Lambda: 1}, Y: []float64{1, 2}},
		"nothing": {},
	} {
		if _, _, err := mkl.SmallestBetaForZeroTheta(p); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
