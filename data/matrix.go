package data

import (
	"errors"
	"fmt"
	"path/filepath"
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
	r := npyMatrices
	if o.Format != NPY {
		r = csvMatrices
	}
	err := o.validate(r)
	var m matrix
	if err == nil {
		m, err = o.openMatrix(path, shape{})
	}
	return withPrefix(m.x, err)
}

// openMatrices reads one matrix of shape s from each file. All matrices have the same number of rows. It returns the
// names of the points in their rows. If several files name the points, the names must be the same, in the same order.
func (o Options) openMatrices(paths []string, s shape) (list []matrix, known pointNames, err error) {
	for k, path := range paths {
		m, err := o.matrixOptions(path).openMatrix(path, s)
		if err != nil {
			return nil, known, err
		}
		names := m.rows
		if s.isSquare && m.columns != nil && (m.rows == nil || !isCounting(m.columns)) {
			names = m.columns
		}
		if k > 0 && m.x.N != list[0].x.N {
			err = fmt.Errorf("%s, but %d in %s: pass the same points in the same order", countText(m.x.N, "point"),
				list[0].x.N, filepath.Base(paths[0]))
		} else {
			err = known.check(names)
		}
		if err != nil {
			return nil, known, inFile(path, err)
		}
		if known.names == nil {
			known = pointNames{names, filepath.Base(path)}
		}
		list = append(list, m)
	}
	return list, known, nil
}

// openMatrix reads a matrix of shape s from a CSV or NPY file. It uses the options on the syntax of CSV files and
// DropColumns. o.Format is the format of the file (withFormatOf).
func (o Options) openMatrix(path string, s shape) (m matrix, err error) {
	raw, _, err := o.readPath(path)
	if err != nil {
		return m, inFile(path, err)
	}
	switch o.Format {
	case NPY:
		m.x, m.roundoff, err = parseNPY(raw)
		for i, v := range m.x.Data {
			if isTiny(v) && (s.isSquare || s.isCross) { // OpenMatrix returns the numbers of the file
				m.x.Data[i] = 0
				m.roundedToZero++
			}
		}
	case CSV:
		m, err = (&job{Options: o, matrix: true}).readMatrix(raw, s)
	default:
		err = errors.New("a matrix is read from csv or npy")
	}
	if err != nil {
		return m, inFile(path, fmt.Errorf("%v: %w", o.Format, err))
	}
	m.name = baseName(path)
	return m, nil
}

// readMatrix reads a matrix from a CSV file, with or without names of columns in the first line and names of rows in
// the first column.
func (o *job) readMatrix(raw []byte, s shape) (m matrix, err error) {
	g, err := o.splitCells(raw)
	if err != nil {
		return m, err
	}
	isHeader, err := o.hasMatrixHeader(g, s)
	if err != nil {
		return m, err
	}
	names, err := o.cutHeader(g, isHeader)
	if err != nil {
		return m, err
	}
	firstColumn := 0 // the first column of numbers
	if names[0] == "" || names[0] == unnamedIndex ||
		(s.isSquare || s.isCross) && o.isWordColumn(g) && !slices.Contains(o.DropColumns, names[0]) {
		firstColumn, m.rows = 1, columnCells(g.rows, 0)
	}
	if err := checkDistinct(names[firstColumn:]); err != nil {
		return m, err
	}
	var keep []int // the columns of numbers
	for j := firstColumn; j < len(names); j++ {
		if !slices.Contains(o.DropColumns, names[j]) {
			keep = append(keep, j)
		}
	}
	for _, name := range o.DropColumns {
		if !slices.Contains(names, name) {
			return m, unknownColumn("DropColumns", name, names)
		}
	}
	if isHeader {
		m.columns = points.Pick(names, keep)
	}
	return m, o.readNumbers(&m, g.rows, names, keep)
}

// hasMatrixHeader reports whether the first row of a matrix names the columns. Options.Header decides if it is set.
// Otherwise the row names the columns in each of these cases:
//
//   - A cell after the first is a word, and no cell is a number.
//   - The row has the names of the training points (shape.known).
//   - The first cell is empty, or the row has one cell less than the other rows. The other cells are the first cells of
//     the rows below, or 0, 1, 2, …, or 1, 2, 3, ….
//   - The matrix is square, there is one row more than columns, and the cells are 0, 1, 2, … or 1, 2, 3, …
//
// Words beside numbers are an error, and so are numbers in constant steps above a cross matrix, because they may be
// names. For a matrix that is neither square nor a cross matrix, isHeaderRow decides.
func (o *job) hasMatrixHeader(g *grid, s shape) (bool, error) {
	first, format := g.rows[0], o.format()
	isWord := func(cell string) bool { return cell != "" && !format.isNumeric(cell) }
	isShort := len(first.cells) < g.width
	names, numbers := first.cells, first.cells
	if !isShort && len(names) > 1 {
		names = names[1:]
	}
	if isWord(first.cells[0]) { // it names a row
		numbers = names
	}
	hasWord := slices.ContainsFunc(names, isWord)
	switch {
	case o.Header != HeaderAuto:
		return o.Header == HeaderYes, nil
	case hasWord && !slices.ContainsFunc(first.cells, format.isNumeric),
		s.known != nil && (slices.Equal(names, s.known) || slices.Equal(first.cells, s.known)):
		return true, nil
	case hasWord:
	case isShort || first.cells[0] == "":
		if isCounting(names) || slices.Equal(names, columnCells(g.rows[1:], 0)) {
			return true, nil
		}
	case s.isSquare:
		return len(g.rows) == g.width+1 && isCounting(first.cells), nil
	case s.isCross && len(g.rows) > 1 && hasConstantSteps(parseNumbers(numbers, format)):
	case s.isCross || isWord(first.cells[0]) || len(g.rows) == 1:
		return false, nil
	default:
		return isHeaderRow(first, g.rows[1:], g.width, format, o.missingCells(g.rows, format))
	}
	return false, fmt.Errorf("line %d may name the columns or be a row; correct the line, or set Options.Header: "+
		"HeaderYes or HeaderNo (for new points Encoding.Options.Header)", first.line)
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

// readNumbers stores the numbers of the columns in keep in m.x. It stores 0 for a number between −1e-100 and 1e-100,
// and counts it in m.roundedToZero.
func (o *job) readNumbers(m *matrix, rows []record, names []string, keep []int) error {
	n := len(rows)
	switch {
	case n == 0:
		return errors.New("no rows")
	case keep == nil:
		return errors.New("no column of numbers is left")
	case len(keep) > maxNumbers/n:
		return fmt.Errorf("a matrix of %d×%d has more than %d numbers", n, len(keep), maxNumbers)
	}
	m.x = points.Rows{N: n, D: len(keep), Data: make([]float64, 0, n*len(keep))}
	format, blank := o.format(), o.missingCells(rows, o.format())
	for _, r := range rows {
		for _, j := range keep {
			v, isNumber, err := format.parse(r.cells[j])
			switch {
			case blank[r.cells[j]]:
				err = errors.New("the cell is missing")
			case errors.Is(err, errTiny):
				m.roundedToZero++
				err = nil
			case err == nil && !isNumber:
				err = fmt.Errorf("%s is not a number; a matrix has only numbers; Options.DropColumns leaves a column "+
					"out", quote(r.cells[j]))
			}
			if err != nil {
				return fmt.Errorf("%v, column %d (%s): %w", r, j+1, shorten(names[j]), err)
			}
			m.x.Data = append(m.x.Data, v)
		}
	}
	return nil
}

// checkOrder returns an error if the name of a row is the name of a column with another index.
func (m *matrix) checkOrder() error {
	for i, name := range m.rows {
		if j := slices.Index(m.columns, name); j >= 0 && j != i {
			return fmt.Errorf("row %d is named %s, which is column %d of the numbers: rows and columns must have the "+
				"same order", i+1, quote(name), j+1)
		}
	}
	return nil
}

// pointNames are the names of points in a file; nil if they are not known.
type pointNames struct {
	names []string
	file  string
}

// check returns an error if the points of another file have different names or another order. Names such as 1, 2, 3, …
// only count the points, and are compared only with the same numbers.
func (p pointNames) check(names []string) error {
	if names == nil || p.names == nil ||
		(isCounting(names) || isCounting(p.names)) && !isPermutation(names, p.names) {
		return nil
	}
	for i, name := range p.names {
		switch index := slices.Index(names, name); {
		case index < 0:
			return fmt.Errorf("no point %s, which is number %d in %s: pass the same points in the same order",
				quote(name), i+1, p.file)
		case index != i:
			return fmt.Errorf("point %s is number %d, but %d in %s: pass the same points in the same order",
				quote(name), index+1, i+1, p.file)
		}
	}
	return nil
}
