package kernel_test

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/testenv"
)

// TestSumThreads: sums large enough for several tiles are the same on one thread and on more, bit for
// bit, from the base matrices on.
func TestSumThreads(t *testing.T) {
	const n, m, degree = 400, 40, 2
	var list kernel.List
	for k := range m {
		list = append(list, kernel.RBF{Gamma: 0.01 * float64(k+1)})
	}
	x := dense(n, 5, 1)
	theta, w, u := make([]float64, m), make([]float64, n), make([]float64, m)
	for k := range m {
		theta[k], u[k] = float64(k%7), float64(k%3)-1
	}
	for i := range w {
		w[i] = float64(i%11) - 5
	}
	outcome := func(threads int) (all []float64) {
		defer linalg.SetThreads(linalg.SetThreads(threads))
		g := kernel.Sum{Kernels: list, Degree: degree, Center: true, Normalize: kernel.MeanDiagonal}.Bind(x).New()
		g.At(theta)
		for i := range n {
			all = append(all, g.K().Dense().RawSymmetric().Data[i*n+i:(i+1)*n]...)
		}
		grad, along := make([]float64, m), make([]float64, n)
		g.Gradient(grad, w)
		g.(kernel.SecondOrder).DirectionalMul(along, u, w)
		return append(append(all, grad...), along...)
	}
	want := outcome(1)
	for _, threads := range []int{2, 3, 8} {
		if !slices.Equal(outcome(threads), want) {
			t.Errorf("other numbers with %d threads than with 1", threads)
		}
	}
}

// TestThreadsShare: a Grams for one thread has the same numbers and computes nothing again.
func TestThreadsShare(t *testing.T) {
	crossings := 0
	g := kernel.List{counted{crossings: &crossings}, kernel.RBF{Gamma: 1}}.Bind(dense(20, 3, 1))
	theta := []float64{1, 2}
	var k [][]float64
	for _, h := range []kernel.Grams{g, g.Threads(1), g.Threads(1).Threads(0)} {
		gram := h.New()
		gram.At(theta)
		k = append(k, slices.Clone(gram.K().Dense().RawSymmetric().Data))
		gram.Release()
		if again := h.New(); again != gram && !testenv.Race {
			t.Error("a released Gram is not used again")
		}
	}
	if crossings != 1 {
		t.Errorf("the base matrix is computed %d times, want once", crossings)
	}
	if !slices.Equal(k[0], k[1]) || !slices.Equal(k[0], k[2]) {
		t.Error("K depends on the number of threads")
	}
}

// counted counts how often its matrix is computed.
type counted struct {
	kernel.Linear
	crossings *int
}

func (c counted) Cross(dst *mat.Dense, z, x points.Points) {
	*c.crossings++
	c.Linear.Cross(dst, z, x)
}
