package losstest

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/testenv"

	"gonum.org/v1/gonum/floats"
)

// broken is a squared loss with the defect that its name describes.
type broken struct {
	loss.Squared
	defect string
}

func (b broken) String() string { return "broken" }

func (b broken) Traits() loss.Traits {
	t := b.Squared.Traits()
	switch b.defect {
	case "no centering":
		t.NeedsCentering = false
	case "Smooth but not StrictlyConcave":
		t.StrictlyConcave = false
	case "LinearInTargets but not Smooth":
		t.Smooth = false
	case "another Ridge":
		t.Ridge *= 1.01
	}
	return t
}

func (b broken) Solve(ctx context.Context, s *loss.Solution, g loss.Gram, y []float64, tol float64) error {
	switch zero := (loss.Solution{W: make([]float64, len(y))}); {
	case b.defect == "a stop by an absolute gap":
		if b.Squared.Evaluate(&zero, g, y, nil); zero.Primal-zero.Dual() < 1e-6 {
			*s = zero
			return nil
		}
	case b.defect == "no Factor":
		defer func() { s.Factor = nil }()
	case b.defect == "a stopped w that is infeasible" && ctx.Err() != nil:
		s.W[0] = 1e6
		return &loss.Inexact{Gap: 1, TargetGap: tol, Cause: ctx.Err()}
	}
	return b.Squared.Solve(ctx, s, g, y, tol)
}

func (b broken) Evaluate(s *loss.Solution, g loss.Gram, y, kw []float64) {
	b.Squared.Evaluate(s, g, y, kw)
	switch {
	case b.defect == "a wrong primal if Kw is given" && kw != nil:
		s.Primal /= 2
	case b.defect == "a primal below J":
		s.Primal = 0
	case b.defect == "another quadratic part":
		s.QuadraticTerm += 0.1
	}
}

func (b broken) Slice(rows []int) loss.Loss {
	switch b.defect {
	case "another loss on some points":
		b.Lambda = 2
	case "a slice that depends on its rows":
		b.Lambda = 0.7 + float64(rows[0])
	}
	return b
}

func (b broken) WithParameter(v float64) loss.Loss {
	if b.Lambda = v; b.defect == "a hyperparameter that is ignored" {
		b.Lambda = 1
	}
	return b
}

// TestBroken checks that the suite finds each defect, by the words of its check.
func TestBroken(t *testing.T) {
	for defect, want := range map[string]string{
		"":                                 "",
		"a stop by an absolute gap":        "the requested gap is reached",
		"a stopped w that is infeasible":   "a canceled Solve returns a feasible w",
		"a wrong primal if Kw is given":    "of Evaluate with Kw",
		"a primal below J":                 "optimum ≤ primal value of this α",
		"another quadratic part":           "Solution.QuadraticTerm at 0.3",
		"another loss on some points":      "dual value after Slice",
		"a slice that depends on its rows": "Slice of a Slice",
		"a hyperparameter that is ignored": "WithParameter",
		"no Factor":                        "Solve sets Solution.Factor",
		"Smooth but not StrictlyConcave":   "Smooth implies StrictlyConcave",
		"LinearInTargets but not Smooth":   "LinearInTargets implies Smooth",
		"another Ridge":                    "(K + Ridge·V⁻¹)w = y",
		"no centering":                     "Traits.NeedsCentering",
	} {
		expectFailure(t, broken{loss.Squared{Lambda: 0.7}, defect}, want, Options{Inputs: RandomInputs(1, false),
			MakeFeasible: func(w, y []float64) {
				for i, a := range w {
					w[i] = min(max(a, -1e4), 1e4)
				}
			}})
	}
}

// expectFailure runs the suite on l. It expects no failure if want is "", and otherwise a failure with these words.
func expectFailure(t *testing.T, l loss.Loss, want string, o Options) {
	t.Helper()
	all := strings.Join(testenv.CollectFailures(t, func(t testing.TB) { TestLoss(t, l, o) }), "\n")
	if want == "" && all != "" || !strings.Contains(all, want) {
		t.Errorf("%+v: not found by %q: %.300s", l, want, all)
	}
}

// brokenHinge is a hinge loss with a false promise.
type brokenHinge struct {
	loss.Hinge
	unbounded bool // Evaluate does not notice an infeasible w
	strict    bool // Traits claim a strictly concave dual
	deaf      bool // Solve ignores its context
	silent    bool // Solve returns nil when it is canceled
}

func (b brokenHinge) Solve(ctx context.Context, s *loss.Solution, g loss.Gram, y []float64, tol float64) error {
	if b.deaf {
		ctx = context.Background()
	}
	err := b.Hinge.Solve(ctx, s, g, y, tol)
	if b.silent && errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

func (b brokenHinge) Slice(rows []int) loss.Loss { return b }

func (b brokenHinge) Traits() loss.Traits { return loss.Traits{StrictlyConcave: b.strict} }

func (b brokenHinge) Evaluate(s *loss.Solution, g loss.Gram, y, kw []float64) {
	b.Hinge.Evaluate(s, g, y, kw)
	if b.unbounded {
		s.LinearTerm = floats.Dot(y, s.W)
	}
}

// TestBrokenHinge breaks promises that only a loss with bounds can break.
func TestBrokenHinge(t *testing.T) {
	const c = 0.5
	feasible := ClipToBounds(func(y float64) (lo, hi float64) { return min(0, y*c), max(0, y*c) })
	for want, l := range map[string]brokenHinge{
		"":                                   {},
		"dual value of an infeasible w":      {unbounded: true},
		"dual objective is strictly concave": {strict: true},
		"reads its context":                  {deaf: true},
		"has reached the requested gap":      {silent: true},
	} {
		l.C = c
		expectFailure(t, l, want, Options{Inputs: RandomInputs(1, true)[1:], MakeFeasible: feasible})
	}
}
