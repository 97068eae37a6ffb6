package mkl

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// Sphere is {θ : ‖θ − μ₀‖₂ = Λ} as a Riemannian submanifold of R^m, with the operations that Algorithm 8 of C. Li, L.
// Venturi and R. Xu needs. With v = θ − μ₀ the tangent space at θ is {ξ : vᵀξ = 0}.
//
// Two formulas of the paper are corrected here. Equation (37) retracts to (θ+ξ)/‖θ+ξ‖, a point of the unit sphere about
// 0: see Retract. In (21) the right-hand side must be Λ². Equation (36) is correct: it is the projection of the
// derivative of the projected gradient. By the product rule, this derivative contains a curvature term: see Hessian.
type Sphere struct {
	// Radius is the radius Λ > 0.
	Radius float64
	// Center is the center μ₀, of length m; nil means 0.
	Center []float64
}

func (s Sphere) storeOffsetFromCenter(dst, theta []float64) {
	copy(dst, theta)
	if s.Center != nil {
		floats.Sub(dst, s.Center)
	}
}

// radialCoefficient returns vᵀx/Λ², the factor of v in the projection of x onto the radius vector v = θ − μ₀.
func (s Sphere) radialCoefficient(theta, x []float64) float64 {
	dot := 0.0
	for k, t := range theta {
		if s.Center != nil {
			t -= s.Center[k]
		}
		dot += t * x[k]
	}
	return dot / (s.Radius * s.Radius)
}

// ProjectToTangent stores in dst the orthogonal projection of x onto the tangent space at θ = μ₀ + v:
//
//	P_θx = x − v(vᵀx)/Λ².
//
// For x = ∇F(θ) it is the Riemannian gradient. These are (28) and (32) of Li, Venturi and Xu. dst may be x.
func (s Sphere) ProjectToTangent(dst, theta, x []float64) {
	c := s.radialCoefficient(theta, x)
	for k, t := range theta {
		if s.Center != nil {
			t -= s.Center[k]
		}
		dst[k] = x[k] - c*t
	}
}

// Hessian stores in dst the Riemannian Hessian times a tangent vector ξ, for euclideanHessianTimesXi = Hξ = ∇²F(θ)ξ,
// grad = ∇F(θ), v = θ − μ₀ and the projection P_θ of ProjectToTangent:
//
//	Hess F[ξ] = P_θ(Hξ) − (vᵀ∇F/Λ²) ξ.
//
// For a unit vector ξ, ⟨ξ, Hess F[ξ]⟩ is the second derivative of F along the great circle that begins in the direction
// ξ. The last term is the curvature of the sphere. If F decreases away from the center, vᵀ∇F ≤ 0, this term adds
// curvature. This is why Newton-type steps work on the sphere where ∇²F is indefinite. dst may be
// euclideanHessianTimesXi.
func (s Sphere) Hessian(dst, theta, grad, euclideanHessianTimesXi, xi []float64) {
	c := s.radialCoefficient(theta, grad)
	s.ProjectToTangent(dst, theta, euclideanHessianTimesXi)
	floats.AddScaled(dst, -c, xi)
}

// Retract stores in dst the point of the sphere on the ray from the center through θ + ξ, with v = θ − μ₀,
//
//	R_θ(ξ) = μ₀ + Λ(v + ξ)/‖v + ξ‖.
//
// dst may be theta.
func (s Sphere) Retract(dst, theta, xi []float64) {
	s.storeOffsetFromCenter(dst, theta)
	floats.Add(dst, xi)
	s.storeScaledToSphere(dst, dst)
}

// ReflectAboveCenter stores in dst the point μ₀ + Λ|v|/‖v‖ of the sphere, for v = θ − μ₀. |v| holds the absolute values
// of the entries of v. The point satisfies θ ≥ μ₀, and each coordinate has the same distance from the center as before.
// If K is a polynomial in θ with positive semidefinite coefficients, and μ₀ ≥ 0, then K at this point is the greatest
// over all choices of signs; F decreases if K grows, so F is not greater than at θ. If θ is the center,
// ReflectAboveCenter stores the point of the sphere with equal coordinates v_k > 0. dst may be theta.
func (s Sphere) ReflectAboveCenter(dst, theta []float64) {
	s.storeOffsetFromCenter(dst, theta)
	maxAbs := 0.0
	for k, v := range dst {
		dst[k] = math.Abs(v)
		maxAbs = max(maxAbs, dst[k])
	}
	if maxAbs == 0 {
		for k := range dst {
			dst[k] = 1
		}
	}
	s.storeScaledToSphere(dst, dst)
}

// storeScaledToSphere stores in dst the point μ₀ + Λv/‖v‖ of the sphere.
func (s Sphere) storeScaledToSphere(dst, v []float64) {
	floats.ScaleTo(dst, s.Radius/floats.Norm(v, 2), v)
	if s.Center != nil {
		floats.Add(dst, s.Center)
	}
}
