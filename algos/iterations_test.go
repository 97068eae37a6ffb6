package algos_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data"
)

// centred are problems of degree d of whole real datasets, features centred, y = ±1, on q-norm balls
// about μ₀ of radius Λ = 2 about 1 and 1 about 0, and how many steps SPG takes at most to a certified
// relative gap of 1e-6: those of an independent implementation in numpy to a first-order gap of the same
// size, plus two, on 2-norm balls.
var centred = []struct {
	data   string
	d      int
	q      float64
	lambda float64
	centre float64
	most   int
	global bool // d ≤ q
}{
	{"sonar", 1, 2, 0.1, 1, 4 + 2, true},
	{"sonar", 1, 2, 0.1, 0, 7 + 2, true},
	{"sonar", 1, 2, 10, 1, 3 + 2, true},
	{"sonar", 2, 2, 0.1, 1, 3 + 2, true},
	{"sonar", 2, 2, 10, 1, 3 + 2, true},
	{"ionosphere", 1, 2, 0.1, 0, 5 + 2, true},
	{"ionosphere", 1, 2, 10, 0, 6 + 2, true},
	{"ionosphere", 2, 2, 0.1, 0, 4 + 2, true},
	{"sonar", 1, 1, 0.1, 0, 100, true},
	{"sonar", 2, 1, 0.1, 0, 70, false},
	{"ionosphere", 2, 1, 0.1, 1, 12, false},
}

// onCentred runs f on each.
func onCentred(t *testing.T, f func(t *testing.T, p *mkl.Problem, most int, global bool)) {
	for _, c := range centred {
		t.Run(fmt.Sprintf("%s d=%d l%g λ=%g μ0=%g", c.data, c.d, c.q, c.lambda, c.centre), func(t *testing.T) {
			d, err := data.Load(c.data)
			if err != nil {
				t.Fatal(err)
			}
			g := kernel.Features{Degree: c.d, Prepare: kernel.Prepare{kernel.CentreColumns}}.On(d.X)
			m, _ := g.Dims()
			ball := set.Ball{Q: c.q, Radius: 1 + c.centre, Center: slices.Repeat([]float64{c.centre}, m)}
			f(t, &mkl.Problem{Grams: g, Set: ball, Loss: loss.Squared{Lambda: c.lambda}, Y: d.Y}, c.most, c.global)
		})
	}
}

// TestIterations bounds the steps of SPG. The 2-norm problems have a global certificate; the 1-norm
// problems of degree 2 cannot.
func TestIterations(t *testing.T) {
	onCentred(t, func(t *testing.T, p *mkl.Problem, most int, global bool) {
		r, err := mkl.Solve(context.Background(), p, mkl.SPG{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		steps := len(r.Trace) - 1
		t.Logf("%d steps (at most %d), %d evaluations: %v", steps, most, r.Trace[steps].Evals, r)
		if steps > most {
			t.Errorf("%d steps, want at most %d", steps, most)
		}
		if global && (r.Status != mkl.Certified || r.Kind != mkl.Global || r.RelativeGap() > 1e-6) {
			t.Errorf("%v, want a global certificate with a relative gap of 1e-6", r)
		}
		if !global && (r.Status != mkl.Stationary || r.Kind != mkl.FirstOrder) {
			t.Errorf("%v, want a stationary point and no claim of more", r)
		}
	})
}

// TestNineDigits solves the same problems to a relative gap of 1e-9, or to what rounding leaves of it, with the
// trust region on 2-norm balls to 1e-12. Where no global certificate exists the residual is as small, and the
// result says that it claims no more.
func TestNineDigits(t *testing.T) {
	onCentred(t, func(t *testing.T, p *mkl.Problem, _ int, global bool) {
		for _, c := range []struct {
			solver mkl.Solver
			gap    float64
		}{{mkl.SPG{}, 1e-9}, {mkl.TrustRegion{}, 1e-9}, {mkl.TrustRegion{}, 1e-12}} {
			if _, err := c.solver.Uses(p); err != nil {
				continue
			}
			r, err := mkl.Solve(context.Background(), p, c.solver, &mkl.Settings{Gap: c.gap})
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d evaluations: %v", r.Trace[len(r.Trace)-1].Evals, r)
			if global && (r.Kind != mkl.Global || r.Gap()-r.Rounding > c.gap*r.Upper) {
				t.Errorf("%v, want a global certificate with a relative gap of %g but for rounding", r, c.gap)
			}
			if !global && (r.Status != mkl.Stationary || r.Kind != mkl.FirstOrder || r.Residual > c.gap*r.Upper) {
				t.Errorf("%v, want stationary to %g and no claim of more", r, c.gap)
			}
		}
	})
}
