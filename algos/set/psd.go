package set

import (
	"math"

	"github.com/mklnb/mkl/algos/linalg"

	"gonum.org/v1/gonum/floats"
)

// PSD is the cone of positive semidefinite matrices, stored whole,
//
//	Θ = {θ = vec K : K = Kᵀ ∈ R^{n×n}, K ⪰ 0},  m = n².
//
// It is not bounded: a problem on it needs a regulariser, or an objective with a minimum. A matrix
// that is not symmetric stands for (X + Xᵀ)/2 in every oracle. Project and Residual cost an
// eigendecomposition, about 9n³.
type PSD struct{}

var (
	_ Set      = PSD{}
	_ Residual = PSD{}
)

// Validate refuses an m that is not a square.
func (PSD) Validate(m int) error { return square("positive semidefinite matrices", m) }

// Start stores the identity.
func (PSD) Start(dst []float64) {
	n := order(len(dst))
	clear(dst)
	for i := range n {
		dst[i*n+i] = 1
	}
}

// Project stores Σ_i max(0, λ_i) q_iq_iᵀ of X = Σ_i λ_i q_iq_iᵀ. dst may be x.
func (PSD) Project(dst, x []float64) {
	sameLength(dst, x)
	s := symmetrised(x)
	defer spectra.Put(s)
	if !s.factorize() {
		nan(dst)
		return
	}
	s.store(dst, func(l float64) float64 { return max(0, l) })
}

// Minimize returns 0, attained at 0, where G ⪰ 0, and −Inf otherwise; λ_min(G) counts as 0 where it
// is not below the rounding of eigenvalues, −4nε·max|λ|.
func (PSD) Minimize(dst, g []float64) float64 {
	if dst != nil {
		sameLength(dst, g)
		clear(dst)
	}
	s := symmetrised(g)
	defer spectra.Put(s)
	if !s.Factorize(s.a, false) {
		return math.NaN()
	}
	l := s.Values()
	if n := len(l); l[0] < -float64(4*n)*linalg.Epsilon*max(-l[0], l[n-1]) {
		return math.Inf(-1)
	}
	return 0
}

// Contains reports whether K is symmetric and K ⪰ 0, to the rounding of a product of n terms. It
// costs n³/3.
func (PSD) Contains(theta []float64) bool {
	_, ok := semidefinite(theta)
	return ok
}

// Traits says that Θ is all of K ⪰ 0.
func (PSD) Traits() Traits { return Traits{Matrices: true, Cone: true} }

// Residual is ⟨|G|, K⟩ + tr(G₋)·tr(K)/n, |G| = G₊ + G₋, G = G₊ − G₋: the violation of G ⪰ 0,
// ⟨G,K⟩ = 0, negative eigenvalues of G weighed by the mean eigenvalue of K at least. At K = 0,
// which has no size, that is 1.
func (PSD) Residual(theta, g []float64) float64 {
	s := symmetrised(g)
	defer spectra.Put(s)
	if !s.factorize() {
		return math.NaN()
	}
	n, trace, below := order(len(g)), 0.0, 0.0
	for i := range n {
		trace += theta[i*n+i]
	}
	if trace == 0 {
		trace = float64(n)
	}
	for _, l := range s.Values() {
		below += max(0, -l)
	}
	abs := make([]float64, len(g))
	s.store(abs, math.Abs)
	return max(0, floats.Dot(abs, theta)) + below*trace/float64(n)
}
