package mkl

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/mklnb/mkl/algos/internal/memory"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/floats"
)

// Point is a Problem evaluated at one θ. The gradient, the answer of the oracle min_Θ ⟨∇F(θ),·⟩ and products with the
// Hessian are computed on demand. They use the factorization with which J was computed.
type Point struct {
	Theta         []float64   // θ, length m; set it before Evaluate
	Gram          kernel.Gram // K(θ)
	loss.Solution             // α and the bounds that it proves
	R             float64     // r(θ)

	p                    *Problem
	ctx                  context.Context // canceling it stops a solve of the loss; if nil, none is stopped
	inexact              *loss.Inexact   // nil if the solve of the loss reached the requested gap
	gradJ                []float64       // ∇J and ∇F, F = J + r; of length 0 until they are requested at this θ and w
	gradF                []float64
	minimizingVertex     *Vertex
	applicableProofs     []boundProof    // proofs of lower bounds that hold for p, found at the first request
	roundingErrs         *roundingErrors // bounds of the rounding errors; nil until they are requested at this θ and w
	isInDoubledPrecision bool            // evaluated in doubled precision
	requirements         Requirements    // requirements of the solver
}

// Requirements describes the needs of a solver at every point.
type Requirements struct {
	// NeedsVertex requests a minimizer of ⟨∇F(θ),·⟩ over Θ in Vertex.Minimizer. The certificate needs only the minimum.
	// One computation serves the step and the certificate.
	NeedsVertex bool
	// NeedsRankOne requests the minimizer vvᵀ of ⟨∇F(θ),·⟩ over Θ as the vector v in Vertex.RankOneFactor. Θ must be a
	// set.Spectraplex. θ may then have millions of entries. A run holds three arrays of this size: θ of the current
	// point, of the trial, and of the result. A step also holds a gradient and, without a BLAS library, one more array.
	NeedsRankOne bool
	// ProjectsStart requests that a run from a start outside Θ first moves to the projection of the start onto Θ, even
	// if F is larger there. A line search that compares F on Θ with F outside Θ may never enter Θ.
	ProjectsStart bool
	// MaxInnerGap is the largest relative gap to which the loss may be solved at a point. If 0, it is 1e-6.
	MaxInnerGap float64
	// ParameterMatrices is the number of m×m matrices that a run stores for m parameters θ, for the check that the run
	// fits in memory.
	ParameterMatrices int
}

// Vertex is the answer of the oracle: the minimum of ⟨∇F(θ),θ'⟩ over θ' ∈ Θ, and a minimizer.
type Vertex struct {
	Minimum       float64   // the minimum of ⟨∇F(θ),·⟩ over Θ; −Inf if unbounded
	Minimizer     []float64 // the θ' that attains Minimum; nil unless Requirements.NeedsVertex is set
	RankOneFactor []float64 // v, where vvᵀ attains Minimum, if Requirements.NeedsRankOne is set; Minimizer is then nil
}

// NewPoint returns a Point of p that is not evaluated yet.
func (p *Problem) NewPoint() *Point {
	m, _ := p.Grams.Dims()
	return &Point{Theta: make([]float64, m), Gram: p.Grams.New(), p: p}
}

// ShortageError is the error of a run that needs more memory than the process may use, and that was not started.
type ShortageError = memory.ShortageError

// FitSize describes the memory of a run of a solver on the Grams g with the loss l.
func FitSize(g kernel.Grams, l loss.Loss) memory.Fit {
	m, n := g.Dims()
	return memory.Fit{Points: n, Parameters: m, Triangles: g.StoredTriangleCount(),
		NeedsEntries: !l.Traits().LinearInTargets, Grams: 2}
}

// checkMemory returns an error if a run with these requirements, or an evaluation at one θ, needs more memory than the
// process may use. gramCount is the number of points θ that are stored at a time.
func (p *Problem) checkMemory(gramCount int, requirements Requirements) error {
	f := FitSize(p.Grams, p.Loss)
	f.Grams, f.ParameterMatrices = gramCount, requirements.ParameterMatrices
	err := f.Check(float64(memory.Available()), func(maxPoints int) string {
		return fmt.Sprintf("use at most %d points, or fewer kernels", maxPoints)
	})
	if err != nil {
		return fmt.Errorf("mkl: %w", err)
	}
	return nil
}

// SetContext makes Evaluate and SolveDual stop when ctx ends.
func (pt *Point) SetContext(ctx context.Context) { pt.ctx = ctx }

// release returns the storage of pt for use by later points. pt must not be used after release.
func (pt *Point) release() {
	pt.Gram.Release()
	if pt.Factor != nil {
		pt.Factor.Release()
	}
	pt.Gram, pt.Factor = nil, nil
}

// Evaluate sets the Gram to Theta and solves the dual problem of J there to the relative gap tol. The solver starts
// from the dual coefficients of warm, unless warm is nil. Theta must not change until the next Evaluate. It is not an
// error if the solver runs out of iterations: Inexact then returns the state of the solver, and the bounds are valid.
func (pt *Point) Evaluate(warm *Point, tol float64) error {
	if err := pt.p.checkMemory(1, Requirements{}); err != nil {
		return err
	}
	pt.Gram.SetTheta(pt.Theta)
	return pt.SolveDual(warm, tol)
}

// SolveDual solves the dual problem of J at Theta, like Evaluate, but the caller has set pt.Gram to Theta.
func (pt *Point) SolveDual(warm *Point, tol float64) error {
	pt.discardResults()
	if warm != nil && warm != pt {
		pt.W = append(pt.W[:0], warm.W...)
		pt.BlockWeights = append(pt.BlockWeights[:0], warm.BlockWeights...)
	}
	ctx := pt.ctx
	if ctx == nil {
		ctx = context.Background()
	}
	err := pt.p.Loss.Solve(ctx, &pt.Solution, pt.Gram, pt.p.Y, tol)
	if (err == nil || errors.As(err, &pt.inexact)) && pt.p.Reg != nil {
		pt.R = pt.p.Reg.Value(nil, pt.Theta)
	}
	if err == nil || pt.inexact != nil && ctx.Err() == nil {
		return nil
	}
	return fmt.Errorf("mkl: cannot evaluate the loss term J of F: %w", err)
}

// evaluateDual computes at Theta, without solving, the bounds of J that follow from the feasible dual coefficients w.
// pt.Gram must be set to Theta. A matrix-free Gram must have computed the products K_kw already.
func (pt *Point) evaluateDual(w []float64) {
	pt.discardResults()
	pt.W = append(pt.W[:0], w...)
	pt.p.Loss.Evaluate(&pt.Solution, pt.Gram, pt.p.Y, nil)
	if pt.p.Reg != nil {
		pt.R = pt.p.Reg.Value(nil, pt.Theta)
	}
}

// discardResults discards everything that belongs to another θ or w.
func (pt *Point) discardResults() {
	pt.isInDoubledPrecision, pt.minimizingVertex, pt.roundingErrs, pt.R, pt.inexact = false, nil, nil, 0, nil
	pt.gradJ, pt.gradF = pt.gradJ[:0], pt.gradF[:0]
}

// discardGradients discards the gradients and the bounds of their rounding errors, which take as much memory as θ. It
// keeps gradients in doubled precision. The next request computes discarded numbers again.
func (pt *Point) discardGradients() {
	if !pt.isInDoubledPrecision {
		pt.gradJ, pt.gradF, pt.roundingErrs = nil, nil, nil
	}
}

// Inexact returns nil, or the state in which the solve of the loss ran out of iterations.
func (pt *Point) Inexact() *loss.Inexact { return pt.inexact }

// F returns the computed dual value of J plus r(θ), which line searches compare. Up to rounding, this sum is at most
// the objective J(θ) + r(θ), and equal to it if α is the maximizer.
func (pt *Point) F() float64 { return pt.Dual() + pt.R }

// Upper returns an upper bound of F(θ) for any α: the primal value of J plus r, plus a bound of their rounding.
func (pt *Point) Upper() float64 { return pt.Primal + pt.R + pt.roundingBounds().primalErr }

// Grad returns ∇F(θ)_k = −½wᵀ(∂K/∂θ_k)w + r'(θ)_k, of length m. It is read-only and valid until the next Evaluate.
// Certify with tryCostlyProofs may make it more exact.
func (pt *Point) Grad() []float64 {
	j := pt.GradJ()
	if pt.p.Reg == nil {
		return j
	}
	if len(pt.gradF) == 0 {
		pt.gradF = append(pt.gradF, j...)
		pt.p.Reg.Value(pt.gradF, pt.Theta)
	}
	return pt.gradF
}

// GradJ returns ∇J(θ), the gradient of F without the regularizer r.
func (pt *Point) GradJ() []float64 {
	if len(pt.gradJ) == 0 {
		pt.gradJ = slices.Grow(pt.gradJ, len(pt.Theta))[:len(pt.Theta)]
		pt.sumOverColumns(pt.gradJ, pt.Gram.Gradient)
		floats.Scale(-0.5, pt.gradJ)
	}
	return pt.gradJ
}

// Oracle returns the minimum of ⟨∇F(θ),θ'⟩ over θ' ∈ Θ and, if required, a minimizer.
func (pt *Point) Oracle() *Vertex {
	if pt.minimizingVertex == nil {
		v := &Vertex{}
		switch {
		case pt.requirements.NeedsRankOne:
			rows, _ := pt.p.Grams.ThetaShape()
			v.RankOneFactor = make([]float64, rows)
			v.Minimum = set.Spectraplex{Trace: pt.p.Set.Traits().Sum}.MinimizeRankOne(v.RankOneFactor, pt.Grad())
		default:
			if pt.requirements.NeedsVertex {
				v.Minimizer = make([]float64, len(pt.Theta))
			}
			v.Minimum = pt.p.Set.Minimize(v.Minimizer, pt.Grad())
		}
		pt.minimizingVertex = v
	}
	return pt.minimizingVertex
}

// HessianVectorProduct stores ∇²J(θ)u in dst, without the Hessian of the regularizer; u and dst have length m:
//
//	u ↦ wᵀ(∂_kK) R (Σ_l u_l ∂_lK) w − ½ Σ_l u_l wᵀ(∂²_klK)w,   R = Factor, such as (K + λI)⁻¹.
//
// ok is false if the Gram is not a kernel.SecondOrder or the loss is not Smooth. It costs about two gradients.
func (pt *Point) HessianVectorProduct(dst, u []float64) (ok bool) {
	c, ok := pt.Gram.(kernel.SecondOrder)
	if !ok || pt.Factor == nil {
		return false
	}
	_, n := pt.p.Grams.Dims()
	e := make([]float64, len(pt.W))
	for i := 0; i < len(e); i += n {
		c.MulDirectionalDerivative(e[i:i+n], u, pt.W[i:i+n])
	}
	pt.Factor.MulVec(e, e)
	pt.sumOverColumns(dst, func(dst, w []float64) {
		c.BilinearGradient(dst, e[:n], w)
		e = e[n:]
	})
	t := make([]float64, len(u))
	pt.sumOverColumns(t, func(dst, w []float64) { c.HessianVectorProduct(dst, u, w) })
	floats.AddScaled(dst, -0.5, t)
	return true
}

// splitColumns yields the parts of v, n numbers each, one part per column of targets.
func (pt *Point) splitColumns(v []float64) iter.Seq[[]float64] {
	_, n := pt.p.Grams.Dims()
	return slices.Chunk(v, n)
}

// sumOverColumns calls storeTerm for each column w of pt.W, and stores the sum of the terms in dst.
func (pt *Point) sumOverColumns(dst []float64, storeTerm func(dst, w []float64)) {
	if len(pt.W) == 0 || pt.p.columnCount() == 1 {
		storeTerm(dst, pt.W)
		return
	}
	t := make([]float64, len(dst))
	clear(dst)
	for w := range pt.splitColumns(pt.W) {
		storeTerm(t, w)
		floats.Add(dst, t)
	}
}
