// Package set is Θ, the closed convex set that θ is chosen from, with its oracles: Euclidean
// projection and linear minimisation.
package set

import (
	"fmt"
	"math"
)

// Set is a closed convex set Θ ⊂ R^m. Symmetric matrices inside θ are stored whole, both
// triangles, so that ⟨·,·⟩ of vectors is that of Frobenius and mat.NewSymDense(n, θ) is a view.
type Set interface {
	// Validate says what is wrong with the set's parameters, or with them for m parameters θ.
	Validate(m int) error
	// Start stores where a run begins, every coordinate able to move: a ball's is
	// μ₀ + Λ/m^{1/q}·1, on its sphere, a simplex's its centre.
	Start(dst []float64)
	// Project stores the Euclidean projection of x. dst may be x.
	Project(dst, x []float64)
	// Minimize returns min_Θ ⟨g,θ⟩, −Inf if unbounded, and unless dst is nil stores where it
	// is attained (undefined if unbounded). dst may not be g.
	Minimize(dst, g []float64) float64
}

// Support returns max_Θ ⟨g,θ⟩ = −min_Θ ⟨−g,θ⟩, the support function of Θ: +Inf if unbounded.
func Support(s Set, g []float64) float64 {
	neg := make([]float64, len(g))
	for i, v := range g {
		neg[i] = -v
	}
	return -s.Minimize(nil, neg)
}

const badLength = "set: lengths differ"

func sameLength(dst, x []float64) {
	if len(dst) != len(x) {
		panic(badLength)
	}
}

// atLeastOne refuses m < 1.
func atLeastOne(what string, m int) error {
	if m < 1 {
		return fmt.Errorf("set: %s of %d parameters, want at least 1", what, m)
	}
	return nil
}

// positive reports whether v is a finite number > 0.
func positive(v float64) bool { return v > 0 && !math.IsInf(v, 1) }
