package kernel_test

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/kernel/kerneltest"
	"github.com/mklnb/mkl/algos/kernel/words"
	"github.com/mklnb/mkl/algos/points"
)

// TestOnPart tests sums of kernels on features, on sequences and on the rows of a matrix of the same points, whose
// preprocessing is fitted again by Slice, and sums without features, whose base matrices Slice shares.
func TestOnPart(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	x := points.Parts{Rows: points.Rows{N: 9, D: 2}}
	sequences, matrix := make(points.Sequences, 9), make([]float64, 81)
	for i := range 9 {
		x.Rows.Data = append(x.Rows.Data, rng.NormFloat64(), rng.NormFloat64())
		for range 12 {
			sequences[i] += string("ACGT"[rng.IntN(4)])
		}
	}
	kernel.RBF{Gamma: 0.3}.Cross(mat.NewDense(9, 9, matrix), x.Rows, x.Rows)
	x.Others = []points.Part{{Name: "dna", Points: sequences}, {Name: "gram", Points: points.AllIndices(9)}}
	onParts := kernel.List{
		kernel.OnPart{Part: "dna", Kernel: words.Spectrum{K: 2, Alphabet: "ACGT"}, Normalize: kernel.Cosine},
		kernel.OnPart{Part: "gram", Kernel: kernel.Precomputed{Name: "g", N: 9, Data: matrix}}}
	all := append(kernel.List{kernel.RBF{Gamma: 1}}, onParts...)
	kerneltest.TestFamily(t, kernel.Sum{Kernels: all, Normalize: kernel.MeanDiagonal,
		Prepare: points.Preprocessing{points.Standardize}}, x)
	kerneltest.TestFamily(t, kernel.Sum{Kernels: onParts, Normalize: kernel.MeanDiagonal},
		points.Parts{Others: x.Others})
	if err := all.Bind(points.Parts{Rows: x.Rows, Others: x.Others[:1]}).Validate(); err == nil {
		t.Error("points without the part gram are accepted")
	}
}
