package data

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/store"
	"github.com/mklnb/mkl/data/internal/npy"
	"github.com/mklnb/mkl/data/internal/sheet"
)

type matrix struct {
	name               string // name of the file, without folder and suffix
	x                  points.Rows
	roundoff           float64 // unit roundoff of float32 in the file; 0 for float64 and integers
	roundedToZeroCount int     // how many numbers between −1e-100 and 1e-100 were read as 0
	// names of the points of rows and columns; nil if the file has none
	rowNames, columnNames []string
}

// OpenMatrix reads a CSV or NPY file of numbers as one N×D matrix, row-major. Names of rows and
// columns in a CSV file are skipped. OpenMatrix does not check symmetry or
// definiteness. A missing cell and a number that is not finite are errors. In a CSV file, numbers between −1e-100 and
// 1e-100 are read as 0. A NumPy vector becomes one column.
func (o Options) OpenMatrix(path string) (points.Rows, error) {
	o = o.withFormatOf(path)
	r := npyMatrices
	if o.Format != NPY {
		r = csvMatrices
	}
	err := o.validate(r)
	var m matrix
	if err == nil {
		m, err = o.openMatrix(path, false)
	}
	return prefixError(m.x, err)
}

// openMatrices reads one matrix of kernel values or similarities from each file. All have the same number of rows.
// Numbers between −1e-100 and 1e-100 become 0. isSquare states that each matrix must have as many rows as columns.
func (o Options) openMatrices(paths []string, isSquare bool) (list []matrix, err error) {
	for k, path := range paths {
		m, err := o.matrixOptions(path).openMatrix(path, isSquare)
		if err != nil {
			return nil, err
		}
		if isSquare && m.x.N == m.x.D {
			err = m.nameSquare()
		}
		if k > 0 && m.x.N != list[0].x.N {
			return nil, fileError(path, fmt.Errorf("%s, but %d in %s: pass the same points in the same order",
				sheet.Count(m.x.N, "point"), list[0].x.N, filepath.Base(paths[0])))
		}
		if err == nil {
			names := namesOfPoints(list)
			if err = m.orderRows(names); err == nil && isSquare {
				err = m.orderColumns(names)
			}
		}
		if err != nil {
			return nil, fileError(path, err)
		}
		for i, v := range m.x.Data {
			if sheet.IsTiny(v) {
				m.x.Data[i] = 0
				m.roundedToZeroCount++
			}
		}
		list = append(list, m)
	}
	return list, nil
}

// openMatrix reads a matrix from a file of the format o.Format, CSV or NPY. isSquare states that it must be square.
func (o Options) openMatrix(path string, isSquare bool) (m matrix, err error) {
	raw, _, err := o.readPath(path)
	if err != nil {
		return m, fileError(path, err)
	}
	switch o.Format {
	case NPY:
		m.x, m.roundoff, err = npy.Read(raw)
	case CSV:
		m, err = (&job{Options: o, isMatrixFile: true}).readMatrix(raw, isSquare)
	default:
		err = errors.New("a matrix is read from csv or npy; save it in one of these formats")
	}
	if err != nil {
		return m, fileError(path, fmt.Errorf("%v: %w", o.Format, err))
	}
	m.name = baseName(path)
	return m, nil
}

// readMatrix reads a matrix from a CSV file. If the first line is numbers in constant steps, it may be column names.
// readMatrix then returns an error, unless Options.Header is set, or the matrix must be square and is square only if
// this line is counted as a row.
func (o *job) readMatrix(raw []byte, isSquare bool) (m matrix, err error) {
	g, err := o.readGrid(raw)
	if err != nil {
		return m, err
	}
	if err := o.cutNames(g, &m, isSquare); err != nil {
		return m, err
	}
	format, isMissing := o.format(), o.missingMarkers(g.Rows, o.format())
	if o.Header == HeaderAuto && m.columnNames == nil && len(g.Rows) > 1 && !(isSquare &&
		len(g.Rows) == g.ColumnCount) &&
		sheet.HasConstantSteps(sheet.ParseNumbers(g.Rows[0].Cells, format)) {
		return m, fmt.Errorf("line %d: its numbers have constant steps, as names of columns often do; set "+
			"Options.Header: HeaderYes if they are names, otherwise HeaderNo; for new points, in Encoding.Options",
			g.Rows[0].LineNumber)
	}
	n := len(g.Rows)
	switch {
	case n == 0:
		return m, errors.New("no rows")
	case g.ColumnCount > maxNumbers/n:
		return m, fmt.Errorf("a matrix of %d×%d has more than %d numbers; use fewer rows", n, g.ColumnCount, maxNumbers)
	}
	m.x = points.Rows{N: n, D: g.ColumnCount, Data: make([]float64, 0, n*g.ColumnCount)}
	for i, r := range g.Rows {
		r.RowNumber = i + 1
		for j, s := range r.Cells {
			v, isNumber, err := format.Parse(s)
			switch {
			case isMissing[s]:
				err = errors.New("the cell is missing; write a number in each cell")
			case errors.Is(err, sheet.ErrTiny):
				m.roundedToZeroCount++
				err = nil
			case err == nil && !isNumber:
				err = fmt.Errorf("%s is not a number; write a number, or set Options.Header: HeaderYes if the "+
					"first line names the columns", sheet.Quote(s))
			}
			if err != nil {
				return m, fmt.Errorf("%v, column %d: %w", r, j+1, err)
			}
			m.x.Data = append(m.x.Data, v)
		}
	}
	return m, nil
}

// areSerialNumbers reports whether the names are 0, 1, 2, … or 1, 2, 3, …, as programs name rows and columns.
func areSerialNumbers(names []string) bool {
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

// WriteMatrix writes m, such as a Gram matrix or weights, to a file. If its name ends in .npy, the file is an array of
// float64 that numpy.load reads; a mat.Vector becomes an array of one dimension. If the name ends in .csv, the file has
// one line for each row. Numbers read back bit for bit. The file is written completely or not at all.
func WriteMatrix(path string, m mat.Matrix) error {
	newWriteError := func(format string, args ...any) error {
		return fmt.Errorf("data: write %s: "+format, append([]any{filepath.Base(path)}, args...)...)
	}
	if m == nil {
		return newWriteError("the matrix is nil; pass a matrix")
	}
	r, c := m.Dims()
	if r == 0 || c == 0 {
		return newWriteError("the matrix is empty (%d×%d)", r, c)
	}
	var b []byte
	switch strings.ToLower(filepath.Ext(path)) {
	case ".npy":
		shape := fmt.Sprintf("(%d, %d)", r, c)
		if _, ok := m.(mat.Vector); ok {
			shape = fmt.Sprintf("(%d,)", r)
		}
		header := "{'descr': '<f8', 'fortran_order': False, 'shape': " + shape + ", }"
		header += strings.Repeat(" ", 63-(10+len(header))%64) + "\n" // pads the header to a multiple of 64 bytes
		b = append(b, "\x93NUMPY\x01\x00"...)
		b = binary.LittleEndian.AppendUint16(b, uint16(len(header)))
		b = append(b, header...)
		for i := range r {
			for j := range c {
				b = binary.LittleEndian.AppendUint64(b, math.Float64bits(m.At(i, j)))
			}
		}
	case ".csv":
		for i := range r {
			for j := range c {
				if j > 0 {
					b = append(b, ',')
				}
				b = sheet.AppendNumber(b, m.At(i, j))
			}
			b = append(b, '\n')
		}
	default:
		return newWriteError("unknown format; choose a name that ends in .npy or .csv")
	}
	if err := store.WriteFile(path, b, 0o644); err != nil {
		return newWriteError("%w", err)
	}
	return nil
}
