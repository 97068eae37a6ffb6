package kernel

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/internal/design"
	"github.com/mklnb/mkl/algos/internal/elementwise"
	"github.com/mklnb/mkl/algos/internal/polynomial"
)

// featureGram is K(θ) of Features, the entrywise power d of S = X diag(θ) Xᵀ. Both are computed only when needed.
type featureGram struct {
	evaluation
	fitted         *fittedFeatures
	derivativesOfK derivatives

	s                []float64 // the upper triangle of S = X diag(θ) Xᵀ, n×n, if hasInnerProducts is true
	hasInnerProducts bool
	factor           monomialFactor

	gv, gw storedCrossProduct // Xᵀdiag(v)X and Xᵀdiag(w)X for the v and w of the last derivative; X are the features
	x, y   []float64          // working storage
	t      []float64          // working storage
}

// derivatives computes the derivatives of K(θ) from monomials, from the matrix Xᵀdiag(w)X for d = 2, or over pairs of
// points. SecondOrder documents the results. The caller has checked the lengths of the arguments.
type derivatives interface {
	storeBilinearGradient(dst, v, w []float64)
	mulDirectionalDerivative(dst, u, w []float64)
	storeHessianVectorProduct(dst, u, w []float64)
}

// cheapestDerivatives returns the fastest implementation for this degree and these numbers of features and points.
func (g *featureGram) cheapestDerivatives() derivatives {
	m, n, d := g.m, g.n, g.fitted.d
	switch {
	case d == 1 || polynomial.TermCount(m, d, n/2) <= n/2:
		return monomialFeatures{g}
	case d == 2 && m <= n:
		return squareFeatures{g}
	}
	return pairFeatures{g}
}

var (
	_ SecondOrder  = (*featureGram)(nil)
	_ ErrorBounded = (*featureGram)(nil)
)

func (g *featureGrams) New() Gram {
	k, ok := g.releasedGrams.Get().(*featureGram)
	if !ok {
		k = &featureGram{fitted: g.fittedFeatures}
		k.m, k.n = g.Dims()
		k.matrix = NewMatrix(k.n, Form{Dense: k.denseMatrix, LowRankFactor: k.factorFromMonomials,
			StoreFactorGram: k.storeFactorGram, ErrorBounds: k.ErrorBounds})
		if g.bindError == nil {
			k.derivativesOfK = k.cheapestDerivatives()
		}
	}
	k.reset(g.threads)
	return k
}

func (g *featureGram) Release() { g.fitted.releasedGrams.Put(g) }

func (g *featureGram) SetTheta(theta []float64) {
	g.fitted.mustBeBound()
	g.storeTheta(theta)
	g.hasInnerProducts = false
}

// denseMatrix returns K. It computes K in O(n²m) at the first call after each SetTheta.
func (g *featureGram) denseMatrix() *mat.SymDense {
	s := g.storageOfK()
	if _, ok := g.derivativesOfK.(pairFeatures); ok { // g keeps S = X diag(θ) Xᵀ for the derivatives
		s = g.innerProductsAtTheta()
	} else if !g.hasK {
		g.fitted.design.Gram(s, g.theta, &g.Scratch)
	}
	return g.computeEntrywisePower(g.fitted.d, func(i int) []float64 { return s[i*g.n+i : (i+1)*g.n] })
}

// innerProductsAtTheta returns an n×n array with the upper triangle of S = X diag(θ) Xᵀ.
func (g *featureGram) innerProductsAtTheta() []float64 {
	if !g.hasInnerProducts {
		g.fitted.design.Gram(design.Resize(&g.s, g.n*g.n), g.theta, &g.Scratch)
		g.hasInnerProducts = true
	}
	return g.s
}

func (g *featureGram) Gradient(dst, w []float64) { g.BilinearGradient(dst, w, w) }

func (g *featureGram) BilinearGradient(dst, v, w []float64) {
	g.checkLengths(v, w, dst)
	g.derivativesOfK.storeBilinearGradient(dst, v, w)
}

func (g *featureGram) MulDirectionalDerivative(dst, u, w []float64) {
	g.checkLengths(dst, w, u)
	g.derivativesOfK.mulDirectionalDerivative(dst, u, w)
}

func (g *featureGram) HessianVectorProduct(dst, u, w []float64) {
	g.checkLengths(w, w, u)
	g.checkLengths(w, w, dst)
	g.derivativesOfK.storeHessianVectorProduct(dst, u, w)
}

// isSameSlice reports whether v and w are the same memory, so that results computed from w are valid for v.
func isSameSlice(v, w []float64) bool { return len(v) > 0 && len(v) == len(w) && &v[0] == &w[0] }

// storedCrossProduct holds G = Xᵀdiag(w)X, m×m, and the w for which it was computed.
type storedCrossProduct struct{ w, g []float64 }

// weightedCrossProduct returns G = Xᵀdiag(w)X. If cached does not have G for this w, it computes G and stores it there.
func (g *featureGram) weightedCrossProduct(cached *storedCrossProduct, w []float64) []float64 {
	if cached.g == nil || !slices.Equal(cached.w, w) {
		cached.w = append(cached.w[:0], w...)
		g.fitted.design.WeightedCrossProduct(design.Resize(&cached.g, g.m*g.m), w, &g.Scratch)
	}
	return cached.g
}

// QuadraticFormInTheta stores Q = G∘G in dst, with G = Xᵀdiag(w)X, in O(nm²). errorBound bounds the spectral norm of
// the rounding error of Q. For a degree other than 2 it stores nothing and returns false.
func (g *featureGram) QuadraticFormInTheta(dst *mat.SymDense, w []float64) (errorBound float64, ok bool) {
	if g.fitted.d != 2 {
		return 0, false
	}
	g.checkLengths(w, w, g.theta)
	m := g.m
	gw := g.weightedCrossProduct(&g.gw, w)
	q, stride := zeroSymmetric(dst, m)
	for j := range m {
		elementwise.Power(q[j*stride+j:j*stride+m], gw[j*m+j:(j+1)*m], 2)
	}
	return g.quadraticFormError(w), true
}
