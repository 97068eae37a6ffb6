package mkl_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
)

// TestMagnitudes tests that Validate names a target or a λ that is not 0 and is outside 1e-100 to 1e100, and takes the
// others.
func TestMagnitudes(t *testing.T) {
	for _, c := range []struct {
		target, lambda float64
		want           string
	}{
		{1e100, 1, ""}, {-1e-100, 1, ""}, {0, 1e100, ""}, {1, 1e-100, ""},
		{1.1e100, 1, "Y[1] = 1.1e+100"}, {-1.1e100, 1, "Y[1]"}, {9e-101, 1, "Y[1]"}, {math.Inf(1), 1, "Y[1]"},
		{1, 1.1e100, "λ = 1.1e+100"}, {1, 9e-101, "λ = 9e-101"},
	} {
		p := two(1, 3, c.target)
		p.Loss = loss.Squared{Lambda: c.lambda}
		err := p.Validate()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("target %g, λ = %g: %v, the error should contain %q", c.target, c.lambda, err, c.want)
		}
	}
}

// TestNilArguments tests that a nil problem, solver, rule or context is an error.
func TestNilArguments(t *testing.T) {
	var none context.Context
	p := two(1, 3, 2)
	_, errSolver := mkl.Solve(ctx, p, nil, nil)
	_, errContext := mkl.Solve(none, p, mkl.SPG{}, nil)
	_, errProblem := mkl.Solve(ctx, nil, mkl.SPG{}, nil)
	_, errRule := mkl.EvaluateRule(ctx, p, nil, 0)
	_, errRuleContext := mkl.EvaluateRule(none, p, mkl.Uniform{}, 0)
	_, errPoint := p.EvaluateAt(none, []float64{1, 0}, []float64{1, 0})
	for name, err := range map[string]error{"solver": errSolver, "context": errContext, "problem": errProblem,
		"rule": errRule, "context of a rule": errRuleContext, "context of a point": errPoint} {
		if err == nil {
			t.Errorf("a nil %s is no error", name)
		}
	}
}
