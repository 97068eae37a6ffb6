package blocks_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/kernel/blocks"
	"github.com/mklnb/mkl/algos/kernel/kerneltest"
	_ "github.com/mklnb/mkl/algos/linalg/openblas" // the tests run with the library too
	"github.com/mklnb/mkl/algos/mkl/mkltest"
	"github.com/mklnb/mkl/algos/points"

	"gonum.org/v1/gonum/mat"
)

func TestBlocks(t *testing.T) {
	x, _ := mkltest.RandomPoints(9, 2, 1)
	kerneltest.TestFamily(t, blocks.Family{Families: []kernel.Family{
		kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 1}},
		kernel.List{kernel.RBF{Gamma: 0.1}},
		kernel.Features{},
	}}, x)
	for _, bad := range []struct {
		f    blocks.Family
		want string
	}{
		{blocks.Family{}, "there are no families"},
		{blocks.Family{Families: []kernel.Family{nil}}, "family 1 is nil"},
		{blocks.Family{Families: []kernel.Family{kernel.Features{Degree: 2}}}, "must have degree 1"},
		{blocks.Family{Families: []kernel.Family{kernel.Features{}, kernel.List{}}}, "block 2: "},
	} {
		if err := bad.f.Bind(x).Validate(); err == nil || !strings.Contains(err.Error(), bad.want) {
			t.Errorf("%v, want %q", err, bad.want)
		}
	}
}

// drawSpectra is m random orthogonal matrices.
func drawSpectra(m, n int) blocks.Spectra {
	r := rand.New(rand.NewPCG(uint64(m), uint64(n)))
	f := blocks.Spectra{N: n}
	for range m {
		a := mat.NewDense(n, n, nil)
		a.Apply(func(int, int, float64) float64 { return r.NormFloat64() }, a)
		var qr mat.QR
		qr.Factorize(a)
		var q mat.Dense
		qr.QTo(&q)
		f.Vectors = append(f.Vectors, q.RawMatrix().Data)
	}
	return f
}

func TestSpectra(t *testing.T) {
	for _, m := range []int{1, 3} {
		f := drawSpectra(m, 9)
		for _, x := range []points.Indices{points.AllIndices(9), {8, 0, 3, 3, 1, 7}} {
			kerneltest.TestFamily(t, f, x)
		}
	}
}

func TestSpectraValidate(t *testing.T) {
	good := drawSpectra(1, 2)
	for _, c := range []struct {
		f    blocks.Spectra
		x    points.Points
		want string
	}{
		{blocks.Spectra{}, points.AllIndices(2), "Spectra has 0 matrices of 0 points"},
		{blocks.Spectra{N: 2, Vectors: [][]float64{{1, 0, 0}}}, points.AllIndices(2),
			"matrix 1 of eigenvectors has 3 numbers; pass 2 rows of 2"},
		{blocks.Spectra{N: 2, Vectors: [][]float64{{1, 0, math.NaN(), 1}}}, points.AllIndices(2),
			"row 2, column 1 is NaN"},
		{good, points.Indices{0, 2}, "point 2 has index 2"},
		{good, points.NewRows([][]float64{{1}}), "got points.Rows"},
		{good, nil, "no points"},
	} {
		if err := c.f.Bind(c.x).Validate(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v on %v: %v, want %q", c.f, c.x, err, c.want)
		}
	}
}
