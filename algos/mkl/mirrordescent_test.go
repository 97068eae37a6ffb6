package mkl_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/mkl/mkltest"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/floats"
)

// huber is a convex regularizer of a user's own: Σ of the Huber losses of θ − S, by value and subgradient alone.
type huber struct {
	rho float64
	s   []float64
}

func (h huber) Validate(m int) error {
	if len(h.s) != m {
		return fmt.Errorf("huber: %d numbers, want %d", len(h.s), m)
	}
	return nil
}

func (h huber) Value(grad, theta []float64) (v float64) {
	for k, x := range theta {
		d := x - h.s[k]
		g := math.Max(-0.3, math.Min(0.3, d))
		v += h.rho * g * (d - g/2)
		if grad != nil {
			grad[k] += h.rho * g
		}
	}
	return v
}

// mirrorCases are cases on bounded sets, without those that mirror descent takes long for.
func mirrorCases() (cs []mkltest.Case) {
	for _, d := range []reg.Distance{reg.OneNorm, reg.TwoNorm, reg.SquaredNorm} {
		for _, c := range matrixCases(d) {
			if _, ok := c.Set.(set.Spectraplex); ok && c.Reg.(reg.DistancePenalty).Rho == 0.3 {
				cs = append(cs, c)
			}
		}
	}
	s, y := noisy(12, 0.3, 5)
	p := learned(y, 1, 1, 12, reg.OneNorm, s)
	p.Reg = huber{0.2, p.Reg.(reg.DistancePenalty).Targets[0]}
	cs = append(cs, mkltest.Case{Name: "a user's own", Problem: p, HasGlobalCertificate: true})
	x, _ := mkltest.RandomPoints(24, 3, 5)
	_, y = noisy(24, 0, 6)
	g := kernel.Sum{Kernels: kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 0.3}, kernel.RBF{Gamma: 2}},
		Normalize: kernel.MeanDiagonal}.Bind(x)
	return append(cs, mkltest.Case{Name: "simplex", HasGlobalCertificate: true,
		Problem: &mkl.Problem{Grams: g, Set: set.Simplex{Sum: 2}, Loss: loss.Hinge{C: 2}, Y: y}})
}

func TestMirrorDescent(t *testing.T) {
	mkltest.TestSolver(t, mkl.MirrorDescent{}, mkltest.Options{Cases: mirrorCases(), Gap: 0.1, Iterations: 2000,
		MaxWarmStartSteps: -1, Perturb: symmetric})
}

// TestMirrorDescentRates tests that with the steps of the theorem and L ≥ ‖F'‖, the best F is within the proved
// distance of the minimum.
func TestMirrorDescentRates(t *testing.T) {
	s, y := noisy(10, 0.3, 2)
	const n, c, rho, steps = 10, 1, 0.5, 400
	for _, d := range []reg.Distance{reg.OneNorm, reg.TwoNorm, reg.SquaredNorm} {
		p := learned(y, c, rho, n, d, s)
		target := p.Reg.(reg.DistancePenalty).Targets[0]
		slope := map[reg.Distance]float64{reg.OneNorm: n, reg.TwoNorm: 1,
			reg.SquaredNorm: 2 * (n + floats.Norm(target, 2))}[d]
		lip := 0.5*n*c*c + rho*slope
		run := func(m mkl.MirrorDescent) *mkl.Result {
			r, err := mkl.Solve(context.Background(), p, m, &mkl.Settings{Gap: 1e-9, Iterations: steps, InnerGap: 1e-9,
				Watch: func(it *mkl.Iterate) bool {
					if g := floats.Norm(it.Grad(), 2); g > lip*(1+1e-9) {
						t.Errorf("%v: ‖F'‖ = %g, above L = %g", d, g, lip)
					}
					return false
				}})
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		best := run(mkl.MirrorDescent{})
		bound := n * lip * math.Sqrt(2*math.Log(n)/steps)
		for _, m := range []mkl.MirrorDescent{{SubgradientBound: lip, Horizon: steps}, {SubgradientBound: lip},
			{Horizon: steps}} {
			r := run(m)
			allowed := bound
			if m.Horizon == 0 { // η_t = η_1/√t: ½(1 + Σ1/t)·√T/Σ(1/√t), about ½(1 + log T)/2
				allowed *= (1 + math.Log(steps)) / 2
			}
			if r.Upper-best.Lower > allowed+best.Gap() && m.SubgradientBound > 0 {
				t.Errorf("%v, %v: F − min F ≤ %g, the theorem allows %g", d, m, r.Upper-best.Lower, allowed)
			}
			if r.Lower > best.Upper || best.Lower > r.Upper {
				t.Errorf("%v, %v: [%g, %g] and [%g, %g]", d, m, r.Lower, r.Upper, best.Lower, best.Upper)
			}
		}
	}
}

// TestPrintedSeveral tests that as printed, Algorithm 3 goes to the minimum of another problem, that with ρ = 1.
func TestPrintedSeveral(t *testing.T) {
	s, y := noisy(12, 0.3, 9)
	u, _ := noisy(12, 0.4, 10)
	const rho = 0.05
	for _, d := range []reg.Distance{reg.OneNorm, reg.TwoNorm, reg.SquaredNorm} {
		p, other := restricted(t, y, 1, rho, 12, d, s, u), restricted(t, y, 1, 1, 12, d, s, u)
		var last []float64 // θ at the end of a run as printed on F with ρ
		run := func(m mkl.MirrorDescent) *mkl.Result {
			r, err := mkl.Solve(context.Background(), p, m, &mkl.Settings{Gap: 1e-9, Iterations: 600, InnerGap: 1e-9,
				Watch: func(it *mkl.Iterate) bool {
					last = append(last[:0], it.Theta...)
					return false
				}})
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		best, right := certified(t, p, mkl.ADMM{}, 1e-4), run(mkl.MirrorDescent{})
		run(mkl.MirrorDescent{AsPrinted: true})
		at := func(p *mkl.Problem) float64 {
			pt := pointAt(p, last, 1e-9)
			return pt.F()
		}
		one := certified(t, other, mkl.ADMM{}, 1e-4)
		if v := at(p); v < 1.05*best.Upper || right.Upper > 1.02*best.Upper {
			t.Errorf("REKL, %v: as printed it ends at %g, by the right slope at %g, the minimum is %g", d, v,
				right.Upper, best.Upper)
		}
		if v := at(other); v > 1.05*one.Upper || v < one.Lower {
			t.Errorf("REKL, %v: as printed it ends where F with ρ = 1 is %g, its minimum is %g", d, v, one.Upper)
		}
	}
}
