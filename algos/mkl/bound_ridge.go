package mkl

import (
	"math"

	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/floats"
)

// ridgeDuality bounds min F for a family linear in θ and r(θ) = a‖θ−c‖² + k. sα is feasible for 0 ≤ s ≤ 1, and
//
//	min F ≥ s·Linear − ½s²Quadratic + min_Θ ( s²⟨∇J,θ⟩ + r(θ) ).
//
// The projection θ* of c − s²∇J/2a attains the minimum. s is 1 unless a smaller s gives a better bound, as it may if a
// is small and θ is hardly restricted. The right side is concave in s, and a dozen values of s find its maximum well
// enough. An error e of s²∇J changes the minimum by at most ⟨|e|,|θ*|⟩ + ‖e‖²/4a, because s²⟨∇J,·⟩ + r grows like
// a‖θ−θ*‖² about θ*, and by at most max_Θ ⟨|e|,|θ|⟩.
var ridgeDuality = argument{
	by: "duality",
	suits: func(p *Problem) bool {
		if !isLinear(p) {
			return false
		}
		_, ok := p.quadratic()
		return ok
	},
	lower: func(pt *Point) (float64, float64) {
		q, _ := pt.p.quadratic()
		g, theta := pt.GradJ(), make([]float64, len(pt.Theta))
		// at stores θ* for s in theta. It returns the right side and its slope in s, by Danskin's theorem.
		at := func(s float64) (value, slope float64) {
			least := pt.p.minimize(theta, g, s*s, q)
			return s*pt.Linear - s*s*pt.Quadratic/2 + least, pt.Linear - s*pt.Quadratic + 2*s*floats.Dot(g, theta)
		}
		s := 1.0
		value, slope := at(s)
		if slope < -1e-6*(math.Abs(pt.Linear)+pt.Quadratic) {
			lo, up, hi, down := 0.0, pt.Linear, s, slope // the slope is up > 0 at lo and down < 0 at hi
			for range 12 {
				t := lo + (hi-lo)*min(max(up/(up-down), 0.1), 0.9)
				v, d := at(t)
				if v > value {
					s, value = t, v
				}
				if d > 0 {
					lo, up = t, d
				} else {
					hi, down = t, d
				}
			}
			value, _ = at(s)
		}
		r := pt.rounding()
		// θ* is the projection only up to rounding, so its value may be slightly above the minimum
		bent, size := pt.bend(q, g, theta, s*s)
		err := s*r.lin + s*s*r.quad/2 + bent + linalg.Gamma(len(theta)+64)*size +
			linalg.Gamma(8)*(s*math.Abs(pt.Linear)+s*s*pt.Quadratic)
		return value - err, err
	},
}

// bend returns a bound of the change that the error of t∇J causes in the minimum at θ*, and the sum of the sizes of the
// terms of this minimum.
func (pt *Point) bend(q quadratics, g, theta []float64, t float64) (bent, size float64) {
	n, of := len(theta)/len(q), pt.p.Set
	if len(q) > 1 {
		of = of.Traits().Factor
	}
	lost, e := pt.gradError(), make([]float64, n)
	for i, r := range q {
		along := 0.0
		size += math.Abs(r.K)
		for k, c := range r.C {
			e[k] = t * (1 + linalg.Gamma(4)) * lost[i*n+k]
			v, slope := theta[i*n+k], math.Abs(t*g[i*n+k])
			d, a := math.Abs(v-c), math.Abs(v)
			size += slope*a + r.A*d*(d+a+math.Abs(c)+slope/r.A)
			along += e[k] * a
		}
		norm := floats.Norm(e, 2)
		bent += math.Min(along+norm*norm/(4*r.A), set.SupportAbs(of, e))
	}
	return bent, size
}
