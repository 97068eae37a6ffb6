package linalg

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/mat"
)

// Spectral is A = Σ_i λ_i q_i q_iᵀ of a symmetric matrix, or a part of that sum, λ ascending, q_i
// orthonormal. Its storage is kept from one factorisation to the next. The zero value is ready for
// use.
//
// A library computes whole spectra by divide and conquer on the tridiagonal form (dsytrd, dstedc,
// dormtr: what dsyevd calls), which is faster and gives more orthogonal vectors than the
// alternatives; a part by bisection and inverse iteration (dsyevr). In pure Go all eigenvalues
// are computed by implicit QL iteration, of 48 points or more with rotations that stay in the cache, and Part keeps
// those wanted.
type Spectral struct {
	// Threads is at most how many threads Factorize and Apply use. If Threads is 0, it is
	// Threads().
	Threads int

	n            int
	vectors      bool
	values       []float64 // ascending
	q            []float64 // a row of n per value
	flat         []float64
	d, e         []float64
	work         []float64
	iwork        []int64
	support      []int64
	columns      mat.Dense
	columnsReady bool // columns holds what q holds
}

// Factorize computes all eigenvalues of a and, if vectors, the eigenvectors. Their error is of
// order n·2⁻⁵³·max|λ_i| at every scale, that of subnormal numbers included: what is decomposed is a
// times a power of two. It returns false, and s is then empty, where an entry of a is not
// finite, where an eigenvalue overflows, and where the iteration does not converge, which finite
// entries have not been seen to cause. About 9n³ operations with vectors, 4n³/3 without.
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

// Matrix returns an n×n matrix in the storage that a decomposition overwrites: Factorize and Part of it
// need no n² numbers beside it but for eigenvectors.
func (s *Spectral) Matrix(n int) *mat.SymDense {
	s.flat = floats(s.flat, n*n)
	return mat.NewSymDense(n, s.flat)
}

// Part computes the k smallest eigenvalues of a if k > 0, the −k largest if k < 0, and their
// eigenvectors if vectors. It returns false as Factorize does, and panics if there are not as many.
// With a library it costs 4n³/3 + O(n²k) operations.
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

// load copies the upper triangle of a·2^−top into s, where top makes the largest entry lie between ½
// and 1: no product of entries then overflows, and products that underflow are below the rounding
// error, and makes room for so many vectors. It reports whether a is finite.
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

// unscale multiplies the eigenvalues by 2^top. It returns false, and leaves none, if ok is false or an
// eigenvalue overflows.
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

// reset leaves s without eigenvalues.
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

// reflection turns the eigenvectors of the tridiagonal form into those of A, by the Q of A = QTQᵀ, in
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

// reflectWork is the workspace of a strip: 64 numbers a row, and LAPACK's 65×64 of its own.
func reflectWork(n int) int { return 64*n + 65*64 }

// divideAndConquer is LAPACK's dsyevd: tridiagonal form, its spectrum, and the eigenvectors of A, the
// last of which several threads compute.
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

// sort orders eigenvalues, and the rows of s.q with them, ascending.
func (s *Spectral) sort(d []float64) {
	n := len(d)
	for i := range d { // as few exchanges of rows as can be
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

// flushTiny replaces by 0 what is less than 2⁻⁴⁰⁰ of a matrix whose largest entry is about 1. A
// tridiagonal block that small would be scaled up by gonum's dsterf, which panics at it (it takes a
// vector for a matrix with rows of n), and by its dsteqr, which can return NaN.
func flushTiny(x []float64) {
	for i, v := range x {
		if math.Abs(v) < 0x1p-400 {
			x[i] = 0
		}
	}
}

// transposeInto stores the transpose of a, m×n, in dst, in blocks that stay in the cache.
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

// Values are the eigenvalues, ascending, valid until the next factorisation.
func (s *Spectral) Values() []float64 { return s.values }

// Vector is the i-th eigenvector, valid until the next factorisation.
func (s *Spectral) Vector(i int) []float64 { return s.q[i*s.n : (i+1)*s.n] }

// Vectors are the eigenvectors as columns of an n×k matrix, valid until the next factorisation.
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

// Apply stores Σ_i f(λ_i) q_i q_iᵀ in dst, in n² operations per value where f is not 0: f(A) after
// Factorize. With f = max(λ, 0) it is the nearest positive semidefinite matrix, with f = 1/λ (0 at 0)
// the pseudo-inverse, with f = √λ the root.
func (s *Spectral) Apply(dst *mat.SymDense, f func(lambda float64) float64) {
	n := s.n
	r := dst.RawSymmetric()
	if r.N != n || len(s.q) != len(s.values)*n {
		panic("linalg: Apply without eigenvectors, or of another size")
	}
	// Rows √|f|·q, those with f > 0 from the first row on, those with f < 0 from the last row up.
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

// Eigen returns the eigenvalues of a, ascending, and if vectors the orthonormal eigenvectors as
// columns. It panics where Factorize returns false: for data that can hold what is not finite, or
// entries near the largest number, call that.
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
