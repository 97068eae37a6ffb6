// Package points defines what kernels are evaluated at: kinds of points, and the preprocessing of their features.
//
//	Rows        dense points, one row of features per point
//	Sparse      the same, stored as compressed rows
//	Indices     points that are known by their row number in a precomputed kernel matrix
//	KernelRows  new points that are known by their kernel values with the points of such a matrix
//	Sequences   texts of letters: proteins in the one-letter code of amino acids, or DNA
//
// Another package can add a kind of points: it implements Points. Width is 0 if its points have no features. As returns
// points as one of these kinds, or an error.
//
// Preprocessing is a list of steps such as Standardize. Fit learns shifts and scales from one set of points, and Apply
// applies exactly these to any points:
//
//	fit, err := points.Preprocessing{points.Standardize}.Fit(x)
//	z = fit.Apply(z)
//
// Features have magnitudes from 1e-100 to 1e100, so that their products neither overflow nor vanish. Validate refuses
// other features.
//
// Package registry stores points and preprocessing in files.
package points
