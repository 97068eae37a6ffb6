package mkl_test

import (
	"context"
	"math"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/kernel/tessellated"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/mkl/mkltest"
	"github.com/mklnb/mkl/algos/set"
)

// whole hides what more the Gram of tessellated kernels can do: steps call SetTheta.
type whole struct{ kernel.Grams }

func (w whole) Degree() int                  { return 1 }
func (w whole) ThetaShape() (rows, cols int) { return w.Grams.ThetaShape() }
func (w whole) New() kernel.Gram             { return struct{ kernel.Gram }{w.Grams.New()} }

// matrices are problems on tessellated kernels.
func matrices(n int) map[string]*mkl.Problem {
	x, y := mkltest.RandomPoints(n, 3, 5)
	labels := make([]float64, n)
	for i, v := range y {
		labels[i] = math.Copysign(1, v)
	}
	all := map[string]*mkl.Problem{}
	for name, f := range map[string]tessellated.Family{
		"plain": {Degree: 1}, "balanced": {Degree: 1, TraceMetric: tessellated.Balanced, UnitMeanDiagonal: true},
		"(z, x)": {Degree: 1, Basis: tessellated.ZX, UnitMeanDiagonal: true},
	} {
		g := f.Bind(x)
		all[name+", classes"] = &mkl.Problem{Grams: g, Set: set.Spectraplex{}, Loss: loss.Hinge{C: 3}, Y: labels}
		all[name+", numbers"] = &mkl.Problem{Grams: g, Set: set.Spectraplex{},
			Loss: loss.EpsilonInsensitive{C: 3, Epsilon: 0.1}, Y: y}
		all[name+", squares"] = &mkl.Problem{Grams: g, Set: set.Spectraplex{}, Loss: loss.Squared{Lambda: 0.1}, Y: y}
	}
	return all
}

// TestRankOne tests that steps of rank one are the steps of Frank–Wolfe; both ends of the bracket hold at every
// step, and close.
func TestRankOne(t *testing.T) {
	for name, p := range matrices(40) {
		best := must(mkl.Solve(context.Background(), p, mkl.SPG{AllowNonsmooth: true},
			&mkl.Settings{Gap: 1e-5, Iterations: 3000}))
		for _, s := range []mkl.FrankWolfe{{}, {ExactLineSearch: true}} {
			tight := &mkl.Settings{Gap: 1e-12, InnerGap: 1e-11, Iterations: 8}
			a := must(mkl.Solve(context.Background(), p, s, tight))
			q := *p
			q.Grams = whole{p.Grams}
			b := must(mkl.Solve(context.Background(), &q, s, tight))
			for i := range a.Trace {
				if i >= len(b.Trace) {
					t.Errorf("%s, %v: %d steps of rank one, %d of whole matrices", name, s, len(a.Trace), len(b.Trace))
					break
				}
				x, z := a.Trace[i], b.Trace[i]
				if math.Abs(x.F-z.F) > 1e-6*math.Abs(z.F) || math.Abs(x.Lower-z.Lower) > 1e-5*math.Abs(z.F) {
					t.Errorf("%s, %v, step %d: F = %.9g and lower bound %.9g, by whole matrices %.9g and %.9g", name, s,
						i, x.F, x.Lower, z.F, z.Lower)
					break
				}
				if s.ExactLineSearch && i > 0 && x.F > a.Trace[i-1].F*(1+1e-8) {
					t.Errorf("%s, %v: F grows from %.12g to %.12g at step %d", name, s, a.Trace[i-1].F, x.F, i)
				}
				if x.Upper < best.Lower*(1-1e-12) || x.Lower > best.Upper*(1+1e-12) {
					t.Errorf("%s, %v, step %d: from %.9g to %.9g does not hold a minimum from %.9g to %.9g", name, s, i,
						x.Lower, x.Upper, best.Lower, best.Upper)
				}
			}
			r, err := mkl.Solve(context.Background(), p, s, &mkl.Settings{Gap: 2e-2, Iterations: 400})
			if err != nil || r.Status != mkl.Certified {
				t.Errorf("%s, %v: %v (%v)", name, s, r, err)
				continue
			}
			if r.ThetaRows*r.ThetaCols != len(r.Theta) || r.ThetaLabels != nil {
				t.Errorf("%s: θ is %d×%d with %d labels", name, r.ThetaRows, r.ThetaCols, len(r.ThetaLabels))
			}
			// the kernel of the result is that of its θ
			pt := must(p.EvaluateAt(t.Context(), r.Theta, r.W))
			if math.Abs(pt.Primal-r.F) > 1e-9*math.Abs(r.F) {
				t.Errorf("%s, %v: F = %.12g at θ, the run said %.12g", name, s, pt.Primal, r.F)
			}
		}
	}
}
