package linalg

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"
)

// Sizes of a Cholesky factorization of order n.
const (
	libraryBlock      = 128 // order of a diagonal block with a library
	pureBlock         = 64  // order of a diagonal block in pure Go
	libraryMinBlocked = 512 // up to this n, a library factorizes the whole matrix in one call
	// On one thread, a library factorizes a matrix of any n in one call. If Done is set, it does so only up to
	// libraryMaxUnstoppable, because a call cannot be stopped. A call of this n takes a fraction of 0.1 s.
	libraryMaxUnstoppable = 1500
)

// Cholesky is the factorization A + σI = UᵀU of a symmetric matrix, with U upper triangular. It reuses its storage from
// one Factorize to the next, so that a run allocates once. The zero value is ready for use.
type Cholesky struct {
	// Threads is the largest number of threads that Factorize and Solve use. If it is 0, they use Threads().
	Threads int
	// Done stops Factorize when it is closed: Factorize then returns false after its current block of rows. If Done is
	// nil, Factorize cannot be stopped.
	Done <-chan struct{}

	n int
	u []float64 // n×n, upper triangle
}

// Factorize computes the factor U of a + shift·I in n³/3 operations. It returns false if that matrix is not positive
// definite to working precision, if it has an entry that is not finite, or if Done stopped it. In these cases the
// factor must not be used.
func (c *Cholesky) Factorize(a *mat.SymDense, shift float64) bool {
	n := a.SymmetricDim()
	if cap(c.u) < n*n {
		c.u = make([]float64, n*n)
	}
	c.n, c.u = n, c.u[:n*n]
	r := a.RawSymmetric()
	for i := range n {
		copy(c.u[i*n+i:(i+1)*n], r.Data[i*r.Stride+i:i*r.Stride+n])
		c.u[i*n+i] += shift
	}
	return (n == 0 || Bound(c.Threads).factorize(n, c.u, n, c.Done)) && hasFinitePivots(n, c.u, n)
}

// hasFinitePivots reports whether all diagonal entries of a factor U are finite. If an entry of the matrix is not
// finite, neither is at least one of them.
func hasFinitePivots(n int, u []float64, ld int) bool {
	for i := range n {
		if !(u[i*ld+i] <= math.MaxFloat64) {
			return false
		}
	}
	return true
}

// Definite reports whether a + shift·I is positive definite to working precision. It overwrites a with the factor and
// needs no other storage. It takes n³/3 operations.
func Definite(a *mat.SymDense, shift float64) bool {
	r := a.RawSymmetric()
	for i := range r.N {
		r.Data[i*r.Stride+i] += shift
	}
	return r.N == 0 || Bound(0).factorize(r.N, r.Data, r.Stride, nil) && hasFinitePivots(r.N, r.Data, r.Stride)
}

// factor is one step of a blocked factorization, for the nb rows from row j on. Their diagonal block is already
// factorized. The step computes the entries of these rows of U to the right of the block, and then subtracts their
// product from the remaining matrix below.
type factor struct {
	e        engine
	n, j, nb int
	u        []float64
	ld       int
	cols     int     // number of columns of a tile
	trail    product // the update of the remaining matrix
}

var factors = sync.Pool{New: func() any { return new(factor) }}

// Tile computes cols columns of the rows to the right of the diagonal block: U_jk = U_jj⁻ᵀA_jk.
func (f *factor) Tile(t int) {
	k := f.j + f.nb + t*f.cols
	f.e.Dtrsm(blas.Left, blas.Upper, blas.Trans, blas.NonUnit, f.nb, min(f.cols, f.n-k), 1, f.u[f.j*f.ld+f.j:], f.ld,
		f.u[f.j*f.ld+k:], f.ld)
}

// factorize replaces the upper triangle of A, which u holds with stride ld, by U with A = UᵀU. It returns false if A is
// not positive definite to working precision, or if done is closed before it ends.
func (t Bound) factorize(n int, u []float64, ld int, done <-chan struct{}) bool {
	e, isLibrary := chooseEngine(n >= largeFactor, max(n, ld))
	nb := pureBlock
	if isLibrary {
		nb = libraryBlock
	}
	oneCall := t.threads() == 1 && (done == nil || n <= libraryMaxUnstoppable)
	if n <= nb || isLibrary && (n <= libraryMinBlocked || oneCall) {
		return e.Dpotrf(blas.Upper, n, u, ld)
	}
	f := factors.Get().(*factor)
	defer factors.Put(f)
	f.e, f.n, f.u, f.ld, f.cols = e, n, u, ld, stripRows
	for j := 0; j < n; j += nb {
		select {
		case <-done:
			f.e, f.u, f.trail = nil, nil, product{}
			return false
		default:
		}
		f.j, f.nb = j, min(nb, n-j)
		if !e.Dpotrf(blas.Upper, f.nb, u[j*ld+j:], ld) {
			return false
		}
		m := n - j - f.nb // the order of the remaining matrix: A_kl −= U_jkᵀU_jl
		if m == 0 {
			break
		}
		t.Run(f, (m+f.cols-1)/f.cols)
		x, y := u[j*ld+j+f.nb:], u[(j+f.nb)*ld+j+f.nb:]
		f.trail = product{e: e, tA: blas.Trans, tB: blas.NoTrans, m: m, n: m, k: f.nb, alpha: -1, beta: 1, a: x, b: x,
			c: y, lda: ld, ldb: ld, ldc: ld, upper: true, isSyrk: true}
		t.Run(&f.trail, f.trail.chooseTiles(isLibrary, t.threads()))
	}
	f.e, f.u, f.trail = nil, nil, product{}
	return true
}

// SolveVec stores (A + σI)⁻¹b in dst, in 2n² operations. dst may be b.
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
	if l := libraryFor(c.n*c.n >= largeSolveVec, c.n); l != nil {
		l.Dtrsv(blas.Upper, t, blas.NonUnit, c.n, c.u, c.n, x, 1)
		return
	}
	goBLAS.Dtrsv(blas.Upper, t, blas.NonUnit, c.n, c.u, c.n, x, 1)
}

// solution computes (A + σI)⁻¹B in strips of columns.
type solution struct {
	e    engine
	n, m int
	u, b []float64
	ld   int
}

var solutions = sync.Pool{New: func() any { return new(solution) }}

// Tile solves for strip t.
func (s *solution) Tile(t int) {
	j := t * stripRows
	m := min(stripRows, s.m-j)
	s.e.Dtrsm(blas.Left, blas.Upper, blas.Trans, blas.NonUnit, s.n, m, 1, s.u, s.n, s.b[j:], s.ld)
	s.e.Dtrsm(blas.Left, blas.Upper, blas.NoTrans, blas.NonUnit, s.n, m, 1, s.u, s.n, s.b[j:], s.ld)
}

// Solve stores (A + σI)⁻¹B in dst, which may be b. Both are n×m. It takes 2n²m operations.
func (c *Cholesky) Solve(dst, b *mat.Dense) {
	n, m := b.Dims()
	z, y := dst.RawMatrix(), b.RawMatrix()
	if n != c.n || z.Rows != n || z.Cols != m {
		panic(badSize)
	}
	if n == 0 || m == 0 {
		return
	}
	for i := range n {
		copy(z.Data[i*z.Stride:i*z.Stride+m], y.Data[i*y.Stride:i*y.Stride+m])
	}
	s := solutions.Get().(*solution)
	e, _ := chooseEngine(n*n*m >= largeProduct, max(n, m, z.Stride))
	*s = solution{e, n, m, c.u, z.Data, z.Stride}
	Bound(c.Threads).Run(s, (m+stripRows-1)/stripRows)
	*s = solution{}
	solutions.Put(s)
}

// IsPSD reports whether every eigenvalue of a is at least −tol·max|a_ii|. It tests whether a + tol·max|a_ii|·I has a
// Cholesky factorization.
func (t Bound) IsPSD(a *mat.SymDense, tol float64) bool {
	n, top := a.SymmetricDim(), 0.0
	for i := range n {
		top = math.Max(top, math.Abs(a.At(i, i)))
	}
	if top == 0 {
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
	return c.Factorize(a, tol*top)
}
