// Package design computes products and distances with the n×d matrix X of n points with d features, dense or sparse.
// Package kernel computes its kernels of feature vectors from them.
package design

import (
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/points"
)

// Matrix is the n×d matrix X of n points with d features. There are two kinds, *Dense and *Sparse. An argument z, the
// matrix Z of l points, is of the same kind as the receiver. If a method has an argument stride, row i of the result
// begins at dst[i·stride].
type Matrix interface {
	// Size returns n and d.
	Size() (n, d int)
	// DenseRow returns the d features of point i. If the matrix does not store them as consecutive numbers, DenseRow
	// stores them in buf, of length d, and returns buf.
	DenseRow(buf []float64, i int) []float64
	// Rows returns points lo … hi−1.
	Rows(lo, hi int) Matrix
	// Norms returns ‖x_i‖² for the n points.
	Norms() []float64

	// Gram stores the upper triangle of X diag(θ) Xᵀ in dst, n×n. A nil θ means 1 for every feature. Gram may overwrite
	// entries of dst below the diagonal.
	Gram(dst, theta []float64, s *Scratch)
	// Cross stores the inner products Z diag(θ) Xᵀ in dst, l×n. A nil θ means 1 for every feature.
	Cross(dst []float64, stride int, z Matrix, theta []float64, s *Scratch)
	// TimesTransposed stores Xᵀw in dst, of length d.
	TimesTransposed(dst, w []float64)
	// Times stores Xc in dst, of length n.
	Times(dst, c []float64)
	// Weighted stores Xᵀdiag(w)X in dst, d×d, both triangles.
	Weighted(dst, w []float64, s *Scratch)
	// RowForms stores x_iᵀHx_i in dst[i], i < n, where x_i is a row of X and H is d×d.
	RowForms(dst, h []float64, s *Scratch)
	// ColumnForms stores x_kᵀMx_k in dst[k], k < d, where x_k is a column of X and M is n×n.
	ColumnForms(dst []float64, m Triangle, s *Scratch)

	// Center returns a point that may be subtracted from all points before distances are computed. nil stands for the
	// zero point.
	Center() []float64
	// Minus returns X after subtracting the point c from every row.
	Minus(c []float64) Matrix
	// SquaredDistance returns ‖z_i − x_j‖², computed from the differences of the features.
	SquaredDistance(z Matrix, i, j int) float64
	// AbsoluteDistances stores ‖z_i − x_j‖₁ in dst, l×n.
	AbsoluteDistances(dst []float64, stride int, z Matrix, s *Scratch)
}

// Of returns the matrix of x, which is points.Rows or points.Sparse.
func Of(x points.Points) Matrix {
	if points.Is[points.Sparse](x) {
		return newSparse(points.MustAs[points.Sparse](x))
	}
	r := points.ToRows(x)
	return &Dense{r.N, r.D, r.Data}
}

// Pair returns the matrices of z and x, of one kind: if one is dense and one sparse, both become dense.
func Pair(z, x points.Points) (a, b Matrix) {
	if points.Is[points.Sparse](z) != points.Is[points.Sparse](x) {
		z, x = points.ToRows(z), points.ToRows(x)
	}
	return Of(z), Of(x)
}

// MustVectors returns the given columns of x as Rows or Sparse, or all columns if columns is nil. It panics if x does
// not have these columns.
func MustVectors(x points.Points, columns []int) points.Points {
	v, err := points.Vectors(x, columns)
	if err != nil {
		panic(err)
	}
	return v
}

// Triangle is a symmetric n×n matrix M that is computed row by row. UpperRow stores row i from the diagonal on, with
// doubled entries off the diagonal: M_ii in dst[0], and 2M_ij in dst[j−i] for j > i.
type Triangle interface{ UpperRow(dst []float64, i int) }

// Scratch holds working storage, which the next computation reuses. On limits the number of threads.
type Scratch struct {
	On                  linalg.Bound
	scaled, strip, prod []float64
	next                []int
}

// Sized sets the length of *p to n and returns *p. It allocates only if the capacity of *p is too small.
func Sized(p *[]float64, n int) []float64 {
	if cap(*p) < n {
		*p = make([]float64, n)
	}
	*p = (*p)[:n]
	return *p
}

// PointRange returns the points lo … hi−1 of x.
func PointRange(x points.Points, lo, hi int) points.Points {
	rows := make([]int, hi-lo)
	for i := range rows {
		rows[i] = lo + i
	}
	return x.Slice(rows)
}
