package loss

import (
	"math"

	"github.com/mklnb/mkl/algos/linalg"

	"gonum.org/v1/gonum/floats"
)

// unsaid is the accuracy of the entries of a Gram that does not say it: a few operations.
const unsaid = 16 * linalg.Epsilon

// magnitude stores √K_ii in s.root and returns c with |fl(Kw)_i − (K(θ)w)_i| ≤ c √K_ii Σ_j √K_jj|w_j|,
// δ with K(θ) + δI positive semidefinite, and by how much K(θ) was lifted.
func (s *Solution) magnitude(g Gram) (c, shift, lift float64) {
	diag, columns := Diagonal(s.root, g, len(s.W))
	c = float64(len(diag)+columns+4) * linalg.Epsilon
	u := unsaid
	if a, ok := g.(Accurate); ok {
		u, shift, lift = a.Accuracy()
	} else {
		shift = u * floats.Sum(diag)
	}
	for i, v := range diag {
		diag[i] = math.Sqrt(v + shift)
	}
	s.root = diag
	return c + u, shift, lift
}

// Diagonal stores K_ii, n of them and none below 0, in dst or in new storage, without forming K where it
// has a root; columns is then the number of the root's, else 0.
func Diagonal(dst []float64, g Gram, n int) (diag []float64, columns int) {
	diag = resize(dst, n)
	k, place := within(g)
	if r, ok := g.(Rooted); ok && place == nil {
		if phi := r.Root(); phi != nil {
			_, columns = phi.Dims()
			for i := range diag {
				row := phi.RawRowView(i)
				diag[i] = floats.Dot(row, row)
			}
			return diag, columns
		}
	}
	if place == nil {
		k = upper(g, n)
	}
	for i := range diag {
		p := i
		if place != nil {
			p = place[i]
		}
		diag[i] = math.Max(k.at(p, p), 0)
	}
	return diag, 0
}
