package kernel_test

import (
	"testing"

	"github.com/mklnb/mkl/algos/kernel"

	"gonum.org/v1/gonum/mat"
)

// doubling is a user's kernel that embeds one of the library's and has a Cross of its own.
type doubling struct{ kernel.RBF }

func (k doubling) Cross(dst *mat.Dense, z, x kernel.Points) {
	k.RBF.Cross(dst, z, x)
	dst.Scale(2, dst)
}

// TestEmbedded: K, also of a product and of new points, also where it is made again each time, is of the Cross that the
// user's kernel has, not of the kernel that it embeds.
func TestEmbedded(t *testing.T) {
	own := doubling{kernel.RBF{Gamma: 1}}
	x := kernel.NewRows([][]float64{{1}, {2}, {4}})
	for _, memory := range []int64{kernel.Memory(), 1} {
		before := kernel.SetMemory(memory)
		for _, k := range []kernel.Kernel{own, kernel.Product{Kernels: kernel.List{own}, Exponents: []int{1}}} {
			grams := kernel.List{own.RBF, k}.On(x)
			g := grams.New()
			theta := []float64{0, 1}
			g.At(theta)
			var want, cross mat.Dense
			want.ReuseAs(3, 3)
			k.Cross(&want, x, x)
			cross.ReuseAs(3, 3)
			grams.Cross(x).Gram(&cross, theta)
			if !mat.EqualApprox(g.K(), &want, 1e-12) || !mat.EqualApprox(&cross, &want, 1e-12) {
				t.Errorf("memory %d, %T: K = %v, of new points %v, want %v", memory, k, mat.Formatted(g.K()),
					mat.Formatted(&cross), mat.Formatted(&want))
			}
		}
		kernel.SetMemory(before)
	}
}
