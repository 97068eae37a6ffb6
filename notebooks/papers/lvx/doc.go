// Package lvx is what the notebook 02_learning_the_kernel calls to reproduce or refute the results of Li, Venturi and
// Xu, "Learning the Kernel for Classification and Regression" (2017): theorems, eight algorithms, tables and figures on
// learned polynomial combinations of kernels. It contains the problems, the formulas as printed, the experiments, the
// numbers that the paper prints, and stored results for ten seeds. To learn kernels for your own data, use package
// learn.
//
//	d := lvx.RandomProblem(6, 3, 2, 0.7, 4)       // points, kernels, degree, λ, seed
//	g := d.Gradient([]float64{0.5, 1.1, 0.3})     // ∇F(μ) by the printed formula
//	r, err := mkl.Solve(ctx, d.Problem(set.Ball{Q: 2, Radius: 1}), mkl.SPG{}, nil)
//
//	Problem, FamilyProblem, RegularizedProblem, AsSVM    problems on a dataset; TwoPointProblem, TwoMatrices by hand
//	DenseProblem, RandomProblem                          small problems: F, gradient and Hessian as printed
//	Value, Hessian, SecondDerivative, Curvature          convexity: F of the paper and its derivatives at a point
//	CountSteps, RaceProblems, SolveFromStarts            steps of the algorithms; comparisons of solvers
//	Complexities, EstimateRademacher, RademacherBound    Theorem 2.3
//	TableStudy, Paper, Columns                           Tables 1 to 4: the study, and the printed numbers
//	Learn, GainStudy, Curves                             Figures 1 to 12; learned weights against uniform weights
//	SVMToRidgeRatios                                     the optima of the SVM and of kernel ridge regression
//	Stored, Find, Claim, ClaimsTable                     stored results, and what the notebook states about them
//	PredictEchoes, WeightsChart, DescentPath             the examples: three kernels, one echo, its weights; descent
//
// Unless stated otherwise, F is the F of the paper, F(μ) = yᵀ(K_μ+λI)⁻¹y, which is twice the F of package mkl. μ are
// the weights of the kernels. They are learned on the ball μ ≥ 0, ‖μ−μ₀1‖₂ ≤ Λ; see Problem. d or degree is the degree
// of K_μ in μ.
package lvx
