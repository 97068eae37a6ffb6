package data

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data/internal/sheet"
)

// cutNames removes the names of rows and columns from the grid of a matrix, and stores them in m. A first row names the
// columns if it has no number, if its first cell is empty or absent, as pandas and R write it, or if Options.Header
// says so. The first cell may be absent if the matrix must be square (isSquare) and is so without names, if the first
// row and the first column are words, or quoted as R writes them, or with HeaderYes. A first column names the rows if
// the first row names the columns and has no name for it, or if the column has no number.
func (o *job) cutNames(g *sheet.Grid, m *matrix, isSquare bool) error {
	format, first := o.format(), g.Rows[0]
	areWords := func(cells []string) bool {
		return !slices.ContainsFunc(cells, func(s string) bool { return s == "" || format.IsNumberInAnyFormat(s) })
	}
	firstColumn := sheet.Column(g.Rows[1:], 0)
	lacksFirst := len(first.Cells) < g.ColumnCount
	mayLackFirst := o.Header == HeaderYes || isSquare && len(g.Rows) == g.ColumnCount ||
		areWords(first.Cells) && (areWords(firstColumn) || sheet.HasQuotedRowNames(g.Rows[1:]))
	if lacksFirst && !mayLackFirst {
		return g.CellCountError(g.Rows[1], first)
	}
	isUnnamedColumn := lacksFirst || first.Cells[0] == "" || strings.HasPrefix(first.Cells[0], "Unnamed:")
	isSquareTable := !lacksFirst && slices.Equal(first.Cells[1:], firstColumn) && areWords(first.Cells[:1])
	isHeader := o.Header == HeaderYes || o.Header == HeaderAuto && len(g.Rows) > 1 && (isUnnamedColumn ||
		isSquareTable ||
		areWords(first.Cells))
	if isHeader {
		m.columnNames, g.Rows = first.Cells, g.Rows[1:]
	} else {
		firstColumn = sheet.Column(g.Rows, 0)
	}
	if g.ColumnCount > 1 && len(g.Rows) > 0 && (isHeader && (isUnnamedColumn || isSquareTable) ||
		areWords(firstColumn)) {
		m.rowNames = firstColumn
		if isHeader && !lacksFirst {
			m.columnNames = m.columnNames[1:]
		}
		for i := range g.Rows {
			g.Rows[i].Cells = g.Rows[i].Cells[1:]
		}
		g.ColumnCount--
	}
	for _, names := range []*[]string{&m.rowNames, &m.columnNames} {
		if k, _ := sheet.FirstDuplicate(*names); k >= 0 {
			return fmt.Errorf("two rows or columns are named %s; names of points must differ", sheet.Quote((*names)[k]))
		}
	}
	return nil
}

// areMatched reports whether points are matched by two lists of their names. Serial numbers, which programs write, say
// nothing beside other names. Beside the same numbers in another order they may be names or positions: an error.
func areMatched(a, b []string) (bool, error) {
	switch {
	case a == nil || b == nil || areSerialNumbers(a) && areSerialNumbers(b):
		return false, nil
	case !areSerialNumbers(a) && !areSerialNumbers(b):
		return true, nil
	case slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b))):
		return false, errors.New("one file numbers the points in order, and another has the same numbers in another " +
			"order, so they may be names or positions; save both in the same order, or one of them without these " +
			"numbers (pandas: index=False, header=False)")
	}
	return false, nil
}

// orderBy returns for each of the wanted names its index in names. Both must hold the same names.
func orderBy(names, wanted []string) ([]int, error) {
	order := make([]int, len(wanted))
	for k, name := range wanted {
		if order[k] = slices.Index(names, name); order[k] < 0 {
			return nil, fmt.Errorf("no point is named %s, as in the other names; give the same points%s",
				sheet.Quote(name),
				sheet.Suggest(name, names))
		}
	}
	if len(names) != len(wanted) {
		return nil, fmt.Errorf("got names of %s, but others of %d; give the same points", sheet.Count(len(names),
			"point"),
			len(wanted))
	}
	return order, nil
}

// orderRows puts the rows of m into the order of the given names, if both have names that match.
func (m *matrix) orderRows(names []string) error {
	matched, err := areMatched(m.rowNames, names)
	if !matched || slices.Equal(names, m.rowNames) {
		return err
	}
	order, err := orderBy(m.rowNames, names)
	if err == nil {
		m.x, m.rowNames = m.x.Slice(order).(points.Rows), names
	}
	return err
}

// orderColumns puts the columns of m into the order of the given names, if both have names that match.
func (m *matrix) orderColumns(names []string) error {
	matched, err := areMatched(m.columnNames, names)
	if !matched || slices.Equal(names, m.columnNames) {
		return err
	}
	order, err := orderBy(m.columnNames, names)
	if err == nil {
		x := m.x.Columns(order).(points.Rows)
		x.Names = nil
		m.x, m.columnNames = x, names
	}
	return err
}

// nameSquare gives the rows and the columns of a square matrix the same names, in the same order: those of the rows, or
// of the columns if the rows have none. Serial numbers beside other names of the same matrix are positions.
func (m *matrix) nameSquare() error {
	if m.columnNames != nil && areSerialNumbers(m.rowNames) {
		m.rowNames = m.columnNames
	}
	if areSerialNumbers(m.columnNames) {
		m.columnNames = m.rowNames
	}
	return m.orderColumns(m.rowNames)
}

// namesOfPoints returns the names of the rows of the first matrix whose names are not serial numbers, otherwise of the
// first that has names.
func namesOfPoints(list []matrix) (names []string) {
	for _, m := range list {
		if m.rowNames != nil && (names == nil || areSerialNumbers(names)) {
			names = m.rowNames
		}
	}
	return names
}

// orderByNames puts the rows of a table of labels into the order of the points with the given names. The names of the
// rows are in the column Options.Key, in a first column without a name, or in the only column that holds these names.
// Without such a column, the order remains. It returns the names of the rows.
func (t *table) orderByNames(names []string) ([]string, error) {
	isKey := func(c *column) bool {
		j := slices.Index(t.columns, c)
		return c.kind == key || t.o.Key == "" && c.kind == dropped && (c.isRowNames ||
			!areSerialNumbers(names) && slices.Equal(slices.Sorted(slices.Values(names)),
				slices.Sorted(slices.Values(sheet.Column(t.rows, j)))))
	}
	j := slices.IndexFunc(t.columns, isKey)
	if j < 0 {
		return names, nil
	}
	keys := sheet.Column(t.rows, j)
	matched, err := areMatched(keys, names)
	switch {
	case err != nil:
		return nil, err
	case !matched && areSerialNumbers(keys):
		return names, nil
	case !matched:
		return keys, nil
	}
	order, err := orderBy(keys, names)
	if err != nil {
		return nil, fmt.Errorf("column %d (%s): %w", j+1, sheet.Shorten(t.columns[j].name), err)
	}
	t.rows = points.Pick(t.rows, order)
	return names, nil
}
