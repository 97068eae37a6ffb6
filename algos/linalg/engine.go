package linalg

import (
	"gonum.org/v1/gonum/blas"
	goblas "gonum.org/v1/gonum/blas/gonum"
	golapack "gonum.org/v1/gonum/lapack/gonum"
)

// engine provides the operations that blocked algorithms use. It is a library or pure Go.
type engine interface {
	Dgemm(tA, tB blas.Transpose, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, beta float64,
		c []float64, ldc int)
	Dsyrk(ul blas.Uplo, t blas.Transpose, n, k int, alpha float64, a []float64, lda int, beta float64, c []float64,
		ldc int)
	Dtrsm(s blas.Side, ul blas.Uplo, t blas.Transpose, d blas.Diag, m, n int, alpha float64, a []float64, lda int,
		b []float64, ldb int)
	Dpotrf(ul blas.Uplo, n int, a []float64, lda int) bool
}

var (
	goBLAS   goblas.Implementation
	goLAPACK golapack.Implementation
)

// pure is the engine in pure Go. It calls the kernels of gonum on the goroutine of the caller only. It does not embed
// the Implementation of gonum, because every notebook cell would then link its three hundred methods.
type pure struct{}

// Tiles of a product in pure Go. They are small enough that gonum neither starts goroutines nor allocates, and that a
// tile of each factor stays in the second-level cache.
const (
	tileRows = 64
	tileCols = 128
	tileLong = 256
)

func (pure) Dgemm(tA, tB blas.Transpose, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int,
	beta float64, c []float64, ldc int) {
	for i := 0; i < m; i += tileRows {
		bm := min(tileRows, m-i)
		for j := 0; j < n; j += tileCols {
			bn := min(tileCols, n-j)
			z := c[i*ldc+j:]
			scale := beta
			for l := 0; l < k; l += tileLong {
				bk := min(tileLong, k-l)
				x, y := a[at(tA, i, l, lda):], b[at(tB, l, j, ldb):]
				goBLAS.Dgemm(tA, tB, bm, bn, bk, alpha, x, lda, y, ldb, scale, z, ldc)
				scale = 1
			}
		}
	}
}

// at returns the index in A of entry (i, j) of op(A), with stride ld.
func at(t blas.Transpose, i, j, ld int) int {
	if t == blas.NoTrans {
		return i*ld + j
	}
	return j*ld + i
}

func (pure) Dsyrk(ul blas.Uplo, t blas.Transpose, n, k int, alpha float64, a []float64, lda int, beta float64,
	c []float64, ldc int) {
	goBLAS.Dsyrk(ul, t, n, k, alpha, a, lda, beta, c, ldc)
}

func (pure) Dtrsm(s blas.Side, ul blas.Uplo, t blas.Transpose, d blas.Diag, m, n int, alpha float64, a []float64,
	lda int, b []float64, ldb int) {
	goBLAS.Dtrsm(s, ul, t, d, m, n, alpha, a, lda, b, ldb)
}

func (pure) Dpotrf(ul blas.Uplo, n int, a []float64, lda int) bool {
	return goLAPACK.Dpotrf(ul, n, a, lda)
}

// choose returns the engine of an operation and whether it is the library. See served for the conditions.
func choose(isLarge bool, widest int) (e engine, isLibrary bool) {
	if l := served(isLarge, widest); l != nil {
		return l, true
	}
	return pure{}, false
}

func transpose(t bool) blas.Transpose {
	if t {
		return blas.Trans
	}
	return blas.NoTrans
}
