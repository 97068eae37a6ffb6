package mkl

import (
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/floats"
)

// Kind is the kind of proof of a Certificate.
type Kind int

const (
	FirstOrder Kind = iota // no lower bound of min F: F may have better minima
	Global                 // F(θ) − min F ≤ Upper − Lower
)

func (k Kind) String() string {
	if k == Global {
		return "global"
	}
	return "first-order"
}

// Certificate bounds F(θ) − min F and names the argument that proves the lower bound. Its bounds hold in exact
// arithmetic for the stored base matrices, targets, θ and w, because they include a bound of their rounding errors.
//
// Package kernel stores K_k + δ_kI in place of the given K_k. The diagonal shift δ_k makes the stored matrix positive
// semidefinite for certain. The optimal value J of the inner problem grows if K becomes smaller. For θ ≥ 0, F of the
// given K_k is therefore nowhere below F of the stored matrices, and Lower bounds the minimum of both. At θ, F of the
// given K_k is larger by at most ShiftError, about ½δ‖w‖² for δ = Σθ_kδ_k. It therefore exceeds its minimum by at most
// Gap + ShiftError. This matters if λ is near δ, or C near 1/δ. ShiftError is 0 for families without a shift, such as
// Features.
type Certificate struct {
	Kind  Kind
	By    string  // the argument: "duality", "hidden convexity", …
	Upper float64 // ≥ F(θ)
	Lower float64 // ≤ min F; −Inf if FirstOrder
	// Residual is the distance of θ from first-order optimality in units of F. It uses the computed gradient. It
	// is not a proven bound, because α is inexact.
	Residual   float64
	Rounding   float64 // the part of Upper − Lower that allows for rounding errors
	Infeasible bool    // θ is not in Θ: F(θ) may lie below min F, and nothing is claimed
	ShiftError float64 // F(θ) of the given base matrices is at most Upper + ShiftError; +Inf if unknown

	upperRounding, lowerRounding float64 // the amounts in Upper and in Lower that allow for rounding errors
}

// Gap returns Upper − Lower, which F(θ) − min F does not exceed. It is +Inf if FirstOrder or Infeasible.
func (c Certificate) Gap() float64 {
	if c.Infeasible {
		return math.Inf(1)
	}
	return c.Upper - c.Lower
}

// RelativeGap returns Gap/|Upper|, or 0 if both are 0.
func (c Certificate) RelativeGap() float64 { return loss.RelativeGap(c.Gap(), c.Upper) }

func (c Certificate) String() string {
	if c.Infeasible {
		return "no certificate: θ lies outside Θ"
	}
	if math.IsInf(c.Upper, 1) {
		return "no certificate: K + λI may be indefinite because of rounding errors"
	}
	if c.Kind == Global {
		return fmt.Sprintf("global certificate by %s: F − min F ≤ %.3g (relative %.2g)", c.By, roundUp(c.Gap(), 3),
			roundUp(c.RelativeGap(), 2))
	}
	return fmt.Sprintf("first-order certificate by %s: residual %.3g (relative %.2g), other minima not excluded",
		c.By, c.Residual, loss.RelativeGap(c.Residual, c.Upper))
}

// BoundText returns in words how far Upper + ShiftError is above Lower: "at most 12 % above", "at most 3 times", or,
// for a Lower of 0, "at most 0.4 above". It has two digits, rounded up.
func (c Certificate) BoundText() string {
	upper := c.Upper + c.ShiftError
	switch {
	case !(c.Lower > 0):
		return fmt.Sprintf("at most %.2g above", roundUp(upper-c.Lower, 2))
	case upper >= 2*c.Lower:
		return fmt.Sprintf("at most %.4g times", roundUp(upper/c.Lower, 2))
	}
	return fmt.Sprintf("at most %.4g %% above", roundUp(100*math.Max(upper/c.Lower-1, 0), 2))
}

// roundUp rounds v up to the given number of digits, for printed bounds.
func roundUp(v float64, digits int) float64 {
	if !(v > 0) || math.IsInf(v, 1) {
		return v
	}
	lastDigit := math.Pow(10, math.Floor(math.Log10(v))-float64(digits-1))
	return math.Ceil(v/lastDigit*(1-1e-12)) * lastDigit
}

// boundArgument is one way to prove a lower bound of min F from an evaluated point.
type boundArgument struct {
	name string // the value of Certificate.By
	// appliesTo reports whether the argument applies to p. It does not evaluate F.
	appliesTo func(p *Problem) bool
	// lowerBound returns a lower bound of min F, or −Inf if it proves nothing. rounding is the part that was subtracted
	// from the bound to allow for rounding errors.
	lowerBound func(pt *Point) (bound, rounding float64)
	// sharpOnly reports that only a sharp Certify uses the argument, because of its cost.
	sharpOnly bool
}

// boundArguments are the arguments that Certify tries. Each has its own file bound_*.go. Each is valid for an inexact
// α.
var boundArguments = []boundArgument{duality, ridgeDuality, cut, hiddenConvexity, trustRegionDual, hiddenRidge}

// Certify returns the smallest upper bound and the largest lower bound that the arguments below prove from an evaluated
// point. In the table, d is Problem.Degree and q the exponent of a q-norm ball. Certify costs one minimization of
// ⟨∇F,·⟩ over Θ and O(m), or O(m³) if hidden ridge applies. With sharp it also costs O(m³) if the trust-region dual
// applies and, if rounding is more than a quarter of the gap, an evaluation in doubled precision, which may replace α
// and the gradient by better ones.
//
//	duality           d = 1, no r              sup_Θ wᵀK(θ)w = −2 min_Θ ⟨∇J,θ⟩
//	ridge duality     d = 1, r quadratic       min_Θ s²⟨∇J,θ⟩ + r(θ) by one projection for each s
//	cut               d = 1, other r           F_α(θ) + ⟨∇F, θ'−θ⟩
//	hidden convexity  d ≤ q, q-norm ball       F(μ₀ + t^{1/q}) is convex in t
//	trust-region dual d = 2 = q, sharp         max over the ball of θᵀQθ, Q ≥ 0 entrywise
//	hidden ridge      d = 2, r = β‖θ‖²         scale α until ½s²λ_max(Q) ≤ β
//
// It returns an error if the bounds overflow, and ErrContradiction if they exclude each other.
func (p *Problem) Certify(pt *Point, sharp bool) (Certificate, error) {
	c := pt.bestCertificate(sharp)
	if sharp && !c.Infeasible && (math.IsInf(c.Upper, 1) || c.upperRounding+c.lowerRounding > c.Gap()/4) &&
		pt.refineInDoubledPrecision() {
		c = pt.bestCertificate(sharp)
	}
	bounds := []float64{c.Upper, c.Lower, c.Residual, c.ShiftError}
	if slices.ContainsFunc(bounds, math.IsNaN) || math.IsInf(c.Lower, 1) || math.IsInf(c.Upper, -1) {
		return Certificate{}, fmt.Errorf("mkl: the bounds of F = %.3g overflow: lower %g by %s, upper %g; %s", pt.F(),
			c.Lower, c.By, c.Upper, rescaleAdvice)
	}
	if err := pt.checkContradiction(c.Lower, c.Upper, c.By); err != nil {
		return Certificate{}, err
	}
	c.setTotalRounding()
	if !pt.isRefined {
		pt.roundingErrs.grad = nil // frees memory; these bounds are not needed again
	}
	return c, nil
}

// bestCertificate returns the certificate of pt by the argument that applies and proves the largest lower bound.
func (pt *Point) bestCertificate(sharp bool) Certificate {
	p := pt.p
	c := Certificate{Upper: pt.Upper(), Lower: math.Inf(-1), ShiftError: pt.ShiftError,
		upperRounding: pt.roundingBounds().primal}
	vertexMin := math.Inf(-1)
	if _, hasResidual := p.Set.(set.Residual); !hasResidual {
		vertexMin = pt.Oracle().Minimum
	}
	c.Residual = pt.stationarityResidual(vertexMin)
	c.By = "stationarity"
	if pt.applicableArguments == nil {
		for _, a := range boundArguments {
			if a.appliesTo(p) {
				pt.applicableArguments = append(pt.applicableArguments, a)
			}
		}
	}
	for _, a := range pt.applicableArguments {
		if a.sharpOnly && !sharp {
			continue
		}
		lower, rounding := a.lowerBound(pt)
		if lower > c.Lower {
			c.Kind, c.By, c.Lower, c.lowerRounding = Global, a.name, lower, rounding
		}
	}
	if c.Infeasible = !p.Set.Contains(pt.Theta); c.Infeasible { // a negative θ_k can make the error bounds NaN
		c.Upper, c.ShiftError, c.upperRounding = math.Inf(1), 0, 0
	}
	return c
}

// stationarityResidual returns the distance of θ from first-order optimality: the set's own Residual, or the
// Frank–Wolfe gap ⟨∇F,θ⟩ − vertexMin with vertexMin = min_Θ ⟨∇F,·⟩.
func (pt *Point) stationarityResidual(vertexMin float64) float64 {
	if r, ok := pt.p.Set.(set.Residual); ok {
		return r.Residual(pt.Theta, pt.Grad())
	}
	return math.Max(floats.Dot(pt.Grad(), pt.Theta)-vertexMin, 0)
}

// setTotalRounding computes Rounding from upperRounding and lowerRounding. If θ is in Θ only up to rounding, F(θ) may
// be below min F. Upper is then raised to Lower, so that no gap is negative.
func (c *Certificate) setTotalRounding() {
	c.Upper = math.Max(c.Upper, c.Lower)
	c.Rounding = math.Min(c.upperRounding+c.lowerRounding, c.Upper-c.Lower)
}

// tightenLowerBound replaces Lower by the lower bound of other, a certificate of the same problem, if that bound is
// larger. If rounding makes the new Lower larger than Upper, Upper is set to Lower.
func (c *Certificate) tightenLowerBound(other Certificate) {
	if other.Kind == Global && other.Lower > c.Lower {
		c.Kind, c.Lower, c.By, c.lowerRounding = Global, other.Lower, other.By, other.lowerRounding
		c.setTotalRounding()
	}
}

// isLinearFamily reports whether K(θ) = Σ_k θ_kK_k.
func isLinearFamily(p *Problem) bool { return p.Degree() == 1 }

// dualBound returns the lower bound max_{0≤s≤1} s·Linear − ½s²(Quadratic + maxForm) of min J, less an allowance for
// rounding errors, and this allowance. s scales the dual coefficients. maxForm + maxFormErr is at least wᵀK(θ')w for
// every θ' ∈ Θ and may be +Inf.
func (pt *Point) dualBound(maxForm, maxFormErr float64) (bound, rounding float64) {
	r := pt.roundingBounds()
	linear, curvature := pt.Linear-r.linear, pt.Quadratic+r.quadratic+maxForm+maxFormErr
	if !(linear > 0) || math.IsInf(curvature, 1) || math.IsNaN(curvature) {
		return 0, 0
	}
	value := maxScaledDual(linear, curvature)
	valueErr := linalg.RoundingFactor(8) * math.Min(linear, value) // the rounding error of value
	return value - valueErr, valueErr + maxScaledDual(pt.Linear, pt.Quadratic+maxForm) - value
}

// maxScaledDual returns max_{0≤s≤1} s·linear − ½s²·curvature. It avoids s², which may underflow.
func maxScaledDual(linear, curvature float64) float64 {
	s := 1.0
	if curvature > linear {
		s = linear / curvature
	}
	return s*linear - s*(s*curvature)/2
}
