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
// triangle is its lower triangle ('L'), AB is computed as BᵀAᵀ, a factor on the left is on its right side ('R'), and
// AAᵀ is computed as AᵀA.

// frame holds the scalar arguments of one call, because Fortran receives every argument by address. The integers have
// 64 bits. A library that expects 32 bits reads the lower half, which is stored first on amd64 and arm64.
type frame struct {
	integers [12]int64
	numbers  [4]float64
	flags    [4]byte
	info     int64 // the result of a LAPACK routine: 0 if it succeeded
	args     [32]uintptr
	slices   [6][]float64 // arguments that the call must keep alive
	iwork    []int64

	integerCount, numberCount, flagCount int // used entries of integers, numbers and flags
}

// frames pools frames, so that a call allocates nothing.
var frames = sync.Pool{New: func() any { return new(frame) }}

// newFrame returns a frame for a call that gets these slices.
func newFrame(slices ...[]float64) *frame {
	x := frames.Get().(*frame)
	x.integerCount, x.numberCount, x.flagCount, x.info = 0, 0, 0, 0
	copy(x.slices[:], slices)
	return x
}

// integer stores v and returns its address.
func (x *frame) integer(v int) uintptr {
	p := &x.integers[x.integerCount]
	*p = int64(v)
	x.integerCount++
	return address(p)
}

// number stores v and returns its address.
func (x *frame) number(v float64) uintptr {
	p := &x.numbers[x.numberCount]
	*p = v
	x.numberCount++
	return address(p)
}

// flag stores c and returns its address.
func (x *frame) flag(c byte) uintptr {
	p := &x.flags[x.flagCount]
	*p = c
	x.flagCount++
	return address(p)
}

// call calls the function at address f, returns the frame to the pool, and reports whether x.info is 0. It copies the
// arguments into x, so that a call allocates nothing. The arguments point into x or into slices that x refers to. These
// are on the heap, where Go does not move them.
func (x *frame) call(f uintptr, args ...uintptr) bool {
	n := copy(x.args[:], args)
	purego.SyscallN(f, x.args[:n]...)
	runtime.KeepAlive(x)
	succeeded := x.info == 0
	x.slices, x.iwork = [6][]float64{}, nil
	frames.Put(x)
	return succeeded
}

// address returns the address of p. The caller keeps p in a frame.
func address[T any](p *T) uintptr { return uintptr(unsafe.Pointer(p)) }

// data returns the address of the first number of s. The caller stores s in a frame.
func data[T any](s []T) uintptr { return address(unsafe.SliceData(s)) }

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
	x := newFrame(a, b, c)
	x.call(l.dgemm, x.flag(transposeFlag(tB)), x.flag(transposeFlag(tA)), x.integer(n), x.integer(m), x.integer(k),
		x.number(alpha), data(b), x.integer(ldb), data(a), x.integer(lda), x.number(beta), data(c), x.integer(ldc), 1,
		1)
}

// Dsyrk calls the BLAS routine of this name.
func (l *library) Dsyrk(t blas.Transpose, n, k int, alpha float64, a []float64, lda int, beta float64, c []float64,
	ldc int) {
	x := newFrame(a, c)
	x.call(l.dsyrk, x.flag('L'), x.flag(reversedTransposeFlag(t)), x.integer(n), x.integer(k), x.number(alpha), data(a),
		x.integer(lda), x.number(beta), data(c), x.integer(ldc), 1, 1)
}

// Dtrsm calls the BLAS routine of this name.
func (l *library) Dtrsm(t blas.Transpose, m, n int, u []float64, ldu int, b []float64, ldb int) {
	x := newFrame(u, b)
	x.call(l.dtrsm, x.flag('R'), x.flag('L'), x.flag(transposeFlag(t)), x.flag('N'), x.integer(n), x.integer(m),
		x.number(1), data(u), x.integer(ldu), data(b), x.integer(ldb), 1, 1, 1, 1)
}

// Dgemv calls the BLAS routine of this name.
func (l *library) Dgemv(t blas.Transpose, m, n int, a []float64, lda int, v, y []float64) {
	x := newFrame(a, v, y)
	one := x.integer(1)
	x.call(l.dgemv, x.flag(reversedTransposeFlag(t)), x.integer(n), x.integer(m), x.number(1), data(a), x.integer(lda),
		data(v), one, x.number(0), data(y), one, 1)
}

// Dsymv calls the BLAS routine of this name.
func (l *library) Dsymv(n int, a []float64, lda int, v, y []float64) {
	x := newFrame(a, v, y)
	one := x.integer(1)
	x.call(l.dsymv, x.flag('L'), x.integer(n), x.number(1), data(a), x.integer(lda), data(v), one, x.number(0), data(y),
		one, 1)
}

// Dtrsv calls the BLAS routine of this name.
func (l *library) Dtrsv(t blas.Transpose, n int, u []float64, ldu int, v []float64) {
	x := newFrame(u, v)
	x.call(l.dtrsv, x.flag('L'), x.flag(reversedTransposeFlag(t)), x.flag('N'), x.integer(n), data(u), x.integer(ldu),
		data(v), x.integer(1), 1, 1, 1)
}

// Dpotrf calls LAPACK's dpotrf. It also returns false if a pivot is NaN, which the library does not report.
func (l *library) Dpotrf(n int, a []float64, lda int) bool {
	x := newFrame(a)
	ok := x.call(l.dpotrf, x.flag('L'), x.integer(n), data(a), x.integer(lda), address(&x.info), 1)
	for i := 0; i < n && ok; i++ {
		ok = a[i*lda+i] > 0
	}
	return ok
}

// Tridiagonal calls LAPACK's dsytrd.
func (l *library) Tridiagonal(n int, a []float64, lda int, d, e, tau, work []float64) {
	x := newFrame(a, d, e, tau, work)
	x.call(l.dsytrd, x.flag('L'), x.integer(n), data(a), x.integer(lda), data(d), data(e), data(tau), data(work),
		x.integer(len(work)), address(&x.info), 1)
}

// Reflect calls LAPACK's dormtr. The rows of z are columns for the library.
func (l *library) Reflect(n, rows int, a []float64, lda int, tau, z []float64, ldz int, work []float64) {
	x := newFrame(a, tau, z, work)
	x.call(l.dormtr, x.flag('L'), x.flag('L'), x.flag('N'), x.integer(n), x.integer(rows), data(a), x.integer(lda),
		data(tau), data(z), x.integer(ldz), data(work), x.integer(len(work)), address(&x.info), 1, 1, 1)
}

// EigenTridiagonal calls LAPACK's dstedc, or dsterf if z is nil.
func (l *library) EigenTridiagonal(n int, d, e, z []float64, ldz int, work []float64, iwork []int64) bool {
	x := newFrame(d, e, z, work)
	x.iwork = iwork
	if z == nil {
		return x.call(l.dsterf, x.integer(n), data(d), data(e), address(&x.info))
	}
	return x.call(l.dstedc, x.flag('I'), x.integer(n), data(d), data(e), data(z), x.integer(ldz), data(work),
		x.integer(len(work)), data(iwork), x.integer(len(iwork)), address(&x.info), 1)
}

// EigenSmallest calls LAPACK's dsyevr for the eigenvalue with index 1. Its last 2n integers of workspace are the
// support of the eigenvector.
func (l *library) EigenSmallest(n int, a, w, z, work []float64, iwork []int64) bool {
	x := newFrame(a, w, z, work)
	x.iwork = iwork
	unused := x.number(0) // vl and vu, the ends of an interval of eigenvalues; not read for RANGE = 'I'
	return x.call(l.dsyevr, x.flag('V'), x.flag('I'), x.flag('L'), x.integer(n), data(a), x.integer(n), unused, unused,
		x.integer(1), x.integer(1), x.number(0), x.integer(0), data(w), data(z), x.integer(n), data(iwork[10*n:]),
		data(work), x.integer(len(work)), data(iwork), x.integer(10*n), address(&x.info), 1, 1, 1)
}
