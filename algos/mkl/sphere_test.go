package mkl_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/mkl/mkltest"
	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/floats"
)

// randomBall is a random problem of degree d on a 2-norm ball: n from 20 to 50 points, m from 2 to 12 features,
// λ from 1e-2 to 10 times the mean diagonal of K, center 0 or 1, a radius of 0.5 to 8.
func randomBall(d int, seed uint64) *mkl.Problem {
	r := rand.New(rand.NewPCG(seed, uint64(d)))
	n, m := 20+r.IntN(31), 2+r.IntN(11)
	x, y := mkltest.RandomPoints(n, m, seed)
	ball := set.Ball{Q: 2, Radius: 0.5 * math.Pow(16, r.Float64())}
	if r.IntN(2) == 1 {
		ball.Center = make([]float64, m)
		floats.AddConst(1, ball.Center)
	}
	g := kernel.Features{Degree: d}.Bind(x)
	k, theta, mean := g.New(), make([]float64, m), 0.0
	ball.Start(theta)
	k.SetTheta(theta)
	for i := range n {
		mean += k.K().At(i, i) / float64(n)
	}
	return &mkl.Problem{Grams: g, Set: ball, Loss: loss.Squared{Lambda: mean * math.Pow(10, -2+3*r.Float64())}, Y: y}
}

// TestSphere tests that the gradient is the derivative along great circles, the Hessian the second one, and Retract
// keeps the sphere.
func TestSphere(t *testing.T) {
	for d := 1; d <= 4; d++ {
		for seed := range uint64(5) {
			p := randomBall(d, seed)
			m, _ := p.Grams.Dims()
			center := make([]float64, m)
			floats.AddConst(1, center)
			s := mkl.Sphere{Radius: 0.8, Center: center}
			r := rand.New(rand.NewPCG(seed, 5))
			theta, x := make([]float64, m), make([]float64, m)
			for k := range theta {
				theta[k], x[k] = 1+r.Float64(), r.NormFloat64()
			}
			s.ReflectAboveCenter(theta, theta)
			xi, v := make([]float64, m), make([]float64, m)
			s.ProjectToTangent(xi, theta, x)
			s.ProjectToTangent(v, theta, xi)
			if e := floats.Distance(v, xi, 2); e > 1e-14*floats.Norm(xi, 2) {
				t.Errorf("P of a tangent vector moves it by %g", e)
			}
			floats.SubTo(v, theta, center)
			if e := math.Abs(floats.Dot(v, xi)); e > 1e-14 {
				t.Errorf("⟨θ−μ₀, Px⟩ = %g, want 0", e)
			}
			// the great circle through θ with the velocity ξ
			speed := floats.Norm(xi, 2) / s.Radius
			circle := func(h float64) float64 {
				pt := p.NewPoint()
				for k := range pt.Theta {
					pt.Theta[k] = center[k] + math.Cos(h*speed)*v[k] + math.Sin(h*speed)/speed*xi[k]
				}
				if err := pt.Evaluate(nil, 1e-14); err != nil {
					t.Fatal(err)
				}
				return pt.F()
			}
			pt := pointAt(p, theta, 1e-14)
			grad, h := make([]float64, m), make([]float64, m)
			s.ProjectToTangent(grad, theta, pt.Grad())
			pt.HessianVectorProduct(h, xi)
			s.Hessian(h, theta, pt.Grad(), h, xi)
			const e = 1e-3 // errors of order e² in the derivatives' units
			first, second := (circle(e)-circle(-e))/(2*e), (circle(e)-2*circle(0)+circle(-e))/(e*e)
			size := math.Abs(pt.F()) * speed * speed
			if got := floats.Dot(grad, xi); math.Abs(got-first) > 1e-4*(size+math.Abs(first)) {
				t.Errorf("degree %d, seed %d: ⟨grad F, ξ⟩ = %g, along the great circle %g", d, seed, got, first)
			}
			if got := floats.Dot(h, xi); math.Abs(got-second) > 1e-4*(size+math.Abs(second)) {
				t.Errorf("degree %d, seed %d: ⟨ξ, Hess F[ξ]⟩ = %g, along the great circle %g", d, seed, got, second)
			}
			moved := make([]float64, m)
			s.Retract(moved, theta, xi)
			if got := floats.Distance(moved, center, 2); math.Abs(got-s.Radius) > 1e-14 {
				t.Errorf("R(ξ) is %g from the center, want %g", got, s.Radius)
			}
			// F at the folded point is not greater
			for k := range moved {
				moved[k] = center[k] * (1 + r.NormFloat64())
			}
			s.ReflectAboveCenter(v, moved)
			f := [2]float64{}
			for i, at := range [][]float64{moved, v} {
				if i == 0 { // on the sphere, with its signs
					floats.Sub(at, center)
					floats.Scale(s.Radius/floats.Norm(at, 2), at)
					floats.Add(at, center)
				}
				copy(pt.Theta, at)
				if err := pt.Evaluate(nil, 1e-14); err != nil {
					t.Fatal(err)
				}
				f[i] = pt.F()
			}
			if f[1] > f[0]*(1+1e-12) {
				t.Errorf("degree %d, seed %d: F = %g, folded %g", d, seed, f[0], f[1])
			}
		}
	}
}
