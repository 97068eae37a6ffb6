package loss

import (
	"context"
	"fmt"
	"math"
)

// Hinge is the support vector machine with 1-norm soft margin, for labels ±1:
//
//	D(α) = Σα,  A = {0 ≤ α_i ≤ C_i, yᵀα = 0},  w = y∘α,
//	J(K) = min_{f,b} ½‖f‖²_K + Σ C_i (1 − y_i(f(x_i) + b))₊,   C_i = C · weight.
//
// C has the same meaning as in libsvm and in scikit-learn's SVC. In papers that divide the errors by n, the bound of
// α_i is C/n. Picard, Thome, Cord and Rakotomamonjy, and Kundu et al. (2) (see BlockNorm), use the bound C.
//
// J is differentiable in K if α is unique, for example if K is positive definite. The solver is sequential minimal
// optimization with second-order working sets (Fan, Chen, Lin 2005). It takes Newton steps on the free points: the m
// points whose α is strictly between its bounds. If K has rank 64 or less, an interior-point method can take over. In
// addition to K the solver stores at most n² numbers, limited to 512 MB, and 2m² numbers for the Newton steps.
//
// K may have an eigenvalue as low as −δ if the Gram reports a shift δ > 0 (kernel.ErrorBounded) or no error bounds. J
// may then exceed Primal by up to ½δC² for each point near its margin. Rounding includes this, so the bounds are loose
// for a large C. Families of package kernel report 0: they have already added such a shift to the stored matrices.
//
// References:
//   - C. Cortes, V. Vapnik, Support-vector networks, Machine Learning 20, 1995.
//   - R.-E. Fan, P.-H. Chen, C.-J. Lin, Working set selection using second order information for training SVM, JMLR 6,
//     2005.
//   - C.-C. Chang, C.-J. Lin, LIBSVM: a library for support vector machines, ACM TIST 2, 2011, (1), (2).
type Hinge struct {
	C float64 // > 0

	// Weights multiply C, one number for each point; nil means 1. Slice keeps the weights of the selected points.
	Weights []float64
}

var (
	_ Tunable  = Hinge{}
	_ Weighted = Hinge{}
)

// Traits returns the zero value, because the dual objective D is linear and thus not strictly concave.
func (Hinge) Traits() Traits { return Traits{} }

// Parameter returns the name and the value of C, the weight of the errors.
func (l Hinge) Parameter() (name string, value float64) { return "C", l.C }

// WithParameter returns the loss with another C.
func (l Hinge) WithParameter(c float64) Loss {
	l.C = c
	return l
}

func (l Hinge) String() string { return fmt.Sprintf("hinge loss, C=%.4g", l.C) }

// Validate requires C > 0, labels ±1 with both classes present, and weights > 0.
func (l Hinge) Validate(y []float64) error {
	if !isPositive(l.C) {
		return fmt.Errorf("loss: hinge loss has C = %g; use a finite C > 0", l.C)
	}
	return validateTwoClasses(y, l.Weights)
}

func (l Hinge) dualProblem(y []float64) *boxQP {
	q := newBoxQP(len(y))
	for i, v := range y {
		c := l.C * pointWeight(l.Weights, i)
		q.lo[i], q.hi[i] = min(0, math.Copysign(c, v)), max(0, math.Copysign(c, v))
	}
	return q
}

// Solve maximizes Σα − ½wᵀKw, w = y∘α, until s.Gap() ≤ tol. It usually reaches a gap of 1e-10 if C·K_ii < 1e5.
func (l Hinge) Solve(ctx context.Context, s *Solution, g Gram, y []float64, tol float64) error {
	return l.dualProblem(y).solve(ctx, s, g.K(), y, tol)
}

// Evaluate stores in s the bounds of the optimal value J that s.W proves, with the bias of the smallest upper bound.
func (l Hinge) Evaluate(s *Solution, g Gram, y, kw []float64) {
	l.dualProblem(y).evaluate(s, g.K(), y, kw)
}

// PointWeights returns Weights.
func (l Hinge) PointWeights() []float64 { return l.Weights }

// Slice returns the loss with the weights of the points with the given rows.
func (l Hinge) Slice(rows []int) Loss {
	l.Weights = selectWeights(l.Weights, rows)
	return l
}
