// Package qnpkl contains the problems and experiments of the notebook on Picard, Thome, Cord and Rakotomamonjy,
// "Learning geometric combinations of Gaussian kernels with alternating quasi-Newton algorithm" (ESANN 2012), the
// numbers that the paper prints, and stored results.
//
//	SmallProblem, Gaussian, Distance, Ascend  formulas for a few points, as printed
//	Scaling                                   a scaling of the features: its problems and its stored results
//	EvaluateRay, ChordGap, NoiseDerivative    J along a ray, a probe of convexity, the derivative by a noise feature
//	Experiments, Recompute                    studies, and stored results computed again
//	Table1, Table2, …Figure, Ranking          tables and figures of stored results and of the paper
//
// J(γ) is the optimum of a support vector machine with the kernel Π_m exp(−γ_m (x_m − z_m)²), a product of one Gaussian
// for each of the M features. QN-PKL is Algorithm 1 of the paper, which minimizes J over γ ≥ 0. α is the solution of
// the machine, A = y∘α, and ω(K) is its optimum for the kernel matrix K.
package qnpkl
