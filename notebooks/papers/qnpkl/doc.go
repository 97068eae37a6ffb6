// Package qnpkl holds what the notebook on Picard, Thome, Cord and Rakotomamonjy, "Learning geometric
// combinations of Gaussian kernels with alternating quasi-Newton algorithm" (ESANN 2012) calls in a line:
// its problems, its formulas on a few points by the slow road, its experiments as studies, what the paper
// prints, and results that take long, kept with the program that makes them.
//
//	Small, Gaussian, Distance, Form, Ascend   formulas of a few points, as they are printed
//	Problem, Sum, Noisy, Ratio                the problems of the experiments
//	At, Ray, Minima, Around, Second           J at a point, along a ray, from many starts; the second direction
//	Experiments, Protocol, Kept, Again        studies, a hash of all that they depend on, results, an entry made anew
//	Table1, Table2, …Figure, Ranks            tables and pictures of kept results beside what is printed
//	Conclusions                               the sentences about them, and what decides whether they hold
package qnpkl
