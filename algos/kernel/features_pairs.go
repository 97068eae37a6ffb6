package kernel

import "github.com/mklnb/mkl/algos/linalg"

// pairFeatures are the derivatives of any degree by S = X diag(θ) Xᵀ, over pairs of points:
// ∂K/∂θ_k = dS^{d−1}∘x_kx_kᵀ, so that vᵀ(∂K/∂θ_k)w = x_kᵀMx_k with M_ij = v_iw_j·dS_ij^{d−1}.
// O(n²m).
type pairFeatures struct{ *featureGram }

// pairWeights is M by rows: v_iw_j + w_iv_j off the diagonal, times dS^{d−1}, or d(d−1)S^{d−2}∘T
// where T is given.
type pairWeights struct {
	v, w, s, t []float64 // s and t are upper triangles of n×n matrices
	d          int
}

func (m *pairWeights) row(dst []float64, i int) {
	n, vi, wi := len(m.v), m.v[i], m.w[i]
	if vi == 0 && wi == 0 {
		clear(dst)
		return
	}
	for j, e := range m.s[i*n+i : (i+1)*n] {
		if m.t == nil {
			dst[j] = powerSlope(e, m.d)
		} else {
			dst[j] = powerCurvature(e, m.d) * m.t[i*n+i+j]
		}
	}
	dst[0] *= vi * wi
	for j := 1; j < n-i; j++ {
		dst[j] *= vi*m.w[i+j] + wi*m.v[i+j]
	}
}

func (g pairFeatures) pair(dst, v, w []float64) {
	g.weights = pairWeights{v, w, g.sum(), nil, g.g.d}
	g.g.design.columnForms(dst, &g.weights, &g.scratch)
}

// along stores (dS^{d−1}∘T)w, T = X diag(u) Xᵀ.
func (g pairFeatures) along(dst, u, w []float64) {
	s, t, n := g.sum(), g.direction(u), g.n
	clear(dst)
	for i := range n {
		row := t[i*n+i : (i+1)*n]
		for j, v := range s[i*n+i : (i+1)*n] {
			row[j] *= powerSlope(v, g.g.d)
		}
		linalg.UpperMulVec(dst, row, w, i)
	}
}

func (g pairFeatures) second(dst, u, w []float64) {
	g.weights = pairWeights{w, w, g.sum(), g.direction(u), g.g.d}
	g.g.design.columnForms(dst, &g.weights, &g.scratch)
}

// direction is X diag(u) Xᵀ, upper triangle.
func (g *featureGram) direction(u []float64) []float64 {
	t := sized(&g.t, g.n*g.n)
	g.g.design.gram(t, u, &g.scratch)
	return t
}
