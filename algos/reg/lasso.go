package reg

import (
	"fmt"
	"math"
)

// Lasso is the ℓ1 norm of weights θ ≥ 0, for which ‖θ‖₁ = Σθ:
//
//	r(θ) = β Σ_k θ_k,  ∇r = β,  θ of length m.
//
// It is the regularizer σ‖θ‖₁ of Varma and Babu (GMKL), β = σ. Use it only with sets of θ ≥ 0: for θ_k < 0 the term is
// θ_k and not |θ_k|.
//
// Reference: M. Varma and B. Babu, More generality in efficient multiple kernel learning, ICML 2009.
type Lasso struct {
	// Beta is the factor β > 0 of Σθ.
	Beta float64
}

var _ Reg = Lasso{}

// Validate requires a finite β > 0 and m ≥ 1.
func (r Lasso) Validate(m int) error { return validateBeta("lasso", r.Beta, m) }

// validateBeta returns an error that names the regularizer unless β > 0 is finite and m ≥ 1.
func validateBeta(name string, beta float64, m int) error {
	if !(beta > 0) || math.IsInf(beta, 1) {
		return fmt.Errorf("reg: %s has β = %g; use a finite number > 0, or a nil Reg for no regularizer", name, beta)
	}
	if m < 1 {
		return fmt.Errorf("reg: %s has %d parameters; it needs at least 1", name, m)
	}
	return nil
}

// Value returns β Σθ. Unless grad is nil, it adds the gradient to grad: β to each entry.
func (r Lasso) Value(grad, theta []float64) float64 {
	if grad != nil && len(grad) != len(theta) {
		panic(badLength)
	}
	thetaSum := 0.0
	for i, v := range theta {
		thetaSum += v
		if grad != nil {
			grad[i] += r.Beta
		}
	}
	return r.Beta * thetaSum
}

func (r Lasso) String() string { return fmt.Sprintf("L1, β=%.4g", r.Beta) }
