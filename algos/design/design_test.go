package design_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/mklnb/mkl/algos/design"
	_ "github.com/mklnb/mkl/algos/linalg/openblas" // the tests run with the library too
	"github.com/mklnb/mkl/algos/points"
)

// weights is the symmetric matrix M with M_ij = w_iw_j.
type weights []float64

func (w weights) UpperRow(dst []float64, i int) {
	for j, v := range w[i:] {
		dst[j] = 2 * w[i] * v
	}
	dst[0] /= 2
}

// results returns the results of all methods for the points x and z.
func results(x, z points.Points) map[string][]float64 {
	a, b := design.Of(x), design.Of(z)
	n, d := a.Size()
	l, _ := b.Size()
	r := rand.New(rand.NewPCG(1, 2))
	random := func(n int) []float64 {
		v := make([]float64, n)
		for i := range v {
			v[i] = r.NormFloat64()
		}
		return v
	}
	theta, w, h := random(d), random(n), random(d*d)
	all, s := map[string][]float64{"norms": a.Norms()}, &design.Scratch{}
	add := func(name string, size int, f func(dst []float64)) {
		all[name] = make([]float64, size)
		f(all[name])
	}
	add("gram", n*n, func(dst []float64) {
		a.Gram(dst, theta, s)
		for i := range n {
			clear(dst[i*n : i*n+i]) // Gram may store anything below the diagonal
		}
	})
	add("cross", l*n, func(dst []float64) { a.Cross(dst, n, b, theta, s) })
	add("transposed", d, func(dst []float64) { a.TimesTransposed(dst, w) })
	add("product", n, func(dst []float64) { a.Times(dst, theta) })
	add("weighted", d*d, func(dst []float64) { a.Weighted(dst, w, s) })
	add("row forms", n, func(dst []float64) { a.RowForms(dst, h, s) })
	add("column forms", d, func(dst []float64) { a.ColumnForms(dst, weights(w), s) })
	add("absolute distances", l*n, func(dst []float64) { a.AbsoluteDistances(dst, n, b, s) })
	add("squared distances", l*n, func(dst []float64) {
		center := a.Center()
		moved := a.Minus(center)
		design.SquaredDistances(dst, n, b, a, center, moved, moved.Norms(), s)
	})
	return all
}

// TestMatrix compares sparse with dense points, in several blocks of rows, and the sizes with their definitions.
func TestMatrix(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	random := func(n, d int) (points.Rows, points.Sparse) {
		x, s := points.Rows{N: n, D: d, Data: make([]float64, n*d)}, points.Sparse{D: d, Ptr: []int{0}}
		for i := range n {
			for j := range d {
				if r.IntN(3) == 0 {
					x.Row(i)[j] = r.NormFloat64()
					s.Col, s.Val = append(s.Col, j), append(s.Val, x.Row(i)[j])
				}
			}
			s.Ptr = append(s.Ptr, len(s.Col))
		}
		return x, s
	}
	x, sparseX := random(150, 9)
	z, sparseZ := random(4, 9)
	dense, sparse := results(x, z), results(sparseX, sparseZ)
	for name, want := range dense {
		if !floats.EqualApprox(sparse[name], want, 1e-11) {
			t.Errorf("%s: sparse points give %v, dense points %v", name, sparse[name], want)
		}
	}
	for i := range z.N {
		for j := range x.N {
			square, absolute := floats.Distance(z.Row(i), x.Row(j), 2), floats.Distance(z.Row(i), x.Row(j), 1)
			k := i*x.N + j
			if math.Abs(dense["squared distances"][k]-square*square) > 1e-12 ||
				math.Abs(dense["absolute distances"][k]-absolute) > 1e-12 {
				t.Fatalf("distances of z_%d and x_%d are %g and %g, want %g and %g", i, j,
					dense["squared distances"][k], dense["absolute distances"][k], square*square, absolute)
			}
		}
	}
}
