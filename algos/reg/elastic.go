package reg

import (
	"fmt"
	"math"
	"slices"
)

// Elastic is the elastic net of weights θ ≥ 0, where ‖θ‖₁ = Σθ:
//
//	r(θ) = L1 Σ_k θ_k + L2 ‖θ‖²,  ∇r = L1 + 2·L2·θ,  θ of length m.
//
// With L2 = 0 it is the ℓ1 regulariser σ‖θ‖₁ of Varma and Babu (GMKL), L1 = σ; with L1 = 0 it is
// Ridge. It is for sets of θ ≥ 0: where θ_k < 0 it is linear too, not |θ_k|.
//
// References:
//   - M. Varma and B. Babu, More generality in efficient multiple kernel learning, ICML 2009.
//   - H. Yang, Z. Xu, J. Ye, I. King and M. Lyu, Efficient sparse generalized multiple kernel
//     learning, IEEE Trans. Neural Networks 22 (2011), eq. (8): there the net is a constraint.
type ElasticNet struct {
	L1, L2 float64 // ≥ 0, not both 0
}

var (
	_ Reg             = ElasticNet{}
	_ Majorized       = ElasticNet{}
	_ Gauge           = ElasticNet{}
	_ WeightMinimizer = ElasticNet{}
)

// Validate refuses constants that are not finite numbers ≥ 0, or that are both 0.
func (r ElasticNet) Validate(m int) error {
	for _, v := range []float64{r.L1, r.L2} {
		if !(v >= 0) || math.IsInf(v, 1) {
			return fmt.Errorf("reg: elastic net with constants %g and %g, want finite numbers ≥ 0", r.L1, r.L2)
		}
	}
	if r.L1 == 0 && r.L2 == 0 {
		return fmt.Errorf("reg: elastic net with both constants 0, want one > 0 (no regulariser at all is nil)")
	}
	if m < 1 {
		return fmt.Errorf("reg: elastic net of %d parameters, want at least 1", m)
	}
	return nil
}

// Value returns L1 Σθ + L2‖θ‖² and, unless grad is nil, adds L1 + 2·L2·θ to it.
func (r ElasticNet) Value(grad, theta []float64) float64 {
	if grad != nil && len(grad) != len(theta) {
		panic(badLength)
	}
	s, ss := 0.0, 0.0
	for i, v := range theta {
		s += v
		ss += v * v
		if grad != nil {
			grad[i] += r.L1 + 2*r.L2*v
		}
	}
	return r.L1*s + r.L2*ss
}

// Majorize returns r itself: A = L2, C = −L1/(2·L2), K = −m·L1²/(4·L2); false where L2 = 0.
func (r ElasticNet) Majorize(theta []float64) (Quadratic, bool) {
	if r.L2 == 0 {
		return Quadratic{}, false
	}
	c := slices.Repeat([]float64{-r.L1 / (2 * r.L2)}, len(theta))
	return Quadratic{A: r.L2, C: c, K: -float64(len(theta)) * r.L1 * r.L1 / (4 * r.L2), Exact: true}, true
}

// Slice returns r: its constants are of a θ of any length.
func (r ElasticNet) Slice([]int) Reg { return r }

// Polar returns max v/L1, at least 0, which with L2 > 0 is the limit at θ → 0; false where L1 = 0.
func (r ElasticNet) Polar(v []float64) (float64, bool) {
	if r.L1 == 0 {
		return 0, false
	}
	top := 0.0
	for _, x := range v {
		top = max(top, x)
	}
	return top / r.L1, true
}

// MinimizeWeights stores the root θ_k ≥ 0 of f_k = 2θ²(L1 + 2·L2·θ), coordinate by coordinate, by Newton's
// method from above, where the right side is convex.
func (r ElasticNet) MinimizeWeights(dst, f []float64) {
	for k, v := range f {
		if !(v > 0) {
			dst[k] = 0
			continue
		}
		t := math.Inf(1)
		if r.L1 > 0 {
			t = math.Sqrt(v / (2 * r.L1))
		}
		if r.L2 > 0 {
			t = min(t, math.Cbrt(v/(4*r.L2)))
		}
		for range 100 {
			next := t - (2*t*t*(r.L1+2*r.L2*t)-v)/(4*t*(r.L1+3*r.L2*t))
			if !(next < t) {
				break
			}
			t = next
		}
		dst[k] = t
	}
}

func (r ElasticNet) String() string { return fmt.Sprintf("L1=%.4g, L2=%.4g", r.L1, r.L2) }
