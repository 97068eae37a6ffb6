package mkl

import (
	"math"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"

	"gonum.org/v1/gonum/floats"
)

// TrustRegion is the Riemannian trust-region method on the sphere ‖θ − μ₀‖₂ = Λ:
//
//	ξ_k     ≈ argmin  ⟨grad F, ξ⟩ + ½⟨ξ, Hess F[ξ]⟩  over tangent ξ, ‖ξ‖ ≤ Δ_k   (truncated CG)
//	ρ_k     = (F(θ_k) − F(R(ξ_k))) / (decrease of the model)
//	θ_{k+1} = R(ξ_k) if ρ_k > η = 0.1, otherwise θ_k
//	Δ_{k+1} = Δ_k/4 if ρ_k < 0.25;  min(2Δ_k, Λ) if ρ_k > 0.75 and ‖ξ_k‖ = Δ_k;  otherwise Δ_k.
//
// R is Sphere.Retract. The solver needs a 2-norm ball about μ₀ ≥ 0, no regularizer, and a family whose K grows with θ.
// The minimum is then on the sphere, at some θ ≥ μ₀. Trial points are reflected to θ ≥ μ₀ (Sphere.ReflectAboveCenter),
// which cannot raise F. The solver also needs second derivatives: the squared loss and a family that has them.
//
// Near a minimum the solver converges quadratically, down to the rounding of F. Use it for relative gaps of 1e-12. An
// evaluation of F costs a Cholesky factorization, and each step of CG costs about two gradients. If a few digits are
// enough, SPG needs as few evaluations of F, and no products with ∇²F.
//
// Algorithm 8 as printed evaluates F before the retraction, steps over the ball instead of the tangent space, and
// retracts onto the unit sphere about 0. These three errors are corrected here.
//
// References:
//   - C. Li, L. Venturi and R. Xu, Learning the kernel for classification and regression, Algorithm 8.
//   - P.-A. Absil, R. Mahony and R. Sepulchre, Optimization algorithms on matrix manifolds, 2008,
//     Algorithms 10 and 11.
//   - N. Boumal et al., Manopt, JMLR 15 (2014), for ρ if the change of F is below its rounding error.
type TrustRegion struct{}

var _ Solver = TrustRegion{}

func (TrustRegion) String() string { return "TrustRegion" }

// Requirements requires a 2-norm ball, a polynomial family with second derivatives and the squared loss.
func (s TrustRegion) Requirements(p *Problem) (Requirements, error) {
	ball := p.Set.Traits().Ball
	hasSecondDerivatives := false
	if p.Degree() > 0 {
		_, hasSecondDerivatives = p.Grams.New().(kernel.SecondOrder)
	}
	return Requirements{}, unsuitedError(s,
		require(ball != nil && ball.Q == 2 && p.Reg == nil, "a 2-norm ball and no regularizer"),
		require(hasSecondDerivatives, "a polynomial family with second derivatives"),
		require(p.Loss.Traits().Smooth, "a loss with second derivatives (Traits.Smooth)"))
}

func (s TrustRegion) Start(p *Problem) Stepper {
	ball := p.Set.Traits().Ball
	m, _ := p.Grams.Dims()
	r := &trustRegion{sphere: Sphere{ball.Radius, ball.Center}, radius: ball.Radius / 8}
	for _, v := range []*[]float64{&r.grad, &r.xi, &r.hessianTimesXi, &r.scratch} {
		*v = make([]float64, m)
	}
	return r
}

type trustRegion struct {
	sphere                            Sphere
	radius                            float64   // Δ, the radius of the trust region, at most Λ, the radius of the ball
	firstGradNorm                     float64   // ‖grad F‖ at the first iterate on the sphere; 0 before
	grad, xi, hessianTimesXi, scratch []float64 // grad F, the step ξ, Hess F[ξ], scratch
}

func (s *trustRegion) Step(it *Iterate) error {
	if it.K == 0 {
		s.sphere.ReflectAboveCenter(s.scratch, it.Theta)
		if floats.Distance(s.scratch, it.Theta, 2) > 1e-14*floats.Norm(s.scratch, 2) { // move the start onto the sphere
			copy(it.TrialPoint().Theta, s.scratch)
			return it.EvaluateAndAcceptTrial()
		}
	}
	s.sphere.ProjectToTangent(s.grad, it.Theta, it.Grad())
	gradNorm := floats.Norm(s.grad, 2)
	if s.firstGradNorm == 0 {
		s.firstGradNorm = gradNorm
	}
	if gradNorm == 0 {
		return ErrStalled
	}
	// Differences of F below roundingOfF are rounding errors. If the model predicts no larger decrease, the step is
	// accepted if ‖grad F‖ becomes smaller.
	roundingOfF := linalg.RoundingFactor(1e3) * math.Abs(it.F())
	for s.radius > 1e-15*s.sphere.Radius {
		modelDecrease, onBoundary := minimizeModelByCG(s.xi, s.hessianTimesXi, s.grad, s.radius, math.Min(0.1,
			gradNorm/s.firstGradNorm), func(dst, xi []float64) {
			it.HessianVectorProduct(dst, xi)
			s.sphere.Hessian(dst, it.Theta, it.Grad(), dst, xi)
		})
		t := it.TrialPoint()
		s.sphere.Retract(t.Theta, it.Theta, s.xi)
		s.sphere.ReflectAboveCenter(t.Theta, t.Theta)
		if _, err := it.EvaluateTrial(); err != nil {
			return err
		}
		gainRatio := (it.F() - t.F() + roundingOfF) / (modelDecrease + roundingOfF)
		if modelDecrease <= roundingOfF {
			s.sphere.ProjectToTangent(s.scratch, t.Theta, t.Grad())
			if floats.Norm(s.scratch, 2) < gradNorm {
				it.AcceptTrial()
				return nil
			}
			return ErrStalled
		}
		switch {
		case !(gainRatio >= 0.25):
			s.radius /= 4
		case gainRatio > 0.75 && onBoundary:
			s.radius = math.Min(2*s.radius, s.sphere.Radius)
		}
		if gainRatio > 0.1 {
			it.AcceptTrial()
			return nil
		}
	}
	return ErrStalled
}

// minimizeModelByCG stores in xi an approximate minimizer of the model
//
//	m(ξ) = ⟨g,ξ⟩ + ½⟨ξ,Hξ⟩,  ‖ξ‖ ≤ Δ,
//
// by conjugate gradients from 0 (Steihaug and Toint). The iteration ends at a residual ‖g + Hξ‖ ≤ tol·‖g‖, at the
// boundary of the region, or at a direction of curvature ≤ 0, which is followed to the boundary. hess(dst, ξ) stores Hξ
// in dst. At the end, hessianTimesXi holds Hξ of the stored ξ. modelDecrease is m(0) − m(ξ) ≥ 0, and onBoundary reports
// whether ‖ξ‖ = Δ. At most as many products with H are made as ξ has entries.
func minimizeModelByCG(xi, hessianTimesXi, g []float64, radius, tol float64,
	hess func(dst, xi []float64)) (modelDecrease float64, onBoundary bool) {
	clear(xi)
	clear(hessianTimesXi)
	r, d, hd := append([]float64(nil), g...), make([]float64, len(g)), make([]float64, len(g))
	floats.AddScaled(d, -1, g)
	squaredResidual, startNorm := floats.Dot(r, r), floats.Norm(g, 2)
	if squaredResidual == 0 {
		return 0, false
	}
	for range xi {
		hess(hd, d)
		curvature := floats.Dot(d, hd)
		alpha := squaredResidual / curvature
		dd, xd, xx := floats.Dot(d, d), floats.Dot(xi, d), floats.Dot(xi, xi)
		if !(curvature > 0) || xx+2*alpha*xd+alpha*alpha*dd >= radius*radius {
			alpha = (-xd + math.Sqrt(math.Max(xd*xd+dd*(radius*radius-xx), 0))) / dd
			onBoundary = true
		}
		floats.AddScaled(xi, alpha, d)
		floats.AddScaled(hessianTimesXi, alpha, hd)
		if onBoundary {
			break
		}
		floats.AddScaled(r, alpha, hd)
		oldSquaredResidual := squaredResidual
		squaredResidual = floats.Dot(r, r)
		if math.Sqrt(squaredResidual) <= tol*startNorm {
			break
		}
		floats.Scale(squaredResidual/oldSquaredResidual, d)
		floats.AddScaled(d, -1, r)
	}
	return -floats.Dot(g, xi) - floats.Dot(xi, hessianTimesXi)/2, onBoundary
}
