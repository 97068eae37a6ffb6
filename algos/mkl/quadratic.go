package mkl

import "github.com/mklnb/mkl/algos/reg"

// quadratics are functions of parts of θ of equal lengths, q_i(θ_i) = A_i‖θ_i−C_i‖² + K_i. Θ is the product of as many
// sets, or there is one part, all of θ.
type quadratics []reg.Quadratic

// above returns quadratics whose sum touches r at θ from above, and whether it is r itself; none where r has none.
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

// quadratic is r, where it is a sum of quadratics of parts.
func (p *Problem) quadratic() (quadratics, bool) {
	m, _ := p.Grams.Dims()
	q, exact := p.above(make([]float64, m))
	return q, exact
}

// ridge is r = A‖θ−C‖² + K, where it is that.
func (p *Problem) ridge() (r reg.Quadratic, ok bool) {
	q, exact := p.quadratic()
	if !exact || len(q) != 1 {
		return r, false
	}
	return q[0], true
}

// minimize stores argmin_Θ ⟨tg,θ⟩ + Σ_i q_i(θ_i) in dst, which may not be g, and returns the minimum.
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
