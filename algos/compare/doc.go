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
// The grid of a method is the product of its axes: losses with the values of their hyperparameter, sets Θ, regularizers
// and rules. Ridge, Balls, Beta and SingleKernels make common axes. Losses, Sets, Regs and Rules make any other axis,
// of types from any package. All of this is plain data, which Save writes to a file and Open reads. The axis of losses
// is a path: the values of the hyperparameter are solved in order, and each solve starts from the θ and the dual
// coefficients of the previous one. If a path is Extendable and the value at one of its ends is chosen, further values
// beyond that end are tried. Selection describes how cross-validation chooses.
//
// # No leaks
//
// Everything that is fitted or chosen is fitted or chosen inside the training part of a split. If a family is fitted to
// its points (scales, centering), kernel.Grams.Slice fits it again in every fold. The mean of the targets is the mean
// of the training part. Hyperparameters are chosen inside the training part. Selection.Once instead chooses on all the
// data, as papers do, and a note of the table reports it.
//
// Points of one person, or of one object, are not independent. If the data has groups (Dataset.Group), all points of a
// group are in the same part of each fold, and of each split by Learn or ByGroup. Learn puts equal points into one
// group.
//
// # Tasks, store and shards
//
// A study is divided into tasks: one for each method and fold, and one for each method and split. The result of a task
// depends only on the data and on the task's own part of the study. So the table is the same bit for bit, except for
// times, for any number of workers.
//
// Study.Store holds the result of each finished task in one file. Its key depends on everything that the result depends
// on: the numbers of the data, the rows, the method, the linear algebra and the code. After a run was stopped or
// killed, the next run computes only the missing results. Results of another backend or of other code have other keys,
// so a table cannot mix them. A damaged file is computed again, and a note counts it.
//
// RunSplits runs some of the splits, with all methods. StoredTable returns the table of the stored results. If a study
// runs in three shards with three folders, and the files of these are copied together, its table is the same as the
// table of one process. The command algos/compare/cmd/mkl-study does this for any scheduler. The folder
// algos/compare/spark has a job for Apache Spark, and examples for SLURM, Kubernetes and Snakemake. Programs find each
// other's results if they have the same code (package store): the same program file everywhere, or programs built in
// copies of one checkout.
//
// # Intervals
//
// Random halves overlap, so the scores of splits are not independent. The intervals come from the corrected resampled
// t-test of Nadeau and Bengio (see Difference).
//
// # Classes
//
// The labels of two classes are −1 and +1. The labels of K > 2 classes are their indices 0 … K−1 (data.Dataset). More
// than two classes are learned one against the rest, with one θ for all columns: mkl minimizes the sum of the J of all
// columns (loss.Columns). So one matrix is factorized, and one certificate holds. model.TargetEncoding makes the
// columns and the decisions. Score.Confusion and Score.AUC (package model) hold the results; package mklnb/report shows
// them.
//
// If all points of a training part are of one class, that class is predicted. The model of Learn
// returns P(class | x), calibrated at held-out points.
package compare
