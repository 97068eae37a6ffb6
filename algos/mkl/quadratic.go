package mkl

import "github.com/mklnb/mkl/algos/reg"

// quadratics is a list of functions q_i(θ_i) = A_i‖θ_i−C_i‖² + K_i of parts θ_i of θ, which have equal lengths. Θ is
// the product of as many sets, or there is one part, all of θ.
type quadratics []reg.Quadratic

// above returns quadratics whose sum is at least r everywhere and equals r at θ, and reports whether the sum is r
// itself. It returns nil if r has no such quadratics.
func (p *Problem) above(theta []float64) (q quadratics, exact bool) {
	of := []reg.Reg{p.Reg}
	if r, ok := p.Reg.(reg.Separable); ok && len(r.Parts) == p.Set.Traits().FactorCount {
		of = r.Parts
	}
	exact = true
	n := len(theta) / len(of)
	for i, r := range of {
		m, ok := r.(reg.Majorized)
		if !ok {
			return nil, false
		}
		v, ok := m.Majorize(theta[i*n : (i+1)*n])
		if !ok {
			return nil, false
		}
		q, exact = append(q, v), exact && v.Exact
	}
	return q, exact
}

// quadratic returns r as a sum of quadratics of parts. It returns false if r is not such a sum.
func (p *Problem) quadratic() (quadratics, bool) {
	m, _ := p.Grams.Dims()
	q, exact := p.above(make([]float64, m))
	return q, exact
}

// ridge returns r as A‖θ−C‖² + K; ok is false if r does not have this form.
func (p *Problem) ridge() (r reg.Quadratic, ok bool) {
	q, exact := p.quadratic()
	if !exact || len(q) != 1 {
		return r, false
	}
	return q[0], true
}

// minimize stores argmin_Θ ⟨tg,θ⟩ + Σ_i q_i(θ_i) in dst, which must not be g, and returns the minimum.
func (p *Problem) minimize(dst, g []float64, t float64, q quadratics) (sum float64) {
	n := len(dst) / len(q)
	for i, r := range q {
		part, slope := dst[i*n:(i+1)*n], g[i*n:(i+1)*n]
		for k, c := range r.C {
			part[k] = c - t*slope[k]/(2*r.A)
		}
	}
	p.Set.Project(dst, dst)
	for i, r := range q {
		part, slope := dst[i*n:(i+1)*n], g[i*n:(i+1)*n]
		sum += r.K
		for k, c := range r.C {
			d := part[k] - c
			sum += t*slope[k]*part[k] + r.A*d*d
		}
	}
	return sum
}
