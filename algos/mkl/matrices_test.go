package mkl_test

import (
	"context"
	"math"
	"testing"

	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/reg"

	"gonum.org/v1/gonum/floats"
)

func certified(t *testing.T, p *mkl.Problem, s mkl.Solver, gap float64) *mkl.Result {
	t.Helper()
	r, err := mkl.Solve(context.Background(), p, s, &mkl.Settings{Gap: gap, Iterations: 2000})
	if err != nil || r.Status != mkl.Certified {
		t.Fatalf("%v, %v", r, err)
	}
	return r
}

// TestUpToTrace: (4) of Kundu et al. with one similarity and L3 is the problem of Luss and d'Aspremont, but for the
// trace: with the trace of their K it has their K; with another, a larger F.
func TestUpToTrace(t *testing.T) {
	s, y := noisy(15, 0.3, 31)
	free := certified(t, learned(y, 1, 0.4, 0, reg.L3, s), mkl.DualAscent{}, 1e-8)
	trace := floats.Sum(diagonal(free.Theta))
	same := certified(t, learned(y, 1, 0.4, trace, reg.L3, s), mkl.DualAscent{}, 1e-8)
	if math.Abs(same.F-free.F) > 1e-7*free.F || floats.Distance(same.Theta, free.Theta,
		2) > 1e-3*floats.Norm(free.Theta, 2) {
		t.Errorf("with its own trace %g: F = %.12g, without one %.12g", trace, same.F, free.F)
	}
	if other := certified(t, learned(y, 1, 0.4, 1.5*trace, reg.L3, s), mkl.DualAscent{},
		1e-8); other.Lower < free.Upper {
		t.Errorf("with another trace F = %g, without one %g", other.F, free.F)
	}
}

func diagonal(theta []float64) []float64 {
	n := int(math.Sqrt(float64(len(theta))))
	d := make([]float64, n)
	for i := range d {
		d[i] = theta[i*n+i]
	}
	return d
}
