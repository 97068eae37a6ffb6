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
// little holds θ back (looked for where θ is not large): the right side is concave in s. An error e of s²∇J changes it by at most
// ⟨|e|,|θ*|⟩ + ‖e‖²/4a, because ⟨∇J,·⟩ + r grows like a‖θ−θ*‖² about θ*, and at most by
// max_Θ ⟨|e|,|θ|⟩.
var ridgeDuality = argument{
	by: "duality",
	suits: func(p *Problem) bool {
		_, _, _, ok := p.quadratic()
		return linear(p) && ok
	},
	lower: func(pt *Point) (float64, float64) {
		a, c, k, _ := pt.p.quadratic()
		g, e, at := make([]float64, len(pt.Theta)), make([]float64, len(pt.Theta)), make([]float64, len(pt.Theta))
		value := func(s float64) float64 {
			floats.ScaleTo(g, s*s, pt.GradJ())
			return s*pt.Lin - s*s*pt.Quad/2 + pt.p.best(at, g, a, c, k)
		}
		s, least := 1.0, value(1)
		if len(at) <= largestForm && value(0.999) > least { // of large matrices each s costs a decomposition
			lo, hi := 0.0, 1.0
			for range 60 {
				if u, v := lo+(hi-lo)*0.4, lo+(hi-lo)*0.6; value(u) < value(v) {
					lo = u
				} else {
					hi = v
				}
			}
			s = lo
		}
		least = value(s)
		floats.ScaleTo(e, s*s*(1+4*linalg.Epsilon), pt.gradError())
		size, bent, diff := math.Abs(k), 0.0, 0.0
		for i, v := range at {
			d := math.Abs(v - c[i])
			size += math.Abs(g[i]*v) + a*d*d
			bent += e[i] * math.Abs(v)
			diff += a * d * (math.Abs(v) + math.Abs(c[i]) + math.Abs(g[i])/a)
		}
		n := floats.Norm(e, 2)
		r := pt.rounding()
		// at is the projection to rounding, so its value may exceed the minimum a little
		change := math.Min(bent+n*n/(4*a), set.SupportAbs(pt.p.Set, e))
		err := s*r.lin + s*s*r.quad/2 + change + float64(len(at)+64)*linalg.Epsilon*(size+diff) + 8*linalg.Epsilon*(s*math.Abs(pt.Lin)+s*s*pt.Quad)
		return least - err, err
	},
}
