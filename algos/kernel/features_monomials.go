package kernel

import (
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/design"
	"github.com/mklnb/mkl/algos/linalg"
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
	for e := range p.coef {
		p.addGradient(dst, e, g.theta, a[e]*b[e])
	}
}

// directionalMul stores Σ_e (Σ_k u_k ∂(c_eθ^e)/∂θ_k) Φ_eΦ_eᵀw in dst.
func (g monomialFeatures) directionalMul(dst, u, w []float64) {
	p, phi := g.g.monomials()
	c := design.Sized(&g.x, p.len())
	timesTransposed(c, phi, w)
	for e := range c {
		c[e] *= p.directionalDerivative(e, g.theta, u)
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
		p.addHessianProduct(dst, e, g.theta, u, v*v)
	}
}

// values returns the monomials p, a = Φᵀv and b = Φᵀw.
func (g monomialFeatures) values(v, w []float64) (p *monomials, a, b []float64) {
	p, phi := g.g.monomials()
	b = design.Sized(&g.x, p.len())
	timesTransposed(b, phi, w)
	a = b
	if !isSameSlice(v, w) {
		a = design.Sized(&g.y, p.len())
		timesTransposed(a, phi, v)
	}
	return p, a, b
}

// timesTransposed stores Φᵀw in dst.
func timesTransposed(dst, phi, w []float64) {
	(&design.Dense{N: len(w), D: len(dst), X: phi}).TimesTransposed(dst, w)
}

// monomials returns the r monomials of degree d in the m features, and their values at every point, n×r.
func (g *fittedFeatures) monomials() (*monomials, []float64) {
	g.once.Do(func() {
		g.mono = newMonomials(g.m, g.d)
		r := g.mono.len()
		g.phi = make([]float64, g.n*r)
		buf := make([]float64, g.m)
		for i := range g.n {
			g.mono.evaluate(g.phi[i*r:(i+1)*r], g.design.DenseRow(buf, i))
		}
	})
	return g.mono, g.phi
}

// monomialProducts returns the upper triangle of ΦᵀΦ, r×r, where Φ has the values of the r monomials at the points. It
// takes O(nr²) the first time.
func (g *fittedFeatures) monomialProducts(on linalg.Bound) []float64 {
	g.multiplied.Do(func() {
		p, phi := g.monomials()
		r := p.len()
		g.inner = make([]float64, r*r)
		on.Syrk(true, r, g.n, 1, phi, r, 0, g.inner, r)
	})
	return g.inner
}

// monomials is a list of terms c_eθ^e, θ^e = Π_k θ_k^{e_k}. A term has a number e in the list.
type monomials struct {
	factors [][]int   // for each term, the indices k of its factors θ_k; k occurs e_k times
	coef    []float64 // c_e
}

// countMonomials returns the number C(m+d−1, d) of monomials of degree d in m features, or limit+1 if it is more than
// limit.
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

// newMonomials returns the C(m+d−1, d) monomials of degree d in m features, with the coefficients c_e = d!/Πe_k!.
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

// multinomial returns d!/Πe_k!, where e_k is the number of times that k occurs in the list e. e is ascending and has d
// indices.
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

// evaluate stores in dst the value of each monomial at the point x, without c_e.
func (p *monomials) evaluate(dst, x []float64) {
	for e := range dst {
		v := 1.0
		for _, k := range p.factors[e] {
			v *= x[k]
		}
		dst[e] = v
	}
}

// termWithout returns the product of c_e and the factors of term e, except the factors number i and j. With i = j = −1,
// it returns c_eθ^e.
func (p *monomials) termWithout(e, i, j int, theta []float64) float64 {
	c := p.coef[e]
	for t, k := range p.factors[e] {
		if t != i && t != j {
			c *= theta[k]
		}
	}
	return c
}

// addGradient adds v·∂(c_eθ^e)/∂θ_k to dst[k].
func (p *monomials) addGradient(dst []float64, e int, theta []float64, v float64) {
	for i, k := range p.factors[e] {
		dst[k] += v * p.termWithout(e, i, -1, theta)
	}
}

// directionalDerivative returns Σ_k u_k ∂(c_eθ^e)/∂θ_k for the direction u.
func (p *monomials) directionalDerivative(e int, theta, u []float64) float64 {
	s := 0.0
	for i, k := range p.factors[e] {
		s += u[k] * p.termWithout(e, i, -1, theta)
	}
	return s
}

// addHessianProduct adds v·Σ_l u_l ∂²(c_eθ^e)/∂θ_k∂θ_l to dst[k].
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
