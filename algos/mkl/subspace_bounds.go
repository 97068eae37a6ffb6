package mkl

import (
	"math"

	"github.com/mklnb/mkl/algos/linalg"

	"gonum.org/v1/gonum/floats"
)

// improve replaces the primal value of the point by the value of f, which is in the space of K(θ), if that proves more.
func (p *restricted) improve(pt *Point) {
	n, norm, off := 0.0, 0.0, 0.0
	errs, errsOff := 0.0, 0.0
	for _, c := range p.columns {
		square, squareOff, values := p.bounds(c)
		norm, off = norm+square, off+squareOff
		n += float64(len(c.f))
		for i, r := range c.rest {
			d := values[i] + linalg.Gamma(2)*(math.Abs(c.y[i])+math.Abs(c.f[i])+math.Abs(c.bias))
			errs += r * r
			errsOff += 2*math.Abs(r)*d + d*d
		}
	}
	errsOff += linalg.Gamma(n+8) * errs
	primal := norm/2 + errs/(2*p.lambda)
	rounding := off/2 + errsOff/(2*p.lambda) + linalg.Gamma(8+len(p.columns))*primal
	if !(primal+rounding < pt.Primal+pt.Rounding.Primal) {
		return
	}
	pt.Primal, pt.Rounding.Primal = primal, rounding
	// for K(θ) − δI the value is at most the value with λ − δ in place of λ: see loss.Squared
	_, _, lift := pt.Gram.(*matrixFreeGram).Bounds()
	if pt.ShiftError = math.Inf(1); lift < p.lambda {
		pt.ShiftError = (errs + errsOff) / (2 * p.lambda) * (lift / (p.lambda - lift)) * (1 + linalg.Gamma(16))
	}
}

// bounds returns norm = Σ_kθ_kv_kᵀK_kv_k for the function f = Σ_kθ_kK_kv_k of a column, where v_k = Σ_l u_lv_l/√θ_k
// over the coordinates of kernel k. It is at least the squared norm of f in the space of K(θ). normOff bounds the error
// of norm, and valuesOff the error of each value of f. The value of f_k at a point, and the terms it is rounded from,
// are at most size·√K_k,ii. The coordinates of f_k add an error of at most off·√K_k,ii. The rows at landmarks do not
// contain the diagonal shifts of the base matrices.
func (p *restricted) bounds(c *column) (norm, normOff float64, valuesOff []float64) {
	_, n := p.v.g.Dims()
	r := len(p.v.landmarks)
	// errors of an entry, of a form of two α, and of the sums in the form of v
	e := p.v.g.sweep.Error() + linalg.Gamma(part+n/part+2*(r+len(p.v.alphas))+64)
	sums := linalg.Gamma(2*len(p.v.of) + 16) // over coordinates: of f, and of the v that f is compared with
	valuesOff = make([]float64, n)
	for k, t := range p.theta {
		if t == 0 {
			continue
		}
		v, size, off := p.combined(c, k)
		norm += t * p.v.form(k, v)
		normOff += t * (4*e*size*size + 2*p.v.g.lift[k]*floats.Dot(v[:r], v[:r]))
		for i, d := range p.v.g.diagonals[k] {
			valuesOff[i] += 2 * t * (off + sums*size) * math.Sqrt(max(d, 0))
		}
		for j, i := range p.v.landmarks {
			valuesOff[i] += 2 * t * p.v.g.lift[k] * math.Abs(v[j])
		}
	}
	return norm, normOff, valuesOff
}

// combined returns v_k, and size and off of bounds.
func (p *restricted) combined(c *column, k int) (v []float64, size, off float64) {
	v = make([]float64, len(p.v.landmarks)+len(p.v.alphas))
	scale := 1 / math.Sqrt(p.theta[k])
	for l, of := range p.v.of {
		if of == k {
			u := scale * c.u[l]
			linalg.Axpy(u, p.v.v[l], v)
			size += math.Abs(u) * p.v.size[l]
			off += math.Abs(u) * p.v.off[l]
		}
	}
	return v, size, off
}
