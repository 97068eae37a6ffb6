// Package data reads datasets: the sets that come with this module, files, and simulated ones.
//
//	d, err := data.Load("sonar")                 // embedded, offline, checked by sha256
//	d, err := data.Load("parkinsons")            // external: the file that you imported
//	d, err := data.Open("my.csv")                // CSV, LIBSVM, ARFF, NPY, NPZ, FASTA, each also as .gz
//	d, err := data.Options{Label: "sick", Missing: data.Drop}.Open("my.csv")
//	d := data.Rings(80, 7)                       // simulated, from a seed
//
// The file of an external dataset (ExternalDatasets) is not part of this module. Import and the program data/fetch
// store it in the cache folder (MKL_CACHE, or the user's cache folder + mkl), where Load finds it. If it is not there,
// the error of Load wraps ErrAbsent and states what to do. This package never uses the network.
//
// A Dataset is plain data: n points X, their labels or targets Y, and where they come from.
//
// Two classes become y = −1 and y = +1. The class that is +1 is the one named by Options.Positive;
// without it, the greater of two numbers or the alphabetically later of two words. Each embedded
// set names it (List): the class asked for, a mine, a disease, a bad credit. A squared loss without
// constant term does not depend on the choice, a bias or a rate of false alarms does.
//
// Nominal attributes become columns of 0 and 1, one for every value that occurs, named
// attribute=value. A number is never guessed to be nominal: a column whose cells are partly numbers
// and partly text is an error that names row and column, and so is a missing cell, a date or an amount of
// money, unless an option says what is meant. Of a CSV file the separator, decimal commas, a header of
// numbers, and the index of a data frame, which is left out, are found by themselves; where the first lines
// do not tell, an error names the option that does. What was done and what was found is written to
// Dataset.Prepared, the first line of Describe.
//
// Dataset.Encoding is everything between the file and its features, fitted to that file: levels of nominal
// attributes, means that fill missing cells, names of columns. Encoding.Open reads another file as the same
// features; a model keeps it for model.Model.PredictFile.
//
// Options.Targets names several columns of numbers to predict: Dataset.Y is the first, Dataset.More are the
// others, and learn.Learn learns one kernel for all.
//
// Dataset.View names groups of features, Join puts several files of the same points beside one another:
// each is a view, for which learn.Learn makes kernels of its own. OpenGrams reads points that are given by
// Gram matrices alone, OpenSimilarities those given by similarities, which need not be kernels. WriteMatrix writes
// matrices as NPY and CSV.
//
// Sequences, such as proteins, are points as they are (points.Sequences): FASTA files, and CSV files of which
// Options.Sequence names the column. kernel.Spectrum is a kernel of them, package similarity aligns them.
//
// Texts become counts of pairs of neighbouring words, the most frequent first (Bigrams), so that
// Dataset.First keeps the k most frequent.
//
// Where several points are of one person or thing, Dataset.Group says of which, as the column that Options.Group
// names: compare.ByGroup then keeps a test from knowing them already. Options.Log learns logarithms of targets.
//
// Readers trust no header: memory grows with the bytes that are there, whose number is capped
// (Options.MaxBytes), packed or not, and object arrays are refused.
package data
