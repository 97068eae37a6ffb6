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

func (s Simplex) String() string { return fmt.Sprintf("θ ≥ 0, Σθ = %.4g", s.sumOrDefault()) }

func (s Simplex) sumOrDefault() float64 {
	if s.Sum == 0 {
		return 1
	}
	return s.Sum
}

// Validate requires a finite sum > 0 and m ≥ 1.
func (s Simplex) Validate(m int) error {
	if !isPositive(s.sumOrDefault()) {
		return fmt.Errorf("set: the simplex has sum %g; use a finite number > 0 (0 means 1)", s.Sum)
	}
	return requirePositiveCount("simplex", m)
}

// Start stores the center, Sum/m in every coordinate.
func (s Simplex) Start(dst []float64) {
	for i := range dst {
		dst[i] = s.sumOrDefault() / float64(len(dst))
	}
}

// Project stores the Euclidean projection of x,
//
//	θ_k = max(0, x_k − τ),  τ such that Σθ = Sum.
//
// dst may be x. Σ max(0, x−τ) is convex and piecewise linear in τ, so Newton's method, from below the root, ends at the
// root after finitely many steps, each O(m): the set of positive coordinates only shrinks. Nothing is allocated.
//
// References:
//   - C. Michelot, A finite algorithm for finding the projection of a point onto the canonical
//     simplex of Rⁿ, J. Optim. Theory Appl. 50 (1986).
func (s Simplex) Project(dst, x []float64) {
	requireSameLength(dst, x)
	// The largest coordinate is subtracted from all of x. Then τ and the coordinates with θ_k > 0 lie in [−Sum, 0], so
	// that the error has the size of the rounding of Sum for every x.
	maxX := math.Inf(-1)
	for _, v := range x {
		maxX = max(maxX, v)
	}
	targetSum := s.sumOrDefault()
	tau, oldPositiveCount := -targetSum, len(x)+1
	for {
		positiveCount, positiveSum := 0, 0.0
		for _, v := range x {
			if v-maxX > tau {
				positiveSum += v - maxX
				positiveCount++
			}
		}
		if positiveCount == 0 || positiveCount >= oldPositiveCount { // positiveCount is 0 only for an x with NaN
			break
		}
		tau, oldPositiveCount = (positiveSum-targetSum)/float64(positiveCount), positiveCount
	}
	// τ, which is subtracted from each coordinate, comes from a sum of up to m numbers, and has an error of the size of
	// mε·Sum, ε = linalg.Epsilon. A last step spreads Σθ − Sum over the θ_k > 0. Then |Σθ − Sum| is of this order.
	excess, positiveCount := -targetSum, 0
	for _, v := range x {
		if v-maxX > tau {
			excess += v - maxX - tau
			positiveCount++
		}
	}
	if positiveCount > 0 {
		tau += excess / float64(positiveCount)
	}
	for i, v := range x {
		dst[i] = max(0, v-maxX-tau)
	}
}

// Traits reports Θ = {θ ≥ 0 : Σθ = Sum}.
func (s Simplex) Traits() Traits { return Traits{Nonnegative: true, Sum: s.sumOrDefault()} }

// ProjectionDerivative stores P'(x)u in dst, where P' is the derivative of the projection P at a point x that projects
// to theta. In the coordinates with θ_k > 0 it is u minus the mean of u over these coordinates; in the others it is 0.
// Where P is not differentiable, this is a one-sided derivative. dst may be u.
func (s Simplex) ProjectionDerivative(dst, theta, u []float64) {
	requireSameLength(dst, theta)
	requireSameLength(dst, u)
	positiveMean, positiveCount := 0.0, 0.0
	for k, v := range theta {
		if v > 0 {
			positiveMean += u[k]
			positiveCount++
		}
	}
	positiveMean /= positiveCount
	for k, v := range theta {
		if v > 0 {
			dst[k] = u[k] - positiveMean
		} else {
			dst[k] = 0
		}
	}
}

// Minimize returns Sum·min g. The minimizer is the vertex of the first smallest entry of g.
func (s Simplex) Minimize(dst, g []float64) (minimum float64) {
	k := 0
	for i, v := range g {
		if v < g[k] || math.IsNaN(v) {
			k = i
		}
	}
	if dst != nil {
		requireSameLength(dst, g)
		clear(dst)
		dst[k] = s.sumOrDefault()
	}
	return s.sumOrDefault() * g[k]
}

// Contains reports whether θ ≥ 0 and Σθ = Sum, up to the rounding of a sum of m terms.
func (s Simplex) Contains(theta []float64) bool {
	thetaSum := 0.0
	for _, v := range theta {
		if !(v >= 0) {
			return false
		}
		thetaSum += v
	}
	return math.Abs(thetaSum-s.sumOrDefault()) <= float64(4*len(theta)+8)*linalg.Epsilon*s.sumOrDefault()
}

// Mirror stores θ_k ∝ exp(−g_k) with Σθ = Sum in dst, which minimizes ⟨g,θ⟩ + Σ_k θ_k log θ_k over Θ. It returns
// Sum·min g, the minimum of ⟨g,θ⟩.
func (s Simplex) Mirror(dst, g []float64) (minimum float64) {
	requireSameLength(dst, g)
	minG, expSum := floats.Min(g), 0.0
	for k, v := range g {
		dst[k] = math.Exp(minG - v)
		expSum += dst[k]
	}
	floats.Scale(s.sumOrDefault()/expSum, dst)
	return s.sumOrDefault() * minG
}

// StepScale returns √(2 log m) divided by half the range of g, and Sum·min g, the minimum of ⟨g,θ⟩ over Θ.
func (s Simplex) StepScale(g []float64) (scale, minimum float64) {
	minG := floats.Min(g)
	return mirrorStepScale(len(g), minG, floats.Max(g)), s.sumOrDefault() * minG
}
