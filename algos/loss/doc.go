// Package loss defines loss functions for kernel machines and solves their training problem for a fixed kernel matrix
// K.
//
// A loss is stated by its dual: a concave function D of the dual coefficients α, their feasible set A, and signed
// coefficients w(α), with
//
//	J(K) = max_{α ∈ A}  D(α) − ½ w(α)ᵀ K w(α) = min_{f, b}  ½‖f‖²_K + Σ_i risk_i(f(x_i) + b),   f = Σ_i w_i k(·, x_i).
//
// Solve maximizes the dual. Every Solution holds a lower and an upper bound of J, with bounds of their rounding errors.
//
//	targets                          loss                    notes
//	numbers                          Squared                 kernel ridge regression; one factorization, fastest
//	numbers with outliers            EpsilonInsensitive      support vector regression; sparse α
//	a quantile of numbers            Pinball                 for example the median or an upper limit
//	two classes, labels ±1           Hinge                   support vector machine; sparse α
//	two classes, labels ±1           SquaredHinge            as Hinge, but J is differentiable for every K
//	several classes or targets       Repeat(l, c)            l on c columns of targets; NaN if a point has no target
//	several kernels, none dropped    BlockNorm               largest norm of one function per kernel
//
// Squared also serves two classes with labels ±1. The types of this package are plain values. One value can serve many
// runs at once, and package registry stores it.
//
// To add a loss, follow .github/CONTRIBUTING.md. Package losstest checks it.
package loss
