package mkl

import (
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/floats"
)

// roundingErrors holds bounds of the rounding errors of the numbers of a Point.
type roundingErrors struct {
	linear, quadratic, wkw, primal float64   // bounds for the fields Linear, Quadratic, WKW and for Primal + R
	grad                           []float64 // bounds for the m entries of ∇J; nil until requested
}

// roundingBounds returns the bounds of the rounding errors at θ. The first call at θ computes them. If the loss or the
// family provides bounds, they are proven. Otherwise the errors are estimated: the error of a sum of n terms as n
// rounding errors of the largest possible term, with |K_ij| ≤ √(K_iiK_jj).
func (pt *Point) roundingBounds() *roundingErrors {
	if pt.roundingErrs != nil {
		return pt.roundingErrs
	}
	r := &roundingErrors{linear: pt.Rounding.Linear, quadratic: pt.Rounding.Quadratic, wkw: pt.Rounding.WKW,
		primal: pt.Rounding.Primal}
	if !pt.Rounding.HasBounds {
		n := linalg.RoundingFactor(len(pt.W) + 64)
		r.wkw = 2 * n * pt.absoluteQuadraticFormBound()
		r.linear, r.quadratic = n*math.Abs(pt.Linear), n*pt.Quadratic
		r.primal = 2*r.wkw + n*math.Abs(pt.Primal)
	}
	r.primal += linalg.RoundingFactor(8)*math.Abs(pt.Primal) + pt.regularizerError()
	pt.roundingErrs = r
	return r
}

// regularizerError returns a bound of the rounding error of r(θ), computed as for a sum of r(θ) and m terms with the
// absolute values |θ_k∂r/∂θ_k|.
func (pt *Point) regularizerError() float64 {
	if pt.p.Reg == nil {
		return 0
	}
	g := make([]float64, len(pt.Theta))
	absoluteSum := math.Abs(pt.p.Reg.Value(g, pt.Theta))
	for k, v := range pt.Theta {
		absoluteSum += math.Abs(v * g[k])
	}
	return linalg.RoundingFactor(len(pt.Theta)+8) * absoluteSum
}

// gradientErrorBounds returns bounds of the rounding errors of the m entries of ∇J.
func (pt *Point) gradientErrorBounds() []float64 {
	r := pt.roundingBounds()
	if r.grad != nil {
		return r.grad
	}
	r.grad = make([]float64, len(pt.Theta))
	if !pt.storeFamilyGradError(r.grad, 1) { // estimate: each wᵀ(∂_kK)w has the relative rounding error of wᵀKw
		relErr := linalg.RoundingFactor(len(pt.W) + 64)
		if pt.WKW > 0 {
			relErr *= pt.absoluteQuadraticFormBound() / pt.WKW
		}
		for k, v := range pt.GradJ() {
			r.grad[k] = relErr * math.Abs(v)
		}
	}
	pt.addBiasError(r.grad)
	return r.grad
}

// storeFamilyGradError stores the bounds of the family for the rounding errors of ∇J, multiplied by factor, in dst. It
// returns false if the family provides no bounds.
func (pt *Point) storeFamilyGradError(dst []float64, factor float64) (ok bool) {
	a, ok := pt.Gram.(kernel.ErrorBounded)
	if !ok {
		return false
	}
	pt.sumOverColumns(dst, a.GradientErrorBound)
	floats.Scale(factor/2, dst)
	return true
}

// indefinitenessError returns δ‖w‖², where δ ≥ 0 is a bound with K(θ) + δI positive semidefinite. Arguments that bound
// sup wᵀK(θ)w for a positive semidefinite K(θ) add δ‖w‖² to the bound, because wᵀ(K + δI)w exceeds wᵀKw by this much.
func (pt *Point) indefinitenessError() float64 {
	_, psdShift, _, _ := pt.Gram.K().ErrorBounds()
	if psdShift == 0 {
		return 0
	}
	return psdShift * floats.Dot(pt.W, pt.W)
}

// absoluteQuadraticFormBound returns an upper bound of |w|ᵀ|K||w|, summed over all columns w: (Σ_i |w_i|√K_ii)².
func (pt *Point) absoluteQuadraticFormBound() float64 {
	_, n := pt.p.Grams.Dims()
	diag := make([]float64, n)
	pt.Gram.K().Diagonal(diag)
	formSum := 0.0
	for w := range pt.splitColumns(pt.W) {
		t := 0.0
		for i, v := range w {
			t += math.Abs(v) * math.Sqrt(diag[i])
		}
		formSum += t * t
	}
	return formSum
}

// oracleErrorBound bounds the rounding error of Oracle().Minimum.
func (pt *Point) oracleErrorBound() float64 {
	if pt.requirements.NeedsRankOne && pt.p.Reg == nil && !pt.isRefined {
		g := pt.Grad()
		e := floats.Norm(pt.gradientErrorBounds(), 2) * (1 + linalg.RoundingFactor(len(g)))
		e += linalg.RoundingFactor(len(g)+256) * floats.Norm(g, 2)
		return pt.p.Set.Traits().Sum * e
	}
	e, entryBounds := pt.gradientErrorBounds(), make([]float64, len(pt.Theta))
	for k, v := range pt.Grad() {
		entryBounds[k] = e[k] + linalg.RoundingFactor(len(entryBounds)+256)*math.Abs(v)
	}
	return set.SupportAbs(pt.p.Set, entryBounds)
}

// addBiasError adds to dst, the bounds of the errors of ∇J, the effect of Σw ≠ 0. With a bias, feasible dual
// coefficients have the sum 0, but rounding makes the sum of the computed w nonzero. A feasible vector differs from
// this w by s = |Σw| in one coordinate i of each column. This changes the form wᵀ(∂_kK)w = −2∇J_k by at most
// 2s√(form_k·∂_kK_ii) + s²∂_kK_ii. addBiasError uses the s and the forms summed over all columns, which cannot make the
// bound smaller. The computed forms have errors of at most 2·dst.
func (pt *Point) addBiasError(dst []float64) {
	s := pt.Rounding.SumOfW
	if s == 0 {
		return
	}
	diag, forms := make([]float64, len(dst)), slices.Clone(dst)
	for k, v := range pt.GradJ() {
		forms[k] = 2 * (forms[k] + math.Abs(v))
	}
	for w := range pt.splitColumns(pt.W) {
		unitVector, maxIndex := make([]float64, len(w)), 0
		for i, v := range w {
			if math.Abs(v) > math.Abs(w[maxIndex]) {
				maxIndex = i
			}
		}
		unitVector[maxIndex] = 1
		pt.Gram.Gradient(diag, unitVector)
		for k, d := range diag {
			d = math.Abs(d) * (1 + 1e-6)
			dst[k] += s*math.Sqrt(forms[k]*d) + s*s*d/2
		}
	}
}

// maxCorrections is the largest number of evaluations in refineInDoubledPrecision, between which steps of iterative
// refinement correct w.
const maxCorrections = 4

// refineInDoubledPrecision evaluates Kw and the gradient again. It returns false if the family or the loss does not
// support this, or if pt was refined before. If it returns true, the bounds have rounding errors only in their last
// digit.
func (pt *Point) refineInDoubledPrecision() (refined bool) {
	g, ok := pt.Gram.(kernel.ErrorBounded)
	if !ok || pt.isRefined || pt.p.columnCount() > 1 || len(pt.Block) > 0 {
		return false
	}
	l, oldFactor := pt.p.Loss, pt.Factor
	defer func() {
		// Evaluate of a loss that does not use Kw sets Factor to nil. K has not changed: oldFactor is valid.
		if pt.Factor == nil {
			pt.Factor = oldFactor
		}
	}()
	kw, forms := make([]float64, len(pt.W)), make([]float64, len(pt.Theta)) // forms[k] is wᵀ(∂K/∂θ_k)w
	bestGap, bestW := math.Inf(1), []float64(nil)
	for range maxCorrections {
		if !g.EvaluateInDoubledPrecision(kw, forms, pt.W) {
			return false
		}
		l.Evaluate(&pt.Solution, pt.Gram, pt.p.Y, kw)
		gap := pt.Solution.Gap()
		if !(gap < bestGap/2) {
			break
		}
		bestGap, bestW = gap, append(bestW[:0], pt.W...)
		if traits := l.Traits(); !traits.LinearInTargets || !pt.Refine(pt.p.Y, kw, traits.Ridge) {
			break
		}
	}
	// the last correction of w did not halve the gap, or was not evaluated: use the w before it
	if bestW != nil && !slices.Equal(bestW, pt.W) {
		copy(pt.W, bestW)
		g.EvaluateInDoubledPrecision(kw, forms, pt.W)
		l.Evaluate(&pt.Solution, pt.Gram, pt.p.Y, kw)
	}
	_, n := pt.p.Grams.Dims()
	extendedErr := pt.absoluteQuadraticFormBound() * float64(n) * 0x1p-100 // the error of doubled precision
	pt.oracle, pt.roundingErrs, pt.isRefined = nil, nil, true
	floats.ScaleTo(pt.GradJ(), -0.5, forms)
	pt.gradF = pt.gradF[:0]
	r := pt.roundingBounds()
	r.wkw += extendedErr
	r.primal += extendedErr
	r.grad = make([]float64, len(forms))
	pt.storeFamilyGradError(r.grad, 0x1p-40)
	for k, x := range forms {
		r.grad[k] += linalg.Epsilon * math.Abs(x)
	}
	pt.addBiasError(r.grad)
	return true
}
