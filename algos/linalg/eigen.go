package linalg

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/lapack"
	"gonum.org/v1/gonum/mat"
)

// Spectral is A = Σ_i λ_i q_i q_iᵀ of a symmetric matrix, or a part of that sum, λ ascending, q_i
// orthonormal. Its storage is kept from one factorisation to the next. The zero value is ready for
// use.
//
// A library computes whole spectra by divide and conquer on the tridiagonal form (dsytrd, dstedc,
// dormtr: what dsyevd calls), which is faster and gives more orthogonal vectors than the
// alternatives, and parts by bisection and inverse iteration (dsyevr). In pure Go both are gonum's
// implicit QL iteration, whole.
type Spectral struct {
	// Threads is at most how many threads Factorize and Apply use. If Threads is 0, it is
	// Threads().
	Threads int

	n       int
	vectors bool
	values  []float64 // ascending
	q       []float64 // a row of n per value
	flat    []float64
	d, e    []float64
	work    []float64
	iwork   []int64
	support []int64
	columns mat.Dense
	turned  bool // columns holds what q holds
}

// Factorize computes all eigenvalues of a and, if vectors, the eigenvectors. It returns false where
// a holds what is not finite, and where the iteration does not converge, which finite entries have
// not been seen to cause. About 9n³ operations with vectors, 4n³/3 without.
func (s *Spectral) Factorize(a *mat.SymDense, vectors bool) bool {
	n := a.SymmetricDim()
	factor, ok := s.load(a, vectors)
	if !ok || n == 0 {
		return ok
	}
	if l := served(Spectrum, n, n); l != nil {
		ok = s.conquer(l)
	} else {
		ok = s.iterate()
	}
	s.unscale(factor)
	return ok
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
	factor, ok := s.load(a, vectors)
	if !ok {
		return false
	}
	if lo == hi {
		s.values, s.q = s.values[:0], s.q[:0]
		return true
	}
	if l := served(Spectrum, n, n); l != nil {
		z := s.q[:(hi-lo)*n]
		if !vectors {
			z = nil
		}
		s.work, s.iwork, s.support = floats(s.work, 90*n), wholes(s.iwork, 10*n), wholes(s.support, 2*n)
		ok = l.EigenRange(n, s.flat, n, lo, hi, s.values, z, n, s.work, s.iwork, s.support)
		s.values = s.values[:hi-lo]
	} else {
		ok = s.iterate()
		copy(s.values, s.values[lo:hi])
		s.values = s.values[:hi-lo]
		if vectors {
			copy(s.q, s.q[lo*n:hi*n])
		}
	}
	if vectors {
		s.q = s.q[:(hi-lo)*n]
	}
	s.unscale(factor)
	return ok
}

// Sizes between which products of entries neither overflow nor lose digits: √ of the smallest number
// over the precision, and its inverse.
const (
	tiny = 1e-146
	huge = 1e146
)

// load copies the upper triangle of a, times a power of two that brings it between tiny and huge,
// and reports whether it is finite.
func (s *Spectral) load(a *mat.SymDense, vectors bool) (factor float64, ok bool) {
	n := a.SymmetricDim()
	r := a.RawSymmetric()
	s.n, s.vectors, s.turned = n, vectors, false
	s.flat, s.values = floats(s.flat, n*n), floats(s.values, n)
	s.q = s.q[:0]
	if vectors {
		s.q = floats(s.q, n*n)
	}
	top := 0.0
	for i := range n {
		row := r.Data[i*r.Stride+i : i*r.Stride+n]
		copy(s.flat[i*n+i:], row)
		for _, v := range row {
			if v = math.Abs(v); !(v <= math.MaxFloat64) {
				s.values, s.q = s.values[:0], s.q[:0]
				return 1, false
			}
			top = max(top, v)
		}
	}
	if top == 0 || tiny <= top && top <= huge {
		return 1, true
	}
	_, exp := math.Frexp(top)
	factor = math.Ldexp(1, exp)
	for i := range n {
		for j := i; j < n; j++ {
			s.flat[i*n+j] = math.Ldexp(s.flat[i*n+j], -exp)
		}
	}
	return factor, true
}

func (s *Spectral) unscale(factor float64) {
	if factor != 1 {
		for i := range s.values {
			s.values[i] *= factor
		}
	}
}

func floats(x []float64, n int) []float64 {
	if cap(x) < n {
		return make([]float64, n)
	}
	return x[:n]
}

func wholes(x []int64, n int) []int64 {
	if cap(x) < n {
		return make([]int64, n)
	}
	return x[:n]
}

// reflection is Q times the eigenvectors of the tridiagonal form, in strips of them.
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

// conquer is dsyevd in its three parts, the last in strips.
func (s *Spectral) conquer(l Library) bool {
	n := s.n
	strips := (n + stripRows - 1) / stripRows
	s.d, s.e = floats(s.d, n), floats(s.e, n)
	s.iwork = wholes(s.iwork, 3+5*n)
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

// iterate is gonum's dsyev.
func (s *Spectral) iterate() bool {
	n, job := s.n, lapack.EVNone
	if s.vectors {
		job = lapack.EVCompute
	}
	s.work = floats(s.work, 1)
	goLAPACK.Dsyev(job, blas.Upper, n, s.flat, n, s.values, s.work, -1)
	s.work = floats(s.work, int(s.work[0]))
	if !goLAPACK.Dsyev(job, blas.Upper, n, s.flat, n, s.values, s.work, len(s.work)) {
		return false
	}
	if s.vectors {
		flip(s.q, s.flat, n, n)
	}
	return true
}

// flip stores the transpose of a, m×n, in dst, in blocks that stay in the cache.
func flip(dst, a []float64, m, n int) {
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
	if !s.turned {
		s.columns.Reset()
		if s.turned = true; k > 0 {
			s.columns.ReuseAs(s.n, k)
			flip(s.columns.RawMatrix().Data, s.q, k, s.n)
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
	// Rows √|f|·q of positive and of negative values, the one from the front, the other from behind.
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
// columns. It panics if the iteration does not converge, which happens only for entries that are
// not finite.
func Eigen(a *mat.SymDense, vectors bool) (values []float64, v *mat.Dense) {
	return Bound(0).Eigen(a, vectors)
}

// Eigen is the function Eigen with at most t threads.
func (t Bound) Eigen(a *mat.SymDense, vectors bool) (values []float64, v *mat.Dense) {
	s := Spectral{Threads: int(t)}
	if !s.Factorize(a, vectors) {
		panic("linalg: eigendecomposition did not converge: the matrix holds an entry that is not finite")
	}
	if vectors {
		v = s.Vectors()
	}
	return s.values, v
}
