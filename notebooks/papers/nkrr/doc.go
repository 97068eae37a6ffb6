// Package nkrr is what the notebook 01_nkrr calls to reproduce or refute the results of Cortes, Mohri and Rostamizadeh,
// "Learning Non-Linear Combinations of Kernels" (NIPS 2009): kernel ridge regression with polynomial combinations of
// kernels. It contains the paper's problems and protocols, the numbers that the paper prints, and stored results for
// ten seeds. To learn kernels for your own data, use package learn.
//
//	p, err := nkrr.Figure1Problem(1)                              // λ = 1, two weights μ
//	f, err := nkrr.Value(p, 0.5, 0.5)                             // F of the paper at μ = (0.5, 0.5)
//	chart := nkrr.ReadingChart(nkrr.Stored("table1"), "sonar")    // Table 1, printed and ours
//
//	Problem, Figure1Problem, TwoPointProblem, SmallProblem   problems; ScaledFamily, CenteredFamily are their kernels
//	Value, Gradient                                          F of the paper and its gradient
//	Sum, Weighted, Outer, BilinearForm, MulVec …             formulas for small dense matrices as printed
//	Table1, Figure2Study, Figure3Study, Figure1              the experiments as studies of package compare
//	Readings, Reading.FromTraining                           interpretations of the protocol of Table 1
//	Compute, Stored, StoredFirst                             the results of a study (Block), computed, and stored
//	Printed, GainInPaper, NewGain, Degree4Change             numbers of the paper, and ours beside them
//	CountSteps, ChosenProblem, CountChosenSteps              steps of Algorithm 1
//	ReadingChart, PrintedGainChart, …Chart                   figures
//
// Unless stated otherwise, F is the F of the paper, F(μ) = yᵀ(K_μ+λI)⁻¹y, twice the F of package mkl. K_μ is the kernel
// matrix with the weights μ, which are learned on the ball μ ≥ 0, ‖μ−1‖_q ≤ Λ; y are the targets.
package nkrr
