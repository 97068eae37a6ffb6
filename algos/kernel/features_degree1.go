package kernel

// linearFeatures are the derivatives of degree 1: ∂K/∂θ_k = x_kx_kᵀ. O(nm).
type linearFeatures struct{ *featureGram }

// pair stores (x_kᵀv)(x_kᵀw).
func (g linearFeatures) pair(dst, v, w []float64) {
	b := sized(&g.x, g.m)
	g.g.design.timesTransposed(b, w)
	a := b
	if !same(v, w) {
		a = sized(&g.y, g.m)
		g.g.design.timesTransposed(a, v)
	}
	for k := range dst {
		dst[k] = a[k] * b[k]
	}
}

// along stores X diag(u) Xᵀw.
func (g linearFeatures) along(dst, u, w []float64) {
	c := sized(&g.x, g.m)
	g.g.design.timesTransposed(c, w)
	for k := range c {
		c[k] *= u[k]
	}
	g.g.design.times(dst, c)
}

func (g linearFeatures) second(dst, _, _ []float64) { clear(dst) }
