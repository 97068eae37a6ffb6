package mkl

import (
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"

	"gonum.org/v1/gonum/floats"
)

// The most frequent numbers of operations for which the bounds of this package allow. γ_k = kε/(1 − kε) bounds the
// relative error of k operations one after the other (linalg.RoundingFactor). The terms of most sums come from a loss,
// family, set or regularizer, whose operations cannot be counted here.
//
// References:
//   - N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2002, lemma 3.1 and section 3.1.

// sumRoundingFactor bounds the error of a sum of n terms, relative to the sum of their magnitudes: n − 1 additions, and
// up to 65 operations in each term.
func sumRoundingFactor(n int) float64 { return linalg.RoundingFactor(n + 64) }

// minimumRoundingFactor bounds the relative error that set.Set.Minimize or set.Mirror makes in each of m terms of the
// minimum of ⟨g,·⟩ over a set: up to 257 operations in each term, because a minimizer may contain powers and roots.
func minimumRoundingFactor(m int) float64 { return linalg.RoundingFactor(m + 256) }

// powRoundingFactor bounds the relative error of a few operations and one math.Pow with the exponent q.
func powRoundingFactor(q float64) float64 { return linalg.RoundingFactor(16 + 4*math.Abs(q)) }

// lastRoundingFactor bounds the error of the last operations of a bound, at most eight one after the other, relative to
// the magnitudes of its parts.
func lastRoundingFactor() float64 { return linalg.RoundingFactor(8) }

// roundingErrors holds bounds of the rounding errors of the numbers of a Point.
type roundingErrors struct {
	// bounds for LinearTerm, QuadraticTerm, WKW = wᵀKw and Primal + R
	linearErr, quadraticErr, wkwErr, primalErr float64
	gradErrs                                   []float64    // bounds for the m entries of ∇J; nil until requested
	tangent                                    *affineBound // of Point.tangent; nil until requested
}

// roundingBounds returns the bounds of the rounding errors at θ. The first call at θ computes them. If the loss or the
// family provides bounds, they are proven. Otherwise the errors are estimated: the error of a sum of n terms as n
// rounding errors of the largest possible term, with |K_ij| ≤ √(K_iiK_jj).
func (pt *Point) roundingBounds() *roundingErrors {
	if pt.roundingErrs != nil {
		return pt.roundingErrs
	}
	r := &roundingErrors{linearErr: pt.Rounding.LinearTerm, quadraticErr: pt.Rounding.QuadraticTerm,
		wkwErr: pt.Rounding.WKW, primalErr: pt.Rounding.Primal}
	if !pt.Rounding.HasBounds {
		n := sumRoundingFactor(len(pt.W))
		r.wkwErr = 2 * n * pt.boundAbsoluteQuadraticForm()
		r.linearErr, r.quadraticErr = n*math.Abs(pt.LinearTerm), n*pt.QuadraticTerm
		r.primalErr = 2*r.wkwErr + n*math.Abs(pt.Primal)
	}
	r.primalErr += lastRoundingFactor()*math.Abs(pt.Primal) + pt.regularizerRoundingError()
	pt.roundingErrs = r
	return r
}

// regularizerRoundingError bounds the rounding error of r(θ), for m+8 rounding errors in r and in each of the m θ_k.
func (pt *Point) regularizerRoundingError() float64 {
	if pt.p.Reg == nil {
		return 0
	}
	g := make([]float64, len(pt.Theta))
	sumOfMagnitudes := math.Abs(pt.p.Reg.Value(g, pt.Theta))
	for k, v := range pt.Theta {
		sumOfMagnitudes += math.Abs(v * g[k])
	}
	return linalg.RoundingFactor(len(pt.Theta)+8) * sumOfMagnitudes
}

// gradientErrorBounds returns bounds of the rounding errors of the m entries of ∇J.
func (pt *Point) gradientErrorBounds() []float64 {
	r := pt.roundingBounds()
	if r.gradErrs != nil {
		return r.gradErrs
	}
	r.gradErrs = make([]float64, len(pt.Theta))
	if !pt.storeGradientErrorBound(r.gradErrs, 1) { // estimate: assume the relative error of wᵀKw in each wᵀ(∂_kK)w
		relErr := sumRoundingFactor(len(pt.W))
		if pt.WKW > 0 {
			relErr *= pt.boundAbsoluteQuadraticForm() / pt.WKW
		}
		for k, v := range pt.GradJ() {
			r.gradErrs[k] = relErr * math.Abs(v)
		}
	}
	pt.addBiasErrorBound(r.gradErrs)
	return r.gradErrs
}

// storeGradientErrorBound stores the family's bounds, if any, of the rounding errors of ∇J, times factor, in dst.
func (pt *Point) storeGradientErrorBound(dst []float64, factor float64) (ok bool) {
	a, ok := pt.Gram.(kernel.ErrorBounded)
	if !ok {
		return false
	}
	pt.sumOverColumns(dst, a.GradientErrorBound)
	floats.Scale(factor/2, dst)
	return true
}

// indefinitenessError returns δ‖w‖², where δ ≥ 0 is a bound with K(θ) + δI positive semidefinite. Proofs that bound
// sup_Θ wᵀK(θ)w for a positive semidefinite K(θ) add δ‖w‖² to the bound, because wᵀ(K + δI)w exceeds wᵀKw by this much.
func (pt *Point) indefinitenessError() float64 {
	_, psdShift, _, _ := pt.Gram.K().ErrorBounds()
	if psdShift == 0 {
		return 0
	}
	return psdShift * floats.Dot(pt.W, pt.W)
}

// boundAbsoluteQuadraticForm returns an upper bound of |w|ᵀ|K||w|, summed over all columns w: (Σ_i |w_i|√K_ii)².
func (pt *Point) boundAbsoluteQuadraticForm() float64 {
	_, n := pt.p.Grams.Dims()
	diag := make([]float64, n)
	pt.Gram.K().Diagonal(diag)
	quadraticFormSum := 0.0
	for w := range pt.splitColumns(pt.W) {
		t := 0.0
		for i, v := range w {
			t += math.Abs(v) * math.Sqrt(diag[i])
		}
		quadraticFormSum += t * t
	}
	return quadraticFormSum
}

// addBiasErrorBound adds the effect of Σw ≠ 0 to dst, the error bounds of ∇J. With a bias, feasible dual coefficients
// have the sum 0, but rounding makes the sum of the computed w nonzero. A feasible vector differs from this w by s =
// |Σw| in one coordinate i of each column. This changes the quadratic form f_k = wᵀ(∂_kK)w = −2∇J_k by at most
// 2s√(f_k·∂_kK_ii) + s²∂_kK_ii. The sums of s and of f_k over all columns are used, which cannot make the bound
// smaller. The computed f_k have errors of at most 2·dst.
func (pt *Point) addBiasErrorBound(dst []float64) {
	s := pt.Rounding.SumOfW
	if s == 0 {
		return
	}
	diag, quadraticForms := make([]float64, len(dst)), slices.Clone(dst)
	for k, v := range pt.GradJ() {
		quadraticForms[k] = 2 * (quadraticForms[k] + math.Abs(v))
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
			dst[k] += s*math.Sqrt(quadraticForms[k]*d) + s*s*d/2
		}
	}
}

// maxCorrections limits the evaluations in doubled precision. Between two of them, iterative refinement corrects w.
const maxCorrections = 4

// refineInDoubledPrecision evaluates Kw and the gradient again. It returns false if the family or the loss does not
// support this, or if pt was refined before. If true, the bounds are exact up to their last digit.
func (pt *Point) refineInDoubledPrecision() (refined bool) {
	g, ok := pt.Gram.(kernel.ErrorBounded)
	if !ok || pt.isInDoubledPrecision || pt.p.columnCount() > 1 || len(pt.BlockWeights) > 0 {
		return false
	}
	l, oldFactor := pt.p.Loss, pt.Factor
	defer func() {
		// Evaluate may set Factor to nil. K has not changed: oldFactor is valid.
		if pt.Factor == nil {
			pt.Factor = oldFactor
		}
	}()
	kw, quadraticForms := make([]float64, len(pt.W)), make([]float64, len(pt.Theta)) // form k is wᵀ(∂K/∂θ_k)w
	bestGap, bestW := math.Inf(1), []float64(nil)
	for range maxCorrections {
		if !g.EvaluateInDoubledPrecision(kw, quadraticForms, pt.W) {
			return false
		}
		l.Evaluate(&pt.Solution, pt.Gram, pt.p.Y, kw)
		gap := pt.Solution.Gap()
		if !(gap < bestGap/2) {
			break
		}
		bestGap, bestW = gap, append(bestW[:0], pt.W...)
		if !l.Traits().LinearInTargets || !pt.Refine(pt.p.Y, kw, l) {
			break
		}
	}
	// the last correction of w did not halve the gap, or was not evaluated: use the w before it
	if bestW != nil && !slices.Equal(bestW, pt.W) {
		copy(pt.W, bestW)
		g.EvaluateInDoubledPrecision(kw, quadraticForms, pt.W)
		l.Evaluate(&pt.Solution, pt.Gram, pt.p.Y, kw)
	}
	_, n := pt.p.Grams.Dims()
	doubledPrecisionErr := pt.boundAbsoluteQuadraticForm() * float64(n) * 0x1p-100 // bounds the error of wᵀKw
	pt.minimizingVertex, pt.roundingErrs, pt.isInDoubledPrecision = nil, nil, true
	floats.ScaleTo(pt.GradJ(), -0.5, quadraticForms)
	pt.gradF = pt.gradF[:0]
	r := pt.roundingBounds()
	r.wkwErr += doubledPrecisionErr
	r.primalErr += doubledPrecisionErr
	r.gradErrs = make([]float64, len(quadraticForms))
	pt.storeGradientErrorBound(r.gradErrs, 0x1p-40)
	for k, x := range quadraticForms {
		r.gradErrs[k] += linalg.Epsilon * math.Abs(x)
	}
	pt.addBiasErrorBound(r.gradErrs)
	return true
}
