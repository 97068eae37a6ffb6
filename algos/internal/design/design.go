// Package design computes inner products and distances of all pairs of points from the n×d matrix X of their features
// (the design matrix), several times as fast as one pair at a time. Package kernel computes its kernels of feature
// vectors from them.
//
//	FromPoints, Matrix                        X, from points: Row, Select, RowRange
//	Matrix.Gram, Cross                        X diag(θ) Xᵀ; Z diag(θ) Xᵀ for other points Z
//	SquaredDistances, Matrix.L1Distances      ‖z_i − x_j‖² and ‖z_i − x_j‖₁
//	Matrix.MulVec, RowQuadraticForms …        Xc, x_iᵀHx_i: what derivatives need
//	Scratch                                   reused storage, and the limit on threads
package design

import (
	"github.com/mklnb/mkl/algos/internal/elementwise"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/points"
)

// Matrix is the n×d matrix X of n points with d features, row-major. An argument z of its methods is the matrix Z of l
// points with d features. If a method has an argument stride, row i of the result begins at dst[i·stride].
type Matrix struct {
	N, D int
	X    []float64
}

// FromPoints returns the given columns of x as a matrix, or all columns if columns is nil. It panics if x does not have
// these columns.
func FromPoints(x points.Points, columns []int) *Matrix {
	r, err := points.SelectColumns(x, columns)
	if err != nil {
		panic(err)
	}
	return &Matrix{r.N, r.D, r.Data}
}

// Scratch holds working storage, which the next computation reuses. Threads limits the number of threads. The zero
// Scratch is ready for use. One Scratch serves one goroutine at a time.
type Scratch struct {
	Threads     linalg.ThreadLimit
	scaledX     []float64 // n×d
	blockBuffer []float64 // the points or matrix rows that are processed at a time
	product     []float64 // block×d
}

// Resize sets the length of *p to n and returns *p. It allocates only if the capacity of *p is too small.
func Resize(p *[]float64, n int) []float64 {
	if cap(*p) < n {
		*p = make([]float64, n)
	}
	*p = (*p)[:n]
	return *p
}

// Row returns the d features of point i, which share the storage of x.
func (x *Matrix) Row(i int) []float64 { return x.X[i*x.D : (i+1)*x.D] }

// RowRange returns points first … end−1, which share the storage of x.
func (x *Matrix) RowRange(first, end int) *Matrix {
	return &Matrix{end - first, x.D, x.X[first*x.D : end*x.D]}
}

// Select returns the given points and columns of X, in new storage.
func (x *Matrix) Select(rows, columns []int) *Matrix {
	y := &Matrix{len(rows), len(columns), make([]float64, len(rows)*len(columns))}
	for p, i := range rows {
		row, src := y.Row(p), x.Row(i)
		for q, k := range columns {
			row[q] = src[k]
		}
	}
	return y
}

// SquaredRowNorms returns the n squared norms ‖x_i‖² of the rows of X, one for each point.
func (x *Matrix) SquaredRowNorms() []float64 {
	dst := make([]float64, x.N)
	for i := range dst {
		dst[i] = linalg.Dot(x.Row(i), x.Row(i))
	}
	return dst
}

// scaleColumns returns X diag(θ), n×d. It returns X itself if θ is nil.
func (x *Matrix) scaleColumns(theta []float64, s *Scratch) []float64 {
	if theta == nil {
		return x.X
	}
	y := Resize(&s.scaledX, len(x.X))
	for i := range x.N {
		row, src := y[i*x.D:(i+1)*x.D], x.Row(i)
		for k, t := range theta {
			row[k] = src[k] * t
		}
	}
	return y
}

// Gram stores the upper triangle of X diag(θ) Xᵀ in dst, n×n. It may overwrite entries of dst below the diagonal.
func (x *Matrix) Gram(dst, theta []float64, s *Scratch) {
	s.Threads.SymGemm(x.N, x.D, x.scaleColumns(theta, s), x.D, x.X, x.D, dst, x.N)
}

// Cross stores the inner products Z diag(θ) Xᵀ in dst, l×n. A nil θ means 1 for every feature.
func (x *Matrix) Cross(dst []float64, stride int, z *Matrix, theta []float64, s *Scratch) {
	s.Threads.Gemm(false, true, z.N, x.N, x.D, 1, z.scaleColumns(theta, s), x.D, x.X, x.D, 0, dst, stride)
}

// MulVecTransposed stores Xᵀw in dst, of length d.
func (x *Matrix) MulVecTransposed(dst, w []float64) {
	clear(dst)
	for i, c := range w {
		if c != 0 {
			linalg.Axpy(c, x.Row(i), dst)
		}
	}
}

// MulVec stores Xc in dst, of length n.
func (x *Matrix) MulVec(dst, c []float64) {
	for i := range dst {
		dst[i] = linalg.Dot(c, x.Row(i))
	}
}

// WeightedCrossProduct stores Xᵀdiag(w)X in dst, d×d, both triangles. It adds the contribution of 256 points at a time.
// For these points it computes 64 rows of the result at a time, from the block on the diagonal to the last column.
func (x *Matrix) WeightedCrossProduct(dst, w []float64, s *Scratch) {
	const block, width = 256, 64
	d := x.D
	y := Resize(&s.blockBuffer, block*d)
	for b := 0; b < x.N; b += block {
		rows := min(block, x.N-b)
		for i := range rows {
			c := w[b+i]
			for k, v := range x.Row(b + i) {
				y[i*d+k] = c * v
			}
		}
		beta := 1.0
		if b == 0 {
			beta = 0
		}
		for k := 0; k < d; k += width {
			s.Threads.Gemm(true, false, min(width, d-k), d-k, rows, 1, y[k:], d, x.X[b*d+k:], d, beta, dst[k*d+k:], d)
		}
	}
	for k := range d {
		for l := range k {
			dst[k*d+l] = dst[l*d+k]
		}
	}
}

// RowQuadraticForms stores x_iᵀHx_i in dst[i], i < n, where x_i is a row of X and H is d×d.
func (x *Matrix) RowQuadraticForms(dst, h []float64, s *Scratch) {
	const block = 64
	d := x.D
	y := Resize(&s.blockBuffer, block*d)
	for b := 0; b < x.N; b += block {
		rows := min(block, x.N-b)
		s.Threads.Gemm(false, false, rows, d, d, 1, x.X[b*d:], d, h, d, 0, y, d)
		for i := range rows {
			dst[b+i] = linalg.Dot(y[i*d:(i+1)*d], x.Row(b+i))
		}
	}
}

// ColumnQuadraticForms stores x_kᵀMx_k in dst[k], k < d, for each column x_k of X and a symmetric n×n matrix M.
// storeUpperRow stores row i of M from the diagonal on, with doubled entries off the diagonal: M_ii in row[0], and
// 2M_ij in row[j−i] for j > i. ColumnQuadraticForms multiplies 64 rows of the upper triangle of M by X at a time, in
// n²d operations.
func (x *Matrix) ColumnQuadraticForms(dst []float64, storeUpperRow func(row []float64, i int), s *Scratch) {
	const block = 64
	n, d := x.N, x.D
	strip, y := Resize(&s.blockBuffer, block*n), Resize(&s.product, block*d)
	clear(dst)
	for b := 0; b < n; b += block {
		rows, cols := min(block, n-b), n-b
		for i := range rows {
			clear(strip[i*cols : i*cols+i])
			storeUpperRow(strip[i*cols+i:(i+1)*cols], b+i)
		}
		s.Threads.Gemm(false, false, rows, d, cols, 1, strip, cols, x.X[b*d:], d, 0, y, d)
		for i := range rows {
			a := x.Row(b + i)
			for k, e := range y[i*d : (i+1)*d] {
				dst[k] += e * a[k]
			}
		}
	}
}

// ColumnMeans returns the mean of the points.
func (x *Matrix) ColumnMeans() []float64 {
	mean := make([]float64, x.D)
	for i := range x.N {
		linalg.Axpy(1/float64(x.N), x.Row(i), mean)
	}
	return mean
}

// SubtractFromRows returns a new matrix with the rows x_i − center.
func (x *Matrix) SubtractFromRows(center []float64) *Matrix {
	s := &Matrix{x.N, x.D, make([]float64, len(x.X))}
	for i := range x.N {
		row := s.Row(i)
		for k, v := range x.Row(i) {
			row[k] = v - center[k]
		}
	}
	return s
}

// SquaredDistance returns the squared distance of row zRow of z and row xRow of x, computed from the differences of the
// features.
func (x *Matrix) SquaredDistance(z *Matrix, zRow, xRow int) float64 {
	s, b := 0.0, x.Row(xRow)
	for k, v := range z.Row(zRow) {
		s += (v - b[k]) * (v - b[k])
	}
	return s
}

// L1Distances stores ‖z_i − x_j‖₁ for the l points z_i and the n points x_j in dst, l×n. It adds up the distances to
// 256 points x_j at a time, feature by feature, or for d > 512 to as many as fit in 1 MB, but at least 32.
func (x *Matrix) L1Distances(dst []float64, stride int, z *Matrix, s *Scratch) {
	pointsPerBlock := max(32, min(256, (1<<17)/max(x.D, 1)&^3))
	features := Resize(&s.blockBuffer, pointsPerBlock*x.D) // features of the points of one block, d×block
	for firstPoint := 0; firstPoint < x.N; firstPoint += pointsPerBlock {
		width := min(pointsPerBlock, x.N-firstPoint)
		for j := range width {
			for k, v := range x.Row(firstPoint + j) {
				features[k*pointsPerBlock+j] = v
			}
		}
		for i := range z.N {
			row := dst[i*stride+firstPoint : i*stride+firstPoint+width]
			clear(row)
			for k, v := range z.Row(i) {
				elementwise.AddAbsoluteDifferences(row, features[k*pointsPerBlock:k*pointsPerBlock+width], v)
			}
		}
	}
}
