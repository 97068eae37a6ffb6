//go:build ((linux && !android) || darwin) && (amd64 || arm64) && !faketime

package openblas

import (
	"runtime"
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"

	"gonum.org/v1/gonum/blas"
)

// The library reads matrices in column-major order, so a row-major matrix is read as its transpose. Therefore the calls
// name the upper triangle the lower one ('L'), compute AB as BᵀAᵀ and AAᵀ as AᵀA, and pass a factor on the left as one
// on the right ('R'). The methods Dgemm to Dtrsv call the BLAS routines of their names.

// fortranCall holds the scalar arguments of one call, because Fortran receives every argument by address. The integers
// have 64 bits. A library that expects 32 bits reads the lower half, which is stored first on amd64 and arm64.
type fortranCall struct {
	integerArgs [12]int64
	floatArgs   [4]float64
	letterArgs  [4]byte
	status      int64 // result of a LAPACK routine: 0 if it succeeded
	args        [32]uintptr
	sliceArgs   [6][]float64 // arguments that the call must keep alive
	iwork       []int64

	integerCount, floatCount, letterCount int // used entries of integerArgs, floatArgs and letterArgs
}

// callPool stores finished calls for reuse, so that a call allocates nothing.
var callPool = sync.Pool{New: func() any { return new(fortranCall) }}

// newFortranCall returns a call with these slices among its arguments. They stay alive until run returns.
func newFortranCall(sliceArgs ...[]float64) *fortranCall {
	x := callPool.Get().(*fortranCall)
	x.integerCount, x.floatCount, x.letterCount, x.status = 0, 0, 0, 0
	copy(x.sliceArgs[:], sliceArgs)
	return x
}

// storeInt stores v in x and returns its address there.
func (x *fortranCall) storeInt(v int) (address uintptr) {
	p := &x.integerArgs[x.integerCount]
	*p = int64(v)
	x.integerCount++
	return addressOf(p)
}

// storeFloat stores v in x and returns its address there.
func (x *fortranCall) storeFloat(v float64) (address uintptr) {
	p := &x.floatArgs[x.floatCount]
	*p = v
	x.floatCount++
	return addressOf(p)
}

// storeLetter stores c in x and returns its address there.
func (x *fortranCall) storeLetter(c byte) (address uintptr) {
	p := &x.letterArgs[x.letterCount]
	*p = c
	x.letterCount++
	return addressOf(p)
}

// run calls the function at functionAddress, returns x to callPool, and reports whether x.status is 0. It copies the
// arguments into x, so that a call allocates nothing. The arguments point into x or into slices that x refers to. These
// are on the heap, where Go does not move them.
func (x *fortranCall) run(functionAddress uintptr, args ...uintptr) (succeeded bool) {
	n := copy(x.args[:], args)
	purego.SyscallN(functionAddress, x.args[:n]...)
	runtime.KeepAlive(x)
	succeeded = x.status == 0
	x.sliceArgs, x.iwork = [6][]float64{}, nil
	callPool.Put(x)
	return succeeded
}

// addressOf returns the address of p, which must point into a fortranCall or its slices. Method run keeps them alive.
func addressOf[T any](p *T) uintptr { return uintptr(unsafe.Pointer(p)) }

// sliceAddress returns the address of the first number of s, which must be a slice of a fortranCall.
func sliceAddress[T any](s []T) uintptr { return addressOf(unsafe.SliceData(s)) }

// reversedTransposeFlag returns the library's flag for op(A) in op(A)op(A)ᵀ and op(A)x. The flag is the opposite of t:
// the library reads a matrix by columns, so it takes A, which is stored by rows, for Aᵀ.
func reversedTransposeFlag(t blas.Transpose) byte {
	if t == blas.NoTrans {
		return 'T'
	}
	return 'N'
}

// transposeFlag returns the library's flag for op(A) in op(A)B and op(A)⁻¹B: t itself. The library takes A for Aᵀ
// and B for Bᵀ, and computes the transpose of the result, such as Bᵀop(A)ᵀ. The factor op(A)ᵀ in it is op(Aᵀ).
func transposeFlag(t blas.Transpose) byte {
	if t == blas.NoTrans {
		return 'N'
	}
	return 'T'
}

func (l *library) Dgemm(tA, tB blas.Transpose, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int,
	beta float64, c []float64, ldc int) {
	x := newFortranCall(a, b, c)
	x.run(l.dgemm, x.storeLetter(transposeFlag(tB)), x.storeLetter(transposeFlag(tA)), x.storeInt(n), x.storeInt(m),
		x.storeInt(k), x.storeFloat(alpha), sliceAddress(b), x.storeInt(ldb), sliceAddress(a), x.storeInt(lda),
		x.storeFloat(beta), sliceAddress(c), x.storeInt(ldc), 1, 1)
}

func (l *library) Dsyrk(t blas.Transpose, n, k int, alpha float64, a []float64, lda int, beta float64, c []float64,
	ldc int) {
	x := newFortranCall(a, c)
	x.run(l.dsyrk, x.storeLetter('L'), x.storeLetter(reversedTransposeFlag(t)), x.storeInt(n), x.storeInt(k),
		x.storeFloat(alpha), sliceAddress(a), x.storeInt(lda), x.storeFloat(beta), sliceAddress(c), x.storeInt(ldc), 1,
		1)
}

func (l *library) Dtrsm(t blas.Transpose, m, n int, u []float64, ldu int, b []float64, ldb int) {
	x := newFortranCall(u, b)
	x.run(l.dtrsm, x.storeLetter('R'), x.storeLetter('L'), x.storeLetter(transposeFlag(t)), x.storeLetter('N'),
		x.storeInt(n), x.storeInt(m), x.storeFloat(1), sliceAddress(u), x.storeInt(ldu), sliceAddress(b),
		x.storeInt(ldb), 1, 1, 1, 1)
}

func (l *library) Dgemv(t blas.Transpose, m, n int, a []float64, lda int, v, y []float64) {
	x := newFortranCall(a, v, y)
	addressOfOne := x.storeInt(1)
	x.run(l.dgemv, x.storeLetter(reversedTransposeFlag(t)), x.storeInt(n), x.storeInt(m), x.storeFloat(1),
		sliceAddress(a), x.storeInt(lda), sliceAddress(v), addressOfOne, x.storeFloat(0), sliceAddress(y), addressOfOne,
		1)
}

func (l *library) Dsymv(n int, a []float64, lda int, v, y []float64) {
	x := newFortranCall(a, v, y)
	addressOfOne := x.storeInt(1)
	x.run(l.dsymv, x.storeLetter('L'), x.storeInt(n), x.storeFloat(1), sliceAddress(a), x.storeInt(lda),
		sliceAddress(v), addressOfOne, x.storeFloat(0), sliceAddress(y), addressOfOne, 1)
}

func (l *library) Dtrsv(t blas.Transpose, n int, u []float64, ldu int, v []float64) {
	x := newFortranCall(u, v)
	x.run(l.dtrsv, x.storeLetter('L'), x.storeLetter(reversedTransposeFlag(t)), x.storeLetter('N'), x.storeInt(n),
		sliceAddress(u), x.storeInt(ldu), sliceAddress(v), x.storeInt(1), 1, 1, 1)
}

// Dpotrf calls LAPACK's dpotrf. It returns false if a pivot is not positive or, which dpotrf does not report, NaN.
func (l *library) Dpotrf(n int, a []float64, lda int) bool {
	x := newFortranCall(a)
	ok := x.run(l.dpotrf, x.storeLetter('L'), x.storeInt(n), sliceAddress(a), x.storeInt(lda), addressOf(&x.status), 1)
	for i := 0; i < n && ok; i++ {
		ok = a[i*lda+i] > 0
	}
	return ok
}

// Tridiagonalize calls LAPACK's dsytrd.
func (l *library) Tridiagonalize(n int, a []float64, lda int, d, e, tau, work []float64) {
	x := newFortranCall(a, d, e, tau, work)
	x.run(l.dsytrd, x.storeLetter('L'), x.storeInt(n), sliceAddress(a), x.storeInt(lda), sliceAddress(d),
		sliceAddress(e), sliceAddress(tau), sliceAddress(work), x.storeInt(len(work)), addressOf(&x.status), 1)
}

// ApplyReflectors calls LAPACK's dormtr. The rows of z are columns for the library.
func (l *library) ApplyReflectors(n, rows int, a []float64, lda int, tau, z []float64, ldz int, work []float64) {
	x := newFortranCall(a, tau, z, work)
	x.run(l.dormtr, x.storeLetter('L'), x.storeLetter('L'), x.storeLetter('N'), x.storeInt(n), x.storeInt(rows),
		sliceAddress(a), x.storeInt(lda), sliceAddress(tau), sliceAddress(z), x.storeInt(ldz), sliceAddress(work),
		x.storeInt(len(work)), addressOf(&x.status), 1, 1, 1)
}

// DecomposeTridiagonal calls LAPACK's dstedc, or dsterf if z is nil.
func (l *library) DecomposeTridiagonal(n int, d, e, z []float64, ldz int, work []float64, iwork []int64) bool {
	x := newFortranCall(d, e, z, work)
	x.iwork = iwork
	if z == nil {
		return x.run(l.dsterf, x.storeInt(n), sliceAddress(d), sliceAddress(e), addressOf(&x.status))
	}
	return x.run(l.dstedc, x.storeLetter('I'), x.storeInt(n), sliceAddress(d), sliceAddress(e), sliceAddress(z),
		x.storeInt(ldz), sliceAddress(work), x.storeInt(len(work)), sliceAddress(iwork), x.storeInt(len(iwork)),
		addressOf(&x.status), 1)
}

// EigenSmallest calls LAPACK's dsyevr for the eigenvalue with index 1. The last 2n integers of iwork receive
// the range of nonzero entries of the eigenvector.
func (l *library) EigenSmallest(n int, a, values, vector, work []float64, iwork []int64) bool {
	x := newFortranCall(a, values, vector, work)
	x.iwork = iwork
	unusedAddress := x.storeFloat(0) // vl and vu, the ends of an interval of eigenvalues; not read for RANGE = 'I'
	return x.run(l.dsyevr, x.storeLetter('V'), x.storeLetter('I'), x.storeLetter('L'), x.storeInt(n), sliceAddress(a),
		x.storeInt(n), unusedAddress, unusedAddress, x.storeInt(1), x.storeInt(1), x.storeFloat(0), x.storeInt(0),
		sliceAddress(values), sliceAddress(vector), x.storeInt(n), sliceAddress(iwork[10*n:]), sliceAddress(work),
		x.storeInt(len(work)), sliceAddress(iwork), x.storeInt(10*n), addressOf(&x.status), 1, 1, 1)
}
