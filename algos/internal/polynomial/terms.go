// Package polynomial evaluates polynomials in several variables and their derivatives. Package kernel
// writes the entries of K(θ) as such a polynomial in θ: (Σ_k θ_k K_k)^d, or the sum of a Monomials family.
//
//	t := polynomial.New(2, 2)      // θ₀² + 2θ₀θ₁ + θ₁², three terms
//	t.AddGradient(dst, 1, theta, c) // adds c times the gradient of 2θ₀θ₁
//
// TermCount returns the number of terms without making them.
package polynomial

import (
	"math"
	"slices"
)

// Terms is a list of terms c_eθ^e = c_e Π_k θ_k^{e_k}. e is the exponent vector of the term, and c_e its coefficient.
type Terms struct {
	FactorIndices [][]int   // for each term, the indices k of its factors θ_k; k occurs e_k times
	Coef          []float64 // c_e
}

// TermCount returns the number C(m+d−1, d) of monomials of degree d in m variables, or limit+1 if it is more than
// limit.
func TermCount(variables, degree, limit int) int {
	c := 1
	for i := range degree {
		c = c * (variables + i) / (i + 1) // an integer at each step
		if c > limit {
			return limit + 1
		}
	}
	return c
}

// New returns the C(m+d−1, d) monomials of degree d in m variables, with the coefficients c_e = d!/Πe_k!. Their lists
// of factors are in lexicographic order: θ_0², θ_0θ_1, θ_1² for m = d = 2.
func New(variables, degree int) *Terms {
	p := &Terms{}
	e := make([]int, degree)
	var appendFrom func(t, from int)
	appendFrom = func(t, from int) {
		if t == degree {
			p.FactorIndices = append(p.FactorIndices, slices.Clone(e))
			p.Coef = append(p.Coef, multinomial(e))
			return
		}
		for k := from; k < variables; k++ {
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
	c, multiplicity := 1.0, 0
	for t, k := range e {
		if t > 0 && k == e[t-1] {
			multiplicity++
		} else {
			multiplicity = 1
		}
		c *= float64(t+1) / float64(multiplicity)
	}
	return math.Round(c)
}

// Len returns the number of terms.
func (p *Terms) Len() int { return len(p.Coef) }

// Evaluate stores in dst the value of each monomial at the point x, without its coefficient.
func (p *Terms) Evaluate(dst, x []float64) {
	for e := range dst {
		v := 1.0
		for _, k := range p.FactorIndices[e] {
			v *= x[k]
		}
		dst[e] = v
	}
}

// TermWithoutFactors returns c_eθ^e of the given term without the factors at positions i and j of Factors[term]. −1
// omits none.
func (p *Terms) TermWithoutFactors(term, i, j int, theta []float64) float64 {
	c := p.Coef[term]
	for t, k := range p.FactorIndices[term] {
		if t != i && t != j {
			c *= theta[k]
		}
	}
	return c
}

// AddGradient adds factor·∂(c_eθ^e)/∂θ_k to dst[k] for each k, for the given term c_eθ^e.
func (p *Terms) AddGradient(dst []float64, term int, theta []float64, factor float64) {
	for i, k := range p.FactorIndices[term] {
		dst[k] += factor * p.TermWithoutFactors(term, i, -1, theta)
	}
}

// DirectionalDerivative returns Σ_k u_k ∂(c_eθ^e)/∂θ_k for the given term c_eθ^e and u = direction.
func (p *Terms) DirectionalDerivative(term int, theta, direction []float64) float64 {
	s := 0.0
	for i, k := range p.FactorIndices[term] {
		s += direction[k] * p.TermWithoutFactors(term, i, -1, theta)
	}
	return s
}

// AddHessianProduct adds factor·Σ_l u_l ∂²(c_eθ^e)/∂θ_k∂θ_l to dst[k], for the given term c_eθ^e and u = direction.
func (p *Terms) AddHessianProduct(dst []float64, term int, theta, direction []float64, factor float64) {
	f := p.FactorIndices[term]
	for i, k := range f {
		for j, l := range f {
			if j != i {
				dst[k] += factor * direction[l] * p.TermWithoutFactors(term, i, j, theta)
			}
		}
	}
}
