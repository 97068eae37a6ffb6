package linalg

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/mat"
)

// Spectral is the decomposition A = Σ_i λ_i q_i q_iᵀ of a symmetric matrix, or a part of that sum. The λ_i ascend, and
// the q_i are orthonormal. It reuses its storage from one factorization to the next. The zero value is ready for use.
//
// A library computes full spectra by divide and conquer on the tridiagonal form (dsytrd, dstedc, dormtr, the routines
// of dsyevd). This is faster and gives more orthogonal vectors than the alternatives. It computes a part by bisection
// and inverse iteration (dsyevr). Pure Go computes all eigenvalues by implicit QL iteration, and Part then discards the
// others. For n ≥ 48 the rotations stay in the cache.
type Spectral struct {
	// Threads is the largest number of threads that Factorize and Apply use. If it is 0, they use Threads().
	Threads int

	n            int
	vectors      bool
	values       []float64 // ascending
	q            []float64 // one row of n entries for each value
	flat         []float64
	d, e         []float64
	work         []float64
	iwork        []int64
	support      []int64
	columns      mat.Dense
	columnsReady bool // columns holds the vectors of q
}

// Factorize computes all eigenvalues of a and, if vectors is true, the eigenvectors. The error of the eigenvalues is of
// order n·2⁻⁵³·max|λ_i| at every scale, including subnormal numbers, because Factorize decomposes a times a power of
// two. It returns false if an entry of a is not finite, if an eigenvalue overflows, or if the iteration does not
// converge, which has not been observed for finite entries. Then s is empty. It takes about 9n³ operations with vectors
// and 4n³/3 without.
func (s *Spectral) Factorize(a *mat.SymDense, vectors bool) bool {
	n := a.SymmetricDim()
	top, ok := s.load(a, vectors, n)
	if !ok || n == 0 {
		return ok
	}
	if l := served(n >= largeSpectrum, n); l != nil {
		ok = s.divideAndConquer(l)
	} else {
		ok = s.qlIteration()
	}
	return s.unscale(top, ok)
}

// Matrix returns an n×n matrix in the storage that the next decomposition overwrites. Factorize and Part of this matrix
// need no other storage of n² numbers, except for eigenvectors and, with a library, for the workspace of Factorize.
func (s *Spectral) Matrix(n int) *mat.SymDense {
	s.flat = floats(s.flat, n*n)
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
	l, keep := served(n >= largeSpectrum, n), n
	if l != nil {
		keep = hi - lo
	}
	top, ok := s.load(a, vectors, keep)
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
		s.work, s.iwork, s.support = floats(s.work, 90*n), ints(s.iwork, 10*n), ints(s.support, 2*n)
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
	return s.unscale(top, ok)
}

// load copies the upper triangle of a·2^−top into s and makes room for keep eigenvectors. It chooses top so that the
// largest entry lies between ½ and 1. Then no product of entries overflows, and products that underflow are below the
// rounding error. It reports whether a is finite.
func (s *Spectral) load(a *mat.SymDense, vectors bool, keep int) (top int, ok bool) {
	n := a.SymmetricDim()
	r := a.RawSymmetric()
	s.n, s.vectors, s.columnsReady = n, vectors, false
	s.flat, s.values = floats(s.flat, n*n), floats(s.values, n)
	s.q = s.q[:0]
	if vectors {
		s.q = floats(s.q, keep*n)
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
	if _, top = math.Frexp(largest); top != 0 {
		f, g := math.Ldexp(1, -top/2), math.Ldexp(1, -top+top/2) // 2^−top itself may overflow
		for i := range n {
			row := s.flat[i*n+i : (i+1)*n]
			for j := range row {
				row[j] = row[j] * f * g
			}
		}
	}
	return top, true
}

// unscale multiplies the eigenvalues by 2^top. If ok is false or an eigenvalue overflows, it removes all eigenvalues
// and returns false.
func (s *Spectral) unscale(top int, ok bool) bool {
	for i, v := range s.values {
		s.values[i] = math.Ldexp(v, top)
		ok = ok && math.Abs(s.values[i]) <= math.MaxFloat64
	}
	if !ok {
		s.reset()
	}
	return ok
}

// reset removes all eigenvalues from s.
func (s *Spectral) reset() { s.values, s.q = s.values[:0], s.q[:0] }

func floats(x []float64, n int) []float64 {
	if cap(x) < n {
		return make([]float64, n)
	}
	return x[:n]
}

func ints(x []int64, n int) []int64 {
	if cap(x) < n {
		return make([]int64, n)
	}
	return x[:n]
}

// reflection transforms the eigenvectors of the tridiagonal form into the eigenvectors of A, with the Q of A = QTQᵀ, in
// strips of stripRows vectors.
type reflection struct {
	lib              Library
	n                int
	a, tau, q, works []float64
}

var reflections = sync.Pool{New: func() any { return new(reflection) }}

func (r *reflection) Tile(t int) {
	i := t * stripRows
	m, w := min(stripRows, r.n-i), reflectWork(r.n)
	r.lib.Reflect(r.n, m, r.a, r.n, r.tau, r.q[i*r.n:], r.n, r.works[t*w:(t+1)*w])
}

// reflectWork returns the size of the workspace of a strip: 64 numbers per row, and 65×64 for LAPACK.
func reflectWork(n int) int { return 64*n + 65*64 }

// divideAndConquer computes what dsyevd of LAPACK computes: the tridiagonal form, its spectrum, and the eigenvectors of
// A. Several threads compute the eigenvectors of A.
func (s *Spectral) divideAndConquer(l Library) bool {
	n := s.n
	strips := (n + stripRows - 1) / stripRows
	s.d, s.e = floats(s.d, n), floats(s.e, n)
	s.iwork = ints(s.iwork, 3+5*n)
	s.work = floats(s.work, max(1+4*n+n*n, strips*reflectWork(n)))
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

// sort sorts the eigenvalues, and the rows of s.q with them, in ascending order.
func (s *Spectral) sort(d []float64) {
	n := len(d)
	for i := range d { // selection sort needs the fewest exchanges of rows
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
// dsteqr of gonum would scale up a tridiagonal block of such entries. dsterf panics there, because it treats a vector
// as a matrix with rows of length n; dsteqr can return NaN.
func flushTiny(x []float64) {
	for i, v := range x {
		if math.Abs(v) < 0x1p-400 {
			x[i] = 0
		}
	}
}

// transposeInto stores the transpose of a, m×n, in dst. It works in blocks that stay in the cache.
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
	s.flat = floats(s.flat, n*n)
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
func Eigen(a *mat.SymDense, vectors bool) (values []float64, v *mat.Dense) {
	return Bound(0).Eigen(a, vectors)
}

// Eigen is the function Eigen with at most t threads.
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
