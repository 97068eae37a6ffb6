// Package kernel defines base kernels k(x,z), and families that combine them with weights θ to a kernel matrix K(θ) and
// its derivatives. Package mkl learns θ. A family and a list of base kernels is what learn.WithFamily, fit.Search and
// mkl.Problem need:
//
//	f := kernel.Sum{Kernels: kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 0.1}}, Normalize: kernel.MeanDiagonal}
//	l, err := learn.Learn(ctx, d, learn.WithFamily(f))
//
// # Base kernels
//
//	Linear       ⟨x,z⟩
//	Polynomial   (γ⟨x,z⟩ + c)^p
//	RBF          exp(−γ‖x−z‖²), of all features or of some (Columns)
//	Laplacian    exp(−γ‖x−z‖₁)
//	Precomputed  a given n×n matrix; the points are points.Indices of its rows
//	OnPart       a base kernel on one part of points that have several, such as features and a sequence
//
// SimpleMKLKernels returns the list of Gaussians and polynomials of the experiments of SimpleMKL.
//
// words.Spectrum is a kernel of sequences, and similarity.RepairedKernel one of similarities. To add one, implement
// Kernel.
//
// # Families
//
//	List      Σ_k θ_k k_k                        base kernels without preprocessing
//	Sum       (Σ_k θ_k k̃_k)^d, d = 1 … 4         base kernels; Prepare, Center and Normalize change k to k̃
//	Features  (Σ_k θ_k x_kx_kᵀ)^{∘d}, d = 1 … 4  one rank-one kernel per feature, never formed
//	Monomials Σ_e c_e(θ) Π_i k_i^{e_i}           products of base kernels; c_e is one θ_k or a product
//	Gaussians Π_k exp(−θ_k(x_k−z_k)²)            one Gaussian per feature; not a polynomial in θ
//
// Package tessellated has another family, θ = vec P with P ⪰ 0. Package blocks has sums of several families, each with
// separate parameters, and kernels with given eigenvectors, in which the eigenvalues are the parameters.
//
// The power acts on each entry of K. For all families above but Gaussians, if θ ≥ 0, then K(θ) is positive
// semidefinite, and so is each of its coefficients as a polynomial in θ (Schur's product theorem). The optimal value
// J(θ) of a loss on K(θ) is convex in θ for d = 1. For d ≤ q, it is convex in t_k = (θ_k − μ₀_k)^q on a q-norm ball
// about μ₀ ≥ 0.
//
// # K(θ) by hand
//
// A Family is plain data. Bind binds it to n points and returns Grams, which is read-only, so that many runs can share
// it. New starts a Gram: K(θ) at one θ with its derivatives and all scratch memory. A Gram belongs to one run. K
// returns a Matrix, which is a mat.Symmetric.
//
//	grams := kernel.Features{Degree: 2}.Bind(x)
//	if err := grams.Validate(); err != nil { … }
//	g := grams.New()
//	g.SetTheta(theta)
//	g.Gradient(dst, w) // dst[k] = wᵀ(∂K/∂θ_k)w
//	g.K().At(0, 1)
//
// # Positive semidefinite up to rounding
//
// A matrix of rounded numbers can have slightly negative eigenvalues, with which no bound on J would hold for a large
// C. Therefore Sum stores K_k + δ_kI. The number δ_k is 1e-14 to 1e-13 times the trace of K_k. For a Precomputed
// kernel, δ_k is found by Cholesky factorizations, and is at most about 1e-10 of the largest diagonal entry. For a
// product of kernels it follows from the factors.
//
// Learning and certificates refer to the stored matrices. mkl.Certificate bounds the increase of the objective with the
// original K_k. δ_k changes only the kernel of a point with itself. Predictions do not include it: a prediction of
// f(x_i) omits δ_kθ_kw_i.
//
// # Fitted quantities
//
// Preprocessing (shifts and scales of features), Center (the mean in feature space) and MeanDiagonal are fitted to the
// points that the family is bound to. Cross applies exactly this fit to new points. Slice(rows) fits again to x[rows],
// and Block(rows, cols) to x[cols] alone, so that a fold of a cross-validation does not use the points of other folds.
// FreezeFit returns the family (Sum, Features) with the fit, which is the same kernel on any points. A model can then
// store only its support vectors. Center needs all points.
//
// # Range
//
// Features and kernel values must have magnitudes from 1e-100 to 1e100; otherwise Validate returns an error.
//
// # A family or kernel of your own
//
// .github/CONTRIBUTING.md has a guide, package kerneltest tests a family, and package registry stores it in files.
// Defaults has the methods of Grams that most families need not change. A Gram, and for Swept the Grams, implements one
// of the following interfaces only if it can compute its results. Callers detect it by type assertion.
//
//	SecondOrder   second derivatives in θ, and the quadratic form of degree 2
//	Blocked       a sum of several matrices, with weights that the loss sets
//	ErrorBounded  bounds on rounding errors, and evaluation in double-double arithmetic
//	Swept         products with the base matrices without storing them
//	Mixed, RankOneMixed   K at combinations of other θ, without reading the base matrices
//	Fitted, Freezer, Shifted, Validated, NewPointChecker   extend Kernel: see each
package kernel
