// Package kernel is the map θ ↦ K(θ) and its derivatives: points, base kernels, and the families
// built of them.
//
// A Family is plain data. On binds it to n points; the Grams that comes back is read-only, so any
// number of runs share it. New starts a Gram, K(θ) at one θ with its derivatives and all scratch,
// which belongs to one run:
//
//	grams := kernel.Features{Degree: 2}.On(x)
//	if err := grams.Validate(); err != nil { … }
//	g := grams.New()
//	g.At(theta)
//	g.Gradient(dst, w) // dst[k] = wᵀ(∂K/∂θ_k)w
//
// # Families
//
//	List      Σ_k θ_k k_k                        base kernels as they are
//	Sum       (Σ_k θ_k k̃_k)^d, d = 1 … 4         prepared, centred, normalised
//	Features  (Σ_k θ_k x_kx_kᵀ)^{∘d}, d = 1 … 4  one rank-one kernel a feature, never built
//	Monomials Σ_e c_e(θ) Π_i k_i^{e_i}           products of base kernels, tied or free
//	Spectra   Σ_i c_i V_i diag(μ_i) V_iᵀ         given eigenvectors, eigenvalues as parameters
//	Blocks    Σ_i c_i K_i(θ_i)                   several families, weighed by a block norm
//	Gaussians Π_k exp(−θ_k(x_k−z_k)²)            one Gaussian a feature; no polynomial in θ
//
// Package tessellated has one of its own, θ = vec P with P ⪰ 0.
//
// The power is elementwise on K. Of all but Gaussians, with θ ≥ 0 every K(θ) is positive semidefinite, and so is every
// coefficient of it as a polynomial in θ (Schur's product theorem); Grams.Degree says what is used of that,
// and what of families with another domain. J is convex in θ for d = 1; for d ≤ q it is convex in
// t = (θ − μ₀)^q on a q-norm ball about μ₀ ≥ 0.
//
// # Positive semidefinite for certain
//
// A matrix of numbers that are rounded has eigenvalues as low as −ε times its trace, and a support
// vector machine with a large C would win C² times as much along them: no bound of its J would hold.
// So Sum stores K_k + δ_kI, δ_k a bound of that, 1e-14 to 1e-13 times the trace of K_k; of Precomputed the
// δ that it was measured to want, 1e-10 of the largest entry at most; of products of kernels what their
// factors want. What is learned and certified is learned and certified of these matrices; how much F of the K_k may be
// larger, mkl.Certificate says (Lift). Predictions know nothing of δ_k, which is the kernel of a point with itself:
// where f(x_i) is predicted, δ_kθ_kw_i is left out. Features needs no δ: it is made of its factor.
//
// # What is fitted
//
// Prepare (scales and centres of features), Centre (feature-space mean) and MeanDiagonal are
// fitted to the points that the family is bound to. New points, by Cross, get exactly that fit;
// Slice and Block learn it again of their own rows alone, so that no fold sees another. Freeze (Sum,
// Features) writes the fit into the family, which then is the same kernel on any points: a model keeps
// its support vectors alone that way. Centre needs all points.
//
// # Optional methods
//
// What more a Grams or a Gram can do is asked by type assertion; kernel.go declares it all. A value
// has a method only if the method works for it: the Gram of degree 2 is Quadratic, those of other
// degrees are not. Package kerneltest calls every method that a family claims.
//
// # Points
//
// Rows are dense, Sparse are compressed rows, Places are rows of a precomputed matrix, Related are new points given
// by their kernel values with those, and Sequences are texts of letters; other packages bring other kinds. What asks
// for features asks for Featured.
//
// # Files
//
// Families, kernels and points are kept in files by package registry.
package kernel
