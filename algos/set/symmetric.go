package set

import (
	"fmt"
	"math"
	"sync"

	"github.com/mklnb/mkl/algos/linalg"

	"gonum.org/v1/gonum/mat"
)

// order returns n of θ = vec of an n×n matrix.
func order(m int) int { return int(math.Round(math.Sqrt(float64(m)))) }

// square refuses an m that is not n² with n ≥ 1.
func square(what string, m int) error {
	if n := order(m); m < 1 || n*n != m {
		return fmt.Errorf("set: %s of %d parameters, want n² for n×n matrices", what, m)
	}
	return nil
}

// spectrum is the work space of one oracle call on n×n matrices: n² numbers, and n² more where all
// eigenvectors are computed.
type spectrum struct {
	linalg.Spectral
	a *mat.SymDense // until it is decomposed
}

var spectra = sync.Pool{New: func() any { return new(spectrum) }}

// symmetrised returns a work space that holds (X + Xᵀ)/2, x = vec X. Put it back into spectra.
func symmetrised(x []float64) *spectrum {
	n, s := order(len(x)), spectra.Get().(*spectrum)
	if n*n != len(x) {
		panic(badLength)
	}
	if s.a == nil || s.a.SymmetricDim() != n {
		s.a = s.Matrix(n)
	}
	for i := range n {
		for j := i; j < n; j++ {
			s.a.SetSym(i, j, x[i*n+j]/2+x[j*n+i]/2)
		}
	}
	return s
}

// store stores Σ_i f(λ_i)q_iq_iᵀ in dst, both triangles.
func (s *spectrum) store(dst []float64, f func(lambda float64) float64) {
	n := s.a.SymmetricDim()
	s.Apply(mat.NewSymDense(n, dst), f)
	for i := range n {
		for j := range i {
			dst[i*n+j] = dst[j*n+i]
		}
	}
}

// factorize computes the whole spectrum of the matrix; false means that it is not finite.
func (s *spectrum) factorize() bool { return s.Factorize(s.a, true) }

// nan fills dst: what the oracles of matrices that are not finite return.
func nan(dst []float64) {
	for i := range dst {
		dst[i] = math.NaN()
	}
}

// semidefinite reports whether vec X is symmetric with X + δI positive definite, δ the rounding of a
// matrix that is computed from factors, and returns the trace. It costs n³/3.
func semidefinite(x []float64) (trace float64, ok bool) {
	n := order(len(x))
	if n*n != len(x) {
		return 0, false
	}
	for i := range n {
		trace += x[i*n+i]
	}
	if !(trace >= 0) || math.IsInf(trace, 1) {
		return 0, false
	}
	zero := true
	for i := range n {
		for j := range i {
			if !(math.Abs(x[i*n+j]-x[j*n+i]) <= 8*linalg.Epsilon*trace) {
				return 0, false
			}
			zero = zero && x[i*n+j] == 0 && x[j*n+i] == 0
		}
	}
	if trace == 0 {
		return 0, zero
	}
	s := symmetrised(x)
	defer spectra.Put(s)
	return trace, linalg.Definite(s.a, float64(4*n+64)*linalg.Epsilon*trace)
}

// rank1 stores scale·vvᵀ in dst.
func rank1(dst, v []float64, scale float64) {
	n := len(v)
	for i, a := range v {
		for j, b := range v[:i+1] {
			x := scale * a * b
			dst[i*n+j], dst[j*n+i] = x, x
		}
	}
}
