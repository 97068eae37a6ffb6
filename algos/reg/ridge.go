package reg

import (
	"fmt"
)

// Ridge is the squared norm
//
//	r(θ) = β‖θ‖²,  ∇r = 2βθ,  θ of length m.
//
// C. Li, L. Venturi and R. Xu add γ‖θ‖² (β‖μ‖² in their letters) to twice the objective of this library: γ = 2·Beta.
// Their Algorithm 4 steps to θ_k = αᵀK_kα/(2γ) = αᵀK_kα/(4·Beta), with the dual coefficients α. If the kernel matrix is
// a quadratic form in θ, θ = 0 minimizes the objective over θ ≥ 0 if Beta is at least mkl.SmallestBetaForZeroTheta.
type Ridge struct {
	// Beta is the factor β > 0 of ‖θ‖².
	Beta float64
}

var (
	_ Reg       = Ridge{}
	_ Majorized = Ridge{}
)

// Validate requires a finite β > 0 and m ≥ 1.
func (r Ridge) Validate(m int) error { return validateBeta("ridge", r.Beta, m) }

// Value returns β‖θ‖² and, unless grad is nil, adds 2βθ to it.
func (r Ridge) Value(grad, theta []float64) float64 {
	if grad != nil && len(grad) != len(theta) {
		panic(badLength)
	}
	ss := 0.0
	for i, v := range theta {
		ss += v * v
		if grad != nil {
			grad[i] += 2 * r.Beta * v
		}
	}
	return r.Beta * ss
}

// Majorize returns r itself, as the Quadratic with A = β, C = 0 and K = 0.
func (r Ridge) Majorize(theta []float64) (q Quadratic, ok bool) {
	return Quadratic{A: r.Beta, C: make([]float64, len(theta)), IsExact: true}, true
}

func (r Ridge) String() string { return fmt.Sprintf("β=%.4g", r.Beta) }
