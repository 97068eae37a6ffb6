// Package check probes what papers claim of F: derivatives by Taylor's theorem, convexity by chords.
// A probe can refute, never prove: certificates do that (package mkl).
package check

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/floats"
)

// Taylor is how fast an expansion of F fails.
type Taylor struct {
	Curve mkl.XYs // |F(θ+hu) − expansion| against h, both > 0
	Slope float64 // of the curve on log axes where rounding does not show: 2 for a right gradient, 3 with a right Hessian
}

// Gradient expands F to first order in a random direction u at a random interior θ of Θ:
//
//	|F(θ+hu) − F(θ) − h⟨∇F(θ),u⟩| = O(h²).
func Gradient(p *mkl.Problem, seed uint64) (Taylor, error) { return taylor(p, seed, false) }

// Hessian expands F to second order: what is left is O(h³). It fails if family or loss has no
// second derivatives.
func Hessian(p *mkl.Problem, seed uint64) (Taylor, error) { return taylor(p, seed, true) }

// Slope is the slope of Gradient: 2.
func Slope(p *mkl.Problem, seed uint64) (float64, error) {
	t, err := Gradient(p, seed)
	return t.Slope, err
}

func taylor(p *mkl.Problem, seed uint64, second bool) (Taylor, error) {
	if err := p.Validate(); err != nil {
		return Taylor{}, err
	}
	r := rand.New(rand.NewPCG(seed, 0))
	pt, u := p.NewPoint(), make([]float64, 0)
	copy(pt.Theta, random(p, r, pt.Theta))
	for _, v := range pt.Theta { // relative to θ, so that θ + hu ≥ 0 for h ≤ ½
		u = append(u, (2*r.Float64()-1)*v)
	}
	if err := pt.Evaluate(nil, 1e-13); err != nil {
		return Taylor{}, err
	}
	f0, slope, curv := pt.F(), floats.Dot(pt.Grad(), u), 0.0
	if second {
		h := make([]float64, len(u))
		if !pt.HessVec(h, u) {
			return Taylor{}, fmt.Errorf("check: family or loss has no second derivatives")
		}
		curv = floats.Dot(h, u)
		if p.Reg != nil { // r's part by its own gradient, exact for a quadratic r
			a, b, at := make([]float64, len(u)), make([]float64, len(u)), make([]float64, len(u))
			floats.AddScaledTo(at, pt.Theta, 1, u)
			p.Reg.Value(a, pt.Theta)
			p.Reg.Value(b, at)
			curv += floats.Dot(b, u) - floats.Dot(a, u)
		}
	}
	t, trial := Taylor{}, p.NewPoint()
	var sx, sy, sxx, sxy, n float64
	for i := range 25 {
		h := 0.3 * math.Pow(10, -float64(i)/6)
		floats.AddScaledTo(trial.Theta, pt.Theta, h, u)
		if err := trial.Evaluate(nil, 1e-13); err != nil {
			return Taylor{}, err
		}
		e := math.Abs(trial.F() - f0 - h*slope - h*h*curv/2)
		if e == 0 {
			continue
		}
		t.Curve = append(t.Curve, [2]float64{h, e})
		if h < 0.05 && e > 1e-11*math.Abs(f0) {
			x, y := math.Log(h), math.Log(e)
			sx, sy, sxx, sxy, n = sx+x, sy+y, sxx+x*x, sxy+x*y, n+1
		}
	}
	if n < 3 {
		return t, fmt.Errorf("check: F is too flat in this direction: the expansion's error is rounding")
	}
	t.Slope = (n*sxy - sx*sy) / (n*sxx - sx*sx)
	return t, nil
}

// random is a random point of Θ, every coordinate at least a little inside.
func random(p *mkl.Problem, r *rand.Rand, like []float64) []float64 {
	x := make([]float64, len(like))
	p.Set.Start(x)
	scale := floats.Norm(x, math.Inf(1))
	for k := range x {
		x[k] += scale * r.NormFloat64()
	}
	p.Set.Project(x, x)
	s := make([]float64, len(x))
	p.Set.Start(s)
	w := 0.1 + 0.8*r.Float64()
	for k := range x {
		x[k] = w*x[k] + (1-w)*s[k]
	}
	return x
}

// Chords draws pairs of random points a, b of Θ and returns the worst violation of convexity,
//
//	max over pairs of  F((a+b)/2) − (F(a)+F(b))/2,  relative to |F|, and 0 if that is negative.
func Chords(p *mkl.Problem, pairs int, seed uint64) (float64, error) {
	return chords(p, pairs, seed, func(m, a, b []float64) {
		for k := range m {
			m[k] = (a[k] + b[k]) / 2
		}
	})
}

// HiddenChords is Chords of F(μ₀ + t^{1/q}) as a function of t ≥ 0 on a q-norm ball, 1 ≤ q < ∞: the
// midpoint is taken in t = (θ−μ₀)^q. For a family of degree d ≤ q it is convex.
func HiddenChords(p *mkl.Problem, pairs int, seed uint64) (float64, error) {
	b, ok := p.Set.(set.Ball)
	if !ok || math.IsInf(b.Q, 1) {
		return 0, fmt.Errorf("check: hidden convexity is that of a q-norm ball with q < ∞, not of %T", p.Set)
	}
	return chords(p, pairs, seed, func(m, x, y []float64) {
		for k := range m {
			c := 0.0
			if b.Center != nil {
				c = b.Center[k]
			}
			s := math.Pow(math.Max(x[k]-c, 0), b.Q) + math.Pow(math.Max(y[k]-c, 0), b.Q)
			m[k] = c + math.Pow(s/2, 1/b.Q)
		}
	})
}

func chords(p *mkl.Problem, pairs int, seed uint64, middle func(m, a, b []float64)) (float64, error) {
	if err := p.Validate(); err != nil {
		return 0, err
	}
	if pairs < 1 {
		return 0, fmt.Errorf("check: %d pairs, want 1 or more", pairs)
	}
	r := rand.New(rand.NewPCG(seed, 1))
	pt := p.NewPoint()
	at := func(x []float64) (float64, error) {
		copy(pt.Theta, x)
		err := pt.Evaluate(nil, 1e-12)
		return pt.F(), err
	}
	floor := func(x []float64) { // hidden convexity is a claim on θ ≥ μ₀
		if b, ok := p.Set.(set.Ball); ok && b.Center != nil {
			for k := range x {
				x[k] = math.Max(x[k], b.Center[k])
			}
		}
	}
	worst, m := 0.0, make([]float64, len(pt.Theta))
	for range pairs {
		a, b := random(p, r, m), random(p, r, m)
		floor(a)
		floor(b)
		middle(m, a, b)
		fa, err := at(a)
		if err != nil {
			return 0, err
		}
		fb, err := at(b)
		if err != nil {
			return 0, err
		}
		fm, err := at(m)
		if err != nil {
			return 0, err
		}
		worst = math.Max(worst, (fm-(fa+fb)/2)/math.Max(math.Abs(fm), 1e-300))
	}
	return worst, nil
}
