package data

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/similarity"
)

// label gives d the labels of its n points that are in the file of Options.Labels.
func (o Options) label(d *Dataset, n int) error {
	file := filepath.Base(o.Labels)
	t, doubt, err := o.labels(n)
	if err == nil {
		d.Y, d.Classes, err = t.finish()
	}
	if err != nil {
		return fmt.Errorf("data: %w", about(o.Labels, trim(err)))
	}
	if doubt != "" {
		d.Doubts = append(d.Doubts, file+" "+doubt)
	}
	if t.doubt != "" {
		d.Doubts = append(d.Doubts, t.doubt)
	}
	d.Log, d.Target, d.Source = o.Log, t.name, d.Source+", labels from "+file
	return nil
}

// labels reads the labels of n points from the file of Options.Labels, and says what may not be one.
func (o Options) labels(n int) (t *target, doubt string, err error) {
	how := Options{MaxBytes: o.MaxBytes}.suffix(o.Labels)
	t = newTarget(&job{Options: o}, base(o.Labels))
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
	d, err := how.column(o.Labels)
	if err != nil {
		return nil, "", err
	}
	first := 1         // line of the first label
	if len(d) == n+1 { // the first is its name
		_, ok, _ := number(d[0])
		switch again := slices.Contains(d[1:], d[0]); {
		case d[0] == "0" && again: // pandas' name of a series
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
	for i, s := range d {
		if s == "" {
			return nil, "", fmt.Errorf("row %d (line %d): the label is missing", i+1, i+first)
		}
		if err := t.add(s, func() string { return fmt.Sprintf("row %d", i+1) }); err != nil {
			return nil, "", err
		}
	}
	return t, doubt, nil
}

// cross reads new points of Grams, or of similarities: of each a matrix with a row for each new point and a column
// for each point learned on.
func (e *Encoding) cross(paths []string) (*Dataset, error) {
	if len(paths) != len(e.Grams) {
		return nil, fmt.Errorf("data: %s, want %d, new points × points learned on, one for each of %s",
			count(len(paths), "file"), len(e.Grams), strings.Join(e.Grams, ", "))
	}
	if err := checkNames(e.Grams, paths); err != nil {
		return nil, err
	}
	x := kernel.Related{N: e.Width, Names: slices.Clone(e.Grams)}
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
	if e.Similar { // the kernels that repairs make of them meet the same rows
		for i, name := range e.Grams {
			for _, r := range similarity.Repairs {
				x.Names, x.Data = append(x.Names, r.Of(name)), append(x.Data, x.Data[i])
			}
		}
	}
	d.Name, d.X, d.Source = base(paths[0]), x, "files "+strings.Join(files, ", ")
	return d, d.check()
}

// related reads the matrix of one file: by the names of the points learned on where the first line has names, so that
// other columns, as of labels or names of the new points, are left out; else by places.
func (e *Encoding) related(path string) (kernel.Rows, error) {
	o := Options{MaxBytes: e.Options.MaxBytes}
	if e.Columns != nil && o.suffix(path).Format == CSV {
		how := o
		how.Unlabelled, how.Constant, how.Duplicate = true, Accept, Accept
		d, err := how.openLike(path, &Encoding{Columns: e.Columns, Grams: e.Grams})
		if err == nil {
			return d.X.(kernel.Rows), nil
		}
		var none noneNamed
		switch {
		case !errors.As(err, &none):
			return kernel.Rows{}, err
		case none.others:
			return kernel.Rows{}, fmt.Errorf("%w; the first line of both files has names, by which columns are "+
				"matched: without it they are taken in the order learned on", err)
		}
	}
	x, err := o.OpenMatrix(path)
	if err != nil && o.suffix(path).Format == CSV {
		o.Leave = []string{"x1"} // a first column without a name: names of the new points
		if z, wrong := o.OpenMatrix(path); wrong == nil && z.D == e.Width {
			return z, nil
		}
	}
	return x, err
}

// column reads a file of one cell a line: the cell of an empty line is "", those at the end are left out.
func (o Options) column(path string) ([]string, error) {
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
			case strings.ContainsAny(cell, ",;\t"):
				return fmt.Errorf("line %d: %s, want one label a line", len(cells)+1, clip(cell))
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
