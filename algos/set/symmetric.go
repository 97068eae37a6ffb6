package set

import (
	"fmt"
	"math"
	"sync"

	"github.com/mklnb/mkl/algos/linalg"

	"gonum.org/v1/gonum/mat"
)

// matrixOrder returns √m, rounded to an integer: the order n of a matrix with m = n² entries.
func matrixOrder(m int) int { return int(math.Round(math.Sqrt(float64(m)))) }

// requireSquareNumber returns an error if m is not n² with n ≥ 1.
func requireSquareNumber(name string, m int) error {
	if n := matrixOrder(m); m < 1 || n*n != m {
		return fmt.Errorf("set: %s: %d is not a square number of parameters; use n² for n×n matrices", name, m)
	}
	return nil
}

// spectrum is the work space of one eigendecomposition of an n×n matrix: n² numbers, and n² more if all eigenvectors
// are computed.
type spectrum struct {
	linalg.Spectral
	matrix   *mat.SymDense // the matrix to be decomposed, which the decomposition overwrites
	cholesky linalg.Cholesky
}

var spectrumPool = sync.Pool{New: func() any { return new(spectrum) }}

// takeWorkspaceWith takes a workspace from spectrumPool, stores (X + Xᵀ)/2 for x = vec X in it, and returns it. The
// caller puts it back.
func takeWorkspaceWith(x []float64) *spectrum {
	n, s := matrixOrder(len(x)), spectrumPool.Get().(*spectrum)
	if n*n != len(x) {
		panic(badLength)
	}
	if s.matrix == nil || s.matrix.SymmetricDim() != n {
		s.matrix = s.InputMatrix(n)
	}
	for i := range n {
		for j := i; j < n; j++ {
			s.matrix.SetSym(i, j, x[i*n+j]/2+x[j*n+i]/2)
		}
	}
	return s
}

// storeMatrixFunction stores Σ_i f(λ_i)q_iq_iᵀ in dst, both triangles, for the eigenvalues λ_i and eigenvectors q_i.
func (s *spectrum) storeMatrixFunction(dst []float64, f func(lambda float64) float64) {
	n := s.matrix.SymmetricDim()
	s.Apply(mat.NewSymDense(n, dst), f)
	for i := range n {
		for j := range i {
			dst[i*n+j] = dst[j*n+i]
		}
	}
}

// factorizeWithVectors computes all eigenvalues and eigenvectors. It returns false if the matrix is not finite.
func (s *spectrum) factorizeWithVectors() bool { return s.Factorize(s.matrix, true) }

func fillNaN(dst []float64) {
	for i := range dst {
		dst[i] = math.NaN()
	}
}

// isSemidefinite reports whether x = vec X with X symmetric and X + δI positive definite. δ = (4n+64)ε·tr X, ε =
// linalg.Epsilon, bounds the rounding of a positive semidefinite matrix that is computed as a product of factors.
// isSemidefinite also returns tr X. It costs n³/3 operations.
func isSemidefinite(x []float64) (trace float64, ok bool) {
	n := matrixOrder(len(x))
	if n*n != len(x) {
		return 0, false
	}
	for i := range n {
		trace += x[i*n+i]
	}
	if !(trace >= 0) || math.IsInf(trace, 1) {
		return 0, false
	}
	isOffDiagonalZero := true
	for i := range n {
		for j := range i {
			if !(math.Abs(x[i*n+j]-x[j*n+i]) <= 8*linalg.Epsilon*trace) {
				return 0, false
			}
			isOffDiagonalZero = isOffDiagonalZero && x[i*n+j] == 0 && x[j*n+i] == 0
		}
	}
	if trace == 0 {
		return 0, isOffDiagonalZero
	}
	s := takeWorkspaceWith(x)
	defer spectrumPool.Put(s)
	return trace, s.cholesky.Factorize(s.matrix, float64(4*n+64)*linalg.Epsilon*trace)
}

// storeRankOne stores scale·vvᵀ in dst.
func storeRankOne(dst, v []float64, scale float64) {
	n := len(v)
	for i, a := range v {
		for j, b := range v[:i+1] {
			x := scale * a * b
			dst[i*n+j], dst[j*n+i] = x, x
		}
	}
}
