package mkl

import (
	"fmt"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"

	"gonum.org/v1/gonum/floats"
)

// Point is a Problem evaluated at one θ, with all that one factorisation gives: the gradient, the
// oracle and products with the Hessian are made on demand, the first two once.
type Point struct {
	Theta         []float64   // m; written before Evaluate
	Gram          kernel.Gram // K(θ)
	loss.Solution             // α and what it proves
	R             float64     // r(θ)

	p      *Problem
	grad   []float64
	fresh  bool // grad is of this θ
	oracle *Vertex
	use    Oracle
}

// Oracle is what a solver wants of min_{θ'∈Θ} ⟨∇F(θ),θ'⟩ beside the value, which the certificate
// reads: one call serves both.
type Oracle int

const (
	MinOnly    Oracle = iota // the value
	WithVertex               // and where it is attained, for steps towards it
)

// Vertex is the oracle's answer.
type Vertex struct {
	Min float64   // min_{θ'∈Θ} ⟨∇F,θ'⟩, −Inf if unbounded
	S   []float64 // where; nil unless the solver Uses WithVertex
}

// NewPoint returns an unevaluated Point of p.
func (p *Problem) NewPoint() *Point {
	m, _ := p.Grams.Dims()
	return &Point{Theta: make([]float64, m), Gram: p.Grams.New(), p: p}
}

// release gives the storage of pt to later points. Nobody may use pt any more.
func (pt *Point) release() {
	if g, ok := pt.Gram.(kernel.Pooled); ok {
		g.Release()
	}
	if f, ok := pt.Factor.(loss.Pooled); ok {
		f.Release()
	}
	pt.Gram, pt.Factor = nil, nil
}

// Evaluate moves the Gram to Theta and solves the inner problem to the relative gap tol, from
// warm, which may be nil.
func (pt *Point) Evaluate(warm *Point, tol float64) error {
	pt.Gram.At(pt.Theta)
	return pt.Inner(warm, tol)
}

// Inner is Evaluate for a solver that has moved pt.Gram itself.
func (pt *Point) Inner(warm *Point, tol float64) error {
	pt.fresh, pt.oracle, pt.R = false, nil, 0
	if warm != nil && warm != pt {
		pt.W = append(pt.W[:0], warm.W...)
	}
	if err := pt.p.Loss.Solve(&pt.Solution, pt.Gram, pt.p.Y, tol); err != nil {
		return fmt.Errorf("mkl: evaluate J: %w", err)
	}
	if pt.p.Reg != nil {
		pt.R = pt.p.Reg.Value(nil, pt.Theta)
	}
	return nil
}

// F is the dual value of J plus r: a lower bound of F(θ), exact where α is.
func (pt *Point) F() float64 { return pt.Dual() + pt.R }

// Upper is the primal value of J plus r: an upper bound of F(θ) whatever α.
func (pt *Point) Upper() float64 { return pt.Primal + pt.R }

// Grad is ∇F(θ)_k = −½wᵀ(∂K/∂θ_k)w + r'(θ)_k, length m, read-only, valid until the next Evaluate.
func (pt *Point) Grad() []float64 {
	if !pt.fresh {
		if pt.grad == nil {
			pt.grad = make([]float64, len(pt.Theta))
		}
		pt.Gram.Gradient(pt.grad, pt.W)
		floats.Scale(-0.5, pt.grad)
		if pt.p.Reg != nil {
			pt.p.Reg.Value(pt.grad, pt.Theta)
		}
		pt.fresh = true
	}
	return pt.grad
}

// Oracle is min_{θ'∈Θ} ⟨∇F(θ),θ'⟩.
func (pt *Point) Oracle() *Vertex {
	if pt.oracle == nil {
		v := &Vertex{}
		if pt.use == WithVertex {
			v.S = make([]float64, len(pt.Theta))
		}
		v.Min = pt.p.Set.Minimize(v.S, pt.Grad())
		pt.oracle = v
	}
	return pt.oracle
}

// HessVec stores ∇²J(θ)u in dst, without r:
//
//	u ↦ wᵀ(∂_kK) R (Σ_l u_l ∂_lK) w − ½ Σ_l u_l wᵀ(∂²_klK)w,   R the loss's Factor.
//
// It returns false if the family is not Curved or the loss not Smooth. It costs about two gradients.
func (pt *Point) HessVec(dst, u []float64) bool {
	c, ok := pt.Gram.(kernel.Curved)
	if !ok || pt.Factor == nil {
		return false
	}
	e := make([]float64, len(pt.W))
	c.Along(e, u, pt.W)
	pt.Factor.Respond(e, e)
	c.Pair(dst, e, pt.W)
	t := make([]float64, len(u))
	c.Second(t, u, pt.W)
	floats.AddScaled(dst, -0.5, t)
	return true
}

// LeaveOneOut stores the residual of each point under the model learned without it, at the same
// θ. It returns false if the loss has no such short cut.
func (pt *Point) LeaveOneOut(dst []float64) bool {
	l, ok := pt.p.Loss.(loss.LeaveOneOut)
	if !ok || pt.Factor == nil {
		return false
	}
	l.LeaveOneOut(dst, &pt.Solution, pt.p.Y)
	return true
}
