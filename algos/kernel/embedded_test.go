package kernel_test

import (
	"math"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/points"

	"gonum.org/v1/gonum/mat"
)

// doubling is a user's kernel that embeds one of the library's and has a Cross of its own.
type doubling struct{ kernel.RBF }

func (k doubling) Cross(dst *mat.Dense, z, x points.Points) {
	k.RBF.Cross(dst, z, x)
	dst.Scale(2, dst)
}

// TestEmbedded checks that K, also for products and new points, uses the Cross of the user's kernel, not the Cross of
// the kernel that it embeds.
func TestEmbedded(t *testing.T) {
	own := doubling{kernel.RBF{Gamma: 1}}
	x := points.NewRows([][]float64{{1}, {2}, {4}})
	for _, grams := range []kernel.Grams{kernel.List{own.RBF, own}.Bind(x),
		kernel.Monomials{Kernels: kernel.List{own.RBF, own}, Free: [][]int{{1, 0}, {0, 1}}}.Bind(x)} {
		g := grams.New()
		theta := []float64{0, 1}
		g.At(theta)
		var want, cross mat.Dense
		want.ReuseAs(3, 3)
		own.Cross(&want, x, x)
		cross.ReuseAs(3, 3)
		grams.Cross(x).Gram(&cross, theta)
		if !mat.EqualApprox(g.K(), &want, 1e-12) || !mat.EqualApprox(&cross, &want, 1e-12) {
			t.Errorf("%T: K = %v, for new points %v, want %v", grams, mat.Formatted(g.K()), mat.Formatted(&cross),
				mat.Formatted(&want))
		}
	}
}

// TestEmbeddedDiagonal: what is normalized, lifted and swept goes by the diagonal of that Cross too.
func TestEmbeddedDiagonal(t *testing.T) {
	x := points.NewRows([][]float64{{1}, {2}, {4}})
	for _, by := range []kernel.Normalization{kernel.None, kernel.MeanDiagonal, kernel.Cosine} {
		grams := kernel.Sum{Kernels: kernel.List{doubling{kernel.RBF{Gamma: 1}}}, Normalize: by}.Bind(x)
		g := grams.New()
		g.At([]float64{1})
		sweep, err := grams.Sweep()
		if err != nil {
			t.Fatal(err)
		}
		var cross mat.Dense
		cross.ReuseAs(3, 3)
		grams.Cross(x).Gram(&cross, []float64{1})
		diagonal, image := [][]float64{make([]float64, 3)}, [][]float64{make([]float64, 3)}
		sweep.Diagonals(diagonal, make([]float64, 1))
		if err := sweep.Images(t.Context(), image, []float64{0, 1, 0}); err != nil {
			t.Fatal(err)
		}
		want := g.K().At(1, 1)
		for what, got := range map[string]float64{"diagonal": diagonal[0][1], "image": image[0][1],
			"new point": cross.At(1, 1)} {
			if !(math.Abs(got-want) <= 1e-12) {
				t.Errorf("%q: %s %g, K is %g", by, what, got, want)
			}
		}
	}
}
