package reg

import (
	"fmt"
	"math"
	"slices"
)

// ElasticNet is the elastic net of weights θ ≥ 0, for which ‖θ‖₁ = Σθ:
//
//	r(θ) = L1 Σ_k θ_k + L2 ‖θ‖²,  ∇r = L1 + 2·L2·θ,  θ of length m.
//
// With L2 = 0 it is the ℓ1 regularizer σ‖θ‖₁ of Varma and Babu (GMKL), L1 = σ. With L1 = 0 it is Ridge. Use it only
// with sets of θ ≥ 0: for θ_k < 0 the first term is θ_k and not |θ_k|.
//
// References:
//   - M. Varma and B. Babu, More generality in efficient multiple kernel learning, ICML 2009.
//   - H. Yang, Z. Xu, J. Ye, I. King and M. Lyu, Efficient sparse generalized multiple kernel
//     learning, IEEE Trans. Neural Networks 22 (2011), eq. (8), in which the elastic net is a constraint.
type ElasticNet struct {
	L1, L2 float64 // ≥ 0, not both 0
}

var (
	_ Reg             = ElasticNet{}
	_ Majorized       = ElasticNet{}
	_ Gauge           = ElasticNet{}
	_ WeightMinimizer = ElasticNet{}
)

// Validate requires finite L1 and L2 ≥ 0 that are not both 0, and m ≥ 1.
func (r ElasticNet) Validate(m int) error {
	for _, v := range []float64{r.L1, r.L2} {
		if !(v >= 0) || math.IsInf(v, 1) {
			return fmt.Errorf("reg: elastic net has L1 = %g and L2 = %g; use finite numbers ≥ 0", r.L1, r.L2)
		}
	}
	if r.L1 == 0 && r.L2 == 0 {
		return fmt.Errorf("reg: elastic net has L1 = L2 = 0; make one of them > 0, or use a nil Reg for no regularizer")
	}
	if m < 1 {
		return fmt.Errorf("reg: elastic net has %d parameters; it needs at least 1", m)
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

// Majorize returns r itself: A = L2, C = −L1/(2·L2), K = −m·L1²/(4·L2). ok is false if L2 = 0.
func (r ElasticNet) Majorize(theta []float64) (Quadratic, bool) {
	if r.L2 == 0 {
		return Quadratic{}, false
	}
	c := slices.Repeat([]float64{-r.L1 / (2 * r.L2)}, len(theta))
	return Quadratic{A: r.L2, C: c, K: -float64(len(theta)) * r.L1 * r.L1 / (4 * r.L2), Exact: true}, true
}

// Slice returns r: it suits θ of every length.
func (r ElasticNet) Slice([]int) Reg { return r }

// Polar returns max v/L1, at least 0. With L2 > 0 this is the supremum of ⟨v,θ⟩/r(θ), which is approached as θ → 0. ok
// is false if L1 = 0.
func (r ElasticNet) Polar(v []float64) (float64, bool) {
	if r.L1 == 0 {
		return 0, false
	}
	largest := 0.0
	for _, x := range v {
		largest = max(largest, x)
	}
	return largest / r.L1, true
}

// MinimizeWeights stores the root θ_k ≥ 0 of f_k = 2θ²(L1 + 2·L2·θ) for each coordinate. It uses Newton's method from a
// start above the root, which descends to the root because the right side is convex.
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
