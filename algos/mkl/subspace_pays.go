package mkl

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// pay minimises over u of the squared hinge loss by Newton's method: from u to the minimum for the points that pay
// there, shortened until the value falls, until the same points pay.
func (p *restricted) pay(ctx context.Context, c *column) error {
	for l, d := range p.d {
		if d == 0 {
			c.u[l] = 0
		}
	}
	p.move(c, c.u, p.times(c.u))
	for t, step := 0.0, 0; step < 100; step++ {
		if same := p.restrict(c); same && t == 1 {
			break
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := p.factorize(c); err != nil {
			return err
		}
		u, f, value, to := c.u, c.f, c.value, p.minimiser(c)
		g := p.times(to)
		for t = 1; ; t /= 2 {
			if t < 1e-12 { // of an f of which no point pays the value falls only for steps of the order of λ
				t = 0
			}
			p.move(c, between(u, to, t), between(f, g, t))
			if t == 0 || c.value < value {
				break
			}
		}
		if t == 0 {
			break
		}
	}
	p.v.product(c.a, false, c.rest)
	floats.Scale(1/p.lambda, c.a)
	p.value += c.value
	return nil
}

// between is (1 − t)a + tb.
func between(a, b []float64, t float64) []float64 {
	out := slices.Clone(a)
	for i, v := range b {
		out[i] += t * (v - a[i])
	}
	return out
}

// restrict brings gram and b to the points that pay, and reports whether they are the same.
func (p *restricted) restrict(c *column) (same bool) {
	var pays, come, gone []int
	paid := make([]bool, len(c.y))
	for _, i := range c.pays {
		paid[i] = true
	}
	ones, y, mean := make([]float64, len(c.y)), make([]float64, len(c.y)), 0.0
	for i, r := range c.rest {
		switch {
		case r != 0 && !paid[i]:
			come = append(come, i)
		case r == 0 && paid[i]:
			gone = append(gone, i)
		}
		if r != 0 {
			pays, ones[i] = append(pays, i), 1
			mean += c.y[i]
		}
	}
	if len(come)+len(gone) == 0 {
		return true
	}
	if len(come)+len(gone) < len(pays) {
		p.v.add(c.gram, -1, gone)
	} else {
		c.gram, come = new(mat.SymDense).GrowSym(len(c.u)).(*mat.SymDense), pays
	}
	p.v.add(c.gram, 1, come)
	c.pays, c.count = pays, float64(len(pays))
	for _, i := range pays {
		y[i] = c.y[i] - mean/c.count
	}
	p.v.product(c.sum, false, ones)
	p.v.product(c.b, false, y)
	return false
}
