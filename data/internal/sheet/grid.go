package sheet

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// separators are the candidates for the separator of a CSV file. If none of them is in every row, runs of blanks are
// tried.
var separators = []rune{',', ';', '\t', '|'}

// Grid holds the cells of a CSV file.
type Grid struct {
	Separator rune
	// Rows holds all rows, including a header. The first has ColumnCount or one less cells, every other row has
	// ColumnCount cells.
	Rows        []Record
	ColumnCount int
	Hint        string // advice for errors if the text looks like another format
	Notes       []string
}

// Read splits the text of a file into rows and cells. The separator is given by the dialect or by a first line such as
// sep=;. Without these, exactly one of comma, semicolon, tab and | must give all rows the same number of cells.
func (d *Dialect) Read(raw []byte) (*Grid, error) {
	text, err := Decode(raw)
	if err != nil {
		return nil, err
	}
	s, err := d.newSource(text)
	if err != nil {
		return nil, err
	}
	comma, err := d.cutSeparatorLine(s)
	switch {
	case err != nil:
		return nil, err
	case comma == 0:
		return d.detectSeparator(s)
	}
	return d.splitAt(s, comma)
}

func (d *Dialect) splitAt(s *source, comma rune) (*Grid, error) {
	rows, err := s.parse(comma)
	if err != nil {
		return nil, fmt.Errorf("%w%s", err, s.adviceOnLines(comma))
	}
	g, err := d.newGrid(rows, comma)
	if err != nil && !strings.Contains(err.Error(), "Options.") {
		err = fmt.Errorf("%w%s", err, s.adviceOnLines(comma))
	}
	if err != nil {
		return nil, err
	}
	g.Hint = d.Hint(s.text)
	return g, nil
}

// detectSeparator returns the cells of a text for the only separator that fits. A separator fits if it is in every row
// and gives all rows the same number of cells. It is an error if several fit, or if one is in every row and gives the
// rows different numbers of cells.
func (d *Dialect) detectSeparator(s *source) (*Grid, error) {
	rows := slices.DeleteFunc(splitRows(s.text, "", 0), func(r row) bool {
		return r.isEmpty() ||
			commentMark(r.unquoted) != ""
	})
	for k := range rows {
		rows[k].unquoted = strings.ReplaceAll(rows[k].unquoted, `"`, "")
	}
	if len(rows) == 0 {
		return nil, errors.New("no rows")
	}
	var fitting []*Grid
	var faults []string // for each separator that some lines have: a line without it
	for _, comma := range separators {
		if comma == ',' && d.Numbers.Decimal == ',' && !hasOnlyQuotedCommaDecimals(s.text, rows) {
			continue
		}
		hasComma := func(r row) bool { return strings.ContainsRune(r.unquoted, comma) }
		lacksComma := func(r row) bool { return !hasComma(r) }
		if k := slices.IndexFunc(rows, lacksComma); k >= 0 {
			if slices.ContainsFunc(rows, hasComma) {
				faults = append(faults, fmt.Sprintf("%q is not in line %d", comma, s.line(rows[k].firstLine)))
			}
			continue
		}
		g, err := d.splitAt(s, comma)
		if err != nil {
			if strings.Contains(err.Error(), "Options.Comment") {
				return nil, err
			}
			return nil, fmt.Errorf("%w; %q is in every row, so it is taken for the separator: correct the line, or "+
				"set Options.Comma to another one", err, comma)
		}
		fitting = append(fitting, g)
	}
	switch len(fitting) {
	case 1:
		separator := fitting[0].Separator
		if mayBeInsideNumbers(rows, separator) {
			return nil, fmt.Errorf("%q may separate cells, or be a mark in numbers that blanks separate; set "+
				"Options.Comma: %[1]q or ' ' (and Options.Decimal: ',' if commas are decimal marks)", separator)
		}
		return fitting[0], d.checkHeaderSeparator(s, rows, separator)
	case 0:
		if err := d.checkHeaderSeparator(s, rows, ' '); err != nil {
			return nil, err
		}
		g, err := d.splitAtBlanks(s, faults)
		for _, comma := range separators {
			if err != nil && s.adviceOnLines(comma) != "" {
				return nil, fmt.Errorf("%w%s", err, s.adviceOnLines(comma))
			}
		}
		return g, err
	}
	var readings []string
	for _, g := range fitting {
		readings = append(readings, fmt.Sprintf("%q gives %d columns", g.Separator, g.ColumnCount))
	}
	return nil, fmt.Errorf("several separators fit: %s; set Options.Comma", strings.Join(readings, ", "))
}

// hasOnlyQuotedCommaDecimals reports whether the text has quoted cells, and no comma outside quotes is between digits.
// Commas may then separate cells although they are decimal marks too.
func hasOnlyQuotedCommaDecimals(text string, rows []row) bool {
	return strings.Contains(text, `"`) && !slices.ContainsFunc(rows, func(r row) bool {
		return commaInNumber.MatchString(r.unquoted)
	})
}

var commaInNumber = regexp.MustCompile(`\d,\d`)

// mayBeInsideNumbers reports whether mark may be a decimal mark or a mark between digits, and runs of blanks the
// separator. All rows then have the same number of cells, two or more. In each row but the first, at least one cell has
// the mark, and the mark is between digits, as in 1,5, in all cells that have it.
func mayBeInsideNumbers(rows []row, mark rune) bool {
	width := len(strings.Fields(rows[0].unquoted))
	for _, r := range rows[min(1, len(rows)-1):] {
		cells, hasSeparator := strings.Fields(r.unquoted), false
		for _, s := range cells {
			whole, fraction, hasMark := strings.Cut(s, string(mark))
			if hasMark && !IsSplitDecimal(whole, fraction) {
				return false
			}
			hasSeparator = hasSeparator || hasMark
		}
		if width < 2 || len(cells) != width || !hasSeparator {
			return false
		}
	}
	return true
}

// checkHeaderSeparator returns an error if a separator other than the chosen one is in every row except the first. That
// separator may be the right one, which only the header lacks. Commas are checked only if blanks are the chosen
// separator, because next to another separator a comma is a decimal mark or belongs to a text. They are not checked if
// Options.Decimal is a comma.
func (d *Dialect) checkHeaderSeparator(s *source, rows []row, chosen rune) error {
	for _, comma := range separators {
		if comma == chosen || comma == ',' && (chosen != ' ' || d.Numbers.Decimal == ',') || len(rows) < 2 {
			continue
		}
		containsSeparator := func(r row) bool { return strings.ContainsRune(r.unquoted, comma) }
		lacksSeparator := func(r row) bool { return !containsSeparator(r) }
		if !containsSeparator(rows[0]) && !slices.ContainsFunc(rows[1:], lacksSeparator) {
			return fmt.Errorf("%q is in every row except the first, on line %d%s", comma, s.line(rows[0].firstLine),
				s.adviceOnLines(comma)+"; otherwise set Options.Comma")
		}
	}
	return nil
}

// splitAtBlanks splits a text in which no separator is in every row. It returns the cells between runs of blanks, or
// one column. separatorFaults states, for an error, which line lacks a separator that other lines have.
func (d *Dialect) splitAtBlanks(s *source, separatorFaults []string) (*Grid, error) {
	if hint := d.Hint(s.text); hint != "" {
		return nil, errors.New("the rows have pairs index:value instead of cells" + hint)
	}
	rows, err := s.parse(' ')
	if err != nil {
		return nil, err
	}
	hasSeveralCells := func(r Record) bool { return len(r.Cells) > 1 }
	isColumn := separatorFaults == nil && !slices.ContainsFunc(rows, hasSeveralCells)
	if isColumn || d.IsLabelFile { // a file with one label a line
		separator := ',' // a separator that is in no cell
		if d.Numbers.Decimal == ',' {
			separator = ';'
		}
		return d.splitAt(s, separator)
	}
	g, err := d.newGrid(rows, ' ')
	if err == nil && g.ColumnCount > 1 && d.Numbers.Thousands == ' ' {
		return nil, errors.New("blanks may separate cells or, by Options.Thousands, be inside numbers; set " +
			"Options.Comma")
	}
	if err == nil && g.ColumnCount > 1 {
		g.Notes = append(g.Notes, "runs of blanks separate cells")
		return g, nil
	}
	if err != nil {
		separatorFaults = append(separatorFaults, fmt.Sprintf("with runs of blanks as separators, %v", err))
	}
	return nil, fmt.Errorf("no separator fits: %s; set Options.Comma, or correct the lines",
		strings.Join(separatorFaults, ", "))
}

// newGrid returns the grid of the rows. It is an error if rows have different numbers of cells, except that the first
// row may have one less. Rows without any text are skipped, unless each row is a point: in a file of points to predict,
// a matrix, and a file of labels.
func (d *Dialect) newGrid(rows []Record, comma rune) (*Grid, error) {
	width, skippedRowCount := 0, 0
	for i, r := range rows {
		switch {
		case r.commentMark != "":
			mark := r.commentMark
			if slices.ContainsFunc(rows, func(r Record) bool {
				return r.commentMark == "" &&
					strings.HasPrefix(r.Cells[0], mark)
			}) {
				mark += " " // #1 is a cell, # 1 is a comment
			}
			return nil, fmt.Errorf("line %d begins with %s; set Options.Comment: %q if it is a comment, or quote "+
				"its first cell", r.LineNumber, r.commentMark, mark)
		case i == 0:
			width = len(r.Cells)
		case r.blankLinesBefore > 0 && width == 1 && d.EachRowIsPoint:
			return nil, fmt.Errorf("a blank line before line %d: a row without a cell; remove it, or write the cell",
				r.LineNumber)
		default:
			skippedRowCount += r.blankLinesBefore
		}
	}
	skippedRowCount += len(rows)
	rows = slices.DeleteFunc(rows, func(r Record) bool {
		return (len(r.Cells) == 1 && width > 1 || !d.EachRowIsPoint) &&
			!slices.ContainsFunc(r.Cells, func(s string) bool { return s != "" })
	})
	skippedRowCount -= len(rows)
	if len(rows) == 0 {
		return nil, errors.New("no rows")
	}
	g := &Grid{Separator: comma, Rows: rows, ColumnCount: len(rows[min(1, len(rows)-1)].Cells)}
	for _, r := range rows[1:] {
		if len(r.Cells) != g.ColumnCount {
			return nil, g.CellCountError(r, rows[1])
		}
	}
	if err := d.trimEmptyColumns(g); err != nil {
		return nil, err
	}
	if n := len(rows[0].Cells); n != g.ColumnCount && (n != g.ColumnCount-1 || g.ColumnCount < 3) {
		return nil, g.CellCountError(rows[1], rows[0])
	}
	if g.ColumnCount > MaxColumns {
		return nil, fmt.Errorf("line %d has %d columns; at most %d can be read", rows[0].LineNumber, g.ColumnCount,
			MaxColumns)
	}
	if skippedRowCount > 0 {
		g.Notes = append(g.Notes, Count(skippedRowCount, "empty row")+" skipped")
	}
	if comma != ',' && comma != ' ' && g.ColumnCount > 1 {
		g.Notes = append(g.Notes, fmt.Sprintf("%q separates cells", comma))
	}
	return g, nil
}

// CellCountError returns the error for a row that has another number of cells than the row other.
func (g *Grid) CellCountError(r, other Record) error {
	return fmt.Errorf("line %d has %s, but line %d has %s", r.LineNumber, Count(len(r.Cells), "cell"),
		other.LineNumber, Count(len(other.Cells), "cell"))
}

// trimEmptyColumns removes columns at the end that are empty in every row, the first row included. Such columns occur
// if rows end in a separator. Without a header, a file of new points keeps as many columns as its training file.
func (d *Dialect) trimEmptyColumns(g *Grid) error {
	columnCount := max(1, d.MinColumns) // number of columns that remain
	for _, r := range g.Rows {
		for n := len(r.Cells); n > columnCount; n-- {
			if r.Cells[n-1] != "" {
				columnCount = n
			}
		}
	}
	n, firstRowLength := g.ColumnCount-columnCount, len(g.Rows[0].Cells)
	if n == 1 && firstRowLength == columnCount && HasQuotedRowNames(g.Rows[1:]) {
		return fmt.Errorf("line %d has one cell less than the rows, which begin with a quoted cell and end in an "+
			"empty one: either the column with the names of the rows has no header, or each row ends in a "+
			"separator; add a name or a separator to the line", g.Rows[0].LineNumber)
	}
	for i, r := range g.Rows {
		g.Rows[i].Cells = r.Cells[:min(len(r.Cells), columnCount)]
	}
	if n = max(n, firstRowLength-columnCount); n > 0 {
		g.Notes = append(g.Notes, "left out "+Count(n, "empty column")+" without a name")
	}
	g.ColumnCount = min(g.ColumnCount, columnCount)
	return nil
}

// IsSplitDecimal reports whether whole consists of digits after at most one sign, and fraction of digits.
func IsSplitDecimal(whole, fraction string) bool {
	whole = strings.TrimPrefix(strings.TrimPrefix(whole, "-"), "+")
	return whole != "" && fraction != "" && strings.Trim(whole+fraction, "0123456789") == ""
}

// HasQuotedRowNames reports whether the first cells of the rows are all different, and in quotes while other cells are
// not. R writes the names of rows in this way.
func HasQuotedRowNames(rows []Record) bool {
	i, _ := FirstDuplicate(Column(rows, 0))
	return i < 0 && !slices.ContainsFunc(rows, func(r Record) bool { return !r.onlyFirstQuoted })
}

// FirstDuplicate returns the least index i of a name that equals an earlier one, and the index of the earlier name.
// Both are −1 if all names differ.
func FirstDuplicate(names []string) (i, firstIndex int) {
	seen := make(map[string]int, len(names))
	for i, name := range names {
		if first, isRepeated := seen[name]; isRepeated {
			return i, first
		}
		seen[name] = i
	}
	return -1, -1
}

// MaxColumns is the largest number of columns of a table.
const MaxColumns = 1 << 20
