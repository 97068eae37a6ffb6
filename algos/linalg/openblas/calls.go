//go:build ((linux && !android) || darwin) && (amd64 || arm64) && !faketime

package openblas

import (
	"runtime"
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"

	"gonum.org/v1/gonum/blas"
)

// The library reads matrices in column-major order, so a row-major matrix is read as its transpose. Therefore the upper
// triangle becomes the lower triangle, the left side becomes the right side, AB is computed as BᵀAᵀ, and AAᵀ as AᵀA.

// frame holds the scalar arguments of one call, because Fortran receives every argument by address. The integers have
// 64 bits. A library that expects 32 bits reads the lower half, which is stored first on amd64 and arm64.
type frame struct {
	m, n, k, lda, ldb, ldc, incX, incY int64
	lwork, liwork, info, lo, hi, found int64
	alpha, beta, vl, vu                float64
	c                                  [4]byte      // flags
	none                               [1]float64   // an address for an argument that is not used
	args                               [32]uintptr  // the arguments of call
	slices                             [6][]float64 // arguments that the call must keep alive
	intSlices                          [2][]int64
}

// frames pools frames, so that a call allocates nothing.
var frames = sync.Pool{New: func() any { return new(frame) }}

// call calls the function at address f. It copies the arguments into x, so that a call allocates nothing. The arguments
// point into x or into slices that x refers to. These are on the heap, where Go does not move them.
func (x *frame) call(f uintptr, args ...uintptr) {
	n := copy(x.args[:], args)
	purego.SyscallN(f, x.args[:n]...)
	runtime.KeepAlive(x)
}

// ptr returns the address of p. The caller keeps p in a frame.
func ptr[T any](p *T) uintptr { return uintptr(unsafe.Pointer(p)) }

// data returns the address of the first number of s. The caller stores s in a frame.
func data[T any](s []T) uintptr { return ptr(unsafe.SliceData(s)) }

// release drops the references of x to slices and returns x to frames.
func (x *frame) release() {
	x.slices, x.intSlices = [6][]float64{}, [2][]int64{}
	frames.Put(x)
}

// triangleFlag returns the library's flag for the triangle ul of a row-major matrix. It is the flag of the other
// triangle, because the library reads the transpose.
func triangleFlag(ul blas.Uplo) byte {
	if ul == blas.Upper {
		return 'L'
	}
	return 'U'
}

// sideFlag returns the library's flag for a factor on side s of a product. It is the flag of the other side, because AB
// is computed as BᵀAᵀ.
func sideFlag(s blas.Side) byte {
	if s == blas.Left {
		return 'R'
	}
	return 'L'
}

// reversedTransposeFlag returns the library's flag for op(A) in AAᵀ and Ax. It is the opposite of t, because the
// library reads Aᵀ instead of A.
func reversedTransposeFlag(t blas.Transpose) byte {
	if t == blas.NoTrans {
		return 'T'
	}
	return 'N'
}

// transposeFlag returns the library's flag for op(A) in AB and A⁻¹B. It is t itself, because exchanging the factors
// already accounts for reading Aᵀ instead of A.
func transposeFlag(t blas.Transpose) byte {
	if t == blas.NoTrans {
		return 'N'
	}
	return 'T'
}

// Dgemm calls the BLAS routine of this name.
func (l *library) Dgemm(tA, tB blas.Transpose, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int,
	beta float64, c []float64, ldc int) {
	x := frames.Get().(*frame)
	x.slices = [6][]float64{a, b, c}
	x.c[0], x.c[1] = transposeFlag(tB), transposeFlag(tA)
	x.m, x.n, x.k, x.lda, x.ldb, x.ldc, x.alpha, x.beta = int64(n), int64(m), int64(k), int64(ldb), int64(lda),
		int64(ldc), alpha, beta
	x.call(l.dgemm, ptr(&x.c[0]), ptr(&x.c[1]), ptr(&x.m), ptr(&x.n), ptr(&x.k), ptr(&x.alpha), data(b), ptr(&x.lda),
		data(a), ptr(&x.ldb), ptr(&x.beta), data(c), ptr(&x.ldc), 1, 1)
	x.release()
}

// Dsyrk calls the BLAS routine of this name.
func (l *library) Dsyrk(ul blas.Uplo, t blas.Transpose, n, k int, alpha float64, a []float64, lda int, beta float64,
	c []float64, ldc int) {
	x := frames.Get().(*frame)
	x.slices = [6][]float64{a, c}
	x.c[0], x.c[1] = triangleFlag(ul), reversedTransposeFlag(t)
	x.n, x.k, x.lda, x.ldc, x.alpha, x.beta = int64(n), int64(k), int64(lda), int64(ldc), alpha, beta
	x.call(l.dsyrk, ptr(&x.c[0]), ptr(&x.c[1]), ptr(&x.n), ptr(&x.k), ptr(&x.alpha), data(a), ptr(&x.lda), ptr(&x.beta),
		data(c), ptr(&x.ldc), 1, 1)
	x.release()
}

// Dtrsm calls the BLAS routine of this name.
func (l *library) Dtrsm(s blas.Side, ul blas.Uplo, t blas.Transpose, d blas.Diag, m, n int, alpha float64,
	a []float64, lda int, b []float64, ldb int) {
	x := frames.Get().(*frame)
	x.slices = [6][]float64{a, b}
	x.c = [4]byte{sideFlag(s), triangleFlag(ul), transposeFlag(t), byte(d)}
	x.m, x.n, x.lda, x.ldb, x.alpha = int64(n), int64(m), int64(lda), int64(ldb), alpha
	x.call(l.dtrsm, ptr(&x.c[0]), ptr(&x.c[1]), ptr(&x.c[2]), ptr(&x.c[3]), ptr(&x.m), ptr(&x.n), ptr(&x.alpha),
		data(a), ptr(&x.lda), data(b), ptr(&x.ldb), 1, 1, 1, 1)
	x.release()
}

// Dgemv calls the BLAS routine of this name.
func (l *library) Dgemv(t blas.Transpose, m, n int, alpha float64, a []float64, lda int, v []float64, incX int,
	beta float64, y []float64, incY int) {
	x := frames.Get().(*frame)
	x.slices = [6][]float64{a, v, y}
	x.c[0] = reversedTransposeFlag(t)
	x.m, x.n, x.lda, x.incX, x.incY, x.alpha, x.beta = int64(n), int64(m), int64(lda), int64(incX), int64(incY),
		alpha, beta
	x.call(l.dgemv, ptr(&x.c[0]), ptr(&x.m), ptr(&x.n), ptr(&x.alpha), data(a), ptr(&x.lda), data(v), ptr(&x.incX),
		ptr(&x.beta), data(y), ptr(&x.incY), 1)
	x.release()
}

// Dsymv calls the BLAS routine of this name.
func (l *library) Dsymv(ul blas.Uplo, n int, alpha float64, a []float64, lda int, v []float64, incX int, beta float64,
	y []float64, incY int) {
	x := frames.Get().(*frame)
	x.slices = [6][]float64{a, v, y}
	x.c[0] = triangleFlag(ul)
	x.n, x.lda, x.incX, x.incY, x.alpha, x.beta = int64(n), int64(lda), int64(incX), int64(incY), alpha, beta
	x.call(l.dsymv, ptr(&x.c[0]), ptr(&x.n), ptr(&x.alpha), data(a), ptr(&x.lda), data(v), ptr(&x.incX), ptr(&x.beta),
		data(y), ptr(&x.incY), 1)
	x.release()
}

// Dspmv calls the BLAS routine of this name.
func (l *library) Dspmv(ul blas.Uplo, n int, alpha float64, ap, v []float64, incX int, beta float64, y []float64,
	incY int) {
	x := frames.Get().(*frame)
	x.slices = [6][]float64{ap, v, y}
	x.c[0] = triangleFlag(ul)
	x.n, x.incX, x.incY, x.alpha, x.beta = int64(n), int64(incX), int64(incY), alpha, beta
	x.call(l.dspmv, ptr(&x.c[0]), ptr(&x.n), ptr(&x.alpha), data(ap), data(v), ptr(&x.incX), ptr(&x.beta), data(y),
		ptr(&x.incY), 1)
	x.release()
}

// Dtrsv calls the BLAS routine of this name.
func (l *library) Dtrsv(ul blas.Uplo, t blas.Transpose, d blas.Diag, n int, a []float64, lda int, v []float64,
	incX int) {
	x := frames.Get().(*frame)
	x.slices = [6][]float64{a, v}
	x.c[0], x.c[1], x.c[2] = triangleFlag(ul), reversedTransposeFlag(t), byte(d)
	x.n, x.lda, x.incX = int64(n), int64(lda), int64(incX)
	x.call(l.dtrsv, ptr(&x.c[0]), ptr(&x.c[1]), ptr(&x.c[2]), ptr(&x.n), data(a), ptr(&x.lda), data(v), ptr(&x.incX), 1,
		1, 1)
	x.release()
}

// Dpotrf calls LAPACK's dpotrf. It also returns false if a pivot is NaN, which the library does not report.
func (l *library) Dpotrf(ul blas.Uplo, n int, a []float64, lda int) bool {
	x := frames.Get().(*frame)
	x.slices = [6][]float64{a}
	x.c[0], x.n, x.lda, x.info = triangleFlag(ul), int64(n), int64(lda), 0
	x.call(l.dpotrf, ptr(&x.c[0]), ptr(&x.n), data(a), ptr(&x.lda), ptr(&x.info), 1)
	ok := x.info == 0
	x.release()
	for i := 0; i < n && ok; i++ {
		ok = a[i*lda+i] > 0
	}
	return ok
}

// Tridiagonal calls LAPACK's dsytrd.
func (l *library) Tridiagonal(n int, a []float64, lda int, d, e, tau, work []float64) {
	x := frames.Get().(*frame)
	x.slices = [6][]float64{a, d, e, tau, work}
	x.c[0], x.n, x.lda, x.lwork, x.info = 'L', int64(n), int64(lda), int64(len(work)), 0
	x.call(l.dsytrd, ptr(&x.c[0]), ptr(&x.n), data(a), ptr(&x.lda), data(d), data(e), data(tau), data(work),
		ptr(&x.lwork), ptr(&x.info), 1)
	x.release()
}

// Reflect calls LAPACK's dormtr. The rows of z are columns for the library.
func (l *library) Reflect(n, rows int, a []float64, lda int, tau, z []float64, ldz int, work []float64) {
	x := frames.Get().(*frame)
	x.slices = [6][]float64{a, tau, z, work}
	x.c = [4]byte{'L', 'L', 'N'}
	x.m, x.n, x.lda, x.ldc, x.lwork, x.info = int64(n), int64(rows), int64(lda), int64(ldz), int64(len(work)), 0
	x.call(l.dormtr, ptr(&x.c[0]), ptr(&x.c[1]), ptr(&x.c[2]), ptr(&x.m), ptr(&x.n), data(a), ptr(&x.lda), data(tau),
		data(z), ptr(&x.ldc), data(work), ptr(&x.lwork), ptr(&x.info), 1, 1, 1)
	x.release()
}

// EigenTridiagonal calls LAPACK's dstedc, or dsterf if z is nil.
func (l *library) EigenTridiagonal(n int, d, e, z []float64, ldz int, work []float64, iwork []int64) bool {
	x := frames.Get().(*frame)
	x.slices = [6][]float64{d, e, z, work}
	x.intSlices = [2][]int64{iwork}
	x.n, x.info = int64(n), 0
	if z == nil {
		x.call(l.dsterf, ptr(&x.n), data(d), data(e), ptr(&x.info))
	} else {
		x.c[0], x.ldc, x.lwork, x.liwork = 'I', int64(ldz), int64(len(work)), int64(len(iwork))
		x.call(l.dstedc, ptr(&x.c[0]), ptr(&x.n), data(d), data(e), data(z), ptr(&x.ldc), data(work), ptr(&x.lwork),
			data(iwork), ptr(&x.liwork), ptr(&x.info), 1)
	}
	ok := x.info == 0
	x.release()
	return ok
}

// EigenRange calls LAPACK's dsyevr with a range of indices.
func (l *library) EigenRange(n int, a []float64, lda, lo, hi int, w, z []float64, ldz int, work []float64, iwork,
	support []int64) bool {
	x := frames.Get().(*frame)
	x.slices = [6][]float64{a, w, z, work}
	x.intSlices = [2][]int64{iwork, support}
	x.c = [4]byte{'N', 'I', 'L'}
	if z != nil {
		x.c[0] = 'V'
	} else {
		z, ldz = x.none[:], n
	}
	x.n, x.lda, x.ldc, x.lo, x.hi, x.alpha, x.info, x.found = int64(n), int64(lda), int64(ldz), int64(lo)+1,
		int64(hi), 0, 0, 0
	x.lwork, x.liwork = int64(len(work)), int64(len(iwork))
	x.call(l.dsyevr, ptr(&x.c[0]), ptr(&x.c[1]), ptr(&x.c[2]), ptr(&x.n), data(a), ptr(&x.lda), ptr(&x.vl), ptr(&x.vu),
		ptr(&x.lo), ptr(&x.hi), ptr(&x.alpha), ptr(&x.found), data(w), data(z), ptr(&x.ldc), data(support),
		data(work), ptr(&x.lwork), data(iwork), ptr(&x.liwork), ptr(&x.info), 1, 1, 1)
	ok := x.info == 0 && x.found == int64(hi-lo)
	x.release()
	return ok
}
