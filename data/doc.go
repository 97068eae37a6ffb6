// Package data reads the points, labels and targets of your own data, from files or from memory, into a Dataset, from
// which packages learn, fit and compare learn. Package datasets reads datasets by name, and simulates others.
//
//	d, err := data.Open("my.csv")                // CSV, LIBSVM, ARFF, NPY, FASTA, each also as .gz
//	d, err := data.Options{Label: "sick", Missing: data.Drop}.Open("my.csv")
//	d, err := data.New("mine", points.NewRows(x), y) // numbers or names of classes in memory
//
// A column of labels that holds numbers is read as classes unless Options.Regression is set.
//
//	Open, Options.Open, Options.Read         a file, or a reader
//	New, FromGrams                           points, or Gram matrices, in memory
//	Options.OpenGrams, OpenSimilarities      files of Gram matrices, or of similarities that are no valid kernels
//	Join, Dataset.View                       several files of the same points; groups of features of one file
//	Options                                  label, targets, groups, missing cells, dates, units, separator …
//	Dataset                                  n points X, labels or targets Y, and where they come from; plain data
//	Dataset.Select, Slice                    some features; some points (fit.SplitData divides at random)
//	Encoding, from Dataset.Encoding          reads another file as the same features
//	WriteMatrix                              writes a matrix as NPY or CSV
//
// Readers report what they cannot read with the option that decides it (OptionsError). OptionChoices, OptionsNamedIn
// and MatchFiles help a program that asks its user for options. In the examples of this package, nb is package mklnb,
// whose Must ends a notebook cell on an error.
//
// # Labels
//
// Two classes become y = −1 and y = +1. Options.PositiveClass names the class +1. Without it, the class +1 is the
// greater of two numbers or the alphabetically later of two words. It makes no difference to what learn.Learn selects:
// the splits are the same (Dataset.SplitLabels), and decision values have the other sign. The class +1 is the one of
// which a false alarm rate or a reliability diagram speaks.
//
// Options.Targets names several columns of numbers to predict. Dataset.Y is the first, Dataset.ExtraTargets holds the
// others, and learn.Learn learns one kernel for all. Options.LogTargets learns logarithms of targets.
//
// # Cells
//
// A nominal attribute becomes columns of 0 and 1, one for every value that occurs, named attribute=value. A column of
// numbers is never guessed to be nominal. A column that mixes numbers and text is an error that names row and column.
// So are a missing cell, a date, an amount of money, a number with a unit, and a line beside the table (a comment, a
// title, units, a total), unless an option resolves them. In a CSV file the separator, the header, and the index of a
// data frame, which is dropped, are detected if exactly one reading fits. Otherwise the error names the option that
// decides. Dataset.Preparation lists what the reader did.
//
// Dataset.Encoding describes how the columns of the file became features: levels of nominal attributes, means that fill
// missing cells, names of columns. It is fitted to that file. Encoding.Open reads another file as the same features. A
// model stores the Encoding for model.Model.PredictFile.
//
// # Sources, sequences and groups
//
// Dataset.View names groups of features. Join puts several files of the same points side by side. Each group or file is
// a view, for which learn.Learn makes separate kernels. OpenGrams reads points that are given by Gram matrices only.
// OpenSimilarities reads points that are given by similarities, which need not be valid kernels.
//
// Sequences, such as proteins, are points without features (points.Sequences). They are read from FASTA files and from
// a CSV column that Options.Sequence names. words.Spectrum is a kernel for them, and package similarity aligns them.
//
// If several points belong to one person or thing, Dataset.Group identifies it for each point. Options.Group names its
// column. fit.ByGroup then keeps the points of a group on one side of each split.
//
// # Safety
//
// Readers trust no header: memory grows with the bytes that are present. Their number is limited before and after
// decompression. Object arrays are an error. This package never uses the network.
package data
