// Package loss is the inner problem: D, A and the solver of
//
//	J(K) = max_{α ∈ A}  D(α) − ½ w(α)ᵀ K w(α).
package loss

import (
	"errors"

	"gonum.org/v1/gonum/mat"
)

// Gram is what a loss sees of K(θ); kernel.Gram satisfies it.
type Gram interface{ K() *mat.SymDense }

// Rooted is a Gram that may offer Φ, n×r with r < n, K = ΦΦᵀ; kernel.Rooted satisfies it.
type Rooted interface{ Root() *mat.Dense }

// Loss solves the inner problem. It is configuration only and serves many runs at once.
type Loss interface {
	// Validate says what is wrong with the loss's parameters or with the targets y.
	Validate(y []float64) error
	// Solve maximises D(α) − ½wᵀKw until Primal − Dual ≤ tol·max(1, |Dual|), from s.W where
	// its length is right, and fills s. s.W is feasible always, also with an error.
	Solve(s *Solution, g Gram, y []float64, tol float64) error
	// Judge fills s for a given feasible s.W: what a stored or foreign α proves.
	Judge(s *Solution, g Gram, y []float64)
}

// Solution is a feasible α and what it proves: Lin − Quad/2 − WKW/2 ≤ J ≤ Primal.
type Solution struct {
	W      []float64 // w(α), signed dual coefficients, length n
	Bias   float64   // 0 for losses without one
	Lin    float64   // with Quad: D(sα) = s·Lin − ½s²·Quad for 0 ≤ s ≤ 1
	Quad   float64
	WKW    float64 // wᵀKw
	Primal float64
	Factor Factor // nil unless the loss is Smooth
	Iters  int    // of the inner solver

	// Threads is at most how many threads of linear algebra a solve and its Factor use. The caller
	// sets it. If Threads is 0, it is linalg.Threads().
	Threads int

	kw []float64 // Kw, kept between solves
}

// Dual is D(α) − ½wᵀKw.
func (s *Solution) Dual() float64 { return s.Lin - s.Quad/2 - s.WKW/2 }

// Factor is the factorisation of the inner problem, kept for everything at the same θ.
type Factor interface {
	// Respond stores R e: if K moves by εE, w moves by −εR(Ew) to first order. dst may be e.
	Respond(dst, e []float64)
	// Diag stores the diagonal of R.
	Diag(dst []float64)
}

// Pooled is a Factor whose storage serves a later one of any problem.
type Pooled interface {
	Factor
	// Release gives it back. Nobody may use the Factor any more.
	Release()
}

// Smooth is a Loss whose Solve leaves a Factor: J is twice differentiable in K.
type Smooth interface {
	Loss
	Smooth()
}

// LeaveOneOut is a Loss whose residuals with each point left out, at the same θ, follow from the
// Factor of the whole.
type LeaveOneOut interface {
	Smooth
	// LeaveOneOut stores y_i − f₋ᵢ(x_i) in dst, f₋ᵢ learned without point i.
	LeaveOneOut(dst []float64, s *Solution, y []float64)
}

// ErrNotPSD reports a K that is not positive semidefinite.
var ErrNotPSD = errors.New("loss: K is not positive semidefinite")
