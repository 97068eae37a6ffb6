package compare

import (
	"math/rand/v2"
	"testing"

	"github.com/mklnb/mkl/algos/compare/comparetest"
	"github.com/mklnb/mkl/algos/kernel"

	"gonum.org/v1/gonum/mat"
)

// TestUsed: without the kernels of weight 0 a frozen family is the same.
func TestUsed(t *testing.T) {
	x := comparetest.Normal(30, 2, rand.New(rand.NewPCG(5, 1)))
	bases := kernel.List{kernel.Linear{}, kernel.Polynomial{Degree: 2, Gamma: 1, Offset: 1}, kernel.RBF{Gamma: 1},
		kernel.Linear{Columns: []int{1}}}
	for _, normal := range []kernel.Normalization{kernel.None, kernel.MeanDiagonal, kernel.Cosine} {
		all := must(kernel.Sum{Kernels: bases, Normalize: normal}.On(x).Freeze())
		theta := []float64{0, 2, 0, 3}
		some, rest := activeKernels(all, theta)
		got, want := some.On(x).New(), all.On(x).New()
		got.At(rest)
		want.At(theta)
		if len(rest) != 2 || !mat.EqualApprox(got.K(), want.K(), 1e-14) {
			t.Errorf("%v: %d kernels give other numbers", normal, len(rest))
		}
	}
}
