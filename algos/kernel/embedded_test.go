package kernel_test

import (
	"math"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/points"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// doubling is a user's kernel that embeds one of the library's and has a Cross of its own.
type doubling struct{ kernel.RBF }

func (k doubling) Cross(dst *mat.Dense, z, x points.Points) {
	k.RBF.Cross(dst, z, x)
	dst.Scale(2, dst)
}

// TestEmbedded checks that K, also normalized, in products, swept and for new points, uses the Cross of the user's
// kernel, not the Cross of the kernel that it embeds.
func TestEmbedded(t *testing.T) {
	own := doubling{kernel.RBF{Gamma: 1}}
	x := points.NewRows([][]float64{{1}, {2}, {4}})
	var want mat.Dense
	want.ReuseAs(3, 3)
	own.Cross(&want, x, x)
	for _, f := range []kernel.Family{
		kernel.List{own},
		kernel.Monomials{Kernels: kernel.List{own.RBF, own}, Free: [][]int{{0, 1}}},
		kernel.Sum{Kernels: kernel.List{own}, Normalize: kernel.Cosine},
		kernel.Sum{Kernels: kernel.List{own}, Normalize: kernel.MeanDiagonal},
	} {
		if s, ok := f.(kernel.Sum); ok && s.Normalize == kernel.Cosine {
			want.Scale(0.5, &want) // the diagonal was 2; it is 1 from now on
		}
		grams := f.Bind(x)
		g := grams.New()
		g.SetTheta([]float64{1})
		cross := mat.NewDense(3, 3, nil)
		grams.Cross(x).StoreMatrix(cross, []float64{1})
		sweep, err := grams.(kernel.Swept).Sweep()
		if err != nil {
			t.Fatal(err)
		}
		diagonal, image := [][]float64{make([]float64, 3)}, [][]float64{make([]float64, 3)}
		sweep.StoreDiagonals(diagonal, make([]float64, 1))
		if err := sweep.Products(t.Context(), image, []float64{0, 1, 0}); err != nil {
			t.Fatal(err)
		}
		if !mat.EqualApprox(g.K(), &want, 1e-12) || !mat.EqualApprox(cross, &want, 1e-12) ||
			!floats.EqualApprox(image[0], mat.Col(nil, 1, &want), 1e-12) ||
			math.Abs(diagonal[0][1]-want.At(1, 1)) > 1e-12 {
			t.Errorf("%+v: K = %v, for new points %v, image %v, want %v", f, mat.Formatted(g.K()), mat.Formatted(cross),
				image, mat.Formatted(&want))
		}
	}
}
