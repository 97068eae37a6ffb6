package loss

import (
	"math"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"

	"gonum.org/v1/gonum/floats"
)

// accuracy returns the bounds of K. If K has none, it estimates them from the given diagonal, with 16 operations for
// each entry.
func accuracy(k *kernel.Matrix, diag []float64) (entries, shift, lift float64) {
	if entries, shift, lift, ok := k.Bounds(); ok {
		return entries, shift, lift
	}
	u := linalg.Gamma(16)
	return u, u * floats.Sum(diag), 0
}

// magnitude stores √(K_ii + δ) in s.root. It returns c with |fl(Kw)_i − (K(θ)w)_i| ≤ c √K_ii Σ_j √K_jj|w_j|, with the
// stored roots for √K_ii; shift, a δ ≥ 0 for which K(θ) + δI is positive semidefinite; and lift, an upper bound of the
// diagonal shift that K(θ) contains.
func (s *Solution) magnitude(k *kernel.Matrix) (c, shift, lift float64) {
	s.root = resize(s.root, len(s.W))
	rank := k.Diagonal(s.root)
	u, shift, lift := accuracy(k, s.root)
	for i, v := range s.root {
		s.root[i] = math.Sqrt(v + shift)
	}
	return linalg.Gamma(len(s.root)+rank+4) + u, shift, lift
}
