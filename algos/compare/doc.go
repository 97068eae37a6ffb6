// Package compare compares methods on repeated train and test splits of one dataset, tunes their
// hyperparameters by cross-validation, and gives an interval for each difference.
//
//	halves, err := fit.Halves(d.Y, 30, 7)
//	s := &compare.Study{Data: d, Splits: halves, Methods: []fit.Method{
//		{Name: "uniform", Fitter: fit.Search{Family: f, Grid: fit.Grid{fit.Ridge(), fit.Rules(mkl.Uniform{})}}},
//		{Name: "learned", Fitter: fit.Search{Family: f, Grid: fit.Grid{fit.Ridge(), fit.Balls(2, 1, 0.5, 2)}}},
//	}}
//	table, err := s.Run(ctx, nil)
//
// Package learn does all of this in one call, and fits the model.
//
// # Tasks, store and shards
//
// A study consists of tasks: one for each method and fold, and one for each method and split. The result of a task does
// not depend on other tasks that run at the same time. So, for any number of workers, the table is the same bit for
// bit, except for times.
//
// Study.StoreFolder holds the results of finished tasks, one file for each split. The key of a result depends on
// everything that the result depends on: the numbers of the data, the rows, the method, the linear algebra, the
// processor and the numbers that the code computes (store.Numbers). After a run was stopped or killed, the next run
// computes only the missing results. Results of another backend, processor or library have other keys, so a table
// cannot mix them. A damaged file is computed again, and a note counts it.
//
// StoredTable returns the table of the stored results. Studies with other Splits and equal other fields share their
// results. So a study can run in shards, which are studies with some of its splits, in one folder or in several, whose
// files are then copied together (store.Store.Merge): its table is the same as the table of one process, except for the
// times in seconds. The command mklnb/study/mkl-study does this for any scheduler. The folder mklnb/study/clusters has
// a job for Apache Spark, and examples for Slurm, Kubernetes and Snakemake. Programs find each other's results if they
// compute the same numbers (package store).
//
// # Intervals of differences
//
// The training parts of random splits overlap, so the scores of splits are not independent. Intervals are those of the
// corrected resampled t-test of Nadeau and Bengio (see Difference).
package compare
