// Package study repeats: it compares methods on the same splits of one dataset, chooses their
// constants by cross-validation, and says how sure the comparison is.
//
//	halves, err := study.Halves(d.Y, 30, 7)
//	s := &study.Study{Data: d, Splits: halves, Methods: []study.Method{
//		{Name: "uniform", Family: f, Rule: mkl.Uniform{}},
//		{Name: "learned", Family: f},
//	}}
//	table, err := s.Run(ctx, nil)
//
// Learn does all of it in one call for someone who knows none of this, and fits the model.
//
// # No leaks
//
// Whatever is fitted or chosen is fitted and chosen inside the training part of a split: what the
// family fits to its points (scales, centring) is fitted again in every fold, by Problem.Slice; the
// mean of the targets is that of the training part; λ and Λ are chosen by cross-validation inside
// it. Selection.Once chooses on all the data, as papers do, and the table says so.
//
// # Order does not matter
//
// A study is cut into tasks, one for each method and fold and one for each method and split. What a
// task returns depends on the data and its own part of the question alone, so the table is the same
// bit for bit, times apart, whatever the number of workers, and a finished task may be kept
// (Study.Store) for a later run.
//
// # How sure
//
// Random halves overlap, so the scores of splits are not independent, and an interval from their
// plain variance is too short. Intervals are those of the corrected resampled t-test of Nadeau and
// Bengio (see Difference).
package study
