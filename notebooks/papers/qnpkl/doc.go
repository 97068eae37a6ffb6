// Package qnpkl holds what the notebook on Picard, Thome, Cord and Rakotomamonjy, "Learning geometric
// combinations of Gaussian kernels with alternating quasi-Newton algorithm" (ESANN 2012) calls in a line:
// its problems, its formulas on a few points by the slow road, its experiments as studies, what the papers
// print, and results that take long, kept with the program that makes them.
//
//	Small, Gaussian, Distance, Form, Ascend   formulas of a few points, as they are printed
//	Problem, Sum, Noisy, Ratio                the problems of the experiments
//	Paths                                     F and the errors on new points along a run
//	Table1, Noise, SimpleMKL, Baselines       studies, and their figures
//	Kept                                      results at full size
package qnpkl
