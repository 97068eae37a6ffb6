// Package tkl holds what the notebook on tessellated kernel learning calls in a line.
//
//	Integrand, Value    k by its definition, as the introduction prints it, and by the library
//	Problem, At         the problems of the derivations
//	Drawn, Again, Kept  the experiments, made again for a seed, and what ten seeds found
//	Table, Cut …        figures
package tkl
