package mkl_test

import (
	"testing"

	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/mkl/mkltest"
)

func TestFrankWolfe(t *testing.T) {
	t.Run("open loop", func(t *testing.T) {
		mkltest.TestSolver(t, mkl.FrankWolfe{}, mkltest.Options{Gap: 2e-3, Warm: -1})
	})
	t.Run("exact", func(t *testing.T) {
		mkltest.TestSolver(t, mkl.FrankWolfe{Exact: true}, mkltest.Options{Gap: 5e-4, Warm: 20})
	})
}

// TestDescends: every step of these solvers makes F smaller, but for its rounding and that of inner solves.
func TestDescends(t *testing.T) {
	for _, s := range []mkl.Solver{mkl.FrankWolfe{Exact: true}, mkl.LBFGS{}} {
		steps := 0
		for _, c := range mkltest.Cases() {
			if _, err := s.Requirements(c.Problem); err != nil {
				continue
			}
			r, err := mkl.Solve(t.Context(), c.Problem, s, &mkl.Settings{Gap: 1e-4, Iterations: 100})
			if err != nil {
				t.Fatal(err)
			}
			for i := 2; i < len(r.Trace); i++ { // the first step may enter Θ
				steps++
				if r.Trace[i].F > r.Trace[i-1].F*(1+1e-8) {
					t.Errorf("%v, %s: F grows from %.12g to %.12g at step %d", s, c.Name, r.Trace[i-1].F, r.Trace[i].F,
						i)
				}
			}
		}
		if steps < 50 {
			t.Errorf("%v: only %d steps were seen", s, steps)
		}
	}
}
