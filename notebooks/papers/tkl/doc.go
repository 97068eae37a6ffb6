// Package tkl is what the notebook 05_tessellated calls to examine tessellated kernel learning (Colbert and Peet, JMLR
// 2020; Talitckii, Colbert and Peet, JMLR 2024): a kernel that is an integral over a box, with a matrix P that is
// learned. It contains the definition of the kernel, the problems and experiments of the notebook, and stored results
// for ten seeds. To learn such a kernel for your own data, use package kernel/tessellated.
//
//	f := tessellated.Family{Degree: 1}
//	p := tkl.Problem(d, f, 1, 10)                    // tr P = 1, C = 10
//	r, err := mkl.Solve(ctx, p, mkl.FrankWolfe{}, nil)
//	figure := tkl.GapFigure("Gap", "sonar", []string{"Frank–Wolfe"}, r)
//
//	Integrand, Value                             k_P by its definition and by the closed form of the library
//	Problem, EvaluateStep, RatiosAtMinimum       the problem, a step of Frank–Wolfe, the rank of the learned P
//	RandomP, PolynomialP, MatchingM, Identity    matrices P for derivations
//	SimulateDataset, FirstPoints, Step           points of known functions
//	Draw, NewDraw, Recompute, Stored             an experiment for one seed, computed again, stored results
//	CompareWithShuffled, CompareSets             what of the learned P depends on the labels
//	Difference, DifferenceOf, PValues, Ranking   differences of methods over the stored results
//	VerdictTable                                 all differences on which the verdict rests
//	Levels, Gains, Differences, …Figure          tables and figures
//
// k_P is the tessellated kernel with the positive semidefinite matrix P; see Integrand. Degree 0 and degree 1 are the
// degrees of its monomials. The margin of the box is the distance by which it extends beyond the points.
package tkl
