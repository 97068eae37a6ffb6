package linalg

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/mat"
)

// Spectral is the eigendecomposition A = Σ_i λ_i q_i q_iᵀ of a symmetric matrix, or some of its terms. The eigenvalues
// λ_i ascend, and the eigenvectors q_i are orthonormal. Spectral reuses its storage from one factorization to the next.
// The zero value is ready for use.
//
// A library computes full decompositions by divide and conquer on the tridiagonal form (LAPACK's dsytrd, dstedc and
// dormtr, as in dsyevd). This is faster, and its eigenvectors are closer to orthogonal, than with the other routines of
// LAPACK. It computes some eigenvalues by bisection and inverse iteration (dsyevr). Pure Go computes all eigenvalues by
// implicit QL iteration, and Part then discards those that it does not return. For n ≥ 48, pure Go applies the
// rotations of the iteration to parts of rows that fit into the cache.
type Spectral struct {
	// Threads is the largest number of threads that Factorize and Apply use. If it is 0, they use Threads().
	Threads int

	n            int
	vectors      bool      // eigenvectors are computed
	values       []float64 // eigenvalues, ascending
	q            []float64 // eigenvectors, one row of n entries for each eigenvalue
	flat         []float64 // n×n: the matrix to be decomposed; later scratch storage of Apply
	d, e         []float64 // scalar factors of the reflectors of the tridiagonal form; its off-diagonal
	work         []float64 // workspaces of the LAPACK routines
	iwork        []int64
	support      []int64
	columns      mat.Dense // result of Vectors
	columnsReady bool      // columns holds the eigenvectors
}

// Factorize computes all eigenvalues of a and, if vectors is true, the eigenvectors. The error of the eigenvalues is of
// order n·2⁻⁵³·max|λ_i| at every scale, including subnormal numbers, because Factorize decomposes a times a power of
// two. It returns false if an entry of a is not finite, if an eigenvalue overflows, or if the iteration does not
// converge, which has not been observed for finite entries. s then has no eigenvalues. It takes about 9n³ operations
// with vectors and 4n³/3 without.
func (s *Spectral) Factorize(a *mat.SymDense, vectors bool) bool {
	n := a.SymmetricDim()
	exponent, ok := s.loadScaled(a, vectors, n)
	if !ok || n == 0 {
		return ok
	}
	if l := libraryFor(n >= largeSpectrum, n); l != nil {
		ok = s.divideAndConquer(l)
	} else {
		ok = s.qlIteration()
	}
	return s.unscale(exponent, ok)
}

// Matrix returns an n×n matrix whose storage the next decomposition overwrites. To save memory, fill this matrix and
// pass it to Factorize or Part. They then need no other storage of n² numbers, except for eigenvectors and, with a
// library, for the workspace of Factorize.
func (s *Spectral) Matrix(n int) *mat.SymDense {
	s.flat = resizeFloats(s.flat, n*n)
	return mat.NewSymDense(n, s.flat)
}

// Part computes the k smallest eigenvalues of a if k > 0, or the −k largest if k < 0. If vectors is true, it also
// computes their eigenvectors. It returns false under the same conditions as Factorize, and panics if |k| > n. With a
// library it takes 4n³/3 + O(n²k) operations.
func (s *Spectral) Part(a *mat.SymDense, k int, vectors bool) bool {
	n := a.SymmetricDim()
	lo, hi := 0, k
	if k < 0 {
		lo, hi = n+k, n
	}
	if lo < 0 || hi > n {
		panic("linalg: more eigenvalues wanted than there are")
	}
	l, vectorCount := libraryFor(n >= largeSpectrum, n), n
	if l != nil {
		vectorCount = hi - lo
	}
	exponent, ok := s.loadScaled(a, vectors, vectorCount)
	if !ok {
		return false
	}
	if lo == hi {
		s.values, s.q = s.values[:0], s.q[:0]
		return true
	}
	if l != nil {
		var z []float64
		if vectors {
			z = s.q[:(hi-lo)*n]
		}
		s.work, s.iwork, s.support = resizeFloats(s.work, 90*n), resizeInts(s.iwork, 10*n), resizeInts(s.support, 2*n)
		ok = l.EigenRange(n, s.flat, n, lo, hi, s.values, z, n, s.work, s.iwork, s.support)
		s.values = s.values[:hi-lo]
	} else {
		ok = s.qlIteration()
		copy(s.values, s.values[lo:hi])
		s.values = s.values[:hi-lo]
		if vectors {
			copy(s.q, s.q[lo*n:hi*n])
		}
	}
	if vectors {
		s.q = s.q[:(hi-lo)*n]
	}
	return s.unscale(exponent, ok)
}

// loadScaled copies the upper triangle of a·2^−exponent into s.flat and allocates vectorCount eigenvectors. It chooses
// the exponent so that the largest entry is at least ½ and less than 1. Then no product of entries overflows, and
// products that underflow are below the rounding error. It returns ok = false if an entry of a is not finite.
func (s *Spectral) loadScaled(a *mat.SymDense, vectors bool, vectorCount int) (exponent int, ok bool) {
	n := a.SymmetricDim()
	r := a.RawSymmetric()
	s.n, s.vectors, s.columnsReady = n, vectors, false
	s.flat, s.values = resizeFloats(s.flat, n*n), resizeFloats(s.values, n)
	s.q = s.q[:0]
	if vectors {
		s.q = resizeFloats(s.q, vectorCount*n)
	}
	largest := 0.0
	for i := range n {
		row := r.Data[i*r.Stride+i : i*r.Stride+n]
		copy(s.flat[i*n+i:], row)
		for _, v := range row {
			if v = math.Abs(v); !(v <= math.MaxFloat64) {
				s.reset()
				return 0, false
			}
			largest = max(largest, v)
		}
	}
	if _, exponent = math.Frexp(largest); exponent != 0 {
		// two factors, because 2^−exponent itself may overflow
		f, g := math.Ldexp(1, -exponent/2), math.Ldexp(1, -exponent+exponent/2)
		for i := range n {
			row := s.flat[i*n+i : (i+1)*n]
			for j := range row {
				row[j] = row[j] * f * g
			}
		}
	}
	return exponent, true
}

// unscale multiplies the eigenvalues by 2^exponent. If ok is false or an eigenvalue overflows, it removes all
// eigenvalues and returns false.
func (s *Spectral) unscale(exponent int, ok bool) bool {
	for i, v := range s.values {
		s.values[i] = math.Ldexp(v, exponent)
		ok = ok && math.Abs(s.values[i]) <= math.MaxFloat64
	}
	if !ok {
		s.reset()
	}
	return ok
}

// reset removes all eigenvalues and eigenvectors from s.
func (s *Spectral) reset() { s.values, s.q = s.values[:0], s.q[:0] }

// resizeFloats returns a slice of length n, in the storage of x if it is large enough.
func resizeFloats(x []float64, n int) []float64 {
	if cap(x) < n {
		return make([]float64, n)
	}
	return x[:n]
}

// resizeInts returns a slice of length n, in the storage of x if it is large enough.
func resizeInts(x []int64, n int) []int64 {
	if cap(x) < n {
		return make([]int64, n)
	}
	return x[:n]
}

// reflection multiplies the eigenvectors of T by Q, where T is the tridiagonal form A = QTQᵀ. The products are the
// eigenvectors of A. A tile has stripRows eigenvectors.
type reflection struct {
	lib              Library
	n                int
	a, tau, q, works []float64
}

var reflections = sync.Pool{New: func() any { return new(reflection) }}

// Tile applies the Householder reflections to the eigenvectors of tile t.
func (r *reflection) Tile(t int) {
	i := t * stripRows
	m, w := min(stripRows, r.n-i), reflectWorkSize(r.n)
	r.lib.Reflect(r.n, m, r.a, r.n, r.tau, r.q[i*r.n:], r.n, r.works[t*w:(t+1)*w])
}

// reflectWorkSize returns the size of the workspace of one tile of a reflection: see Library.Reflect.
func reflectWorkSize(n int) int { return 64*n + 65*64 }

// divideAndConquer computes the eigendecomposition of the matrix in s.flat with l, by the method of LAPACK's dsyevd:
// the tridiagonal form T, the eigendecomposition of T, and the eigenvectors of A, the last on several threads. It
// reports whether the method converged.
func (s *Spectral) divideAndConquer(l Library) bool {
	n := s.n
	strips := (n + stripRows - 1) / stripRows
	s.d, s.e = resizeFloats(s.d, n), resizeFloats(s.e, n)
	s.iwork = resizeInts(s.iwork, 3+5*n)
	s.work = resizeFloats(s.work, max(1+4*n+n*n, strips*reflectWorkSize(n)))
	l.Tridiagonal(n, s.flat, n, s.values, s.e, s.d, s.work[:64*n])
	if !s.vectors {
		return l.EigenTridiagonal(n, s.values, s.e, nil, 0, s.work, s.iwork)
	}
	if !l.EigenTridiagonal(n, s.values, s.e, s.q, n, s.work, s.iwork) {
		return false
	}
	r := reflections.Get().(*reflection)
	*r = reflection{l, n, s.flat, s.d, s.q, s.work}
	Bound(s.Threads).Run(r, strips)
	*r = reflection{}
	reflections.Put(r)
	return true
}

// sortAscending sorts the eigenvalues d in ascending order, and the rows of s.q in the same order.
func (s *Spectral) sortAscending(d []float64) {
	n := len(d)
	for i := range d { // selection sort exchanges at most n−1 pairs of rows
		k := i
		for j := i + 1; j < n; j++ {
			if d[j] < d[k] {
				k = j
			}
		}
		if k == i {
			continue
		}
		d[i], d[k] = d[k], d[i]
		a, b := s.q[i*n:(i+1)*n], s.q[k*n:(k+1)*n]
		for j, v := range a {
			a[j], b[j] = b[j], v
		}
	}
}

// flushTiny sets entries below 2⁻⁴⁰⁰ in magnitude to 0, in a matrix whose largest entry is about 1. The dsterf and
// dsteqr of gonum would scale up a tridiagonal block of such entries. For such a block, dsterf panics, because it
// treats a vector as a matrix with rows of length n, and dsteqr can return NaN.
func flushTiny(x []float64) {
	for i, v := range x {
		if math.Abs(v) < 0x1p-400 {
			x[i] = 0
		}
	}
}

// transposeInto stores the transpose of the m×n matrix a in dst. It copies in blocks that fit into the cache.
func transposeInto(dst, a []float64, m, n int) {
	const b = 32
	for i := 0; i < m; i += b {
		for j := 0; j < n; j += b {
			for r := i; r < min(i+b, m); r++ {
				for c := j; c < min(j+b, n); c++ {
					dst[c*m+r] = a[r*n+c]
				}
			}
		}
	}
}

// Values returns the eigenvalues in ascending order. They are valid until the next factorization.
func (s *Spectral) Values() []float64 { return s.values }

// Vector returns the i-th eigenvector. It is valid until the next factorization.
func (s *Spectral) Vector(i int) []float64 { return s.q[i*s.n : (i+1)*s.n] }

// Vectors returns the eigenvectors as columns of an n×k matrix. It is valid until the next factorization.
func (s *Spectral) Vectors() *mat.Dense {
	k := len(s.values)
	if len(s.q) != k*s.n {
		panic("linalg: Vectors of a decomposition without eigenvectors")
	}
	if !s.columnsReady {
		s.columns.Reset()
		if s.columnsReady = true; k > 0 {
			s.columns.ReuseAs(s.n, k)
			transposeInto(s.columns.RawMatrix().Data, s.q, k, s.n)
		}
	}
	return &s.columns
}

// Apply stores Σ_i f(λ_i) q_i q_iᵀ in dst; after Factorize this is f(A). It takes n² operations for each value with
// f(λ_i) ≠ 0. With f = max(λ, 0) the result is the nearest positive semidefinite matrix, with f = 1/λ (0 at 0) the
// pseudo-inverse, and with f = √λ the square root.
func (s *Spectral) Apply(dst *mat.SymDense, f func(lambda float64) float64) {
	n := s.n
	r := dst.RawSymmetric()
	if r.N != n || len(s.q) != len(s.values)*n {
		panic("linalg: Apply without eigenvectors, or of another size")
	}
	// flat holds the rows √|f|·q. Rows with f > 0 start at the first row, rows with f < 0 at the last row, upwards.
	s.flat = resizeFloats(s.flat, n*n)
	pos, neg := 0, 0
	for i, l := range s.values {
		v := f(l)
		if v == 0 {
			continue
		}
		at := pos
		if v < 0 {
			neg++
			at = len(s.values) - neg
		} else {
			pos++
		}
		root := math.Sqrt(math.Abs(v))
		row := s.flat[at*n : (at+1)*n]
		for j, x := range s.Vector(i) {
			row[j] = root * x
		}
	}
	Bound(s.Threads).Syrk(true, n, pos, 1, s.flat, n, 0, r.Data, r.Stride)
	if neg > 0 {
		Bound(s.Threads).Syrk(true, n, neg, -1, s.flat[(len(s.values)-neg)*n:], n, 1, r.Data, r.Stride)
	}
}

// Eigen returns the eigenvalues of a in ascending order and, if vectors is true, the orthonormal eigenvectors as
// columns. It panics if Factorize returns false. Call Factorize for data that may have entries that are not finite or
// close to the largest float64.
func (t Bound) Eigen(a *mat.SymDense, vectors bool) (values []float64, v *mat.Dense) {
	s := Spectral{Threads: int(t)}
	if !s.Factorize(a, vectors) {
		panic("linalg: no eigendecomposition: an entry of the matrix is not finite, or an eigenvalue overflows")
	}
	if vectors {
		v = s.Vectors()
	}
	return s.values, v
}
