// Package eskl contains the similarities, methods, experiments and figures of the notebook on indefinite similarities.
//
//	Indefinite, Proteins, Bands, Aural  similarities with labels
//	Problem, Several, Restricted        ESKL, EMKL and REKL on all points of a set
//	Recompute, Stored                   the comparison of methods, and its results at full size
//	Gains, Table, GapChart …            figures and tables
package eskl
