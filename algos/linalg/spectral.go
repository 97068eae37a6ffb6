package linalg

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// Spectral is the eigendecomposition A = Σ_i λ_i q_i q_iᵀ of a symmetric matrix, or its term with the smallest λ_i. The
// eigenvalues λ_i ascend, and the eigenvectors q_i are orthonormal. Spectral reuses its storage from one factorization
// to the next. The zero value is ready for use.
//
// A library computes full decompositions by divide and conquer on the tridiagonal form (LAPACK's dsytrd, dstedc and
// dormtr, as in dsyevd). This is faster, and its eigenvectors are closer to orthogonal, than with the other routines of
// LAPACK. It computes the smallest eigenvalue by bisection and inverse iteration (dsyevr). Pure Go always computes all
// eigenvalues, by implicit QL iteration.
type Spectral struct {
	// Threads is the largest number of threads that Factorize and Apply use. If it is 0, they use Threads().
	Threads int

	n           int
	hasVectors  bool      // whether eigenvectors are computed
	eigenvalues []float64 // eigenvalues, ascending
	q           []float64 // eigenvectors, one row of n entries for each eigenvalue
	matrixData  []float64 // n×n: the matrix to be decomposed; later scratch storage of Apply
	tau         []float64 // factors of the Householder reflections that lead to the tridiagonal form
	offDiagonal []float64 // off-diagonal of the tridiagonal form
	work        []float64 // workspaces of the LAPACK routines
	iwork       []int64

	rotations []rotation // rotations of rows of q that are not applied yet
}

// Factorize computes all eigenvalues of a and, if withVectors is true, the eigenvectors. The error of the eigenvalues
// is of order n·2⁻⁵³·max|λ_i| for entries between 1e-100 and 1e100 in magnitude. It returns false if an entry of a or
// an eigenvalue is not finite, or if the iteration does not converge, which has not been observed for finite entries. s
// then has no eigenvalues. It takes about 9n³ operations with vectors and 4n³/3 without.
func (s *Spectral) Factorize(a *mat.SymDense, withVectors bool) (succeeded bool) {
	n := a.SymmetricDim()
	vectorCount := 0
	if withVectors {
		vectorCount = n
	}
	return s.decompose(a, vectorCount, func() bool {
		if l := chooseLibrary(n >= largeSpectrum, n); l != nil {
			return s.decomposeByDivideAndConquer(l)
		}
		return s.decomposeByQL()
	})
}

// FactorizeSmallest computes the smallest eigenvalue of a and its eigenvector. It returns false if an entry of a or
// the eigenvalue is not finite, or if the iteration does not converge. With a library it takes 4n³/3 operations.
func (s *Spectral) FactorizeSmallest(a *mat.SymDense) (succeeded bool) {
	n := a.SymmetricDim()
	l, vectorCount := chooseLibrary(n >= largeSpectrum, n), n
	if l != nil {
		vectorCount = 1
	}
	return s.decompose(a, vectorCount, func() (ok bool) {
		if l == nil {
			ok = s.decomposeByQL()
		} else {
			s.work, s.iwork = Resize(s.work, 90*n), Resize(s.iwork, 12*n)
			ok = l.EigenSmallest(n, s.matrixData, s.eigenvalues, s.q, s.work, s.iwork)
		}
		s.eigenvalues, s.q = s.eigenvalues[:1], s.q[:n]
		return ok
	})
}

// decompose copies the upper triangle of a into s.matrixData, allocates storage for vectorCount eigenvectors, and calls
// factorize. If an entry of a or an eigenvalue is not finite, or factorize returns false, decompose removes all
// eigenvalues and returns false.
func (s *Spectral) decompose(a *mat.SymDense, vectorCount int, factorize func() bool) (succeeded bool) {
	n := a.SymmetricDim()
	r := a.RawSymmetric()
	s.n, s.hasVectors = n, vectorCount > 0
	s.matrixData, s.eigenvalues, s.q = Resize(s.matrixData, n*n), Resize(s.eigenvalues, n), Resize(s.q, vectorCount*n)
	ok := true
	for i := range n {
		for _, v := range r.Data[i*r.Stride+i : i*r.Stride+n] {
			ok = ok && isFinite(v)
		}
		copy(s.matrixData[i*n+i:], r.Data[i*r.Stride+i:i*r.Stride+n])
	}
	ok = ok && (n == 0 || factorize())
	for _, v := range s.eigenvalues {
		ok = ok && isFinite(v)
	}
	if !ok {
		s.eigenvalues, s.q = s.eigenvalues[:0], s.q[:0]
	}
	return ok
}

func isFinite(v float64) bool { return math.Abs(v) <= math.MaxFloat64 }

// InputMatrix returns an n×n matrix whose storage the next decomposition overwrites. To save memory, fill this matrix
// and pass it to Factorize or FactorizeSmallest. They then need no other storage of n² numbers, except for eigenvectors
// and, with a library, for the workspace of Factorize.
func (s *Spectral) InputMatrix(n int) *mat.SymDense {
	s.matrixData = Resize(s.matrixData, n*n)
	return mat.NewSymDense(n, s.matrixData)
}

// Resize returns a slice of length n, in the storage of x if it is large enough. Its entries are not defined.
func Resize[T any](x []T, n int) []T {
	if cap(x) < n {
		return make([]T, n)
	}
	return x[:n]
}

// decomposeByDivideAndConquer computes the eigendecomposition of the matrix in s.matrixData with l, by the method of
// LAPACK's dsyevd: the tridiagonal form T = QᵀAQ, the eigendecomposition of T, and the eigenvectors of A, which are Q
// times the eigenvectors of T, on several threads.
func (s *Spectral) decomposeByDivideAndConquer(l Library) (converged bool) {
	n := s.n
	stripCount := (n + stripRows - 1) / stripRows
	workSize := 64*n + 65*64 // work space of one call of ApplyReflectors
	s.tau, s.offDiagonal = Resize(s.tau, n), Resize(s.offDiagonal, n)
	s.iwork = Resize(s.iwork, 3+5*n)
	s.work = Resize(s.work, max(1+4*n+n*n, stripCount*workSize))
	l.Tridiagonalize(n, s.matrixData, n, s.eigenvalues, s.offDiagonal, s.tau, s.work[:64*n])
	if !s.hasVectors {
		return l.DecomposeTridiagonal(n, s.eigenvalues, s.offDiagonal, nil, 0, s.work, s.iwork)
	}
	if !l.DecomposeTridiagonal(n, s.eigenvalues, s.offDiagonal, s.q, n, s.work, s.iwork) {
		return false
	}
	ThreadLimit(s.Threads).Run(stripCount, func(t int) { // transforms a strip of stripRows eigenvectors
		i := t * stripRows
		work := s.work[t*workSize : (t+1)*workSize]
		l.ApplyReflectors(n, min(stripRows, n-i), s.matrixData, n, s.tau, s.q[i*n:], n, work)
	})
	return true
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
func (s *Spectral) Values() []float64 { return s.eigenvalues }

// Vector returns the i-th eigenvector. It is valid until the next factorization.
func (s *Spectral) Vector(i int) []float64 { return s.q[i*s.n : (i+1)*s.n] }

// Vectors returns the k computed eigenvectors as columns of a new n×k matrix. After Factorize, k is n.
func (s *Spectral) Vectors() *mat.Dense {
	k := len(s.eigenvalues)
	if len(s.q) != k*s.n {
		panic("linalg: Vectors needs eigenvectors; pass withVectors = true to Factorize")
	}
	if k == 0 {
		return &mat.Dense{}
	}
	vectorColumns := mat.NewDense(s.n, k, nil)
	transposeInto(vectorColumns.RawMatrix().Data, s.q, k, s.n)
	return vectorColumns
}

// Apply stores Σ_i f(λ_i) q_i q_iᵀ in dst; after Factorize this is f(A). It takes n² operations for each value with
// f(λ_i) ≠ 0. With f = max(λ, 0) the result is the nearest positive semidefinite matrix, with f = 1/λ (0 at 0) the
// pseudo-inverse, and with f = √λ the square root.
func (s *Spectral) Apply(dst *mat.SymDense, f func(lambda float64) float64) {
	n := s.n
	r := dst.RawSymmetric()
	if r.N != n || len(s.q) != len(s.eigenvalues)*n {
		panic("linalg: Apply needs a decomposition with eigenvectors and a matrix dst of the same size")
	}
	// matrixData holds the rows √|f(λ_i)|·q_i: those with f(λ_i) > 0 from the first row on, and those with f(λ_i) < 0
	// from the last row backwards.
	s.matrixData = Resize(s.matrixData, n*n)
	positiveCount, negativeCount := 0, 0
	for i, l := range s.eigenvalues {
		v := f(l)
		if v == 0 {
			continue
		}
		rowIndex := positiveCount
		if v < 0 {
			negativeCount++
			rowIndex = len(s.eigenvalues) - negativeCount
		} else {
			positiveCount++
		}
		root := math.Sqrt(math.Abs(v))
		row := s.matrixData[rowIndex*n : (rowIndex+1)*n]
		for j, x := range s.Vector(i) {
			row[j] = root * x
		}
	}
	ThreadLimit(s.Threads).Syrk(true, n, positiveCount, 1, s.matrixData, n, 0, r.Data, r.Stride)
	if negativeCount > 0 {
		rowsOfNegativeValues := s.matrixData[(len(s.eigenvalues)-negativeCount)*n:]
		ThreadLimit(s.Threads).Syrk(true, n, negativeCount, -1, rowsOfNegativeValues, n, 1, r.Data, r.Stride)
	}
}

// Eigen returns the eigenvalues of a in ascending order and, if withVectors is true, the orthonormal eigenvectors as
// columns. It panics if an entry of a is not finite. For such data, call Factorize, which returns false instead.
func (t ThreadLimit) Eigen(a *mat.SymDense, withVectors bool) (values []float64, vectors *mat.Dense) {
	s := Spectral{Threads: int(t)}
	if !s.Factorize(a, withVectors) {
		panic("linalg: no eigendecomposition: an entry of the matrix is not finite")
	}
	if withVectors {
		vectors = s.Vectors()
	}
	return s.eigenvalues, vectors
}
