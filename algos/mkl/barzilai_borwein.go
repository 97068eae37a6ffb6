package mkl

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// barzilaiBorwein remembers the last point of a run and gives the step length of Barzilai and Borwein,
// sᵀs/sᵀz with s = θ − θ₋, z = ∇F(θ) − ∇F(θ₋).
type barzilaiBorwein struct{ theta, grad []float64 }

// length returns the step, or 0 where sᵀz ≤ 0 (no curvature seen) or there is no last point, and
// remembers the point of it.
func (s *barzilaiBorwein) length(it *Iterate) float64 {
	g, step := it.Grad(), 0.0
	if s.theta != nil {
		ss, sz := 0.0, 0.0
		for i := range g {
			d := it.Theta[i] - s.theta[i]
			ss += d * d
			sz += d * (g[i] - s.grad[i])
		}
		if sz > 0 {
			step = ss / sz
		}
	}
	s.theta, s.grad = append(s.theta[:0], it.Theta...), append(s.grad[:0], g...)
	return step
}

// rough is a first step length where no curvature is known: as far as θ is from 0.
func rough(it *Iterate) float64 {
	n := floats.Norm(it.Grad(), 2)
	if n == 0 {
		return 1
	}
	return math.Max(floats.Norm(it.Theta, 2), 1e-3) / n
}
