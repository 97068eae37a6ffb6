// Package loss defines loss functions for kernel machines and solves their training problem for a fixed kernel matrix
// K.
//
// A loss is defined by its dual problem: a concave function D of the dual coefficients α, the set A of feasible α, and
// signed coefficients w(α). With risk_i, the error of point i,
//
//	J(K) = max_{α ∈ A}  D(α) − ½ w(α)ᵀ K w(α) = min_{f, b}  ½‖f‖²_K + Σ_i risk_i(f(x_i) + b),   f = Σ_i w_i k(·, x_i).
//
// J is the value of the training problem. Solve maximizes over α. Every Solution holds a lower and an upper bound of J,
// with bounds on their rounding errors.
//
//	g := family.Bind(x).New()
//	g.SetTheta(theta)
//	var s loss.Solution
//	err := loss.Hinge{C: 1}.Solve(ctx, &s, g, y, 1e-6) // s.W, n dual coefficients; s.Biases; s.Gap() ≤ 1e-6
//
//	targets                          loss                    notes
//	numbers                          Squared                 kernel ridge regression; one factorization, fastest
//	numbers with outliers            EpsilonInsensitive      support vector regression; sparse α
//	a quantile of numbers            Pinball                 for example the median or an upper limit
//	two classes, labels ±1           Hinge                   support vector machine; sparse α
//	two classes, labels ±1           SquaredHinge            as Hinge, but J is differentiable for every K
//	several classes or targets       Repeat(l, c)            l on c columns of targets; a NaN is no target
//	several kernels, all used        BlockNorm               penalizes the largest norm of one function per kernel
//
// Squared can also be used for two classes with labels ±1. The types of this package are plain values. Many runs can
// use one value at the same time, and package registry can store it in a file.
//
// To add a loss, implement Loss: .github/CONTRIBUTING.md has a guide. Package losstest checks it.
package loss
