package linalg

import (
	"fmt"
	"math"
	"runtime"
	"strings"

	"gonum.org/v1/gonum/blas"
)

// Library is an external implementation of dense linear algebra. Its matrices are row-major. This package calls it only
// with checked arguments and nonzero sizes, and from any number of goroutines at once. Each call must compute only on
// the thread of its caller.
//
// Besides the methods below, it has the methods Dgemm, Dsyrk, Dtrsm and Dpotrf of the embedded interface engine, which
// go doc -u linalg.engine shows. They are exported, so any package can implement a Library and pass it to Install.
// Package openblas provides a Library.
type Library interface {
	// Open loads the library at its first call and reports whether it may be called. If the library cannot be opened,
	// it stays closed, so that the backend of an operation never changes during a run.
	Open() (isOpen bool)

	// Info opens the library and describes it. If the library may not be called, Info gives the reason.
	Info() Info

	engine

	// Dgemv stores op(A)x in y, with A of m×n.
	Dgemv(t blas.Transpose, m, n int, a []float64, lda int, x, y []float64)
	// Dsymv stores Ax in y. a holds the upper triangle of the symmetric A, n×n.
	Dsymv(n int, a []float64, lda int, x, y []float64)
	// Dtrsv replaces x by op(U)⁻¹x, with an upper triangular U of n×n.
	Dtrsv(t blas.Transpose, n int, u []float64, ldu int, x []float64)

	// Tridiagonalize computes A = QTQᵀ with tridiagonal T and orthogonal Q from the upper triangle of a, n×n. It stores
	// the diagonal of T in d, the off-diagonal in e, and Q, as a product of reflectors, in a and tau. work has length
	// 64n.
	Tridiagonalize(n int, a []float64, lda int, d, e, tau, work []float64)

	// ApplyReflectors replaces each row r of z, rows×n, by Qr, with the Q that Tridiagonalize stored in a and tau.
	// The length of work is 64·max(rows, n) + 65·64.
	ApplyReflectors(n, rows int, a []float64, lda int, tau, z []float64, ldz int, work []float64)

	// DecomposeTridiagonal stores the eigenvalues of T, ascending, in d and the eigenvectors as rows of z. T has the
	// diagonal d and the off-diagonal e. It uses divide and conquer and overwrites e. If z is nil, it computes only the
	// eigenvalues. The lengths of work and iwork are 1 + 4n + n² and 3 + 5n. It reports whether it converged.
	DecomposeTridiagonal(n int, d, e, z []float64, ldz int, work []float64, iwork []int64) (converged bool)

	// EigenSmallest stores the smallest eigenvalue of the matrix with the upper triangle a, n×n, in values[0], and its
	// eigenvector in vector. It overwrites a. The lengths of values, vector, work and iwork are n, n, 90n and 12n. It
	// reports whether it succeeded.
	EigenSmallest(n int, a, values, vector, work []float64, iwork []int64) (succeeded bool)
}

// library is the installed Library, or nil. Install sets it during initialization.
var library Library

// Install makes l compute the operations that are large enough for it. The init function of the package that provides l
// calls it; a second call panics.
func Install(l Library) {
	if library != nil {
		panic("linalg: Install was called twice; import one library only")
	}
	library = l
}

// The smallest sizes at which a call of OpenBLAS was measured to be faster than pure Go (AMD EPYC with AVX-512, one
// thread, OpenBLAS 0.3.21), including the 0.2 µs of a call. Below these sizes the library would save at most about a
// microsecond per operation, and a program without larger operations never opens it, which would take about 6 ms.
const (
	largeProduct  = 32 * 32 * 32 // smallest mnk of a large matrix product, n²k of large solves with k right-hand sides
	largeMulVec   = 64 * 64      // smallest mn of a large product of an m×n matrix and a vector
	largeSolveVec = 64 * 64      // smallest n² of a large triangular solve with an n×n matrix and one right-hand side
	largeFactor   = 64           // smallest n of a large Cholesky factorization, n×n
	largeSpectrum = 48           // smallest n of a large eigendecomposition of a symmetric matrix, n×n
)

// chooseLibrary returns the library if it computes an operation, or nil if pure Go does. isLarge reports whether the
// operation is large enough for the library; largestDim is its largest dimension or stride. chooseLibrary returns nil
// if isLarge is false, if there is no library, if the library cannot be opened (MKL_BLAS can forbid it), or if
// largestDim does not fit into the 32-bit integers that most libraries use. None of these conditions changes while a
// program runs, so a run repeats bit for bit.
func chooseLibrary(isLarge bool, largestDim int) Library {
	if library == nil || !isLarge || largestDim > math.MaxInt32 || !library.Open() {
		return nil
	}
	return library
}

// Info describes the backend that computes large operations.
type Info struct {
	Name         string // "openblas" or "go"
	Version      string // version of the library: "0.3.21"
	CPUType      string // the processor type whose code the library uses: "Haswell"
	File         string // the file name with which the library was opened
	EnvValue     string // the value of the environment variable MKL_BLAS
	PureGoReason string // why pure Go computes the large operations, or "" if a library does
}

// String returns one line with the version, processor and file of a library, or with the reason for pure Go.
func (i Info) String() string {
	if i.Name == "go" {
		return "go (" + i.PureGoReason + ")"
	}
	return fmt.Sprintf("%s (%s)", i.ID(), i.File)
}

// ID returns a text with the properties of the backend that can change the last bit of a result. It is part of the keys
// of stored results. For pure Go it contains the architecture, because some architectures compute a product plus a
// number with one rounding instead of two.
func (i Info) ID() string {
	if i.Name == "go" {
		return "go " + runtime.GOARCH
	}
	return strings.Join(strings.Fields(i.Name+" "+i.Version+" "+i.CPUType), " ")
}

// Backend describes the backend of the large operations of this program. If it is pure Go, the Info contains the
// reason. Backend opens the library, if there is one, which takes about 6 ms the first time.
func Backend() Info {
	if library == nil {
		return Info{Name: "go", PureGoReason: "the program does not import algos/linalg/openblas"}
	}
	return library.Info()
}
