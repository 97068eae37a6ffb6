package kernel_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/testenv"

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

// TestThreadsShare tests that a Grams for one thread has the same numbers and computes nothing again.
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

// TestRange checks that features and kernel values outside 1e±100 are an error that names the column or the kernel, and
// that zeros are accepted.
func TestRange(t *testing.T) {
	x := dense(12, 3, 4)
	scaled := func(s float64, columns ...int) points.Rows {
		y := x.Slice(points.AllIndices(x.N)).(points.Rows)
		for i := range y.N {
			for _, j := range columns {
				y.Row(i)[j] *= s
			}
		}
		return y
	}
	all := []int{0, 1, 2}
	matrix := kernel.Precomputed{Name: "matrix", N: 1, Data: []float64{1e120}}
	power := kernel.Monomials{Kernels: kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 1}}, Free: [][]int{{4, 1}}}
	standardized := points.Preprocessing{points.Standardize}
	for _, c := range []struct {
		f    kernel.Family
		x    points.Points
		want string
	}{
		{kernel.Features{Prepare: standardized}, scaled(1e-110, 1), "column 2 (x2)"},
		{kernel.Sum{Kernels: kernel.List{kernel.Linear{}}, Prepare: standardized}, scaled(1e110, 1), "column 2 (x2)"},
		{kernel.Features{Degree: 3}, scaled(1e-90, all...), "(‖x‖²)^3"},
		{kernel.Gaussians{}, scaled(1e-90, all...), "‖x‖²"},
		{kernel.List{kernel.Linear{}}, scaled(1e90, all...), "linear"},
		{kernel.List{kernel.Polynomial{Degree: 4}}, scaled(1e-90, all...), "polynomial"}, // 1e-720
		{power, scaled(1e-49, all...), "linear^4·RBF"},                                   // 1e-392
		{kernel.List{matrix}, points.AllIndices(1), "matrix"},
	} {
		err := c.f.Bind(c.x).Validate()
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "1e±100") {
			t.Errorf("%+v: error %v, want one with %q and the range", c.f, err, c.want)
		}
	}
	for _, f := range []kernel.Family{kernel.Features{}, kernel.List{kernel.Linear{}}, kernel.Gaussians{}, power,
		kernel.Sum{Kernels: kernel.List{kernel.Linear{}}, Normalize: kernel.Cosine}} {
		for _, x := range []points.Points{scaled(0, all...), scaled(1e-10, all...), scaled(1e10, all...),
			scaled(1e-70, 1)} {
			if err := f.Bind(x).Validate(); err != nil {
				t.Errorf("%+v: %v", f, err)
			}
		}
	}
}
