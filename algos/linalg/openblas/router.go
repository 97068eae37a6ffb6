//go:build ((linux && !android) || darwin) && (amd64 || arm64) && !faketime

package openblas

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	goblas "gonum.org/v1/gonum/blas/gonum"
	"gonum.org/v1/gonum/lapack"
	golapack "gonum.org/v1/gonum/lapack/gonum"
	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/linalg"
)

// router is gonum's blas64 with the large operations of the library. What gonum would refuse goes to
// gonum, which says why.
type router struct {
	goblas.Implementation
	lib *library
}

func (r router) takes(op linalg.Op, size int, dims ...int) bool {
	return linalg.Large(op, size) && fits(dims...) && r.lib.Open()
}

// holds reports whether a has m rows of n at stride ld.
func holds(a []float64, m, n, ld int) bool { return ld >= max(1, n) && len(a) >= (m-1)*ld+n }

// swap is m, n or n, m.
func swap(m, n int, t blas.Transpose) (rows, cols int) {
	if t == blas.NoTrans {
		return m, n
	}
	return n, m
}

func isTranspose(t blas.Transpose) bool {
	return t == blas.NoTrans || t == blas.Trans || t == blas.ConjTrans
}

func isUplo(ul blas.Uplo) bool { return ul == blas.Upper || ul == blas.Lower }

func isSide(s blas.Side) bool { return s == blas.Left || s == blas.Right }

func isDiag(d blas.Diag) bool { return d == blas.Unit || d == blas.NonUnit }

// order is the number of rows of the square factor on side s of an m×n matrix.
func order(s blas.Side, m, n int) int {
	if s == blas.Left {
		return m
	}
	return n
}

// positive reports whether every size is, so that a product of them is a size too.
func positive(sizes ...int) bool {
	for _, s := range sizes {
		if s <= 0 {
			return false
		}
	}
	return true
}

func (r router) Dgemm(tA, tB blas.Transpose, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, beta float64, c []float64, ldc int) {
	if positive(m, n, k) && isTranspose(tA) && isTranspose(tB) && r.takes(linalg.Product, m*n*k, m, n, k, lda, ldb, ldc) {
		ma, na := swap(m, k, tA)
		mb, nb := swap(k, n, tB)
		if holds(a, ma, na, lda) && holds(b, mb, nb, ldb) && holds(c, m, n, ldc) {
			linalg.Gemm(tA != blas.NoTrans, tB != blas.NoTrans, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
			return
		}
	}
	r.Implementation.Dgemm(tA, tB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
}

func (r router) Dsyrk(ul blas.Uplo, t blas.Transpose, n, k int, alpha float64, a []float64, lda int, beta float64, c []float64, ldc int) {
	if positive(n, k) && isUplo(ul) && isTranspose(t) && r.takes(linalg.Product, n*n*k, n, k, lda, ldc) {
		ma, na := swap(n, k, t)
		if holds(a, ma, na, lda) && holds(c, n, n, ldc) {
			r.lib.Dsyrk(ul, t, n, k, alpha, a, lda, beta, c, ldc)
			return
		}
	}
	r.Implementation.Dsyrk(ul, t, n, k, alpha, a, lda, beta, c, ldc)
}

func (r router) Dsymm(s blas.Side, ul blas.Uplo, m, n int, alpha float64, a []float64, lda int, b []float64, ldb int, beta float64, c []float64, ldc int) {
	if o := order(s, m, n); positive(m, n) && isSide(s) && isUplo(ul) && r.takes(linalg.Product, m*n*o, m, n, lda, ldb, ldc) {
		if holds(a, o, o, lda) && holds(b, m, n, ldb) && holds(c, m, n, ldc) {
			r.lib.Dsymm(s, ul, m, n, alpha, a, lda, b, ldb, beta, c, ldc)
			return
		}
	}
	r.Implementation.Dsymm(s, ul, m, n, alpha, a, lda, b, ldb, beta, c, ldc)
}

func (r router) triangular(s blas.Side, ul blas.Uplo, t blas.Transpose, d blas.Diag, m, n int, a []float64, lda int, b []float64, ldb int) bool {
	o := order(s, m, n)
	return positive(m, n) && isSide(s) && isUplo(ul) && isTranspose(t) && isDiag(d) && r.takes(linalg.Product, m*n*o, m, n, lda, ldb) &&
		holds(a, o, o, lda) && holds(b, m, n, ldb)
}

func (r router) Dtrsm(s blas.Side, ul blas.Uplo, t blas.Transpose, d blas.Diag, m, n int, alpha float64, a []float64, lda int, b []float64, ldb int) {
	if r.triangular(s, ul, t, d, m, n, a, lda, b, ldb) {
		r.lib.Dtrsm(s, ul, t, d, m, n, alpha, a, lda, b, ldb)
		return
	}
	r.Implementation.Dtrsm(s, ul, t, d, m, n, alpha, a, lda, b, ldb)
}

func (r router) Dtrmm(s blas.Side, ul blas.Uplo, t blas.Transpose, d blas.Diag, m, n int, alpha float64, a []float64, lda int, b []float64, ldb int) {
	if r.triangular(s, ul, t, d, m, n, a, lda, b, ldb) {
		r.lib.Dtrmm(s, ul, t, d, m, n, alpha, a, lda, b, ldb)
		return
	}
	r.Implementation.Dtrmm(s, ul, t, d, m, n, alpha, a, lda, b, ldb)
}

// reaches reports whether a vector of n entries at a positive increment is in x.
func reaches(x []float64, n, inc int) bool { return inc > 0 && len(x) > (n-1)*inc }

func (r router) Dgemv(t blas.Transpose, m, n int, alpha float64, a []float64, lda int, x []float64, incX int, beta float64, y []float64, incY int) {
	if positive(m, n) && isTranspose(t) && r.takes(linalg.VectorProduct, m*n, m, n, lda, incX, incY) {
		ny, nx := swap(m, n, t)
		if holds(a, m, n, lda) && reaches(x, nx, incX) && reaches(y, ny, incY) {
			r.lib.Dgemv(t, m, n, alpha, a, lda, x, incX, beta, y, incY)
			return
		}
	}
	r.Implementation.Dgemv(t, m, n, alpha, a, lda, x, incX, beta, y, incY)
}

func (r router) Dsymv(ul blas.Uplo, n int, alpha float64, a []float64, lda int, x []float64, incX int, beta float64, y []float64, incY int) {
	if positive(n) && isUplo(ul) && r.takes(linalg.VectorProduct, n*n, n, lda, incX, incY) && holds(a, n, n, lda) && reaches(x, n, incX) && reaches(y, n, incY) {
		r.lib.Dsymv(ul, n, alpha, a, lda, x, incX, beta, y, incY)
		return
	}
	r.Implementation.Dsymv(ul, n, alpha, a, lda, x, incX, beta, y, incY)
}

func (r router) Dtrsv(ul blas.Uplo, t blas.Transpose, d blas.Diag, n int, a []float64, lda int, x []float64, incX int) {
	if positive(n) && isUplo(ul) && isTranspose(t) && isDiag(d) && r.takes(linalg.VectorSolve, n*n, n, lda, incX) && holds(a, n, n, lda) && reaches(x, n, incX) {
		r.lib.Dtrsv(ul, t, d, n, a, lda, x, incX)
		return
	}
	r.Implementation.Dtrsv(ul, t, d, n, a, lda, x, incX)
}

// factors is gonum's lapack64 with the large operations of the library. Gonum's own blocked
// algorithms (dgetrf, dgeqrf, dgesvd and others) gain through router.
type factors struct {
	golapack.Implementation
	lib *library
}

func (f factors) takes(op linalg.Op, ul blas.Uplo, n int, a []float64, lda int) bool {
	return isUplo(ul) && linalg.Large(op, n) && fits(n, lda) && holds(a, n, n, lda) && f.lib.Open()
}

func (f factors) Dpotrf(ul blas.Uplo, n int, a []float64, lda int) bool {
	if f.takes(linalg.Factor, ul, n, a, lda) {
		return f.lib.Dpotrf(ul, n, a, lda)
	}
	return f.Implementation.Dpotrf(ul, n, a, lda)
}

func (f factors) Dtrtri(ul blas.Uplo, d blas.Diag, n int, a []float64, lda int) bool {
	if isDiag(d) && f.takes(linalg.Factor, ul, n, a, lda) {
		return f.lib.Dtrtri(ul, d, n, a, lda)
	}
	return f.Implementation.Dtrtri(ul, d, n, a, lda)
}

// Dsyev is computed by divide and conquer. A query of the workspace, other than upper triangles, and
// entries that are not finite are gonum's.
func (f factors) Dsyev(job lapack.EVJob, ul blas.Uplo, n int, a []float64, lda int, w, work []float64, lwork int) bool {
	if (job != lapack.EVNone && job != lapack.EVCompute) || ul != blas.Upper || lwork < max(1, 3*n-1) || len(work) < lwork || len(w) < n ||
		!f.takes(linalg.Spectrum, ul, n, a, lda) || !finite(n, a, lda) {
		return f.Implementation.Dsyev(job, ul, n, a, lda, w, work, lwork)
	}
	var view mat.SymDense
	view.SetRawSymmetric(blas64.Symmetric{Uplo: ul, N: n, Stride: lda, Data: a})
	var e linalg.Spectral
	if !e.Factorize(&view, job == lapack.EVCompute) {
		return false
	}
	copy(w, e.Values())
	if job == lapack.EVCompute {
		for i := range n {
			for j, v := range e.Vector(i) {
				a[j*lda+i] = v
			}
		}
	}
	return true
}

// finite reports whether the upper triangle of a is.
func finite(n int, a []float64, lda int) bool {
	for i := range n {
		for _, v := range a[i*lda+i : i*lda+n] {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return false
			}
		}
	}
	return true
}
