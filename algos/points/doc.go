// Package points defines the points on which kernels are evaluated, the x_i of k(x_i, x_j), and the preprocessing of
// their features. Package data reads points from files; package kernel binds families to them.
//
//	Rows        dense points, one row of features per point: NewRows, FromMatrix
//	Sparse      the same, stored as compressed rows
//	Indices     points that are known by their row number in a precomputed kernel matrix
//	KernelRows  new points that are known by their kernel values with the points of such a matrix
//	Sequences   texts of letters: proteins in the one-letter code of amino acids, or DNA
//	Parts       points that several sources describe: features and, for example, a sequence
//
//	Preprocessing   a list of steps: Standardize, MinMax and others. Fit returns a FittedPreprocessing
//	As, Is          converts a Points to one of these kinds; reports whether it is of this kind
//	RowsOf, ToRows, SelectColumns, WithRows, Of   the features of points, and parts of them
//
// Fit computes shifts and scales from one set of points, and Apply applies exactly these to any points:
//
//	x := points.NewRows([][]float64{{1, 10}, {3, 30}})
//	fit, err := points.Preprocessing{points.Standardize}.Fit(x)
//	z = fit.Apply(z)
//
// The largest magnitude of each feature must be 0 or lie between 1e-100 and 1e100, so that products of features neither
// overflow nor underflow. Otherwise Validate returns an error.
//
// Another package can add a kind of points by implementing the interface Points. CheckIndices, CheckFeatureCounts,
// FeatureName and WriteDigest help its kernels. Package registry stores points and preprocessing in files.
package points
