package mkl_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/mkl/mkltest"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"
)

// signs are the signs of y.
func signs(y []float64) []float64 {
	s := make([]float64, len(y))
	for i, v := range y {
		s[i] = math.Copysign(1, v)
	}
	return s
}

// kinked are problems with the hinge loss on features of lower rank than points, so that F has kinks,
// and on kernels of full rank, where it has none.
func kinked() (cs []mkltest.Case) {
	x, y := mkltest.RandomPoints(40, 8, 21)
	y = signs(y)
	for name, g := range map[string]kernel.Grams{
		"features": kernel.Features{Degree: 1}.Bind(x),
		"RBF": kernel.Sum{Kernels: kernel.List{kernel.RBF{Gamma: 0.05}, kernel.RBF{Gamma: 0.2},
			kernel.RBF{Gamma: 1}, kernel.Laplacian{Gamma: 0.5}}}.Bind(x),
		"sum": kernel.Sum{Kernels: kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 0.1}, kernel.RBF{Gamma: 1},
			kernel.Laplacian{Gamma: 0.5}}, Normalize: kernel.MeanDiagonal}.Bind(x),
	} {
		for _, s := range []set.Set{set.Simplex{}, set.Ball{Q: 2, Radius: 1}, set.Ball{Q: 1.5, Radius: 2}} {
			for _, c := range []float64{0.1, 1, 10} {
				cs = append(cs, mkltest.Case{Name: fmt.Sprintf("%s, %T, C=%g", name, s, c),
					Problem: &mkl.Problem{Grams: g, Set: s, Loss: loss.Hinge{C: c},
						Y: y}, HasGlobalCertificate: true})
			}
		}
	}
	return cs
}

func TestLevel(t *testing.T) {
	t.Run("kinks", func(t *testing.T) {
		mkltest.TestSolver(t, mkl.Level{}, mkltest.Options{Cases: kinked(), Gap: 1e-6, Iterations: 300,
			MaxWarmStartSteps: 60})
	})
	t.Run("smooth", func(t *testing.T) {
		mkltest.TestSolver(t, mkl.Level{}, mkltest.Options{Gap: 1e-6, Iterations: 300, MaxWarmStartSteps: 40})
	})
}

// TestLevelAtKinks tests that problems on which the line search of SPG stalls or creeps are certified in a few
// evaluations; from single α there is no certificate at a kink, from aggregated ones there is.
func TestLevelAtKinks(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		n, d int
		c    float64
	}{{60, 5, 0.1}, {60, 20, 1}, {60, 40, 0.1}} {
		x, y := mkltest.RandomPoints(c.n, c.d, 5)
		p := &mkl.Problem{Grams: kernel.Features{Degree: 1}.Bind(x), Set: set.Simplex{}, Loss: loss.Hinge{C: c.c},
			Y: signs(y)}
		spg := must(mkl.Solve(ctx, p, mkl.SPG{AllowNonsmooth: true}, &mkl.Settings{Iterations: 150}))
		r := must(mkl.Solve(ctx, p, mkl.Level{}, &mkl.Settings{Iterations: 150}))
		if evals := func(r *mkl.Result) int { return r.Trace[len(r.Trace)-1].Evals }; !spg.Status.IsUnfinished() &&
			evals(spg) < 5*evals(r) {
			t.Errorf("%+v: SPG: %v: no kink to be seen beside %v", c, spg, r)
		}
		if r.Status != mkl.Certified || spg.F < r.Lower || spg.Lower > r.F {
			t.Errorf("%+v: %v; SPG: %v", c, r, spg)
		}
		pt := must(p.EvaluateAt(ctx, r.Theta, r.W))
		single, err := p.Certify(pt, false)
		if err != nil || single.Lower >= r.Lower || r.By != single.By {
			t.Errorf("%+v: lower bound %g by %q; the α of the result alone proves %g by %q, want less (%v)", c, r.Lower,
				r.By, single.Lower, single.By, err)
		}
	}
}

// simplexCases are those of kinked on a simplex, and of the squared loss.
func simplexCases() (cs []mkltest.Case) {
	for _, c := range append(kinked(), mkltest.Cases()...) {
		if _, ok := c.Set.(set.Simplex); ok {
			cs = append(cs, c)
		}
	}
	return cs
}

func TestReducedGradient(t *testing.T) {
	var smooth []mkltest.Case
	for _, c := range simplexCases() {
		if !strings.HasPrefix(c.Name, "features, ") { // kinks: see below
			smooth = append(smooth, c)
		}
	}
	mkltest.TestSolver(t, mkl.ReducedGradient{}, mkltest.Options{Cases: smooth, Gap: 1e-5, MaxWarmStartSteps: 20})
}

// TestReducedGradientVertices tests that runs are certified for matrices of rank one, of which the best is often alone,
// with the slope of r and without, and targets that are all 0, which leave r.
func TestReducedGradientVertices(t *testing.T) {
	const n, m = 12, 5
	rng := rand.New(rand.NewPCG(4, 4))
	var columns kernel.List
	for k := range m {
		columns = append(columns, kernel.Linear{Columns: []int{k}})
	}
	for draw := range 40 {
		x, c, y := points.Rows{N: n, D: m, Data: make([]float64, n*m)}, make([]float64, m), make([]float64, n)
		for i := range x.Data {
			x.Data[i] = rng.NormFloat64()
		}
		for i := range y {
			if draw%4 < 3 {
				y[i] = x.Row(i)[0] + 0.3*rng.NormFloat64()
			}
		}
		p := &mkl.Problem{Grams: columns.Bind(x), Set: set.Simplex{}, Loss: loss.Squared{Lambda: 0.5}, Y: y}
		if draw%2 == 1 {
			for k := range c {
				c[k] = rng.NormFloat64()
			}
			p.Reg = slant{c}
		}
		r, err := mkl.Solve(context.Background(), p, mkl.ReducedGradient{}, &mkl.Settings{Gap: 1e-5})
		if err != nil || r.Status != mkl.Certified {
			t.Errorf("draw %d: %v, %v", draw, r, err)
		}
	}
}

// TestReducedGradientKinks tests that where F has kinks a run may stall above the minimum, and then says so.
func TestReducedGradientKinks(t *testing.T) {
	for _, c := range simplexCases() {
		if !strings.HasPrefix(c.Name, "features, ") {
			continue
		}
		r := must(mkl.Solve(context.Background(), c.Problem, mkl.ReducedGradient{}, &mkl.Settings{Gap: 1e-5}))
		if r.Status != mkl.Certified && r.Status != mkl.Stalled || r.RelativeGap() > 0.2 {
			t.Errorf("%s: %v", c.Name, r)
		}
	}
}
