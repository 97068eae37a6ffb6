package mkl

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// fitHinge minimizes the squared hinge loss over u by Newton's method. A step goes from u to the minimum for the points
// that violate the margin at u, and is shortened until the value falls. The method ends when a full step leaves these
// points the same.
func (p *restricted) fitHinge(ctx context.Context, c *column) error {
	for l, d := range p.d {
		if d == 0 {
			c.u[l] = 0
		}
	}
	p.move(c, c.u, p.times(c.u))
	for t, step := 0.0, 0; step < 100; step++ {
		if same, err := p.violations(ctx, c); err != nil {
			return err
		} else if same && t == 1 {
			break
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := p.factorize(c); err != nil {
			return err
		}
		u, f, value, to := c.u, c.f, c.value, p.minimizer(c)
		g := p.times(to)
		for t = 1; ; t /= 2 {
			if t < 1e-12 { // if f violates no margin, only steps of the order of λ reduce the value
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

// between returns (1 − t)a + tb.
func between(a, b []float64, t float64) []float64 {
	out := slices.Clone(a)
	for i, v := range b {
		out[i] += t * (v - a[i])
	}
	return out
}

// violations updates gram and b to the points that violate the margin, and reports whether they are the same points as
// before.
func (p *restricted) violations(ctx context.Context, c *column) (same bool, err error) {
	var points, come, gone []int
	before := make([]bool, len(c.y))
	for _, i := range c.points {
		before[i] = true
	}
	ones, y, mean := make([]float64, len(c.y)), make([]float64, len(c.y)), 0.0
	for i, r := range c.rest {
		switch {
		case r != 0 && !before[i]:
			come = append(come, i)
		case r == 0 && before[i]:
			gone = append(gone, i)
		}
		if r != 0 {
			points, ones[i] = append(points, i), 1
			mean += c.y[i]
		}
	}
	if len(come)+len(gone) == 0 && len(c.sum) == len(c.u) {
		return true, nil
	}
	if len(come)+len(gone) > len(points) {
		c.gram.Zero()
		gone, come = nil, points
	}
	if err := p.v.add(ctx, c.gram, 0, -1, gone); err != nil {
		return false, err
	}
	if err := p.v.add(ctx, c.gram, 0, 1, come); err != nil {
		return false, err
	}
	count := math.Max(float64(len(points)), 1)
	for _, i := range points {
		y[i] = c.y[i] - mean/count
	}
	c.points, c.sum = points, make([]float64, len(c.u))
	p.v.product(c.sum, false, ones)
	floats.Scale(1/math.Sqrt(count), c.sum)
	p.v.product(c.b, false, y)
	return false, nil
}
