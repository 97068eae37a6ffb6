package data

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/points"
)

// labelFile is a file with the labels, and perhaps the groups, of points that are in other files.
type labelFile struct {
	n         int      // number of points
	names     []string // names of the points; nil if unknown, until the file of labels names them
	namesFile string   // the file in which these names are
}

// addLabels reads the labels of the points in r from a file, and the groups if Options.Group names a column of it.
// names are the names of the points in the file namesFile, or nil. addLabels returns these names or, if there are none,
// the names of the points in the file of labels.
func (r *reading) addLabels(path string, names []string, namesFile string) ([]string, error) {
	options := Options{}.withFormatOf(path)
	l := &labelFile{n: r.X.Len(), names: names, namesFile: namesFile}
	err := options.readPath(path, func(raw, _ []byte) error {
		switch {
		case options.Format == CSV:
			table := *r.o
			table.Options.Format, table.Header, table.DropColumns, table.labels = CSV, HeaderAuto, nil, l
			return table.readLabelTable(raw, r)
		case r.o.namesLabelColumns():
			return errors.New("Options.Label, Group and Targets name columns of a csv file of labels")
		case options.Format != NPY:
			return errors.New("labels are read from csv or npy files")
		}
		y, _, err := options.readArray(raw)
		if err != nil {
			return err
		}
		return r.addNumbers(y, "label")
	})
	r.labelFile = filepath.Base(path)
	r.Source += ", labels from " + r.labelFile
	return l.names, err
}

// namesLabelColumns reports whether an option names columns of a file of labels.
func (o *Options) namesLabelColumns() bool { return o.Label != "" || o.Group != "" || o.Targets != nil }

// addNumbers adds labels that are given by a matrix of one column. name is the name of the column.
func (r *reading) addNumbers(y points.Rows, name string) error {
	if y.N != r.X.Len() || y.D != 1 {
		return fmt.Errorf("%s: the shape is (%d, %d); give one label for each of %d points", name, y.N, y.D, r.X.Len())
	}
	t := newTarget(r.o, name)
	for i, v := range y.Data {
		position := func() string { return fmt.Sprintf("row %d, %s", i+1, name) }
		if err := t.add(formatNumber(v), numberFormat{}, position); err != nil {
			return err
		}
	}
	r.targets = []*target{t}
	return nil
}

// readLabelTable reads a CSV file of labels, with or without a header, with or without names of the points in the first
// column. Without Options.Label, Group and Targets, it has one column of labels.
func (o *job) readLabelTable(raw []byte, r *reading) error {
	text, err := textOf(raw)
	if err != nil {
		return err
	}
	for i, line := range strings.Split(strings.TrimRight(text, " \t\r\n"), "\n") {
		if strings.TrimSpace(line) == "" {
			return fmt.Errorf("line %d is empty: the label is missing", i+1)
		}
	}
	g, err := o.splitCells(text)
	if err != nil {
		return err
	}
	names, err := o.labelNames(g)
	if err != nil {
		return err
	}
	t := &table{o: o, rows: g.rows, format: o.format(), isMissing: o.missingCells(g.rows, o.format())}
	for i := range t.rows {
		t.rows[i].number = i + 1
	}
	l := o.labels
	firstColumn := 0
	if first := columnCells(g.rows, 0); g.width > 1 && (names[0] == "" || isPermutation(first, l.names)) {
		firstColumn, names[0] = 1, "row name" // for errors only; no option names this column
		if err := checkSameNames(first, l.names, l.namesFile); err != nil {
			return err
		}
		if l.names == nil {
			l.names = first
		}
	}
	if !o.namesLabelColumns() && g.width-firstColumn > 1 {
		return fmt.Errorf("%d columns; Options.Label and Options.Group name columns of a file with several",
			g.width-firstColumn)
	}
	if err := t.applyOptions(names); err != nil {
		return err
	}
	t.rows, err = t.dropMissing()
	if err != nil {
		return err
	}
	if err := t.readRoles(r); err != nil {
		return err
	}
	r.targets = t.targets
	return nil
}

// isPermutation reports whether two lists hold the same names in some order.
func isPermutation(a, b []string) bool {
	return len(a) == len(b) && slices.Equal(distinctNames(a), distinctNames(b))
}

// labelNames returns the names of the columns of a file of labels and removes the header. The file has a header if it
// has one row more than there are points. The column of a file without a header is named label; several columns are
// named x1, x2, … It is an error if the header may be a label: a number other than 0, which pandas writes as the name
// of a series, a label below it, or a class of the training file.
func (o *job) labelNames(g *grid) ([]string, error) {
	n, first := o.labels.n, g.rows[0]
	isHeader := len(g.rows) == n+1
	if len(g.rows) != n && !isHeader {
		return nil, fmt.Errorf("got %s of labels; give one label for each of %d points", countText(len(g.rows),
			"row"), n)
	}
	format := o.format()
	if len(first.cells) < g.width {
		return nil, g.lengthError(first, g.rows[1])
	}
	for j, s := range first.cells {
		below := columnCells(g.rows[1:], j)
		isNumber := format.isNumeric(s)
		switch {
		case s == "" && j == 0:
		case isHeader && (s != "0" && isNumber || slices.Contains(below, s) || // pandas names a series 0
			o.training != nil && slices.Contains(o.training.Classes, s)):
			return nil, fmt.Errorf("got %s; give one label for each of %d points, or their name before them; %s on "+
				"line %d is a label", countText(len(g.rows), "row"), n, quote(s), first.line)
		case !isHeader && !isNumber && n > 1 && format.isNumbers(below) && !slices.Contains(below, ""):
			return nil, fmt.Errorf("line %d: %s is not a number, but the labels below it are: a name and one label "+
				"too few?", first.line, quote(s))
		}
	}
	switch {
	case isHeader:
		names := g.removeHeader()
		if g.width == 1 && names[0] == "" {
			names[0] = "label"
		}
		return names, nil
	case g.width == 1:
		return []string{"label"}, nil
	}
	return numberedNames(g.width), nil
}
