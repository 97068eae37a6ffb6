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

// Gram provides the kernel matrix K(θ) to a loss. Every kernel.Gram and *kernel.Matrix is a Gram. BlockNorm needs a
// kernel.Blocked, because it chooses the weights of several matrices.
type Gram interface{ K() *kernel.Matrix }

// Loss is a loss function with a solver for a fixed kernel matrix K. Its dual problem is to maximize D(α) − ½wᵀKw over
// α in A, with signed coefficients w(α); J is the maximum: see the package comment. A Loss is plain data; many solves
// can use one value at the same time.
type Loss interface {
	// Validate returns an error if a parameter of the loss is invalid, if y is empty, or if a target in y is not a
	// number of magnitude at most 1e100 or not a label of the loss.
	Validate(y []float64) error
	// Traits returns the properties of the loss that decide which solvers and faster methods can be used.
	Traits() Traits
	// Solve maximizes D(α) − ½wᵀKw until s.Gap() ≤ tol. It sets W, LinearTerm, QuadraticTerm, WKW, Primal and, if the
	// loss has a bias, Bias; Rounding and ShiftError sharpen certificates, and Iters is for reports. If s.W has length
	// n, Solve starts from it. The start may be infeasible, for example after a change of C; Solve then first replaces
	// it by a feasible w.
	//
	// s.W is always feasible, also if Solve returns an error. If the iterations run out or ctx ends, the error is an
	// *Inexact, and the bounds in s hold.
	Solve(ctx context.Context, s *Solution, g Gram, y []float64, tol float64) error
	// Evaluate stores in s the bounds of J that s.W proves, without solving. s.W can come from a file or from another
	// solver. If s.W is infeasible, Evaluate must set LinearTerm to 0, because the dual objective D(α) is then no lower
	// bound. kw is nil, or K(θ)w with a relative error of at most linalg.Epsilon in each number, for sharper bounds.
	Evaluate(s *Solution, g Gram, y, kw []float64)
	// Slice returns the loss for the points with the given rows. A loss without weights for each point returns itself.
	// Slice panics if a row is out of range.
	Slice(rows []int) Loss
}

// Traits are properties of a Loss. The zero value is correct for every loss on one column of targets whose risk does
// not need NeedsCentering. A loss that does not report another property that it has is slower and excludes solvers, but
// no result is wrong.
type Traits struct {
	// Columns is the number of columns of targets. Each column has a dual coefficient for every point. 0 means 1.
	Columns int
	// StrictlyConcave reports that the dual objective D is strictly concave. Then α is unique for every K, and J is
	// differentiable in K. For other losses, such as the hinge loss, both hold if K is positive definite.
	StrictlyConcave bool
	// Smooth reports that J is twice differentiable in K and Solve sets Solution.Factor. It implies StrictlyConcave.
	Smooth bool
	// LinearInTargets reports that the loss is Smooth, that D(α) = yᵀα − ½ Σ (λ/v_i)α_i² for the weights v_i of points
	// (PointWeights) and w = α, and that α has no bounds. The solution is then α = (K + λV⁻¹)⁻¹y, where V is diagonal
	// with the v_i, so that one factorization, the Factor, serves all targets.
	LinearInTargets bool
	// NeedsCentering reports that the risk of a point depends on y_i − f_i only, and that the loss has no bias. Then
	// package fit subtracts the mean of the targets, which predictions add again. Without this, a model shrinks its
	// predictions toward 0.
	NeedsCentering bool
	// Ridge is the λ of the solution α = (K + λV⁻¹)⁻¹y if LinearInTargets is set.
	Ridge float64
}

// Solution holds dual coefficients w and the bounds of J that they prove, up to rounding errors:
//
//	LinearTerm − QuadraticTerm/2 − WKW/2 ≤ J ≤ Primal.
//
// The zero Solution is ready for Solve. The prediction for z is f(z) = Σ_i W[i]k(z, x_i) + Bias.
type Solution struct {
	W      []float64 // w(α), signed dual coefficients, length n
	Bias   float64   // b; 0 for losses without a bias
	Biases []float64 // one bias for each column of Columns; nil for other losses
	// LinearTerm and QuadraticTerm satisfy D(sα) ≥ s·LinearTerm − ½s²·QuadraticTerm for 0 ≤ s ≤ 1, with equality for
	// s = 1, where D is the dual objective. If D(sα) is not quadratic in s, QuadraticTerm is 0 and LinearTerm is D(α),
	// because D(sα) ≥ sD(α) for a concave D.
	LinearTerm, QuadraticTerm float64

	WKW          float64   // wᵀKw; for BlockNorm Σ_i c_i wᵀK_iw with the weights c in BlockWeights
	Primal       float64   // primal value, an upper bound of J
	BlockWeights []float64 // weights c of the matrices of a BlockNorm; nil for other losses
	Factor       Factor    // factorized matrix such as K + λI, set by Solve of a Smooth loss; nil for other losses
	Iters        int       // iterations of Solve
	// Threads is the number of threads that the linear algebra of Solve may use. 0 means the default, linalg.Threads().
	Threads int

	// Rounding bounds the rounding errors of LinearTerm, QuadraticTerm, WKW and Primal.
	Rounding Rounding

	// ShiftError bounds how far J can rise above Primal if a diagonal shift δI is removed from K. A family can add this
	// shift to matrices that are not positive semidefinite. The J of the original matrix K − δI is the maximum of the
	// dual problem. For a loss with D(α) = Σ_i D_i(α_i) and Primal = ½wᵀKw + Σ_i max_a (D_i(a) − a·u_i), where u_i is
	// the prediction f_i for numeric targets and y_if_i for labels y_i,
	//
	//	J(K − δI) ≤ ½wᵀKw + Σ_i max_a (D_i(a) − a·u_i + ½δa²).
	//
	// ShiftError is about ½δ‖w‖² for the squared loss, and ½δC² for each support vector of the hinge loss. For a loss
	// with the parameter λ it is +Inf if δ ≥ λ.
	ShiftError float64

	kw        []float64 // the product of K and w; later solves reuse the storage
	diagRoots []float64 // √(K_ii + δ) with δ ≥ 0 such that K + δI is positive semidefinite
}

// Rounding bounds the rounding errors of a Solution: the distance of each number from its value in exact arithmetic for
// the same w and the stored base matrices and targets.
type Rounding struct {
	LinearTerm, QuadraticTerm, WKW, Primal float64
	// SumOfW bounds |Σw| if the loss requires Σw = 0. A change of one w_i by at most SumOfW makes w feasible.
	SumOfW    float64
	HasBounds bool // whether the loss computed these bounds; if false, the caller estimates them
}

// Dual returns the value D(α) − ½wᵀKw of the dual problem, a lower bound of the optimal value J.
func (s *Solution) Dual() float64 { return s.LinearTerm - s.QuadraticTerm/2 - s.WKW/2 }

// Gap returns the relative gap (Primal − Dual)/|Primal|, or 0 if Primal = Dual. The argument tol of Solve is a limit of
// this gap. The gap of a run of package mkl is defined in the same way.
func (s *Solution) Gap() float64 { return RelativeGap(s.Primal-s.Dual(), s.Primal) }

// RelativeGap returns gap/|scale|, or 0 if the gap is 0.
func RelativeGap(gap, scale float64) float64 {
	if gap == 0 {
		return 0
	}
	return gap / math.Abs(scale)
}

// Refine takes one step of iterative refinement: it adds (K + λV⁻¹)⁻¹(y − Kw − λV⁻¹w) to w, with the help of s.Factor.
// s must come from Evaluate of l, a LinearInTargets loss, with kw = Kw. Refine returns false if the gap is already of
// the order of rounding or if the step was as large as 0.1‖w‖. After Refine, call Evaluate again in either case.
func (s *Solution) Refine(y, kw []float64, l Loss) (improved bool) {
	if s.Factor == nil || !(s.Gap() > linalg.RoundingFactor(4)) {
		return false
	}
	correction, lambda, weights := make([]float64, len(y)), l.Traits().Ridge, PointWeights(l)
	for i, v := range y {
		correction[i] = v - kw[i] - lambda/pointWeight(weights, i)*s.W[i]
	}
	s.Factor.MulVec(correction, correction)
	floats.Add(s.W, correction)
	return floats.Norm(correction, 2) < 0.1*floats.Norm(s.W, 2)
}

// Inexact reports that Solve ended before it reached the requested gap. The Solution is feasible, and its bounds hold.
type Inexact struct {
	Gap, TargetGap        float64 // relative gaps: reached and requested
	IterationLimitReached bool    // the iteration limit ended the solver; if false, Cause or, if nil, rounding did
	Cause                 error   // the error of the context, if that ended the solver
}

func (e *Inexact) Error() string {
	reason := "stalled because of rounding"
	switch {
	case e.Cause != nil:
		reason = "was stopped"
	case e.IterationLimitReached:
		reason = "reached its iteration limit"
	}
	return fmt.Sprintf("loss: the inner solver %s at a relative gap of %.2g; the requested gap is %.2g", reason, e.Gap,
		e.TargetGap)
}

// Unwrap returns the Cause.
func (e *Inexact) Unwrap() error { return e.Cause }

// Factor is the factorized matrix of a Smooth loss at one θ, such as K + λI. Gradient and Hessian products use it.
type Factor interface {
	// MulVec stores R·e in dst, where the n×n matrix R is the sensitivity of w: if K changes by εE, w changes by
	// −εR(Ew) to first order in ε. dst and e have length n; dst may be e.
	MulVec(dst, e []float64)
	// Release returns the storage for use by a later Factor of any problem. Do not use the Factor after Release.
	Release()
}

// Proximal is a Loss with a proximal step in w (Hinge has one), for mkl.DualAscent and mkl.ADMM.
type Proximal interface {
	Loss
	// Prox replaces w, feasible and of length n, by the maximizer of D(w') − ½w'ᵀKw' − ‖w'−w‖²/(2τ) over all feasible
	// w', to the relative gap tol of that problem. τ is stepLength.
	Prox(ctx context.Context, w []float64, g Gram, y []float64, stepLength, tol float64) error
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

// Scored is a Loss that defines its own score of a prediction. Cross-validation chooses hyperparameters by the mean
// score of held-out points. For other losses it uses the RMSE or, for classes, the error rate.
type Scored interface {
	Loss
	// Score returns the score of the prediction f of the target y; smaller is better. It does not depend on C or λ.
	Score(f, y float64) float64
}

// Weighted is a Loss with a weight for the error of each point. The steps besides the fit, such as the choice of
// hyperparameters, use the same weights.
type Weighted interface {
	Loss
	// PointWeights returns one number > 0 for each point, or nil if all weights are 1.
	PointWeights() []float64
}

// PointWeights returns the weights of the points of l (Weighted), or nil if it has none.
func PointWeights(l Loss) []float64 {
	if w, ok := l.(Weighted); ok {
		return w.PointWeights()
	}
	return nil
}

// ForColumn returns the loss of one of several columns of targets: Pinball with one of its Taus, and any other loss
// itself.
func ForColumn(l Loss, column int) Loss {
	if p, ok := l.(Pinball); ok && p.Taus != nil {
		p.Tau, p.Taus = p.Taus[column], nil
		return p
	}
	return l
}

// ErrNotPSD reports a K that is not positive semidefinite.
var ErrNotPSD = errors.New("loss: K is not positive semidefinite")
