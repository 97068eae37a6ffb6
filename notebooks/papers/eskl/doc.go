// Package eskl holds what the notebook on indefinite similarities calls in a line: the similarities of its
// experiments, the methods that it compares with results that take long, and figures.
//
//	Indefinite, Proteins, Votes, Aural  similarities with labels
//	Problem, Several, Restricted        ESKL, EMKL and REKL on all points of a set
//	Again, Kept                         the comparison, and what it found at full size
//	Conclusions                         sentences about the kept results
//	Gains, Table, Gaps …                figures and tables
package eskl
