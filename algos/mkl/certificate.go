package mkl

import (
	"fmt"
	"math"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Kind says what a Certificate proves.
type Kind int

const (
	FirstOrder Kind = iota // the residual only: F may have better minima
	Global                 // F(θ) − min F ≤ Upper − Lower
)

func (k Kind) String() string {
	if k == Global {
		return "global"
	}
	return "first-order"
}

// Certificate says how good θ is, and by which argument.
type Certificate struct {
	Kind     Kind
	By       string  // the argument: "duality", "hidden convexity", …
	Upper    float64 // ≥ F(θ)
	Lower    float64 // ≤ min F; −Inf if FirstOrder
	Residual float64 // how far θ is from first-order optimal, in units of F; 0 only at a stationary point
}

// Gap is Upper − Lower; F(θ) − min F is at most that. +Inf if FirstOrder.
func (c Certificate) Gap() float64 { return c.Upper - c.Lower }

// Relative is Gap/|Upper|; 0 if both are 0.
func (c Certificate) Relative() float64 { return relative(c.Gap(), c.Upper) }

func relative(gap, scale float64) float64 {
	if gap == 0 {
		return 0
	}
	return gap / math.Abs(scale)
}

func (c Certificate) String() string {
	if c.Kind == Global {
		return fmt.Sprintf("global certificate by %s: F − min F ≤ %.3g (relative %.2g)", c.By, math.Max(c.Gap(), 0), math.Max(c.Relative(), 0))
	}
	return fmt.Sprintf("first-order certificate by %s: residual %.3g (relative %.2g), other minima not excluded", c.By, c.Residual, relative(c.Residual, c.Upper))
}

// largestSharp bounds m for the trust-region dual, which takes an eigendecomposition of order m.
const largestSharp = 1000

// Certify proves what it can at an evaluated point. Every bound holds for an inexact α. It costs an
// oracle call and O(m); sharp allows O(m³) and the family's Form for the trust-region dual of
// degree 2 on a 2-norm ball.
//
//	d = 1, no r              duality: sup_Θ wᵀK(θ)w = −2 min_Θ ⟨∇J,θ⟩
//	d = 1, r quadratic       duality: min_Θ ⟨∇J,θ⟩ + r(θ) by one projection
//	d = 1, other r           the cut F_α(θ) + ⟨∇F, θ'−θ⟩
//	d ≤ q, q-norm ball       hidden convexity: (d/q-concave terms) Λ^q max_k c_k − Σ w_k^q c_k
//	d = 2 = q, sharp         max over the ball of θᵀQθ, Q ≥ 0 entrywise: a trust region
//	d = 2, r = β‖θ‖², θ ≥ 0  hidden convexity: scale α until ½s²λ_max(Q) ≤ β
//	q = ∞                    monotonicity: K grows with θ, the far corner of the box is the maximiser
//
// The hidden convexity is that of F(μ₀ + t^{1/q}) in t: wᵀK(θ)w is a nonnegative combination of
// products of at most d factors μ₀_k + t_k^{1/q}, concave in t for d ≤ q. It asks for θ > μ₀ in every
// coordinate; elsewhere the bound in O(m) is trivial.
func (p *Problem) Certify(pt *Point, sharp bool) Certificate {
	c := Certificate{Upper: pt.Upper(), Lower: math.Inf(-1)}
	raise := func(lower float64, by string) {
		c.Kind = Global
		if lower > c.Lower || c.By == "" {
			c.Lower, c.By = lower, by
		}
	}
	d, g := p.Degree(), pt.Grad()
	ball, isBall := p.Set.(set.Ball)
	_, isCone := p.Set.(set.Orthant)
	c.Residual = residual(pt, isCone)
	switch {
	case d == 1 && p.Reg == nil:
		raise(pt.scaled(-2*pt.Oracle().Min), "duality")
	case d == 1:
		if a, x, k, ok := p.quadratic(); ok {
			gj, at := make([]float64, len(g)), make([]float64, len(g))
			pt.Gram.Gradient(gj, pt.W)
			floats.Scale(-0.5, gj)
			lower := pt.Lin - pt.Quad/2 + p.best(at, gj, a, x, k)
			raise(lower, "duality")
			c.Residual = math.Max(pt.F()-lower, 0)
		} else {
			raise(pt.F()-floats.Dot(g, pt.Theta)+pt.Oracle().Min, "a cut")
		}
	case d > 1 && p.Reg == nil && isBall && math.IsInf(ball.Q, 1):
		if atCorner(pt.Theta, ball) {
			raise(pt.scaled(pt.WKW), "monotonicity")
		}
	case d > 1 && p.Reg == nil && isBall && ball.Q >= float64(d):
		raise(pt.scaled(pt.WKW+2*hiddenGap(pt.Theta, g, ball)), "hidden convexity")
		if form, ok := pt.Gram.(kernel.Quadratic); ok && d == 2 && ball.Q == 2 && sharp && len(g) <= largestSharp {
			q := mat.NewSymDense(len(g), nil)
			form.Form(q, pt.W)
			raise(pt.scaled(trustRegionMax(q, ball)), "hidden convexity, trust-region dual")
		}
	case d == 2 && isCone:
		a, x, k, ok := p.quadratic()
		form, isForm := pt.Gram.(kernel.Quadratic)
		if ok && isForm && k == 0 && floats.Norm(x, math.Inf(1)) == 0 && len(g) <= largestSharp {
			q := mat.NewSymDense(len(g), nil)
			form.Form(q, pt.W)
			l, _ := linalg.Eigen(q, false)
			s := math.Min(1, pt.Lin/pt.Quad)
			if top := l[len(l)-1]; top > 0 {
				s = math.Min(s, math.Sqrt(2*a/top)) // ½s²λ_max ≤ β
			}
			if s > 0 {
				raise(s*pt.Lin-s*s*pt.Quad/2, "hidden convexity")
			} else {
				raise(0, "hidden convexity") // y = 0
			}
		}
	}
	if c.Kind == FirstOrder {
		c.By = "stationarity"
	}
	return c
}

// residual is the Frank–Wolfe gap ⟨∇F,θ⟩ − min_Θ ⟨∇F,·⟩ on a bounded Θ; on θ ≥ 0, where that is
// infinite, Σ_k |∇F_k| max(θ_k, mean θ), a positive ∇F_k counted only where θ_k > 0.
func residual(pt *Point, cone bool) float64 {
	g := pt.Grad()
	if !cone {
		return math.Max(floats.Dot(g, pt.Theta)-pt.Oracle().Min, 0)
	}
	mean := floats.Sum(pt.Theta) / float64(len(pt.Theta))
	if mean == 0 {
		mean = 1 // θ = 0 has no scale
	}
	r := 0.0
	for k, v := range g {
		if v < 0 || pt.Theta[k] > 0 {
			r += math.Abs(v) * math.Max(pt.Theta[k], mean)
		}
	}
	return r
}

// scaled is max_{0≤s≤1} s·Lin − ½s²(Quad + sup), sup ≥ wᵀK(θ')w on all of Θ, possibly +Inf.
func (pt *Point) scaled(sup float64) float64 {
	curv := pt.Quad + sup
	if pt.Lin <= 0 || math.IsInf(curv, 1) || math.IsNaN(curv) {
		return 0
	}
	s := 1.0
	if curv > pt.Lin {
		s = pt.Lin / curv
	}
	return s*pt.Lin - s*s*curv/2
}

// hiddenGap is Λ^q max_k c_k − Σ_k w_k^q c_k with w = θ − μ₀ and c_k = −g_k w_k^{1−q}/q: what
// ½wᵀK w, concave in t = (θ−μ₀)^q, can still gain on the ball. +Inf if some w_k = 0.
func hiddenGap(theta, g []float64, b set.Ball) float64 {
	top, sum := 0.0, 0.0
	for k, gk := range g {
		w := theta[k]
		if b.Center != nil {
			w = math.Max(w-b.Center[k], 0)
		}
		if w == 0 { // F has no derivative in t_k here: g_k = 0 too can be a saddle
			return math.Inf(1)
		}
		top = math.Max(top, -gk*math.Pow(w, 1-b.Q)/b.Q)
		sum -= gk * w / b.Q
	}
	return math.Pow(b.Radius, b.Q)*top - sum
}

// atCorner reports whether θ is μ₀ + Λ1.
func atCorner(theta []float64, b set.Ball) bool {
	for k, v := range theta {
		far := b.Radius
		if b.Center != nil {
			far += b.Center[k]
		}
		if v < far*(1-1e-14) {
			return false
		}
	}
	return true
}

// trustRegionMax bounds max (μ₀+w)ᵀQ(μ₀+w), ‖w‖₂ ≤ Λ, for Q ≥ 0 entrywise from above by the dual
//
//	μ₀ᵀQμ₀ + κΛ² + bᵀ(κI − Q)⁻¹b,  b = Qμ₀,  κ > λ_max(Q),
//
// which holds for every such κ and is exact at the root of ‖(κI − Q)⁻¹b‖ = Λ.
func trustRegionMax(q *mat.SymDense, ball set.Ball) float64 {
	e, u := linalg.Eigen(q, true)
	m := len(e)
	top, r := math.Max(e[m-1], 0), ball.Radius
	b, base := make([]float64, m), 0.0 // Uᵀ Qμ₀ = diag(e) Uᵀμ₀
	if ball.Center != nil {
		linalg.MulVec(b, true, u, ball.Center)
		for i := range b {
			base += e[i] * b[i] * b[i]
			b[i] *= e[i]
		}
	}
	nb := floats.Norm(b, 2)
	if nb == 0 {
		return base + r*r*top
	}
	norm := func(k float64) float64 {
		s := 0.0
		for i := range e {
			x := b[i] / (k - e[i])
			s += x * x
		}
		return math.Sqrt(s)
	}
	lo, hi := top, top+nb/r // norm(hi) ≤ Λ
	for range 200 {
		k := lo + (hi-lo)/2
		if k == lo || k == hi {
			break
		}
		if norm(k) > r {
			lo = k
		} else {
			hi = k
		}
	}
	s := base + hi*r*r
	for i := range e {
		if b[i] != 0 {
			s += b[i] * b[i] / (hi - e[i])
		}
	}
	return s
}
