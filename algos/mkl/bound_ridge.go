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
// little holds θ back: the right side is concave in s, and a dozen values find its top well enough. An error e of s²∇J changes it by at most
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
		// the slope of the right side in s, by Danskin's theorem: at is θ* of that s
		slope := func(s float64) float64 { return pt.Lin - s*pt.Quad + 2*s*floats.Dot(pt.GradJ(), at) }
		s, least := 1.0, value(1)
		if down := slope(1); down < -1e-6*(math.Abs(pt.Lin)+pt.Quad) {
			lo, up, hi := 0.0, pt.Lin, 1.0 // the slope is up at lo, down at hi
			for range 12 {
				t := lo + (hi-lo)*min(max(up/(up-down), 0.1), 0.9)
				if v := value(t); v > least {
					s, least = t, v
				}
				if d := slope(t); d > 0 {
					lo, up = t, d
				} else {
					hi, down = t, d
				}
			}
			least = value(s) // at is that of s again
		}
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
