package data

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/mklnb/mkl/data/internal/sheet"
)

// Options states how a file is read. Open uses the zero value; datasets.Load uses the options of each dataset.
// Ambiguous input is an error that names the option.
type Options struct {
	// Name is the name of the dataset. If it is empty, it is the name of the file without folder and suffix.
	Name string

	// Format is the format of the file. If it is Auto, the suffix decides: .csv, .tsv, .txt, .dat and .data; .libsvm,
	// .svm, .svmlight and .t; .arff; .npy; .fa, .fasta and .faa. Each may be followed by .gz.
	Format Format

	// Comma separates the cells of a CSV file; ' ' stands for runs of blanks and tabs. If it is 0, the suffix .tsv or a
	// first line such as sep=; decides. Without these, exactly one of comma, semicolon, tab and | must cut every row
	// into the same number of cells. Runs of blanks are tried if none of the four is in every row. It is an error if
	// several fit, or if one is in every row and does not fit. Dataset.Preparation names the separator if it is not a
	// comma.
	Comma rune

	// Decimal is the decimal mark of the numbers in a CSV file, '.' or ','; 0 stands for '.'. A decimal mark ',' does
	// not separate cells.
	Decimal rune

	// Thousands is the thousands separator of the numbers of a CSV file, such as ',' in 1,234.5; ' '
	// stands for any single space. If it is 0, a number with such groups is an error.
	Thousands rune

	// Comment is the beginning of the lines of a CSV file that are comments, such as "#". Between two blanks, outside
	// quotes, it also begins a comment at the end of a row. If it is empty, a comment is a row or an error.
	Comment string

	// SkipRows is the number of lines before the header or the first row of a CSV file, such as a title. SkipFooter is
	// the number of lines with text after the last row, such as totals or a source.
	SkipRows, SkipFooter int

	// UnitLine states that the line below the header of a CSV file holds units or types of the columns and is no row.
	UnitLine bool

	// NumberRepeatedNames names the second of two columns "a" of a CSV file "a.1", as pandas and R do. Without it, two
	// columns of one name are an error.
	NumberRepeatedNames bool

	// Header states whether the first line of a CSV file names the columns. HeaderAuto decides by the cells:
	//   - The line is a header if it has no number and a column has only numbers below it, or if another option names a
	//     column (other than x1, x2, …).
	//   - The line is a row if it has a number above a column of numbers, and its words occur again in their columns.
	//   - Any other line is an error, and so are the only line that begins with #, numbers that ascend or have constant
	//     steps, such as 0, 1, 2, and numbers after an empty first cell, such as ,2020.
	// A header may have one name less than the rows have cells if only the first cells of the rows are quoted, as R
	// writes names of rows, or with HeaderYes.
	Header Header

	// MissingMarkers lists the cells of a CSV file that stand for a missing value. If it is nil, these are the empty
	// cell, "?", "NA", and the other markers that pandas reads as missing. In ARFF files the marker is always an
	// unquoted ?.
	MissingMarkers []string

	// KeepIndexColumn keeps a first column that the file does not name (or names "Unnamed: 0"). Data frames are written
	// with such a column for the names of their rows. Without KeepIndexColumn, the column is dropped if its cells all
	// differ. Two equal cells are an error.
	KeepIndexColumn bool

	// Label names the column that becomes Y. If it is empty, the last column does. In a LIBSVM file the label is always
	// the number before the features. In a FASTA file Label is the position, from 1, of the label among the words of
	// each header; if it is empty, a FASTA file has no labels.
	Label string

	// Targets names two or more columns that are real targets (multi-output). The first becomes Dataset.Y, the others
	// Dataset.ExtraTargets. It replaces Label and Regression.
	Targets []string

	// Unlabeled makes every column a feature and Y nil. The labels of a LIBSVM file are skipped.
	Unlabeled bool

	// Regression makes the labels real targets. Without it, the different labels are the names of the K classes, K ≥ 2.
	// An error then says that Regression may be meant if a third label is not a whole number, if K > 100, if there is
	// more than one class for every two points, or if there are more than 10 classes, all numbers, and Categorical does
	// not name the label. Dataset.Doubts mentions other classes that are numbers, unless these are 0 … K−1 or 1 … K.
	Regression bool

	// LogTargets learns the logarithms of real targets, which must be above 0, such as prices. Predictions and scores
	// remain in the unit of the file: a prediction is exp of the mean of log y. This is the median of y if the errors
	// of log y are symmetric, and less than the mean of y.
	LogTargets bool

	// PositiveClass is the class that becomes +1 if there are two. If it is empty, the class +1 is the greater of two
	// numbers or the alphabetically later of two words. More classes are numbered in ascending or alphabetical order.
	PositiveClass string

	// DropColumns names columns to leave out, such as identifiers.
	DropColumns []string

	// Group names a column of a CSV or ARFF file with the person or thing that each row belongs to. The column becomes
	// Dataset.Group and is not a feature. Splits keep the rows of a group together.
	Group string

	// IndependentRows states that rows with the same value of a column are not several measurements of one person or
	// thing. Without it and Group, it is an error if all rows of each repeated value have the same label, and there are
	// ten or more such values of words or whole numbers, in at least half of the rows.
	IndependentRows bool

	// Key names a column of a CSV or ARFF file that identifies the points: its cells differ in each row. The column
	// becomes Dataset.Keys and is not a feature. Join matches rows by it. In the file of labels of matrices
	// (LabelFile), it holds the names that the matrices have for the points.
	Key string

	// Categorical names columns whose cells are names even if they look like numbers. Columns of a CSV file without
	// numbers are always categorical. Such a column must be listed here if all its cells differ in more than ten rows,
	// as identifiers do. Categorical may name the column of the label, or "label" in LIBSVM, NPY and FASTA files.
	Categorical []string

	// Dates maps columns of a CSV file that are dates to their layouts, as in package time:
	// DateLayouts{"day": "02.01.2006"}. A date is read as the number of days since 1970-01-01.
	Dates DateLayouts

	// Units maps columns of a CSV file to the unit that each of their cells has before or after its number:
	// Units{"weight": "kg"} reads 5 kg as 5. A cell without the unit is an error.
	Units Units

	// Missing states what happens to missing cells: Refuse (the default), Drop the points that have one, or Fill. A
	// missing label can only be refused or dropped.
	Missing Policy

	// DropDuplicates drops points that equal an earlier one, label, group and Key included.
	DropDuplicates bool

	// Sequence names the column of a CSV file whose cells are sequences of letters, such as proteins. They become the
	// points (points.Sequences). All columns but this one, the label, Group and Key are dropped.
	Sequence string

	// ZeroBased states that the indices of a LIBSVM file start at 0. Without it, they start at 1 unless an index 0
	// occurs.
	ZeroBased bool

	// LabelFile names the file with the n labels of Gram matrices and similarities (OpenGrams, OpenSimilarities). It is
	// an NPY file, a CSV file with one label a line, a CSV file with names of points and labels, or, if Label, Group,
	// Key or Targets is set, a CSV table.
	LabelFile string
}

// job holds the options and the state of reading one file.
type job struct {
	Options
	isMatrixFile bool      // the file is read as a matrix of numbers
	labelCount   int       // number of points in other files whose labels this file holds; 0 for other files
	training     *Encoding // the encoding of the training file; nil if this is a training file
}

// Format is the format of a file.
type Format int

const (
	Auto   Format = iota // the file's suffix decides
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

// DateLayouts maps the names of columns to layouts of dates, as in package time.
type DateLayouts map[string]string

// MarshalText returns the layouts as JSON, because package registry stores a map only if it has this method.
func (d DateLayouts) MarshalText() ([]byte, error) { return json.Marshal(map[string]string(d)) }

// UnmarshalText reads what MarshalText returns.
func (d *DateLayouts) UnmarshalText(text []byte) error {
	return json.Unmarshal(text, (*map[string]string)(d))
}

// Units maps the names of columns to units, as in Options.Units.
type Units map[string]string

// MarshalText returns the units as JSON, because package registry stores a map only if it has this method.
func (u Units) MarshalText() ([]byte, error) { return json.Marshal(map[string]string(u)) }

// UnmarshalText reads what MarshalText returns.
func (u *Units) UnmarshalText(text []byte) error {
	return json.Unmarshal(text, (*map[string]string)(u))
}

// fault returns what is wrong if a layout does not read back the date that it writes. Such a layout has no element of
// package time, a day without a year, a year of two digits, or an hour up to 12 without PM. The name of a time zone is
// an error too, because package time does not read it reliably.
func (d DateLayouts) fault() string {
	sampleTime := time.Date(1950, 11, 23, 15, 4, 5, 0, time.UTC)
	for _, column := range slices.Sorted(maps.Keys(d)) {
		layout := d[column]
		parsedTime, err := time.Parse(layout, sampleTime.Format(layout))
		hour := parsedTime.Hour()
		isDate := parsedTime.Year() == 1950 && (hour == 0 || hour == 15)
		isTime := parsedTime.Year() == 0 && parsedTime.YearDay() == 1 && hour == 15
		if err != nil || !isDate && !isTime || strings.Contains(layout, "MST") {
			return fmt.Sprintf("the layout %q of column %s does not determine a date; write 2 January 2006 as "+
				"the file writes dates, such as \"02.01.2006\", with four digits of the year, hours as 15 or 03 PM, "+
				"and time zones as offsets such as -0700", layout, sheet.Quote(column))
		}
	}
	return ""
}

// Header states whether the first line of a CSV file names the columns.
type Header int

const (
	HeaderAuto Header = iota // the cells decide whether there is a header, as Options.Header describes
	HeaderYes
	HeaderNo
)

// Policy states what a reader does with missing cells.
type Policy int

const (
	Refuse Policy = iota // a missing cell is an error that names row and column
	Drop                 // drop each point with a missing cell

	// Fill replaces a missing number by the mean of the column, and a missing name by the additional value column=?.
	// The mean is taken over all points of the file and is used for new files too (Encoding). Points that are set aside
	// for testing therefore influence it; Dataset.Doubts mentions this.
	Fill
)

var policies = [...]string{"Refuse", "Drop", "Fill"}

// String returns the policy's name.
func (p Policy) String() string {
	if p < 0 || int(p) >= len(policies) {
		return fmt.Sprintf("Policy(%d)", int(p))
	}
	return policies[p]
}

const (
	maxBytes   = 256 << 20 // largest size of a file, packed and unpacked
	maxIndex   = 1 << 24   // largest index in a LIBSVM file
	maxLevels  = 256       // largest number of levels of a nominal column
	maxClasses = 100

	// identifierRows limits columns of text: a column with more rows, all of them different, is taken for an
	// identifier.
	identifierRows = 10

	// maxNumbers is the largest number of entries of a dense matrix that is read from text: 1 GiB.
	maxNumbers = 1 << 27
)
