package data

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
)

// separators are the candidates for the separator of a CSV file. If none of them is in every row, runs of blanks are
// tried.
var separators = []rune{',', ';', '\t', '|'}

type record struct {
	rowNumber        int // number of the row of data, from 1
	lineNumber       int // line of the file, from 1
	cells            []string
	onlyFirstQuoted  bool // the first cell is in quotes, and at least one other cell is not
	blankLinesBefore int  // number of blank lines directly before the row
	isComment        bool // the line begins with # and a blank
}

func (r record) String() string { return fmt.Sprintf("row %d (line %d)", r.rowNumber, r.lineNumber) }

// grid holds the cells of a CSV file.
type grid struct {
	separator rune
	// rows holds all rows, including a header. The first has width or width−1 cells, every other row has width cells.
	rows        []record
	columnCount int
	formatHint  string // advice for errors if the text looks like another format
	notes       []string
}

// splitCells splits a file into rows and cells. The separator is given by the options, by a first line such as sep=; or
// by the training file. Without these, exactly one of comma, semicolon, tab and | must give all rows the same number of
// cells.
func (o *job) splitCells(raw []byte) (*grid, error) {
	text, err := decodeText(raw)
	if err != nil {
		return nil, err
	}
	text, comma, err := o.cutSeparatorLine(text)
	if err != nil {
		return nil, err
	}
	if comma == 0 && o.Decimal != ',' && o.training != nil && o.labelCount == 0 {
		comma = ',' // the training file is not a CSV file and has no separator
	}
	if comma != 0 {
		return o.splitAtSeparator(text, comma)
	}
	return o.detectSeparator(text)
}

func (o *job) splitAtSeparator(text string, separator rune) (*grid, error) {
	rows, err := parseRows(text, separator)
	if err != nil {
		return nil, err
	}
	g, err := o.newGrid(rows, separator)
	if err == nil {
		g.formatHint = libsvmHint(text)
	}
	return g, err
}

// detectSeparator returns the cells of a text for the only separator that fits. A separator fits if it is in every row
// and gives all rows the same number of cells. It is an error if several fit, or if one is in every row and gives the
// rows different numbers of cells.
func (o *job) detectSeparator(text string) (*grid, error) {
	rows := unquotedRows(text)
	if len(rows) == 0 {
		return nil, errors.New("no rows")
	}
	var fitting []*grid
	var separatorFaults []string // for each separator that some lines have: a line without it
	for _, comma := range separators {
		if comma == ',' && o.Decimal == ',' {
			continue
		}
		hasComma := func(r unquotedRow) bool { return strings.ContainsRune(r.text, comma) }
		lacksComma := func(r unquotedRow) bool { return !hasComma(r) }
		if indexWithoutComma := slices.IndexFunc(rows, lacksComma); indexWithoutComma >= 0 {
			if slices.ContainsFunc(rows, hasComma) {
				separatorFaults = append(separatorFaults, fmt.Sprintf("%q is not in line %d", comma,
					rows[indexWithoutComma].line))
			}
			continue
		}
		g, err := o.splitAtSeparator(text, comma)
		if err != nil {
			return nil, fmt.Errorf("%w; %q is in every row, so it is taken for the separator: correct the line, or "+
				"set Options.Comma to another one", err, comma)
		}
		fitting = append(fitting, g)
	}
	switch len(fitting) {
	case 1:
		if separator := fitting[0].separator; mayBeInsideNumbers(rows, separator) {
			return nil, fmt.Errorf("%q may separate cells, or be a mark in numbers that blanks separate; set "+
				"Options.Comma: %[1]q or ' ' (and Options.Decimal: ',' if commas are decimal marks)", separator)
		}
		return fitting[0], o.checkHeaderSeparator(rows, fitting[0].separator)
	case 0:
		if err := o.checkHeaderSeparator(rows, ' '); err != nil {
			return nil, err
		}
		return o.splitAtBlanks(text, separatorFaults)
	}
	var readings []string
	for _, g := range fitting {
		readings = append(readings, fmt.Sprintf("%q gives %d columns", g.separator, g.columnCount))
	}
	return nil, fmt.Errorf("several separators fit: %s; set Options.Comma", strings.Join(readings, ", "))
}

// mayBeInsideNumbers reports whether mark may be a decimal mark or a mark between digits, and runs of blanks the
// separator. All rows then have the same number of cells, two or more. In each row but the first, at least one cell has
// the mark, and the mark is between digits, as in 1,5, in all cells that have it.
func mayBeInsideNumbers(rows []unquotedRow, mark rune) bool {
	width := len(strings.Fields(rows[0].text))
	for _, r := range rows[min(1, len(rows)-1):] {
		cells, hasSeparator := strings.Fields(r.text), false
		for _, s := range cells {
			whole, fraction, hasMark := strings.Cut(s, string(mark))
			if hasMark && !isSplitDecimal(whole, fraction) {
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
func (o *job) checkHeaderSeparator(rows []unquotedRow, chosen rune) error {
	for _, comma := range separators {
		if comma == chosen || comma == ',' && (chosen != ' ' || o.Decimal == ',') || len(rows) < 2 {
			continue
		}
		containsSeparator := func(r unquotedRow) bool { return strings.ContainsRune(r.text, comma) }
		lacksSeparator := func(r unquotedRow) bool { return !containsSeparator(r) }
		if !containsSeparator(rows[0]) && !slices.ContainsFunc(rows[1:], lacksSeparator) {
			return fmt.Errorf("%q is in every row except the first, on line %d; set Options.Comma", comma, rows[0].line)
		}
	}
	return nil
}

// splitAtBlanks splits a text in which no separator is in every row. It returns the cells between runs of blanks, or
// one column. separatorFaults states, for an error, which line lacks a separator that other lines have.
func (o *job) splitAtBlanks(text string, separatorFaults []string) (*grid, error) {
	if hint := libsvmHint(text); hint != "" {
		return nil, errors.New("the rows have pairs index:value instead of cells" + hint)
	}
	rows, err := parseRows(text, ' ')
	if err != nil {
		return nil, err
	}
	hasSeveralCells := func(r record) bool { return len(r.cells) > 1 }
	isColumn := separatorFaults == nil && !slices.ContainsFunc(rows, hasSeveralCells)
	if isColumn || o.labelCount > 0 && !o.impliesHeader() { // a file with one label a line
		separator := ',' // a separator that is in no cell
		if o.Decimal == ',' {
			separator = ';'
		}
		return o.splitAtSeparator(text, separator)
	}
	g, err := o.newGrid(rows, ' ')
	if err == nil && g.columnCount > 1 && o.Thousands == ' ' {
		return nil, errors.New("blanks may separate cells or, by Options.Thousands, be inside numbers; set " +
			"Options.Comma")
	}
	if err == nil && g.columnCount > 1 {
		g.notes = append(g.notes, "runs of blanks separate cells")
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
func (o *job) newGrid(rows []record, comma rune) (*grid, error) {
	eachRowIsPoint := o.training != nil || o.isMatrixFile || o.labelCount > 0
	width, skippedRowCount := 0, 0
	for i, r := range rows {
		switch {
		case r.isComment:
			return nil, fmt.Errorf("line %d begins with #; remove the line if it is a comment, or quote its first cell",
				r.lineNumber)
		case i == 0:
			width = len(r.cells)
		case r.blankLinesBefore > 0 && width == 1 && eachRowIsPoint:
			return nil, fmt.Errorf("a blank line before line %d: a row without a cell; remove it, or write the cell",
				r.lineNumber)
		default:
			skippedRowCount += r.blankLinesBefore
		}
	}
	skippedRowCount += len(rows)
	rows = slices.DeleteFunc(rows, func(r record) bool {
		return (len(r.cells) == 1 && width > 1 || !eachRowIsPoint) &&
			!slices.ContainsFunc(r.cells, func(s string) bool { return s != "" })
	})
	skippedRowCount -= len(rows)
	if len(rows) == 0 {
		return nil, errors.New("no rows")
	}
	g := &grid{separator: comma, rows: rows, columnCount: len(rows[min(1, len(rows)-1)].cells)}
	for _, r := range rows[1:] {
		if len(r.cells) != g.columnCount {
			return nil, g.cellCountError(r, rows[1])
		}
	}
	if err := o.trimEmptyColumns(g); err != nil {
		return nil, err
	}
	if n := len(rows[0].cells); n != g.columnCount && (n != g.columnCount-1 || g.columnCount < 3) {
		return nil, g.cellCountError(rows[1], rows[0])
	}
	if g.columnCount > maxColumns {
		return nil, fmt.Errorf("line %d has %d columns; at most %d can be read", rows[0].lineNumber, g.columnCount,
			maxColumns)
	}
	if skippedRowCount > 0 {
		g.notes = append(g.notes, formatCount(skippedRowCount, "empty row")+" skipped")
	}
	if comma != ',' && comma != ' ' && g.columnCount > 1 {
		g.notes = append(g.notes, fmt.Sprintf("%q separates cells", comma))
	}
	return g, nil
}

// isComment reports whether a line begins with # and a blank, or is # alone. Lines such as #f00,1 may be data.
func isComment(line string) bool {
	rest, ok := strings.CutPrefix(strings.TrimLeft(line, " \t"), "#")
	return ok && (rest == "" || strings.ContainsRune(" \t\r\n", rune(rest[0])))
}

// cellCountError returns the error for a row that has another number of cells than the row other.
func (g *grid) cellCountError(r, other record) error {
	return fmt.Errorf("line %d has %s, but line %d has %s", r.lineNumber, formatCount(len(r.cells), "cell"),
		other.lineNumber, formatCount(len(other.cells), "cell"))
}

// trimEmptyColumns removes columns at the end that are empty in every row, the first row included. Such columns occur
// if rows end in a separator. Without a header, a file of new points keeps as many columns as its training file.
func (o *job) trimEmptyColumns(g *grid) error {
	columnCount := 1 // number of columns that remain
	if o.training != nil && o.labelCount == 0 && !o.isMatrixFile {
		columnCount = max(columnCount, o.training.UnnamedColumnCount)
	}
	for _, r := range g.rows {
		for n := len(r.cells); n > columnCount; n-- {
			if r.cells[n-1] != "" {
				columnCount = n
			}
		}
	}
	n, firstRowLength := g.columnCount-columnCount, len(g.rows[0].cells)
	if n == 1 && firstRowLength == columnCount && hasQuotedRowNames(g.rows[1:]) {
		return fmt.Errorf("line %d has one cell less than the rows, which begin with a quoted cell and end in an "+
			"empty one: either the column with the names of the rows has no header, or each row ends in a "+
			"separator; add a name or a separator to the line", g.rows[0].lineNumber)
	}
	for i, r := range g.rows {
		g.rows[i].cells = r.cells[:min(len(r.cells), columnCount)]
	}
	if n = max(n, firstRowLength-columnCount); n > 0 {
		g.notes = append(g.notes, "left out "+formatCount(n, "empty column")+" without a name")
	}
	g.columnCount = min(g.columnCount, columnCount)
	return nil
}

// parseRows splits a text into rows and cells. If comma is ' ', runs of blanks separate cells.
func parseRows(text string, comma rune) ([]record, error) {
	if comma == ' ' {
		text = strings.ReplaceAll(trailingBlanks.ReplaceAllString(text, ""), "\t", " ")
	}
	c := csv.NewReader(strings.NewReader(text))
	c.FieldsPerRecord = -1
	c.Comma = comma
	c.TrimLeadingSpace = comma != '\t' // skips blanks before a cell; with tabs it would skip empty cells
	var rows []record
	for {
		start := int(c.InputOffset())
		cells, err := c.Read()
		if err == io.EOF {
			return rows, nil
		}
		if err != nil {
			var p *csv.ParseError
			if errors.As(err, &p) {
				err = fmt.Errorf("line %d, character %d: %w", p.Line, p.Column, p.Err)
			}
			return nil, err
		}
		line, _ := c.FieldPos(0)
		for j := range cells {
			cells[j] = cleanText(cells[j])
		}
		chunk := text[start:min(int(c.InputOffset()), len(text))]
		rawRow := strings.TrimLeft(chunk, "\r\n \t")
		emptyCells := 0
		for _, s := range cells {
			if s == "" {
				emptyCells++
			}
		}
		isQuoted := strings.HasPrefix(rawRow, `"`) && strings.Count(rawRow, `"`) < 2*(len(cells)-emptyCells)
		rows = append(rows, record{lineNumber: line, cells: cells, onlyFirstQuoted: isQuoted,
			isComment:        isComment(rawRow),
			blankLinesBefore: strings.Count(chunk[:len(chunk)-len(strings.TrimLeft(chunk, "\r\n"))], "\n")})
	}
}

var trailingBlanks = regexp.MustCompile(`(?m)[ \t\r]+$`)

// unquotedRow is a row of the file without the text in quotes.
type unquotedRow struct {
	line int // number of the first line of the row
	text string
}

// unquotedRows returns the rows of a text without the text in quotes. It skips comments and rows that consist of blanks
// and separators.
func unquotedRows(text string) []unquotedRow {
	var rows []unquotedRow
	var b strings.Builder
	isQuoted, hasQuote, line, rowStartLine := false, false, 1, 1
	endRow := func() {
		s := b.String()
		if hasQuote || strings.Trim(s, " \t\r,;|") != "" && !isComment(s) {
			rows = append(rows, unquotedRow{rowStartLine, s})
		}
		b.Reset()
		hasQuote, rowStartLine = false, line+1
	}
	for _, c := range text {
		switch {
		case c == '"':
			isQuoted, hasQuote = !isQuoted, true
		case c == '\n' && !isQuoted:
			endRow()
		case !isQuoted:
			b.WriteRune(c)
		}
		if c == '\n' {
			line++
		}
	}
	endRow()
	return rows
}

// cutSeparatorLine returns the separator in a first line such as sep=; and the text with that line empty. Without such
// a line, it returns the text and Options.Comma. If the line and Options.Comma differ, it is an error in a training
// file; in a file of new points, the line decides.
func (o *job) cutSeparatorLine(text string) (remainingText string, separator rune, err error) {
	first, rest, _ := strings.Cut(text, "\n")
	s := strings.Trim(strings.TrimRight(first, "\r"), `"`)
	key, separatorText, ok := strings.Cut(s, "=")
	if !ok || !strings.EqualFold(key, "sep") || len([]rune(separatorText)) != 1 {
		return text, o.Comma, nil
	}
	r := []rune(separatorText)[0]
	if o.Comma != 0 && o.Comma != r && o.training == nil {
		return "", 0, fmt.Errorf("line 1 says that %q separates cells, Options.Comma says %q; correct one", r, o.Comma)
	}
	return "\n" + rest, r, nil
}
