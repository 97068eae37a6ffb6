// Package mkl learns a kernel: it minimises
//
//	F(θ) = J(θ) + r(θ) over θ ∈ Θ,   J(θ) = max_{α ∈ A}  D(α) − ½ w(α)ᵀ K(θ) w(α),
//
// and proves how well. A Problem puts together a family θ ↦ K(θ) (package kernel), a set Θ (package
// set), a regulariser r (package reg) and a loss D, A (package loss). A Solver is configuration
// only; Solve and Steps drive it:
//
//	p := &mkl.Problem{Grams: family.On(x), Set: set.Simplex{}, Loss: loss.Squared{Lambda: 0.1}, Y: y}
//	r, err := mkl.Solve(ctx, p, mkl.SPG{}, nil)
//
// The driver owns loop, clock, context, trace, stopping and certificate; a solver owns a step. By
// Danskin's theorem ∂J/∂θ_k = −½ wᵀ(∂K/∂θ_k)w at the maximising α.
//
// # Certificates
//
// Every Result says how good θ is and why one may believe it. For any feasible α, exact or not,
//
//	min F ≥ max_{0≤s≤1}  s·Linear − ½s²·Quadratic + min_{θ'∈Θ} ( −½s² wᵀK(θ')w + r(θ') )
//
// with D(sα) = s·Linear − ½s²·Quadratic. Where K is linear in θ the inner minimum is one oracle call
// ("duality"). For a power of degree d on a q-norm ball with d ≤ q, F is not convex in θ, but
// F(μ₀ + t^{1/q}) is convex in t ≥ 0, and the minimum is bounded in O(m) ("hidden convexity").
// Otherwise a certificate is FirstOrder: a residual, and no claim about other minima.
//
// # Which solver
//
//	F differentiable (squared and squared hinge losses)    SPG, the default
//	the same, squared loss, a q-norm ball or a ridge       IIA too: fixed points, no line search
//	the same, squared loss, a 2-norm ball, 1e-12           TrustRegion: second derivatives
//	the papers' step rules                                 PGD
//	kinks (hinge and ε-insensitive losses, K singular)     Level
//	a rough θ, or a Θ that is dear to project onto         FrankWolfe
//	θ a kernel matrix, r a distance L3 or L2 (reg.DistancePenalty)    DualAscent
//	the same with L1, or another r with a proximal step    ADMM
//	the same with an r of one's own; Kundu et al.'s step   MirrorDescent: slow
//	several matrices, a block norm (loss.BlockNorm)        DualAscent for L3, for L2 if no K_i ends at S_i; else ADMM
//	the widths of a product of Gaussians, a θ ≥ 0          LBFGS
//	more points than an n×n matrix has room for            Subspace (squared and squared hinge losses)
//	no minimisation: one number of a table to compare      Uniform, BestSingle (rules)
//
// Level and FrankWolfe take families linear in θ on bounded sets; PGD and SPG take any. Where no K(θ) is
// singular, as with RBF kernels on different points, the hinge loss has no kinks, and SPG and FrankWolfe
// take it with Force.
//
// # On paper: a million points
//
// Of 8 Gaussians of ten features, λ = 1, by what was measured: a pass took 4.8 ns for each of the n²/2 entries, all
// kernels together, on one core of a Xeon (AVX2 and OpenBLAS; 9 without OpenBLAS). Subspace had R = 1,650 coordinates
// at n = 20,000, of 250 landmarks, and 3.7 GB at n = 100,000, of 500. Extrapolated to n = 10⁶, never run:
//
//	a certificate of any (θ, w)   one pass, 5·10¹¹ entries, 0.7 core-hours; K_kw and their partial sums, 0.6 GB
//	Subspace, R of 8,000          64 GB for the values of the coordinates; nR² = 6.4·10¹³ operations for ΦᵀΦ
//	to a gap of 10⁻³              about 20 passes, as late ones gain less than 2.7 times: 14 core-hours
//
// The certificate is in reach of one machine, in parts of several (study.Passes); the solver asks for one with
// 128 GB.
//
// # Constants
//
// There is one λ, that of K(θ) + λI. The papers minimise 2F: Li et al.'s β enters as
// reg.Ridge{Beta: β/2} and their λ is m/C for regression and 1/C for the SVM; step sizes η on
// their F are 2η here.
package mkl
