package mkl

import (
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/floats"
)

// Kind is the kind of proof of a Certificate.
type Kind int

const (
	FirstOrder Kind = iota // no lower bound of min F: F may have better minima
	Global                 // a proven lower bound: F(θ) − min F ≤ Upper − Lower
)

func (k Kind) String() string {
	if k == Global {
		return "global"
	}
	return "first-order"
}

// Certificate bounds F(θ) − min F and names the proof of the lower bound. Its bounds hold in exact arithmetic for the
// stored base matrices, targets, θ and w, because they include a bound of their rounding errors.
//
// Package kernel stores K_k + δ_kI in place of the given K_k. The diagonal shift δ_k makes the stored matrix positive
// semidefinite for certain. F here is the objective with the stored matrices, and G the objective with the given
// matrices. J grows if K becomes smaller, so that F ≤ G for every θ ≥ 0, and Lower bounds min F and min G. At θ, G − F
// is at most ShiftError, about ½δ‖w‖² for δ = Σθ_kδ_k. Therefore G(θ) exceeds min G by at most Gap + ShiftError. This
// matters if λ is near δ, or C near 1/δ. ShiftError is 0 for families without a shift, such as Features.
type Certificate struct {
	Kind  Kind
	By    string  // the proof of Lower: "duality", "hidden convexity", …
	Upper float64 // ≥ F(θ)
	Lower float64 // ≤ min F; −Inf for a first-order certificate
	// Residual is the distance of θ from first-order optimality in units of F. It is not a proven bound, because the
	// gradient is computed from inexact dual coefficients.
	Residual   float64
	Rounding   float64 // the part of Upper − Lower that allows for rounding errors
	Infeasible bool    // θ is not in Θ: F(θ) may lie below min F, and nothing is claimed
	ShiftError float64 // F(θ) without diagonal shifts is at most Upper + ShiftError; +Inf if unknown

	upperRoundingErr, lowerRoundingErr float64 // the amounts in Upper and in Lower that allow for rounding errors
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
	if c.By == "" {
		return "no certificate"
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

func roundUp(v float64, significantDigits int) float64 {
	if !(v > 0) || math.IsInf(v, 1) {
		return v
	}
	lastDigitUnit := math.Pow(10, math.Floor(math.Log10(v))-float64(significantDigits-1))
	return math.Ceil(v/lastDigitUnit*(1-1e-12)) * lastDigitUnit
}

// boundProof is one way to prove a lower bound of min F from an evaluated point.
type boundProof struct {
	name string // the name of the proof, shown in Certificate.By
	// appliesTo reports whether the proof holds for p. It does not evaluate F.
	appliesTo func(p *Problem) bool
	// lowerBound returns a lower bound of min F, or −Inf if it proves nothing. rounding is the part that was subtracted
	// from the bound to allow for rounding errors.
	lowerBound func(pt *Point) (bound, rounding float64)
	// isCostly reports that Certify uses the proof only with tryCostlyProofs.
	isCostly bool
}

// boundProofs are the proofs that Certify tries, one per file bound_*.go. Each holds also for inexact dual variables.
var boundProofs = []boundProof{duality, ridgeDuality, cut, hiddenConvexity, trustRegionDual, hiddenRidge}

// Certify returns the smallest upper bound of F(θ) and the largest lower bound of min F that the proofs below give at
// an evaluated point. In the table, d is Problem.Degree, q the exponent of a q-norm ball, w the dual coefficients of α,
// and θᵀQθ = wᵀK(θ)w. Certify costs one minimization of ⟨∇F,·⟩ over Θ and O(m), or O(m³) for hidden ridge. With
// tryCostlyProofs the trust-region dual costs O(m³) and, if rounding is more than a quarter of the gap, an evaluation
// in doubled precision follows, which may replace α and the gradient by better ones.
//
//	duality           d = 1, no r              sup_Θ wᵀK(θ)w = −2 min_Θ ⟨∇J,θ⟩
//	ridge duality     d = 1, r quadratic       min_Θ s²⟨∇J,θ⟩ + r(θ) by one projection for each scale s of α
//	cut               d = 1, other r           F(θ) + ⟨∇F, θ'−θ⟩ ≤ F(θ')
//	hidden convexity  d ≤ q, q-norm ball       F(μ₀ + t^{1/q}) is convex in t
//	trust-region dual d = 2 = q, costly        max over the ball of θᵀQθ, Q ≥ 0 entrywise
//	hidden ridge      d = 2, r = β‖θ‖²         scale α until ½s²λ_max(Q) ≤ β
//
// It returns an error if the bounds overflow, and ErrContradiction if they exclude each other.
func (p *Problem) Certify(pt *Point, tryCostlyProofs bool) (Certificate, error) {
	c := pt.bestCertificate(tryCostlyProofs)
	isImprecise := math.IsInf(c.Upper, 1) || c.upperRoundingErr+c.lowerRoundingErr > c.Gap()/4
	if tryCostlyProofs && !c.Infeasible && isImprecise && pt.refineInDoubledPrecision() {
		c = pt.bestCertificate(tryCostlyProofs)
	}
	numbers := []float64{c.Upper, c.Lower, c.Residual, c.ShiftError}
	if slices.ContainsFunc(numbers, math.IsNaN) || math.IsInf(c.Lower, 1) || math.IsInf(c.Upper, -1) {
		return Certificate{}, fmt.Errorf("mkl: the bounds of F overflow: F = %.3g, lower bound %g by %s, upper %g; "+
			rescaleAdvice, pt.F(), c.Lower, c.By, c.Upper)
	}
	if err := pt.checkContradiction(c.Lower, c.Upper, c.By); err != nil {
		return Certificate{}, err
	}
	c.setTotalRounding()
	if !pt.isInDoubledPrecision {
		pt.roundingErrs.gradErrs = nil // frees memory; these bounds are not needed again
	}
	return c, nil
}

// bestCertificate returns the certificate with the largest lower bound that the proofs for this problem give at pt.
func (pt *Point) bestCertificate(tryCostlyProofs bool) Certificate {
	p := pt.p
	c := Certificate{Upper: pt.Upper(), Lower: math.Inf(-1), ShiftError: pt.ShiftError,
		upperRoundingErr: pt.roundingBounds().primalErr}
	linearMinimum := math.Inf(-1)
	if _, hasResidual := p.Set.(set.Residual); !hasResidual {
		linearMinimum = pt.Oracle().Minimum
	}
	c.Residual = pt.stationarityResidual(linearMinimum)
	c.By = "stationarity"
	if pt.applicableProofs == nil {
		for _, a := range boundProofs {
			if a.appliesTo(p) {
				pt.applicableProofs = append(pt.applicableProofs, a)
			}
		}
	}
	for _, a := range pt.applicableProofs {
		if a.isCostly && !tryCostlyProofs {
			continue
		}
		lower, rounding := a.lowerBound(pt)
		if lower > c.Lower {
			c.Kind, c.By, c.Lower, c.lowerRoundingErr = Global, a.name, lower, rounding
		}
	}
	if c.Infeasible = !p.Set.Contains(pt.Theta); c.Infeasible { // a negative θ_k can make the error bounds NaN
		c.Upper, c.ShiftError, c.upperRoundingErr = math.Inf(1), 0, 0
	}
	return c
}

// stationarityResidual returns the distance of θ from first-order optimality: the set's own Residual, or the
// Frank–Wolfe gap ⟨∇F,θ⟩ − linearMinimum with linearMinimum = min_Θ ⟨∇F,·⟩.
func (pt *Point) stationarityResidual(linearMinimum float64) float64 {
	if r, ok := pt.p.Set.(set.Residual); ok {
		return r.Residual(pt.Theta, pt.Grad())
	}
	return math.Max(floats.Dot(pt.Grad(), pt.Theta)-linearMinimum, 0)
}

// setTotalRounding computes Rounding from upperRoundingErr and lowerRoundingErr. If θ is in Θ only up to rounding, F(θ)
// may be below min F. Upper is then raised to Lower, so that no gap is negative.
func (c *Certificate) setTotalRounding() {
	c.Upper = math.Max(c.Upper, c.Lower)
	c.Rounding = math.Min(c.upperRoundingErr+c.lowerRoundingErr, c.Upper-c.Lower)
}

// tightenLowerBound replaces Lower by the lower bound of other, a certificate of the same problem, if that bound is
// larger. If rounding makes the new Lower larger than Upper, Upper is set to Lower.
func (c *Certificate) tightenLowerBound(other Certificate) {
	if other.Kind == Global && other.Lower > c.Lower {
		c.Kind, c.Lower, c.By, c.lowerRoundingErr = Global, other.Lower, other.By, other.lowerRoundingErr
		c.setTotalRounding()
	}
}

// isLinearFamily reports whether K(θ) = Σ_k θ_kK_k.
func isLinearFamily(p *Problem) bool { return p.Degree() == 1 }

// dualBound returns the lower bound max_{0≤s≤1} s·LinearTerm − ½s²(QuadraticTerm + maxQuadraticForm) of min J, less an
// allowance for rounding errors, and this allowance. s scales the dual coefficients w. maxQuadraticForm +
// maxQuadraticFormErr is at least wᵀK(θ')w for every θ' ∈ Θ and may be +Inf.
func (pt *Point) dualBound(maxQuadraticForm, maxQuadraticFormErr float64) (bound, rounding float64) {
	r := pt.roundingBounds()
	linearTerm := pt.LinearTerm - r.linearErr
	curvature := pt.QuadraticTerm + r.quadraticErr + maxQuadraticForm + maxQuadraticFormErr
	if !(linearTerm > 0) || math.IsInf(curvature, 1) || math.IsNaN(curvature) {
		return 0, 0
	}
	value := maximizeDualOverScaling(linearTerm, curvature)
	valueErr := lastRoundingFactor() * math.Min(linearTerm, value) // the rounding error of value
	valueWithoutErrs := maximizeDualOverScaling(pt.LinearTerm, pt.QuadraticTerm+maxQuadraticForm)
	return value - valueErr, valueErr + valueWithoutErrs - value
}

// maximizeDualOverScaling returns max_{0≤s≤1} s·linear − ½s²·curvature. It avoids s², which may underflow.
func maximizeDualOverScaling(linear, curvature float64) float64 {
	s := 1.0
	if curvature > linear {
		s = linear / curvature
	}
	return s*linear - s*(s*curvature)/2
}
