// Package loss defines the loss functions of kernel machines, and trains each machine on a fixed kernel matrix K:
// kernel ridge regression, support vector machines, quantile regression. Package mkl then chooses K.
//
//	loss                parameter   bias  weights  use it for
//	Squared             λ           no    no       numbers: kernel ridge regression; one factorization, fastest
//	EpsilonInsensitive  C, fixed ε  yes   yes      numbers with outliers: support vector regression; sparse α
//	Pinball             C, fixed τ  yes   yes      a quantile of numbers, such as the median or an upper limit
//	Hinge               C           yes   yes      two classes, labels ±1: support vector machine; sparse α
//	SquaredHinge        λ           yes   yes      two classes, as Hinge, but J is differentiable for every K
//	Repeat(l, c)        that of l   as l  as l     l on c columns of targets: several classes or targets
//	BlockNorm           none        as l  as l     a loss l with one function for each of several K, all of them used
//
// The parameter is the hyperparameter that cross-validation chooses (Tunable; fit.Losses, fit.Ridge). The weights are
// those of the points (Weighted).
//
// Squared has no bias, so it shrinks predictions toward 0: subtract the mean of the targets before Solve
// (Traits.NeedsCentering). Package fit does so. All other losses fit a bias.
//
// Squared also serves two classes with labels ±1. No loss gives probabilities. For classes, learn.Learn and
// fit.Fitted.Calibrate compute them from the decision values of any loss, by sigmoids fitted at held-out points.
//
// The method Solve trains a machine:
//
//	g := family.Bind(x).New()                          // package kernel
//	g.SetTheta(theta)
//	var s loss.Solution
//	err := loss.Hinge{C: 1}.Solve(ctx, &s, g, y, 1e-6) // s.W, n dual coefficients; s.Bias; s.Gap() ≤ 1e-6
//
// # The dual problem
//
// A loss is defined by its dual problem: a concave function D of the dual coefficients α, the set A of feasible α, and
// signed coefficients w(α). With risk_i, the error of point i,
//
//	J(K) = max_{α ∈ A}  D(α) − ½ w(α)ᵀ K w(α) = min_{f, b}  ½‖f‖²_K + Σ_i risk_i(f(x_i) + b),   f = Σ_i w_i k(·, x_i).
//
// J is the value of the training problem, which package mkl minimizes over the kernel. Every Solution holds a lower and
// an upper bound of J, with bounds on their rounding errors.
//
// The types of this package are plain values. Many runs can use one value at the same time, and package registry can
// store it in a file. To add a loss, implement Loss: .github/CONTRIBUTING.md has a guide. Package losstest checks it.
package loss
