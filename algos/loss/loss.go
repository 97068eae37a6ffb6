package loss

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"

	"gonum.org/v1/gonum/floats"
)

// Gram has the kernel matrix K(θ) that a loss receives. It is a kernel.Gram or a *kernel.Matrix. BlockNorm needs a
// kernel.Blocked.
type Gram interface{ K() *kernel.Matrix }

// Loss is a loss function with a solver for a fixed K. It is plain configuration and serves many runs at once.
type Loss interface {
	// Validate returns an error if a parameter of the loss or a target in y is invalid.
	Validate(y []float64) error
	// Traits returns facts about the loss that solvers and faster methods use.
	Traits() Traits
	// Solve maximizes D(α) − ½wᵀKw until s.Gap() ≤ tol, and fills s. If s.W has length n, Solve starts from it. The
	// start may be infeasible, for example after a change of C; Solve then moves it into A first.
	//
	// s.W is always feasible, also if Solve returns an error. If the iterations run out or ctx ends, the error is an
	// *Inexact, and the bounds in s hold.
	Solve(ctx context.Context, s *Solution, g Gram, y []float64, tol float64) error
	// Evaluate fills s for the given s.W, which can come from a file or from another solver. If s.W is infeasible,
	// Linear must be 0, because D is then no lower bound. kw is nil, or K(θ)w with a relative error of at most
	// linalg.Epsilon in each number; a loss that uses it can prove sharper bounds for the same w.
	Evaluate(s *Solution, g Gram, y, kw []float64)
	// Slice returns the loss for the given rows. A loss without data for each point returns itself. A row that is out
	// of range is a panic.
	Slice(rows []int) Loss
}

// Traits are facts about a Loss. The zero value is correct for every loss on one column of targets. A missing trait
// costs speed and excludes solvers, but never makes a result wrong.
type Traits struct {
	// Columns is the number of columns of targets. Each column has its own dual coefficient for every point. 0 means 1.
	Columns int
	// Strict reports that D is strictly concave. Then α is unique for every K, and J is differentiable in K. For other
	// losses, such as the hinge loss, both hold if K is positive definite.
	Strict bool
	// Smooth reports that the loss is Strict and that Solve leaves a Factor: J is twice differentiable in K.
	Smooth bool
	// Linear reports that the loss is Smooth with D(α) = yᵀα − ½λ‖α‖², w = α and no bounds on α. The Factor is then
	// R = (K + λI)⁻¹, and α = Ry: one factorization serves all targets and leave-one-out.
	Linear bool
	// Ridge is λ of a Linear loss.
	Ridge float64
}

// Solution holds feasible dual coefficients and the bounds that they prove:
//
//	Linear − Quadratic/2 − WKW/2 ≤ J ≤ Primal.
//
// Rounding bounds the rounding error of each number.
type Solution struct {
	W         []float64 // w(α), signed dual coefficients, length n
	Bias      float64   // b; 0 for losses without a bias
	Biases    []float64 // one bias for each column of Columns; nil for other losses
	Linear    float64   // D(sα) = s·Linear − ½s²·Quadratic for 0 ≤ s ≤ 1
	Quadratic float64
	WKW       float64 // wᵀKw; for a block norm the square of that norm, which Block makes Σ c_i wᵀK_iw
	Primal    float64
	Block     []float64 // weights c of a block norm; nil for other losses
	Factor    Factor    // of a Smooth loss; nil for other losses
	Iters     int       // iterations of the inner solver
	// Threads is the number of threads that the linear algebra of Solve may use. 0 means linalg.Threads().
	Threads int

	// Rounding bounds the rounding errors of the numbers above.
	Rounding Rounding

	// ShiftError bounds how far J can rise above Primal if the diagonal shift is removed from K. A Gram with
	// shift δ stands for given matrices, which are at least K − δI. They need not be positive semidefinite; their J is
	// defined by the dual. With risk_i conjugate to D_i,
	//
	//	J(K − δI) ≤ ½wᵀKw + Σ_i max_a (x_ia − D_i(a) + ½δa²),   x_i as in Primal = ½wᵀKw + Σ_i risk_i(x_i).
	//
	// ShiftError is about ½δ‖w‖² for the squared loss and ½δC² for each support vector of the hinge loss. It is +Inf
	// if δ ≥ λ.
	ShiftError float64

	kw   []float64 // Kw; the storage is reused by later solves
	root []float64 // √(K_ii + δ): see magnitude
}

// Rounding bounds the rounding errors of a Solution: the distance of each number from its value in exact arithmetic for
// the same w and the stored base matrices and targets.
type Rounding struct {
	Linear, Quadratic, WKW, Primal float64
	// Sum bounds |Σw| if the loss requires Σw = 0: a feasible vector differs from w by at most Sum in one coordinate.
	Sum   float64
	Known bool // the loss computed these bounds; if false, the caller estimates them
}

// Dual returns D(α) − ½wᵀKw, a lower bound of J.
func (s *Solution) Dual() float64 { return s.Linear - s.Quadratic/2 - s.WKW/2 }

// Gap returns the relative gap (Primal − Dual)/|Primal|, or 0 if Primal = Dual. The argument tol of Solve bounds it.
// The gap of a whole run is defined in the same way.
func (s *Solution) Gap() float64 { return RelativeGap(s.Primal-s.Dual(), s.Primal) }

// RelativeGap returns gap/|scale|, or 0 if the gap is 0.
func RelativeGap(gap, scale float64) float64 {
	if gap == 0 {
		return 0
	}
	return gap / math.Abs(scale)
}

// LeaveOneOut stores the leave-one-out residuals y_i − f₋ᵢ(x_i) of a Linear loss in dst, which has the length of W. f₋ᵢ
// is fitted without point i at the same K. The residual is α_i / [(K + λI)⁻¹]_ii: one factorization instead of n. It is
// NaN if point i has no target. What a family fits to the points, such as centering, is not fitted again without point
// i.
func (s *Solution) LeaveOneOut(dst []float64) {
	s.Factor.Diag(dst)
	for i, r := range dst {
		dst[i] = s.W[i] / r
	}
}

// Refine adds R(y − Kw − λw) to w, one step of iterative refinement. The solution must be one of a Linear loss that
// Evaluate filled with an accurate kw. Refine reports whether the step can have helped. Call Evaluate again in both
// cases.
func (s *Solution) Refine(y, kw []float64, lambda float64) bool {
	if s.Factor == nil || !(s.Gap() > linalg.Gamma(4)) {
		return false
	}
	e := make([]float64, len(y))
	for i, v := range y {
		e[i] = v - kw[i] - lambda*s.W[i]
	}
	s.Factor.MulVec(e, e)
	floats.Add(s.W, e)
	return floats.Norm(e, 2) < 0.1*floats.Norm(s.W, 2)
}

// Inexact reports that the inner solver ended before it reached the requested gap. The Solution is feasible, and its
// bounds hold.
type Inexact struct {
	Gap, Target float64 // relative: reached and requested
	Iterations  bool    // the iteration limit ended the solver; if false, rounding or Cause did
	Cause       error   // the error of the context, if that ended the solver
}

func (e *Inexact) Error() string {
	why := "stalled because of rounding"
	switch {
	case e.Cause != nil:
		why = "was stopped"
	case e.Iterations:
		why = "reached its iteration limit"
	}
	return fmt.Sprintf("loss: the inner solver %s at a relative gap of %.2g; the requested gap is %.2g", why, e.Gap,
		e.Target)
}

// Unwrap returns the Cause.
func (e *Inexact) Unwrap() error { return e.Cause }

// Factor is the factorization of the inner problem at one θ. Gradient, Hessian products and leave-one-out share it.
type Factor interface {
	// MulVec stores Re, where the n×n matrix R is the sensitivity of w: if K moves by εE, w moves by −εR(Ew) to first
	// order. dst and e have length n; dst may be e.
	MulVec(dst, e []float64)
	// Diag stores the diagonal of R, length n.
	Diag(dst []float64)
	// Release returns the storage for use by a later Factor of any problem. Do not use the Factor after Release.
	Release()
}

// Proximal is a Loss with a proximal step in α, for solvers that do not maximize over α completely.
type Proximal interface {
	Loss
	// Prox replaces w, feasible and of length n, by the maximizer of D(w') − ½w'ᵀKw' − ‖w'−w‖²/(2τ) over all feasible
	// w', to the relative gap tol of that problem.
	Prox(ctx context.Context, w []float64, g Gram, y []float64, tau, tol float64) error
}

// Weighted is a Loss that can weigh the error of each point.
type Weighted interface {
	Loss
	// WithWeights returns the loss with other weights. nil means that all weights are 1.
	WithWeights(w []float64) Loss
	// PointWeights returns the weights, or nil if all are 1.
	PointWeights() []float64
}

// Tunable is a Loss with one hyperparameter, such as λ or C, that cross-validation can choose.
type Tunable interface {
	Loss
	// Parameter returns the name of the hyperparameter, "λ" or "C", and its value.
	Parameter() (name string, value float64)
	// WithParameter returns the loss with another value of the hyperparameter.
	WithParameter(v float64) Loss
}

// ParameterOf returns the name and the value of the hyperparameter of l. ok is false if l is not Tunable.
func ParameterOf(l Loss) (name string, value float64, ok bool) {
	t, ok := l.(Tunable)
	if !ok {
		return "", 0, false
	}
	name, value = t.Parameter()
	return name, value, true
}

// Scored is a Loss with a score of its own. Hyperparameters are chosen by its mean over held-out points. Other losses
// are scored by the RMSE or, for classes, by the error rate.
type Scored interface {
	Loss
	// Score returns the score of the prediction f of the target y. A smaller score is better. It does not depend on the
	// hyperparameter.
	Score(f, y float64) float64
}

// ErrNotPSD reports a K that is not positive semidefinite.
var ErrNotPSD = errors.New("loss: K is not positive semidefinite")
