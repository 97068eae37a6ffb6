package mkl

import (
	"context"
	"errors"
	"fmt"

	"github.com/mklnb/mkl/algos/internal/argument"
)

// Rule chooses θ without minimizing F.
type Rule interface {
	fmt.Stringer
	// Weights returns the m weights θ that the rule chooses. It returns the context's error if ctx ends.
	Weights(ctx context.Context, p *Problem) ([]float64, error)
}

// EvaluateRule computes F and its certificate at the θ that a rule chooses. F is the one that solvers minimize, so that
// rules and solvers can be compared. tol is the relative gap to which the loss is solved; if 0, it is 1e-8. A θ outside
// Θ is evaluated too; its certificate claims nothing. It is an error if the rule does not return m finite weights.
func EvaluateRule(ctx context.Context, p *Problem, rule Rule, tol float64) (*Result, error) {
	if rule == nil {
		return nil, errors.New("mkl: the rule is nil; pass one, such as mkl.Uniform{}")
	}
	if err := errors.Join(argument.CheckContext(ctx, "mkl"), p.Validate()); err != nil {
		return nil, err
	}
	if tol == 0 {
		tol = 1e-8
	}
	theta, err := rule.Weights(ctx, p)
	if err != nil {
		return nil, fmt.Errorf("mkl: %v: %w", rule, err)
	}
	if err := p.checkTheta(theta); err != nil {
		return nil, fmt.Errorf("mkl: %v: the rule's weights: %w", rule, err)
	}
	pt := p.newPoint(ctx, Requirements{}, 0)
	defer pt.release()
	copy(pt.Theta, theta)
	if err := pt.Evaluate(nil, tol); err != nil {
		return nil, fmt.Errorf("mkl: %v: %w", rule, err)
	}
	r := &Result{Solver: rule.String(), Status: EvaluatedOnly}
	if r.Certificate, err = p.Certify(pt, true); err != nil { // may replace α by one with smaller errors
		return nil, fmt.Errorf("mkl: %v: %w", rule, err)
	}
	r.copySolution(pt)
	p.setModelFields(r)
	return r, nil
}

// Uniform is the rule that chooses the θ at which solvers start by default, set.Set.Start, such as equal weights.
type Uniform struct{}

func (Uniform) String() string { return "Uniform" }

// Weights returns the θ at which solvers start on p.Set.
func (Uniform) Weights(_ context.Context, p *Problem) ([]float64, error) {
	m, _ := p.Grams.Dims()
	t := make([]float64, m)
	p.Set.Start(t)
	return t, nil
}
