package kernel

import "math"

// doubled is an unevaluated sum hi + lo with |lo| ≤ ½ulp(hi): about 106 bits.
//
// Reference: T. Ogita, S. Rump, S. Oishi, Accurate sum and dot product, SIAM J. Sci. Comput. 26 (2005).
type doubled struct{ hi, lo float64 }

// plus returns a + b.
func (a doubled) plus(b doubled) doubled {
	s := a.hi + b.hi
	t := s - a.hi
	e := (a.hi - (s - t)) + (b.hi - t) + a.lo + b.lo
	hi := s + e
	return doubled{hi, e - (hi - s)}
}

// times returns a·b.
func (a doubled) times(b doubled) doubled {
	p := a.hi * b.hi
	e := math.FMA(a.hi, b.hi, -p) + (a.hi*b.lo + a.lo*b.hi)
	hi := p + e
	return doubled{hi, e - (hi - p)}
}

// plusProduct returns a + xy.
func (a doubled) plusProduct(x, y float64) doubled {
	p := x * y
	return a.plus(doubled{p, math.FMA(x, y, -p)})
}

// scaled returns xa.
func (a doubled) scaled(x float64) doubled { return a.times(doubled{x, 0}) }

// power returns a^d, d ≥ 0.
func (a doubled) power(d int) doubled {
	r := doubled{1, 0}
	for range d {
		r = r.times(a)
	}
	return r
}

// doubledForms accumulates K(θ)w in f and wᵀ(∂K/∂θ_k)w in v, K = S^{∘d}, over the pairs i ≤ j.
type doubledForms struct {
	f, v []doubled // n, m
	w    []float64
	d    int
}

// addPair adds the contribution of K_ij = s^d to K(θ)w. It returns the factor by which the caller must multiply
// (∂S/∂θ_k)_ij.
func (a *doubledForms) addPair(i, j int, s doubled) doubled {
	slope := s.power(a.d - 1)
	e := s.times(slope)
	a.f[i] = a.f[i].plus(e.scaled(a.w[j]))
	p := doubled{a.w[i], 0}.scaled(a.w[j]).times(slope).scaled(float64(a.d))
	if j > i {
		a.f[j] = a.f[j].plus(e.scaled(a.w[i]))
		p = p.scaled(2)
	}
	return p
}

// roundAll stores the float64 nearest to each sum.
func roundAll(dst []float64, a []doubled) {
	for i, v := range a {
		dst[i] = v.hi
	}
}

// maxDoubledProducts is the number of products in doubled precision that a sharper certificate is worth. They take about half a
// second, and a certificate may need several evaluations.
const maxDoubledProducts = 1 << 26
