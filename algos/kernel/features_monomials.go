package kernel

import (
	"github.com/mklnb/mkl/algos/design"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/polynomial"
)

// monomialFeatures computes the derivatives if there are few monomials of degree d in the m features: r ≤ n/2. With
// their exponents e and their values Φ at the points, n×r,
//
//	K(θ) = Σ_e c_eθ^e Φ_eΦ_eᵀ,  Φ_ie = x_i^e,  |e| = d,  c_e = d!/Πe_k!.
//
// Each derivative takes O(nr).
type monomialFeatures struct{ *featureGram }

// bilinearGrad stores Σ_e ∂(c_eθ^e)/∂θ_k (Φ_eᵀv)(Φ_eᵀw) in dst[k].
func (g monomialFeatures) bilinearGrad(dst, v, w []float64) {
	p, a, b := g.values(v, w)
	clear(dst)
	for e := range p.Coef {
		p.AddGradient(dst, e, g.theta, a[e]*b[e])
	}
}

// directionalMul stores Σ_e (Σ_k u_k ∂(c_eθ^e)/∂θ_k) Φ_eΦ_eᵀw in dst.
func (g monomialFeatures) directionalMul(dst, u, w []float64) {
	p, phi := g.g.monomials()
	c := design.Sized(&g.x, p.Len())
	timesTransposed(c, phi, w)
	for e := range c {
		c[e] *= p.DirectionalDerivative(e, g.theta, u)
	}
	for i := range dst {
		dst[i] = linalg.Dot(c, phi[i*len(c):(i+1)*len(c)])
	}
}

// hessianForm stores Σ_e (Σ_l u_l ∂²(c_eθ^e)/∂θ_k∂θ_l) (Φ_eᵀw)² in dst[k].
func (g monomialFeatures) hessianForm(dst, u, w []float64) {
	p, a, _ := g.values(w, w)
	clear(dst)
	for e, v := range a {
		p.AddHessianProduct(dst, e, g.theta, u, v*v)
	}
}

// values returns the monomials p, a = Φᵀv and b = Φᵀw.
func (g monomialFeatures) values(v, w []float64) (p *polynomial.Terms, a, b []float64) {
	p, phi := g.g.monomials()
	b = design.Sized(&g.x, p.Len())
	timesTransposed(b, phi, w)
	a = b
	if !isSameSlice(v, w) {
		a = design.Sized(&g.y, p.Len())
		timesTransposed(a, phi, v)
	}
	return p, a, b
}

// timesTransposed stores Φᵀw in dst.
func timesTransposed(dst, phi, w []float64) {
	(&design.Dense{N: len(w), D: len(dst), X: phi}).TimesTransposed(dst, w)
}

// monomials returns the r monomials of degree d in the m features, and their values at every point, n×r.
func (g *fittedFeatures) monomials() (*polynomial.Terms, []float64) {
	g.once.Do(func() {
		g.mono = polynomial.New(g.m, g.d)
		r := g.mono.Len()
		g.phi = make([]float64, g.n*r)
		buf := make([]float64, g.m)
		for i := range g.n {
			g.mono.Evaluate(g.phi[i*r:(i+1)*r], g.design.DenseRow(buf, i))
		}
	})
	return g.mono, g.phi
}

// monomialProducts returns the upper triangle of ΦᵀΦ, r×r, where Φ has the values of the r monomials at the points. It
// takes O(nr²) the first time.
func (g *fittedFeatures) monomialProducts(on linalg.Bound) []float64 {
	g.multiplied.Do(func() {
		p, phi := g.monomials()
		r := p.Len()
		g.inner = make([]float64, r*r)
		on.Syrk(true, r, g.n, 1, phi, r, 0, g.inner, r)
	})
	return g.inner
}
