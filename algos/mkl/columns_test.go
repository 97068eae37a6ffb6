package mkl_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mklnb/mkl/algos/check"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/mkl/mkltest"
	"github.com/mklnb/mkl/algos/set"
)

// One θ of several columns: F and its derivatives are sums, equal columns give the θ of one, and the
// certificate holds against F anywhere in Θ.
func TestColumns(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	n := 14
	x, y := mkltest.RandomPoints(n, 3, 7)
	for range 2 * n {
		y = append(y, r.NormFloat64())
	}
	of := loss.Squared{Lambda: 0.4}
	for name, f := range map[string]kernel.Family{
		"sum":      kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 0.5}, kernel.RBF{Gamma: 3}},
		"features": kernel.Features{Degree: 2},
	} {
		g := f.Bind(x)
		for _, s := range []set.Set{set.Simplex{}, set.Ball{Q: 2, Radius: 1}} {
			p := &mkl.Problem{Grams: g, Set: s, Loss: loss.Repeat(of, 3), Y: y}
			m, _ := g.Dims()
			for _, taylor := range []func(*mkl.Problem, uint64) (check.Taylor, error){check.Gradient, check.Hessian} {
				if c, err := taylor(p, 3); err != nil || !c.OrderHolds() {
					t.Errorf("%s, %T: %v, %v", name, s, c, err)
				}
			}
			at := func(theta []float64) float64 {
				q := pointAt(p, theta, 1e-12)
				return q.F()
			}
			res := must(mkl.Solve(context.Background(), p, mkl.SPG{}, &mkl.Settings{Gap: 1e-7}))
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
			a := must(mkl.Solve(context.Background(), one, mkl.SPG{}, &mkl.Settings{Gap: 1e-8}))
			twice := &mkl.Problem{Grams: g, Set: s, Loss: loss.Repeat(of, 2), Y: slices.Concat(one.Y, one.Y)}
			b := must(mkl.Solve(context.Background(), twice, mkl.SPG{}, &mkl.Settings{Gap: 1e-8}))
			if math.Abs(b.F-2*a.F) > 1e-6*a.F || !slices.Equal(b.W[:n], b.W[n:]) || len(b.Biases) != 2 {
				t.Errorf("%s, %T: two equal columns give F = %v, one %v", name, s, b.F, a.F)
			}
		}
		p := &mkl.Problem{Grams: g, Set: set.Simplex{}, Loss: loss.Repeat(of, 3), Y: y}
		p.Y = y[:2*n]
		if p.Validate() == nil {
			t.Errorf("%s: 3 columns and targets of 2: no error", name)
		}
	}
}
