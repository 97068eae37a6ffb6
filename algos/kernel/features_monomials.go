package kernel

import (
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/linalg"
)

// monomialFeatures computes the derivatives if there are few monomials, at most n/2. It uses their values Φ, n×r:
//
//	K(θ) = Σ_e c_eθ^e Φ_eΦ_eᵀ,  Φ_ie = x_i^e,  |e| = d,  c_e = d!/Πe_k!.
//
// It takes O(nr).
type monomialFeatures struct{ *featureGram }

func (g monomialFeatures) bilinearGrad(dst, v, w []float64) {
	p, a, b := g.values(v, w)
	clear(dst)
	for e := range p.coef {
		p.addGradient(dst, e, g.theta, a[e]*b[e])
	}
}

func (g monomialFeatures) directionalMul(dst, u, w []float64) {
	p, phi := g.g.monomials()
	c := sized(&g.x, p.len())
	timesTransposed(c, phi, w)
	for e := range c {
		c[e] *= p.directionalDerivative(e, g.theta, u)
	}
	for i := range dst {
		dst[i] = linalg.Dot(c, phi[i*len(c):(i+1)*len(c)])
	}
}

func (g monomialFeatures) hessianForm(dst, u, w []float64) {
	p, a, _ := g.values(w, w)
	clear(dst)
	for e, v := range a {
		p.addHessianProduct(dst, e, g.theta, u, v*v)
	}
}

// values returns a = Φᵀv and b = Φᵀw.
func (g monomialFeatures) values(v, w []float64) (p *monomials, a, b []float64) {
	p, phi := g.g.monomials()
	b = sized(&g.x, p.len())
	timesTransposed(b, phi, w)
	a = b
	if !isSameSlice(v, w) {
		a = sized(&g.y, p.len())
		timesTransposed(a, phi, v)
	}
	return p, a, b
}

// timesTransposed stores Φᵀw.
func timesTransposed(dst, phi, w []float64) {
	(&denseDesign{len(w), len(dst), phi}).timesTransposed(dst, w)
}

// monomials returns the products of d out of m features, with repetition, and their values at every point, n×r.
func (g *fittedFeatures) monomials() (*monomials, []float64) {
	g.once.Do(func() {
		g.mono = newMonomials(g.m, g.d)
		r := g.mono.len()
		g.phi = make([]float64, g.n*r)
		buf := make([]float64, g.m)
		for i := range g.n {
			g.mono.evaluate(g.phi[i*r:(i+1)*r], g.design.row(buf, i))
		}
	})
	return g.mono, g.phi
}

// monomialProducts returns ΦᵀΦ for the values of the monomials, r×r, upper triangle. It takes O(nr²) the first time.
func (g *fittedFeatures) monomialProducts(on linalg.Bound) []float64 {
	g.multiplied.Do(func() {
		p, phi := g.monomials()
		r := p.len()
		g.inner = make([]float64, r*r)
		on.Syrk(true, r, g.n, 1, phi, r, 0, g.inner, r)
	})
	return g.inner
}

// monomials holds the terms c_eθ^e of a polynomial in θ.
type monomials struct {
	factors [][]int   // for each term, the indices k of its θ_k, with repetition
	coef    []float64 // c_e
}

// countMonomials returns C(m+d−1, d), or limit+1 if this is more than limit.
func countMonomials(m, d, limit int) int {
	c := 1
	for i := range d {
		c = c * (m + i) / (i + 1) // an integer at each step
		if c > limit {
			return limit + 1
		}
	}
	return c
}

// newMonomials returns the C(m+d−1, d) products of d out of m features, with repetition. c_e is d!/Πe_k!.
func newMonomials(m, d int) *monomials {
	p := &monomials{}
	e := make([]int, d)
	var appendFrom func(t, from int)
	appendFrom = func(t, from int) {
		if t == d {
			p.factors = append(p.factors, slices.Clone(e))
			p.coef = append(p.coef, multinomial(e))
			return
		}
		for k := from; k < m; k++ {
			e[t] = k
			appendFrom(t+1, k)
		}
	}
	appendFrom(0, 0)
	return p
}

// multinomial returns d!/Πe_k!, where the d ascending indices contain index k e_k times.
func multinomial(e []int) float64 {
	c, repeats := 1.0, 0
	for t, k := range e {
		if t > 0 && k == e[t-1] {
			repeats++
		} else {
			repeats = 1
		}
		c *= float64(t+1) / float64(repeats)
	}
	return math.Round(c)
}

func (p *monomials) len() int { return len(p.coef) }

// evaluate stores the values of the monomials at one point.
func (p *monomials) evaluate(dst, x []float64) {
	for e := range dst {
		v := 1.0
		for _, k := range p.factors[e] {
			v *= x[k]
		}
		dst[e] = v
	}
}

// termWithout returns c_eθ^e without its factors number i and j. An index of −1 omits no factor.
func (p *monomials) termWithout(e, i, j int, theta []float64) float64 {
	c := p.coef[e]
	for t, k := range p.factors[e] {
		if t != i && t != j {
			c *= theta[k]
		}
	}
	return c
}

// addGradient adds v·∂(c_eθ^e)/∂θ_k to dst_k.
func (p *monomials) addGradient(dst []float64, e int, theta []float64, v float64) {
	for i, k := range p.factors[e] {
		dst[k] += v * p.termWithout(e, i, -1, theta)
	}
}

// directionalDerivative returns Σ_k u_k ∂(c_eθ^e)/∂θ_k.
func (p *monomials) directionalDerivative(e int, theta, u []float64) float64 {
	s := 0.0
	for i, k := range p.factors[e] {
		s += u[k] * p.termWithout(e, i, -1, theta)
	}
	return s
}

// addHessianProduct adds v·Σ_l u_l ∂²(c_eθ^e)/∂θ_k∂θ_l to dst_k.
func (p *monomials) addHessianProduct(dst []float64, e int, theta, u []float64, v float64) {
	f := p.factors[e]
	for i, k := range f {
		for j, l := range f {
			if j != i {
				dst[k] += v * u[l] * p.termWithout(e, i, j, theta)
			}
		}
	}
}
