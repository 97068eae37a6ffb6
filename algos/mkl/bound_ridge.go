package mkl

import (
	"math"

	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/floats"
)

// ridgeDuality bounds min F for a family linear in θ and r(θ) = a‖θ−c‖² + k: sα is feasible for 0 ≤ s ≤ 1,
// and
//
//	min F ≥ s·Lin − ½s²Quad + min_Θ ( s²⟨∇J,θ⟩ + r(θ) ),
//
// the minimum at the projection θ* of c − s²∇J/2a. s is 1 unless less is better, as where a is small and
// little holds θ back: the right side is concave in s, and a dozen values find its top well enough. An error e of
// s²∇J changes it by at most ⟨|e|,|θ*|⟩ + ‖e‖²/4a, because ⟨∇J,·⟩ + r grows like a‖θ−θ*‖² about θ*, and at most by
// max_Θ ⟨|e|,|θ|⟩.
var ridgeDuality = argument{
	by: "duality",
	suits: func(p *Problem) bool {
		if !linear(p) {
			return false
		}
		_, ok := p.quadratics()
		return ok
	},
	lower: func(pt *Point) (float64, float64) {
		q, _ := pt.p.quadratics()
		pt.slopes(false, true)
		// at returns what θ* of s adds up to: the minimum, ⟨∇J,θ*⟩, and with errors the sizes of what is summed and
		// rounded, and what the error of s²∇J changes
		at := func(s float64, errors bool) sums {
			return pt.total(func(b part) sums {
				q, j, theta := q[b.i], pt.gradJPart(b), make([]float64, b.hi-b.lo)
				t := sums{b.best(theta, j, s*s, q), floats.Dot(j, theta)}
				if !errors {
					return t
				}
				size, bent := math.Abs(q.k), 0.0
				for i, e := range pt.errorPart(b) {
					v, c, g := theta[i], q.c[i], math.Abs(s*s*j[i])
					d, a := math.Abs(v-c), math.Abs(v)
					size += g*a + q.a*d*(d+a+math.Abs(c)+g/q.a)
					e *= s * s * (1 + 4*linalg.Epsilon)
					bent += e * a
					theta[i] = e
				}
				n := floats.Norm(theta, 2)
				t[2], t[3] = size, math.Min(bent+n*n/(4*q.a), set.SupportAbs(b.set, theta))
				return t
			})
		}
		value := func(s float64, t sums) float64 { return s*pt.Lin - s*s*pt.Quad/2 + t[0] }
		// the slope of the right side in s, by Danskin's theorem
		slope := func(s float64, t sums) float64 { return pt.Lin - s*pt.Quad + 2*s*t[1] }
		s, best := 1.0, at(1, true)
		if down := slope(1, best); down < -1e-6*(math.Abs(pt.Lin)+pt.Quad) {
			least := value(1, best)
			lo, up, hi := 0.0, pt.Lin, 1.0 // the slope is up at lo, down at hi
			for range 12 {
				t := lo + (hi-lo)*min(max(up/(up-down), 0.1), 0.9)
				now := at(t, false)
				if v := value(t, now); v > least {
					s, least = t, v
				}
				if d := slope(t, now); d > 0 {
					lo, up = t, d
				} else {
					hi, down = t, d
				}
			}
			if s < 1 {
				best = at(s, true)
			}
		}
		r := pt.rounding()
		// θ* is the projection to rounding, so its value may exceed the minimum a little
		err := s*r.lin + s*s*r.quad/2 + best[3] + float64(len(pt.Theta)+64)*linalg.Epsilon*best[2] +
			8*linalg.Epsilon*(s*math.Abs(pt.Lin)+s*s*pt.Quad)
		return value(s, best) - err, err
	},
}
