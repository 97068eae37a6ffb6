package losstest

import (
	"context"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/testenv"

	"gonum.org/v1/gonum/floats"
)

// broken is a squared loss without its Factor, of which something is replaced.
type broken struct {
	loss.Squared
	solve func(ctx context.Context, l loss.Squared, s *loss.Solution, g loss.Gram, y []float64, tol float64) error
	judge func(s *loss.Solution, y, kw []float64)
	with  func(v float64) float64
	slice func(rows []int) float64
}

func (b broken) String() string      { return "broken" }
func (b broken) Traits() loss.Traits { return loss.Traits{Strict: true} }
func (b broken) Solve(ctx context.Context, s *loss.Solution, g loss.Gram, y []float64, tol float64) error {
	if b.solve != nil {
		return b.solve(ctx, b.Squared, s, g, y, tol)
	}
	return b.Squared.Solve(ctx, s, g, y, tol)
}
func (b broken) Evaluate(s *loss.Solution, g loss.Gram, y, kw []float64) {
	b.Squared.Evaluate(s, g, y, kw)
	if b.judge != nil {
		b.judge(s, y, kw)
	}
}
func (b broken) Slice(rows []int) loss.Loss {
	if b.slice != nil {
		b.Lambda = b.slice(rows)
	}
	return b
}
func (b broken) WithParameter(v float64) loss.Loss {
	if b.with != nil {
		v = b.with(v)
	}
	b.Lambda = v
	return b
}

// TestBroken breaks one promise at a time; each must be noticed, by the words of its check.
func TestBroken(t *testing.T) {
	type solution = loss.Solution
	for _, c := range []struct {
		name, want string
		loss       broken
	}{
		{"nothing", "", broken{}},
		{"a stop by an absolute gap", "the requested gap is reached",
			broken{solve: func(ctx context.Context, l loss.Squared, s *solution, g loss.Gram, y []float64,
				tol float64) error {
				w := make([]float64, len(y))
				n := solution{W: w}
				if l.Evaluate(&n, g, y, nil); n.Primal-n.Dual() < 1e-6 { // as if it had ended at α = 0
					*s = n
					return nil
				}
				return l.Solve(ctx, s, g, y, tol)
			}}},
		{"a stopped w that is not feasible", "stopped: w is feasible",
			broken{solve: func(ctx context.Context, l loss.Squared, s *solution, g loss.Gram, y []float64,
				tol float64) error {
				if err := ctx.Err(); err != nil {
					s.W[0] = 1e6
					return &loss.Inexact{Gap: 1, Target: tol, Cause: err}
				}
				return l.Solve(ctx, s, g, y, tol)
			}}},
		{"a wrong primal if Kw is given", "of Evaluate with Kw", broken{judge: func(s *solution, y, kw []float64) {
			if kw != nil {
				s.Primal /= 2
			}
		}}},
		{"a primal below J", "the optimum ≤ its primal",
			broken{judge: func(s *solution, y, kw []float64) { s.Primal = 0 }}},
		{"a quadratic part of another size", "Quadratic of 0.3α",
			broken{judge: func(s *solution, y, kw []float64) { s.Quadratic += 0.1 }}},
		{"another loss on some of the points", "dual of Slice", broken{slice: func([]int) float64 { return 2 }}},
		{"a part of a part", "Slice of Slice",
			broken{slice: func(rows []int) float64 { return 0.7 + float64(rows[0]) }}},
		{"a constant that is not taken", "WithParameter", broken{with: func(float64) float64 { return 1 }}},
	} {
		c.loss.Lambda = 0.7
		said := testenv.Failures(t, func(t testing.TB) {
			TestLoss(t, c.loss, Options{Inputs: Inputs(1, false), Feasible: func(w, y []float64) {
				for i, a := range w {
					w[i] = min(max(a, -1e4), 1e4)
				}
			}})
		})
		all := strings.Join(said, "\n")
		if c.want == "" && all != "" || !strings.Contains(all, c.want) {
			t.Errorf("%s: not noticed by %q in %d failures: %.300s", c.name, c.want, len(said), all)
		}
	}
}

// brokenHinge is a hinge loss with a false promise.
type brokenHinge struct {
	loss.Hinge
	unbounded bool // Evaluate does not notice a w that is not feasible
	strict    bool // Traits claim a strictly concave dual
}

func (b brokenHinge) Slice(rows []int) loss.Loss { return b }

func (b brokenHinge) Traits() loss.Traits { return loss.Traits{Strict: b.strict} }

func (b brokenHinge) Evaluate(s *loss.Solution, g loss.Gram, y, kw []float64) {
	b.Hinge.Evaluate(s, g, y, kw)
	if b.unbounded {
		s.Linear = floats.Dot(y, s.W)
	}
}

// TestBrokenHinge breaks promises that only a loss with bounds can break.
func TestBrokenHinge(t *testing.T) {
	for want, l := range map[string]brokenHinge{
		"":                                      {},
		"dual of a w that need not be feasible": {unbounded: true},
		"Traits claim Strict":                   {strict: true},
	} {
		l.C = 0.5
		said := testenv.Failures(t, func(t testing.TB) {
			TestLoss(t, l, Options{Inputs: Inputs(1, true)[1:], Feasible: func(w, y []float64) {
				for range 500 { // alternating projections, then exact: Σw = 0 by scaling the larger side
					mean := floats.Sum(w) / float64(len(w))
					for i, v := range w {
						w[i] = y[i] * min(max(y[i]*(v-mean), 0), l.C)
					}
				}
				plus, minus := 0.0, 0.0
				for _, v := range w {
					plus, minus = plus+max(v, 0), minus-min(v, 0)
				}
				for i, v := range w {
					if v > 0 && plus > minus {
						w[i] *= minus / plus
					} else if v < 0 && minus > plus {
						w[i] *= plus / minus
					}
				}
			}})
		})
		all := strings.Join(said, "\n")
		if want == "" && all != "" || !strings.Contains(all, want) {
			t.Errorf("%+v: not noticed by %q in %d failures: %.300s", l, want, len(said), all)
		}
	}
}
