package kernel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/points"
)

// TestSumGram checks derivatives of degree 1 by the base matrices, for w with zeros and without, and Mix.
func TestSumGram(t *testing.T) {
	const n, d, m = 521, 3, 4
	r := rand.New(rand.NewPCG(8, 9))
	x := points.Rows{N: n, D: d, Data: make([]float64, n*d)}
	for i := range x.Data {
		x.Data[i] = r.NormFloat64()
	}
	list := List{RBF{Gamma: 40}, RBF{Gamma: 80}, Laplacian{Gamma: 9}, Linear{}}
	grams := list.Bind(x).(*sumGrams)
	at := func() *sumGram {
		g := grams.New().(*sumGram)
		g.SetTheta([]float64{0.7, 0, 1.3, 0.2})
		return g
	}
	a, b := at(), at()
	if !b.Mix(2, a, -1, a) || !mat.EqualApprox(b.K(), a.K(), 1e-14) {
		t.Error("2K − K is not K")
	}
	v, w := make([]float64, n), make([]float64, n)
	for i := range n {
		v[i] = r.NormFloat64()
		if w[i] = r.NormFloat64(); i%3 > 0 {
			w[i] = 0
		}
	}
	g, got, bound := at(), make([]float64, m), make([]float64, m)
	for _, p := range [][2][]float64{{w, w}, {v, v}, {v, w}, {w, v}, {w, slices.Clone(w)}} {
		g.BilinearGradient(got, p[0], p[1])
		g.GradientErrorBound(bound, w)
		for k := range m {
			full := unpackMatrix(grams.k[k], n)
			kw := make([]float64, n)
			linalg.SymMulVec(kw, full, p[1])
			want, size := linalg.Dot(p[0], kw), 0.0
			for i := range n {
				size += math.Abs(p[0][i]) * math.Abs(p[1][i]) * full.At(i, i)
			}
			if e := math.Abs(got[k] - want); e > 1e-12*(size+math.Abs(want)) || &p[0][0] == &w[0] &&
				&p[1][0] == &w[0] && e > 2*bound[k] {
				t.Errorf("kernel %d: vᵀKw = %g, want %g", k, got[k], want)
			}
		}
	}
}
