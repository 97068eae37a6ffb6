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

// TestRows: K has the same bits by rows and from S, S the same from K, on any number of threads; derivatives are those
// of the matrices, w with zeros and without, and Mix goes on from both.
func TestRows(t *testing.T) {
	const n, d, m = minRowwise + 9, 3, 4
	r := rand.New(rand.NewPCG(8, 9))
	x := points.Rows{N: n, D: d, Data: make([]float64, n*d)}
	for i := range x.Data {
		x.Data[i] = r.NormFloat64()
	}
	list := List{RBF{Gamma: 40}, RBF{Gamma: 80}, Laplacian{Gamma: 9}, Linear{}}
	grams, theta := list.On(x).(*sumGrams), []float64{0.7, 0, 1.3, 0.2}
	at := func(threads int) *sumGram {
		g := grams.Threads(threads).New().(*sumGram)
		g.At(theta)
		return g
	}
	byS := at(1)
	s := slices.Clone(byS.sum())
	for threads := 1; threads <= 3; threads++ {
		g := at(threads)
		if g.K(); g.hasS {
			t.Fatal("K is not formed by rows")
		}
		for i := range n {
			if row := packedRow(s, n, i); !slices.Equal(g.K().Dense().RawSymmetric().Data[i*n+i:(i+1)*n], row) ||
				!mat.Equal(byS.K(), g.K()) {
				t.Fatalf("%d threads: row %d differs", threads, i)
			}
		}
		if g.triangle() != nil {
			t.Fatal("S is formed of a K that is there")
		}
		if !slices.Equal(g.sum(), s) {
			t.Fatalf("%d threads: S of K differs", threads)
		}
	}
	a, b := at(1), at(1)
	a.K()
	if !grams.Mix(b, 2, a, -1, a) || !mat.EqualApprox(b.K(), a.K(), 1e-14) {
		t.Error("2K − K is not K")
	}
	v, w := make([]float64, n), make([]float64, n)
	for i := range n {
		v[i] = r.NormFloat64()
		if w[i] = r.NormFloat64(); i%3 > 0 {
			w[i] = 0
		}
	}
	g, got, bound := at(1), make([]float64, m), make([]float64, m)
	for _, p := range [][2][]float64{{w, w}, {v, v}, {v, w}, {w, v}, {w, slices.Clone(w)}} {
		g.BilinearGrad(got, p[0], p[1])
		g.GradientError(bound, w)
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
