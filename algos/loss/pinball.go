package loss

import (
	"context"
	"fmt"
	"strings"
)

// Pinball is kernel quantile regression. It estimates the quantile τ of the targets at each point:
//
//	D(α) = yᵀα,  A = {−(1−τ)C_i ≤ α_i ≤ τC_i, Σα = 0},  w = α,
//	J(K) = min_{f,b} ½‖f‖²_K + Σ C_i ρ_τ(y_i − f(x_i) − b),   C_i = C · weight,
//	ρ_τ(x) = τx for x ≥ 0, (τ−1)x for x < 0.
//
// With equal weights, at most τn of the n targets lie below f + b, and at least τn lie below or on it. τ = ½ estimates
// the median. This equals EpsilonInsensitive with ε = 0 and half of C.
//
// Cross-validation chooses C by the mean of ρ_τ on held-out points (Score), because the RMSE measures the error of a
// mean, not of a quantile.
//
// J is differentiable in K if α is unique, for example if K is positive definite. Pinball uses the solver of Hinge.
//
// References:
//   - R. Koenker, G. Bassett, Regression quantiles, Econometrica 46, 1978.
//   - I. Takeuchi, Q. V. Le, T. D. Sears, A. J. Smola, Nonparametric quantile estimation, JMLR 7, 2006, (5) and
//     Lemma 3.
type Pinball struct {
	C   float64 // > 0
	Tau float64 // τ, between 0 and 1: 0.9 estimates the value that 90 % of the targets do not exceed

	// Taus, if not nil, has a τ for each of several columns of targets (Columns), and Tau is ignored.
	Taus []float64

	// Weights multiply C, one number for each point; nil means 1. Slice keeps the weights of the selected points.
	Weights []float64
}

var (
	_ Tunable  = Pinball{}
	_ Scored   = Pinball{}
	_ Weighted = Pinball{}
)

// Traits returns the zero value, because the dual objective D is linear and thus not strictly concave.
func (Pinball) Traits() Traits { return Traits{} }

// Parameter returns the name and the value of C, the weight of the errors.
func (l Pinball) Parameter() (name string, value float64) { return "C", l.C }

// WithParameter returns the loss with another C.
func (l Pinball) WithParameter(c float64) Loss {
	l.C = c
	return l
}

// Levels returns Taus or, if that is nil, Tau alone.
func (l Pinball) Levels() []float64 {
	if l.Taus != nil {
		return l.Taus
	}
	return []float64{l.Tau}
}

func (l Pinball) String() string {
	return fmt.Sprintf("pinball loss, τ=%s, C=%.4g", strings.Trim(fmt.Sprintf("%.4g", l.Levels()), "[]"), l.C)
}

// Validate requires C > 0, 0 < τ < 1, finite targets, and weights > 0. A loss with Taus is for Columns only.
func (l Pinball) Validate(y []float64) error {
	if !isPositive(l.C) {
		return fmt.Errorf("loss: pinball loss has C = %g; use a finite C > 0", l.C)
	}
	if l.Taus != nil {
		return fmt.Errorf("loss: pinball loss has Taus %g for one column of targets; use Tau, or Columns", l.Taus)
	}
	if !(l.Tau > 0 && l.Tau < 1) {
		return fmt.Errorf("loss: pinball loss has τ = %g; use a number between 0 and 1", l.Tau)
	}
	if err := validateFinite(y); err != nil {
		return err
	}
	return validatePointWeights(l.Weights, len(y))
}

// Score returns the pinball loss ρ_τ(y − f) of the prediction f of the target y.
func (l Pinball) Score(f, y float64) float64 { return max(l.Tau*(y-f), (l.Tau-1)*(y-f)) }

func (l Pinball) dualProblem(y []float64) *boxQP {
	q := newBoxQP(len(y))
	for i := range y {
		c := l.C * pointWeight(l.Weights, i)
		q.lo[i], q.hi[i] = (l.Tau-1)*c, l.Tau*c
	}
	return q
}

// Solve maximizes the dual objective yᵀα − ½αᵀKα until s.Gap() ≤ tol.
func (l Pinball) Solve(ctx context.Context, s *Solution, g Gram, y []float64, tol float64) error {
	return l.dualProblem(y).solve(ctx, s, g.K(), y, tol)
}

// Evaluate stores in s the bounds of the optimal value J that s.W proves, with the bias of the smallest upper bound.
func (l Pinball) Evaluate(s *Solution, g Gram, y, kw []float64) {
	l.dualProblem(y).evaluate(s, g.K(), y, kw)
}

// PointWeights returns Weights.
func (l Pinball) PointWeights() []float64 { return l.Weights }

// Slice returns the loss with the weights of the points with the given rows.
func (l Pinball) Slice(rows []int) Loss {
	l.Weights = selectWeights(l.Weights, rows)
	return l
}
