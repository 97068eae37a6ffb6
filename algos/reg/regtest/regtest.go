// Package regtest is the conformance suite of reg.Reg: it tests that a regularizer of your own keeps its contract, for
// example that it is convex and that its gradient is right. A test is one line:
//
//	func TestElasticNet(t *testing.T) { regtest.TestReg(t, ElasticNet{Beta: 0.5}, 4) } // with 4 parameters
package regtest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mklnb/mkl/algos/reg"

	"gonum.org/v1/gonum/floats"
)

// TestReg checks r with m parameters, at random points with coordinates of both signs and of the sizes 1, 1e6 and 1e−6:
//
//   - Value is finite and the same with and without grad. It adds to grad and does not modify θ.
//   - r is convex: it is at most linear interpolation between two points, and r(θ') ≥ r(θ) + ⟨g, θ'−θ⟩ with the g that
//     Value adds to grad.
//   - At the random points, the Taylor error |r(θ+hu) − r(θ) − h⟨∇r,u⟩| is of the order of h².
//   - If r is a reg.Majorized, the quadratic equals r at θ and is at least r at another point. If it is exact, it
//     equals r there too.
//   - r is not modified.
//
// TestReg fails if it made no check.
func TestReg(t testing.TB, r reg.Reg, m int) {
	t.Helper()
	c := &checker{TB: t, reg: r, paramCount: m, description: fmt.Sprintf("%T %+v with %d parameters", r, r, m),
		rng: rand.New(rand.NewPCG(uint64(m), 11))}
	if err := r.Validate(m); err != nil {
		t.Errorf("regtest: %s: Validate returns the error %v, want a valid regularizer", c.description, err)
		return
	}
	for _, size := range []float64{1, 1e6, 1e-6} {
		for range 20 {
			c.checkValue(c.randomPoint(size))
			c.checkConvex(c.randomPoint(size), c.randomPoint(size))
		}
		c.checkTaylorError(c.randomPoint(size), c.randomPoint(size))
	}
	if q, ok := r.(reg.Majorized); ok {
		c.checkMajorize(q)
	}
	c.check(fmt.Sprintf("%T %+v with %d parameters", r, r, m) == c.description,
		"the methods modified the regularizer; it is now %+v", r)
	if c.checkCount == 0 {
		t.Errorf("regtest: %s: no check ran; the suite needs at least one", c.description)
	}
	t.Logf("regtest: %s: %d checks", c.description, c.checkCount)
}

// checker holds the state of one call of TestReg.
type checker struct {
	testing.TB
	reg         reg.Reg
	paramCount  int
	description string
	rng         *rand.Rand
	checkCount  int
}

// check counts one check and reports an error if ok is false.
func (c *checker) check(ok bool, format string, a ...any) {
	c.Helper()
	c.checkCount++
	if !ok {
		c.Errorf("regtest: %s: "+format, append([]any{c.description}, a...)...)
	}
}

// randomPoint returns m normal numbers of standard deviation size.
func (c *checker) randomPoint(size float64) []float64 {
	x := make([]float64, c.paramCount)
	for k := range x {
		x[k] = size * c.rng.NormFloat64()
	}
	return x
}

// checkValue checks that Value(grad, theta) is finite, adds the gradient to grad, is the same for grad = nil, and does
// not modify theta.
func (c *checker) checkValue(theta []float64) {
	thetaBefore, grad, accumulatedGrad := slices.Clone(theta), make([]float64, c.paramCount), make([]float64,
		c.paramCount)
	v := c.reg.Value(nil, theta)
	c.check(!math.IsNaN(v) && !math.IsInf(v, 0), "Value is %g at θ = %v, want a finite number", v, theta)
	c.check(c.reg.Value(grad, theta) == v, "Value returns another number with grad than without")
	for k := range accumulatedGrad {
		accumulatedGrad[k] = float64(k) - 1
	}
	expectedGrad := slices.Clone(accumulatedGrad)
	floats.Add(expectedGrad, grad)
	c.reg.Value(accumulatedGrad, theta)
	c.check(floats.EqualApprox(accumulatedGrad, expectedGrad, 1e-15*float64(c.paramCount)),
		"Value does not add to grad: got %v, want %v", accumulatedGrad, expectedGrad)
	c.check(slices.Equal(theta, thetaBefore), "Value modifies θ")
}

// checkConvex checks that r is convex between x and y, and that Value gives a subgradient at x.
func (c *checker) checkConvex(x, y []float64) {
	grad, midpoint := make([]float64, c.paramCount), make([]float64, c.paramCount)
	fx, fy := c.reg.Value(grad, x), c.reg.Value(nil, y)
	tol := 1e-13 * (math.Abs(fx) + math.Abs(fy))
	linearChange := floats.Dot(grad, y) - floats.Dot(grad, x)
	roundingScale := floats.Norm(grad, 2) * (floats.Norm(x, 2) + floats.Norm(y, 2))
	c.check(fy >= fx+linearChange-tol-1e-13*roundingScale,
		"the gradient is not a subgradient: r(θ') = %g is below the tangent %g", fy, fx+linearChange)
	for _, t := range []float64{0.1, 0.5, 0.8} {
		floats.ScaleTo(midpoint, 1-t, x)
		floats.AddScaled(midpoint, t, y)
		f := c.reg.Value(nil, midpoint)
		c.check(f <= (1-t)*fx+t*fy+tol, "r is not convex: r = %g is above the chord %g", f, (1-t)*fx+t*fy)
	}
}

// checkTaylorError checks that |r(x+hu) − r(x) − h⟨∇r,u⟩| falls at least by a factor of 100/1.1, up to rounding, each
// time h falls by a factor of 10 from 1e-2 to 1e-5. If r is linear, this error is only rounding.
func (c *checker) checkTaylorError(x, u []float64) {
	grad, y := make([]float64, c.paramCount), make([]float64, c.paramCount)
	fx := c.reg.Value(grad, x)
	gu, lastError := floats.Dot(grad, u), math.Inf(1)
	for _, h := range []float64{1e-2, 1e-3, 1e-4, 1e-5} {
		floats.AddScaledTo(y, x, h, u)
		e := math.Abs(c.reg.Value(nil, y) - fx - h*gu)
		rounding := 1e-14 * (math.Abs(fx) + math.Abs(gu))
		c.check(e <= lastError/100*1.1+rounding, "the slope of the Taylor error from h = %g to %g is %.2f, want 2",
			10*h, h, math.Log10(lastError/e))
		lastError = e
	}
}

// checkMajorize checks that the quadratic of Majorize is at least r, and equal to r at the given point.
func (c *checker) checkMajorize(r reg.Majorized) {
	for _, size := range []float64{1, 1e6, 1e-6} {
		touchPoint := c.randomPoint(size)
		q, ok := r.Majorize(touchPoint)
		if !ok {
			return
		}
		isValid := q.A > 0 && len(q.C) == c.paramCount
		c.check(isValid, "Majorize: A = %g, want > 0; C of length %d, want %d", q.A, len(q.C), c.paramCount)
		if !isValid {
			return
		}
		for i, theta := range [][]float64{touchPoint, c.randomPoint(size)} {
			d := floats.Distance(theta, q.C, 2)
			got, want := c.reg.Value(nil, theta), q.A*d*d+q.K
			tol := 1e-12 * (q.A*d*d + math.Abs(q.K))
			c.check(got <= want+tol, "r(θ) = %g is above A‖θ−C‖² + K = %g", got, want)
			c.check(i > 0 && !q.IsExact || got >= want-tol, "r(θ) = %g differs from A‖θ−C‖² + K = %g", got, want)
		}
	}
}
