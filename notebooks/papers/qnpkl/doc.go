// Package qnpkl holds what the notebook on Picard, Thome, Cord and Rakotomamonjy, "Learning geometric
// combinations of Gaussian kernels with alternating quasi-Newton algorithm" (ESANN 2012) calls in a line:
// its problems, its formulas on a few points by the slow road, its experiments as studies, what the papers
// print, and results that take long, kept with the program that makes them.
//
//	Small, Gaussian, Distance, Form, Ascend   formulas of a few points, as they are printed
//	Problem, Sum, Noisy, Ratio                the problems of the experiments
//	At, Ray, Minima, Second                   J at a point, along a ray, from many starts; the second direction
//	Paths, Counts, WeightsOf                  runs step by step, machines counted, weights
//	Table1, Noise, SimpleMKL, Baselines       studies, and their tables
//	Experiments, Protocol, Kept               their full size, a hash of all that they depend on, results at that size
//	Conclusions                               the sentences about kept results, and what decides whether they hold
package qnpkl
