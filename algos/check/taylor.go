package check

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/mklnb/mkl/algos/mkl"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// innerTol is the relative gap to which the dual coefficients are computed at each θ. It is so small that the error of
// F is about the rounding error of F.
const innerTol = 1e-13

// Taylor is the error of an expansion of F as a function of the step length h.
type Taylor struct {
	Order int // order of the expansion: 1 with the gradient, 2 with the Hessian too
	// Slope is the slope of |F(θ+hu) − expansion| against h on log axes, for a direction u. It is fitted to the h <
	// 0.05 at which this error is larger than rounding.
	// It is about Order+1 if the derivatives are correct, and about Order if the derivative of this order is wrong.
	Slope float64
}

// OrderHolds reports whether Slope is at least Order + ¾: the error then falls about as fast as with correct
// derivatives, for which Slope is about Order + 1, or larger in a direction in which the next derivative vanishes.
func (t Taylor) OrderHolds() bool { return t.Slope >= float64(t.Order)+0.75 }

func (t Taylor) String() string {
	verdict := "the derivatives look correct"
	if !t.OrderHolds() {
		verdict = fmt.Sprintf("correct derivatives would give h^%d", t.Order+1)
	}
	return fmt.Sprintf("the error of F's Taylor expansion to order %d falls like h^%.2f for small steps h: %s", t.Order,
		t.Slope, verdict)
}

// Gradient expands F to first order at a random interior θ of Θ, in a random direction u. θ + hu stays in the cone that
// Θ spans:
//
//	|F(θ+hu) − F(θ) − h⟨∇F(θ),u⟩| = O(h²).
func Gradient(p *mkl.Problem, seed uint64) (Taylor, error) { return measureExpansionError(p, seed, 1) }

// Hessian expands F to second order at a random interior θ of Θ. The error is O(h³) for the step length h. Hessian
// returns an error if the family or the loss has no second derivatives.
func Hessian(p *mkl.Problem, seed uint64) (Taylor, error) { return measureExpansionError(p, seed, 2) }

// measureExpansionError fits the slope of the error of an expansion of F of the given order. It evaluates F at 20 step
// lengths h < 0.05 and uses the errors above 1e-11|F|.
func measureExpansionError(p *mkl.Problem, seed uint64, order int) (Taylor, error) {
	t := Taylor{Order: order}
	if err := p.Validate(); err != nil {
		return t, err
	}
	r := rand.New(rand.NewPCG(seed, 0))
	pt, trial := p.NewPoint(), p.NewPoint()
	u := make([]float64, len(pt.Theta))
	storeRandomInteriorPoint(pt.Theta, p, r)
	// u = cs − θ with s in Θ and a random c from 0.5 to 1.5. For 0 ≤ h ≤ 1, θ + hu = (1−h)θ + hcs is in the cone of
	// Θ, where F is defined.
	storeRandomInteriorPoint(u, p, r)
	floats.Scale(0.5+r.Float64(), u)
	floats.Sub(u, pt.Theta)
	if err := pt.Evaluate(nil, innerTol); err != nil {
		return t, err
	}
	f, firstDerivative, secondDerivative := pt.F(), floats.Dot(pt.Grad(), u), 0.0
	if order == 2 {
		var err error
		if secondDerivative, err = secondDerivativeAlong(p, pt, u); err != nil {
			return t, err
		}
	}
	var logH, logE []float64
	for i := 5; i < 25; i++ {
		h := 0.3 * math.Pow(10, -float64(i)/6)
		floats.AddScaledTo(trial.Theta, pt.Theta, h, u)
		if err := trial.Evaluate(nil, innerTol); err != nil {
			return t, err
		}
		e := math.Abs(trial.F() - f - h*firstDerivative - h*h*secondDerivative/2)
		if e > 1e-11*math.Abs(f) {
			logH, logE = append(logH, math.Log(h)), append(logE, math.Log(e))
		}
	}
	if len(logH) < 3 {
		return t, errors.New("check: F is too flat in this direction: the error of its expansion is only rounding; " +
			"use another seed")
	}
	_, t.Slope = stat.LinearRegression(logH, logE, nil, false)
	return t, nil
}

// storeRandomInteriorPoint stores a random point of Θ in dst. The point lies between the set's Start, where every
// coordinate can change, and another point of Θ: the projection of (Start + normal noise).
func storeRandomInteriorPoint(dst []float64, p *mkl.Problem, r *rand.Rand) {
	start := make([]float64, len(dst))
	p.Set.Start(start)
	scale := floats.Norm(start, math.Inf(1))
	for k, v := range start {
		dst[k] = v + scale*r.NormFloat64()
	}
	p.Set.Project(dst, dst)
	mixingWeight := 0.1 + 0.8*r.Float64()
	floats.Scale(mixingWeight, dst)
	floats.AddScaled(dst, 1-mixingWeight, start)
}

// secondDerivativeAlong returns uᵀ∇²F(θ)u. The part of the regularizer r is computed as ⟨∇r(θ+u) − ∇r(θ), u⟩, which is
// exact only if r is quadratic.
func secondDerivativeAlong(p *mkl.Problem, pt *mkl.Point, u []float64) (float64, error) {
	hessU := make([]float64, len(u))
	if !pt.HessianVectorProduct(hessU, u) {
		return 0, errNoSecondDerivatives
	}
	value := floats.Dot(hessU, u)
	if p.Reg != nil {
		thetaPlusU, regGrad, movedRegGrad := make([]float64, len(u)), make([]float64, len(u)), make([]float64, len(u))
		floats.AddTo(thetaPlusU, pt.Theta, u)
		p.Reg.Value(regGrad, pt.Theta)
		p.Reg.Value(movedRegGrad, thetaPlusU)
		value += floats.Dot(movedRegGrad, u) - floats.Dot(regGrad, u)
	}
	return value, nil
}
