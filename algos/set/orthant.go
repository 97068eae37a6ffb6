package set

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
)

// Orthant is the cone
//
//	Θ = {θ ∈ R^m : θ ≥ 0}.
//
// It is unbounded. A problem on it needs a regularizer, or an objective that has a minimum without one. Each method
// costs O(m).
type Orthant struct {
	// At > 0 is the value of every coordinate at the start of a run. 0 means 1.
	At float64
}

var (
	_ Set      = Orthant{}
	_ Residual = Orthant{}
)

func (Orthant) String() string { return "θ ≥ 0" }

// Validate requires a finite At > 0 (0 means 1) and at least one parameter: m ≥ 1.
func (o Orthant) Validate(m int) error {
	if o.At != 0 && !isPositive(o.At) {
		return fmt.Errorf("set: Orthant.At, the start of each weight, is %g; use a finite number > 0 (0 means 1)", o.At)
	}
	return requirePositiveCount("orthant", m)
}

// Start stores the number At, or 1 if At is 0, in every coordinate.
func (o Orthant) Start(dst []float64) {
	value := o.At
	if value == 0 {
		value = 1
	}
	for i := range dst {
		dst[i] = value
	}
}

// Project stores max(0, x). dst may be x.
func (Orthant) Project(dst, x []float64) {
	requireSameLength(dst, x)
	for i, v := range x {
		dst[i] = max(0, v)
	}
}

// Minimize returns min_{θ≥0} ⟨g,θ⟩, which is 0 with the minimizer 0 if g ≥ 0, and −Inf otherwise.
func (Orthant) Minimize(dst, g []float64) (minimum float64) {
	if dst != nil {
		requireSameLength(dst, g)
		clear(dst)
	}
	for _, v := range g {
		minimum = min(minimum, v) // NaN stays
	}
	if minimum < 0 {
		return math.Inf(-1)
	}
	return minimum
}

// Contains reports whether θ ≥ 0.
func (Orthant) Contains(theta []float64) bool {
	for _, v := range theta {
		if !(v >= 0) {
			return false
		}
	}
	return true
}

// Traits reports Θ = {θ ≥ 0}.
func (Orthant) Traits() Traits { return Traits{Nonnegative: true, IsCone: true} }

// Residual returns Σ_k |g_k| max(θ_k, mean θ) over the k with g_k < 0 or θ_k > 0. It measures the violation of g ≥ 0
// and θ_k g_k = 0. If θ = 0, 1 replaces the mean.
func (Orthant) Residual(theta, g []float64) float64 {
	mean := floats.Sum(theta) / float64(len(theta))
	if mean == 0 {
		mean = 1
	}
	r := 0.0
	for k, v := range g {
		if v < 0 || theta[k] > 0 {
			r += math.Abs(v) * max(theta[k], mean)
		}
	}
	return r
}
