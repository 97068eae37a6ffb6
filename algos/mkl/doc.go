// Package mkl learns kernel weights. It minimizes
//
//	F(θ) = J(θ) + r(θ) over θ ∈ Θ,   J(θ) = max_{α ∈ A}  D(α) − ½ w(α)ᵀ K(θ) w(α),
//
// and bounds the distance of the result from the minimum. A Problem combines a family θ ↦ K(θ) (package kernel), a set
// Θ (package set), a regularizer r (package reg) and a loss, which defines D, its domain A and the dual coefficients
// w(α) (package loss). A Solver is a plain value; Solve runs it, and Steps yields its iterates:
//
//	p := &mkl.Problem{Grams: family.Bind(x), Set: set.Simplex{}, Loss: loss.Squared{Lambda: 0.1}, Y: y}
//	r, err := mkl.Solve(ctx, p, mkl.SPG{}, nil)
//
// The squared loss has no bias: subtract the mean from y before, and pass it to fit.BuildModel. For Gram matrices in
// memory, data.FromGrams returns a dataset d, and d.Kernels.Bind(d.X) is Grams.
//
//	Problem                        K(θ), Θ, r, loss and targets
//	Solve, Steps                   minimize F; yield the iterates one by one
//	Settings                       the gap to reach, the most steps, the start, a callback
//	Result                         θ, the dual coefficients, the Certificate, the Status and the Trace
//	SPG, Level, IIA …              solvers: see "Which solver"
//	Uniform, AlignF, EasyMKL       rules, which choose θ without minimizing F: EvaluateRule
//	FitSize, ShortageError         the memory that a run needs
//
// A solver computes one step. Solve and Steps own the loop, the clock, the context and the trace; Solve also decides
// when to stop, and certifies the result. By Danskin's theorem ∂J/∂θ_k = −½ wᵀ(∂K/∂θ_k)w at the best α. To predict,
// call fit.BuildModel.
//
// # What a certificate proves
//
// Every Result contains a Certificate, which prints as
//
//	global certificate by duality: F − min F ≤ 4.4e-04 (relative 9.0e-07)
//
// F is a maximum over the dual variables α. Every feasible α, exact or not, therefore proves a lower bound:
//
//	min F ≥ max_{0≤s≤1}  s·Lin − ½s²·Quad + min_{θ'∈Θ} ( −½s² wᵀK(θ')w + r(θ') )
//
// with Lin and Quad such that D(sα) ≥ s·Lin − ½s²·Quad (LinearTerm, QuadraticTerm of loss.Solution). The primal value
// at θ is an upper bound of F(θ). The difference of the two bounds is a proven bound of F(θ) − min F. No run reports
// success because a step was small.
//
//	K linear in θ                       the inner minimum is one linear minimization over Θ: "duality"
//	products of up to d kernels on a    F is not convex in θ, but F(μ₀ + t^{1/q}) is convex in t ≥ 0; the bound
//	q-norm ball about μ₀, d ≤ q         costs O(m): "hidden convexity"
//	everything else                     "first-order": a residual; other minima are not excluded
//
// Problem.Certify lists all proofs.
//
// Both bounds include a bound of their rounding errors, so that they hold in exact arithmetic for the stored matrices,
// targets, weights and dual coefficients. If rounding dominates the gap, the bounds are computed again in doubled
// precision. If the gap is still too large, the status is IllConditioned, and Result.CertificateText names remedies.
// For weights outside Θ, which some printed algorithms produce, nothing is claimed.
//
// The stored matrices have a slightly larger diagonal than the given ones, so that they are positive semidefinite for
// certain. Certificate.ShiftError bounds by how much F of the given matrices may be larger.
//
// The library cannot check three assumptions: that a base kernel of your own is positive semidefinite up to rounding,
// that a loss of your own bounds its rounding errors correctly, and that the methods of a set of your own are right:
// Minimize returns no value above the minimum, and Contains accepts no θ outside. Packages kerneltest, losstest and
// settest test them. If the loss provides no bounds, its rounding errors are estimated.
//
// TestAudit draws random problems and recomputes every bound in 512-bit arithmetic. It accepts no false bound.
//
// # Which solver
//
//	F differentiable (squared and squared hinge losses)    SPG, the default
//	squared loss, a q-norm ball or a ridge                 IIA: a fixed-point iteration, no line search
//	squared loss, a 2-norm ball, gaps of 1e-12             TrustRegion: second derivatives
//	the step rules of the papers                           PGD
//	kinks (hinge and ε-insensitive losses, K singular)     Level
//	hinge loss, θ ≥ 0 (set.Orthant) and a ridge            DualAscent, because Level needs a bounded Θ
//	low accuracy, or a Θ with an expensive projection      FrankWolfe
//	a simplex, any convex F; the method SimpleMKL          ReducedGradient
//	hinge loss, θ a matrix, r = ρ‖θ−S‖² or ρ‖θ−S‖          DualAscent (the loss must be loss.Proximal)
//	hinge loss, θ a matrix, r = ρΣ|θ_k−S_k|, or proximal   ADMM (the loss must be loss.Proximal)
//	θ a kernel matrix, any convex r; Kundu et al.'s step   MirrorDescent: slow
//	several matrices and a block norm                      DualAscent; ADMM for ρΣ|θ_k−S_k|, or if a ‖θ−S‖ → 0
//	the widths of a product of Gaussians, θ ≥ 0            LBFGS; QuasiNewton is the paper's method
//
// Solvers store n×n matrices, unless the family has few kernel.Features and the loss is squared. A run that does not
// fit in memory is not started (FitSize, ShortageError). For more points than fit into memory,
// learn.Learn with the squared loss fits the weights to a subset (learn.WithLandmarks) and the dual coefficients to all
// points. CertifyAt then bounds the distance from the minimum over all points, without storing a matrix.
//
// Level and FrankWolfe take families linear in θ on bounded sets; PGD and SPG take any. If no K(θ) is singular, as with
// RBF kernels on different points, F with the hinge loss has no kinks, and SPG minimizes it with AllowNonsmooth.
//
// A Rule (Uniform, AlignF, EasyMKL) chooses θ without minimizing F. EvaluateRule computes F and a certificate for it.
//
// # Conventions
//
// λ always means the λ of K(θ) + λI. The papers minimize 2F: Li et al.'s β enters as reg.Ridge{Beta: β/2}, and their λ
// is m/C for regression on m points and 1/C for the SVM. A step length η on their objective 2F is 2η here. λ is from
// 1e-100 to 1e100. Targets are 0 or in this range in size.
package mkl
