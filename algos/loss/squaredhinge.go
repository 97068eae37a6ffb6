package loss

import (
	"context"
	"fmt"
	"math"
)

// SquaredHinge is the support vector machine with 2-norm soft margin, for labels ±1:
//
//	D(α) = Σα − ½ Σ λ_i α_i²,  A = {α ≥ 0, yᵀα = 0},  w = y∘α,
//	J(K) = min_{f,b} ½‖f‖²_K + Σ (1 − y_i(f(x_i) + b))₊² / (2λ_i),   λ_i = λ / weight of point i.
//
// The primal problem of Li, Venturi and Xu (8) is this one with C = 1/λ; over the kernels they minimize 2J. In
// scikit-learn's LinearSVC with the squared hinge loss, C = 1/(2λ). α is unique for every K, so J is differentiable in
// K. SquaredHinge uses the solver of Hinge.
//
// References:
//   - C. Li, L. Venturi and R. Xu, Learning the kernel for classification and regression, 2017, (8).
//   - C. Cortes, V. Vapnik, Support-vector networks, Machine Learning 20, 1995.
type SquaredHinge struct {
	Lambda float64 // λ > 0, in the units of K

	// Weights multiply the errors, one number for each point; nil means 1. Slice keeps the weights of the points.
	Weights []float64
}

var (
	_ Tunable  = SquaredHinge{}
	_ Weighted = SquaredHinge{}
)

// Traits reports that the dual objective D is strictly concave.
func (SquaredHinge) Traits() Traits { return Traits{StrictlyConcave: true} }

// Parameter returns the name and the value of the regularization parameter λ.
func (l SquaredHinge) Parameter() (name string, value float64) { return "λ", l.Lambda }

// WithParameter returns the loss with another λ.
func (l SquaredHinge) WithParameter(lambda float64) Loss {
	l.Lambda = lambda
	return l
}

func (l SquaredHinge) String() string { return fmt.Sprintf("squared hinge loss, λ=%.4g", l.Lambda) }

// Validate requires λ from 1e-100 to 1e100, labels ±1 with both classes present, and weights > 0.
func (l SquaredHinge) Validate(y []float64) error {
	if !isPositive(l.Lambda) {
		return fmt.Errorf("loss: squared hinge loss has λ = %g; use a λ from 1e-100 to 1e100", l.Lambda)
	}
	return validateTwoClasses(y, l.Weights)
}

func (l SquaredHinge) dualProblem(y []float64) *boxQP {
	q := newBoxQP(len(y))
	q.hasRidge = true
	for i, v := range y {
		q.lo[i], q.hi[i] = min(0, math.Inf(int(v))), max(0, math.Inf(int(v)))
		q.r[i] = l.Lambda / pointWeight(l.Weights, i)
	}
	return q
}

// Solve maximizes the dual objective Σα − ½Σλ_iα_i² − ½wᵀKw, w = y∘α, until s.Gap() ≤ tol.
func (l SquaredHinge) Solve(ctx context.Context, s *Solution, g Gram, y []float64, tol float64) error {
	return l.dualProblem(y).solve(ctx, s, g.K(), y, tol)
}

// Evaluate stores in s the bounds of the optimal value J that s.W proves, with the bias of the smallest upper bound.
func (l SquaredHinge) Evaluate(s *Solution, g Gram, y, kw []float64) {
	l.dualProblem(y).evaluate(s, g.K(), y, kw)
}

// PointWeights returns Weights.
func (l SquaredHinge) PointWeights() []float64 { return l.Weights }

// Slice returns the loss with the weights of the points with the given rows.
func (l SquaredHinge) Slice(rows []int) Loss {
	l.Weights = selectWeights(l.Weights, rows)
	return l
}
