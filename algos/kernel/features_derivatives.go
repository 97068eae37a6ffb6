package kernel

import "github.com/mklnb/mkl/algos/linalg"

// linearFeatures computes the derivatives of degree 1: ∂K/∂θ_k = x_kx_kᵀ. It takes O(nm).
type linearFeatures struct{ *featureGram }

// bilinearGrad stores (x_kᵀv)(x_kᵀw).
func (g linearFeatures) bilinearGrad(dst, v, w []float64) {
	b := sized(&g.x, g.m)
	g.g.design.timesTransposed(b, w)
	a := b
	if !isSameSlice(v, w) {
		a = sized(&g.y, g.m)
		g.g.design.timesTransposed(a, v)
	}
	for k := range dst {
		dst[k] = a[k] * b[k]
	}
}

// directionalMul stores X diag(u) Xᵀw.
func (g linearFeatures) directionalMul(dst, u, w []float64) {
	c := sized(&g.x, g.m)
	g.g.design.timesTransposed(c, w)
	for k := range c {
		c[k] *= u[k]
	}
	g.g.design.times(dst, c)
}

func (g linearFeatures) hessianForm(dst, _, _ []float64) { clear(dst) }

// squareFeatures computes the derivatives of degree 2 for m ≤ n from G = Xᵀdiag(w)X. With K = S∘S and
// S = Σ_l θ_l x_lx_lᵀ,
//
//	wᵀK(θ)w = Σ_kl θ_kθ_l G_kl²,  wᵀ(∂K/∂θ_k)w = 2Σ_l θ_lG_kl²,  wᵀ(∂²K/∂θ_k∂θ_l)w = 2G_kl².
//
// G takes O(nm²); it is stored for the last w.
type squareFeatures struct{ *featureGram }

// bilinearGrad stores 2Σ_l θ_l G_kl(v) G_kl(w).
func (g squareFeatures) bilinearGrad(dst, v, w []float64) {
	b := g.weightedGram(&g.gw, w)
	a := b
	if !isSameSlice(v, w) {
		a = g.weightedGram(&g.gv, v)
	}
	m := g.m
	for k := range dst {
		s := 0.0
		ra, rb := a[k*m:(k+1)*m], b[k*m:(k+1)*m]
		for l, t := range g.theta {
			s += t * ra[l] * rb[l]
		}
		dst[k] = 2 * s
	}
}

// directionalMul stores 2x_iᵀHx_i, H_kl = u_kG_klθ_l.
func (g squareFeatures) directionalMul(dst, u, w []float64) {
	m := g.m
	h, gw := sized(&g.t, m*m), g.weightedGram(&g.gw, w)
	for k := range m {
		for l, t := range g.theta {
			h[k*m+l] = 2 * u[k] * gw[k*m+l] * t
		}
	}
	g.g.design.rowForms(dst, h, &g.scratch)
}

// hessianForm stores 2Σ_l u_lG_kl².
func (g squareFeatures) hessianForm(dst, u, w []float64) {
	m, gw := g.m, g.weightedGram(&g.gw, w)
	for k := range dst {
		s := 0.0
		row := gw[k*m : (k+1)*m]
		for l, c := range u {
			s += c * row[l] * row[l]
		}
		dst[k] = 2 * s
	}
}

// pairFeatures computes the derivatives of any degree from S = X diag(θ) Xᵀ, over pairs of points:
// ∂K/∂θ_k = dS^{d−1}∘x_kx_kᵀ, so that vᵀ(∂K/∂θ_k)w = x_kᵀMx_k with M_ij = v_iw_j·dS_ij^{d−1}. It takes O(n²m).
type pairFeatures struct{ *featureGram }

// pairWeights gives the rows of M as a triangle. Off the diagonal, they are v_iw_j + w_iv_j times dS_ij^{d−1}, or times
// d(d−1)S_ij^{d−2}T_ij if T is given.
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

func (g pairFeatures) bilinearGrad(dst, v, w []float64) {
	g.weights = pairWeights{v, w, g.sum(), nil, g.g.d}
	g.g.design.columnForms(dst, &g.weights, &g.scratch)
}

// directionalMul stores (dS^{d−1}∘T)w, T = X diag(u) Xᵀ.
func (g pairFeatures) directionalMul(dst, u, w []float64) {
	s, t, n := g.sum(), g.directionalGram(u), g.n
	clear(dst)
	for i := range n {
		row := t[i*n+i : (i+1)*n]
		for j, v := range s[i*n+i : (i+1)*n] {
			row[j] *= powerSlope(v, g.g.d)
		}
		linalg.UpperMulVec(dst, row, w, i)
	}
}

func (g pairFeatures) hessianForm(dst, u, w []float64) {
	g.weights = pairWeights{w, w, g.sum(), g.directionalGram(u), g.g.d}
	g.g.design.columnForms(dst, &g.weights, &g.scratch)
}

// directionalGram returns the upper triangle of X diag(u) Xᵀ.
func (g *featureGram) directionalGram(u []float64) []float64 {
	t := sized(&g.t, g.n*g.n)
	g.g.design.gram(t, u, &g.scratch)
	return t
}
