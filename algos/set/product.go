package set

import (
	"fmt"
	"math"

	"github.com/mklnb/mkl/algos/linalg"

	"gonum.org/v1/gonum/floats"
)

// Product is Factor × … × Factor, Count times, on θ = (θ_1, …, θ_Count) with parts of equal lengths. It is the set of
// several matrices or several spectra at once. The parts are processed in parallel.
type Product struct {
	Factor Mirror // bounded: Simplex or Spectraplex
	Count  int    // ≥ 1
}

var _ Mirror = Product{}

// Traits reports the factor and the number of factors.
func (s Product) Traits() Traits {
	if s.Factor == nil { // a nil Factor must not panic here; Validate rejects it
		return Traits{}
	}
	return Traits{Nonnegative: s.Factor.Traits().Nonnegative, Factor: s.Factor, FactorCount: s.Count}
}

// Validate requires Factor, Count ≥ 1 that divides m, and a Factor that is valid for m/Count parameters.
func (s Product) Validate(m int) error {
	switch {
	case s.Factor == nil || s.Count < 1:
		return fmt.Errorf("set: product of %d factors of type %T; set Factor, and Count to at least 1", s.Count,
			s.Factor)
	case m < 1 || m%s.Count != 0:
		return fmt.Errorf("set: product of %d factors on %d parameters; use a multiple of %[1]d parameters", s.Count, m)
	}
	return s.Factor.Validate(m / s.Count)
}

// forEachPart calls processPart in parallel for each part, whose coordinates are start:end.
func (s Product) forEachPart(m int, processPart func(part, start, end int)) {
	m /= s.Count
	linalg.ThreadLimit(0).Run(s.Count, func(i int) { processPart(i, i*m, (i+1)*m) })
}

func (s Product) sumOverParts(m int, valueOfPart func(start, end int) float64) float64 {
	v := make([]float64, s.Count)
	s.forEachPart(m, func(i, lo, hi int) { v[i] = valueOfPart(lo, hi) })
	return floats.Sum(v)
}

// Start stores the start of Factor in every part.
func (s Product) Start(dst []float64) {
	s.forEachPart(len(dst), func(_, lo, hi int) { s.Factor.Start(dst[lo:hi]) })
}

// Project projects every part.
func (s Product) Project(dst, x []float64) {
	requireSameLength(dst, x)
	s.forEachPart(len(x), func(_, lo, hi int) { s.Factor.Project(dst[lo:hi], x[lo:hi]) })
}

// Minimize returns min_Θ ⟨g,θ⟩: the sum of the minima of the parts. It stores a minimizer in dst unless dst is nil.
func (s Product) Minimize(dst, g []float64) (minimum float64) {
	if dst == nil {
		dst = make([]float64, len(g))
	}
	requireSameLength(dst, g)
	return s.sumOverParts(len(g), func(lo, hi int) float64 { return s.Factor.Minimize(dst[lo:hi], g[lo:hi]) })
}

// Mirror stores argmin_Θ ⟨g,θ⟩ + ψ(θ) in dst, part by part, because the entropy ψ of θ is the sum of the entropies of
// its parts. It returns min_Θ ⟨g,·⟩.
func (s Product) Mirror(dst, g []float64) (minimum float64) {
	requireSameLength(dst, g)
	return s.sumOverParts(len(g), func(lo, hi int) float64 { return s.Factor.Mirror(dst[lo:hi], g[lo:hi]) })
}

// StepScale returns √(2M log n)/√(Σ_i h_i²) and min_Θ ⟨g,·⟩ for M parts, where n is the number of entries or
// eigenvalues of g in a part, and h_i is half of their range in part i. Theorem 3.2 of Kundu et al. has a step that is
// shorter by the factor √M; its proof holds without this factor.
func (s Product) StepScale(g []float64) (scale, minimum float64) {
	scales := make([]float64, s.Count)
	minimum = s.sumOverParts(len(g), func(lo, hi int) (v float64) {
		scales[lo/(hi-lo)], v = s.Factor.StepScale(g[lo:hi])
		return v
	})
	if len(scales) == 1 {
		return scales[0], minimum
	}
	inverseSquareSum := 0.0
	for _, r := range scales {
		inverseSquareSum += 1 / (r * r)
	}
	return math.Sqrt(float64(len(scales)) / inverseSquareSum), minimum
}

// Contains reports whether every part of θ is in the set Factor.
func (s Product) Contains(theta []float64) bool {
	return s.sumOverParts(len(theta), func(lo, hi int) float64 {
		if s.Factor.Contains(theta[lo:hi]) {
			return 1
		}
		return 0
	}) == float64(s.Count)
}
