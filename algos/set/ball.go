package set

import (
	"fmt"
	"math"

	"github.com/mklnb/mkl/algos/linalg"
)

// Ball is the part of a q-norm ball in the orthant,
//
//	Θ = {θ ∈ R^m : θ ≥ 0, ‖θ − μ₀‖_q ≤ Λ},  1 ≤ q ≤ 1000, μ₀ ≥ 0.
//
// It is the set of Cortes et al. (q = 1, 2) and of Algorithms 1 to 3, 5 and 7 of Li et al. For μ₀ = 0 and q = p it is
// the set of ℓp-norm multiple kernel learning.
//
// Project and Minimize solve their optimality conditions. The results are the exact ones of an argument that differs
// from x or g only by rounding. Let u = θ − μ₀ ≥ −μ₀. Each u_k depends on x_k or g_k and on one multiplier τ ≥ 0, which
// all coordinates share, and is clipped at −μ₀_k. τ is the root of the monotone scalar equation ‖u(τ)‖_q = Λ.
//
// References:
//   - C. Cortes, M. Mohri, A. Rostamizadeh, Learning non-linear combinations of kernels, NIPS 2009.
//   - C. Li, L. Venturi and R. Xu, Learning the kernel for classification and regression, 2017.
//   - M. Kloft, U. Brefeld, S. Sonnenburg, A. Zien, ℓp-norm multiple kernel learning, JMLR 2011.
type Ball struct {
	// Q is the exponent q of the norm, from 1 to 1000.
	Q float64
	// Radius is Λ > 0.
	Radius float64
	// Center is μ₀ ≥ 0, of length m. nil means 0.
	Center []float64
}

var _ Set = Ball{}

// maxQ is the largest exponent q of the norm of a Ball.
const maxQ = 1000

// maxOneQ is the largest exponent q that is treated as 1. For 1 ≤ q ≤ maxOneQ, the 1-norm ball lies in the q-norm ball
// of the same radius Λ, whose points are at most 1e-14·Λ·log m from the 1-norm ball. m is the number of coordinates.
const maxOneQ = 1 + 1e-14

// normTolerance is the relative rounding error of a norm: a point with ‖θ−μ₀‖_q ≤ (1 + normTolerance)Λ counts as a
// point of the ball. Without it a second projection could change a projected point.
const normTolerance = 4e-15

// Validate returns an error that names the first field out of range.
func (b Ball) Validate(m int) error {
	switch {
	case !(b.Q >= 1 && b.Q <= maxQ):
		return fmt.Errorf("set: the ball has q = %g; use a number from 1 to %d", b.Q, maxQ)
	case !isPositive(b.Radius):
		return fmt.Errorf("set: the ball has radius %g; use a finite number > 0", b.Radius)
	case b.Center != nil && len(b.Center) != m:
		return fmt.Errorf("set: the center of the ball has length %d, but there are %d parameters; use equal lengths",
			len(b.Center), m)
	}
	for k, c := range b.Center {
		if !(c >= 0) || math.IsInf(c, 1) {
			return fmt.Errorf("set: coordinate %d of the center of the ball is %g; use finite numbers ≥ 0", k+1, c)
		}
	}
	return requirePositiveCount("ball", m)
}

func (b Ball) centerAt(k int) float64 {
	if b.Center == nil {
		return 0
	}
	return b.Center[k]
}

// requireSameLength panics unless dst, x and the center have equal lengths.
func (b Ball) requireSameLength(dst, x []float64) {
	if len(dst) != len(x) || b.Center != nil && len(b.Center) != len(x) {
		panic(badLength)
	}
}

// Start stores μ₀ + Λ/m^{1/q}·1, a point of the sphere with every coordinate above the center. The center may be θ = 0.
// If K(θ) is quadratic in θ, its derivatives are 0 there, and a method that uses only ∇F could not leave 0.
func (b Ball) Start(dst []float64) {
	offset := b.Radius / math.Pow(float64(len(dst)), 1/b.Q)
	for k := range dst {
		dst[k] = b.centerAt(k) + offset
	}
}

// Norm returns ‖θ − μ₀‖_q, without overflow.
func (b Ball) Norm(theta []float64) float64 {
	b.requireSameLength(theta, theta)
	return b.clippedNorm(theta, math.Inf(-1))
}

// clippedNorm returns the q-norm of max(floor, x) − center, without overflow. The maximum is taken by coordinate.
func (b Ball) clippedNorm(x []float64, floor float64) float64 {
	maxAbs := 0.0
	for k, v := range x {
		maxAbs = max(maxAbs, math.Abs(max(floor, v)-b.centerAt(k)))
	}
	if maxAbs == 0 || math.IsNaN(maxAbs) || math.IsInf(maxAbs, 1) {
		return maxAbs
	}
	powerSum := 0.0
	for k, v := range x {
		a := math.Abs(max(floor, v)-b.centerAt(k)) / maxAbs
		switch b.Q {
		case 1:
			powerSum += a
		case 2:
			powerSum += a * a
		default:
			powerSum += math.Pow(a, b.Q)
		}
	}
	switch b.Q {
	case 1:
		return maxAbs * powerSum
	case 2:
		return maxAbs * math.Sqrt(powerSum)
	}
	return maxAbs * math.Pow(powerSum, 1/b.Q)
}

// Contains reports whether θ ≥ 0 and ‖θ−μ₀‖_q ≤ Λ, up to the rounding of the norm and of the coordinates, which are
// stored with a relative error of 2⁻⁵³.
func (b Ball) Contains(theta []float64) bool {
	b.requireSameLength(theta, theta)
	maxTheta := 0.0
	for _, v := range theta {
		if !(v >= 0) {
			return false
		}
		maxTheta = max(maxTheta, v)
	}
	m := float64(len(theta))
	return b.clippedNorm(theta, 0) <= b.Radius*(1+(m+64)*linalg.Epsilon)+2*linalg.Epsilon*maxTheta*math.Pow(m, 1/b.Q)
}

// Traits reports θ ≥ 0 and the ball.
func (b Ball) Traits() Traits { return Traits{Nonnegative: true, Ball: &b} }

// Normalize stores the radial scaling that the papers use in place of a projection,
//
//	μ₀ + Λ (z − μ₀)/‖z − μ₀‖_q,  z = max(0, x);
//
// or Start if z = μ₀. Projected gradient descent has an option that uses it, to reproduce the papers. The scaling is
// correct only for q = 2, for points outside the ball with z ≥ μ₀: there it is the Euclidean projection. For every
// other q, the direction z − μ₀ is not normal to the sphere, and descent with this scaling ends at points that are
// not minimizers of F. If z_k < μ₀_k for some k, the scaling can leave the orthant: z = (0.05, 1.1, 1.2), μ₀ = 1, Λ
// = 1.5 gives −0.46. Start at θ ≥ μ₀, and use Project for q ≠ 2.
//
// dst may be x. Li et al., Algorithms 2, 3, 5; Cortes et al., Algorithm 1.
func (b Ball) Normalize(dst, x []float64) {
	b.requireSameLength(dst, x)
	positivePartNorm := b.clippedNorm(x, 0)
	if positivePartNorm == 0 {
		b.Start(dst)
		return
	}
	for k, v := range x {
		dst[k] = b.centerAt(k) + b.Radius*((max(0, v)-b.centerAt(k))/positivePartNorm)
	}
}
