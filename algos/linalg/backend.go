package linalg

import (
	"fmt"
	"math"
	"runtime"
	"strings"

	"gonum.org/v1/gonum/blas"
)

// Library is dense linear algebra from outside, row-major and with gonum's signatures. It is called
// only with arguments that have been checked, with sizes that are not zero, and from any number of
// goroutines at once; each call stays on the thread it is made on. Package openblas has one.
type Library interface {
	// Open makes the library ready at its first call and reports whether it may be called. A
	// library that cannot be opened stays so: what computes an operation never changes during a run.
	Open() bool

	// Info describes the library, or says why it may not be called. It opens it first.
	Info() Info

	Dgemm(tA, tB blas.Transpose, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, beta float64,
		c []float64, ldc int)
	Dsyrk(ul blas.Uplo, t blas.Transpose, n, k int, alpha float64, a []float64, lda int, beta float64, c []float64,
		ldc int)
	Dsymm(s blas.Side, ul blas.Uplo, m, n int, alpha float64, a []float64, lda int, b []float64, ldb int,
		beta float64, c []float64, ldc int)
	Dtrsm(s blas.Side, ul blas.Uplo, t blas.Transpose, d blas.Diag, m, n int, alpha float64, a []float64, lda int,
		b []float64, ldb int)
	Dgemv(t blas.Transpose, m, n int, alpha float64, a []float64, lda int, x []float64, incX int, beta float64,
		y []float64, incY int)
	Dsymv(ul blas.Uplo, n int, alpha float64, a []float64, lda int, x []float64, incX int, beta float64, y []float64,
		incY int)
	Dspmv(ul blas.Uplo, n int, alpha float64, ap, x []float64, incX int, beta float64, y []float64, incY int)
	Dtrsv(ul blas.Uplo, t blas.Transpose, d blas.Diag, n int, a []float64, lda int, x []float64, incX int)

	Dpotrf(ul blas.Uplo, n int, a []float64, lda int) bool

	// Tridiagonal is A = QTQᵀ of the upper triangle of a, n×n: the diagonal d and e beside it of T
	// and, in a and tau, the reflectors of Q. work has length 64n.
	Tridiagonal(n int, a []float64, lda int, d, e, tau, work []float64)

	// Reflect replaces each of the given rows z of length n by Qz. The length of work is 64·max(rows, n) + 65·64.
	Reflect(n, rows int, a []float64, lda int, tau, z []float64, ldz int, work []float64)

	// EigenTridiagonal stores the eigenvalues of T, ascending, in d and the eigenvectors as rows of
	// z, by divide and conquer; e is destroyed. If z is nil it computes the eigenvalues alone. The
	// lengths of work and iwork are 1 + 4n + n² and 3 + 5n.
	EigenTridiagonal(n int, d, e, z []float64, ldz int, work []float64, iwork []int64) bool

	// EigenRange computes the eigenvalues lo ≤ i < hi of the upper triangle of a, ascending, in w,
	// whose length is n, and the eigenvectors as rows of z unless it is nil; a is destroyed. The
	// lengths of work, iwork and support are 90n, 10n and 2n.
	EigenRange(n int, a []float64, lda, lo, hi int, w, z []float64, ldz int, work []float64, iwork,
		support []int64) bool
}

// library is installed before main, by the import of its package, and never changes.
var library Library

// Install makes l serve the operations that are large enough for it. It is called by the init
// function of the package that has l; a second call panics.
func Install(l Library) {
	if library != nil {
		panic("linalg: a second library installed")
	}
	library = l
}

// The sizes from which on a call of OpenBLAS is faster than pure Go: the table of the package's
// documentation has the measurements.
const (
	largeProduct  = 32 * 32 * 32 // mnk, n²k: products of matrices, triangular solves with many right sides
	largeMulVec   = 64 * 64      // mn: products of a matrix and a vector
	largeSolveVec = 64 * 64      // n²: triangular solves with one right side
	largeFactor   = 64           // n: Cholesky factors and triangular inverses
	largeSpectrum = 48           // n: symmetric eigendecompositions
)

// served returns the library if it computes an operation that isLarge, or nil: there may be none, it
// may not open (MKL_BLAS can forbid it), or widest, the largest dimension or stride, may not fit the
// 32 bits in which most libraries count. None of that changes while a program runs, so that a run
// repeats bit for bit.
func served(isLarge bool, widest int) Library {
	if library == nil || !isLarge || widest > math.MaxInt32 || !library.Open() {
		return nil
	}
	return library
}

// Info says what serves the large operations.
type Info struct {
	Name    string // "openblas" or "go"
	Version string // of the library: "0.3.21"
	Core    string // the processor its code was chosen for: "Haswell"
	File    string // the name it was opened by
	Choice  string // what the environment asked for: MKL_BLAS
	Reason  string // why it is pure Go
}

// String is one line: the library with version, processor and file, or pure Go and why.
func (i Info) String() string {
	if i.Name == "go" {
		return "go (" + i.Reason + ")"
	}
	return fmt.Sprintf("%s (%s)", i.ID(), i.File)
}

// ID is what results depend on to the last bit, for the keys of what is stored. Pure Go has the architecture in it, as
// on some of them a product and a sum are rounded once.
func (i Info) ID() string {
	if i.Name == "go" {
		return "go " + runtime.GOARCH
	}
	return strings.Join(strings.Fields(i.Name+" "+i.Version+" "+i.Core), " ")
}

// Backend says what serves the large operations of this program and, where it is pure Go, why. It
// opens the library, if there is one, which takes about 6 ms the first time.
func Backend() Info {
	if library == nil {
		return Info{Name: "go", Reason: "the program does not import algos/linalg/openblas"}
	}
	return library.Info()
}
