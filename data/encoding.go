package data

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/registry"
)

func init() {
	registry.Register(Encoding{})
}

// Encoding is everything between a file and its features: names of columns, values of nominal ones,
// what fills a missing cell, how the file is written. It is fitted to the file that a dataset was read
// from (Dataset.Encoding) and makes the same features of another one:
//
//	train := nb.Open("train.csv")
//	test, err := train.Encoding.Open("test.csv")
//
// A model keeps it, so that model.Model.PredictFile needs nothing but the new file. It is plain data.
//
// Columns of CSV and ARFF files are matched by their names: in any order, others are ignored, one that
// is not there is an error; columns without names are matched by their places. A value of a nominal
// column that did not occur is 0 in all its features (Dataset.Doubts counts the rows, Dataset.Unseen names
// them), or an error with Options.Unseen: Refuse. With
// Options.Missing: Fill a missing number is the mean of the file that was fitted to; otherwise a
// missing cell is an error.
type Encoding struct {
	Options Options // how files are read; its fields may be changed between files
	// of a CSV or ARFF file: those that became features, in the file's order; of Grams, where a CSV file names their
	// points, these
	Columns []Column
	Unnamed int // the number of columns of a CSV file that does not name them, else 0
	// Of sequences there are no Columns; a model of them predicts for FASTA files too.
	Label   string   // name of the label's column, of several targets of the first; empty where there is none
	NoName  bool     // the label's column is there and its name is empty
	Classes []string // as Dataset.Classes when it was read

	// Keep are the numbers, from 0, of the features that the dataset has, of all that the columns (or
	// the columns of a matrix) become; nil for all.
	Keep []int

	// Width is the number of columns of features of an NPY file, or of points that Grams are of.
	Width int

	Parts []Part   // of points of several files (Join); then there is nothing else
	Grams []string // names of the kernels of points given by Gram matrices (OpenGrams), or of their similarities

	Similar bool // Grams are of similarities (OpenSimilarities)
}

// Column is a column of a file and what it becomes.
type Column struct {
	Name string

	// Levels are the values of a nominal column, each a feature 0/1 named column=value; nil of numbers.
	Levels []string

	// Gap says that a missing cell of a nominal column is a feature of its own, column=?.
	Gap bool

	// Mean of the numbers, which fills a missing one.
	Mean float64
}

// features are the names of the features that c becomes.
func (c *Column) features() []string {
	if c.Levels == nil {
		return []string{c.Name}
	}
	var names []string
	for _, l := range c.Levels {
		names = append(names, c.Name+"="+l)
	}
	if c.Gap {
		names = append(names, c.Name+"=?")
	}
	return names
}

// take returns e for the features of the given numbers alone, of those that it gives; columns that have
// none of them are forgotten.
func (e *Encoding) take(cols []int) *Encoding {
	if e == nil || e.Grams != nil {
		return nil
	}
	s := *e
	s.Keep = slices.Clone(cols)
	for k, j := range cols {
		if e.Keep != nil {
			s.Keep[k] = e.Keep[j]
		}
	}
	if e.Columns == nil {
		return &s
	}
	s.Columns = nil
	first, gone := 0, 0 // of the features of a column
	moved := map[int]int{}
	for _, c := range e.Columns {
		last := first + len(c.features())
		if !slices.ContainsFunc(s.Keep, func(j int) bool { return first <= j && j < last }) {
			gone += last - first
		} else {
			s.Columns = append(s.Columns, c)
		}
		for j := first; j < last; j++ {
			moved[j] = j - gone
		}
		first = last
	}
	for k, j := range s.Keep {
		s.Keep[k] = moved[j]
	}
	return &s
}

// keep leaves the features that e keeps in a dataset that was read like its file.
func (e *Encoding) keep(d *Dataset) error {
	if e.Keep != nil {
		for _, j := range e.Keep {
			if j < 0 || j >= d.Dim() {
				return fmt.Errorf("the encoding keeps feature %d of %d", j+1, d.Dim())
			}
		}
		d.X = d.X.(points.Featured).Columns(e.Keep)
	}
	d.Encoding = e
	return nil
}

// Open reads a file like the one that e was fitted to: the same features in the same order, with labels
// where the file has them. The format follows the file's name. Points of several files (Join, OpenGrams)
// take as many, in the same order; where their names say another order, that is an error.
func (e Encoding) Open(paths ...string) (*Dataset, error) { return e.open(paths, false) }

// Points reads the points of a file like the one that e was fitted to, for a model: every row of the
// file is one, and labels are skipped.
func (e Encoding) Points(paths ...string) (points.Points, error) {
	z, _, err := e.PointsUnseen(paths...)
	return z, err
}

// PointsUnseen is Points, and Dataset.Unseen of them.
func (e Encoding) PointsUnseen(paths ...string) (z points.Points, unseen []string, err error) {
	d, err := e.open(paths, true)
	if err != nil {
		return nil, nil, err
	}
	return d.X, d.Unseen, nil
}

func (e *Encoding) open(paths []string, all bool) (*Dataset, error) {
	switch {
	case e.Parts != nil:
		return e.join(paths, all)
	case e.Grams != nil:
		return e.cross(paths, all)
	case len(paths) != 1:
		return nil, fmt.Errorf("data: %s, want one, like %s", count(len(paths), "file"), clip(e.Options.Name))
	}
	return e.openFile(paths[0], all, !all)
}

// openFile opens a file like the one that e was fitted to. If grouped is set, the groups are read if the file has them.
func (e *Encoding) openFile(path string, all, grouped bool) (*Dataset, error) {
	o, err := e.options(Options{}.suffix(path).Format, all)
	if err != nil {
		return nil, fmt.Errorf("data: %s: %w", filepath.Base(path), err)
	}
	if !grouped {
		o.Group = ""
	}
	if named := (Options{}).suffix(path); named.Comma != 0 && o.Format == CSV { // .tsv
		o.Comma = named.Comma
	}
	return o.openLike(path, e)
}

// options are how a file of format f is read like the one that e was fitted to; all says that every row
// is to become a point, without a label.
func (e *Encoding) options(f Format, all bool) (Options, error) {
	o := e.Options
	table := func(f Format) bool { return f == CSV || f == ARFF }
	switch {
	case f == Auto || f == o.Format:
	case f == FASTA && o.Sequence != "": // sequences all the same
		o = Options{Format: FASTA, MaxBytes: o.MaxBytes}
	case table(f) && table(o.Format):
		o.Format, o.Comma, o.Decimal, o.Thousands, o.Header = f, 0, 0, 0, HeaderAuto
		o.MissingMarkers, o.KeepIndex, o.Dates = nil, false, nil
	default:
		return o, fmt.Errorf("the format is %v, that of the file learned from %v", f, o.Format)
	}
	o.Name, o.Title = "", ""
	o.Labels, o.Constant, o.Duplicate, o.DropColumns, o.Categorical = "", Accept, Accept, nil, nil
	if all {
		o = o.unlabelled()
		if o.Missing == Drop {
			o.Missing = Refuse
		}
	}
	return o, nil
}

// targets are the columns of the label, or of several targets, in the fitted file.
func (e *Encoding) targets() []string {
	switch {
	case e.Label == "" && !e.NoName:
		return nil
	case e.Options.Targets != nil:
		return e.Options.Targets
	}
	return []string{e.Label}
}

// noneNamed is the error of a file that names none of the columns that it needs.
type noneNamed struct {
	error
	others bool // it names others
}

// match marks the columns of t that e needs and leaves the others out.
func (t *table) match(e *Encoding) error {
	names := make([]string, len(t.cols))
	for j, c := range t.cols {
		names[j] = c.name
	}
	need := make(map[string]int, len(e.Columns))
	for k, c := range e.Columns {
		need[c.Name] = k
	}
	used := 0
	var ignored []string
	for _, c := range t.cols {
		k, ok := need[c.name]
		if !ok || c.isRowNames && !e.Options.KeepIndex {
			c.kind = left
			if !slices.Contains(e.targets(), c.name) && !c.isRowNames && c.name != e.Options.Group &&
				c.name != e.Options.Key {
				ignored = append(ignored, c.name)
			}
			continue
		}
		used++
		if c.fitted, c.place, c.kind = &e.Columns[k], k, numbers; c.fitted.Levels != nil {
			c.kind = nominal
		}
	}
	if used < len(e.Columns) {
		var missing []string
		present := make(map[string]bool, len(t.cols))
		for _, c := range t.cols {
			present[c.name] = c.fitted != nil
		}
		for _, c := range e.Columns {
			if !present[c.Name] {
				missing = append(missing, c.Name)
			}
		}
		hint := fmt.Sprintf(": there are %s", some(names))
		if len(missing) == 1 {
			hint = suggest(missing[0], names)
		}
		err := fmt.Errorf("no column %s of the file learned from%s", some(missing), hint)
		if used == 0 {
			return noneNamed{err, !t.unnamed && !hasNumber(names)}
		}
		return err
	}
	if len(ignored) > 0 {
		t.notes = append(t.notes, "columns ignored: "+some(ignored))
	}
	return nil
}

// places gives the columns of a file without names those that e knows: as many as the fitted file has,
// or one fewer, without the label.
func (e *Encoding) places(n int) ([]string, error) {
	var names []string
	for j := range e.Unnamed {
		names = append(names, fmt.Sprintf("x%d", j+1))
	}
	switch {
	case n == len(names):
		return names, nil
	case e.Label != "" && n == len(names)-len(e.targets()):
		return slices.DeleteFunc(names, func(s string) bool { return slices.Contains(e.targets(), s) }), nil
	}
	want := fmt.Sprint(len(names))
	if e.Label != "" {
		want += fmt.Sprintf(", or %d without the label", len(names)-len(e.targets()))
	}
	return nil, fmt.Errorf("%s, the file learned from names none: want %s", count(n, "column"), want)
}

// fit is the encoding of a table that was read.
func (t *table) fit(columns []Column) *Encoding {
	e := &Encoding{Options: t.o.Options, Columns: columns}
	if t.unnamed {
		e.Unnamed = len(t.cols)
	}
	if t.at >= 0 {
		e.Label = t.cols[t.at].name
		e.NoName = e.Label == ""
	}
	return e
}
