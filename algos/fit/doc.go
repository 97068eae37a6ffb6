// Package fit is the way from data to a fitted model. A method is a family of kernels with a grid of hyperparameters,
// from which cross-validation chooses. Package compare compares methods, and package learn makes them for a dataset.
//
//	Search                      a family of kernels with a grid of hyperparameters
//	Best                        the best of several searches, for example of several families
//	Fit of both                 from a dataset to a Fitted, which contains the model
//	SplitData, Halves, ByGroup  test points beside the training points
//	BuildModel                  a model from a problem that mkl.Solve solved
//	Ridge, Balls, …             axes of a grid
//
// Grid and solver have defaults; a Grid names the values to try:
//
//	train, test, err := fit.SplitData(d, 0.3, 1)
//	s := fit.Search{Family: f, Grid: fit.Grid{fit.Ridge(0.1, 1), fit.Balls(2, 1, 0.5, 2)}}
//	fitted, err := s.Fit(ctx, train)
//	score, err := fitted.Model.Score(test)
//
// # The grid
//
// The grid of a method is the product of its axes: a loss with values of its hyperparameter, sets Θ, regularizers and
// rules. Ridge, Balls, RidgeRegularizers and SingleKernels make common axes. Losses, Sets, Regularizers and Rules make
// axes of any types. All of this is plain data, which a file of a study holds. The axis of
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
// group are in the same part of each fold, and of each split by ByGroup. Learn puts equal points into one
// group.
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
package fit
