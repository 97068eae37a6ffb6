package mkl_test

import (
	"testing"

	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/mkl/mkltest"
	"github.com/mklnb/mkl/algos/reg"

	"gonum.org/v1/gonum/mat"
)

func TestADMM(t *testing.T) {
	var cases []mkltest.Case
	for _, d := range []reg.Distance{reg.OneNorm, reg.TwoNorm, reg.SquaredNorm} {
		for _, c := range matrixCases(d) {
			if r := c.Reg.(reg.DistancePenalty); r.Rho == 0.3 || r.Rho == 5 && d == reg.OneNorm {
				cases = append(cases, c)
			}
		}
	}
	mkltest.TestSolver(t, mkl.ADMM{}, mkltest.Options{Cases: cases, Gap: 1e-4, Iterations: 200, MaxWarmStartSteps: -1,
		Perturb: symmetric})
}

// TestADMMFromTarget: the similarity is where the run begins, so that r has no slope there.
func TestADMMFromTarget(t *testing.T) {
	_, y := noisy(10, 0.3, 3)
	s := mat.NewSymDense(10, nil)
	for i := range 10 {
		s.SetSym(i, i, 1)
	}
	for _, d := range []reg.Distance{reg.OneNorm, reg.TwoNorm, reg.SquaredNorm} {
		for name, p := range map[string]*mkl.Problem{"one": learned(y, 1, 0.1, 10, d, s),
			"two": several(y, 1, 0.1, 10, d, s, s)} {
			r, err := mkl.Solve(t.Context(), p, mkl.ADMM{}, &mkl.Settings{Gap: 1e-4, Iterations: 200})
			if err != nil || r.Status != mkl.Certified {
				t.Errorf("%v, %s: %v, %v", d, name, err, r)
			}
		}
	}
}
