package mkl

import "github.com/mklnb/mkl/algos/reg"

// quadratics is a list of functions q_i(θ_i) = A_i‖θ_i−C_i‖² + K_i with numbers A_i and K_i and centers C_i. The parts
// θ_i of θ have equal lengths. With several parts, Θ is the product of one set per part.
type quadratics []reg.Quadratic

// majorizeRegularizer returns quadratics q whose sum is at least the regularizer r everywhere and equals r at theta, or
// nil if r has none. isExact reports whether the sum equals r everywhere.
func (p *Problem) majorizeRegularizer(theta []float64) (q quadratics, isExact bool) {
	regs := []reg.Reg{p.Reg}
	if r, ok := p.Reg.(reg.Separable); ok && len(r.Parts) == p.Set.Traits().FactorCount {
		regs = r.Parts
	}
	isExact = true
	n := len(theta) / len(regs)
	for i, r := range regs {
		m, ok := r.(reg.Majorized)
		if !ok {
			return nil, false
		}
		v, ok := m.Majorize(theta[i*n : (i+1)*n])
		if !ok {
			return nil, false
		}
		q, isExact = append(q, v), isExact && v.IsExact
	}
	return q, isExact
}

// regularizerAsQuadratics returns quadratics of the parts of θ. Their sum is the regularizer only if isExact is true.
func (p *Problem) regularizerAsQuadratics() (q quadratics, isExact bool) {
	m, _ := p.Grams.Dims()
	q, isExact = p.majorizeRegularizer(make([]float64, m))
	return q, isExact
}

// ridgeRegularizer returns the regularizer as A‖θ−C‖² + K with numbers A and K and a center C, if it has this form.
func (p *Problem) ridgeRegularizer() (r reg.Quadratic, ok bool) {
	q, isExact := p.regularizerAsQuadratics()
	if !isExact || len(q) != 1 {
		return r, false
	}
	return q[0], true
}

// minimizeLinearPlusQuadratics stores argmin_Θ gradScale·⟨g,θ⟩ + Σ_i q_i(θ_i) in dst, which must not be g, and returns
// the minimum. θ_i is part i of the len(q) equal parts of θ.
func (p *Problem) minimizeLinearPlusQuadratics(dst, g []float64, gradScale float64, q quadratics) (minimum float64) {
	n := len(dst) / len(q)
	for i, r := range q {
		thetaPart, gradPart := dst[i*n:(i+1)*n], g[i*n:(i+1)*n]
		for k, c := range r.C {
			thetaPart[k] = c - gradScale*gradPart[k]/(2*r.A)
		}
	}
	p.Set.Project(dst, dst)
	for i, r := range q {
		thetaPart, gradPart := dst[i*n:(i+1)*n], g[i*n:(i+1)*n]
		minimum += r.K
		for k, c := range r.C {
			d := thetaPart[k] - c
			minimum += gradScale*gradPart[k]*thetaPart[k] + r.A*d*d
		}
	}
	return minimum
}
