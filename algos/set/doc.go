// Package set defines closed convex sets Θ of parameters θ, with Euclidean projection and linear minimization.
//
//	set          Θ                                        use it for
//	Simplex      θ ≥ 0, Σθ = Sum                          sparse weights with a fixed sum
//	Ball         θ ≥ 0, ‖θ − Center‖_q ≤ Radius           weights near a center; q = 1 sparse, q = 2 dense
//	Orthant      θ ≥ 0                                    with a regularizer, which bounds θ
//	PSD          symmetric P ⪰ 0                          with a regularizer, which bounds P
//	Spectraplex  symmetric P ⪰ 0, tr P = Trace            matrices with a fixed trace
//	Product      Factor × … × Factor                      several matrices or eigenvalue vectors
//
// Each set projects and minimizes:
//
//	b := set.Ball{Q: 1, Radius: 1}
//	b.Project(theta, x)           // theta is the point of Θ nearest to x
//	least := b.Minimize(theta, g) // theta is a minimizer of ⟨g,θ⟩ over Θ, least the minimum
//
// A symmetric n×n matrix is stored as θ = vec P of length n², both triangles. Then the inner product of vectors is the
// Frobenius inner product of matrices.
//
// If a weight of a sum of kernels grows, J does not. Without a regularizer the minimum is therefore at the upper
// boundary of Θ: in a box it would be the upper corner.
//
// The types are plain values. One value can serve many runs at once, and package registry stores it. To add a set,
// follow .github/CONTRIBUTING.md. Package settest checks the set.
package set
