package mkl_test

import (
	"testing"

	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/mkl/mkltest"
	"github.com/mklnb/mkl/algos/reg"

	"gonum.org/v1/gonum/mat"
)

// TestBlockMemory holds what a run keeps from step to step, in numbers beside similarities and eigenvectors, which
// are the caller's, of M = 3 matrices of n points. EMKL by DualAscent has θ, which is the K_i too, and K, (M + 1)n²;
// what a step works with comes to it: gradients and their errors, and 3 n² for each thread of a decomposition.
// Splitting has a second θ and K, z, W and the best θ so far, mirror descent the sum of the gradients and the best θ.
// REKL has K of a point or two.
func TestBlockMemory(t *testing.T) {
	const n, m = 100, 3
	s, y := noisy(n, 0.3, 3)
	ss := []*mat.SymDense{s}
	for i := range uint64(m - 1) {
		u, _ := noisy(n, 0.3, 4+i)
		ss = append(ss, u)
	}
	for _, c := range []struct {
		s          mkl.Solver
		d          reg.Distance
		emkl, rekl float64 // n² numbers
	}{
		{mkl.DualAscent{}, reg.L3, m + 4, 4},
		{mkl.DualAscent{}, reg.L2, m + 4, 4},
		{mkl.ADMM{}, reg.L1, 5*m + 4, 4},
		{mkl.SPG{Force: true}, reg.L2, 12 * m, 4},
		{mkl.MirrorDescent{}, reg.L2, 3*m + 2, 4},
	} {
		for i, p := range []*mkl.Problem{several(y, 1, 0.1, n, c.d, ss...), restricted(t, y, 1, 0.1, n, c.d, ss...)} {
			used := mkltest.MaxLive(t, p, c.s, mkl.Settings{Gap: 1e-2, Iterations: 4}) / n / n
			name, want := []string{"EMKL", "REKL"}[i], []float64{c.emkl, c.rekl}[i]
			t.Logf("%s %v: %.1f n²", name, c.s, used)
			if used > want {
				t.Errorf("%s %v: %.1f n² numbers, want at most %g", name, c.s, used, want)
			}
		}
	}
}
