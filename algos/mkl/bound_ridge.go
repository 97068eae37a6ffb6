package mkl

import (
	"math"

	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/floats"
)

// ridgeDuality bounds min F for a family linear in θ and r(θ) = a‖θ−c‖² + k:
//
//	min F ≥ Lin − ½Quad + min_Θ ( ⟨∇J,θ⟩ + r(θ) ),
//
// the minimum at the projection θ* of c − ∇J/2a. An error e of ∇J changes it by at most
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
		g, at := pt.GradJ(), make([]float64, len(pt.Theta))
		least := pt.p.best(at, g, a, c, k)
		size, e, diff := math.Abs(k), 0.0, 0.0
		for i, v := range at {
			d := math.Abs(v - c[i])
			size += math.Abs(g[i]*v) + a*d*d
			e += pt.gradError()[i] * math.Abs(v)
			diff += a * d * (math.Abs(v) + math.Abs(c[i]) + math.Abs(g[i])/a)
		}
		n := floats.Norm(pt.gradError(), 2)
		r := pt.rounding()
		// at is the projection to rounding, so its value may exceed the minimum a little
		change := math.Min(e+n*n/(4*a), set.SupportAbs(pt.p.Set, pt.gradError()))
		err := r.lin + r.quad/2 + change + float64(len(at)+64)*linalg.Epsilon*(size+diff) + 8*linalg.Epsilon*(pt.Lin+pt.Quad)
		return pt.Lin - pt.Quad/2 + least - err, err
	},
}
