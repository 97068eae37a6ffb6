package linalg

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"
)

// The orders of the diagonal blocks of a Cholesky factorization, and of matrices that are not divided into blocks.
const (
	libraryBlock   = 128
	libraryWhole   = 512  // up to this order, and on one thread at every order, the library factorizes the whole matrix
	libraryUnasked = 1500 // on one thread with Done set, only up to this order: it takes a fraction of 0.1 s
	pureBlock      = 64
)

// Cholesky is the factorization A + σI = UᵀU of a symmetric matrix, with U upper triangular. It reuses its storage from
// one Factorize to the next, so that a run allocates once. The zero value is ready for use.
type Cholesky struct {
	// Threads is the largest number of threads that Factorize, Solve and InverseDiag use. If it is 0, they use
	// Threads().
	Threads int
	// Done stops Factorize when it is closed. Factorize then returns false at the end of the current block of its work.
	// If Done is nil, nothing stops Factorize.
	Done <-chan struct{}

	n   int
	u   []float64 // n×n, upper triangle
	inv []float64 // U⁻¹, computed by InverseDiag
}

// Factorize computes the factor of a + shift·I in n³/3 operations. It returns false if that matrix is not positive
// definite to working precision, if it has an entry that is not finite, or if Done stopped it. The factor must not be
// used then.
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
	return (n == 0 || Bound(c.Threads).factorize(n, c.u, n, c.Done)) && finite(n, c.u, n)
}

// finite reports whether all pivots of a factor are finite. An entry that is not finite makes a pivot so.
func finite(n int, u []float64, ld int) bool {
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
	return r.N == 0 || Bound(0).factorize(r.N, r.Data, r.Stride, nil) && finite(r.N, r.Data, r.Stride)
}

// factor is one step of a blocked factorization. It starts with the factorized diagonal block of nb rows at row j. It
// computes the rows of U to the right of that block, and then updates the remaining matrix below.
type factor struct {
	e        engine
	n, j, nb int
	u        []float64
	ld       int
	cols     int // columns of a tile of the row strip
	trail    product
}

var factors = sync.Pool{New: func() any { return new(factor) }}

// Tile computes tile t of the row strip: U_jk = U_jj⁻ᵀA_jk.
func (f *factor) Tile(t int) {
	k := f.j + f.nb + t*f.cols
	f.e.Dtrsm(blas.Left, blas.Upper, blas.Trans, blas.NonUnit, f.nb, min(f.cols, f.n-k), 1, f.u[f.j*f.ld+f.j:], f.ld,
		f.u[f.j*f.ld+k:], f.ld)
}

// factorize replaces the upper triangle of a by U with a = UᵀU.
func (t Bound) factorize(n int, u []float64, ld int, done <-chan struct{}) bool {
	e, isLibrary := choose(n >= largeFactor, max(n, ld))
	nb := pureBlock
	if isLibrary {
		nb = libraryBlock
	}
	if n <= nb || isLibrary && (n <= libraryWhole || t.threads() == 1 && (done == nil || n <= libraryUnasked)) {
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
			c: y, lda: ld, ldb: ld, ldc: ld, upper: true, same: true}
		t.Run(&f.trail, f.trail.cut(isLibrary, t.threads()))
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
	c.substitute(blas.Trans, dst)
	c.substitute(blas.NoTrans, dst)
}

// SolveLower stores U⁻ᵀb in dst, which may be b. This is the first half of SolveVec, and ‖U⁻ᵀb‖² = bᵀ(A + σI)⁻¹b.
func (c *Cholesky) SolveLower(dst, b []float64) {
	c.checkLengths(dst, b)
	if c.n == 0 {
		return
	}
	copy(dst, b)
	c.substitute(blas.Trans, dst)
}

func (c *Cholesky) checkLengths(dst, b []float64) {
	if len(dst) != c.n || len(b) != c.n {
		panic(badSize)
	}
}

// substitute replaces x by U⁻¹x or U⁻ᵀx.
func (c *Cholesky) substitute(t blas.Transpose, x []float64) {
	if l := served(c.n*c.n >= largeSolveVec, c.n); l != nil {
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
	e, _ := choose(n*n*m >= largeProduct, max(n, m, z.Stride))
	*s = solution{e, n, m, c.u, z.Data, z.Stride}
	Bound(c.Threads).Run(s, (m+stripRows-1)/stripRows)
	*s = solution{}
	solutions.Put(s)
}

// inverse computes U⁻¹ in strips of columns. Columns j … j+m of U⁻¹ equal the same columns of the inverse of the
// leading triangle of order j+m, with zeros below.
type inverse struct {
	e         engine
	n, strips int
	block     int // columns of a strip
	u, inv    []float64
}

var inverses = sync.Pool{New: func() any { return new(inverse) }}

func (v *inverse) Tile(t int) {
	j := (v.strips - 1 - t) * v.block // the longest strip comes first
	m := min(v.block, v.n-j)
	for i := range j + m {
		row := v.inv[i*v.n+j : i*v.n+j+m]
		clear(row)
		if i >= j {
			row[i-j] = 1
		}
	}
	v.e.Dtrsm(blas.Left, blas.Upper, blas.NoTrans, blas.NonUnit, j+m, m, 1, v.u, v.n, v.inv[j:], v.n)
}

// InverseDiag stores the diagonal of (A + σI)⁻¹ in dst. Its entries are the squared lengths of the rows of U⁻¹. It
// takes n³/3 operations.
func (c *Cholesky) InverseDiag(dst []float64) {
	n := c.n
	c.checkLengths(dst, dst)
	if n == 0 {
		return
	}
	if cap(c.inv) < n*n {
		c.inv = make([]float64, n*n)
	}
	c.inv = c.inv[:n*n]
	v := inverses.Get().(*inverse)
	e, isLibrary := choose(n >= largeFactor, n)
	block := pureBlock
	if isLibrary {
		block = libraryBlock
	}
	*v = inverse{e, n, (n + block - 1) / block, block, c.u, c.inv}
	Bound(c.Threads).Run(v, v.strips)
	*v = inverse{}
	inverses.Put(v)
	for i := range n {
		s := 0.0
		for _, v := range c.inv[i*n+i : (i+1)*n] {
			s += v * v
		}
		dst[i] = s
	}
}

// IsPSD reports whether every eigenvalue of a is at least −tol·max|a_ii|. It tests whether a + tol·max|a_ii|·I has a
// Cholesky factorization.
func IsPSD(a *mat.SymDense, tol float64) bool { return Bound(0).IsPSD(a, tol) }

// IsPSD is the function IsPSD with at most t threads.
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
	if top < 1e-200 || top > 1e200 { // the shift could underflow, or the sum could overflow
		_, e := math.Frexp(top)
		b := mat.NewSymDense(n, nil)
		b.ScaleSym(math.Ldexp(1, -e/2), a)
		b.ScaleSym(math.Ldexp(1, -e+e/2), b)
		a, top = b, math.Ldexp(top, -e)
	}
	c := Cholesky{Threads: int(t)}
	return c.Factorize(a, tol*top)
}
