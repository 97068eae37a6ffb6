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
// It is not bounded: a problem on it needs a regulariser, or an objective with a minimum.
// Every oracle costs O(m).
type Orthant struct {
	// At is where a run starts, in every coordinate. If At is 0, it is 1.
	At float64
}

var (
	_ Set      = Orthant{}
	_ Residual = Orthant{}
)

// Validate refuses a start that is not a finite number ≥ 0.
func (o Orthant) Validate(m int) error {
	if o.At != 0 && !positive(o.At) {
		return fmt.Errorf("set: orthant starts at %g, want a finite number > 0, or 0 for 1", o.At)
	}
	return atLeastOne("orthant", m)
}

// Start stores At in every coordinate.
func (o Orthant) Start(dst []float64) {
	at := o.At
	if at == 0 {
		at = 1
	}
	for i := range dst {
		dst[i] = at
	}
}

// Project stores max(0, x). dst may be x.
func (Orthant) Project(dst, x []float64) {
	sameLength(dst, x)
	for i, v := range x {
		dst[i] = max(0, v)
	}
}

// Minimize returns 0, attained at 0, where g ≥ 0, and −Inf otherwise.
func (Orthant) Minimize(dst, g []float64) float64 {
	if dst != nil {
		sameLength(dst, g)
		clear(dst)
	}
	least := 0.0
	for _, v := range g {
		least = min(least, v) // NaN stays
	}
	if least < 0 {
		return math.Inf(-1)
	}
	return least
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

// Traits says that Θ is all of θ ≥ 0.
func (Orthant) Traits() Traits { return Traits{Nonnegative: true, Cone: true} }

// Residual is Σ_k |g_k| max(θ_k, mean θ), a positive g_k counted only where θ_k > 0: the
// violation of g ≥ 0, θ_k g_k = 0, each coordinate in its own length but not less than the mean
// one. At θ = 0, which has no length, that is 1.
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
