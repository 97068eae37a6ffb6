package mkl_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/reg"
)

// tripped is the hinge loss that does something in one of its solves and steps, counted from 1.
type tripped struct {
	loss.Hinge
	calls *int
	at    int
	do    func() error
}

func (l tripped) trip() error {
	if *l.calls++; *l.calls == l.at {
		return l.do()
	}
	return nil
}

func (l tripped) Solve(ctx context.Context, s *loss.Solution, g loss.Gram, y []float64, tol float64) error {
	if err := l.trip(); err != nil {
		s.W = make([]float64, len(y)) // what a solver that fails leaves
		return err
	}
	return l.Hinge.Solve(ctx, s, g, y, tol)
}

func (l tripped) Prox(ctx context.Context, w []float64, g loss.Gram, y []float64, tau, tol float64) error {
	if err := l.trip(); err != nil {
		return err
	}
	return l.Hinge.Prox(ctx, w, g, y, tau, tol)
}

// with is p with a loss in the place of its hinge loss.
func with(p *mkl.Problem, l loss.Loss) *mkl.Problem {
	q := *p
	if _, ok := p.Loss.(loss.BlockNorm); ok {
		l = loss.BlockNorm{Loss: l}
	}
	q.Loss = l
	return &q
}

// onePoint are runs of the solvers that have θ once.
func onePoint(t *testing.T, f func(name string, p *mkl.Problem, s mkl.Solver)) {
	s, y := noisy(10, 0.4, 3)
	u, _ := noisy(10, 0.6, 4)
	for _, d := range []reg.Distance{reg.L3, reg.L2, reg.L1} {
		for what, p := range map[string]*mkl.Problem{
			"EMKL":                 several(y, 1, 0.2, 10, d, s, u),
			"EMKL, transductive":   several(y[:7], 1, 0.2, 10, d, s, u),
			"REKL":                 restricted(t, y, 1, 0.2, 10, d, s, u),
			"one matrix":           learned(y, 1, 0.2, 10, d, s),
			"one matrix, no trace": learned(y, 1, 0.2, 0, d, s),
		} {
			for _, solver := range []mkl.Solver{mkl.DualAscent{}, mkl.ADMM{}, mkl.MirrorDescent{}} {
				if _, err := solver.Requirements(p); err == nil {
					f(fmt.Sprintf("%v, %v, %s", solver, d, what), p, solver)
				}
			}
		}
	}
}

// sameAt complains unless θ lies in Θ and w with the weights of a block norm has the primal value there.
func sameAt(t *testing.T, name string, p *mkl.Problem, theta, w, block []float64, primal float64) {
	t.Helper()
	if !p.Set.Contains(theta) {
		t.Errorf("%s: θ is not in Θ", name)
		return
	}
	g, s, got := p.Grams.New(), loss.Solution{W: slices.Clone(w)}, 0.0
	g.At(theta)
	if b, ok := g.(kernel.Blocked); ok && len(block) > 0 {
		q, top := make([]float64, len(block)), 0.0
		b.Weigh(block)
		b.Forms(q, w)
		for i, c := range block {
			top = max(top, c*c*q[i]) // ‖f_i‖²
		}
		loss.Hinge{C: 1}.Evaluate(&s, g, p.Y, nil)
		got = (top - s.WKW) / 2
	} else {
		p.Loss.Evaluate(&s, g, p.Y, nil)
	}
	got += s.Primal + p.Reg.Value(nil, theta)
	if !(math.Abs(got-primal) <= 1e-12*math.Abs(primal)) {
		t.Errorf("%s: F = %.15g, but θ and w have %.15g", name, primal, got)
	}
}

// sound complains unless what r says is of its θ, and true: F there, to 1e-9, is between its bounds.
func sound(t *testing.T, name string, p *mkl.Problem, r *mkl.Result) {
	t.Helper()
	sameAt(t, name, p, r.Theta, r.W, r.Block, r.F)
	pt := p.NewPoint()
	copy(pt.Theta, r.Theta)
	if err := pt.Evaluate(nil, 1e-9); err != nil {
		t.Fatal(err)
	}
	if pt.F() > r.Upper || pt.Upper() < r.Lower {
		t.Errorf("%s: F(θ) in [%.12g, %.12g], the result has [%.12g, %.12g]", name, pt.F(), pt.Upper(), r.Lower,
			r.Upper)
	}
	kernels := p.Grams.New()
	kernels.At(r.Kernel)
	if b, ok := pt.Gram.(kernel.Blocked); ok {
		pt.Gram.At(r.Theta)
		b.Weigh(r.Block)
	}
	want, got := pt.Gram.K(), kernels.K()
	for i := range len(r.W) {
		if a, b := want.At(i, i), got.At(i, i); math.Abs(a-b) > 1e-12*math.Abs(a) {
			t.Errorf("%s: K of Result.Kernel has %g for %g", name, b, a)
		}
	}
}

// TestOnePointStops: wherever a run is stopped, in a step or after it, or an inner solver fails, the Result is of the θ
// that it holds, and so is every Iterate.
func TestOnePointStops(t *testing.T) {
	stops := 0
	onePoint(t, func(name string, p *mkl.Problem, s mkl.Solver) {
		run := func(what string, q *mkl.Problem, ctx context.Context, cfg mkl.Settings) *mkl.Result {
			begun := false
			watch := cfg.Watch
			cfg.Watch = func(it *mkl.Iterate) bool {
				begun = true
				sameAt(t, fmt.Sprintf("%s, %s, step %d", name, what, it.K), p, it.Theta, it.W, it.Block, it.Primal+it.R)
				return watch != nil && watch(it)
			}
			r, err := mkl.Solve(ctx, q, s, &cfg)
			if err != nil && begun {
				t.Fatalf("%s, %s: %v", name, what, err)
			}
			if err == nil {
				sound(t, name+", "+what, p, r)
			}
			return r
		}
		for _, how := range []string{"context", "not PSD"} {
			for at := 2; ; at += 1 + at/6 { // the first is the start's
				ctx, cancel := context.WithCancel(t.Context())
				calls := 0
				l := tripped{Hinge: loss.Hinge{C: 1}, calls: &calls, at: at, do: func() error {
					if how == "context" {
						cancel()
						return context.Canceled
					}
					return fmt.Errorf("tripped: %w", loss.ErrNotPSD)
				}}
				run(fmt.Sprintf("%s at %d", how, at), with(p, l), ctx, mkl.Settings{Gap: 1e-8, Iterations: 2})
				cancel()
				if calls < at {
					break
				}
				stops++
			}
		}
		for chosen := range 3 {
			r := run("watched", p, t.Context(), mkl.Settings{Gap: 1e-9,
				Watch: func(it *mkl.Iterate) bool { return it.K == chosen }})
			// a start as good as it gets: what follows may be worse
			run("started", p, t.Context(), mkl.Settings{Gap: 1e-13, Iterations: 1 + chosen, Start: r})
		}
	})
	if stops < 200 {
		t.Errorf("%d stops: the test has no cases", stops)
	}
}
