package data

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data/internal/npy"
	"github.com/mklnb/mkl/data/internal/sheet"
)

// addLabels reads the labels of the points in r from a file, and the groups if Options.Group names a column of it.
func (r *datasetBuilder) addLabels(path string) error {
	options := Options{}.withFormatOf(path)
	raw, _, err := options.readPath(path)
	switch {
	case err != nil:
	case options.Format == CSV:
		labelJob := *r.o
		labelJob.Options.Format, labelJob.Header, labelJob.labelCount = CSV, HeaderAuto, r.X.Len()
		labelJob.SkipRows, labelJob.SkipFooter = 0, 0
		err = labelJob.readLabelTable(raw, r)
	case r.o.hasLabelColumnNames():
		err = errors.New("Options.Label, Group, Key and Targets name columns, which only a csv file has; remove them")
	case options.Format != NPY:
		err = errors.New("the file is neither csv nor npy; save the labels in one of these formats")
	default:
		var y points.Rows
		if y, _, err = npy.Read(raw); err == nil {
			err = r.addNumericLabels(y, "label")
		}
	}
	if err != nil {
		return fileError(path, err)
	}
	r.labelFile = filepath.Base(path)
	r.Source += ", labels from " + r.labelFile
	return nil
}

// hasLabelColumnNames reports whether an option names columns of a file of labels.
func (o *Options) hasLabelColumnNames() bool {
	return o.Label != "" || o.Group != "" || o.Targets != nil || o.Key != ""
}

// addNumericLabels adds the labels in y, which must have one column, as a target of the given name.
func (r *datasetBuilder) addNumericLabels(y points.Rows, name string) error {
	if y.N != r.X.Len() || y.D != 1 {
		return fmt.Errorf("%s: the shape is (%d, %d); give one label for each of %d points", name, y.N, y.D, r.X.Len())
	}
	t := newTarget(r.o, name)
	for i, v := range y.Data {
		position := func() string { return fmt.Sprintf("row %d, %s", i+1, name) }
		if err := t.addLabel(sheet.FormatNumber(v), sheet.NumberFormat{}, position); err != nil {
			return err
		}
	}
	r.targets = []*target{t}
	return nil
}

// readLabelTable reads a CSV file of labels, with or without a header. Without Options.Label, Group and Targets, the
// file must have one column.
func (o *job) readLabelTable(raw []byte, r *datasetBuilder) error {
	g, err := o.readGrid(raw)
	if err != nil {
		return err
	}
	isHeader, err := o.hasLabelHeader(g)
	if err != nil {
		return err
	}
	names, err := o.removeHeader(g, isHeader)
	if err != nil {
		return err
	}
	t := &table{o: o, rows: g.Rows, format: o.format(), isMissing: o.missingMarkers(g.Rows, o.format()),
		hasRowNames: isHeader && g.ColumnCount > 1 && (names[0] == "" || names[0] == unnamedIndex)}
	if g.ColumnCount == 1 && (!isHeader || names[0] == "") {
		names[0] = "label"
	}
	if o.training != nil && !slices.Contains(names, o.Group) { // a score does not need the groups
		o.Group = ""
	}
	if err := t.applyOptions(names); err != nil {
		return err
	}
	if t.rows, err = t.dropMissing(); err != nil {
		return err
	}
	if r.Keys, err = t.orderByNames(r.Keys); err != nil {
		return err
	}
	pointNames := r.Keys
	if !o.hasLabelColumnNames() && g.ColumnCount > 1 &&
		(g.ColumnCount > 2 || areSerialNumbers(pointNames) && !t.hasRowNames) {
		return fmt.Errorf("the file has %d columns, expected one; name the column of labels in Options.Label",
			g.ColumnCount)
	}
	r.targets = t.targets
	err = t.readRoles(r)
	r.Keys = pointNames
	return err
}

// hasLabelHeader reports whether a file of labels has a header: one row more than there are points. It is an error if
// the header may be a label: a number other than 0 (pandas writes 0 as a name), a label that occurs below it, or a
// class of the training file. Without a header it is an error if the first label is a word and the others are numbers.
func (o *job) hasLabelHeader(g *sheet.Grid) (bool, error) {
	n, firstRow, format := o.labelCount, g.Rows[0], o.format()
	isHeader := len(g.Rows) == n+1
	if len(g.Rows) != n && !isHeader {
		return false, fmt.Errorf("got %s of labels; give one label for each of %d points", sheet.Count(len(g.Rows),
			"row"), n)
	}
	missingFirstCells := g.ColumnCount - len(firstRow.Cells)
	for j, s := range firstRow.Cells {
		cellsBelow := sheet.Column(g.Rows[1:], j+missingFirstCells)
		isNumber := format.IsNumberInAnyFormat(s)
		isLabel := s != "0" && isNumber || slices.Contains(cellsBelow, s) ||
			o.training != nil && slices.Contains(o.training.Classes, s)
		switch {
		case s == "" && j == 0:
		case isHeader && isLabel:
			return false, fmt.Errorf("got %s; give one label for each of %d points, after at most one line of names; "+
				"%s on line %d is a label, no name", sheet.Count(len(g.Rows), "row"), n, sheet.Quote(s),
				firstRow.LineNumber)
		case !isHeader && !isLabel && o.training != nil && o.training.Classes != nil && n > 1 &&
			!slices.ContainsFunc(cellsBelow, func(s string) bool { return !slices.Contains(o.training.Classes, s) }):
			return false, fmt.Errorf("line %d: %s is not a class of the training file, but the labels below it are; "+
				"if it names the column, a label is missing: got %d labels for %d points", firstRow.LineNumber,
				sheet.Quote(s), len(g.Rows)-1, n)
		case !isHeader && !isNumber && n > 1 && format.AreNumbers(cellsBelow) && !slices.Contains(cellsBelow, ""):
			return false, fmt.Errorf("line %d: %s is not a number, but the labels below it are; if it names the "+
				"column, add the label that is missing, otherwise write a number", firstRow.LineNumber, sheet.Quote(s))
		}
	}
	return isHeader, nil
}

// SplitLabels returns Y, or −Y if Options.PositiveClass exchanged the classes. Splits that are drawn from it do not
// depend on this option: see fit.Holdout.
func (d *Dataset) SplitLabels() []float64 {
	if !d.ClassesExchanged {
		return d.Y
	}
	y := slices.Clone(d.Y)
	floats.Scale(-1, y)
	return y
}
