// Package kernel defines the map θ ↦ K(θ) and its derivatives: base kernels, and families that combine them.
//
// A Family is plain data. On binds it to n points and returns Grams, which is read-only, so that many runs can share
// it. New starts a Gram: K(θ) at one θ with its derivatives and all scratch memory. A Gram belongs to one run.
//
//	grams := kernel.Features{Degree: 2}.On(x)
//	if err := grams.Validate(); err != nil { … }
//	g := grams.New()
//	g.At(theta)
//	g.Gradient(dst, w) // dst[k] = wᵀ(∂K/∂θ_k)w
//
// # Families
//
//	List      Σ_k θ_k k_k                        base kernels without preprocessing
//	Sum       (Σ_k θ_k k̃_k)^d, d = 1 … 4         base kernels, centered and normalized, of preprocessed points
//	Features  (Σ_k θ_k x_kx_kᵀ)^{∘d}, d = 1 … 4  one rank-one kernel per feature, never formed
//	Monomials Σ_e c_e(θ) Π_i k_i^{e_i}           products of base kernels, tied or free
//	Spectra   Σ_i c_i V_i diag(μ_i) V_iᵀ         given eigenvectors; the eigenvalues are parameters
//	Blocks    Σ_i c_i K_i(θ_i)                   several families, weighted by a block norm
//	Gaussians Π_k exp(−θ_k(x_k−z_k)²)            one Gaussian per feature; not a polynomial in θ
//
// Package tessellated has another family, θ = vec P with P ⪰ 0.
//
// The power acts on each entry of K. For all families above but Gaussians, if θ ≥ 0, then K(θ) is positive
// semidefinite, and so is each of its coefficients as a polynomial in θ (Schur's product theorem). Grams.Degree
// documents what certificates use of this, also for families with another domain. J is convex in θ for d = 1. For d ≤
// q, J is convex in t = (θ − μ₀)^q on a q-norm ball about μ₀ ≥ 0.
//
// # Positive semidefinite up to rounding
//
// A matrix of rounded numbers can have eigenvalues as low as −ε times its trace. A support vector machine with a large
// C would gain C² times their size along their eigenvectors, and no bound on its J would hold. Therefore Sum stores
// K_k + δ_kI. The bound δ_k is 1e-14 to 1e-13 times the trace of K_k. For a Precomputed kernel, δ is measured, and is
// at most 1e-10 of the largest entry. For a product of kernels it follows from the factors.
//
// Learning and certificates refer to the stored matrices. mkl.Certificate bounds how much larger F of the original K_k
// can be. δ_k changes only the kernel of a point with itself. Predictions do not apply it: a prediction of f(x_i) omits
// δ_kθ_kw_i. Features needs no δ, because it is computed from its factor.
//
// # Fitted quantities
//
// Preprocessing (shifts and scales of features), Centre (the mean in feature space) and MeanDiagonal are fitted to the
// points that the family is bound to. Cross applies exactly this fit to new points. Slice and Block fit again to their
// own rows, so that no fold sees another fold. Freeze writes the fit into the family (Sum, Features), which is then the
// same kernel on any points: a model can then store its support vectors only. Centre needs all points.
//
// # K(θ) and optional interfaces
//
// Gram.K returns a Matrix. It multiplies, and returns its diagonal and its entries, whether the Gram stores them in
// full, packed, as a product ΦΦᵀ, or not at all. Package loss solves with a Matrix.
//
//	SecondOrder   second derivatives in θ, and the quadratic form of degree 2
//	Blocked       several matrices with weights that the loss sets
//	ErrorBounded  bounds on rounding errors, and evaluation in double-double arithmetic
//	Sweep         passes over the base matrices that store none of them (Grams.Sweep)
//
// A Gram has the first three only if it can compute them; callers detect them by type assertion. Every other ability is
// a method of Grams with a default in Defaults. Package kerneltest tests each method that a family has.
//
// # Range and files
//
// Features and kernel values have magnitudes from 1e-100 to 1e100; Validate refuses others. Package registry stores
// families and kernels in files.
package kernel
