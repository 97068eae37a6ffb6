package kernel

import "math"

// doubled is a number in double-double arithmetic, the exact sum hi + lo with |lo| ≤ ½ulp(hi). It has a precision of
// about 106 bits.
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

// timesFloat returns xa.
func (a doubled) timesFloat(x float64) doubled { return a.times(doubled{x, 0}) }

// power returns a^d, d ≥ 0.
func (a doubled) power(d int) doubled {
	r := doubled{1, 0}
	for range d {
		r = r.times(a)
	}
	return r
}

// doubledForms adds up K(θ)w in kw and wᵀ(∂K/∂θ_k)w in gradient, over the pairs of points i ≤ j. K is the entrywise
// power d of a matrix S that is linear in θ.
type doubledForms struct {
	kw, gradient []doubled // one number for each point, and one for each parameter
	w            []float64
	d            int
}

// addEntryOfS adds to kw the contribution of K_ij = S_ij^d, where entry is S_ij. The caller must add
// derivativeWeight·(∂S/∂θ_k)_ij to gradient[k] for each k.
func (a *doubledForms) addEntryOfS(i, j int, entry doubled) (derivativeWeight doubled) {
	lowerPower := entry.power(a.d - 1)
	e := entry.times(lowerPower)
	a.kw[i] = a.kw[i].plus(e.timesFloat(a.w[j]))
	p := doubled{a.w[i], 0}.timesFloat(a.w[j]).times(lowerPower).timesFloat(float64(a.d))
	if j > i {
		a.kw[j] = a.kw[j].plus(e.timesFloat(a.w[i]))
		p = p.timesFloat(2)
	}
	return p
}

// roundToFloat64 stores in dst the float64 nearest to each a[i].
func roundToFloat64(dst []float64, a []doubled) {
	for i, v := range a {
		dst[i] = v.hi
	}
}

// maxDoubledProducts is the largest number of double-double products in one EvaluateInDoubledPrecision. So many
// products take about half a second, and a certificate may need several evaluations.
const maxDoubledProducts = 1 << 26
