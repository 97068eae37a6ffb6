//go:build ((linux && !android) || darwin) && (amd64 || arm64) && !faketime

package openblas

import (
	"runtime"
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"

	"gonum.org/v1/gonum/blas"
)

// The library is column-major: what it reads of a row-major matrix is its transpose. So the upper
// triangle becomes the lower, the left side the right, AB becomes BᵀAᵀ, and AAᵀ becomes AᵀA.

// frame holds the scalars of one call, whose addresses Fortran wants. Its integers have 64 bits: a
// library that expects 32 reads the lower half, which comes first on amd64 and arm64.
type frame struct {
	m, n, k, lda, ldb, ldc, incX, incY int64
	lwork, liwork, info, lo, hi, found int64
	alpha, beta, vl, vu                float64
	c                                  [4]byte
	none                               [1]float64
	args                               [32]uintptr
	held                               [6][]float64
	heldInts                           [2][]int64
}

var frames = sync.Pool{New: func() any { return new(frame) }}

// call calls f. The arguments are copied, so that a call allocates nothing; what they point to is in
// x and in what x holds, so on the heap, where it stays in place.
func (x *frame) call(f uintptr, args ...uintptr) {
	n := copy(x.args[:], args)
	purego.SyscallN(f, x.args[:n]...)
	runtime.KeepAlive(x)
}

// at is the address of a number of a frame.
func at[T any](p *T) uintptr { return uintptr(unsafe.Pointer(p)) }

// first is the address of numbers that a frame holds.
func first[T any](s []T) uintptr { return at(unsafe.SliceData(s)) }

// free gives x back, without what it holds.
func (x *frame) free() {
	x.held, x.heldInts = [6][]float64{}, [2][]int64{}
	frames.Put(x)
}

// triangle is the library's flag for triangle ul of a row-major matrix: the other one.
func triangle(ul blas.Uplo) byte {
	if ul == blas.Upper {
		return 'L'
	}
	return 'U'
}

// side is its flag for a factor on side s of a product: the other one.
func side(s blas.Side) byte {
	if s == blas.Left {
		return 'R'
	}
	return 'L'
}

// opposite is its flag for op(A) where the order of factors stays (AAᵀ, Ax): A is transposed already.
func opposite(t blas.Transpose) byte {
	if t == blas.NoTrans {
		return 'T'
	}
	return 'N'
}

// same is its flag for op(A) where the order of factors changes (AB, A⁻¹B).
func same(t blas.Transpose) byte {
	if t == blas.NoTrans {
		return 'N'
	}
	return 'T'
}

func (l *library) Dgemm(tA, tB blas.Transpose, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int,
	beta float64, c []float64, ldc int) {
	x := frames.Get().(*frame)
	x.held = [6][]float64{a, b, c}
	x.c[0], x.c[1] = same(tB), same(tA)
	x.m, x.n, x.k, x.lda, x.ldb, x.ldc, x.alpha, x.beta = int64(n), int64(m), int64(k), int64(ldb), int64(lda),
		int64(ldc), alpha, beta
	x.call(l.dgemm, at(&x.c[0]), at(&x.c[1]), at(&x.m), at(&x.n), at(&x.k), at(&x.alpha), first(b), at(&x.lda),
		first(a), at(&x.ldb), at(&x.beta), first(c), at(&x.ldc), 1, 1)
	x.free()
}

func (l *library) Dsyrk(ul blas.Uplo, t blas.Transpose, n, k int, alpha float64, a []float64, lda int, beta float64,
	c []float64, ldc int) {
	x := frames.Get().(*frame)
	x.held = [6][]float64{a, c}
	x.c[0], x.c[1] = triangle(ul), opposite(t)
	x.n, x.k, x.lda, x.ldc, x.alpha, x.beta = int64(n), int64(k), int64(lda), int64(ldc), alpha, beta
	x.call(l.dsyrk, at(&x.c[0]), at(&x.c[1]), at(&x.n), at(&x.k), at(&x.alpha), first(a), at(&x.lda), at(&x.beta),
		first(c), at(&x.ldc), 1, 1)
	x.free()
}

func (l *library) Dsymm(s blas.Side, ul blas.Uplo, m, n int, alpha float64, a []float64, lda int, b []float64,
	ldb int, beta float64, c []float64, ldc int) {
	x := frames.Get().(*frame)
	x.held = [6][]float64{a, b, c}
	x.c[0], x.c[1] = side(s), triangle(ul)
	x.m, x.n, x.lda, x.ldb, x.ldc, x.alpha, x.beta = int64(n), int64(m), int64(lda), int64(ldb), int64(ldc), alpha, beta
	x.call(l.dsymm, at(&x.c[0]), at(&x.c[1]), at(&x.m), at(&x.n), at(&x.alpha), first(a), at(&x.lda), first(b),
		at(&x.ldb), at(&x.beta), first(c), at(&x.ldc), 1, 1)
	x.free()
}

func (l *library) Dtrsm(s blas.Side, ul blas.Uplo, t blas.Transpose, d blas.Diag, m, n int, alpha float64,
	a []float64, lda int, b []float64, ldb int) {
	x := frames.Get().(*frame)
	x.held = [6][]float64{a, b}
	x.c = [4]byte{side(s), triangle(ul), same(t), byte(d)}
	x.m, x.n, x.lda, x.ldb, x.alpha = int64(n), int64(m), int64(lda), int64(ldb), alpha
	x.call(l.dtrsm, at(&x.c[0]), at(&x.c[1]), at(&x.c[2]), at(&x.c[3]), at(&x.m), at(&x.n), at(&x.alpha), first(a),
		at(&x.lda), first(b), at(&x.ldb), 1, 1, 1, 1)
	x.free()
}

func (l *library) Dgemv(t blas.Transpose, m, n int, alpha float64, a []float64, lda int, v []float64, incX int,
	beta float64, y []float64, incY int) {
	x := frames.Get().(*frame)
	x.held = [6][]float64{a, v, y}
	x.c[0] = opposite(t)
	x.m, x.n, x.lda, x.incX, x.incY, x.alpha, x.beta = int64(n), int64(m), int64(lda), int64(incX), int64(incY),
		alpha, beta
	x.call(l.dgemv, at(&x.c[0]), at(&x.m), at(&x.n), at(&x.alpha), first(a), at(&x.lda), first(v), at(&x.incX),
		at(&x.beta), first(y), at(&x.incY), 1)
	x.free()
}

func (l *library) Dsymv(ul blas.Uplo, n int, alpha float64, a []float64, lda int, v []float64, incX int, beta float64,
	y []float64, incY int) {
	x := frames.Get().(*frame)
	x.held = [6][]float64{a, v, y}
	x.c[0] = triangle(ul)
	x.n, x.lda, x.incX, x.incY, x.alpha, x.beta = int64(n), int64(lda), int64(incX), int64(incY), alpha, beta
	x.call(l.dsymv, at(&x.c[0]), at(&x.n), at(&x.alpha), first(a), at(&x.lda), first(v), at(&x.incX), at(&x.beta),
		first(y), at(&x.incY), 1)
	x.free()
}

func (l *library) Dspmv(ul blas.Uplo, n int, alpha float64, ap, v []float64, incX int, beta float64, y []float64,
	incY int) {
	x := frames.Get().(*frame)
	x.held = [6][]float64{ap, v, y}
	x.c[0] = triangle(ul)
	x.n, x.incX, x.incY, x.alpha, x.beta = int64(n), int64(incX), int64(incY), alpha, beta
	x.call(l.dspmv, at(&x.c[0]), at(&x.n), at(&x.alpha), first(ap), first(v), at(&x.incX), at(&x.beta), first(y),
		at(&x.incY), 1)
	x.free()
}

func (l *library) Dtrsv(ul blas.Uplo, t blas.Transpose, d blas.Diag, n int, a []float64, lda int, v []float64,
	incX int) {
	x := frames.Get().(*frame)
	x.held = [6][]float64{a, v}
	x.c[0], x.c[1], x.c[2] = triangle(ul), opposite(t), byte(d)
	x.n, x.lda, x.incX = int64(n), int64(lda), int64(incX)
	x.call(l.dtrsv, at(&x.c[0]), at(&x.c[1]), at(&x.c[2]), at(&x.n), first(a), at(&x.lda), first(v), at(&x.incX), 1,
		1, 1)
	x.free()
}

// Dpotrf reports false also where a pivot is not a number, which the library passes over.
func (l *library) Dpotrf(ul blas.Uplo, n int, a []float64, lda int) bool {
	x := frames.Get().(*frame)
	x.held = [6][]float64{a}
	x.c[0], x.n, x.lda, x.info = triangle(ul), int64(n), int64(lda), 0
	x.call(l.dpotrf, at(&x.c[0]), at(&x.n), first(a), at(&x.lda), at(&x.info), 1)
	ok := x.info == 0
	x.free()
	for i := 0; i < n && ok; i++ {
		ok = a[i*lda+i] > 0
	}
	return ok
}

// Tridiagonal is LAPACK's dsytrd.
func (l *library) Tridiagonal(n int, a []float64, lda int, d, e, tau, work []float64) {
	x := frames.Get().(*frame)
	x.held = [6][]float64{a, d, e, tau, work}
	x.c[0], x.n, x.lda, x.lwork, x.info = 'L', int64(n), int64(lda), int64(len(work)), 0
	x.call(l.dsytrd, at(&x.c[0]), at(&x.n), first(a), at(&x.lda), first(d), first(e), first(tau), first(work),
		at(&x.lwork), at(&x.info), 1)
	x.free()
}

// Reflect is LAPACK's dormtr, of columns that are rows here.
func (l *library) Reflect(n, rows int, a []float64, lda int, tau, z []float64, ldz int, work []float64) {
	x := frames.Get().(*frame)
	x.held = [6][]float64{a, tau, z, work}
	x.c = [4]byte{'L', 'L', 'N'}
	x.m, x.n, x.lda, x.ldc, x.lwork, x.info = int64(n), int64(rows), int64(lda), int64(ldz), int64(len(work)), 0
	x.call(l.dormtr, at(&x.c[0]), at(&x.c[1]), at(&x.c[2]), at(&x.m), at(&x.n), first(a), at(&x.lda), first(tau),
		first(z), at(&x.ldc), first(work), at(&x.lwork), at(&x.info), 1, 1, 1)
	x.free()
}

// EigenTridiagonal is LAPACK's dstedc, or dsterf for the values alone.
func (l *library) EigenTridiagonal(n int, d, e, z []float64, ldz int, work []float64, iwork []int64) bool {
	x := frames.Get().(*frame)
	x.held = [6][]float64{d, e, z, work}
	x.heldInts = [2][]int64{iwork}
	x.n, x.info = int64(n), 0
	if z == nil {
		x.call(l.dsterf, at(&x.n), first(d), first(e), at(&x.info))
	} else {
		x.c[0], x.ldc, x.lwork, x.liwork = 'I', int64(ldz), int64(len(work)), int64(len(iwork))
		x.call(l.dstedc, at(&x.c[0]), at(&x.n), first(d), first(e), first(z), at(&x.ldc), first(work), at(&x.lwork),
			first(iwork), at(&x.liwork), at(&x.info), 1)
	}
	ok := x.info == 0
	x.free()
	return ok
}

// EigenRange is LAPACK's dsyevr with a range of indices.
func (l *library) EigenRange(n int, a []float64, lda, lo, hi int, w, z []float64, ldz int, work []float64, iwork,
	support []int64) bool {
	x := frames.Get().(*frame)
	x.held = [6][]float64{a, w, z, work}
	x.heldInts = [2][]int64{iwork, support}
	x.c = [4]byte{'N', 'I', 'L'}
	if z != nil {
		x.c[0] = 'V'
	} else {
		z, ldz = x.none[:], n
	}
	x.n, x.lda, x.ldc, x.lo, x.hi, x.alpha, x.info, x.found = int64(n), int64(lda), int64(ldz), int64(lo)+1,
		int64(hi), 0, 0, 0
	x.lwork, x.liwork = int64(len(work)), int64(len(iwork))
	x.call(l.dsyevr, at(&x.c[0]), at(&x.c[1]), at(&x.c[2]), at(&x.n), first(a), at(&x.lda), at(&x.vl), at(&x.vu),
		at(&x.lo), at(&x.hi), at(&x.alpha), at(&x.found), first(w), first(z), at(&x.ldc), first(support),
		first(work), at(&x.lwork), first(iwork), at(&x.liwork), at(&x.info), 1, 1, 1)
	ok := x.info == 0 && x.found == int64(hi-lo)
	x.free()
	return ok
}
