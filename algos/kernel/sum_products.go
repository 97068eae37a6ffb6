package kernel

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/linalg"
)

var (
	_ Additive = (*sumGrams)(nil)
	_ Additive = (*featureGrams)(nil)
	_ Mixed    = (*sumGram)(nil)
)

// Products stores ⟨K_j,K_k⟩ or, if centred is true, ⟨HK_jH,HK_kH⟩. It uses a matrix product over parts of the base
// matrices and takes O(m²n²). The centered value is ⟨K_j,K_k⟩ − (2/n)r_jᵀr_k + s_js_k/n². In it, r_k = K_k1 and
// s_k = 1ᵀr_k.
func (g *sumGrams) Products(dst *mat.SymDense, centred bool) {
	m, n := g.Dims()
	g.matrices(g.on)
	q, stride := formInto(dst, m)
	size := max(64, min(chunk, (1<<22)/m))
	x := make([]float64, m*size)
	r, one, s := make([]float64, m*n), make([]float64, n), make([]float64, m)
	floats.AddConst(1, one)
	g.inBands(g.on, func(lo, hi int, part [][]float64) {
		b := tri(n, lo)
		if centred {
			for k, a := range part {
				for i := lo; i < hi; i++ {
					linalg.UpperMulVec(r[k*n:(k+1)*n], bandRow(a, n, lo, i), one, i)
				}
			}
		}
		for t := 0; t < tri(n, hi)-b; t += size {
			e := min(t+size, tri(n, hi)-b)
			for k, a := range part {
				row := x[k*size : k*size+e-t]
				floats.ScaleTo(row, math.Sqrt2, a[t:e]) // entries off the diagonal count twice
			}
			for ; lo < hi && tri(n, lo)-b < e; lo++ { // entries on the diagonal count once
				for k := range part {
					x[k*size+tri(n, lo)-b-t] /= math.Sqrt2
				}
			}
			g.on.Syrk(false, m, e-t, 1, x, size, 1, q, stride)
		}
	})
	if !centred {
		return
	}
	for k := range s {
		s[k] = floats.Sum(r[k*n:(k+1)*n]) / float64(n)
	}
	g.on.Syrk(false, m, n, -2/float64(n), r, n, 1, q, stride)
	for j := range m {
		for k := j; k < m; k++ {
			q[j*stride+k] += s[j] * s[k]
		}
	}
}

// Products stores (x_jᵀx_k)², in which x_k is feature k, or the centered feature k if centred is true. It needs
// degree 1.
func (g *featureGrams) Products(dst *mat.SymDense, centred bool) {
	if g.d != 1 {
		panic("kernel: Products of a degree above 1")
	}
	m, n := g.Dims()
	one := make([]float64, n)
	floats.AddConst(1, one)
	q, stride := formInto(dst, m)
	full := make([]float64, m*m)
	x := g.design
	mean := make([]float64, m)
	x.timesTransposed(mean, one)
	x.weighted(full, one, &scratch{on: g.on})
	for j := range m {
		for k := j; k < m; k++ {
			v := full[j*m+k]
			if centred {
				v -= mean[j] * mean[k] / float64(n)
			}
			q[j*stride+k] = v * v
		}
	}
}

// Mix moves to sθ_a + tθ_b. It mixes S, which is K for degree 1. It returns false if the degree is above 1, or if a or
// b is not a Gram of the same Grams.
func (g *sumGram) Mix(s float64, a Gram, t float64, b Gram) bool {
	x, _ := a.(*sumGram)
	y, _ := b.(*sumGram)
	if g.g.d != 1 || x == nil || y == nil || x.g != g.g || y.g != g.g {
		return false
	}
	u, v := x.sum(), y.sum()
	dst := sized(&g.s, len(u))
	for i, p := range u {
		dst[i] = s*p + t*v[i]
	}
	theta := make([]float64, g.m)
	for k := range theta {
		theta[k] = s*x.theta[k] + t*y.theta[k]
	}
	g.theta, g.hasS, g.hasK, g.mixed = theta, true, false, true
	return true
}
