// Package nkrr holds what the notebook on Cortes, Mohri and Rostamizadeh, "Learning Non-Linear
// Combinations of Kernels" (NIPS 2009) calls in a line: its problems, its experiments as studies,
// what the paper prints, and results that take long, kept with the program that makes them.
//
//	Two, ByHand, Small, Problem  the problems of the sections
//	Surface                      F over two weights, in μ or in t = μ^q, and its curvature
//	Sum, Hadamard, Inverse …     formulas of small dense matrices as they are printed
//	Table1, Figure2, Figure3     the experiments
//	Plan, Make, Kept             what is kept of them, for ten seeds
//	Conclusions, Gains           what the notebook says of it
//
// F here is the paper's, F(μ) = yᵀ(K_μ+λI)⁻¹y, twice that of package mkl, where nothing else is said.
package nkrr
