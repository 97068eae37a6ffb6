// Package compare compares methods on repeated train and test splits of one dataset, tunes their
// hyperparameters by cross-validation, and gives an interval for each difference.
//
//	halves, err := compare.Halves(d.Y, 30, 7)
//	s := &compare.Study{Data: d, Splits: halves, CenterTargets: true, Methods: []compare.Method{
//		{Name: "uniform", Family: f, Grid: compare.Grid{compare.Ridge(), compare.Rules(mkl.Uniform{})}},
//		{Name: "learned", Family: f, Grid: compare.Grid{compare.Ridge(), compare.Balls(2, 1, 0.5, 2)}},
//	}}
//	table, err := s.Run(ctx, nil)
//
// Package learn does all of this in one call, and fits the model.
//
// # The grid
//
// The grid of a method is the product of its axes: a loss with values of its hyperparameter, sets Θ, regularizers and
// rules. Ridge, Balls, RidgeRegularizers and SingleKernels make common axes. Losses, Sets, Regularizers and Rules make
// axes of any types. All of this is plain data, which Study.Save writes to a file and OpenStudy reads. The axis of
// losses is a path: the problems are solved in the order of the hyperparameter values, each from the θ and the dual
// coefficients of the previous one. If a path is Extendable and the value at one of its ends is chosen, values beyond
// that end are tried too. Selection describes how cross-validation chooses.
//
// # No leaks
//
// Everything is fitted and chosen inside the training part of a split: hyperparameters, the mean of the targets, and
// the parameters that a family fits to its points, such as scales (kernel.Grams.Slice fits them in every fold). Only
// Selection.OnAllData chooses hyperparameters on all the data, as many papers do, and a note of the table reports it.
//
// Points of one person, or of one object, are not independent. If the data has groups (Dataset.Group), all points of a
// group are in the same part of each fold, and of each split by Learn or ByGroup. Learn puts equal points into one
// group.
//
// # Tasks, store and shards
//
// A study consists of tasks: one for each method and fold, and one for each method and split. The result of a task does
// not depend on other tasks that run at the same time. So, for any number of workers, the table is the same bit for
// bit, except for times.
//
// Study.StoreFolder holds the result of each finished task in one file. Its key depends on everything that the result
// depends on: the numbers of the data, the rows, the method, the linear algebra and the code. After a run was stopped
// or killed, the next run computes only the missing results. Results of another backend or of other code have other
// keys, so a table cannot mix them. A damaged file is computed again, and a note counts it.
//
// RunSplits runs some of the splits, with all methods. StoredTable returns the table of the stored results. If a study
// runs in several shards, each with its own folder, and all files are then copied into one folder, its table is the
// same as the table of one process. The command algos/compare/cmd/mkl-study does this for any scheduler. The folder
// algos/compare/spark has a job for Apache Spark, and examples for SLURM, Kubernetes and Snakemake. Programs find each
// other's results if they have the same code (package store): the same program file everywhere, or programs built in
// copies of one checkout.
//
// # Intervals of differences
//
// The training parts of random splits overlap, so the scores of splits are not independent. Intervals are those of the
// corrected resampled t-test of Nadeau and Bengio (see Difference).
//
// # Classes
//
// The labels of two classes are −1 and +1. The labels of K > 2 classes are their indices 0 … K−1 (data.Dataset). More
// than two classes are learned one against the rest, with one target column for each class (model.TargetEncoding). All
// columns share one θ, which minimizes the sum of their objectives (loss.Columns). So there is one matrix to factorize
// and one certificate.
//
// If all points of a training part are of one class, that class is predicted. The model that learn.Learn returns has
// probabilities P(class | x), calibrated at held-out points.
package compare
