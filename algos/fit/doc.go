// Package fit turns a dataset into a fitted model: it chooses a family of kernels and the hyperparameters by
// cross-validation, and learns the weights of the kernels. Package learn does the same with methods of its own choice.
// Here you choose:
//
//	Search       a family of kernels with a grid of hyperparameters; its Fit returns a Fitted
//	Best         the best of several searches, for example of several families; its Fit returns a Fitted
//	Fitted       the model (model.Model), its weights with their certificate, and what was chosen
//	SplitData    divides a dataset into training points and test points
//	BuildModel   a model from a problem that mkl.Solve solved
//
// Family, grid and solver have defaults. A Grid names the values to try:
//
//	train, test, err := fit.SplitData(d, 0.3, 1)
//	s := fit.Search{Family: f, Grid: fit.Grid{fit.Ridge(0.1, 1), fit.Balls(2, 1, 0.5, 2)}}
//	fitted, err := s.Fit(ctx, train)
//	score, err := fitted.Model.Score(test)
//
// To compare methods on many splits, give these to a compare.Study:
//
//	Method                   a name with a Search, a Best or a Fitter of your own
//	Halves, Holdout, KFold   train and test splits; ByGroup keeps groups of points whole
//	Settings, Selection      what all methods share: folds, the metric of the choice, landmarks, the seed
//
// # The grid
//
// The grid of a method is the product of its axes: a loss with values of its hyperparameter, sets Θ, regularizers and
// rules.
//
//	Ridge, Losses                    the squared loss, or any loss, with values of λ or C
//	Balls, Sets                      sets Θ: balls of several radii, or any sets
//	RidgeRegularizers, Regularizers  β‖θ‖² with values of β, or any regularizers
//	SingleKernels, Rules             rules: one base kernel each, or any rules. SingleKernel, FixedWeights are rules
//
// All of this is plain data, which a file of a study holds. The axis of losses is a path: the problems are solved in
// the order of the hyperparameter values, each from the θ and the dual coefficients of the previous one. If a path is
// Extendable and the value at one of its ends is chosen, values beyond that end are tried too. If the choice stays at
// an end, Selected.IsValueAtPathEnd and a note of a compare.Table report it. For the other axes, compare the chosen
// Candidate.Set or Reg with your values: nothing reports that it is the first or the last of them. HalfDecades makes
// values. Selection describes how cross-validation chooses.
//
// Parameters of kernels, such as γ of a kernel.RBF, are no axis. Put one kernel for each value into the family. Then
// SingleKernels chooses one of them, and without a rule their weights are learned. Or take the Best of one Search for
// each value.
//
// # No leaks
//
// This package fits and chooses inside the training part of a split: hyperparameters, the mean of the targets, and the
// parameters that a family fits to its points, such as scales (kernel.Grams.Slice fits them in every fold). Only
// Selection.OnAllData chooses hyperparameters on all the data, as many papers do, and a note of the table reports it.
// What package data fits when it reads a file is fitted to all rows, such as the means that data.Fill fills in. To
// avoid this, keep the test points in a file of their own and read it with train.Encoding.Open.
//
// Points of one person, or of one object, are not independent. If the data has groups (Dataset.Group), all points of a
// group are in the same part of each fold, and of each split by ByGroup. Learn puts equal points into one group
// (GroupDuplicates).
//
// # Classes
//
// The labels of two classes are −1 and +1. The labels of K > 2 classes are their indices 0 … K−1 (data.Dataset). More
// than two classes are learned one against the rest, with one target column for each class (model.TargetEncoding). All
// columns share one θ, which minimizes the sum of their objectives (loss.Columns). So there is one matrix to factorize
// and one certificate.
//
// If all points of a training part are of one class, that class is predicted. Fitted.Calibrate computes probabilities
// P(class | x), calibrated at held-out points.
//
// # For packages compare and learn
//
// Packages compare and learn run many fits at once by these names. A program that fits or compares needs none of them.
//
//	Open, Workspace                a dataset and methods that share their base matrices
//	Choice, Choose, ForEach        the search of one grid on some points
//	Candidate, Path, GridCell      a combination of the grid, the losses, and the error of both
//	Selected, Tried                what was selected, and among what
//	Task, TaskRunner               one unit of work, and what runs it or reads it from a store
//	HeldOut, FullSolution          predictions at held-out points; a fit to landmarks as a solution on all points
//	Describe, ViewIndex, ScoreByLoss, ResidualWeights, HasFewerFeaturesThanPoints
package fit
