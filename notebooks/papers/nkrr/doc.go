// Package nkrr holds what the notebook on Cortes, Mohri and Rostamizadeh, "Learning Non-Linear
// Combinations of Kernels" (NIPS 2009) calls in a line: its problems, its experiments as studies,
// what the paper prints, figures made of many panels, and results that take long, kept with the
// program that makes them.
//
//	Two, Hard, Sum        the problems of the sections
//	Surface, Cuts         F over two weights: values, curvature, cuts with chords
//	Hadamard, Inverse …   formulas of small dense matrices as they are printed
//	Reading, Table1       Table 1 under four readings of its protocol
//	Figure2, Figure3      the experiments on texts and on degrees 1 to 4
//	Kept                  results at full size
//
// F here is the paper's, F(μ) = yᵀ(K_μ+λI)⁻¹y, twice that of package mkl, where nothing else is said.
package nkrr
