// Package eskl is what the notebook 04_similarities calls to reproduce or refute the results of Kundu, Tankasali,
// Bhattacharyya and Ben-Tal, "Efficient algorithms for learning kernels from multiple similarity matrices with general
// convex loss functions" (NIPS 2010): a support vector machine on similarities that are no valid kernel, which learns a
// kernel near them. It contains the data, problems and experiments, the numbers that the paper prints, and stored
// results. For your own similarities, use data.Options.OpenSimilarities and package similarity.
//
//	s := eskl.RandomSet(20, 2, 1)                        // 20 points, 2 similarity matrices
//	p := eskl.ESKLProblem(s, nil, reg.SquaredNorm, 1, 0.5) // C = 1, ρ = 0.5
//	r, err := mkl.Solve(ctx, p, eskl.Solver(reg.SquaredNorm, false), nil)
//
//	Set: Indefinite, Bands, Proteins, OpenAuralSonar, RandomSet   similarities with labels
//	ESKLProblem, EMKLProblem, REKLProblem, IndSVMProblem          the methods, on all points of a set
//	SolveSVM, SolveBlock, LowerBound, MoveTo, Distance …          formulas of the derivations, as printed
//	Mean, Median, ShareNear                                       one matrix for several, and entries at it
//	Method, Table1Methods, Table3Methods, Compare                 the methods that are compared, and the comparison
//	Recompute, Stored, Join                                       results of an experiment, computed, and stored
//	Difference, Overall, ScoresInPercent, PrintedDifference       differences of methods, ours and the paper's
//	Gains, Table, OverallTable, OverallTableWithP, OverallChart   figures and tables
//	CountConfirmedRows, CountImpossible, PrintedSum, Facts        tables, results and printed numbers, verified
//
// ω(K) is the optimum of a support vector machine with the kernel matrix K, and α is its solution. S or S_i are
// similarity matrices of N points. ESKL minimizes F = ω(K) plus ρ times the distances of K from all S_i over the
// positive semidefinite matrices K of trace N. EMKL learns one matrix K_i for each S_i. REKL is EMKL with K_i that have
// the eigenvectors of S_i. IndSVM is the method of Luss and d'Aspremont, see IndSVMProblem. Equation numbers refer to
// the paper.
package eskl
