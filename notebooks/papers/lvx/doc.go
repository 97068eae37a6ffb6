// Package lvx contains the problems, formulas and experiments of the notebook on Li, Venturi and Xu, "Learning the
// Kernel for Classification and Regression", and the numbers that the paper prints.
//
//	TwoPointProblem, TwoMatrices, Problem  problems
//	DenseProblem                                  F, its gradient and its Hessian by the printed formulas
//	RaceProblems                           problems of a comparison of solvers
//	CountSteps                             steps of the algorithms of the paper
//	Complexities                           Theorem 2.3
//	TableStudy                             Tables 1 to 4
//	Learn, GainStudy                       Figures 1 to 12, and learned weights against uniform weights
//	SVMToRidgeRatios                            ratio of the optima of the SVM and of kernel ridge regression
//	Stored, Claim                          results of ten seeds, and what the notebook states about them
//	PredictEchoes, WeightsChart            the running example: three kernels, one echo, its weights
//
// Unless stated otherwise, F is the F of the paper, F(μ) = yᵀ(K_μ+λI)⁻¹y, which is twice the F of package mkl. μ are
// the weights of the kernels. They are learned on the ball μ ≥ 0, ‖μ−μ₀1‖₂ ≤ Λ; see Problem. d or degree is the degree
// of K_μ in μ.
package lvx
