package linalg

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// Tiles of a product: small enough that gonum neither starts goroutines nor allocates, and that a
// tile of each factor stays in the second-level cache.
const (
	tileRows = 64
	tileCols = 128
	tileLong = 256
)

// Gemm stores α·op(A)·op(B) + β·C in C, where op(A) is m×k, op(B) k×n and C m×n; op transposes
// where transA, transB say so. Matrices are row-major with strides lda, ldb, ldc. It runs on one
// thread and allocates nothing: folds and splits are what runs in parallel. 2mnk operations.
func Gemm(transA, transB bool, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, beta float64, c []float64, ldc int) {
	if m == 0 || n == 0 {
		return
	}
	ta, tb := blas.NoTrans, blas.NoTrans
	if transA {
		ta = blas.Trans
	}
	if transB {
		tb = blas.Trans
	}
	for i := 0; i < m; i += tileRows {
		bm := min(tileRows, m-i)
		for j := 0; j < n; j += tileCols {
			bn := min(tileCols, n-j)
			z := blas64.General{Rows: bm, Cols: bn, Stride: ldc, Data: c[i*ldc+j:]}
			scale := beta
			if k == 0 {
				for r := range bm {
					row := z.Data[r*ldc : r*ldc+bn]
					if beta == 0 {
						clear(row) // even of NaN
					}
					for s := range row {
						row[s] *= beta
					}
				}
			}
			for l := 0; l < k; l += tileLong {
				bk := min(tileLong, k-l)
				x := blas64.General{Rows: bm, Cols: bk, Stride: lda}
				if transA {
					x.Rows, x.Cols, x.Data = bk, bm, a[l*lda+i:]
				} else {
					x.Data = a[i*lda+l:]
				}
				y := blas64.General{Rows: bk, Cols: bn, Stride: ldb}
				if transB {
					y.Rows, y.Cols, y.Data = bn, bk, b[j*ldb+l:]
				} else {
					y.Data = b[l*ldb+j:]
				}
				blas64.Gemm(ta, tb, alpha, x, y, scale, z)
				scale = 1
			}
		}
	}
}

// SymGemm stores the upper triangle of A·Bᵀ, which the caller knows to be symmetric, such as
// (X diag θ)Xᵀ, in C; A and B are n×k, C is n×n. Below the diagonal C is overwritten in places.
// About n²k operations, half of a Gemm.
func SymGemm(n, k int, a []float64, lda int, b []float64, ldb int, c []float64, ldc int) {
	for i := 0; i < n; i += tileRows {
		bm := min(tileRows, n-i)
		Gemm(false, true, bm, n-i, k, 1, a[i*lda:], lda, b[i*ldb:], ldb, 0, c[i*ldc+i:], ldc)
	}
}

// Dot returns Σ x_i y_i over the length of x; y may be longer.
func Dot(x, y []float64) float64 {
	return blas64.Dot(blas64.Vector{N: len(x), Inc: 1, Data: x}, blas64.Vector{N: len(x), Inc: 1, Data: y})
}

// Axpy adds αx to y, over the length of x; y may be longer.
func Axpy(alpha float64, x, y []float64) {
	blas64.Axpy(alpha, blas64.Vector{N: len(x), Inc: 1, Data: x}, blas64.Vector{N: len(x), Inc: 1, Data: y})
}
