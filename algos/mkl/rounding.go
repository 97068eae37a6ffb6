package mkl

import (
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/floats"
)

// rounding holds bounds of the rounding errors of a Point.
type rounding struct {
	lin, quad, form, primal float64   // of Linear, Quadratic, WKW and Primal + R
	grad                    []float64 // of ∇J, m
}

// rounding returns the bounds at θ. The first call at θ computes them. Bounds that loss and family provide are proofs.
// Without them the errors are estimated: each sum of n terms by n rounding errors of the largest size that its terms
// can have, with |K_ij| ≤ √(K_iiK_jj).
func (pt *Point) rounding() *rounding {
	if pt.round != nil {
		return pt.round
	}
	r := &rounding{lin: pt.Rounding.Linear, quad: pt.Rounding.Quadratic, form: pt.Rounding.WKW,
		primal: pt.Rounding.Primal}
	if !pt.Rounding.Known {
		n := linalg.Gamma(len(pt.W) + 64)
		r.form = 2 * n * pt.absForm()
		r.lin, r.quad = n*math.Abs(pt.Linear), n*pt.Quadratic
		r.primal = 2*r.form + n*math.Abs(pt.Primal)
	}
	r.primal += linalg.Gamma(8)*math.Abs(pt.Primal) + pt.regError()
	pt.round = r
	return r
}

// regError bounds the rounding error of r(θ), as for a sum of m terms of the sizes θ_k∂r/∂θ_k.
func (pt *Point) regError() float64 {
	if pt.p.Reg == nil {
		return 0
	}
	g := make([]float64, len(pt.Theta))
	size := math.Abs(pt.p.Reg.Value(g, pt.Theta))
	for k, v := range pt.Theta {
		size += math.Abs(v * g[k])
	}
	return linalg.Gamma(len(pt.Theta)+8) * size
}

// gradError returns bounds of the rounding errors of ∇J, m.
func (pt *Point) gradError() []float64 {
	r := pt.rounding()
	if r.grad != nil {
		return r.grad
	}
	r.grad = make([]float64, len(pt.Theta))
	if pt.stated(r.grad, 1) {
		pt.mend(r.grad)
		return r.grad
	}
	// assume as much cancellation in each wᵀ(∂_kK)w as in wᵀKw
	g := pt.GradJ()
	n := linalg.Gamma(len(pt.W) + 64)
	lost := n
	if pt.WKW > 0 {
		lost = n * pt.absForm() / pt.WKW
	}
	for k, v := range g {
		r.grad[k] = lost * math.Abs(v)
	}
	pt.mend(r.grad)
	return r.grad
}

// stated stores the family's bound of the rounding error of ∇J, times left, in dst. It returns false if the family
// provides no bound.
func (pt *Point) stated(dst []float64, left float64) bool {
	a, ok := pt.Gram.(kernel.ErrorBounded)
	if !ok {
		return false
	}
	pt.sum(dst, a.GradientError)
	floats.Scale(left/2, dst)
	return true
}

// indefinite bounds the error of sup wᵀK(θ)w in arguments that need a positive semidefinite matrix, if K(θ) is not
// quite one. K(θ) + δI is positive semidefinite, and its form exceeds wᵀKw by at most δ‖w‖².
func (pt *Point) indefinite() float64 {
	_, shift, _, _ := pt.Gram.K().Bounds()
	if shift == 0 {
		return 0
	}
	return shift * floats.Dot(pt.W, pt.W)
}

// absForm returns (Σ_i |w_i|√K_ii)² ≥ |w|ᵀ|K||w|, summed over all columns.
func (pt *Point) absForm() float64 {
	_, n := pt.p.Grams.Dims()
	diag := make([]float64, n)
	pt.Gram.K().Diagonal(diag)
	sum := 0.0
	for w := range pt.columns(pt.W) {
		t := 0.0
		for i, v := range w {
			t += math.Abs(v) * math.Sqrt(diag[i])
		}
		sum += t * t
	}
	return sum
}

// oracleError bounds the rounding error of Oracle().Min.
func (pt *Point) oracleError() float64 {
	if pt.use.RankOne && pt.p.Reg == nil && !pt.refined {
		g := pt.Grad()
		e := floats.Norm(pt.gradError(), 2) * (1 + linalg.Gamma(len(g)))
		e += linalg.Gamma(len(g)+256) * floats.Norm(g, 2)
		return pt.p.Set.Traits().Sum * e
	}
	e, size := pt.gradError(), make([]float64, len(pt.Theta))
	for k, v := range pt.Grad() {
		size[k] = e[k] + linalg.Gamma(len(size)+256)*math.Abs(v)
	}
	return set.SupportAbs(pt.p.Set, size)
}

// mend adds to dst, the error of ∇J, the effect of Σw ≠ 0 on the forms wᵀ(∂_kK)w = −2∇J_k. The feasible w differs by
// s = |Σw| in one coordinate i of each column, and the form by at most 2s√(form_k·∂_kK_ii) + s²∂_kK_ii. mend takes s
// and the forms over all columns, which cannot make the bound smaller. The errors of the forms are at most 2dst.
func (pt *Point) mend(dst []float64) {
	s := pt.Rounding.Sum
	if s == 0 {
		return
	}
	diag, forms := make([]float64, len(dst)), slices.Clone(dst)
	for k, v := range pt.GradJ() {
		forms[k] = 2 * (forms[k] + math.Abs(v))
	}
	for w := range pt.columns(pt.W) {
		unit, at := make([]float64, len(w)), 0
		for i, v := range w {
			if math.Abs(v) > math.Abs(w[at]) {
				at = i
			}
		}
		unit[at] = 1
		pt.Gram.Gradient(diag, unit)
		for k, d := range diag {
			d = math.Abs(d) * (1 + 1e-6)
			dst[k] += s*math.Sqrt(forms[k]*d) + s*s*d/2
		}
	}
}

// corrections is the largest number of steps of iterative refinement in refine.
const corrections = 4

// refine evaluates Kw and the gradient again in doubled precision. It returns false if the family or the loss does not
// support this, or if pt was refined before. The errors of the bounds are then only the rounding of their last digit.
func (pt *Point) refine() bool {
	g, ok := pt.Gram.(kernel.ErrorBounded)
	if !ok || pt.refined || pt.p.columns() > 1 || len(pt.Block) > 0 {
		return false
	}
	l, factor := pt.p.Loss, pt.Factor
	defer func() {
		if pt.Factor == nil { // the loss does not use kw; factor is of the same K
			pt.Factor = factor
		}
	}()
	f, v := make([]float64, len(pt.W)), make([]float64, len(pt.Theta))
	best, w := math.Inf(1), []float64(nil)
	for range corrections {
		if !g.EvaluateExtended(f, v, pt.W) {
			return false
		}
		l.Evaluate(&pt.Solution, pt.Gram, pt.p.Y, f)
		gap := pt.Solution.Gap()
		if !(gap < best/2) {
			break
		}
		best, w = gap, append(w[:0], pt.W...)
		if is := l.Traits(); !is.Linear || !pt.Refine(pt.p.Y, f, is.Ridge) {
			break
		}
	}
	if w != nil && !slices.Equal(w, pt.W) { // the last correction did not help, or was not evaluated
		copy(pt.W, w)
		g.EvaluateExtended(f, v, pt.W)
		l.Evaluate(&pt.Solution, pt.Gram, pt.p.Y, f)
	}
	_, n := pt.p.Grams.Dims()
	magnitude := pt.absForm() * float64(n) * 0x1p-100 // the error of doubled precision
	pt.oracle, pt.round, pt.refined = nil, nil, true
	floats.ScaleTo(pt.GradJ(), -0.5, v)
	pt.gradF = pt.gradF[:0]
	r := pt.rounding()
	r.form += magnitude
	r.primal += magnitude
	r.grad = make([]float64, len(v))
	pt.stated(r.grad, 0x1p-40)
	for k, x := range v {
		r.grad[k] += linalg.Epsilon * math.Abs(x)
	}
	pt.mend(r.grad)
	return true
}
