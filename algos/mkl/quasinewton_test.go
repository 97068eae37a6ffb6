package mkl_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/mkl/mkltest"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/floats"
)

// orthants are problems on products of Gaussians, and those of Cases on the orthant.
func orthants() (cs []mkltest.Case) {
	for _, c := range mkltest.Cases() {
		if _, ok := c.Set.(set.Orthant); ok {
			cs = append(cs, c)
		}
	}
	x, y := mkltest.RandomPoints(30, 4, 3)
	g := kernel.Gaussians{}.Bind(x)
	for _, r := range []reg.Reg{nil, reg.Lasso{Beta: 0.5}, reg.Ridge{Beta: 0.5}} {
		cs = append(cs,
			mkltest.Case{Name: fmt.Sprintf("Gaussians, squared, %v", r),
				Problem: &mkl.Problem{Grams: g, Set: set.Orthant{At: 0.25}, Reg: r, Loss: loss.Squared{Lambda: 0.3},
					Y: y}},
			mkltest.Case{Name: fmt.Sprintf("Gaussians, squared hinge, %v", r),
				Problem: &mkl.Problem{Grams: g, Set: set.Orthant{At: 0.25}, Reg: r,
					Loss: loss.SquaredHinge{Lambda: 0.3}, Y: signs(y)}})
	}
	return cs
}

func TestLBFGS(t *testing.T) {
	mkltest.TestSolver(t, mkl.LBFGS{}, mkltest.Options{Cases: orthants(), Gap: 1e-5, MaxWarmStartSteps: 5})
}

func TestQuasiNewton(t *testing.T) {
	mkltest.TestSolver(t, mkl.QuasiNewton{}, mkltest.Options{Cases: orthants(), Gap: 1e-4, MaxWarmStartSteps: 20})
}

// pkl is a support vector machine on a product of Gaussians.
func pkl(n, d int, c float64, seed uint64) *mkl.Problem {
	x, y := mkltest.RandomPoints(n, d, seed)
	return &mkl.Problem{Grams: kernel.Gaussians{}.Bind(x), Set: set.Orthant{At: 1 / float64(d)}, Loss: loss.Hinge{C: c},
		Y: signs(y)}
}

// TestQuasiNewtonDescends tests that with the hinge loss F falls at every step and θ ≥ 0. As printed, the run ends at a
// larger F than the corrected one.
func TestQuasiNewtonDescends(t *testing.T) {
	for seed := range uint64(4) {
		p := pkl(60, 5, 10, seed+1)
		var ends []float64
		for _, s := range []mkl.Solver{mkl.QuasiNewton{}, mkl.LBFGS{}} {
			r := must(mkl.Solve(context.Background(), p, s, &mkl.Settings{Gap: 1e-5}))
			for i, row := range r.Trace[1:] {
				if row.F > r.Trace[i].F*(1+1e-9) {
					t.Errorf("%v: F rises from %.12g to %.12g", s, r.Trace[i].F, row.F)
				}
			}
			if r.Status != mkl.Stationary || floats.Min(r.Theta) < 0 || r.Kind != mkl.FirstOrder {
				t.Errorf("%v", r)
			}
			ends = append(ends, r.F)
		}
		printed := must(mkl.Solve(context.Background(), p, mkl.QuasiNewton{AsPrinted: true}, &mkl.Settings{Gap: 1e-5}))
		if printed.F < ends[0]*1.05 || !printed.Status.IsUnfinished() {
			t.Errorf("seed %d: as printed it ends at %g (%v), corrected at %g", seed, printed.F, printed.Status,
				ends[0])
		}
		// from a long first step θ leaves θ ≥ 0, unless it is clipped
		long := mkl.QuasiNewton{AsPrinted: true, B1: 1}
		p = pkl(60, 5, 0.1, seed+1)
		unclipped := must(mkl.Solve(context.Background(), p, long, &mkl.Settings{Gap: 1e-5}))
		long.ClipNegative = true
		clipped := must(mkl.Solve(context.Background(), p, long, &mkl.Settings{Gap: 1e-5}))
		if floats.Min(clipped.Theta) != 0 || clipped.F >= clipped.Trace[0].F {
			t.Errorf("seed %d: clipped it ends at F = %g with θ = %v", seed, clipped.F, clipped.Theta)
		}
		if unclipped.F == clipped.F {
			t.Errorf("seed %d: clipped or not, F ends at %g", seed, clipped.F)
		}
	}
}

// TestStationaryResult tests that a result with the status stationary has the residual that was asked for. The inner
// gap of a point is in its upper bound, so that an earlier point, whose residual is larger, may have a smaller one.
func TestStationaryResult(t *testing.T) {
	const gap = 1e-6
	count := 0
	for _, seed := range []uint64{23, 26, 29} {
		for _, l := range []loss.Loss{loss.SquaredHinge{Lambda: 0.1}, loss.SquaredHinge{Lambda: 1e-4}} {
			p := pkl(16, 3, 1, seed)
			p.Loss = l
			for _, s := range []mkl.Solver{mkl.LBFGS{}, mkl.QuasiNewton{}} {
				r := must(mkl.Solve(context.Background(), p, s, &mkl.Settings{Gap: gap}))
				if r.Status != mkl.Stationary {
					continue
				}
				count++
				if r.Residual > gap*math.Abs(r.Upper) {
					t.Errorf("seed %d, %v: %v", seed, l, r)
				}
			}
		}
	}
	if count < 6 {
		t.Errorf("%d runs ended at a stationary point, want 6 or more", count)
	}
}
