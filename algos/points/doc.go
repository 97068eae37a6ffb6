// Package points defines the points on which kernels are evaluated, and the preprocessing of their features. There are
// five kinds of points:
//
//	Rows        dense points, one row of features per point
//	Sparse      the same, stored as compressed rows
//	Indices     points that are known by their row number in a precomputed kernel matrix
//	KernelRows  new points that are known by their kernel values with the points of such a matrix
//	Sequences   texts of letters: proteins in the one-letter code of amino acids, or DNA
//
// Another package can add a kind of points by implementing the interface Points. Width returns the number of features,
// which is 0 for a kind of points without features. As converts a Points to one of these kinds, or returns an error.
//
// Preprocessing is a list of steps such as Standardize. Fit computes shifts and scales from one set of points, and
// Apply applies exactly these to any points:
//
//	fit, err := points.Preprocessing{points.Standardize}.Fit(x)
//	z = fit.Apply(z)
//
// The largest magnitude of each feature must be 0 or lie between 1e-100 and 1e100, so that products of features neither
// overflow nor underflow. Otherwise Validate returns an error.
//
// Package registry stores points and preprocessing in files.
package points
