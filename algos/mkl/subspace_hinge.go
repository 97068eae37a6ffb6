package mkl

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// fitHinge minimizes the restricted problem with the squared hinge loss over u, for one column of targets and the
// current θ, by Newton's method. A step goes from u to the minimum for the points that violate the margin at u, and is
// shortened until the value falls. The method ends when a full step does not change the set of these points.
func (p *restricted) fitHinge(ctx context.Context, c *column) error {
	for l, d := range p.d {
		if d == 0 {
			c.u[l] = 0
		}
	}
	p.setCoordinates(c, c.u, p.functionValues(c.u))
	for t, step := 0.0, 0; step < 100; step++ {
		if isSame, err := p.updateViolators(ctx, c); err != nil {
			return err
		} else if isSame && t == 1 {
			break
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := p.factorize(c); err != nil {
			return err
		}
		u, f, value, newU := c.u, c.f, c.value, p.minimizer(c)
		newF := p.functionValues(newU)
		for t = 1; ; t /= 2 {
			if t < 1e-12 { // give up: if no point violates the margin, only steps of the order of λ reduce the value
				t = 0
			}
			p.setCoordinates(c, interpolate(u, newU, t), interpolate(f, newF, t))
			if t == 0 || c.value < value {
				break
			}
		}
		if t == 0 {
			break
		}
	}
	p.v.multiply(c.a, false, c.residuals)
	floats.Scale(1/p.lambda, c.a)
	p.value += c.value
	return nil
}

// interpolate returns (1 − t)a + tb.
func interpolate(a, b []float64, t float64) []float64 {
	result := slices.Clone(a)
	for i, v := range b {
		result[i] += t * (v - a[i])
	}
	return result
}

// updateViolators updates points, gram, sum and b of column to the points that violate the margin. It reports whether
// these are the same points as before.
func (p *restricted) updateViolators(ctx context.Context, c *column) (same bool, err error) {
	var points, added, removed []int
	violated := make([]bool, len(c.y))
	for _, i := range c.points {
		violated[i] = true
	}
	ones, y, mean := make([]float64, len(c.y)), make([]float64, len(c.y)), 0.0
	for i, r := range c.residuals {
		switch {
		case r != 0 && !violated[i]:
			added = append(added, i)
		case r == 0 && violated[i]:
			removed = append(removed, i)
		}
		if r != 0 {
			points, ones[i] = append(points, i), 1
			mean += c.y[i]
		}
	}
	if len(added)+len(removed) == 0 && len(c.sum) == len(c.u) {
		return true, nil
	}
	if len(added)+len(removed) > len(points) {
		c.gram.Zero()
		removed, added = nil, points
	}
	if err := p.v.addGram(ctx, c.gram, 0, -1, removed); err != nil {
		return false, err
	}
	if err := p.v.addGram(ctx, c.gram, 0, 1, added); err != nil {
		return false, err
	}
	count := math.Max(float64(len(points)), 1)
	for _, i := range points {
		y[i] = c.y[i] - mean/count
	}
	c.points, c.sum = points, make([]float64, len(c.u))
	p.v.multiply(c.sum, false, ones)
	floats.Scale(1/math.Sqrt(count), c.sum)
	p.v.multiply(c.b, false, y)
	return false, nil
}
