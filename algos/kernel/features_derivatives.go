package kernel

import (
	"github.com/mklnb/mkl/algos/internal/design"
	"github.com/mklnb/mkl/algos/internal/elementwise"
	"github.com/mklnb/mkl/algos/linalg"
)

// squareFeatures computes the derivatives for degree d = 2 and m ≤ n. X is the n×m matrix of the features, w has length
// n, and G = Xᵀdiag(w)X. With K = S∘S and S = Σ_l θ_l x_lx_lᵀ, where x_l is column l of X,
//
//	wᵀK(θ)w = Σ_kl θ_kθ_l G_kl²,  wᵀ(∂K/∂θ_k)w = 2Σ_l θ_lG_kl²,  wᵀ(∂²K/∂θ_k∂θ_l)w = 2G_kl².
//
// Computing G takes O(nm²). G is stored until it is needed for another w.
type squareFeatures struct{ *featureGram }

// storeBilinearGradient stores vᵀ(∂K/∂θ_k)w = 2Σ_l θ_l G_kl(v) G_kl(w) in dst[k], with G(v) = Xᵀdiag(v)X.
func (g squareFeatures) storeBilinearGradient(dst, v, w []float64) {
	b := g.weightedCrossProduct(&g.gw, w)
	a := b
	if !isSameSlice(v, w) {
		a = g.weightedCrossProduct(&g.gv, v)
	}
	m := g.m
	for k := range dst {
		s := 0.0
		rowV, rowW := a[k*m:(k+1)*m], b[k*m:(k+1)*m]
		for l, t := range g.theta {
			s += t * rowV[l] * rowW[l]
		}
		dst[k] = 2 * s
	}
}

// mulDirectionalDerivative stores (Σ_k u_k ∂K/∂θ_k)w in dst. Entry i is 2x_iᵀHx_i, where x_i is row i of the features X
// and H_kl = u_kG_klθ_l, with G = Xᵀdiag(w)X.
func (g squareFeatures) mulDirectionalDerivative(dst, u, w []float64) {
	m := g.m
	h, gw := design.Resize(&g.t, m*m), g.weightedCrossProduct(&g.gw, w)
	for k := range m {
		for l, t := range g.theta {
			h[k*m+l] = 2 * u[k] * gw[k*m+l] * t
		}
	}
	g.fitted.design.RowQuadraticForms(dst, h, &g.Scratch)
}

// storeHessianVectorProduct stores 2Σ_l u_lG_kl² in dst[k], with G = Xᵀ diag(w) X.
func (g squareFeatures) storeHessianVectorProduct(dst, u, w []float64) {
	m, gw := g.m, g.weightedCrossProduct(&g.gw, w)
	for k := range dst {
		s := 0.0
		row := gw[k*m : (k+1)*m]
		for l, c := range u {
			s += c * row[l] * row[l]
		}
		dst[k] = 2 * s
	}
}

// pairFeatures computes the derivatives for any degree d, over pairs of points. X is the n×m matrix of the features, S
// = X diag(θ) Xᵀ, and K is the entrywise power d of S. With x_k column k of X, ∂K/∂θ_k = d·S^{d−1}∘x_kx_kᵀ (entrywise).
// Therefore vᵀ(∂K/∂θ_k)w = x_kᵀMx_k with M_ij = d·v_iw_jS_ij^{d−1}, in O(n²m).
type pairFeatures struct{ *featureGram }

// storeBilinearForms stores vᵀ(∂K/∂θ_k)w = x_kᵀMx_k in dst[k], where x_k is feature k at all points, M_ij =
// d·v_iw_jS_ij^{d−1} and S = X diag(θ) Xᵀ. If derivativeOfS is not nil, it has the upper triangle of the derivative T
// of S in some direction, and the derivative d(d−1)·v_iw_jS_ij^{d−2}T_ij replaces M_ij.
func (g pairFeatures) storeBilinearForms(dst, v, w, derivativeOfS []float64) {
	s, n, d := g.innerProductsAtTheta(), g.n, g.fitted.d
	g.fitted.design.ColumnQuadraticForms(dst, func(row []float64, i int) {
		if v[i] == 0 && w[i] == 0 {
			clear(row)
			return
		}
		for j, e := range s[i*n+i : (i+1)*n] {
			if derivativeOfS == nil {
				row[j] = elementwise.PowerDerivative(e, d)
			} else {
				row[j] = elementwise.PowerSecondDerivative(e, d) * derivativeOfS[i*n+i+j]
			}
		}
		row[0] *= v[i] * w[i]
		for j := 1; j < n-i; j++ {
			row[j] *= v[i]*w[i+j] + w[i]*v[i+j]
		}
	}, &g.Scratch)
}

// storeBilinearGradient stores vᵀ(∂K/∂θ_k)w in dst[k].
func (g pairFeatures) storeBilinearGradient(dst, v, w []float64) {
	g.storeBilinearForms(dst, v, w, nil)
}

// mulDirectionalDerivative stores (d·S^{d−1}∘T)w in dst, with S = X diag(θ) Xᵀ, T = X diag(u) Xᵀ and features X.
func (g pairFeatures) mulDirectionalDerivative(dst, u, w []float64) {
	s, t, n := g.innerProductsAtTheta(), g.weightedInnerProducts(u), g.n
	clear(dst)
	for i := range n {
		row := t[i*n+i : (i+1)*n]
		for j, v := range s[i*n+i : (i+1)*n] {
			row[j] *= elementwise.PowerDerivative(v, g.fitted.d)
		}
		linalg.AddSymmetricRowProduct(dst, row, w, i)
	}
}

// storeHessianVectorProduct stores Σ_ij w_iw_j d(d−1)S_ij^{d−2}T_ij x_ikx_jk in dst[k], with S = X diag(θ) Xᵀ, T = X
// diag(u) Xᵀ and features X.
func (g pairFeatures) storeHessianVectorProduct(dst, u, w []float64) {
	g.storeBilinearForms(dst, w, w, g.weightedInnerProducts(u))
}

// weightedInnerProducts returns an n×n array with the upper triangle of X diag(featureWeights) Xᵀ.
func (g *featureGram) weightedInnerProducts(featureWeights []float64) []float64 {
	t := design.Resize(&g.t, g.n*g.n)
	g.fitted.design.Gram(t, featureWeights, &g.Scratch)
	return t
}
