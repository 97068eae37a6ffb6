package set

import (
	"math"

	"github.com/mklnb/mkl/algos/linalg"

	"gonum.org/v1/gonum/floats"
)

// PSD is the cone of positive semidefinite matrices, stored with both triangles,
//
//	Θ = {θ = vec K : K = Kᵀ ∈ R^{n×n}, K ⪰ 0},  m = n².
//
// It is unbounded. A problem on it needs a regularizer, or an objective that has a minimum without one. Each method
// replaces a matrix X that is not symmetric by (X + Xᵀ)/2. Project and Residual cost an eigendecomposition, about 9n³
// operations.
type PSD struct{}

var (
	_ Set      = PSD{}
	_ Residual = PSD{}
)

// Validate requires m = n².
func (PSD) Validate(m int) error { return requireSquareNumber("positive semidefinite matrices", m) }

// Start stores the identity.
func (PSD) Start(dst []float64) {
	n := matrixOrder(len(dst))
	clear(dst)
	for i := range n {
		dst[i*n+i] = 1
	}
}

// Project stores Σ_i max(0, λ_i) q_iq_iᵀ for x = vec Σ_i λ_i q_iq_iᵀ. dst may be x.
func (PSD) Project(dst, x []float64) {
	requireSameLength(dst, x)
	s := takeWorkspaceWith(x)
	defer spectrumPool.Put(s)
	if !s.factorizeWithVectors() {
		fillNaN(dst)
		return
	}
	s.storeMatrixFunction(dst, func(l float64) float64 { return max(0, l) })
}

// Minimize returns min ⟨G,P⟩ over P ⪰ 0 for g = vec G, n×n: 0 with the minimizer 0 if G ⪰ 0, and −Inf otherwise. G
// counts as ⪰ 0 if its smallest eigenvalue is at least −4n·linalg.Epsilon times the largest magnitude of an eigenvalue.
func (PSD) Minimize(dst, g []float64) (minimum float64) {
	if dst != nil {
		requireSameLength(dst, g)
		clear(dst)
	}
	s := takeWorkspaceWith(g)
	defer spectrumPool.Put(s)
	if !s.Factorize(s.matrix, false) {
		return math.NaN()
	}
	l := s.Values()
	if n := len(l); l[0] < -float64(4*n)*linalg.Epsilon*max(-l[0], l[n-1]) {
		return math.Inf(-1)
	}
	return 0
}

// Contains reports whether K is symmetric and K ⪰ 0, up to the rounding of a sum of n products. It costs n³/3
// operations.
func (PSD) Contains(theta []float64) bool {
	_, ok := isSemidefinite(theta)
	return ok
}

// Traits reports Θ = {K ⪰ 0}.
func (PSD) Traits() Traits { return Traits{Semidefinite: true, IsCone: true} }

// Residual returns ⟨|G|, K⟩ + tr(G₋)·tr(K)/n for theta = vec K and g = vec G, n×n. It measures the violation of G ⪰ 0
// and ⟨G,K⟩ = 0. |G| has the eigenvectors of G and the magnitudes of the eigenvalues of G; tr(G₋) is the sum of the
// magnitudes of the negative eigenvalues of G. At K = 0, 1 replaces tr(K)/n.
func (PSD) Residual(theta, g []float64) float64 {
	s := takeWorkspaceWith(g)
	defer spectrumPool.Put(s)
	if !s.factorizeWithVectors() {
		return math.NaN()
	}
	n, trace, negativeSum := matrixOrder(len(g)), 0.0, 0.0
	for i := range n {
		trace += theta[i*n+i]
	}
	if trace == 0 {
		trace = float64(n)
	}
	for _, l := range s.Values() {
		negativeSum += max(0, -l)
	}
	absG := make([]float64, len(g))
	s.storeMatrixFunction(absG, math.Abs)
	return max(0, floats.Dot(absG, theta)) + negativeSum*trace/float64(n)
}
