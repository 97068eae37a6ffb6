package data

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/similarity"
)

// label adds the labels in the file Options.Labels to d, and the groups if Options.Group names a column of this file.
// like is the encoding of the file learned from, or nil.
func (o Options) label(d *Dataset, like *Encoding) error {
	doubts, err := o.readLabels(d, like)
	if err != nil {
		return fmt.Errorf("data: %w", about(o.Labels, trim(err)))
	}
	d.Doubts = append(d.Doubts, doubts...)
	d.Log, d.Source = o.Log, d.Source+", labels from "+filepath.Base(o.Labels)
	return nil
}

// readLabels is label without the name of the file in errors.
func (o Options) readLabels(d *Dataset, like *Encoding) (doubts []string, err error) {
	how := Options{MaxBytes: o.MaxBytes}.suffix(o.Labels)
	if o.Label == "" && o.Group == "" && o.Targets == nil {
		t, doubt, err := o.labelColumn(how, d.Len(), like)
		if err != nil {
			return nil, err
		}
		if d.Y, d.Classes, err = t.finish(); err != nil {
			return nil, err
		}
		d.Target = t.name
		if doubt != "" {
			doubts = append(doubts, filepath.Base(o.Labels)+" "+doubt)
		}
		if t.doubt != "" {
			doubts = append(doubts, t.doubt)
		}
		return doubts, nil
	}
	if how.Format != CSV {
		return nil, errors.New("Options.Label, Group and Targets name columns of a csv file of labels")
	}
	table := o
	table.Format, table.Header, table.DropColumns, table.Name = CSV, HeaderAuto, nil, base(o.Labels)
	var l *Dataset
	err = how.with(o.Labels, func(raw []byte, _ string) (err error) {
		l, err = (&job{Options: table, labels: true, like: like}).read(raw)
		return err
	})
	if err != nil {
		return nil, err
	}
	if l.Len() != d.Len() {
		return nil, fmt.Errorf("%s for %d points; give each point one row", count(l.Len(), "row"), d.Len())
	}
	d.Y, d.ExtraTargets, d.Classes, d.Target, d.Group = l.Y, l.ExtraTargets, l.Classes, l.Target, l.Group
	return l.Doubts, nil
}

// labelColumn reads the labels of n points from a file with one label a line. doubt names a label that may be a name.
func (o Options) labelColumn(how Options, n int, like *Encoding) (t *target, doubt string, err error) {
	t = newTarget(&job{Options: o, like: like}, base(o.Labels))
	if how.Format != CSV {
		y, err := how.OpenMatrix(o.Labels)
		if err != nil {
			return nil, "", err
		}
		if y.N != n || y.D != 1 {
			return nil, "", fmt.Errorf("shape (%d, %d), want one label for each of %d points", y.N, y.D, n)
		}
		for i, v := range y.Data {
			if err := t.add(strconv.FormatFloat(v, 'g', -1, 64),
				func() string { return fmt.Sprintf("row %d", i+1) }); err != nil {
				return nil, "", err
			}
		}
		return t, "", nil
	}
	format := o.format()
	d, err := how.column(o.Labels, format)
	if err != nil {
		return nil, "", err
	}
	first := 1         // line of the first label
	if len(d) == n+1 { // the first row is the name of the column
		_, ok, _ := numberFormat{}.parse(d[0])
		switch again := slices.Contains(d[1:], d[0]); {
		case d[0] == "0" && again: // pandas writes 0 as the name of a series
			doubt = fmt.Sprintf(`has "0" on line 1, which is taken for the name of the %s after it`, count(n, "label"))
		case d[0] != "0" && (ok || again):
			return nil, "", fmt.Errorf("%s, want one label for each of %d points, or their name before them; %s "+
				"on line 1 is a label", count(len(d), "row"), n, clip(d[0]))
		}
		t.name, d, first = d[0], d[1:], 2
	}
	if len(d) != n {
		return nil, "", fmt.Errorf("%s, want one label for each of %d points", count(len(d), "row"), n)
	}
	if first == 1 && n > 1 && !hasNumber(d[:1]) && !slices.Contains(d[1:], "") && format.isNumbers(d[1:]) {
		return nil, "", fmt.Errorf("line 1: %s is no number, but the labels below it are: a name and one label "+
			"too few?",
			clip(d[0]))
	}
	for i, s := range d {
		if s == "" || slices.Contains(o.markers(), s) {
			return nil, "", fmt.Errorf("row %d (line %d): the label is missing", i+1, i+first)
		}
		if s, err = t.normalize(s, format); err != nil {
			return nil, "", fmt.Errorf("row %d (line %d): %w", i+1, i+first, err)
		}
		if err := t.add(s, func() string { return fmt.Sprintf("row %d", i+1) }); err != nil {
			return nil, "", err
		}
	}
	return t, doubt, nil
}

// cross reads new points that are given by kernel values or similarities: one matrix for each training matrix, with a
// row for each new point and a column for each training point. Unless all is set, one more file may follow, with the
// labels of the new points.
func (e *Encoding) cross(paths []string, all bool) (*Dataset, error) {
	labels := ""
	if k := len(e.Grams); !all && len(paths) == k+1 {
		labels, paths = paths[k], paths[:k]
	}
	if len(paths) != len(e.Grams) {
		return nil, fmt.Errorf("data: got %s; pass %d matrices of new points × points learned from, one for each of "+
			"%s (to score, then the file of "+
			"labels)", count(len(paths), "file"), len(e.Grams), strings.Join(e.Grams, ", "))
	}
	if err := checkNames(e.Grams, paths); err != nil {
		return nil, err
	}
	x := points.KernelRows{N: e.Width, Names: slices.Clone(e.Grams)}
	d := &Dataset{Encoding: e}
	var files []string
	for _, path := range paths {
		k, err := e.related(path)
		if err != nil {
			return nil, err
		}
		switch {
		case k.D != e.Width:
			return nil, fmt.Errorf("data: %s: %d columns, want %d, one for each point learned on",
				filepath.Base(path), k.D, e.Width)
		case len(x.Data) > 0 && k.N*k.D != len(x.Data[0]):
			return nil, fmt.Errorf("data: %s: %d new points, but %d in %s", filepath.Base(path), k.N,
				len(x.Data[0])/e.Width, files[0])
		}
		x.Data, files = append(x.Data, k.Data), append(files, filepath.Base(path))
	}
	if e.Similar { // each spectrum correction of a matrix is a kernel with the same rows
		for i, name := range e.Grams {
			for _, r := range similarity.Repairs {
				x.Names, x.Data = append(x.Names, r.Of(name)), append(x.Data, x.Data[i])
			}
		}
	}
	d.Name, d.X, d.Source = base(paths[0]), x, "files "+strings.Join(files, ", ")
	if labels != "" {
		o := e.Options
		if o.Labels = labels; o.Group != "" && o.Targets == nil {
			o.Label, o.Group = e.Label, ""
		}
		if err := o.label(d, e); err != nil {
			return nil, err
		}
	}
	return d, d.check()
}

// related reads the matrix in one file. If the first lines of this file and of the training file have names, it matches
// the columns by the names of the training points, and ignores other columns, such as labels or names of the new
// points. Otherwise it takes the columns in order.
func (e *Encoding) related(path string) (points.Rows, error) {
	o := e.Options.matrixOptions(path)
	if o.Format != CSV {
		return o.OpenMatrix(path)
	}
	if o.DropColumns = nil; o.Header == HeaderYes {
		o.Header = HeaderAuto // a file of new points may lack names
	}
	if e.Columns != nil {
		how := o
		how.Unlabeled, how.Constant, how.Duplicate = true, Accept, Accept
		d, err := how.openLike(path, &Encoding{Columns: e.Columns, Grams: e.Grams})
		if err == nil {
			return points.As[points.Rows](d.X)
		}
		var none noneNamed
		switch {
		case !errors.As(err, &none):
			return points.Rows{}, err
		case none.others:
			return points.Rows{}, fmt.Errorf("%w; the first line of both files has names, by which columns are "+
				"matched: without it they are taken in the order learned on", err)
		}
	}
	x, err := o.OpenMatrix(path)
	if err == nil || x.D == e.Width {
		return x, err
	}
	var names []string // of the new points, in a first column without a name
	how := o.unlabeled()
	how.Format, how.Header, how.DropColumns = CSV, HeaderNo, []string{"x1"}
	wrong := how.with(path, func(raw []byte, _ string) error {
		d, err := how.readSquare(raw, &names)
		if err == nil {
			x = points.ToRows(d.X)
		}
		return err
	})
	if wrong == nil && x.D == e.Width && !slices.Contains(names, "") && !isConstantSteps(x.Row(0)) {
		return x, nil
	}
	return points.Rows{}, err
}

// column reads a file with one cell a line. The cell of an empty line is "". Empty lines at the end are ignored.
func (o Options) column(path string, format numberFormat) ([]string, error) {
	var cells []string
	err := o.with(path, func(raw []byte, _ string) error {
		text, err := textOf(raw)
		if err != nil {
			return err
		}
		for line := range strings.Lines(text) {
			cell := clean(line)
			switch s, err := strconv.Unquote(cell); {
			case err == nil && cell[0] == '"':
				cell = s
			case strings.ContainsAny(cell, ",;\t") && !format.isNumber(cell):
				return fmt.Errorf("line %d: %s is not one label; Options.Label and Options.Group name columns of a "+
					"file with several", len(cells)+1, clip(cell))
			}
			cells = append(cells, cell)
		}
		for len(cells) > 0 && cells[len(cells)-1] == "" {
			cells = cells[:len(cells)-1]
		}
		return nil
	})
	return cells, err
}
