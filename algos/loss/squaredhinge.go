package loss

import (
	"context"
	"fmt"
	"math"
)

// SquaredHinge is the support vector machine with 2-norm soft margin, for labels ±1:
//
//	D(α) = Σα − ½ Σ λ_i α_i²,  A = {α ≥ 0, yᵀα = 0},  w = y∘α,
//	J(K) = min_{f,b} ½‖f‖²_K + Σ (1 − y_i(f(x_i) + b))₊² / (2λ_i),   λ_i = λ / (class weight · weight).
//
// It is Li et al. (8), whose F is 2J and whose λ is 1/C of errors weighed by C/2; scikit-learn's
// LinearSVC with squared hinge has C = 1/(2λ). α is unique whatever K, so that J is differentiable.
// The solver is that of Hinge.
//
// References:
//   - C. Cortes, V. Vapnik, Support-vector networks, Machine Learning 20, 1995.
type SquaredHinge struct {
	Lambda float64 // λ > 0, in the units of K

	// Positive and Negative weigh the errors at points of label 1 and −1. If 0, they are 1.
	Positive, Negative float64

	// Weights weigh the errors, one for each point. If nil, they are 1. A slice of
	// the problem takes theirs.
	Weights []float64
}

var (
	_ Tunable  = SquaredHinge{}
	_ Weighted = SquaredHinge{}
)

// Traits says that α is unique.
func (SquaredHinge) Traits() Traits { return Traits{Strict: true} }

// Constant returns λ.
func (l SquaredHinge) Parameter() (string, float64) { return "λ", l.Lambda }

// WithParameter returns the loss with another λ.
func (l SquaredHinge) WithParameter(lambda float64) Loss {
	l.Lambda = lambda
	return l
}

func (l SquaredHinge) String() string { return fmt.Sprintf("squared hinge loss, λ=%.4g", l.Lambda) }

// Validate asks for λ > 0, labels ±1 of both classes, and weights > 0.
func (l SquaredHinge) Validate(y []float64) error {
	if !positive(l.Lambda) {
		return fmt.Errorf("loss: squared hinge loss has λ = %g, want a finite λ > 0", l.Lambda)
	}
	return margin(y, l.Positive, l.Negative, l.Weights)
}

func (l SquaredHinge) box(y []float64) *box {
	q := newBox(len(y))
	q.ridged = true
	for i, v := range y {
		q.lo[i], q.hi[i] = min(0, math.Inf(int(v))), max(0, math.Inf(int(v)))
		q.r[i] = l.Lambda / weight(l.Weights, i, v, l.Positive, l.Negative)
	}
	return q
}

// Solve maximises until s.Gap() ≤ tol.
func (l SquaredHinge) Solve(ctx context.Context, s *Solution, g Gram, y []float64, tol float64) error {
	q := l.box(y)
	defer q.release()
	return q.solve(ctx, s, g, y, tol)
}

// Evaluate fills s with what s.W proves at g, with the bias that proves most.
func (l SquaredHinge) Evaluate(s *Solution, g Gram, y, kw []float64) {
	q := l.box(y)
	defer q.release()
	q.judge(s, g, y, kw)
}

// Bias returns the b that minimises Σ (1 − y_i(f_i + b))₊²/(2λ_i), f and y of length n.
func (l SquaredHinge) Bias(y, f []float64) float64 {
	q := l.box(y)
	defer q.release()
	q.y, q.f = y, append(q.f[:0], f...)
	return q.bias()
}

// Slice returns the loss with the weights of some rows.
func (l SquaredHinge) Slice(rows []int) Loss {
	l.Weights = sliced(l.Weights, rows)
	return l
}

// PointWeights returns Weights.
func (l SquaredHinge) PointWeights() []float64 { return l.Weights }

// WithWeights returns the loss with other Weights.
func (l SquaredHinge) WithWeights(w []float64) Loss {
	l.Weights = w
	return l
}
