package kernel

// squareFeatures are the derivatives of degree 2 for m ≤ n, by G = Xᵀdiag(w)X: with
// K = S∘S and S = Σ_l θ_l x_lx_lᵀ,
//
//	wᵀK(θ)w = Σ_kl θ_kθ_l G_kl²,  wᵀ(∂K/∂θ_k)w = 2Σ_l θ_lG_kl²,  wᵀ(∂²K/∂θ_k∂θ_l)w = 2G_kl².
//
// O(nm²) for G, which is kept for the last w.
type squareFeatures struct{ *featureGram }

// pair stores 2Σ_l θ_l G_kl(v) G_kl(w).
func (g squareFeatures) pair(dst, v, w []float64) {
	b := g.weighted(&g.gw, w)
	a := b
	if !same(v, w) {
		a = g.weighted(&g.gv, v)
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

// along stores 2x_iᵀHx_i, H_kl = u_kG_klθ_l.
func (g squareFeatures) along(dst, u, w []float64) {
	m := g.m
	h, gw := sized(&g.t, m*m), g.weighted(&g.gw, w)
	for k := range m {
		for l, t := range g.theta {
			h[k*m+l] = 2 * u[k] * gw[k*m+l] * t
		}
	}
	g.g.design.rowForms(dst, h, &g.scratch)
}

// second stores 2Σ_l u_lG_kl².
func (g squareFeatures) second(dst, u, w []float64) {
	m, gw := g.m, g.weighted(&g.gw, w)
	for k := range dst {
		s := 0.0
		row := gw[k*m : (k+1)*m]
		for l, c := range u {
			s += c * row[l] * row[l]
		}
		dst[k] = 2 * s
	}
}
