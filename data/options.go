package data

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"
)

// Options says how a file is read. The zero value is what Open and Load use; it refuses what it
// would have to guess.
type Options struct {
	// Name and Title of the dataset. If Name is empty, it is the file's name without folder and
	// suffix.
	Name, Title string

	// Format of the file. Auto goes by the suffix: .csv, .tsv, .txt, .dat and .data; .libsvm, .svm,
	// .svmlight and .t; .arff; .npy and .npz; .fa, .fasta and .faa; each also with
	// .gz behind it.
	Format Format

	// Comma separates the cells of a CSV file; ' ' stands for runs of blanks and tabs. If it is 0, a suffix .tsv or a first
	// line such as sep=; says it, else the one of comma, semicolon, tab and | that cuts every row into the same number
	// of cells. Runs of blanks are tried if none of them is in every row. If several fit, or if one is in every row and
	// does not fit, it is an error. Dataset.Prepared names the separator if it is not a comma.
	Comma rune

	// Decimal is the decimal mark of the numbers in a CSV file: '.', also if it is 0, or ','. With ',' the comma is no
	// candidate for Comma.
	Decimal rune

	// Thousands is the mark between groups of three digits in the numbers of a CSV file, such as ',' in 1,234.5; ' '
	// stands for any single space. If it is 0, a number with such groups is an error.
	Thousands rune

	// Header says whether the first line of a CSV file names the columns. HeaderAuto takes it for a header if it has no
	// number and a column has only numbers below it, or if another option names a column (not x1, x2, …); for a row
	// if it has a number above a column of numbers and each of its words occurs again in its column. Otherwise it is an
	// error, also if its numbers have constant steps, as 0, 1, 2 or wavelengths have.
	Header Header

	// Blank are the cells of a CSV file that stand for a missing value. If it is nil, the empty
	// cell, "?", "NA", and the spellings of NaN, null and the like that pandas takes for missing. In
	// ARFF it is an unquoted ? always.
	Blank []string

	// KeepIndex keeps a first column that the file does not name (or names "Unnamed: 0"), as data frames are written
	// with the names of their rows. Without it the column is left out if its cells all differ, else it is an error.
	KeepIndex bool

	// Label names the column that becomes Y. If it is empty, the last one; in a LIBSVM file it
	// is the number before the features always. In a FASTA file it is the number, from 1, of the word
	// of a header that is the label; if it is empty there, there are no labels.
	Label string

	// Targets names several columns, two or more, that are real targets: the first becomes Dataset.Y, the
	// others Dataset.More. It takes the place of Label and Regression.
	Targets []string

	// Unlabelled says that every column is a feature and Y is nil. (A LIBSVM file holds labels
	// always; they are skipped.)
	Unlabelled bool

	// Regression says that labels are real targets. Without it they are classes, two or more: as
	// many as there are different labels. A third label that is no whole number, more than 100
	// classes, or more than one for every two points are errors that name Regression. So are more than 10
	// different numbers with fewer than 10 points each on average, or with one that a single point has, as
	// ages are, unless Nominal names the label. Of other numbers, such as grades from 3 to 9, those that are not
	// 0 … K−1 or 1 … K, or of which one has ten times the points of another, are classes with a doubt.
	Regression bool

	// Log learns the logarithms of real targets that are all above 0, such as prices, whose errors are shares of
	// them. Predictions and scores of learn.Learn and its models are in the file's unit all the same: exp of the
	// mean of log y, which is the median of y where the errors of log y are symmetric, and less than its mean.
	Log bool

	// Positive is the class that becomes +1 of two. If it is empty, the greater of two numbers or
	// the alphabetically later of two words. More than two classes are numbered in that order.
	Positive string

	// Rest says that every class but Positive becomes −1, so that a file of many classes is read
	// as one against the rest.
	Rest bool

	// Leave names columns to leave out: identifiers, dates.
	Leave []string

	// Group names a column of a CSV or ARFF file whose equal values are of one person or thing: it becomes
	// Dataset.Group, which splits keep together, and is no feature.
	Group string

	// Key names a column of a CSV or ARFF file that identifies the points: its cells differ in each row. The
	// column becomes Dataset.Key and is not a feature. Join matches rows by it.
	Key string

	// Nominal names columns whose cells are names even where they look like numbers. A column of a
	// CSV file without any number is nominal without being named here, unless it differs in each of
	// more than ten rows, as identifiers do: that is an error. It may name the label, whose numbers are classes
	// then; "label" is that of a file that names no columns.
	Nominal []string

	// Dates gives the layouts, as in package time, of columns of a CSV file that are dates: {"day": "02.01.2006"}. They
	// are read as days since 1970-01-01.
	Dates DateLayouts

	// Missing says what to do with missing cells: Refuse (the default), Drop the points that have
	// one, or Fill. A missing label can only be refused or dropped.
	Missing Policy

	// Constant says what to do with a column that has one value in all points: Accept (the
	// default) and say so in Dataset.Prepared, Refuse, or Drop it. In a LIBSVM file an index that
	// never occurs is such a column.
	Constant Policy

	// Duplicate says what to do with a point equal to an earlier one, label included: Accept (the
	// default) and say so in Dataset.Prepared, Refuse, or Drop it.
	Duplicate Policy

	// Sequence names the column of a CSV file whose cells are sequences of letters, such as proteins: they
	// become the points (points.Sequences), the label is another column, and the rest is left out.
	Sequence string

	// Dense reads a LIBSVM file into points.Rows. Without it, it becomes points.Sparse, whose features
	// points.Preprocessing{points.MaxAbs} scales: to standardize them would fill them.
	Dense bool

	// ZeroBased says that the indices of a LIBSVM file are from 0. Without it they are from 1 unless
	// an index 0 occurs.
	ZeroBased bool

	// Features is the number d of features of a LIBSVM file. If it is 0, the greatest index. A file
	// to test on needs that of the file to learn from.
	Features int

	// Labels is an NPY file with the n labels of another one, which holds only features then. If it is
	// empty, X.npy has its labels in y.npy beside it, and X_train.npy in y_train.npy, if there is such a file.
	// Of Gram matrices and similarities (OpenGrams, OpenSimilarities) it is a CSV file of one column, or NPY.
	Labels string

	// MaxBytes bounds the bytes that are read, unpacked, in every format. If it is 0, 256 MiB, and
	// what is packed may unpack to 200 times its size.
	MaxBytes int64

	// MaxIndex bounds the indices of a LIBSVM file. If it is 0, 2²⁴ = 16777216.
	MaxIndex int

	// MaxLevels bounds the different values of one nominal column. If it is 0, 256.
	MaxLevels int

	// Unseen says what Encoding.Open does with a value of a nominal column that did not occur in the file
	// it was fitted to: Accept (the default), 0 in all features of the column, or Refuse.
	Unseen Policy
}

// job is the reading of one file.
type job struct {
	Options
	matrix bool      // text is an error: every cell is a number
	labels bool      // a file of labels and groups: other columns are ignored
	like   *Encoding // of the file that it is to be read like; nil if it stands for itself

	of      func(name string) string // what a name stands for: the class of a sequence, the group of a row; or nil
	bigrams int                      // of the texts in the column Sequence, which are the features; 0 of sequences
	first   *[]string                // where the cells of a first column go that is left out or has no name, or nil
}

// Format is the format of a file.
type Format int

const (
	Auto   Format = iota // by the file's suffix
	CSV                  // text, one point a line, cells between commas
	LIBSVM               // text, one point a line: label index:value index:value …, indices from 1
	ARFF                 // text of WEKA, with declared attributes
	NPY                  // a matrix of numbers as NumPy saves it
	FASTA                // sequences of letters, each after a line that begins with >
)

var formats = [...]string{"automatic format", "csv", "libsvm", "arff", "npy", "fasta"}

// String returns the format's name.
func (f Format) String() string {
	if f < 0 || int(f) >= len(formats) {
		return fmt.Sprintf("format %d", int(f))
	}
	return formats[f]
}

// DateLayouts are layouts of dates, as in package time, by the names of columns.
type DateLayouts map[string]string

// MarshalText returns the layouts as JSON.
func (d DateLayouts) MarshalText() ([]byte, error) { return json.Marshal(map[string]string(d)) }

// UnmarshalText reads what MarshalText returns.
func (d *DateLayouts) UnmarshalText(text []byte) error {
	return json.Unmarshal(text, (*map[string]string)(d))
}

// validate returns an error if a layout has no element of package time, so that every date would be the same.
func (d DateLayouts) validate() error {
	for _, column := range slices.Sorted(maps.Keys(d)) {
		layout := d[column]
		a, b := time.Date(2001, 3, 4, 5, 6, 7, 8, time.UTC), time.Date(2012, 11, 20, 13, 14, 15, 16, time.UTC)
		if a.Format(layout) == b.Format(layout) {
			return badOption("Dates", "the layout %q of column %s has no element of package time; write 2 January 2006 as "+
				"the file writes dates, such as \"02.01.2006\"", layout, clip(column))
		}
	}
	return nil
}

// Header says whether the first line of a CSV file holds names.
type Header int

const (
	HeaderAuto Header = iota // decided by the cells, see Options.Header
	HeaderYes
	HeaderNo
)

// Policy says what a reader does with what it finds in a file.
type Policy int

const (
	Default Policy = iota // as the field of Options says
	Accept                // keep it
	Refuse                // an error that names row and column
	Drop                  // leave the point, or the column, out

	// Fill puts the mean of the present cells of the column in place of a missing number, and a
	// value of its own, attribute=?, in place of a missing name. The mean is over all points of
	// the file, and new files are filled with it (Encoding): points of the file that are set aside for
	// testing leak into it, and Dataset.Doubts says so.
	Fill
)

var policies = [...]string{"Default", "Accept", "Refuse", "Drop", "Fill"}

// String returns the policy's name.
func (p Policy) String() string {
	if p < 0 || int(p) >= len(policies) {
		return fmt.Sprintf("Policy(%d)", int(p))
	}
	return policies[p]
}

// or returns p, or q where p is Default.
func (p Policy) or(q Policy) Policy {
	if p == Default {
		return q
	}
	return p
}

const (
	maxBytes    = 256 << 20
	maxRatio    = 200      // of unpacked bytes to packed ones
	freeBytes   = 16 << 20 // unpacked, whatever the ratio
	maxIndex    = 1 << 24
	maxLevels   = 256
	mostClasses = 100

	// identifier is the number of rows above which a column of text that differs in each of them
	// is taken for an identifier: two or three different names are no sign of one.
	identifier = 10

	maxColumns = 1 << 20 // of a CSV or ARFF file

	// maxNumbers bounds the numbers of a dense matrix made from text, 1 GiB of them.
	maxNumbers = 1 << 27

	// maxSpread bounds the numbers of a dense matrix per entry of the sparse text it is made
	// from, above freeNumbers of them (32 MiB): memory stays in proportion to the file.
	maxSpread   = 128
	freeNumbers = 1 << 22
)

// unlabelled returns o for a file whose labels are skipped.
func (o Options) unlabelled() Options {
	o.Labels, o.Label, o.Targets, o.Nominal, o.Unlabelled, o.Regression, o.Log, o.Positive, o.Rest = "", "", nil, nil,
		true, false, false, "", false
	return o
}

// index is the greatest index a LIBSVM file may have.
func (o *Options) index() int {
	if o.MaxIndex > 0 {
		return o.MaxIndex
	}
	return maxIndex
}
