// Package nkrr contains the problems and experiments of the notebook on Cortes, Mohri and Rostamizadeh, "Learning
// Non-Linear Combinations of Kernels" (NIPS 2009), the numbers that the paper prints, and stored results.
//
//	Problem, Figure1Problem, TwoPointProblem, SmallProblem  problems of the sections
//	Sum, Weighted, Outer …      formulas for small dense matrices as printed
//	Table1, Figure2Study …      the experiments as studies
//	Compute, Stored             the stored results for ten seeds
//	NewGain, GainInPaper        RMSE of learned minus fixed weights, ours and the paper's
//	CountSteps, ChosenProblem   steps of Algorithm 1
//
// Unless stated otherwise, F is the F of the paper, F(μ) = yᵀ(K_μ+λI)⁻¹y, twice the F of package mkl. K_μ is the kernel
// matrix with the weights μ, which are learned on the ball μ ≥ 0, ‖μ−1‖_q ≤ Λ; y are the targets.
package nkrr
