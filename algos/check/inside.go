package check

import (
	"math"
	"math/rand/v2"

	"github.com/mklnb/mkl/algos/mkl"

	"gonum.org/v1/gonum/floats"
)

// inside stores a random point of Θ in dst: between the set's start, where every coordinate can
// move, and the projection of a normal perturbation of it.
func inside(dst []float64, p *mkl.Problem, r *rand.Rand) {
	start := make([]float64, len(dst))
	p.Set.Start(start)
	scale := floats.Norm(start, math.Inf(1))
	for k, v := range start {
		dst[k] = v + scale*r.NormFloat64()
	}
	p.Set.Project(dst, dst)
	w := 0.1 + 0.8*r.Float64()
	floats.Scale(w, dst)
	floats.AddScaled(dst, 1-w, start)
}
