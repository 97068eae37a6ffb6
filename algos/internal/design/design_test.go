package design_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/internal/design"
	_ "github.com/mklnb/mkl/algos/linalg/openblas" // the tests run with the library too
)

// TestMatrix compares each method, for points in several blocks of rows, with its definition.
func TestMatrix(t *testing.T) {
	const n, l, d = 300, 4, 9
	r := rand.New(rand.NewPCG(1, 2))
	random := func(n int) []float64 {
		v := make([]float64, n)
		for i := range v {
			v[i] = r.NormFloat64()
		}
		return v
	}
	x, z := &design.Matrix{N: n, D: d, X: random(n * d)}, &design.Matrix{N: l, D: d, X: random(l * d)}
	theta, w, h, s := random(d), random(n), random(d*d), &design.Scratch{}
	a, b := mat.NewDense(n, d, x.X), mat.NewDense(l, d, z.X)
	product := func(factors ...mat.Matrix) []float64 {
		var p mat.Dense
		p.Product(factors...)
		return p.RawMatrix().Data
	}
	diagonal := func(p []float64, n int) (diag []float64) {
		for i := range n {
			diag = append(diag, p[i*n+i])
		}
		return diag
	}
	compare := func(name string, f func(dst []float64), want []float64) {
		got := make([]float64, len(want))
		if f(got); !floats.EqualApprox(got, want, 1e-11) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	byTheta := mat.NewDiagDense(d, theta)
	outer := mat.NewDense(n, n, product(mat.NewVecDense(n, w), mat.NewDense(1, n, w)))
	gram := product(a, byTheta, a.T())
	for i := range n {
		clear(gram[i*n : i*n+i])
	}
	compare("Gram", func(dst []float64) {
		x.Gram(dst, theta, s)
		for i := range n {
			clear(dst[i*n : i*n+i]) // Gram may store anything below the diagonal
		}
	}, gram)
	compare("Cross", func(dst []float64) { x.Cross(dst, n, z, theta, s) }, product(b, byTheta, a.T()))
	compare("MulVecTransposed", func(dst []float64) { x.MulVecTransposed(dst, w) },
		product(a.T(), mat.NewVecDense(n, w)))
	compare("MulVec", func(dst []float64) { x.MulVec(dst, theta) }, product(a, mat.NewVecDense(d, theta)))
	compare("WeightedCrossProduct", func(dst []float64) { x.WeightedCrossProduct(dst, w, s) },
		product(a.T(), mat.NewDiagDense(n, w), a))
	compare("RowQuadraticForms", func(dst []float64) { x.RowQuadraticForms(dst, h, s) },
		diagonal(product(a, mat.NewDense(d, d, h), a.T()), n))
	compare("ColumnQuadraticForms", func(dst []float64) {
		x.ColumnQuadraticForms(dst, func(row []float64, i int) {
			for j, v := range w[i:] {
				row[j] = 2 * w[i] * v
			}
			row[0] /= 2
		}, s)
	}, diagonal(product(a.T(), outer, a), d))
	compare("SquaredNorms", func(dst []float64) { copy(dst, x.SquaredRowNorms()) }, diagonal(product(a, a.T()), n))
	var square, absolute []float64
	for i := range l {
		for j := range n {
			e := floats.Distance(z.Row(i), x.Row(j), 2)
			square, absolute = append(square, e*e), append(absolute, floats.Distance(z.Row(i), x.Row(j), 1))
		}
	}
	compare("L1Distances", func(dst []float64) { x.L1Distances(dst, n, z, s) }, absolute)
	compare("SquaredDistances", func(dst []float64) {
		center := x.ColumnMeans()
		moved := x.SubtractFromRows(center)
		design.SquaredDistances(dst, n, z, x, center, moved, moved.SquaredRowNorms(), s)
	}, square)
	if !slices.Equal(x.RowRange(3, 5).Row(1), x.Row(4)) {
		t.Error("Rows")
	}
}
