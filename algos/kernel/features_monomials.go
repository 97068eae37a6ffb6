package kernel

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/internal/design"
	"github.com/mklnb/mkl/algos/internal/polynomial"
	"github.com/mklnb/mkl/algos/linalg"
)

// monomialFeatures computes the derivatives if d = 1, or if there are at most n/2 monomials of degree d in the m
// features. With the exponents e of the r monomials and their values Φ at the points, n×r,
//
//	K(θ) = Σ_e c_eθ^e Φ_eΦ_eᵀ,  Φ_ie = x_i^e,  |e| = d,  c_e = d!/Πe_k!.
//
// Each derivative takes O(nr).
type monomialFeatures struct{ *featureGram }

// storeBilinearGradient stores Σ_e ∂(c_eθ^e)/∂θ_k (Φ_eᵀv)(Φ_eᵀw) in dst[k], for K(θ) = Σ_e c_eθ^e Φ_eΦ_eᵀ.
func (g monomialFeatures) storeBilinearGradient(dst, v, w []float64) {
	p, a, b := g.projectOnMonomials(v, w)
	clear(dst)
	for e := range p.Coef {
		p.AddGradient(dst, e, g.theta, a[e]*b[e])
	}
}

// mulDirectionalDerivative stores Σ_e (Σ_k u_k ∂(c_eθ^e)/∂θ_k) Φ_eΦ_eᵀw in dst, for K(θ) = Σ_e c_eθ^e Φ_eΦ_eᵀ.
func (g monomialFeatures) mulDirectionalDerivative(dst, u, w []float64) {
	p, phi := g.fitted.monomials()
	c := design.Resize(&g.x, p.Len())
	storePhiTransposedTimes(c, phi, w)
	for e := range c {
		c[e] *= p.DirectionalDerivative(e, g.theta, u)
	}
	for i := range dst {
		dst[i] = linalg.Dot(c, phi[i*len(c):(i+1)*len(c)])
	}
}

// storeHessianVectorProduct stores Σ_e (Σ_l u_l ∂²(c_eθ^e)/∂θ_k∂θ_l) (Φ_eᵀw)² in dst[k], for K(θ) = Σ_e c_eθ^e Φ_eΦ_eᵀ
// over the monomials.
func (g monomialFeatures) storeHessianVectorProduct(dst, u, w []float64) {
	p, a, _ := g.projectOnMonomials(w, w)
	clear(dst)
	for e, v := range a {
		p.AddHessianProduct(dst, e, g.theta, u, v*v)
	}
}

// projectOnMonomials returns the monomials p, and Φᵀv and Φᵀw, where Φ has the values of the monomials at the points.
func (g monomialFeatures) projectOnMonomials(v, w []float64) (p *polynomial.Terms, projectedV, projectedW []float64) {
	p, phi := g.fitted.monomials()
	projectedW = design.Resize(&g.x, p.Len())
	storePhiTransposedTimes(projectedW, phi, w)
	projectedV = projectedW
	if !isSameSlice(v, w) {
		projectedV = design.Resize(&g.y, p.Len())
		storePhiTransposedTimes(projectedV, phi, v)
	}
	return p, projectedV, projectedW
}

// storePhiTransposedTimes stores Φᵀw in dst.
func storePhiTransposedTimes(dst, phi, w []float64) {
	(&design.Matrix{N: len(w), D: len(dst), X: phi}).MulVecTransposed(dst, w)
}

// monomials returns the r monomials of degree d in the m features, and their values at every point, n×r.
func (g *fittedFeatures) monomials() (terms *polynomial.Terms, values []float64) {
	g.monomialsOnce.Do(func() {
		g.monomialTerms = polynomial.New(g.m, g.d)
		r := g.monomialTerms.Len()
		if g.d == 1 {
			g.monomialValues = g.design.X
			return
		}
		g.monomialValues = make([]float64, g.n*r)
		for i := range g.n {
			g.monomialTerms.Evaluate(g.monomialValues[i*r:(i+1)*r], g.design.Row(i))
		}
	})
	return g.monomialTerms, g.monomialValues
}

// monomialGramMatrix returns the upper triangle of ΦᵀΦ, r×r, where Φ has the values of the r monomials at the points.
// It takes O(nr²) the first time.
func (g *fittedFeatures) monomialGramMatrix(threads linalg.ThreadLimit) []float64 {
	g.monomialInnerProductsOnce.Do(func() {
		p, phi := g.monomials()
		r := p.Len()
		g.monomialInnerProducts = make([]float64, r*r)
		threads.Syrk(true, r, g.n, 1, phi, r, 0, g.monomialInnerProducts, r)
	})
	return g.monomialInnerProducts
}

// monomialFactor holds a factor Φ with K(θ) = ΦΦᵀ, computed from monomials, and working storage.
type monomialFactor struct {
	factorMatrix               mat.Dense
	factorStorage              []float64
	activeFeatures             []int             // the features with θ_k > 0
	activeMonomials            *polynomial.Terms // all monomials of degree d in activeMonomialFeatureCount variables
	activeMonomialFeatureCount int
	x                          []float64
	rootCoefficients           []float64 // √(c_eθ^e) of each monomial c_eθ^e; empty unless every θ_k > 0 and d > 1
}

// factorFromMonomials returns Φ, n×r, such that K(θ) = ΦΦᵀ. It has one column for each of the r monomials of degree d
// in the features with θ_k > 0. For the monomial with exponents e, and x_i the features of point i,
//
//	Φ_ie = √(c_eθ^e)·x_i^e,  |e| = Σ_k e_k = d,  c_e = d!/Π_k e_k!.
//
// If r > n/2 or an entry of θ is negative, factorFromMonomials returns nil. It takes O(nr). g.matrix stores the result.
func (g *featureGram) factorFromMonomials() *mat.Dense {
	g.factor.computeFactor(g.theta, g.fitted)
	if g.factor.factorMatrix.IsEmpty() {
		return nil
	}
	return &g.factor.factorMatrix
}

// storeFactorGram stores ΦᵀΦ in dst and returns true if every θ_k > 0 and the degree d is above 1. Otherwise it returns
// false. For exponents e and f of two monomials with coefficients c_e and c_f, entry (e, f) of ΦᵀΦ is √(c_eθ^e) P_ef
// √(c_fθ^f), where P, the result of monomialGramMatrix, does not depend on θ.
func (g *featureGram) storeFactorGram(dst *mat.SymDense) (isStored bool) {
	if g.matrix.LowRankFactor() == nil || len(g.factor.rootCoefficients) == 0 {
		return false
	}
	s, to := g.factor.rootCoefficients, dst.RawSymmetric()
	r := len(s)
	p := g.fitted.monomialGramMatrix(g.Threads)
	for e := range r {
		row, in := to.Data[e*to.Stride:e*to.Stride+r], p[e*r:(e+1)*r]
		for f := e; f < r; f++ {
			row[f] = s[e] * in[f] * s[f]
		}
	}
	return true
}

// computeFactor computes the factor Φ of K(θ) = ΦΦᵀ. It leaves factorMatrix empty if an entry of θ is negative or if Φ
// would have more than n/2 columns.
func (f *monomialFactor) computeFactor(theta []float64, g *fittedFeatures) {
	f.factorMatrix.Reset()
	f.activeFeatures, f.rootCoefficients = f.activeFeatures[:0], f.rootCoefficients[:0]
	for k, t := range theta {
		if t < 0 {
			return
		}
		if t > 0 {
			f.activeFeatures = append(f.activeFeatures, k)
		}
	}
	n, d, a := g.n, g.d, len(f.activeFeatures)
	r := max(polynomial.TermCount(a, d, n/2), 1) // the number of columns of Φ; at θ = 0, one column of zeros
	if r > n/2 {
		return
	}
	if d > 1 && a == g.m {
		f.scaleMonomials(theta, g, r)
		return
	}
	if d > 1 && a > 0 && (f.activeMonomials == nil || f.activeMonomialFeatureCount != a) {
		f.activeMonomials, f.activeMonomialFeatureCount = polynomial.New(a, d), a
	}
	phi, x := design.Resize(&f.factorStorage, n*r), design.Resize(&f.x, a)
	for i := range n {
		out := phi[i*r : (i+1)*r]
		src := g.design.Row(i)
		for t, k := range f.activeFeatures {
			x[t] = math.Sqrt(theta[k]) * src[k]
		}
		switch {
		case a == 0:
			clear(out)
		case d == 1:
			copy(out, x)
		default:
			f.activeMonomials.Evaluate(out, x)
			for e, c := range f.activeMonomials.Coef {
				out[e] *= math.Sqrt(c)
			}
		}
	}
	f.factorMatrix = *mat.NewDense(n, r, phi)
}

// scaleMonomials computes the factor Φ of K(θ) = ΦΦᵀ if every θ_k > 0. It multiplies the stored values of the monomial
// with exponents e and coefficient c_e by √(c_eθ^e).
func (f *monomialFactor) scaleMonomials(theta []float64, g *fittedFeatures, termCount int) {
	p, values := g.monomials()
	for e := range termCount {
		f.rootCoefficients = append(f.rootCoefficients, math.Sqrt(p.TermWithoutFactors(e, -1, -1, theta)))
	}
	factorEntries := design.Resize(&f.factorStorage, g.n*termCount)
	for i := range g.n {
		out, in := factorEntries[i*termCount:(i+1)*termCount], values[i*termCount:(i+1)*termCount]
		for e, s := range f.rootCoefficients {
			out[e] = s * in[e]
		}
	}
	f.factorMatrix = *mat.NewDense(g.n, termCount, factorEntries)
}
