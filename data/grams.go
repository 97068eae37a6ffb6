package data

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/similarity"
)

// OpenGrams reads Gram matrices with the default options: see Options.OpenGrams.
func OpenGrams(labels string, grams ...string) (*Dataset, error) {
	return Options{Labels: labels}.OpenGrams(grams...)
}

// OpenGrams reads points that are given by Gram matrices alone, CSV or NPY files of n rows and n columns
// each, one for each base kernel: Dataset.Kernels, named by their files, which are the family of kernels
// that study.Learn takes. Options.Labels names the file with the n labels, CSV of one column (with or
// without a name) or NPY. A matrix that is not square, of another size than the others, not symmetric or
// not positive semidefinite is an error (see OpenSimilarities). What rounding explains of an NPY file of float16 or float32 is
// mended (kernel.Precomputed.Mend), and Dataset.Prepared says so; all other numbers are taken as exact.
//
//	d := nb.Must(data.Options{Labels: "y.csv"}.OpenGrams("text.npy", "image.npy"))
//	nb.Must(nb.Learn(d).Model.PredictFile("text_test.npy", "image_test.npy"))
//
// New points are a file for each matrix, in the same order. Files in another order are refused where their names say
// so (image_test.npy first), or where these say nothing, as a.npy and b.npy, and the entries do: some dozens of new
// points, of matrices that differ in the means of their columns. Else the order given is taken, right or wrong, as with
// a single new point, or linear kernels of centred features.
func (o Options) OpenGrams(paths ...string) (*Dataset, error) {
	if len(paths) == 0 {
		return nil, errors.New("data: no Gram matrix to open, want one file for each base kernel")
	}
	if o.Labels == "" && !o.Unlabelled {
		return nil, errors.New("data: Gram matrices hold no labels: Options.Labels names their file, Unlabelled says that there is none")
	}
	how := Options{MaxBytes: o.MaxBytes, MaxLine: o.MaxLine}
	d := &Dataset{Name: o.Name, Title: o.Title}
	e := &Encoding{Options: o}
	var files, mended []string
	for _, path := range paths {
		x, names, u, err := how.openMatrix(path)
		if err != nil {
			return nil, err
		}
		name, n := base(path), x.N
		if x.D != n {
			return nil, fmt.Errorf("data: %s: %d rows and %d columns, want a square matrix, k(x_i, x_j)", filepath.Base(path), x.N, x.D)
		}
		if e.Width != 0 && n != e.Width {
			return nil, fmt.Errorf("data: %s: %d points, but %d in %s: want the same points in the same order", filepath.Base(path), n, e.Width, files[0])
		}
		if slices.Contains(e.Grams, name) {
			return nil, fmt.Errorf("data: two Gram matrices are named %s", name)
		}
		if err := e.name(names); err != nil {
			return nil, fmt.Errorf("data: %s: %w", filepath.Base(path), err)
		}
		k, δ, err := kernel.Precomputed{Name: name, N: n, Data: x.Data}.Mend(u)
		if err != nil {
			if errors.Is(err, kernel.ErrNotPSD) {
				err = fmt.Errorf("%w; OpenSimilarities takes matrices that are no kernels", err)
			}
			return nil, fmt.Errorf("data: %s: %w", filepath.Base(path), err)
		}
		if δ > 0 {
			mended = append(mended, fmt.Sprintf("the diagonal of %s raised by %.2g, which its rounding to float16 or float32 asks for", name, δ))
		}
		d.Kernels, e.Grams, e.Width, files = append(d.Kernels, k), append(e.Grams, name), n, append(files, filepath.Base(path))
		e.Entries = append(e.Entries, entriesOf(x.Data, n))
	}
	n := e.Width
	if d.Name == "" {
		d.Name = strings.Join(e.Grams, " + ")
	}
	d.X, d.Source = kernel.AllPlaces(n), "files "+strings.Join(files, ", ")
	d.Prepared = fmt.Sprintf("%s, each of %d rows and columns", count(len(paths), "Gram"), n)
	for _, m := range mended {
		d.Prepared = also(d.Prepared, m)
	}
	if !o.Unlabelled {
		if err := o.label(d, n); err != nil {
			return nil, err
		}
	}
	e.Classes, e.Options.Labels, d.Encoding = d.Classes, "", e
	if err := d.Validate(); err != nil {
		return nil, err
	}
	return d, nil
}

// label gives d the labels of its n points that are in the file of Options.Labels.
func (o Options) label(d *Dataset, n int) error {
	file := filepath.Base(o.Labels)
	t, doubt, err := o.labels(n)
	if err == nil {
		d.Y, d.Classes, err = t.finish(nil)
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
	how := Options{MaxBytes: o.MaxBytes, MaxLine: o.MaxLine}.suffix(o.Labels)
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
			if err := t.add(strconv.FormatFloat(v, 'g', -1, 64), func() string { return fmt.Sprintf("row %d", i+1) }); err != nil {
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
			return nil, "", fmt.Errorf("%s, want one label for each of %d points, or their name before them; %s on line 1 is a label", count(len(d), "row"), n, clip(d[0]))
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
		return nil, fmt.Errorf("data: %s, want %d, new points × points learned on, one for each of %s", count(len(paths), "file"), len(e.Grams), strings.Join(e.Grams, ", "))
	}
	believed, err := checkNames(e.Grams, paths)
	if err != nil {
		return nil, err
	}
	x := kernel.Related{N: e.Width, Names: slices.Clone(e.Grams)}
	d := &Dataset{Encoding: e}
	var files []string
	var entries []Entries
	for _, path := range paths {
		k, err := e.related(path)
		if err != nil {
			return nil, err
		}
		switch {
		case k.D != e.Width:
			return nil, fmt.Errorf("data: %s: %d columns, want %d, one for each point learned on", filepath.Base(path), k.D, e.Width)
		case len(x.Data) > 0 && k.N*k.D != len(x.Data[0]):
			return nil, fmt.Errorf("data: %s: %d new points, but %d in %s", filepath.Base(path), k.N, len(x.Data[0])/e.Width, files[0])
		}
		x.Data, files, entries = append(x.Data, k.Data), append(files, filepath.Base(path)), append(entries, entriesOf(k.Data, k.D))
	}
	if !believed && len(e.Entries) == len(e.Grams) {
		if err := checkEntries(e.Grams, e.Entries, entries, x.Len(), paths); err != nil {
			return nil, err
		}
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
	o := Options{MaxBytes: e.Options.MaxBytes, MaxLine: e.Options.MaxLine}
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
			return kernel.Rows{}, fmt.Errorf("%w; the first line of both files has names, by which columns are matched: without it they are taken in the order learned on", err)
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

// columnsNamed are the names that a CSV file gives to the columns of d; nil if it gives none.
func columnsNamed(d *Dataset) []string {
	if d.Encoding.Unnamed > 0 {
		return nil
	}
	return d.Features()
}

// name keeps the names that a CSV file gives to the points that Grams are of, in the order of its columns. Another file
// that names others, or has them in other places, is an error.
func (e *Encoding) name(names []string) error {
	switch {
	case names == nil, anyNumber(names, nil):
	case e.Columns == nil:
		for _, s := range names {
			e.Columns = append(e.Columns, Column{Name: s})
		}
	default:
		for j, c := range e.Columns {
			switch at := slices.Index(names, c.Name); {
			case at < 0:
				return fmt.Errorf("no column %s, which is number %d in %s: want the same points in the same order", clip(c.Name), j+1, e.Grams[0])
			case at != j:
				return fmt.Errorf("column %s is number %d, but %d in %s: want the same points in the same order", clip(c.Name), at+1, j+1, e.Grams[0])
			}
		}
	}
	return nil
}

// column reads a file of one cell a line: the cell of an empty line is "", those at the end are left out.
func (o Options) column(path string) ([]string, error) {
	var cells []string
	_, err := o.with(path, func(r io.Reader) error {
		b, err := plain(o.cap(r))
		if err != nil {
			return err
		}
		l := newLines(b, &job{Options: o})
		for l.next() {
			text := clean(l.text())
			switch s, err := strconv.Unquote(text); {
			case err == nil && text[0] == '"':
				text = s
			case strings.ContainsAny(text, ",;\t"):
				return fmt.Errorf("line %d: %s, want one label a line", l.line, clip(text))
			}
			cells = append(cells, text)
		}
		for len(cells) > 0 && cells[len(cells)-1] == "" {
			cells = cells[:len(cells)-1]
		}
		return l.err()
	})
	return cells, err
}
