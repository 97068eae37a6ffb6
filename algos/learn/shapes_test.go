package learn

import (
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/mklnb/mkl/algos/compare/comparetest"
)

// ofShape is 200 points of 5 normal features with y = f + noise/2, f drawn from the Gaussian process of kernel k and
// scaled to standard deviation 1.
func ofShape(k kernel.Kernel, seed uint64) *data.Dataset {
	const n, d = 200, 5
	rng := rand.New(rand.NewPCG(seed, 7))
	x, gram := comparetest.NormalPoints(n, d, rng), mat.NewDense(n, n, nil)
	k.Cross(gram, x, x)
	cov := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			cov.SetSym(i, j, gram.At(i, j))
		}
		cov.SetSym(i, i, cov.At(i, i)+1e-8)
	}
	var c mat.Cholesky
	c.Factorize(cov)
	var root mat.TriDense
	c.LTo(&root)
	f := mat.NewVecDense(n, nil)
	f.MulVec(&root, mat.NewVecDense(n, comparetest.NormalPoints(n, 1, rng).Data))
	y := f.RawVector().Data
	mean, sd := stat.PopMeanStdDev(y, nil)
	for i := range y {
		y[i] = (y[i]-mean)/sd + 0.5*rng.NormFloat64()
	}
	return &data.Dataset{Name: "drawn", X: x, Y: y}
}

// TestRightShape: on simulated sets with one informative shape, of the weights that Learn takes the largest is that of
// a kernel of this shape in 45 of 50 or more, and linear ones are not taken for wide Gaussians.
func TestRightShape(t *testing.T) {
	sets := 12
	if os.Getenv("MKL_TESTS") == "all" {
		sets = 50
	}
	shapes := []kernel.Kernel{kernel.Linear{}, kernel.RBF{Gamma: 1. / 20},
		kernel.Laplacian{Gamma: math.Sqrt(math.Pi) / 20}}
	right, of := make([]int, len(shapes)), make([]int, len(shapes))
	for i := range sets {
		s := i % len(shapes)
		l := must(Learn(t.Context(), ofShape(shapes[s], uint64(i)), WithSplits(nil), WithSeed(uint64(i))))
		of[s]++
		best := floats.MaxIdx(l.Result.PredictionTheta)
		if kind := kernelKind(l.Result.ThetaLabels[best]); l.Method != UniformName &&
			kind == kernelKind(kernel.List{shapes[s]}.Bind(
				points.Rows{N: 1, D: 5, Data: make([]float64, 5)}).Label(0)) {
			right[s]++
		} else {
			t.Logf("set %d: %s takes %s %s, %s", i, shapes[s], l.Method, l.Label, kind)
		}
	}
	t.Logf("linear, Gaussian, Laplacian: %v of %v", right, of)
	if 10*right[0] < 9*of[0] {
		t.Errorf("linear has the largest weight in %d of %d linear sets", right[0], of[0])
	}
	if all := right[0] + right[1] + right[2]; 10*all < 9*sets {
		t.Errorf("the right shape has the largest weight in %d of %d sets, want nine tenths", all, sets)
	}
}
