// Package model predicts with a learned kernel, scores predictions, and saves models in files. It does not know how the
// weights were learned.
//
//	f(z) = Σ_i w_i k_θ(z, x_i) + b + offset
//
//	m, err := model.Load("plants.json") // or Model of learn.Learned and fit.Fitted
//	y, err := m.Predict(z)              // one number for each of the points z; Classify returns names of classes
//	file, err := m.PredictFile("new.csv")
//
// A Model is plain data: the family θ ↦ k_θ, the n points x_i, θ, w and b. A family may fit parameters to its points,
// such as scales or a mean. Each prediction fits these again to the stored points. Prune, which stores only the support
// vectors, makes the parameters constants. A model that was saved and loaded predicts the same numbers bit for bit.
//
// A model may contain the conversion of a file into features (Input). PredictFile then needs only the new file, and
// matches its columns by name. The features of points are matched by name in the same way.
//
//	Model            the model: Predict, Values, Classify, Probabilities, Score, Prune, PredictFile, Save
//	Predictor        a model prepared for many predictions, for example in a server: rows, maps, CSV, JSON
//	Intervals        prediction intervals by CV+
//	TargetEncoding   how classes become columns of targets, and how the values of the columns become a class
//	Sigmoid          the probability of a class, given a decision value
//	Score            the measures of predictions against targets: RMSE, accuracy, AUC, log loss, coverage …
//
// # Files
//
// A model file is one JSON object with the fields
//
//	format      Format, "mkl-model/1"
//	model       the Model: one field for each of its fields, by name, without those that are zero
//	prediction  f at the first point x_1, one number for each column of W, before exp (LogTargets)
//	sha256      the SHA-256 of all bytes before the comma that precedes this field, in hexadecimal digits. The file
//	            ends in ,"sha256":"…"} and a line feed, without other blanks.
//
// Load compares the stored prediction with the prediction of the loaded model. They differ if the code of a kernel has
// changed since, because a file names the type of a kernel and does not contain its code. The field is missing if a
// model cannot evaluate its kernel at its own points.
//
// Package registry describes the form of the values. Numbers that are not finite are strings, such as "NaN". A value
// behind an interface (Family, X, a base kernel) is an object with its type and its value. Structs are objects,
// without the fields that are zero. For n points, m weights and c columns, the shapes are
//
//	X.Data   n·d numbers of n points with d features, row after row (points.Rows)
//	Theta    m
//	W        n·c, column after column; c is 1 for numbers and two classes, see TargetEncoding
//	Biases, Offsets   c each
//	Sigmoids          c objects {"A", "B"}, see TargetEncoding.Probabilities
//	Lowest, Highest   d each
//	Intervals.Folds   Model, a model like this one, Residuals, column after column, and Weights, one for each residual
//	                  of a column, if they are not all 1
//
// Input.Options.MissingMarkers lists every cell of a CSV file that stands for a missing value, and Input.Options.Dates
// has the layouts of dates as JSON in a string. data.Options describes the other fields that state how cells are read.
//
// The program score.py in this folder predicts with a model file in Python, and needs numpy alone. Its functions state
// how each kernel, family, preprocessing, cell and kind of target is computed. It reads CSV files with names of
// columns, NPY files, and sequences. Anything that it does not read as this library does, such as joined files, is an
// error.
//
// The example of Model.Write shows a file.
package model
