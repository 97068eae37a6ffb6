package reg

import (
	"fmt"
	"math"
)

// Groups sums the q-norms of groups of weights,
//
//	r(θ) = β Σ_g ‖θ_g‖_q,  θ of length m,
//
// so that whole groups of base kernels get weight 0. The kernels of a remaining group share its weight: evenly if q is
// large, few of them if q is near 1. q = 1 is not permitted: r would be β Σθ whatever the groups, which is
// ElasticNet{L1: β}.
//
// References:
//   - M. Szafranski, Y. Grandvalet and A. Rakotomamonjy, Composite kernel learning, Machine
//     Learning 79 (2010): the (p, q) norms of ‖f_k‖, written here for θ.
//   - Z. Xu, R. Jin, H. Yang, I. King and M. Lyu, Simple and efficient multiple kernel learning by
//     group lasso, ICML 2010, eq. (8): the closed form of MinimizeWeights within one group.
type Groups struct {
	// Index holds the group of each weight, a number from 0 to m−1. Its length is m.
	Index []int
	// Q is q > 1. 0 means 2.
	Q float64
	// Beta is β > 0.
	Beta float64
}

var (
	_ Reg             = Groups{}
	_ Gauge           = Groups{}
	_ WeightMinimizer = Groups{}
)

func (r Groups) q() float64 {
	if r.Q == 0 {
		return 2
	}
	return r.Q
}

// Validate returns an error that names the first field or group out of range.
func (r Groups) Validate(m int) error {
	switch {
	case !(r.Beta > 0) || math.IsInf(r.Beta, 1):
		return fmt.Errorf("reg: groups have β = %g; use a finite number > 0, or a nil Reg for no regularizer", r.Beta)
	case !(r.q() > 1) || math.IsInf(r.q(), 1):
		return fmt.Errorf("reg: groups have q = %g; use a finite number > 1", r.q())
	case m < 1:
		return fmt.Errorf("reg: groups have %d parameters; they need at least 1", m)
	case len(r.Index) != m:
		return fmt.Errorf("reg: groups have an Index for %d weights, but there are %d parameters; use equal lengths",
			len(r.Index), m)
	}
	for k, g := range r.Index {
		if g < 0 || g >= m {
			return fmt.Errorf("reg: weight %d is in group %d; use a number from 0 to %d", k+1, g, m-1)
		}
	}
	return nil
}

// norms returns ‖x_g‖_q for every group g, without overflow. Its length is m; a number that is not the index of a group
// has the norm 0.
func (r Groups) norms(x []float64, q float64) []float64 {
	largest, sum := make([]float64, len(x)), make([]float64, len(x))
	for k, v := range x {
		g := r.Index[k]
		largest[g] = max(largest[g], math.Abs(v))
	}
	for k, v := range x {
		if g := r.Index[k]; largest[g] > 0 {
			sum[g] += math.Pow(math.Abs(v)/largest[g], q)
		}
	}
	for g, v := range sum {
		sum[g] = largest[g] * math.Pow(v, 1/q)
	}
	return sum
}

// Value returns β Σ_g ‖θ_g‖_q and, unless grad is nil, adds β(θ_k/‖θ_g‖)^{q−1} to grad, or 0 for a group with θ_g = 0.
func (r Groups) Value(grad, theta []float64) float64 {
	if len(theta) != len(r.Index) || grad != nil && len(grad) != len(theta) {
		panic(badLength)
	}
	q, total := r.q(), 0.0
	norm := r.norms(theta, q)
	for _, v := range norm {
		total += v
	}
	if grad != nil {
		for k, v := range theta {
			if n := norm[r.Index[k]]; n > 0 {
				grad[k] += r.Beta * math.Copysign(math.Pow(math.Abs(v)/n, q-1), v)
			}
		}
	}
	return r.Beta * total
}

// Polar returns max_g ‖max(0, v_g)‖_{q/(q−1)}/β.
func (r Groups) Polar(v []float64) (float64, bool) {
	positive, q, largest := make([]float64, len(v)), r.q(), 0.0
	for k, x := range v {
		positive[k] = max(0, x)
	}
	for _, n := range r.norms(positive, q/(q-1)) {
		largest = max(largest, n)
	}
	return largest / r.Beta, true
}

// MinimizeWeights stores, with a_k = f_k^{1/(q+1)} and ‖·‖ the q-norm of a group,
//
//	θ_k = s a_k/‖a_g‖,   s = ‖a_g‖^{(q+1)/2}/√(2β).
//
// Within a group, the minimizer θ_g is a multiple of a_g, with the q-norm s. With A = ‖a_g‖^{q+1}, s = √(A/2β)
// minimizes ½A/s + βs.
func (r Groups) MinimizeWeights(dst, f []float64) {
	q := r.q()
	for k, v := range f {
		dst[k] = math.Pow(max(0, v), 1/(q+1))
	}
	norm := r.norms(dst, q)
	for k, v := range dst {
		if n := norm[r.Index[k]]; n > 0 {
			dst[k] = v / n * math.Pow(n, (q+1)/2) / math.Sqrt(2*r.Beta)
		}
	}
}

// Slice returns r: its groups do not depend on the points.
func (r Groups) Slice([]int) Reg { return r }

func (r Groups) String() string { return fmt.Sprintf("groups, q=%.4g, β=%.4g", r.q(), r.Beta) }
