package linalg

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Sizes of a Cholesky factorization of order n.
const (
	libraryBlock      = 128 // rows of a diagonal block with a library
	pureBlock         = 64  // rows of a diagonal block in pure Go
	libraryMinBlocked = 512 // up to this n, a library factorizes the whole matrix in one call
	// On one thread, a library factorizes a matrix of any n in one call. If Done is set, it does so only up to
	// libraryMaxUnstoppable, because a call cannot be stopped. A call of this n takes a fraction of 0.1 s.
	libraryMaxUnstoppable = 1500
)

// Cholesky is the factorization A + σI = UᵀU of a symmetric matrix, with U upper triangular. It reuses its storage from
// one Factorize to the next, so that a run allocates once. The zero value is ready for use.
type Cholesky struct {
	// Threads is the largest number of threads that Factorize uses; 0 stands for the result of Threads().
	Threads int
	// Done stops Factorize when it is closed: Factorize then returns false after its current block of rows. If Done is
	// nil, Factorize cannot be stopped.
	Done <-chan struct{}

	n int
	u []float64 // the factor U, n×n; only its upper triangle is used
}

// Factorize computes the factor U of a + shift·I in n³/3 operations. It returns false if that matrix is not positive
// definite to working precision, if it has an entry that is not finite, or if Done stopped it. In these cases the
// factor must not be used.
func (c *Cholesky) Factorize(a *mat.SymDense, shift float64) (succeeded bool) {
	return c.FactorizeScaled(a, nil, shift)
}

// FactorizeScaled is Factorize of DAD + shift·I, where D is diagonal with the entries of scale; nil means that all are
// 1.
func (c *Cholesky) FactorizeScaled(a *mat.SymDense, scale []float64, shift float64) (succeeded bool) {
	n := a.SymmetricDim()
	if cap(c.u) < n*n {
		c.u = make([]float64, n*n)
	}
	c.n, c.u = n, c.u[:n*n]
	r := a.RawSymmetric()
	for i := range n {
		row := c.u[i*n+i : (i+1)*n]
		copy(row, r.Data[i*r.Stride+i:i*r.Stride+n])
		if scale != nil {
			floats.Mul(row, scale[i:])
			floats.Scale(scale[i], row)
		}
		row[0] += shift
	}
	if n > 0 && !ThreadLimit(c.Threads).factorizeInPlace(n, c.u, c.Done) {
		return false
	}
	for i := range n { // a diagonal entry of U is not finite if an entry of a is not
		if !(c.u[i*n+i] <= math.MaxFloat64) {
			return false
		}
	}
	return true
}

// factorizeInPlace replaces the upper triangle of A, which u holds (n×n), by U with A = UᵀU. It returns false if A is
// not positive definite to working precision, or if done is closed before it ends.
//
// A step computes a block of rows of U. It factorizes their diagonal block, computes their entries to the right of the
// block, and subtracts the product of these entries from the remaining matrix below.
func (t ThreadLimit) factorizeInPlace(n int, u []float64, done <-chan struct{}) (succeeded bool) {
	e, useLibrary := chooseEngine(n >= largeFactor, n)
	nb := pureBlock
	if useLibrary {
		nb = libraryBlock
	}
	fitsOneCall := t.threadCount() == 1 && (done == nil || n <= libraryMaxUnstoppable)
	if n <= nb || useLibrary && (n <= libraryMinBlocked || fitsOneCall) {
		return e.Dpotrf(n, u, n)
	}
	for j := 0; j < n; j += nb {
		select {
		case <-done:
			return false
		default:
		}
		b := min(nb, n-j)
		if !e.Dpotrf(b, u[j*n+j:], n) {
			return false
		}
		m := n - j - b // the order of the remaining matrix
		if m == 0 {
			break
		}
		x, y := u[j*n+j+b:], u[(j+b)*(n+1):]
		t.Run((m+stripRows-1)/stripRows, func(i int) { // U_jk = U_jj⁻ᵀA_jk for each block k right of block j
			k := i * stripRows
			e.Dtrsm(blas.Trans, b, min(stripRows, m-k), u[j*n+j:], n, x[k:], n)
		})
		// A_kl −= U_jkᵀU_jl for the blocks k, l > j
		t.runTiles(product{e: e, tA: blas.Trans, tB: blas.NoTrans, m: m, n: m, k: b, alpha: -1, beta: 1, a: x, b: x,
			c: y, lda: n, ldb: n, ldc: n, upperOnly: true, isSyrk: true}, useLibrary)
	}
	return true
}

// SolveVec stores (A + σI)⁻¹b in dst for the factorized A + σI, in 2n² operations. dst may be b.
func (c *Cholesky) SolveVec(dst, b []float64) {
	c.checkLengths(dst, b)
	if c.n == 0 {
		return
	}
	copy(dst, b)
	c.solveTriangular(blas.Trans, dst)
	c.solveTriangular(blas.NoTrans, dst)
}

// checkLengths panics unless dst and b have length n.
func (c *Cholesky) checkLengths(dst, b []float64) {
	if len(dst) != c.n || len(b) != c.n {
		panic(badSize)
	}
}

// solveTriangular replaces x by U⁻¹x, or by U⁻ᵀx if t is blas.Trans.
func (c *Cholesky) solveTriangular(t blas.Transpose, x []float64) {
	if l := chooseLibrary(c.n*c.n >= largeSolveVec, c.n); l != nil {
		l.Dtrsv(t, c.n, c.u, c.n, x)
		return
	}
	goBLAS.Dtrsv(blas.Upper, t, blas.NonUnit, c.n, c.u, c.n, x, 1)
}

// IsPSD reports whether every eigenvalue of a is at least −tol·max|a_ii|. It tests whether a + tol·max|a_ii|·I has a
// Cholesky factorization.
func (t ThreadLimit) IsPSD(a *mat.SymDense, tol float64) bool {
	n, maxDiagonal := a.SymmetricDim(), 0.0
	for i := range n {
		maxDiagonal = math.Max(maxDiagonal, math.Abs(a.At(i, i)))
	}
	if maxDiagonal == 0 {
		for i := range n {
			for j := range i {
				if a.At(i, j) != 0 {
					return false
				}
			}
		}
		return true
	}
	c := Cholesky{Threads: int(t)}
	return c.Factorize(a, tol*maxDiagonal)
}
