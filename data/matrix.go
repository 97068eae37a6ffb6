package data

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/mklnb/mkl/algos/points"
)

// matrix is a matrix of numbers from one file.
type matrix struct {
	name          string // name of the file, without folder and suffix
	x             points.Rows
	rows, columns []string // names of the rows and of the columns; nil if the file has none
	roundoff      float64  // unit roundoff of the type in the file, 0 for exact numbers: see kernel.Precomputed.Mend
	roundedToZero int      // numbers between −1e-100 and 1e-100 that are read as 0
}

// shape describes a matrix before its file is read.
type shape struct {
	isSquare bool     // as many rows as columns
	isCross  bool     // one row for each new point, one column for each training point
	known    []string // names of the training points, if isCross is set; may be nil
}

// OpenMatrix reads all columns of a CSV or NPY file, except those in Options.DropColumns, as one N×D matrix, row-major.
// A first column without a name holds names of rows. OpenMatrix does not check symmetry or definiteness. A missing cell
// and a number that is not finite are errors. A NumPy vector becomes one column.
func (o Options) OpenMatrix(path string) (points.Rows, error) {
	o = o.withFormatOf(path)
	r := inputKinds.npyMatrix
	if o.Format != NPY {
		r = inputKinds.csvMatrix
	}
	if err := o.validate(r); err != nil {
		return points.Rows{}, err
	}
	m, err := o.openMatrix(path, shape{})
	return m.x, err
}

// openMatrix reads a matrix of shape s from a CSV or NPY file. It uses the options on the syntax of CSV files and
// DropColumns. o.Format is the format of the file (withFormatOf).
func (o Options) openMatrix(path string, s shape) (m matrix, err error) {
	o.Unlabeled = true // from an archive, only the array X is read
	err = o.readPath(path, func(raw, _ []byte) (err error) {
		switch o.Format {
		case NPY:
			m.x, m.roundoff, err = o.readArray(raw)
			if s.isSquare || s.isCross { // a kernel or similarity matrix; OpenMatrix returns the numbers of the file
				m.roundTiny()
			}
		case CSV:
			m, err = (&job{Options: o, matrix: true}).readMatrix(raw, s)
		default:
			return fmt.Errorf("data: %v: a matrix is read from csv or npy", o.Format)
		}
		if err != nil {
			err = fmt.Errorf("data: %v: %w", o.Format, err)
		}
		return err
	})
	m.name = baseName(path)
	return m, err
}

// roundTiny stores 0 for each number between −1e-100 and 1e-100, and counts it in m.roundedToZero.
func (m *matrix) roundTiny() {
	for i, v := range m.x.Data {
		if isTiny(v) {
			m.x.Data[i] = 0
			m.roundedToZero++
		}
	}
}

// readMatrix reads a matrix from a CSV file, with or without names of columns in the first line and names of rows in
// the first column.
func (o *job) readMatrix(raw []byte, s shape) (m matrix, err error) {
	text, err := textOf(raw)
	if err != nil {
		return m, err
	}
	g, err := o.splitCells(text)
	if err != nil {
		return m, err
	}
	isHeader, err := o.hasMatrixHeader(g, s)
	if err != nil {
		return m, err
	}
	names, first := make([]string, g.width), g.rows[0]
	if isHeader {
		names = g.removeHeader()
	}
	if isShort := len(first.cells) < g.width; isShort && !isHeader {
		return m, g.shortRow()
	} else if isShort && !((s.isSquare || s.isCross) && o.isWordColumn(g)) &&
		!slices.Equal(first.cells, columnCells(g.rows, 0)) {
		if err := o.checkRowNames(g, first.line); err != nil {
			return m, err
		}
	}
	firstColumn := 0 // the first column of numbers
	if isHeader && (names[0] == "" || names[0] == unnamedIndex) ||
		(s.isSquare || s.isCross) && o.isWordColumn(g) && !slices.Contains(o.DropColumns, names[0]) {
		firstColumn, m.rows = 1, columnCells(g.rows, 0)
	}
	if isHeader {
		if err := checkDistinct(names[firstColumn:]); err != nil {
			return m, err
		}
	} else {
		names = numberedNames(g.width)
	}
	keep, err := o.matrixColumns(names, firstColumn)
	if err != nil {
		return m, err
	}
	if isHeader {
		m.columns = pickValues(names, keep)
	}
	return m, o.readNumbers(&m, g.rows, names, keep)
}

// removeHeader removes the header of a grid and returns its names, with "" for the column of row names if the header
// has no name for it.
func (g *grid) removeHeader() []string {
	names := slices.Clone(g.rows[0].cells)
	if len(names) < g.width { // R writes no name for the column of row names
		names = append([]string{""}, names...)
	}
	g.rows = g.rows[1:]
	return names
}

// hasMatrixHeader reports whether the first row of a matrix names the columns. Options.Header decides if it is set.
// Otherwise the row names the columns in each of these cases:
//
//   - All known names of training points (shape.known) occur in it.
//   - A cell after the first is a word. It is an error if another cell is a number.
//   - The first cell is empty, or the row has one cell less than the other rows. The other cells are words, the first
//     cells of the rows below or, after an empty cell, 0, 1, 2, … or 1, 2, 3, …; everything else is an error.
//   - The matrix is square, the first cell is a word, and there is one row more than columns of numbers.
//   - The matrix is square, there is one row more than columns, and the cells are 0, 1, 2, … or 1, 2, 3, …
//
// Numbers in constant steps above a cross matrix are an error, because they may be names. For a matrix that is neither
// square nor a cross matrix, isHeaderRow decides.
func (o *job) hasMatrixHeader(g *grid, s shape) (bool, error) {
	first, format := g.rows[0], o.format()
	names, numbers := first.cells[min(1, len(first.cells)-1):], first.cells
	isWord := func(cell string) bool { return cell != "" && !format.isNumeric(cell) }
	isAmong := func(name string) bool { return slices.Contains(first.cells, name) }
	if isWord(first.cells[0]) { // it names a row
		numbers = names
	}
	isShort := len(first.cells) < g.width
	if isShort {
		names = first.cells
	}
	hasKnown := s.known != nil && !slices.ContainsFunc(s.known, func(name string) bool { return !isAmong(name) })
	switch {
	case o.Header != HeaderAuto:
		return o.Header == HeaderYes, nil
	case hasKnown:
		return true, nil
	case slices.ContainsFunc(names, isWord) && !slices.ContainsFunc(first.cells, format.isNumeric):
		return true, nil
	case slices.ContainsFunc(names, isWord):
		return false, fmt.Errorf("line %d has numbers and words, so it is not clear whether it names the columns; "+
			"correct the line, or set Options.Header: HeaderYes or HeaderNo", first.line)
	case isShort || first.cells[0] == "":
		if slices.Equal(names, columnCells(g.rows[1:], 0)) || !isShort && isCounting(names) {
			return true, nil
		}
		return false, fmt.Errorf("line %d has %s, so it is not clear whether it names the columns; set "+
			"Options.Header: HeaderYes if it does, or complete the line", first.line, countText(len(names), "number"))
	case s.isSquare && isWord(first.cells[0]):
		return len(g.rows) == g.width, nil
	case s.isSquare:
		return len(g.rows) == g.width+1 && isCounting(first.cells), nil
	case s.isCross && len(g.rows) > 1 && hasConstantSteps(parseNumbers(numbers, format)):
		return false, fmt.Errorf("line %d: its numbers have constant steps, as names of columns often do; "+
			"remove the line if it names the columns, or set Encoding.Options.Header: HeaderNo if it is a row",
			first.line)
	case s.isCross || isWord(first.cells[0]) || len(g.rows) == 1:
		return false, nil
	}
	return isHeaderRow(first, g.rows[1:], g.width, format, o.missingCells(g.rows, format))
}

// isCounting reports whether the names are 0, 1, 2, … or 1, 2, 3, …, as programs name rows and columns.
func isCounting(names []string) bool {
	for start := range 2 {
		i := 0
		for i < len(names) && names[i] == strconv.Itoa(i+start) {
			i++
		}
		if i == len(names) {
			return true
		}
	}
	return false
}

// isWordColumn reports whether the first of several columns holds only words: no cell is empty or a number.
func (o *job) isWordColumn(g *grid) bool {
	return g.width > 1 && !slices.ContainsFunc(g.rows, func(r record) bool {
		return r.cells[0] == "" || o.format().isNumeric(r.cells[0])
	})
}

// matrixColumns returns the indices of the columns of numbers: all columns except Options.DropColumns.
func (o *job) matrixColumns(names []string, firstColumn int) (keep []int, err error) {
	for _, name := range o.DropColumns {
		if !slices.Contains(names, name) {
			return nil, fmt.Errorf("Options.DropColumns: no column %q%s", name, suggestionText(name, names))
		}
	}
	for j := firstColumn; j < len(names); j++ {
		if !slices.Contains(o.DropColumns, names[j]) {
			keep = append(keep, j)
		}
	}
	if keep == nil {
		return nil, errors.New("no column of numbers is left")
	}
	return keep, nil
}

// readNumbers stores the numbers of the columns in keep in m.x. It stores 0 for a number between −1e-100 and 1e-100,
// and counts it in m.roundedToZero.
func (o *job) readNumbers(m *matrix, rows []record, names []string, keep []int) error {
	n := len(rows)
	switch {
	case n == 0:
		return errors.New("no rows")
	case len(keep) > maxNumbers/n:
		return fmt.Errorf("a matrix of %d×%d has more than %d numbers", n, len(keep), maxNumbers)
	}
	m.x = points.Rows{N: n, D: len(keep), Data: make([]float64, 0, n*len(keep))}
	format, blank := o.format(), o.missingCells(rows, o.format())
	for i, r := range rows {
		r.number = i + 1
		for _, j := range keep {
			v, isNumber, err := format.parse(r.cells[j])
			position := func() string { return fmt.Sprintf("%v, column %d (%s)", r, j+1, shorten(names[j])) }
			switch {
			case blank[r.cells[j]]:
				return fmt.Errorf("%s: the cell is missing", position())
			case errors.Is(err, errTiny):
				m.roundedToZero++
			case err != nil:
				return fmt.Errorf("%s: %w", position(), err)
			case !isNumber:
				return fmt.Errorf("%s: %s is not a number; a matrix has only numbers; Options.DropColumns leaves a "+
					"column out", position(), quote(r.cells[j]))
			}
			m.x.Data = append(m.x.Data, v)
		}
	}
	return nil
}

// checkNames returns an error if the name of a row is the name of a column with another index.
func (m *matrix) checkNames() error {
	for i, name := range m.rows {
		if at := slices.Index(m.columns, name); at >= 0 && at != i {
			return fmt.Errorf("row %d is named %s, which is column %d of the numbers: rows and columns must have the "+
				"same order", i+1, quote(name), at+1)
		}
	}
	return nil
}

// pointNames returns the names of the points of a square matrix, or nil if the file does not name them.
func (m *matrix) pointNames() []string {
	if m.columns != nil && !isCounting(m.columns) || m.rows == nil {
		return m.columns
	}
	return m.rows
}

// checkSameNames returns an error if the points of two files have different names or another order. Names such as 1,
// 2, 3, … only count the points, and are compared only with the same numbers. want are the names in the file namesFile.
func checkSameNames(names, want []string, namesFile string) error {
	if names == nil || want == nil || (isCounting(names) || isCounting(want)) && !isPermutation(names, want) {
		return nil
	}
	for i, name := range want {
		switch index := slices.Index(names, name); {
		case index < 0:
			return fmt.Errorf("no point %s, which is number %d in %s: pass the same points in the same order",
				quote(name), i+1, namesFile)
		case index != i:
			return fmt.Errorf("point %s is number %d, but %d in %s: pass the same points in the same order",
				quote(name), index+1, i+1, namesFile)
		}
	}
	return nil
}
