package kernel

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/linalg"
)

// Products stores ⟨K_j,K_k⟩ in dst or, if centred is true, ⟨HK_jH,HK_kH⟩ with H = I − 11ᵀ/n. It takes O(m²n²). The
// centered value is ⟨K_j,K_k⟩ − (2/n)r_jᵀr_k + s_js_k/n², where r_k = K_k1 has the row sums of K_k and s_k = 1ᵀr_k is
// the sum of its entries. It returns false, and stores nothing, if the degree is not 1.
func (g *sumGrams) Products(dst *mat.SymDense, centred bool) bool {
	if g.d != 1 {
		return false
	}
	m, n := g.Dims()
	g.matrices(g.on)
	q, stride := zeroedUpper(dst, m)
	size := max(64, min(chunk, (1<<22)/m))
	x := make([]float64, m*size)
	r, ones, s := make([]float64, m*n), make([]float64, n), make([]float64, m)
	floats.AddConst(1, ones)
	g.visitBands(g.on, func(lo, hi int, band [][]float64) {
		b := tri(n, lo)
		if centred {
			for k, a := range band {
				for i := lo; i < hi; i++ {
					linalg.UpperMulVec(r[k*n:(k+1)*n], bandRow(a, n, lo, i), ones, i)
				}
			}
		}
		for t := 0; t < tri(n, hi)-b; t += size {
			e := min(t+size, tri(n, hi)-b)
			for k, a := range band {
				row := x[k*size : k*size+e-t]
				floats.ScaleTo(row, math.Sqrt2, a[t:e]) // entries off the diagonal count twice
			}
			for ; lo < hi && tri(n, lo)-b < e; lo++ { // entries on the diagonal count once
				for k := range band {
					x[k*size+tri(n, lo)-b-t] /= math.Sqrt2
				}
			}
			g.on.Syrk(false, m, e-t, 1, x, size, 1, q, stride)
		}
	})
	if !centred {
		return true
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
	return true
}

// Products stores (x_jᵀx_k)² in dst, where x_k is column k of X, minus its mean if centred is true. It returns false,
// and stores nothing, if the degree is not 1.
func (g *featureGrams) Products(dst *mat.SymDense, centred bool) bool {
	if g.d != 1 {
		return false
	}
	m, n := g.Dims()
	ones := make([]float64, n)
	floats.AddConst(1, ones)
	q, stride := zeroedUpper(dst, m)
	full := make([]float64, m*m)
	x := g.design
	mean := make([]float64, m)
	x.timesTransposed(mean, ones)
	x.weighted(full, ones, &scratch{on: g.on})
	for j := range m {
		for k := j; k < m; k++ {
			v := full[j*m+k]
			if centred {
				v -= mean[j] * mean[k] / float64(n)
			}
			q[j*stride+k] = v * v
		}
	}
	return true
}

// Mix sets θ of dst to sθ_a + tθ_b and K of dst to sK(θ_a) + tK(θ_b). For a degree above 1, it changes nothing and
// returns false.
func (g *sumGrams) Mix(dst Gram, s float64, a Gram, t float64, b Gram) bool {
	to, _ := dst.(*sumGram)
	x, _ := a.(*sumGram)
	y, _ := b.(*sumGram)
	if g.d != 1 || to == nil || x == nil || y == nil || to.g != g.fittedSum || x.g != to.g || y.g != to.g {
		return false
	}
	u, v := x.sum(), y.sum()
	mixed := sized(&to.s, len(u))
	for i, p := range u {
		mixed[i] = s*p + t*v[i]
	}
	theta := make([]float64, to.m)
	for k := range theta {
		theta[k] = s*x.theta[k] + t*y.theta[k]
	}
	to.theta, to.hasS, to.hasK, to.mixed = theta, true, false, true
	to.matrix.Reset()
	return true
}
