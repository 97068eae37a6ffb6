// Package tkl contains the definitions, problems and experiments of the notebook on tessellated kernel learning.
//
//	Integrand, Value            k_P by its definition and by the closed form of the library
//	Problem, EvaluateStep       problems of the derivations
//	NewDraw, Recompute, Stored  experiments for a seed, one result computed again, stored results of ten seeds
//	Table, PartsFigure …        tables and figures
//
// k_P is the tessellated kernel with the positive semidefinite matrix P, which is learned; see Integrand and package
// kernel/tessellated. Degree 0 and degree 1 are the degrees of its monomials. k_P is an integral over a box; the margin
// of the box is the distance by which it extends beyond the points.
package tkl
