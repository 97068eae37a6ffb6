package mkl_test

import (
	"testing"

	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/mkl/mkltest"
	"github.com/mklnb/mkl/algos/reg"

	"gonum.org/v1/gonum/mat"
)

// TestBlockMemory holds what a run keeps from step to step, in numbers beside similarities and eigenvectors, which are the
// caller's, of M = 3 matrices of n points. REKL, whose θ has M·n numbers, has K of the current point, the trial and the dual
// point of splitting, and a few n² of work: 5 to 6 n² at n = 400, with splitting 10 to 12. EMKL has 14 to 23 arrays of
// M·n²: θ of the current point, the trial and the result, ∇J and ∇F, bounds of their rounding, the K_i of each point, which a
// Gram copies; splitting z, W and those of a dual point; mirror descent two for its bound.
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
		{mkl.DualAscent{}, reg.L3, 64, 16},
		{mkl.ADMM{}, reg.L1, 78, 17},
		{mkl.SPG{Force: true}, reg.L2, 62, 9},
		{mkl.MirrorDescent{}, reg.L2, 50, 10},
	} {
		for i, p := range []*mkl.Problem{several(y, 1, 0.1, n, c.d, ss...), restricted(t, y, 1, 0.1, n, c.d, ss...)} {
			used := mkltest.Live(t, p, c.s, mkl.Settings{Gap: 1e-2, Iterations: 4}) / n / n
			name, want := []string{"EMKL", "REKL"}[i], []float64{c.emkl, c.rekl}[i]
			t.Logf("%s %v: %.1f n²", name, c.s, used)
			if used > want {
				t.Errorf("%s %v: %.1f n² numbers, want at most %g", name, c.s, used, want)
			}
		}
	}
}
