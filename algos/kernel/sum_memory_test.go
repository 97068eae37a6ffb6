package kernel_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/points"
)

// within calls f where base matrices of a Sum may take so many bytes.
func within(bytes int64, f func()) {
	defer kernel.SetMemory(kernel.SetMemory(bytes))
	f()
}

// foreign is a kernel of another package, which a Sum knows nothing of.
type foreign struct{ kernel.Kernel }

var mixedBases = kernel.List{
	kernel.Linear{}, kernel.RBF{Gamma: 0.3}, kernel.RBF{Gamma: 0.7}, kernel.Linear{Columns: []int{1}},
	kernel.Polynomial{Degree: 3, Gamma: 0.5, Offset: 1}, kernel.RBF{Gamma: 2}, kernel.Laplacian{Gamma: 0.4},
	kernel.Polynomial{Degree: 2, Columns: []int{0}}, // of a constant feature: nothing once centred
}

// TestMadeAgain compares a Sum that stores nothing with one that stores all, at sizes of several bands of
// rows: K, the derivatives, products, new points, slices and what is proved of the rounding.
func TestMadeAgain(t *testing.T) {
	const n = 129 // two bands of 64 rows, and one row
	x, z := dense(n, 4, 5), dense(70, 4, 6)
	rows := rand.New(rand.NewPCG(1, 2)).Perm(n)[:100]
	rows[3] = rows[8] // twice
	mixedBases := slices.Clone(mixedBases)
	mixedBases[2] = foreign{mixedBases[2]}
	for _, f := range []kernel.Sum{
		{Kernels: mixedBases},
		{Kernels: mixedBases, Degree: 2, Normalize: kernel.Cosine},
		{Kernels: mixedBases, Centre: true, Normalize: kernel.MeanDiagonal,
			Prepare: points.Preprocessing{points.MinMax}},
		{Kernels: mixedBases, Degree: 3, Centre: true, Normalize: kernel.Cosine},
	} {
		for _, x := range kinds(f.Prepare, x) {
			stored := f.On(x)
			a, as := numbers(stored, z), numbers(stored.Slice(rows), z)
			block := crossed(stored.Block(rows[:30], rows[20:]), 30, len(rows)-20)
			for _, room := range []int64{0, 4} { // matrices
				within(max(1, room*8*n*(n+1)/2), func() {
					g := f.On(x)
					what := fmt.Sprintf("d=%d centre=%v %s %T, %d stored", f.Degree, f.Centre, f.Normalize, x, room)
					near(t, what, numbers(g, z), a)
					near(t, what+", slice", numbers(g.Slice(rows), z), as)
					near(t, what+", block", [][]float64{crossed(g.Block(rows[:30], rows[20:]), 30, len(rows)-20)},
						[][]float64{block})
				})
			}
		}
	}
}

func near(t *testing.T, what string, got, want [][]float64) {
	t.Helper()
	for i := range want {
		top := 0.0
		for _, v := range want[i] {
			top = math.Max(top, math.Abs(v))
		}
		for j, v := range want[i] {
			if !(math.Abs(got[i][j]-v) <= 1e-11*top) {
				t.Fatalf("%s: result %d: entry %d is %g, stored %g", what, i, j, got[i][j], v)
			}
		}
	}
}

func thetaOf(m int) []float64 {
	theta := make([]float64, m)
	for k := range theta {
		theta[k] = float64(k%3) / float64(m) // some 0
	}
	return theta
}

func crossed(c kernel.Cross, l, n int) []float64 {
	k := mat.NewDense(l, n, nil)
	c.Gram(k, thetaOf(len(mixedBases)))
	return k.RawMatrix().Data
}

// numbers is all that g computes, each once.
func numbers(g kernel.Grams, z points.Points) (all [][]float64) {
	m, n := g.Dims()
	r := rand.New(rand.NewPCG(7, 8))
	draw := func(n int) []float64 {
		v := make([]float64, n)
		for i := range v {
			v[i] = r.NormFloat64()
		}
		return v
	}
	k := g.New()
	k.At(thetaOf(m))
	u, v, w := draw(m), draw(n), draw(n)
	into := func(n int, f func(dst []float64)) {
		dst := make([]float64, n)
		f(dst)
		all = append(all, dst)
	}
	u1, _, _ := k.(kernel.ErrorBounded).Bounds()
	all = append(all, []float64{u1})
	into(n*n, func(dst []float64) {
		for i := range n {
			for j := range n {
				dst[i*n+j] = k.K().At(i, j)
			}
		}
	})
	into(m, func(dst []float64) { k.Gradient(dst, w) })
	c := k.(kernel.SecondOrder)
	into(m, func(dst []float64) { c.BilinearGrad(dst, v, w) })
	into(n, func(dst []float64) { c.DirectionalMul(dst, u, w) })
	into(m, func(dst []float64) { c.HessianForm(dst, u, w) })
	into(n+m, func(dst []float64) {
		if !k.(kernel.ErrorBounded).EvaluateExtended(dst[:n], dst[n:], w) {
			panic("no doubled precision")
		}
	})
	var form mat.SymDense
	if _, ok := c.QuadraticForm(&form, w); ok {
		all = append(all, form.RawSymmetric().Data)
	}
	return append(all, crossed(g.Cross(z), z.Len(), n))
}
