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

// Taylor is how fast the error of an expansion of F falls.
type Taylor struct {
	Order int     // of the expansion: 1 with the gradient, 2 with the Hessian too
	Curve mkl.XYs // |F(θ+hu) − expansion| against h, both > 0
	// of the curve on log axes where rounding does not show: Order+1, or Order if the last derivative is wrong
	Slope float64
}

// Right reports whether the slope is that of right derivatives: at least Order + ¾, as a
// direction in which the next derivative vanishes has a larger one.
func (t Taylor) Right() bool { return t.Slope >= float64(t.Order)+0.75 }

func (t Taylor) String() string {
	verdict := "as with right derivatives"
	if !t.Right() {
		verdict = fmt.Sprintf("with right derivatives it would like h^%d", t.Order+1)
	}
	return fmt.Sprintf("the error of the expansion to order %d falls like h^%.2f: %s", t.Order, t.Slope, verdict)
}

// Gradient expands F to first order at a random interior θ of Θ, in a random direction u that does
// not leave the cone of Θ:
//
//	|F(θ+hu) − F(θ) − h⟨∇F(θ),u⟩| = O(h²).
func Gradient(p *mkl.Problem, seed uint64) (Taylor, error) { return taylor(p, seed, 1) }

// Hessian expands F to second order: what is left is O(h³). It fails if family or loss has no
// second derivatives.
func Hessian(p *mkl.Problem, seed uint64) (Taylor, error) { return taylor(p, seed, 2) }

// taylor expands to the given order. The slope is that of h < 0.05 whose error is above rounding.
func taylor(p *mkl.Problem, seed uint64, order int) (Taylor, error) {
	t := Taylor{Order: order}
	if err := p.Validate(); err != nil {
		return t, err
	}
	r := rand.New(rand.NewPCG(seed, 0))
	pt, trial := p.NewPoint(), p.NewPoint()
	u := make([]float64, len(pt.Theta))
	inside(pt.Theta, p, r)
	// u = cs − θ with s in Θ: θ + hu = (1−h)θ + hcs is in the cone of Θ, where F is defined.
	inside(u, p, r)
	floats.Scale(0.5+r.Float64(), u)
	floats.Sub(u, pt.Theta)
	if err := pt.Evaluate(nil, exact); err != nil {
		return t, err
	}
	f, slope, second := pt.F(), floats.Dot(pt.Grad(), u), 0.0
	if order == 2 {
		var err error
		if second, err = curvature(p, pt, u); err != nil {
			return t, err
		}
	}
	var logH, logE []float64
	for i := range 25 {
		h := 0.3 * math.Pow(10, -float64(i)/6)
		floats.AddScaledTo(trial.Theta, pt.Theta, h, u)
		if err := trial.Evaluate(nil, exact); err != nil {
			return t, err
		}
		e := math.Abs(trial.F() - f - h*slope - h*h*second/2)
		if e == 0 {
			continue
		}
		t.Curve = append(t.Curve, [2]float64{h, e})
		if h < 0.05 && e > 1e-11*math.Abs(f) {
			logH, logE = append(logH, math.Log(h)), append(logE, math.Log(e))
		}
	}
	if len(logH) < 3 {
		return t, errors.New("check: F is too flat in this direction: the expansion's error is rounding")
	}
	_, t.Slope = stat.LinearRegression(logH, logE, nil, false)
	return t, nil
}

// exact is the tolerance of inner solves: F must be known to rounding.
const exact = 1e-13

// curvature is uᵀ∇²F(θ)u. The part of r is a difference of its gradients, exact where r is quadratic.
func curvature(p *mkl.Problem, pt *mkl.Point, u []float64) (float64, error) {
	h := make([]float64, len(u))
	if !pt.HessVec(h, u) {
		return 0, errNoSecond
	}
	c := floats.Dot(h, u)
	if p.Reg != nil {
		at, g, gMoved := make([]float64, len(u)), make([]float64, len(u)), make([]float64, len(u))
		floats.AddTo(at, pt.Theta, u)
		p.Reg.Value(g, pt.Theta)
		p.Reg.Value(gMoved, at)
		c += floats.Dot(gMoved, u) - floats.Dot(g, u)
	}
	return c, nil
}
