// Package qnpkl contains the problems and experiments of the notebook on Picard, Thome, Cord and Rakotomamonjy,
// "Learning geometric combinations of Gaussian kernels with alternating quasi-Newton algorithm" (ESANN 2012), the
// numbers that the paper prints, and stored results.
//
//	Small, Gaussian, Distance, Form, Ascend   formulas for a few points, as printed
//	Problem, Sum, Noisy, Ratio                problems of the experiments
//	Ray, Minima, RiseAround, SecondDirection  J along a ray, from many starts; the second direction
//	Experiments, Stored, Recompute            studies, stored results, one result computed again
//	Table1, Table2, …Figure, Ranking          tables and figures of stored results and of the paper
package qnpkl
