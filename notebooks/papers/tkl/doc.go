// Package tkl contains the definitions, problems and experiments of the notebook on tessellated kernel learning.
//
//	Integrand, Value            k by its definition and by the closed form of the library
//	Problem, At                 problems of the derivations
//	NewDraw, Recompute, Stored  experiments for a seed, one result computed again, stored results of ten seeds
//	Table, PartsFigure …        tables and figures
package tkl
