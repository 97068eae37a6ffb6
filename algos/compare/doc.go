// Package compare answers the question which of several methods predicts better on one dataset, and by how much: it
// runs them on the same repeated train and test splits, tunes their hyperparameters inside each training part, and
// gives an interval for each difference. learn.Learn does all of this with methods of its own choice in one call. Here
// you choose the methods (package fit). report.Text prints the table.
//
//	halves, err := fit.Halves(d.Y, 30, 7)
//	s := &compare.Study{Data: d, Splits: halves, Methods: []fit.Method{
//		{Name: "uniform", Fitter: fit.Search{Family: f, Grid: fit.Grid{fit.Ridge(), fit.Rules(mkl.Uniform{})}}},
//		{Name: "learned", Fitter: fit.Search{Family: f, Grid: fit.Grid{fit.Ridge(), fit.Balls(2, 1, 0.5, 2)}}},
//	}}
//	table, err := s.Run(ctx, nil)
//	difference := table.Compare("learned", "uniform", model.RMSE) // Mean, Lo, Hi, PValue()
//
//	Study        the data, the splits and the methods: Run, StoredTable, Session
//	Table        its result, one Row for each method: Compare, Summary, Values, WriteCSV
//	Run          the score, the chosen hyperparameters and the gap of one method on one split
//	Difference   mean over the splits of the metric of a method minus that of another, with a 95 % interval
//	RankScores   ranks of methods over several datasets: Ranking, with the tests of Friedman, Nemenyi and Wilcoxon
//	Progress     how far a run is, which the callback of Run gets
//
//	WilsonInterval, MeanSD, Holm, CorrectedResampledDifference   the statistics alone
//
// Session, WorkerCount, CountSplitsWithCutGroups, DescribeClassesOfOnePoint, MeanTestTrainRatio and ConstantBaseline
// are for packages learn and report.
//
// # Tasks, store and shards
//
// A study consists of tasks: one for each method and fold, and one for each method and split. The result of a task does
// not depend on other tasks that run at the same time. So, for any number of workers, the table is the same bit for
// bit, except for times.
//
// Study.StoreFolder holds the results of finished tasks (package store). After a run was stopped or killed, the next
// run computes only the missing results. The key of a result depends on everything that the result depends on: the
// numbers of the data, the rows, the method, the linear algebra, the processor and the numbers that the code computes
// (store.Numbers). A damaged file is computed again, and a note counts it.
//
// StoredTable returns the table of the stored results. Studies with other Splits and equal other fields share their
// results. So a study can run in shards, which are studies with some of its splits, in one folder or in several, whose
// files are then copied together (store.Store.Merge): its table is the same as the table of one process, except for the
// times in seconds. The command mklnb/study/mkl-study does this for any scheduler; the folder mklnb/study/clusters has
// examples.
//
// # Intervals of differences
//
// The training parts of random splits overlap, so the scores of splits are not independent. Intervals are those of the
// corrected resampled t-test of Nadeau and Bengio (see Difference).
package compare
