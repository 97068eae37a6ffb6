// Package qnpkl is what the notebook 03_qn_pkl calls to reproduce or refute the results of Picard, Thome, Cord and
// Rakotomamonjy, "Learning geometric combinations of Gaussian kernels with alternating quasi-Newton algorithm" (ESANN
// 2012): a support vector machine that learns one width for each feature. It contains the paper's problems and
// experiments, the numbers that the paper prints, and stored results for ten seeds. To learn widths for your own data,
// use learn.WithFamily(kernel.Gaussians{}).
//
//	d, err := qnpkl.Load("sonar")
//	p := qnpkl.Standardized.Problem(d, 10)             // problem (5) with C = 10, features standardized
//	r, err := qnpkl.Solve(p, mkl.QuasiNewton{}, 1e-3, 64)
//	table := qnpkl.Table2("Noise", qnpkl.Standardized) // the paper's numbers and ours
//
//	Scaling, Standardized, UnitInterval …     a scaling of the features: its problems and its stored results
//	PlaneProblem, SmallProblem, TwoClouds     problems of a few points
//	Gaussian, Distance, Ascend, Move …        formulas for a few points, as printed
//	EvaluateRay, ChordGap, NoiseDerivative    J along a ray, a probe of convexity, the derivative by a noise feature
//	Experiments, Scaling.Recompute            studies, and stored results (Block) computed again
//	PrintedTable1, PrintedTable2              numbers of the paper
//	Table1, Table2, GainsTable, Ranking       tables of stored results and of the paper
//	GainsFigure, StepsFigure, …Figure         figures
//
// J(γ) is the optimum of a support vector machine with the kernel Π_m exp(−γ_m (x_m − z_m)²), a product of one Gaussian
// for each of the M features. QN-PKL is Algorithm 1 of the paper, which minimizes J over γ ≥ 0. α is the solution of
// the machine, A = y∘α, and ω(K) is its optimum for the kernel matrix K.
package qnpkl
