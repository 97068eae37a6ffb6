package loss

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// Epsilon is the distance from 1 to the next float64, twice the rounding error of one operation:
// with it, n·Epsilon also covers terms of second order.
const Epsilon = 0x1p-52

// unsaid is the accuracy of the entries of a Gram that does not say it: a few operations.
const unsaid = 16 * Epsilon

// magnitude stores √K_ii in s.root and returns c with |fl(Kw)_i − (K(θ)w)_i| ≤ c √K_ii Σ_j √K_jj|w_j|, and
// δ with K(θ) + δI positive semidefinite.
func (s *Solution) magnitude(g Gram) (c, shift float64) {
	n := len(s.W)
	s.root = resize(s.root, n)
	c = float64(n+4) * Epsilon
	trace, done := 0.0, false
	if r, ok := g.(Rooted); ok {
		if phi := r.Root(); phi != nil {
			_, cols := phi.Dims()
			c += float64(cols) * Epsilon
			for i := range s.root {
				row := phi.RawRowView(i)
				s.root[i] = floats.Dot(row, row)
			}
			done = true
		}
	}
	if !done {
		k := g.K()
		for i := range s.root {
			s.root[i] = math.Max(k.At(i, i), 0)
		}
	}
	u := unsaid
	trace = floats.Sum(s.root)
	if a, ok := g.(Accurate); ok {
		u, shift = a.Accuracy()
	} else {
		shift = u * trace
	}
	for i, v := range s.root {
		s.root[i] = math.Sqrt(v + shift)
	}
	return c + u, shift
}
