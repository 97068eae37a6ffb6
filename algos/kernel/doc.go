// Package kernel defines the map θ ↦ K(θ) and its derivatives: base kernels, and families that combine them.
//
// A Family is plain data. Bind binds it to n points and returns Grams, which is read-only, so that many runs can share
// it. New starts a Gram: K(θ) at one θ with its derivatives and all scratch memory. A Gram belongs to one run.
//
//	grams := kernel.Features{Degree: 2}.Bind(x)
//	if err := grams.Validate(); err != nil { … }
//	g := grams.New()
//	g.SetTheta(theta)
//	g.Gradient(dst, w) // dst[k] = wᵀ(∂K/∂θ_k)w
//
// # Families
//
//	List      Σ_k θ_k k_k                        base kernels without preprocessing
//	Sum       (Σ_k θ_k k̃_k)^d, d = 1 … 4         base kernels, centered and normalized, of preprocessed points
//	Features  (Σ_k θ_k x_kx_kᵀ)^{∘d}, d = 1 … 4  one rank-one kernel per feature, never formed
//	Monomials Σ_e c_e(θ) Π_i k_i^{e_i}           products of base kernels; c_e is one θ_k or a product
//	Gaussians Π_k exp(−θ_k(x_k−z_k)²)            one Gaussian per feature; not a polynomial in θ
//
// Package tessellated has another family, θ = vec P with P ⪰ 0. Package blocks has sums of several families, each with
// separate parameters, and kernels with given eigenvectors, in which the eigenvalues are the parameters.
//
// The power acts on each entry of K. For all families above but Gaussians, if θ ≥ 0, then K(θ) is positive
// semidefinite, and so is each of its coefficients as a polynomial in θ (Schur's product theorem). Grams.Degree lists
// the properties that certificates use, also for families with another domain. The optimal value J(θ) of a loss on K(θ)
// is convex in θ for d = 1. For d ≤ q, it is convex in t_k = (θ_k − μ₀_k)^q on a q-norm ball about μ₀ ≥ 0.
//
// # Positive semidefinite up to rounding
//
// A matrix of rounded numbers can have eigenvalues as low as −ε times its trace, ε = 2⁻⁵². In the dual problem of a
// support vector machine with a large C, dual coefficients along such an eigenvector could change J by up to C² times
// the eigenvalue, and no bound on J would hold. Therefore Sum stores K_k + δ_kI. The number δ_k is 1e-14 to 1e-13 times
// the trace of K_k. For a Precomputed kernel, δ_k is found by Cholesky factorizations, and is at most about 1e-10 of
// the largest diagonal entry. For a product of kernels it follows from the factors.
//
// Learning and certificates refer to the stored matrices. mkl.Certificate bounds the increase of the objective with the
// original K_k. δ_k changes only the kernel of a point with itself. Predictions do not include it: a prediction of
// f(x_i) omits δ_kθ_kw_i. Features needs no δ: X diag(θ) Xᵀ is positive semidefinite for any stored points X.
//
// # Fitted quantities
//
// Preprocessing (shifts and scales of features), Center (the mean in feature space) and MeanDiagonal are fitted to the
// points that the family is bound to. Cross applies exactly this fit to new points. Slice(rows) fits again to x[rows],
// and Block(rows, cols) to x[cols] alone, so that a fold of a cross-validation does not use the points of other folds.
// FreezeFit returns the family (Sum, Features) with the fit, which is the same kernel on any points. A model can then
// store only its support vectors. Center needs all points.
//
// # K(θ) and optional interfaces
//
// Gram.K returns a Matrix. It computes products with vectors and its diagonal, whether the Gram stores K in full, as a
// product ΦΦᵀ, or not at all. Package loss computes the dual coefficients w from a Matrix.
//
//	SecondOrder   second derivatives in θ, and the quadratic form of degree 2
//	Blocked       a sum of several matrices, with weights that the loss sets
//	ErrorBounded  bounds on rounding errors, and evaluation in double-double arithmetic
//	Swept         products with the base matrices without storing them
//
// A Gram, and for Swept the Grams, implements one of them only if it can compute its results; callers detect it by type
// assertion. Other methods of Grams have a default in Defaults. Package kerneltest tests each method that a family has.
//
// # Range and files
//
// Features and kernel values must have magnitudes from 1e-100 to 1e100; otherwise Validate returns an error. Package
// registry stores families and kernels in files.
package kernel
