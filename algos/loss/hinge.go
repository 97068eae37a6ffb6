package loss

import (
	"context"
	"fmt"
	"math"
)

// Hinge is the support vector machine with 1-norm soft margin, for labels ±1:
//
//	D(α) = Σα,  A = {0 ≤ α_i ≤ C_i, yᵀα = 0},  w = y∘α,
//	J(K) = min_{f,b} ½‖f‖²_K + Σ C_i (1 − y_i(f(x_i) + b))₊,   C_i = C · class weight · weight.
//
// C means what it means to libsvm and to scikit-learn's SVC, with their class weights. The papers that divide the
// errors by n have C/n for it; the box of Picard et al. and of Kundu et al. (2) is this one.
//
// J is differentiable in K where α is unique, as for positive definite K. A solve is sequential
// minimal optimisation with second-order working sets (Fan, Chen, Lin 2005) and Newton steps on the
// points whose α is free, or an interior point method where K is of rank 64 or less; it reads K row
// by row, of the points that it moves, packed where the Gram keeps it so (kernel.Packed): K is not formed then.
// Beside K it keeps up to n² numbers, 512 MB of them at most, and 2m² where m points are free.
//
// Where a Gram states a shift δ > 0 (Accurate), or states nothing, K may have an eigenvalue as low as −δ,
// and Rounding allows for what J gains along it: up to ½δC² for each point near its margin, so that a
// large C leaves no small bound. The families of package kernel store matrices that need no δ.
//
// References:
//   - C. Cortes, V. Vapnik, Support-vector networks, Machine Learning 20, 1995.
//   - C.-C. Chang, C.-J. Lin, LIBSVM: a library for support vector machines, ACM TIST 2, 2011, (1), (2).
type Hinge struct {
	C float64 // > 0

	// Positive and Negative multiply C for the points of label 1 and −1. If 0, they are 1.
	Positive, Negative float64

	// Weights multiply C, one for each point. If nil, they are 1. A slice of the problem takes
	// theirs.
	Weights []float64
}

var (
	_ Tunable  = Hinge{}
	_ Weighted = Hinge{}
)

// Traits returns none.
func (Hinge) Traits() Traits { return Traits{} }

// Constant returns C.
func (l Hinge) Parameter() (string, float64) { return "C", l.C }

// WithParameter returns the loss with another C.
func (l Hinge) WithParameter(c float64) Loss {
	l.C = c
	return l
}

func (l Hinge) String() string { return fmt.Sprintf("hinge loss, C=%.4g", l.C) }

// Validate asks for C > 0, labels ±1 of both classes, and weights > 0.
func (l Hinge) Validate(y []float64) error {
	if !positive(l.C) {
		return fmt.Errorf("loss: hinge loss has C = %g, want a finite C > 0", l.C)
	}
	return margin(y, l.Positive, l.Negative, l.Weights)
}

func (l Hinge) box(y []float64) *box {
	q := newBox(len(y))
	for i, v := range y {
		c := l.C * weight(l.Weights, i, v, l.Positive, l.Negative)
		q.lo[i], q.hi[i] = min(0, math.Copysign(c, v)), max(0, math.Copysign(c, v))
	}
	return q
}

// Solve maximises until s.Gap() ≤ tol. 1e-10 is within reach unless C·K_ii is as large as 1e5.
func (l Hinge) Solve(ctx context.Context, s *Solution, g Gram, y []float64, tol float64) error {
	q := l.box(y)
	defer q.release()
	return q.solve(ctx, s, g, y, tol)
}

// Evaluate fills s with what s.W proves at g, with the bias that proves most.
func (l Hinge) Evaluate(s *Solution, g Gram, y, kw []float64) {
	q := l.box(y)
	defer q.release()
	q.judge(s, g, y, kw)
}

// Slice returns the loss with the weights of some rows.
func (l Hinge) Slice(rows []int) Loss {
	l.Weights = sliced(l.Weights, rows)
	return l
}

// PointWeights returns Weights.
func (l Hinge) PointWeights() []float64 { return l.Weights }

// WithWeights returns the loss with other Weights.
func (l Hinge) WithWeights(w []float64) Loss {
	l.Weights = w
	return l
}
