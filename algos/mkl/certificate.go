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

// Certificate says how good θ is, and by which argument. Its bounds hold in exact arithmetic for
// the stored base matrices, targets, θ and w: a bound of the rounding errors is part of them.
//
// Stored are K_k + δ_kI, which are positive semidefinite for certain (package kernel), not K_k as they were given. J
// grows where K is made smaller, so that for θ ≥ 0 the F of the K_k is at least that of what is stored, everywhere:
// Lower is a bound of its minimum too. At θ it is larger by at most ShiftError, about ½δ‖w‖² for δ = Σθ_kδ_k, so that θ is
// within Gap + ShiftError of its minimum. That matters where λ is near δ, or C near 1/δ. It is 0 of families that are not
// lifted, such as Features.
type Certificate struct {
	Kind  Kind
	By    string  // the argument: "duality", "hidden convexity", …
	Upper float64 // ≥ F(θ)
	Lower float64 // ≤ min F; −Inf if FirstOrder
	// how far θ is from first-order optimal, in units of F, by the gradient as computed: no bound, as α is inexact
	Residual   float64
	Rounding   float64 // how much of Upper − Lower is allowance for rounding errors
	Infeasible bool    // θ is not in Θ: F(θ) may lie below min F, and nothing is claimed of θ
	// F(θ) ≤ Upper + ShiftError of the base matrices as they were given, whose F is nowhere smaller: see above
	ShiftError float64

	above, below float64 // the parts of Rounding in Upper and in Lower
}

// Gap is Upper − Lower; F(θ) − min F is at most that. +Inf if FirstOrder or Infeasible.
func (c Certificate) Gap() float64 {
	if c.Infeasible {
		return math.Inf(1)
	}
	return c.Upper - c.Lower
}

// Relative is Gap/|Upper|; 0 if both are 0.
func (c Certificate) Relative() float64 { return loss.RelativeGap(c.Gap(), c.Upper) }

func (c Certificate) String() string {
	if c.Infeasible {
		return "no certificate: θ lies outside Θ"
	}
	if math.IsInf(c.Upper, 1) {
		return "no certificate: by its rounding errors K + λI may be indefinite"
	}
	if c.Kind == Global {
		return fmt.Sprintf("global certificate by %s: F − min F ≤ %.3g (relative %.2g)", c.By, up(c.Gap(), 3),
			up(c.Relative(), 2))
	}
	return fmt.Sprintf("first-order certificate by %s: residual %.3g (relative %.2g), other minima not excluded",
		c.By, c.Residual, loss.RelativeGap(c.Residual, c.Upper))
}

// BoundText says in words how far Upper + ShiftError is above Lower: "at most 12 % above", "at most 3 times", or of a Lower of 0
// "at most 0.4 above". Two digits, rounded up.
func (c Certificate) BoundText() string {
	high := c.Upper + c.ShiftError
	switch {
	case !(c.Lower > 0):
		return fmt.Sprintf("at most %.2g above", up(high-c.Lower, 2))
	case high >= 2*c.Lower:
		return fmt.Sprintf("at most %.4g times", up(high/c.Lower, 2))
	}
	return fmt.Sprintf("at most %.4g %% above", up(100*math.Max(high/c.Lower-1, 0), 2))
}

// up is v rounded up to so many digits, as a bound is printed.
func up(v float64, digits int) float64 {
	if !(v > 0) || math.IsInf(v, 1) {
		return v
	}
	unit := math.Pow(10, math.Floor(math.Log10(v))-float64(digits-1))
	return math.Ceil(v/unit*(1-1e-12)) * unit
}

// argument is a way to prove a lower bound of min F from an evaluated point.
type argument struct {
	by string
	// suits says whether p is of the kind that the argument is about, before any evaluation.
	suits func(p *Problem) bool
	// lower returns the bound, −Inf where it proves nothing, and how much of it is allowance for
	// rounding, already taken away.
	lower func(pt *Point) (bound, rounding float64)
	// sharp arguments cost more than O(m) and an oracle call.
	sharp bool
}

// arguments are all that Certify knows, one a file. Each holds for an inexact α.
var arguments = []argument{duality, ridgeDuality, cut, monotonicity, hiddenConvexity, trustRegionDual, hiddenRidge,
	gauge}

// Certify proves what it can at an evaluated point. It costs an oracle call and O(m); with sharp
// also O(m³), where the trust-region dual applies, and where rounding is a large part of the gap an
// evaluation in doubled precision (kernel.Doubled), which may replace α and the gradient by better ones.
//
//	duality           d = 1, no r              sup_Θ wᵀK(θ)w = −2 min_Θ ⟨∇J,θ⟩
//	ridge duality     d = 1, r quadratic       min_Θ ⟨∇J,θ⟩ + r(θ) by one projection
//	cut               d = 1, other r           F_α(θ) + ⟨∇F, θ'−θ⟩
//	hidden convexity  d ≤ q, q-norm ball       F(μ₀ + t^{1/q}) is convex in t
//	trust-region dual d = 2 = q, sharp         max over the ball of θᵀQθ, Q ≥ 0 entrywise
//	hidden ridge      d = 2, r = β‖θ‖²         scale α until ½s²λ_max(Q) ≤ β
//	monotonicity      Θ has a greatest element, the maximiser
//	gauge duality     d = 1, θ ≥ 0, r(tθ) = t·r(θ)   scale α until its cut is above 0
//
// It returns an error if the bounds overflow, and ErrContradiction if they exclude each other.
func (p *Problem) Certify(pt *Point, sharp bool) (Certificate, error) {
	c := pt.bounds(sharp)
	if sharp && !c.Infeasible && (math.IsInf(c.Upper, 1) || c.above+c.below > c.Gap()/4) && pt.refine() {
		c = pt.bounds(sharp)
	}
	if slices.ContainsFunc([]float64{c.Upper, c.Lower, c.Residual, c.ShiftError}, math.IsNaN) || math.IsInf(c.Lower, 1) ||
		math.IsInf(c.Upper, -1) {
		return Certificate{}, fmt.Errorf("mkl: the bounds of F = %.3g overflow: %g and %g by %s; %s", pt.F(), c.Lower,
			c.Upper, c.By, rescale)
	}
	if err := pt.contradiction(c.Lower, c.Upper, c.By); err != nil {
		return Certificate{}, err
	}
	c.allow()
	if !pt.refined {
		pt.round.grad = nil // as large as θ, and nobody else asks for it
	}
	return c, nil
}

// bounds is the certificate of a point by the best argument that suits its problem.
func (pt *Point) bounds(sharp bool) Certificate {
	p := pt.p
	c := Certificate{Upper: pt.Upper(), Lower: math.Inf(-1), ShiftError: pt.ShiftError, above: pt.rounding().primal}
	least := math.Inf(-1)
	if _, own := p.Set.(set.Residual); !own {
		least = pt.Oracle().Min
	}
	c.Residual = pt.stationarity(least)
	c.By = "stationarity"
	if pt.suited == nil {
		for _, a := range arguments {
			if a.suits(p) {
				pt.suited = append(pt.suited, a)
			}
		}
	}
	for _, a := range pt.suited {
		if a.sharp && !sharp {
			continue
		}
		lower, rounding := a.lower(pt)
		if lower > c.Lower {
			c.Kind, c.By, c.Lower, c.below = Global, a.by, lower, rounding
		}
	}
	if c.Infeasible = !p.Set.Contains(pt.Theta); c.Infeasible { // of a θ < 0 errors are no numbers
		c.Upper, c.ShiftError, c.above = math.Inf(1), 0, 0
	}
	return c
}

// stationarity is how far θ is from first-order optimal: the set's own Residual, or the Frank–Wolfe gap ⟨∇F,θ⟩ − least,
// least = min_Θ ⟨∇F,·⟩.
func (pt *Point) stationarity(least float64) float64 {
	if r, ok := pt.p.Set.(set.Residual); ok {
		return r.Residual(pt.Theta, pt.Grad())
	}
	return math.Max(floats.Dot(pt.Grad(), pt.Theta)-least, 0)
}

// allow fills Rounding of its two parts. Of a θ that is in Θ to rounding only F may be below min F: Upper is a bound
// of that too, so that no gap is below 0.
func (c *Certificate) allow() {
	c.Upper = math.Max(c.Upper, c.Lower)
	c.Rounding = math.Min(c.above+c.below, c.Upper-c.Lower)
}

// TightenLower takes the lower bound of other, a certificate of the same problem, where that is larger. Where it is above
// Upper, as rounding may have it, Upper becomes as large.
func (c *Certificate) TightenLower(other Certificate) {
	if other.Kind == Global && other.Lower > c.Lower {
		c.Kind, c.Lower, c.By, c.below = Global, other.Lower, other.By, other.below
		c.allow()
	}
}

// linear suits problems with K(θ) = Σ_k θ_kK_k.
func linear(p *Problem) bool { return p.Degree() == 1 }

// dual is max_{0≤s≤1} s·Linear − ½s²(Quadratic + sup) for sup ≥ wᵀK(θ')w on all of Θ, possibly +Inf, given with
// a bound of its error; what rounding may have added to it is taken away.
func (pt *Point) dual(sup, supErr float64) (bound, rounding float64) {
	r := pt.rounding()
	lin, curv := pt.Linear-r.lin, pt.Quadratic+r.quad+sup+supErr
	if !(lin > 0) || math.IsInf(curv, 1) || math.IsNaN(curv) {
		return 0, 0
	}
	value := scaledDual(lin, curv)
	own := 8 * linalg.Epsilon * math.Min(lin, value) // of this line
	return value - own, own + scaledDual(pt.Linear, pt.Quadratic+sup) - value
}

// scaledDual is max_{0≤s≤1} s·lin − ½s²·curv. s² alone may vanish.
func scaledDual(lin, curv float64) float64 {
	s := 1.0
	if curv > lin {
		s = lin / curv
	}
	return s*lin - s*(s*curv)/2
}
