package linalg

import (
	"gonum.org/v1/gonum/blas"
	goblas "gonum.org/v1/gonum/blas/gonum"
	golapack "gonum.org/v1/gonum/lapack/gonum"
)

// engine is what blocked algorithms call: a Library or pure. Its methods are the routines of BLAS and LAPACK with these
// names. Of a symmetric matrix they read and write the upper triangle.
type engine interface {
	// Dgemm stores α·op(A)·op(B) + β·C in C, of m×n. op(A) is m×k.
	Dgemm(tA, tB blas.Transpose, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, beta float64,
		c []float64, ldc int)
	// Dsyrk stores α·op(A)·op(A)ᵀ + β·C in C, of n×n. op(A) is n×k. It may overwrite entries below the diagonal.
	Dsyrk(t blas.Transpose, n, k int, alpha float64, a []float64, lda int, beta float64, c []float64, ldc int)
	// Dtrsm replaces B, of m×n, by op(U)⁻¹B, with an upper triangular U.
	Dtrsm(t blas.Transpose, m, n int, u []float64, ldu int, b []float64, ldb int)
	// Dpotrf replaces A, of n×n, by U with A = UᵀU. It returns false if A is not positive definite.
	Dpotrf(n int, a []float64, lda int) (isPositiveDefinite bool)
}

var (
	goBLAS   goblas.Implementation
	goLAPACK golapack.Implementation
)

// pure is the engine in pure Go. It calls the kernels of gonum on the goroutine of the caller only. It does not embed
// gonum's Implementation: each notebook cell is compiled as a program, which would link all 300 methods of that type.
type pure struct{}

// Sizes of the blocks of A and B in pure.Dgemm. They are small enough that gonum neither starts goroutines nor
// allocates, and that a block of each factor fits into the second-level cache.
const (
	tileRows  = 64  // rows of a block of op(A), which is A or Aᵀ
	tileCols  = 128 // columns of a block of op(B), which is B or Bᵀ
	tileInner = 256 // columns of a block of op(A), rows of a block of op(B)
)

// Dgemm stores α·op(A)·op(B) + β·C in C, block by block.
func (pure) Dgemm(tA, tB blas.Transpose, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int,
	beta float64, c []float64, ldc int) {
	for i := 0; i < m; i += tileRows {
		bm := min(tileRows, m-i)
		for j := 0; j < n; j += tileCols {
			bn := min(tileCols, n-j)
			z := c[i*ldc+j:]
			scale := beta
			for l := 0; l < k; l += tileInner {
				bk := min(tileInner, k-l)
				x, y := a[entryIndex(tA, i, l, lda):], b[entryIndex(tB, l, j, ldb):]
				goBLAS.Dgemm(tA, tB, bm, bn, bk, alpha, x, lda, y, ldb, scale, z, ldc)
				scale = 1
			}
		}
	}
}

// entryIndex returns the index of entry (i, j) of op(A) in the storage of A, which has the stride ld.
func entryIndex(t blas.Transpose, i, j, ld int) int {
	if t == blas.NoTrans {
		return i*ld + j
	}
	return j*ld + i
}

// Dsyrk calls gonum's Dsyrk.
func (pure) Dsyrk(t blas.Transpose, n, k int, alpha float64, a []float64, lda int, beta float64, c []float64, ldc int) {
	goBLAS.Dsyrk(blas.Upper, t, n, k, alpha, a, lda, beta, c, ldc)
}

// Dtrsm calls gonum's Dtrsm.
func (pure) Dtrsm(t blas.Transpose, m, n int, u []float64, ldu int, b []float64, ldb int) {
	goBLAS.Dtrsm(blas.Left, blas.Upper, t, blas.NonUnit, m, n, 1, u, ldu, b, ldb)
}

// Dpotrf calls gonum's Dpotrf.
func (pure) Dpotrf(n int, a []float64, lda int) bool { return goLAPACK.Dpotrf(blas.Upper, n, a, lda) }

// chooseEngine returns the engine of an operation and reports whether it is the library. See chooseLibrary for the
// arguments and the conditions.
func chooseEngine(isLarge bool, largestDim int) (e engine, useLibrary bool) {
	if l := chooseLibrary(isLarge, largestDim); l != nil {
		return l, true
	}
	return pureEngine(), false
}

// transposeFlag returns the flag of BLAS for op(A) = Aᵀ if transposed is true, and for op(A) = A otherwise.
func transposeFlag(transposed bool) blas.Transpose {
	if transposed {
		return blas.Trans
	}
	return blas.NoTrans
}
