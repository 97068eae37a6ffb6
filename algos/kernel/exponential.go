package kernel

import "math"

// parts is how many intervals of 2^x between powers of two are tabulated.
const parts = 128

// roots are the bits of 2^(j/128).
var roots = func() (r [parts]uint64) {
	for j := range r {
		r[j] = math.Float64bits(math.Exp2(float64(j) / parts))
	}
	return r
}()

// exponentials stores exp(c·src_i) in dst, which may be src, to an error below 1.5ε of it, exp(0) = 1 exactly.
// It takes a third of the time of math.Exp: x = (k/128)·ln 2 + r with |r| ≤ ln 2/256, and of exp(r) the
// polynomial of degree 5.
//
// Reference: P. Tang, Table-driven implementation of the exponential function in IEEE floating-point
// arithmetic, ACM Trans. Math. Softw. 15 (1989).
func exponentials(dst, src []float64, c float64) {
	const (
		whole = 3 << 51                            // whole + v − whole is v rounded to a whole number
		high  = 6.93147180369123816490e-01 / parts // ln 2, in two parts so that k·high is exact
		low   = 1.90821492927058770002e-10 / parts
	)
	dst = dst[:len(src)]
	for i, v := range src {
		x := c * v
		if !(math.Abs(x) < 700) { // and NaN
			dst[i] = math.Exp(x)
			continue
		}
		t := x*(parts/math.Ln2) + whole
		k := math.Float64bits(t)
		t -= whole
		r := (x - t*high) - t*low
		q := r * r
		p := r + q*(0.5+r*(1./6)) + q*q*(1./24+r*(1./120))
		s := math.Float64frombits(roots[k%parts] + (k/parts)<<52)
		dst[i] = s + s*p
	}
}
