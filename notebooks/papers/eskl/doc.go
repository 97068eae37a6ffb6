// Package eskl holds what the notebook on indefinite similarities calls in a line: the similarities of its
// experiments, the methods that it compares with results that take long, and figures.
//
//	Indefinite, Proteins, Votes, Given  similarities with labels
//	Problem, Several, Restricted        ESKL, EMKL and REKL on all points of a set
//	Compare, Kept                       the comparison, and what it found at full size
//	Conclusions                         sentences about the kept results
//	Ranking, Spectra, Sorted …          tables and figures
package eskl
