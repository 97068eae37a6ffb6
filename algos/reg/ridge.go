package reg

import (
	"fmt"
	"math"
)

// Ridge is the squared norm
//
//	r(θ) = β‖θ‖²,  ∇r = 2βθ,  θ of length m.
//
// Li, Venturi and Xu add β‖μ‖² to an F that is 2J, twice the objective minimised here, so their
// β is twice Beta: enter half of it. In these terms Algorithm 4 steps to
// θ_k = αᵀK_kα/(4·Beta), which is αᵀK_kα/(2β) with their β. Of degree 2 θ = 0 is the minimum from a
// threshold of β on, which mkl.BetaZero computes.
type Ridge struct {
	// Beta is β > 0.
	Beta float64
}

var (
	_ Reg             = Ridge{}
	_ Majorized       = Ridge{}
	_ WeightMinimizer = Ridge{}
)

// Validate refuses a β that is not a finite number > 0.
func (r Ridge) Validate(m int) error {
	if !(r.Beta > 0) || math.IsInf(r.Beta, 1) {
		return fmt.Errorf("reg: ridge with β = %g, want a finite number > 0 (no regulariser at all is nil)", r.Beta)
	}
	if m < 1 {
		return fmt.Errorf("reg: ridge of %d parameters, want at least 1", m)
	}
	return nil
}

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

// Majorize returns r itself: A = β, C = 0, K = 0.
func (r Ridge) Majorize(theta []float64) (Quadratic, bool) {
	return Quadratic{A: r.Beta, C: make([]float64, len(theta)), Exact: true}, true
}

// Slice returns r: β is of a θ of any length.
func (r Ridge) Slice([]int) Reg { return r }

// MinimizeWeights stores θ_k = (f_k/4β)^{1/3}.
func (r Ridge) MinimizeWeights(dst, f []float64) { ElasticNet{L2: r.Beta}.MinimizeWeights(dst, f) }

func (r Ridge) String() string { return fmt.Sprintf("β=%.4g", r.Beta) }
