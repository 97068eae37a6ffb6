package mkl

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// Sphere is {θ : ‖θ − μ₀‖₂ = Λ} as a Riemannian submanifold of R^m, the pieces of Algorithm 8 of
// C. Li, L. Venturi and R. Xu. With v = θ − μ₀ the tangent space at θ is {ξ : vᵀξ = 0}.
//
// Two of the paper's formulas are repaired here. Its (37) retracts to (θ+ξ)/‖θ+ξ‖, the unit sphere
// about 0: see Retract. Its (36) is the projected derivative of the projected gradient, whose product
// rule leaves a curvature term: see Hessian. In its (21) the right-hand side is Λ².
type Sphere struct {
	// Radius is Λ > 0.
	Radius float64
	// Center is μ₀, of length m; if Center is nil, it is 0.
	Center []float64
}

// offset stores v = θ − μ₀.
func (s Sphere) offset(dst, theta []float64) {
	copy(dst, theta)
	if s.Center != nil {
		floats.Sub(dst, s.Center)
	}
}

// along is vᵀx/Λ².
func (s Sphere) along(theta, x []float64) float64 {
	sum := 0.0
	for k, t := range theta {
		if s.Center != nil {
			t -= s.Center[k]
		}
		sum += t * x[k]
	}
	return sum / (s.Radius * s.Radius)
}

// Tangent stores the orthogonal projection of x onto the tangent space at θ, (28):
//
//	P_θx = x − v(vᵀx)/Λ².
//
// Of ∇F(θ) it is the Riemannian gradient, (32). dst may be x.
func (s Sphere) Tangent(dst, theta, x []float64) {
	c := s.along(theta, x)
	for k, t := range theta {
		if s.Center != nil {
			t -= s.Center[k]
		}
		dst[k] = x[k] - c*t
	}
}

// Hessian stores the Riemannian Hessian times a tangent vector ξ, of H ξ = ∇²F(θ)ξ and grad = ∇F(θ):
//
//	Hess F[ξ] = P_θ(Hξ) − (vᵀ∇F/Λ²) ξ,
//
// the second derivative of F along the great circle that begins in the direction ξ. The last term is
// the curvature of the sphere. Where F decreases away from the centre, vᵀ∇F ≤ 0, it is positive, which
// is why steps of Newton's kind work on the sphere where ∇²F is indefinite. dst may be hxi.
func (s Sphere) Hessian(dst, theta, grad, hxi, xi []float64) {
	c := s.along(theta, grad)
	s.Tangent(dst, theta, hxi)
	floats.AddScaled(dst, -c, xi)
}

// Retract stores the point of the sphere above θ + ξ,
//
//	R_θ(ξ) = μ₀ + Λ(v + ξ)/‖v + ξ‖.
//
// dst may be theta.
func (s Sphere) Retract(dst, theta, xi []float64) {
	s.offset(dst, theta)
	floats.Add(dst, xi)
	s.scale(dst, dst)
}

// Fold stores μ₀ + Λ|v|/‖v‖: the point of the sphere with θ ≥ μ₀ that has the same distances from the
// centre, coordinate by coordinate. For a family whose K is a polynomial in θ with positive
// semidefinite coefficients, and μ₀ ≥ 0, K there is the greatest of all choices of signs, so that F
// is not greater. Of the centre itself it stores the point with equal coordinates. dst may be theta.
func (s Sphere) Fold(dst, theta []float64) {
	s.offset(dst, theta)
	top := 0.0
	for k, v := range dst {
		dst[k] = math.Abs(v)
		top = max(top, dst[k])
	}
	if top == 0 {
		for k := range dst {
			dst[k] = 1
		}
	}
	s.scale(dst, dst)
}

// scale stores μ₀ + Λv/‖v‖.
func (s Sphere) scale(dst, v []float64) {
	floats.ScaleTo(dst, s.Radius/floats.Norm(v, 2), v)
	if s.Center != nil {
		floats.Add(dst, s.Center)
	}
}
