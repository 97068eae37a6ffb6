package algos_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data/datasets"
)

// centered are problems of degree d of whole real datasets, features centered, y = ±1, on q-norm balls
// about μ₀ of radius Λ = 2 about 1 and 1 about 0, and how many steps SPG takes at most to a certified
// relative gap of 1e-6: those of an independent implementation in numpy to a first-order gap of the same
// size, plus two, on 2-norm balls.
var centered = []struct {
	data   string
	d      int
	q      float64
	lambda float64
	center float64
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

// TestIterations solves each: SPG in so many steps at most, with a global certificate where there can be one; SPG and
// on 2-norm balls the trust region to 1e-9 and 1e-12, or to what rounding leaves of it. The 1-norm problems of degree 2
// cannot have a global certificate: their residual is as small, and the result claims no more.
func TestIterations(t *testing.T) {
	for _, c := range centered {
		t.Run(fmt.Sprintf("%s d=%d l%g λ=%g μ0=%g", c.data, c.d, c.q, c.lambda, c.center), func(t *testing.T) {
			d := must(datasets.Load(c.data))
			g := kernel.Features{Degree: c.d, Prepare: points.Preprocessing{points.CenterColumns}}.Bind(d.X)
			m, _ := g.Dims()
			ball := set.Ball{Q: c.q, Radius: 1 + c.center, Center: slices.Repeat([]float64{c.center}, m)}
			p := &mkl.Problem{Grams: g, Set: ball, Loss: loss.Squared{Lambda: c.lambda}, Y: d.Y}
			for _, s := range []struct {
				solver mkl.Solver
				gap    float64
			}{{mkl.SPG{}, 1e-6}, {mkl.SPG{}, 1e-9}, {mkl.TrustRegion{}, 1e-9}, {mkl.TrustRegion{}, 1e-12}} {
				if _, err := s.solver.Requirements(p); err != nil {
					continue
				}
				r := must(mkl.Solve(t.Context(), p, s.solver, &mkl.Settings{Gap: s.gap}))
				if steps := len(r.Trace) - 1; s.gap == 1e-6 && steps > c.most {
					t.Errorf("%d steps, want at most %d", steps, c.most)
				}
				if c.global && (r.Kind != mkl.Global || r.Gap()-r.Rounding > s.gap*r.Upper) {
					t.Errorf("%v, want a global certificate with a relative gap of %g but for rounding", r, s.gap)
				}
				if !c.global && (r.Status != mkl.Stationary || r.Kind != mkl.FirstOrder ||
					r.Residual > s.gap*r.Upper) {
					t.Errorf("%v, want stationary to %g and no claim of more", r, s.gap)
				}
			}
		})
	}
}
