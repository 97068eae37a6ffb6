// Package tkl holds what the notebook on tessellated kernel learning calls in a line: the definition
// of the kernel as an integral, formulas as they are printed, problems, the comparison on classes with
// results that take long, and figures made of many panels.
//
//	Quadrature, Printed       k by its definition, and as the introduction prints it
//	Problem, Circle, Jump …   the problems of the sections
//	Accuracy, Kept            the comparison, and what it found at full size
//	Surfaces, Sandwich …      figures
package tkl
