package loss

import (
	"context"
	"fmt"
	"math"
)

// EpsilonInsensitive is support vector regression with the ε-insensitive loss:
//
//	D(α) = yᵀα − ε‖α‖₁,  A = {|α_i| ≤ C_i, Σα = 0},  w = α,
//	J(K) = min_{f,b} ½‖f‖²_K + Σ C_i (|y_i − f(x_i) − b| − ε)₊,   C_i = C · weight.
//
// C and ε have the same meaning as in libsvm and in scikit-learn's SVR. EpsilonInsensitive uses the solver of Hinge.
// Its α_i is α_i − α_i* of libsvm, so a problem has n unknowns instead of 2n.
//
// References:
//   - A. J. Smola, B. Schölkopf, A tutorial on support vector regression, Statistics and Computing 14, 2004, equations
//     (3) and (10).
type EpsilonInsensitive struct {
	C       float64 // > 0
	Epsilon float64 // ε ≥ 0, in the units of the targets

	// Weights multiply C, one number for each point; nil means 1. Slice keeps the weights of the selected points.
	Weights []float64
}

var (
	_ Tunable  = EpsilonInsensitive{}
	_ Weighted = EpsilonInsensitive{}
)

// Traits returns the zero value, because the dual objective D is not strictly concave.
func (EpsilonInsensitive) Traits() Traits { return Traits{} }

// Parameter returns the name and the value of C, the weight of the errors.
func (l EpsilonInsensitive) Parameter() (name string, value float64) { return "C", l.C }

// WithParameter returns the loss with another C.
func (l EpsilonInsensitive) WithParameter(c float64) Loss {
	l.C = c
	return l
}

func (l EpsilonInsensitive) String() string {
	return fmt.Sprintf("ε-insensitive loss, C=%.4g, ε=%.4g", l.C, l.Epsilon)
}

// Validate requires C > 0, ε ≥ 0, finite targets, and weights > 0.
func (l EpsilonInsensitive) Validate(y []float64) error {
	if !isPositive(l.C) {
		return fmt.Errorf("loss: ε-insensitive loss has C = %g; use a finite C > 0", l.C)
	}
	if !(l.Epsilon >= 0 && !math.IsInf(l.Epsilon, 1)) {
		return fmt.Errorf("loss: ε-insensitive loss has ε = %g; use a finite ε ≥ 0", l.Epsilon)
	}
	if err := validateFinite(y); err != nil {
		return err
	}
	return validatePointWeights(l.Weights, len(y))
}

func (l EpsilonInsensitive) dualProblem(y []float64) *boxQP {
	q := newBoxQP(len(y))
	q.epsilon = l.Epsilon
	for i := range y {
		c := l.C * pointWeight(l.Weights, i)
		q.lo[i], q.hi[i] = -c, c
	}
	return q
}

// Solve maximizes the dual objective yᵀα − ε‖α‖₁ − ½αᵀKα until s.Gap() ≤ tol.
func (l EpsilonInsensitive) Solve(ctx context.Context, s *Solution, g Gram, y []float64, tol float64) error {
	return l.dualProblem(y).solve(ctx, s, g.K(), y, tol)
}

// Evaluate stores in s the bounds of the optimal value J that s.W proves, with the bias of the smallest upper bound.
func (l EpsilonInsensitive) Evaluate(s *Solution, g Gram, y, kw []float64) {
	l.dualProblem(y).evaluate(s, g.K(), y, kw)
}

// PointWeights returns Weights.
func (l EpsilonInsensitive) PointWeights() []float64 { return l.Weights }

// Slice returns the loss with the weights of the points with the given rows.
func (l EpsilonInsensitive) Slice(rows []int) Loss {
	l.Weights = selectWeights(l.Weights, rows)
	return l
}
