// Package set is Θ, the closed convex set that θ is chosen from, with its oracles: Euclidean
// projection and linear minimisation.
package set

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
