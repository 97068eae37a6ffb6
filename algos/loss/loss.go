// Package loss is the inner problem: D, A and the solver of
//
//	J(K) = max_{α ∈ A}  D(α) − ½ w(α)ᵀ K w(α).
package loss

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/mklnb/mkl/algos/linalg"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Gram is what a loss sees of K(θ): a kernel.Gram, of which a loss may ask in which smaller form K is had
// (kernel.Rooted, Packed, MatrixFree), how exact it is (kernel.Accurate), and of which matrices it is the sum
// (kernel.Blocked).
type Gram interface{ K() *mat.SymDense }

// Loss solves the inner problem. It is configuration only and serves many runs at once.
type Loss interface {
	// Validate says what is wrong with the loss's parameters or with the targets y.
	Validate(y []float64) error
	// Traits returns the facts of the loss that solvers and short cuts rest on.
	Traits() Traits
	// Solve maximises D(α) − ½wᵀKw until s.Gap() ≤ tol and fills s. Where s.W has length n it
	// is a start, of any origin: a w that is not feasible, as after a change of C, is made so.
	//
	// s.W is feasible always, also with an error. Where the iterations run out or ctx ends
	// first, the error is an *Inexact and s proves what it can.
	Solve(ctx context.Context, s *Solution, g Gram, y []float64, tol float64) error
	// Evaluate fills s for a given s.W: what a stored or foreign α proves; where that is not feasible, Linear is 0. kw
	// is nil, or K(θ)w with each number of it within a linalg.Epsilon of its size: a loss that takes it can prove more
	// of the same w.
	Evaluate(s *Solution, g Gram, y, kw []float64)
	// Slice returns the loss of some of the points. One that has nothing for each point returns itself.
	Slice(rows []int) Loss
}

// Traits are facts of a Loss. The zero value is right for every loss on one column of targets: what is left out costs
// speed and solvers, never correctness.
type Traits struct {
	// Columns is the number of columns of targets, with dual coefficients of their own for every point. 0 is 1.
	Columns int
	// Strict says that D is strictly concave: α is unique whatever K, so that J is differentiable
	// in K. Of other losses, such as the hinge, that holds where K is positive definite.
	Strict bool
	// Smooth says that the loss is Strict and that Solve leaves a Factor: J is twice differentiable in K.
	Smooth bool
	// Linear says that the loss is Smooth with D(α) = yᵀα − ½λ‖α‖², w = α and no bounds of α. The Factor is then
	// R = (K + λI)⁻¹ and α = Ry: one factorisation serves all targets, and leave-one-out.
	Linear bool
	// Ridge is that λ.
	Ridge float64
}

// Solution is a feasible α and what it proves: Linear − Quadratic/2 − WKW/2 ≤ J ≤ Primal, each to the
// rounding that Rounding bounds.
type Solution struct {
	W         []float64 // w(α), signed dual coefficients, length n
	Bias      float64   // 0 for losses without one
	Biases    []float64 // of Columns, one each; else nil
	Linear    float64   // with Quadratic: D(sα) = s·Linear − ½s²·Quadratic for 0 ≤ s ≤ 1
	Quadratic float64
	WKW       float64 // wᵀKw; of a block norm its square, which c makes Σ c_i wᵀK_iw
	Primal    float64
	Block     []float64 // the weights c of a block norm, else nil
	Factor    Factor    // of a Smooth loss, else nil
	Iters     int       // of the inner solver
	// Threads is how many threads the linear algebra of Solve may use; 0 is linalg.Threads().
	Threads int

	// Rounding bounds the rounding errors of the numbers above.
	Rounding Rounding

	// Lift bounds how much larger than that J may be of the matrices as they were given, K − δI at the least, δ the
	// lift of an Accurate Gram. They need not be positive semidefinite, so that J is its dual; with risk_i conjugate
	// to D_i
	//
	//	J(K − δI) ≤ ½wᵀKw + Σ_i max_a (x_ia − D_i(a) + ½δa²),   x_i as in Primal = ½wᵀKw + Σ_i risk_i(x_i).
	//
	// It is about ½δ‖w‖² for a squared loss, ½δC² for each support vector of a hinge, +Inf where δ ≥ λ.
	ShiftError float64

	kw   []float64 // Kw, kept between solves
	root []float64 // √K_ii
}

// Rounding bounds the distance of each number of a Solution from what exact arithmetic gives for
// the same w and the stored base matrices and targets.
type Rounding struct {
	Linear, Quadratic, WKW, Primal float64
	// Sum is how far w is from Σw = 0, where the loss asks for that: the feasible w that is meant
	// differs by so much in its largest coordinate.
	Sum   float64
	Known bool // the loss states them; else they are estimated
}

// Dual is D(α) − ½wᵀKw.
func (s *Solution) Dual() float64 { return s.Linear - s.Quadratic/2 - s.WKW/2 }

// Gap is the relative gap of the inner problem, (Primal − Dual)/|Primal|; 0 if both are 0. It is
// what tol of Solve bounds, and is of the same kind as the gap of a whole run.
func (s *Solution) Gap() float64 { return RelativeGap(s.Primal-s.Dual(), s.Primal) }

// Relative is gap/|scale|; 0 if the gap is 0.
func RelativeGap(gap, scale float64) float64 {
	if gap == 0 {
		return 0
	}
	return gap / math.Abs(scale)
}

// LeaveOneOut stores y_i − f₋ᵢ(x_i) in dst, of the length of W, where f₋ᵢ is learned without point i at the same K, for
// the solution of a Linear loss: α_i / [(K + λI)⁻¹]_ii, one factorisation instead of n. It is NaN where point i
// has no target. What a family fits to the points (centring) is not fitted again without point i.
func (s *Solution) LeaveOneOut(dst []float64) {
	s.Factor.Diag(dst)
	for i, r := range dst {
		dst[i] = s.W[i] / r
	}
}

// Correct adds R(y − Kw − λw) to w, one step of iterative refinement, for a solution of a Linear loss that was
// judged with an accurate kw, and reports whether that can have helped. Evaluate it again in either case.
func (s *Solution) Refine(y, kw []float64, lambda float64) bool {
	if s.Factor == nil || !(s.Gap() > 4*linalg.Epsilon) {
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

// Inexact reports an inner solver that ended before the gap asked for was reached. Its Solution is
// feasible and proves a bracket all the same.
type Inexact struct {
	Gap, Target float64 // relative: reached, asked for
	Iterations  bool    // there were as many as it takes at most; else nothing was gained any more
	Cause       error   // the context's error, where that ended it
}

func (e *Inexact) Error() string {
	why := "gains nothing more: rounding ends it"
	switch {
	case e.Cause != nil:
		why = "was stopped"
	case e.Iterations:
		why = "ran out of iterations"
	}
	return fmt.Sprintf("loss: the inner solver %s at a relative gap of %.2g, want %.2g", why, e.Gap, e.Target)
}

// Unwrap returns the Cause.
func (e *Inexact) Unwrap() error { return e.Cause }

// Factor is the factorisation of the inner problem, kept for everything at the same θ.
type Factor interface {
	// MulVec stores R e, R n×n: if K moves by εE, w moves by −εR(Ew) to first order. dst and e
	// have length n; dst may be e.
	MulVec(dst, e []float64)
	// Diag stores the diagonal of R, length n.
	Diag(dst []float64)
	// Release gives its storage to a later Factor of any problem. Nobody may use this one any more.
	Release()
}

// Proximal is a Loss whose α can be moved by a proximal step, for methods that do not maximise over it.
type Proximal interface {
	Loss
	// Prox replaces w, length n and feasible, by the maximiser of D(w') − ½w'ᵀKw' − ‖w'−w‖²/(2τ) over
	// the feasible w', to the relative gap tol of that problem.
	Prox(ctx context.Context, w []float64, g Gram, y []float64, tau, tol float64) error
}

// Weighted is a Loss whose errors have weights, one for each point.
type Weighted interface {
	Loss
	// WithWeights returns the loss with other weights; nil for 1.
	WithWeights(w []float64) Loss
	// PointWeights returns the weights, nil for 1.
	PointWeights() []float64
}

// Tuned is a Loss with a constant that is chosen from several values, as λ and C are: a loss is
// then the template of a whole path of them.
type Tunable interface {
	Loss
	// Constant returns the name of the constant, "λ" or "C", and its value.
	Parameter() (name string, value float64)
	// WithParameter returns the loss with another value of its constant.
	WithParameter(v float64) Loss
}

// ErrNotPSD reports a K that is not positive semidefinite.
var ErrNotPSD = errors.New("loss: K is not positive semidefinite")
