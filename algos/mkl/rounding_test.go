package mkl_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data/datasets"

	"gonum.org/v1/gonum/floats"
)

// TestRoundingOfF: on unnormalized kernels of breast-wisconsin rounding is of the order of F for a small λ. No bound
// may be false or cross the other, and nothing contradicts.
func TestRoundingOfF(t *testing.T) {
	d := must(datasets.Load("breast-wisconsin"))
	f := kernel.List{kernel.Linear{}, kernel.Polynomial{Degree: 2, Offset: 1}, kernel.Polynomial{Degree: 3, Offset: 1}}
	p := &mkl.Problem{Grams: f.Bind(d.X), Set: set.Simplex{}, Loss: loss.Squared{Lambda: 1e-3}, Y: d.Y}
	r, err := mkl.Solve(ctx, p, mkl.SPG{}, &mkl.Settings{Iterations: 200})
	const best = 13380.98589 // F(0, 0, 1) by exact arithmetic
	if err != nil || !(r.Gap() > 0) || r.Status == mkl.Certified && !(r.RelativeGap() <= 1e-6) ||
		r.Lower > best*(1+1e-9) {
		t.Errorf("%v, %v, lower %.10g", r, err, r.Lower)
	}
}

// TestOutside: radial scaling leaves the orthant; what is found there claims nothing.
func TestOutside(t *testing.T) {
	x := points.NewRows([][]float64{{1, 0}, {0, 1}, {1, 1}})
	ball := set.Ball{Q: 2, Radius: 3, Center: []float64{1, 1}}
	p := &mkl.Problem{Grams: kernel.Features{}.Bind(x),
		Set: ball, Reg: reg.Ridge{Beta: 1}, Loss: loss.Squared{Lambda: 1},
		Y: []float64{1, 2, 3}}
	for _, rule := range []mkl.StepRule{mkl.Armijo, mkl.Constant, mkl.ShrinkOnLonger, mkl.ShrinkOnIncrease} {
		t.Run(rule.String(), func(t *testing.T) {
			r := must(mkl.Solve(ctx, p, mkl.PGD{Rule: rule, ScaleToSphere: true}, nil))
			if !ball.Contains(r.Theta) && (!r.Infeasible || !math.IsInf(r.Gap(), 1) || !r.Status.IsUnfinished()) {
				t.Errorf("θ = %v is outside: %v", r.Theta, r)
			}
		})
	}
	tiny := set.Ball{Q: 2, Radius: 1e-9, Center: []float64{1, 1}}
	p = &mkl.Problem{Grams: p.Grams, Set: tiny, Loss: p.Loss, Y: p.Y}
	for _, theta := range [][]float64{{1 + 1.5e-9, 1}, {1 + 1e-9, 1 + 1e-9}} {
		r := must(mkl.Solve(ctx, p, mkl.SPG{}, &mkl.Settings{Theta: theta}))
		if d := tiny.Norm(r.Theta); d > 1e-9*(1+1e-6) {
			t.Errorf("from %v to %v, %g from the center of a ball of radius 1e-9: %v", theta, r.Theta, d, r)
		}
	}
	r := must(mkl.EvaluateRule(t.Context(), p, outsideRule{}, 0))
	if !r.Infeasible || !math.IsInf(r.Gap(), 1) {
		t.Errorf("a rule's θ outside Θ: %v", r)
	}
}

// outsideRule chooses a θ that no ball about 1 holds.
type outsideRule struct{}

func (outsideRule) String() string { return "outside" }
func (outsideRule) Weights(_ context.Context, _ *mkl.Problem) ([]float64, error) {
	return []float64{50, 50}, nil
}

// TestAbove: what a certificate leaves open is said rounded up.
func TestAbove(t *testing.T) {
	for r, want := range map[[2]float64]string{{3, 3}: "at most 0 % above", {0, 0}: "at most 0 above",
		{1.00123, 1}: "at most 0.13 % above", {112, 100}: "at most 12 % above", {1.995, 1}: "at most 100 % above",
		{2, 1}: "at most 2 times", {2.01, 1}: "at most 2.1 times", {1234, 1}: "at most 1300 times",
		{0.234, 0}: "at most 0.24 above"} {
		c := mkl.Certificate{Kind: mkl.Global, By: "a", Upper: r[0] - 0.25, ShiftError: 0.25, Lower: r[1]}
		if got := c.BoundText(); got != want {
			t.Errorf("%v above: %q, want %q", c, got, want)
		}
	}
	if got := (mkl.Certificate{}).String(); got != "no certificate" {
		t.Errorf("the certificate that comes with an error prints %q", got)
	}
}

// ownSet is a user's set: whether θ is in it, its projection says, generously.
type ownSet struct{ set.Set }

func (s ownSet) Contains(theta []float64) bool {
	p := make([]float64, len(theta))
	s.Project(p, theta)
	return floats.Distance(p, theta, 2) <= 1e-11*floats.Norm(theta, 2)
}

// TestGapOfRoundedTheta: at a θ that is in Θ to rounding only, F may be below min F; no gap is negative for that.
func TestGapOfRoundedTheta(t *testing.T) {
	n, inside, crossed := 6, 0, 0
	x := points.Rows{N: n, D: 2, Data: []float64{1, 0, 2, 1, -1, 3, 0, 2, 1, 1, -2, 1}}
	y := []float64{1, -2, 0.5, 1, 3, -1}
	for _, theta := range []set.Set{set.Simplex{}, ownSet{set.Simplex{}}, set.Ball{Q: 2, Radius: 1},
		ownSet{set.Ball{Q: 2, Radius: 1}}} {
		p := &mkl.Problem{Grams: kernel.Features{}.Bind(x), Set: theta, Loss: loss.Squared{Lambda: 1}, Y: y}
		best := must(mkl.Solve(ctx, p, mkl.SPG{}, &mkl.Settings{Gap: 1e-13}))
		for e := -16.0; e < -9; e += 0.1 {
			start := []float64{best.Theta[0] * (1 + math.Pow(10, e)), best.Theta[1] * (1 + math.Pow(10, e))}
			if !theta.Contains(start) {
				continue
			}
			inside++
			r := must(mkl.Solve(ctx, p, mkl.SPG{}, &mkl.Settings{Theta: start, Gap: 1e-3, Iterations: 3}))
			pt := pointAt(p, start, 1e-10)
			own := must(p.Certify(pt, true))
			for _, c := range []mkl.Certificate{r.Certificate, own} {
				if c.Gap() == 0 {
					crossed++
				}
				if c.Gap() < 0 || c.Rounding < 0 || strings.Contains(c.String(), "≤ -") {
					t.Errorf("%v, θ too large by 1e%.1f: %v, %+v", theta, e, c, c)
				}
			}
		}
	}
	if inside < 20 || crossed == 0 {
		t.Errorf("%d cases, %d with bounds that cross: the test has none", inside, crossed)
	}
}

// TestFarForm: the trust-region dual of dual coefficients near 1e-88, whose forms have squares that vanish, is below F.
func TestFarForm(t *testing.T) {
	x := points.NewRows([][]float64{{1, 2, 3}, {2, 1, -1}, {3, -1, 1}, {1, 1, 2}})
	lower := func(s float64) float64 {
		p := &mkl.Problem{Grams: kernel.Features{Degree: 2}.Bind(x), Set: set.Ball{Q: 2, Radius: 1,
			Center: []float64{0.14, 0.05, 0.76}},
			Loss: loss.Squared{Lambda: 0.125}, Y: []float64{s, -s, s, -2 * s}}
		r := must(mkl.EvaluateRule(ctx, p, mkl.Uniform{}, 0))
		return r.Lower / s / s
	}
	if one, small := lower(1), lower(0x1p-294); !(math.Abs(small-one) <= 1e-9*one) {
		t.Errorf("Lower = %g, with targets times 2^-294 %g of their squares", one, small)
	}
}
