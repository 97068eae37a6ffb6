package set

import (
	"fmt"
	"math"

	"github.com/mklnb/mkl/algos/linalg"
)

// Spectraplex is the convex hull of the matrices c·vvᵀ with ‖v‖ = 1, stored with both triangles,
//
//	Θ = {θ = vec P : P = Pᵀ ∈ R^{n×n}, P ⪰ 0, tr P = c},  m = n²,
//
// whose eigenvalues form a simplex. Each method replaces a matrix X that is not symmetric by (X + Xᵀ)/2.
type Spectraplex struct {
	// Trace is c > 0. 0 means 1.
	Trace float64
}

var _ Mirror = Spectraplex{}

func (s Spectraplex) traceOrDefault() float64 {
	if s.Trace == 0 {
		return 1
	}
	return s.Trace
}

// Validate requires a finite trace > 0 and m = n².
func (s Spectraplex) Validate(m int) error {
	if !isPositive(s.traceOrDefault()) {
		return fmt.Errorf("set: the spectraplex has trace %g; use a finite number > 0, or 0 for the default 1", s.Trace)
	}
	return requireSquareNumber("spectraplex", m)
}

// Start stores the center, the identity times Trace/n.
func (s Spectraplex) Start(dst []float64) {
	n := matrixOrder(len(dst))
	clear(dst)
	for i := range n {
		dst[i*n+i] = s.traceOrDefault() / float64(n)
	}
}

// Project stores Σ_i μ_i q_iq_iᵀ for x = vec Σ_i λ_i q_iq_iᵀ; μ is the projection of λ onto the simplex with sum Trace.
// dst may be x. It costs about 9n³ operations.
func (s Spectraplex) Project(dst, x []float64) {
	requireSameLength(dst, x)
	w := takeWorkspaceWith(x)
	defer spectrumPool.Put(w)
	if !w.factorizeWithVectors() {
		fillNaN(dst)
		return
	}
	l := w.Values()
	mu := make([]float64, len(l))
	Simplex{Sum: s.traceOrDefault()}.Project(mu, l)
	lastIndex := len(l) - 1 // the largest λ gives the τ of μ_i = max(0, λ_i − τ): τ = λ_top − μ_top
	lambdaTop, muTop := l[lastIndex], mu[lastIndex]
	w.storeMatrixFunction(dst, func(v float64) float64 { return max(0, v-lambdaTop+muTop) })
}

// Minimize returns min_Θ ⟨G,P⟩ = Trace·λ_min(G) for g = vec G. Unless dst is nil, it stores the minimizer Trace·vvᵀ in
// dst, with a unit eigenvector v of λ_min.
func (s Spectraplex) Minimize(dst, g []float64) (minimum float64) {
	v := make([]float64, matrixOrder(len(g)))
	minimum = s.MinimizeRankOne(v, g)
	if dst != nil {
		requireSameLength(dst, g)
		storeRankOne(dst, v, 1)
	}
	return minimum
}

// MinimizeRankOne is like Minimize, but stores √Trace times a unit eigenvector of λ_min(G) in v: the minimizer is vvᵀ.
func (s Spectraplex) MinimizeRankOne(v, g []float64) (minimum float64) {
	w := takeWorkspaceWith(g)
	defer spectrumPool.Put(w)
	if len(v) != w.matrix.SymmetricDim() {
		panic(badLength)
	}
	if !w.FactorizeSmallest(w.matrix) {
		fillNaN(v)
		return math.NaN()
	}
	rootTrace := math.Sqrt(s.traceOrDefault())
	for i, x := range w.Vector(0) {
		v[i] = rootTrace * x
	}
	return s.traceOrDefault() * w.Values()[0]
}

// Traits reports Θ = {P ⪰ 0 : tr P = Trace}.
func (s Spectraplex) Traits() Traits { return Traits{Semidefinite: true, Sum: s.traceOrDefault()} }

// Contains reports whether θ = vec P with P = Pᵀ ⪰ 0 and tr P = Trace, up to the rounding of a sum of n products. It
// costs n³/3 operations.
func (s Spectraplex) Contains(theta []float64) bool {
	n := matrixOrder(len(theta))
	trace, ok := isSemidefinite(theta)
	return ok && math.Abs(trace-s.traceOrDefault()) <= float64(4*n+64)*linalg.Epsilon*s.traceOrDefault()
}

// Mirror stores Trace·exp(−G)/tr exp(−G) for g = vec G in dst, and returns Trace·λ_min(G), the minimum of ⟨G,P⟩ over Θ.
func (s Spectraplex) Mirror(dst, g []float64) (minimum float64) {
	requireSameLength(dst, g)
	w := takeWorkspaceWith(g)
	defer spectrumPool.Put(w)
	if !w.factorizeWithVectors() {
		fillNaN(dst)
		return math.NaN()
	}
	minEigenvalue, expSum := w.Values()[0], 0.0
	for _, l := range w.Values() {
		expSum += math.Exp(minEigenvalue - l)
	}
	trace := s.traceOrDefault()
	w.storeMatrixFunction(dst, func(l float64) float64 { return trace * (math.Exp(minEigenvalue-l) / expSum) })
	return trace * minEigenvalue
}

// StepScale returns √(2 log n) divided by half the range of the eigenvalues of G, n×n, and min ⟨G,P⟩ = Trace·λ_min(G).
func (s Spectraplex) StepScale(g []float64) (scale, minimum float64) {
	w := takeWorkspaceWith(g)
	defer spectrumPool.Put(w)
	if !w.Factorize(w.matrix, false) {
		return math.NaN(), math.NaN()
	}
	l := w.Values()
	return mirrorStepScale(len(l), l[0], l[len(l)-1]), s.traceOrDefault() * l[0]
}
