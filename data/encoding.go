package data

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/registry"
	"github.com/mklnb/mkl/data/internal/sheet"
)

// init registers Encoding, which the files of models contain.
func init() {
	registry.Register(Encoding{})
}

// Encoding describes how the columns of a file become features: names of columns, values of nominal columns, the values
// that fill missing cells, and the format of the file. It is fitted to the training file, from which a dataset was read
// (Dataset.Encoding), and makes the same features from another file:
//
//	train := nb.Open("train.csv")
//	test, err := train.Encoding.Open("test.csv")
//
// A model stores it, so that model.Model.PredictFile needs only the new file. It is plain data.
//
// Columns of CSV and ARFF files are matched by name, in any order. Other columns are ignored, and a missing column is
// an error. Columns without names are matched by position. If a value of a nominal column did not occur in the training
// file, all features of the column are 0; Dataset.Doubts counts these rows, and Dataset.UnseenValues lists the values.
// With Options.Missing: Fill, a missing number is replaced by the mean of its column in the training file. Otherwise a
// missing cell is an error.
type Encoding struct {
	Options Options // how files are read; its fields may be changed between files
	// Columns are the columns of a CSV or ARFF file that became features, in the order of the file. It is nil for
	// sequences, which are the cells of one column (Options.Sequence) or a FASTA file.
	Columns            []Column
	UnnamedColumnCount int  // the number of columns of a CSV file without names of columns; 0 for any other file
	HasRowNames        bool // a CSV file has names of its rows in a first column without a name

	// The next two fields describe the label in the training file.
	Label   string   // name of the column of the label or of the first target; empty if there is none
	Classes []string // the names of the classes (Dataset.Classes) when the file was read

	// Keep lists the features of the dataset, as indices from 0 among all features that the columns of the file or the
	// matrix become. nil means all.
	Keep []int

	// FeatureCount is the number of features of an NPY or LIBSVM file or, if Grams is set, the number of training
	// points.
	FeatureCount int

	Names []string // names of the training points, if Grams is set and the files have names

	Parts []Part   // the joined files (Join); if set, the other fields are empty
	Grams []string // names of the kernels (OpenGrams) or of the similarities (OpenSimilarities) of the points
}

// Column is a column of a file and describes the features that it becomes.
type Column struct {
	Name string

	// Levels are the values of a nominal column. Each becomes a 0/1 feature named column=value. nil for numbers.
	Levels []string

	// HasMissingLevel states that missing cells of a nominal column have a separate feature, column=?.
	HasMissingLevel bool

	// Mean is the mean of the numbers of the column in the training file. It replaces missing cells.
	Mean float64
}

func (c *Column) featureNames() []string {
	if c.Levels == nil {
		return []string{c.Name}
	}
	var names []string
	for _, l := range c.Levels {
		names = append(names, c.Name+"="+l)
	}
	if c.HasMissingLevel {
		names = append(names, c.Name+"=?")
	}
	return names
}

// selectFeatures returns e restricted to the features with the given indices. It returns nil if e describes matrices,
// which have no features.
func (e *Encoding) selectFeatures(cols []int) *Encoding {
	if e == nil || e.Grams != nil {
		return nil
	}
	s := *e
	if s.Keep = slices.Clone(cols); e.Keep != nil {
		s.Keep = points.Pick(e.Keep, cols)
	}
	return &s
}

// dropUnselectedFeatures drops all features except e.Keep from d, which was read with e, and sets d.Encoding to e.
func (e *Encoding) dropUnselectedFeatures(d *Dataset) error {
	if e.Keep != nil {
		for _, j := range e.Keep {
			if j < 0 || j >= d.Dim() {
				return fmt.Errorf("Encoding.Keep contains feature %d, but there are %d features", j+1, d.Dim())
			}
		}
		d.X = d.X.Columns(e.Keep)
	}
	d.Encoding = e
	return nil
}

// Open reads a file like the one that e was fitted to, with the same features in the same order. It reads labels if the
// file has them. The name of the file decides the format. If e is fitted to several files (Join, OpenGrams), pass as
// many in the same order.
func (e Encoding) Open(paths ...string) (*Dataset, error) {
	return prefixError(e.open(paths, false))
}

// OpenPoints reads the points of a file like the one that e was fitted to, for a model. Every row of the file is a
// point, and labels are skipped. Dataset.UnseenValues lists, for each point, the values that did not occur in the
// training file, and Dataset.FilledColumns the columns whose missing numbers were filled.
func (e Encoding) OpenPoints(paths ...string) (*Dataset, error) {
	return prefixError(e.open(paths, true))
}

// open opens the files that describe a dataset like the one that e was fitted to. If unlabeled is set, every row
// becomes a point, and labels are skipped.
func (e *Encoding) open(paths []string, unlabeled bool) (*Dataset, error) {
	switch {
	case e.Parts != nil:
		return e.openAndJoin(paths, unlabeled)
	case e.Grams != nil:
		return e.openMatricesOfNewPoints(paths, unlabeled)
	case len(paths) != 1:
		return nil, fmt.Errorf("got %s; pass one file like %s", sheet.Count(len(paths), "file"),
			sheet.Quote(e.Options.Name))
	}
	return e.openFile(paths[0], unlabeled, !unlabeled)
}

// openFile opens a file like the one that e was fitted to. If unlabeled is set, every row becomes a point, and labels
// are skipped. If withGroups is set, the groups are read if the file has them.
func (e *Encoding) openFile(path string, unlabeled, withGroups bool) (*Dataset, error) {
	optionsOfSuffix := Options{}.withFormatOf(path)
	o, err := e.newReadOptions(optionsOfSuffix.Format, unlabeled)
	if err != nil {
		return nil, fileError(path, err)
	}
	if !withGroups {
		o.Group = ""
	}
	if optionsOfSuffix.Comma != 0 && o.Format == CSV { // the name of the file ends in .tsv
		o.Comma = optionsOfSuffix.Comma
	}
	return o.openWithEncoding(path, e)
}

// newReadOptions returns options that read a file of format f in the same way as the training file of e. If unlabeled
// is set, every row becomes a point without a label. A format that cannot hold the same columns is an error.
func (e *Encoding) newReadOptions(f Format, unlabeled bool) (Options, error) {
	o := e.Options
	switch {
	case f == Auto || f == o.Format:
	case f == FASTA && o.Sequence != "": // both CSV and FASTA files can hold sequences
		o = Options{Format: FASTA}
	default:
		return o, fmt.Errorf("the format is %v, but the training file has %v; pass a file in this format", f, o.Format)
	}
	o.Name, o.LabelFile, o.DropDuplicates, o.DropColumns, o.Categorical = "", "", false, nil, nil
	if unlabeled {
		o.LabelFile, o.Label, o.Targets, o.Categorical, o.PositiveClass = "", "", nil, nil, ""
		o.Unlabeled, o.Regression, o.LogTargets = true, false, false
		if o.Missing == Drop {
			o.Missing = Refuse
		}
	}
	return o, nil
}

// targetNames returns the names of the columns of the label, or of several targets, in the training file.
func (e *Encoding) targetNames() []string {
	switch {
	case e.Label == "":
		return nil
	case e.Options.Targets != nil:
		return e.Options.Targets
	}
	return []string{e.Label}
}

// columnNamesByPosition returns the names in e for the columns of a file without names. columnCount must be the number
// of columns of the training file, with or without the label or the targets.
func (e *Encoding) columnNamesByPosition(columnCount int) ([]string, error) {
	names := numberedNames(e.UnnamedColumnCount)
	switch {
	case columnCount == len(names):
		return names, nil
	case e.Label != "" && columnCount == len(names)-len(e.targetNames()):
		return slices.DeleteFunc(names, func(s string) bool { return slices.Contains(e.targetNames(), s) }), nil
	}
	expectedCountText := fmt.Sprint(len(names))
	if e.Label != "" {
		expectedCountText += fmt.Sprintf(", or %d without the label", len(names)-len(e.targetNames()))
	}
	return nil, fmt.Errorf("got %s without a header, as in the training file; give %s",
		sheet.Count(columnCount, "column"), expectedCountText)
}

// newEncoding returns the encoding of t, the table of a training file. columns describe the columns that became
// features.
func (t *table) newEncoding(columns []Column) *Encoding {
	e := &Encoding{Options: t.o.Options, Columns: columns, HasRowNames: t.hasRowNames}
	if e.Options.Format == CSV && e.Options.MissingMarkers == nil {
		e.Options.MissingMarkers = slices.Clone(defaultMissingMarkers) // a file of a model states every marker
	}
	if t.isUnnamed {
		e.UnnamedColumnCount = len(t.columns)
	}
	if t.targets != nil {
		e.Label = t.targets[0].name
	}
	return e
}

// FileColumn is a column of a dataset's file with its features: one feature for a column of numbers, one for each level
// of a nominal column.
type FileColumn struct {
	Name     string
	Features []int    // indices of the features, from 0
	Levels   []string // for a nominal column: the value that each feature stands for; otherwise nil
	// DateLayout is for a column of dates: their layout in the file (Options.Dates). Otherwise it is "".
	DateLayout string
}

// FormatDate returns the date of a number of days since 1970-01-01, in the layout of the column.
func (c FileColumn) FormatDate(days float64) string {
	return time.Unix(int64(math.Round(days*86400)), 0).UTC().Format(c.DateLayout)
}

// dateLayout returns the layout of the dates in a column, or "" if the column has no dates.
func (e *Encoding) dateLayout(column string) string {
	for _, p := range e.Parts {
		if name, ok := strings.CutPrefix(column, p.Name+"."); ok {
			return p.Encoding.dateLayout(name)
		}
	}
	return e.Options.Dates[column]
}

// FileColumns returns the columns of the file that d was read from, or the features of d if the file is not known.
func (d *Dataset) FileColumns() (columns []FileColumn) {
	levelByFeature := map[string][2]string{} // column and level of each indicator feature
	if d.Encoding != nil {
		d.Encoding.fillLevelByFeature(levelByFeature, "")
	}
	columnIndex := map[string]int{} // name of a nominal column → its index in columns
	for j, name := range d.Features() {
		n, isIndicator := levelByFeature[name]
		if !isIndicator {
			column := FileColumn{Name: name, Features: []int{j}}
			if d.Encoding != nil {
				column.DateLayout = d.Encoding.dateLayout(name)
			}
			columns = append(columns, column)
			continue
		}
		k, ok := columnIndex[n[0]]
		if !ok {
			k = len(columns)
			columnIndex[n[0]], columns = k, append(columns, FileColumn{Name: n[0]})
		}
		columns[k].Features, columns[k].Levels = append(columns[k].Features, j), append(columns[k].Levels, n[1])
	}
	return columns
}

// fillLevelByFeature fills a map from the name of a 0/1 feature to the name of its nominal column and to the value that
// the feature stands for. columnPrefix is put before the names of columns, as in joined files (Join).
func (e *Encoding) fillLevelByFeature(levelByFeature map[string][2]string, columnPrefix string) {
	for _, p := range e.Parts {
		p.Encoding.fillLevelByFeature(levelByFeature, columnPrefix+p.Name+".")
	}
	for _, c := range e.Columns {
		for _, l := range c.Levels {
			levelByFeature[columnPrefix+c.Name+"="+l] = [2]string{columnPrefix + c.Name, l}
		}
		if c.HasMissingLevel {
			levelByFeature[columnPrefix+c.Name+"=?"] = [2]string{columnPrefix + c.Name, "?"}
		}
	}
}
