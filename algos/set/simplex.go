package set

import (
	"fmt"
	"math"

	"github.com/mklnb/mkl/algos/linalg"

	"gonum.org/v1/gonum/floats"
)

// Simplex is the set of nonnegative weights with a fixed sum,
//
//	Θ = {θ ∈ R^m : θ ≥ 0, Σ_k θ_k = Sum}.
type Simplex struct {
	// Sum is Σθ > 0. 0 means 1.
	Sum float64
}

var _ Mirror = Simplex{}

func (s Simplex) String() string { return fmt.Sprintf("θ ≥ 0, Σθ = %.4g", s.sum()) }

func (s Simplex) sum() float64 {
	if s.Sum == 0 {
		return 1
	}
	return s.Sum
}

// Validate requires a finite sum > 0 and m ≥ 1.
func (s Simplex) Validate(m int) error {
	if !isPositive(s.sum()) {
		return fmt.Errorf("set: the simplex has sum %g; use a finite number > 0 (0 means 1)", s.Sum)
	}
	return requireParameters("simplex", m)
}

// Start stores the center, Sum/m in every coordinate.
func (s Simplex) Start(dst []float64) {
	for i := range dst {
		dst[i] = s.sum() / float64(len(dst))
	}
}

// Project stores the Euclidean projection of x,
//
//	θ_k = max(0, x_k − τ),  τ such that Σθ = Sum.
//
// dst may be x. Σ max(0, x−τ) is convex and piecewise linear in τ, so Newton's method from
// below ends at the root after finitely many steps, each O(m): the set of positive
// coordinates only shrinks. Nothing is sorted or allocated.
//
// References:
//   - C. Michelot, A finite algorithm for finding the projection of a point onto the canonical
//     simplex of Rⁿ, J. Optim. Theory Appl. 50 (1986).
func (s Simplex) Project(dst, x []float64) {
	requireSameLength(dst, x)
	// Relative to the largest coordinate of x, the coordinates with θ_k > 0 lie in [−Sum, 0] and τ in [−Sum, 0). Hence
	// the error has the size of the rounding of Sum for every x.
	largest := math.Inf(-1)
	for _, v := range x {
		largest = max(largest, v)
	}
	sum := s.sum()
	tau, oldCount := -sum, len(x)+1
	for {
		count, total := 0, 0.0
		for _, v := range x {
			if v-largest > tau {
				total += v - largest
				count++
			}
		}
		if count == 0 || count >= oldCount { // count is 0 only for an x with NaN
			break
		}
		tau, oldCount = (total-sum)/float64(count), count
	}
	// total above is a sum of up to n negative numbers of the size of Sum, so that τ has an error of the size of
	// nε·Sum, ε = linalg.Epsilon. A last step corrects τ by the sum of the θ_k themselves, which is near Sum. Then |Σθ
	// − Sum| is of the order of nε·Sum.
	total, count := -sum, 0
	for _, v := range x {
		if v-largest > tau {
			total += v - largest - tau
			count++
		}
	}
	if count > 0 {
		tau += total / float64(count)
	}
	for i, v := range x {
		dst[i] = max(0, v-largest-tau)
	}
}

// Traits reports Θ = {θ ≥ 0 : Σθ = Sum}.
func (s Simplex) Traits() Traits { return Traits{Nonnegative: true, Sum: s.sum()} }

// ProjectionDerivative stores P'(x)u in dst, where P' is the derivative of the projection at a point x that projects to
// theta: u minus the mean of u over the coordinates with θ_k > 0 in these coordinates, and 0 in the others. At a kink
// of P this is a one-sided derivative. dst may be u.
func (s Simplex) ProjectionDerivative(dst, theta, u []float64) {
	requireSameLength(dst, theta)
	requireSameLength(dst, u)
	mean, n := 0.0, 0.0
	for k, v := range theta {
		if v > 0 {
			mean += u[k]
			n++
		}
	}
	mean /= n
	for k, v := range theta {
		if v > 0 {
			dst[k] = u[k] - mean
		} else {
			dst[k] = 0
		}
	}
}

// Minimize returns Sum·min g. The minimizer is the vertex of the first smallest entry of g.
func (s Simplex) Minimize(dst, g []float64) float64 {
	k := 0
	for i, v := range g {
		if v < g[k] || math.IsNaN(v) {
			k = i
		}
	}
	if dst != nil {
		requireSameLength(dst, g)
		clear(dst)
		dst[k] = s.sum()
	}
	return s.sum() * g[k]
}

// Contains reports whether θ ≥ 0 and Σθ = Sum, up to the rounding of a sum of m terms.
func (s Simplex) Contains(theta []float64) bool {
	total := 0.0
	for _, v := range theta {
		if !(v >= 0) {
			return false
		}
		total += v
	}
	return math.Abs(total-s.sum()) <= float64(4*len(theta)+8)*linalg.Epsilon*s.sum()
}

// Mirror stores θ_k ∝ exp(−g_k) with Σθ = Sum in dst, and returns Sum·min g.
func (s Simplex) Mirror(dst, g []float64) float64 {
	requireSameLength(dst, g)
	lo, sum := floats.Min(g), 0.0
	for k, v := range g {
		dst[k] = math.Exp(lo - v)
		sum += dst[k]
	}
	floats.Scale(s.sum()/sum, dst)
	return s.sum() * lo
}

// StepScale returns √(2 log m) divided by half the range of g.
func (s Simplex) StepScale(g []float64) (float64, float64) {
	lo := floats.Min(g)
	return stepScale(len(g), lo, floats.Max(g)), s.sum() * lo
}
