package mkl_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/floats"
)

// One θ of several columns: F and its derivatives are sums, equal columns give the θ of one, and the
// certificate holds against F anywhere in Θ.
func TestColumns(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	n := 14
	x := points.Rows{N: n, D: 3, Data: make([]float64, 3*n)}
	for i := range x.Data {
		x.Data[i] = r.NormFloat64()
	}
	y := make([]float64, 3*n)
	for i := range y {
		y[i] = r.NormFloat64()
	}
	y[5] = math.NaN()
	of := loss.Squared{Lambda: 0.4}
	for name, f := range map[string]kernel.Family{
		"sum":      kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 0.5}, kernel.RBF{Gamma: 3}},
		"features": kernel.Features{Degree: 2},
	} {
		g := f.On(x)
		for _, s := range []set.Set{set.Simplex{}, set.Ball{Q: 2, Radius: 1}} {
			p := &mkl.Problem{Grams: g, Set: s, Loss: loss.Repeat(of, 3), Y: y}
			m, _ := g.Dims()
			pt, u, h := p.NewPoint(), make([]float64, m), make([]float64, m)
			s.Start(pt.Theta)
			at := func(theta []float64) float64 {
				q := p.NewPoint()
				copy(q.Theta, theta)
				if err := q.Evaluate(nil, 1e-12); err != nil {
					t.Fatal(err)
				}
				return q.F()
			}
			if err := pt.Evaluate(nil, 1e-12); err != nil {
				t.Fatal(err)
			}
			for k := range u {
				u[k] = r.Float64() - 0.5
			}
			const e = 1e-3
			up, down := slices.Clone(pt.Theta), slices.Clone(pt.Theta)
			floats.AddScaled(up, e, u)
			floats.AddScaled(down, -e, u)
			slope := (at(up) - at(down)) / (2 * e)
			if got := floats.Dot(pt.Grad(), u); math.Abs(got-slope) > 1e-4*math.Abs(slope)+1e-5 {
				t.Errorf("%s, %T: slope %v, by differences %v", name, s, got, slope)
			}
			if pt.HessVec(h, u) {
				second := (at(up) + at(down) - 2*at(pt.Theta)) / (e * e)
				if got := floats.Dot(h, u); math.Abs(got-second) > 1e-3*math.Abs(second) {
					t.Errorf("%s, %T: curvature %v, by differences %v", name, s, got, second)
				}
			} else {
				t.Errorf("%s: no Hessian", name)
			}
			res, err := mkl.Solve(context.Background(), p, mkl.SPG{}, &mkl.Settings{Gap: 1e-7})
			if err != nil {
				t.Fatal(err)
			}
			if name == "sum" && res.Status != mkl.Certified {
				t.Errorf("%s, %T: %v", name, s, res)
			}
			theta := make([]float64, m)
			for range 100 {
				for k := range theta {
					theta[k] = r.ExpFloat64()
				}
				s.Project(theta, theta)
				if v := at(theta); v < res.Lower {
					t.Errorf("%s, %T: F = %v at %v, below the bound %v", name, s, v, theta, res.Lower)
				}
			}
			one := &mkl.Problem{Grams: g, Set: s, Loss: of, Y: y[n : 2*n]}
			a, err := mkl.Solve(context.Background(), one, mkl.SPG{}, &mkl.Settings{Gap: 1e-8})
			if err != nil {
				t.Fatal(err)
			}
			twice := &mkl.Problem{Grams: g, Set: s, Loss: loss.Repeat(of, 2), Y: slices.Concat(one.Y, one.Y)}
			b, err := mkl.Solve(context.Background(), twice, mkl.SPG{}, &mkl.Settings{Gap: 1e-8})
			if err != nil {
				t.Fatal(err)
			}
			if math.Abs(b.F-2*a.F) > 1e-6*a.F || !slices.Equal(b.W[:n], b.W[n:]) || len(b.Biases) != 2 {
				t.Errorf("%s, %T: two equal columns give F = %v, one %v", name, s, b.F, a.F)
			}
		}
		p := &mkl.Problem{Grams: g, Set: set.Simplex{}, Loss: loss.Repeat(of, 3), Y: y}
		q, err := p.Slice([]int{5, 2})
		if err != nil {
			t.Fatal(err)
		}
		if want := []float64{y[2], y[n+5], y[n+2], y[2*n+5], y[2*n+2]}; !math.IsNaN(q.Y[0]) ||
			!slices.Equal(q.Y[1:], want) {
			t.Errorf("%s: a slice of columns is %v, want NaN, %v", name, q.Y, want)
		}
		p.Y = y[:2*n]
		if p.Validate() == nil {
			t.Errorf("%s: 3 columns and targets of 2: no error", name)
		}
	}
}
