package kernel

import (
	"math"

	"github.com/mklnb/mkl/algos/internal/design"
	"github.com/mklnb/mkl/algos/linalg"
)

// ErrorBounds returns the three bounds of ErrorBounded. entryError covers the rounding of S_ij = Σ_k θ_kx_ikx_jk and of
// the power K_ij = S_ij^d. psdShift and addedShift are 0, because K(θ) is positive semidefinite by construction.
func (g *featureGram) ErrorBounds() (entryError, psdShift, addedShift float64) {
	return linalg.RoundingFactor(g.fitted.d * (g.fitted.m + 4)), 0, 0
}

// derivativeErrorFactor returns a number u such that the rounding error of a derivative is at most u times the sum of
// the absolute values of its terms, in each of the three ways to compute it (see Features).
func (g *featureGram) derivativeErrorFactor() float64 {
	return linalg.RoundingFactor(2*g.fitted.n + g.fitted.d*(2*g.fitted.m+8) + 16)
}

// GradientErrorBound stores in dst[k] a bound on the rounding error of wᵀ(∂K/∂θ_k)w: the product of
// derivativeErrorFactor and d‖x_k‖²Σ_i w_i²S_ii^{d−1}, with S = X diag(θ) Xᵀ and x_k column k of X. By Cauchy–Schwarz,
// the second factor is at least d(Σ_i |w_i|S_ii^{(d−1)/2}|x_ik|)², which bounds the sum of the absolute values of the
// terms. It takes O(n + m), and O(nm) at the first call on these points.
func (g *featureGram) GradientErrorBound(dst, w []float64) {
	g.checkLengths(w, w, dst)
	d, sum := g.fitted.d, 0.0
	for i, v := range w {
		s := 1.0
		if d > 1 {
			s = math.Pow(g.diagonalEntry(i), float64(d-1)/float64(d))
		}
		sum += v * v * s
	}
	c := g.derivativeErrorFactor() * float64(d) * sum
	for k, v := range g.fitted.squaredColumnNorms() {
		dst[k] = c * v
	}
}

func (g *featureGram) diagonalEntry(i int) float64 {
	if phi := g.matrix.LowRankFactor(); phi != nil {
		row := phi.RawRowView(i)
		return linalg.Dot(row, row)
	}
	return math.Abs(g.denseMatrix().At(i, i))
}

// squaredColumnNorms returns the squared norms ‖x_k‖² of the m columns of X.
func (g *fittedFeatures) squaredColumnNorms() []float64 {
	g.normsOnce.Do(func() {
		g.columnNormsSquared = make([]float64, g.m)
		for i := range g.n {
			for k, v := range g.design.Row(i) {
				g.columnNormsSquared[k] += v * v
			}
		}
	})
	return g.columnNormsSquared
}

// quadraticFormError returns a bound on the spectral norm of the rounding error of the matrix Q with wᵀK(θ)w = θᵀQθ:
// c‖b‖² with b_k = Σ_i |w_i|x_ik², where c bounds the relative rounding error of a sum of such terms. It takes O(nm).
func (g *featureGram) quadraticFormError(w []float64) float64 {
	b := design.Resize(&g.y, g.fitted.m)
	clear(b)
	for i, wi := range w {
		for k, v := range g.fitted.design.Row(i) {
			b[k] += math.Abs(wi) * v * v
		}
	}
	s := 0.0
	for _, v := range b {
		s += v * v
	}
	return g.derivativeErrorFactor() * s
}

// EvaluateInDoubledPrecision stores K(θ)w in kw and wᵀ(∂K/∂θ_k)w in gradient[k], in double-double arithmetic, in O(nm)
// for d = 1 and O(n²m) for d > 1. If this would take more than about half a second, it only returns false.
func (g *featureGram) EvaluateInDoubledPrecision(kw, gradient, w []float64) (isStored bool) {
	g.checkLengths(kw, w, gradient)
	n, m, d := g.fitted.n, g.fitted.m, g.fitted.d
	operations := float64(n) * float64(m)
	if d > 1 {
		operations *= float64(n) / 2
	}
	if operations > maxDoubledProducts/2 {
		return false
	}
	fs, vs := make([]doubled, n), make([]doubled, m)
	if d == 1 {
		for i := range n {
			for k, e := range g.fitted.design.Row(i) {
				vs[k] = vs[k].plusProduct(e, w[i])
			}
		}
		for i := range n {
			for k, e := range g.fitted.design.Row(i) {
				fs[i] = fs[i].plus(vs[k].timesFloat(e).timesFloat(g.theta[k]))
			}
		}
		for k := range vs {
			vs[k] = vs[k].times(vs[k])
		}
	} else {
		a := doubledForms{fs, vs, w, d}
		for i := range n {
			x := g.fitted.design.Row(i)
			for j := i; j < n; j++ {
				z := g.fitted.design.Row(j)
				var s doubled
				for k, t := range g.theta {
					if t != 0 {
						s = s.plus(doubled{x[k], 0}.timesFloat(z[k]).timesFloat(t))
					}
				}
				if p := a.addEntryOfS(i, j, s); p.hi != 0 {
					for k := range vs {
						vs[k] = vs[k].plus(p.timesFloat(x[k]).timesFloat(z[k]))
					}
				}
			}
		}
	}
	roundToFloat64(kw, fs)
	roundToFloat64(gradient, vs)
	return true
}
