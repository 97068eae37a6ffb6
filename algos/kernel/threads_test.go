package kernel_test

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/testenv"
)

// TestThreadsShare: a Grams for one thread has the same numbers and computes nothing again.
func TestThreadsShare(t *testing.T) {
	crossings := 0
	g := kernel.List{counted{crossings: &crossings}, kernel.RBF{Gamma: 1}}.Bind(dense(20, 3, 1))
	theta := []float64{1, 2}
	var k [][]float64
	for _, h := range []kernel.Grams{g, g.WithThreads(1), g.WithThreads(1).WithThreads(0)} {
		gram := h.New()
		gram.SetTheta(theta)
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
