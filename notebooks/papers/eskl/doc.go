// Package eskl contains the similarities, methods, experiments and figures of the notebook on indefinite similarities.
//
//	Indefinite, Proteins, OpenAuralSonar …  similarities with labels
//	ESKLProblem, EMKLProblem …              ESKL, EMKL and REKL on all points of a set
//	Recompute, Stored                       the comparison of methods, and its results at full size
//	Gains, Table …                          figures and tables
//
// ω(K) is the optimum of a support vector machine with the kernel matrix K, and α is its solution. S or S_i are
// similarity matrices of N points. ESKL minimizes F = ω(K) plus ρ times the distances of K from all S_i over the
// positive semidefinite matrices K of trace N. EMKL learns one matrix K_i for each S_i. REKL is EMKL with K_i that have
// the eigenvectors of S_i. IndSVM is the method of Luss and d'Aspremont, see IndSVMProblem. Equation numbers refer to
// the paper of Kundu et al.; see package similarity.
package eskl
