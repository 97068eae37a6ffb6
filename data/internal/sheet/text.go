package sheet

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
)

// Dialect states how the text of a table is written. A Comma of 0 is detected if exactly one separator fits.
type Dialect struct {
	Comma                rune
	Numbers              NumberFormat
	Comment              string // lines that begin with it are skipped, and ends of rows; empty for no comments
	SkipRows, SkipFooter int    // lines to skip at the beginning, and lines with text to skip at the end

	EachRowIsPoint bool // rows without any text are points, and not skipped
	IsNewFile      bool // a first line such as sep=; decides, even if it differs from Comma
	IsLabelFile    bool // each line may be one cell
	MinColumns     int  // empty columns at the end are kept up to this number

	// Hint returns advice for errors if the text looks like another format, and "" otherwise.
	Hint func(text string) string
}

// source is a text without the lines that are skipped.
type source struct {
	text  string
	lines []int // for each line of text: its number in the file
}

// line returns the number in the file of line k of the text, from 1.
func (s *source) line(k int) int { return s.lines[min(max(k, 1), len(s.lines))-1] }

// row is a row of a text: the part outside quotes, and the numbers of its first and last line, from 1.
type row struct {
	unquoted            string
	firstLine, lastLine int
}

// isEmpty reports whether the row has only blanks and separators.
func (r row) isEmpty() bool { return strings.Trim(r.unquoted, " \t\r,;|") == "" }

// splitRows returns the rows of a text, also empty ones. A quoted cell, of which "" remains, may span several lines. In
// the first lines, up to the number rawLines, and in lines that begin with comment, quotes have no meaning.
func splitRows(text, comment string, rawLines int) (rows []row) {
	var b strings.Builder
	isQuoted, line, first := false, 0, 1
	for content := range strings.Lines(text) {
		line++
		content = strings.TrimSuffix(content, "\n")
		isComment := comment != "" && strings.HasPrefix(strings.TrimLeft(content, " \t"), comment)
		isRaw := !isQuoted && (line <= rawLines || isComment)
		for _, c := range content {
			if isQuoted = isQuoted != (c == '"' && !isRaw); !isQuoted || c == '"' {
				b.WriteRune(c)
			}
		}
		if !isQuoted {
			rows = append(rows, row{b.String(), first, line})
			b.Reset()
			first = line + 1
		}
	}
	if isQuoted {
		rows = append(rows, row{b.String(), first, line})
	}
	return rows
}

// newSource returns the text without the lines that the dialect skips.
func (d *Dialect) newSource(text string) (*source, error) {
	rows := splitRows(text, d.Comment, d.SkipRows)
	isSkipped := func(k int) bool {
		isComment := d.Comment != "" && strings.HasPrefix(strings.TrimLeft(rows[k].unquoted, " \t"), d.Comment)
		return rows[k].firstLine <= d.SkipRows || isComment
	}
	var kept, cut []int
	for k := range rows {
		if !isSkipped(k) {
			kept = append(kept, k)
		} else if d.MinColumns > 0 && rows[k].firstLine <= d.SkipRows {
			cut = append(cut, k)
		}
	}
	for range d.SkipFooter {
		for len(kept) > 0 && rows[kept[len(kept)-1]].isEmpty() {
			kept = kept[:len(kept)-1]
		}
		cut = append(cut, kept[max(len(kept)-1, 0):]...)
		kept = kept[:max(len(kept)-1, 0)]
	}
	if len(kept) == 0 {
		return nil, errors.New("no rows")
	}
	for _, k := range cut {
		isRow := rows[k].cellCount(d.Comma) == rows[kept[0]].cellCount(d.Comma) && !slices.ContainsFunc(
			strings.Split(rows[k].unquoted, string(d.Comma)), isSummary)
		if d.IsNewFile && isRow {
			return nil, fmt.Errorf("line %d may be a row, but is skipped as in the training file; set "+
				"Encoding.Options.SkipRows and SkipFooter to 0 if this file has no lines to skip", rows[k].firstLine)
		}
	}
	lines, s, b := strings.SplitAfter(text, "\n"), &source{}, strings.Builder{}
	for _, k := range kept {
		for line := rows[k].firstLine; line <= min(rows[k].lastLine, len(lines)); line++ {
			text := lines[line-1]
			if at := commentAtEnd(text, d.Comment); at > 0 && rows[k].firstLine == rows[k].lastLine {
				text = text[:at] + "\n"
			}
			b.WriteString(text)
			s.lines = append(s.lines, line)
		}
	}
	s.text = b.String()
	return s, nil
}

// commentAtEnd returns the position in a line, or in a cell, at which a blank, the mark of a comment and a blank
// follow, outside quotes. It is −1 if there is none.
func commentAtEnd(line, mark string) int {
	afterQuotes := strings.LastIndexByte(line, '"') + 1
	at := strings.Index(line[afterQuotes:], " "+strings.TrimSpace(mark)+" ")
	if at < 0 || mark == "" {
		return -1
	}
	return afterQuotes + at
}

// CommentAtEnd returns the first row whose last cell is a number, or the last cell of another row, before a comment
// such as # checked. It returns the mark of the comment, and "" if there is no such row.
func CommentAtEnd(rows []Record) (row Record, mark string) {
	for _, r := range rows {
		last := len(r.Cells) - 1
		for _, mark := range commentMarks[:2] {
			at := commentAtEnd(r.Cells[last], mark)
			if at < 0 {
				continue
			}
			cell := strings.TrimSpace(r.Cells[last][:at])
			isSame := func(o Record) bool { return o.Cells[last] == cell }
			if BeginsLikeNumber(cell) || slices.ContainsFunc(rows, isSame) {
				return r, mark
			}
		}
	}
	return Record{}, ""
}

// cutSeparatorLine returns the separator in a first line such as sep=; and removes this line. Without such a line, it
// returns d.Comma. If the line and d.Comma differ, it is an error, unless this is a new file: then the line decides.
func (d *Dialect) cutSeparatorLine(s *source) (separator rune, err error) {
	first, rest, _ := strings.Cut(s.text, "\n")
	key, separatorText, ok := strings.Cut(strings.Trim(strings.TrimRight(first, "\r"), `"`), "=")
	if !ok || !strings.EqualFold(key, "sep") || len([]rune(separatorText)) != 1 || len(s.lines) < 2 {
		return d.Comma, nil
	}
	r := []rune(separatorText)[0]
	if d.Comma != 0 && d.Comma != r && !d.IsNewFile {
		return 0, fmt.Errorf("line %d says that %q separates cells, Options.Comma says %q; correct one", s.line(1), r,
			d.Comma)
	}
	s.text, s.lines = rest, s.lines[1:]
	return r, nil
}

// Record is one row of a table.
type Record struct {
	RowNumber        int // number of the row of data, from 1
	LineNumber       int // line of the file, from 1
	Cells            []string
	onlyFirstQuoted  bool // the first cell is in quotes, and at least one other cell is not
	blankLinesBefore int  // number of blank lines directly before the row
	commentMark      string
}

func (r Record) String() string { return fmt.Sprintf("row %d (line %d)", r.RowNumber, r.LineNumber) }

// commentMark returns the mark of a comment if a line begins with #, % or // and a blank, or is this mark alone. Other
// lines, such as #f00,1, may be data: it returns "" for them.
func commentMark(line string) string {
	line = strings.TrimRight(strings.TrimLeft(line, " \t"), "\r\n")
	for _, mark := range []string{"#", "%", "//"} {
		if rest, ok := strings.CutPrefix(line, mark); ok && (rest == "" || rest[0] == ' ' || rest[0] == '\t') {
			return mark
		}
	}
	return ""
}

var trailingBlanks = regexp.MustCompile(`(?m)[ \t\r]+$`)

// parse splits the text into rows and cells. If comma is ' ', runs of blanks separate cells.
func (s *source) parse(comma rune) ([]Record, error) {
	text := s.text
	if comma == ' ' {
		text = strings.ReplaceAll(trailingBlanks.ReplaceAllString(text, ""), "\t", " ")
	}
	c := csv.NewReader(strings.NewReader(text))
	c.FieldsPerRecord = -1
	c.Comma = comma
	c.TrimLeadingSpace = comma != '\t' // skips blanks before a cell; with tabs it would skip empty cells
	var rows []Record
	for {
		start := int(c.InputOffset())
		cells, err := c.Read()
		if err == io.EOF {
			return rows, nil
		}
		if err != nil {
			var p *csv.ParseError
			if errors.As(err, &p) {
				err = fmt.Errorf("line %d, character %d: %w", s.line(p.Line), p.Column, p.Err)
				if strings.Contains(s.text, `="`) {
					err = fmt.Errorf("%w; if cells are written as =\"001\", remove each = in the file", err)
				}
			}
			return nil, err
		}
		line, _ := c.FieldPos(0)
		for j := range cells {
			cells[j] = Clean(cells[j])
		}
		chunk := text[start:min(int(c.InputOffset()), len(text))]
		rawRow := strings.TrimLeft(chunk, "\r\n \t")
		emptyCells := 0
		for _, cell := range cells {
			if cell == "" {
				emptyCells++
			}
		}
		firstLine, _, _ := strings.Cut(rawRow, "\n")
		isQuoted := strings.HasPrefix(rawRow, `"`) && strings.Count(rawRow, `"`) < 2*(len(cells)-emptyCells)
		rows = append(rows, Record{LineNumber: s.line(line), Cells: cells, onlyFirstQuoted: isQuoted,
			commentMark:      commentMark(firstLine),
			blankLinesBefore: strings.Count(chunk[:len(chunk)-len(strings.TrimLeft(chunk, "\r\n"))], "\n")})
	}
}

// commentMarks are the beginnings of lines that are comments in other programs.
var commentMarks = []string{"#", "//", "/*", "%", "--", ";", "!", "*"}

// cellCount returns the number of cells of the row.
func (r row) cellCount(comma rune) int {
	if comma == ' ' {
		return len(strings.Fields(r.unquoted))
	}
	return strings.Count(r.unquoted, string(comma)) + 1
}

// adviceOnLines returns the end of an error about rows of different lengths: the options that skip the lines that have
// another number of cells than most lines. It returns "" if these lines are neither comments nor at an end of the file.
func (s *source) adviceOnLines(comma rune) string {
	rows := slices.DeleteFunc(splitRows(s.text, "", 0), row.isEmpty)
	counts, width := map[int]int{}, 0
	for _, r := range rows {
		if n := r.cellCount(comma); n > 1 {
			if counts[n]++; counts[n] > counts[width] {
				width = n
			}
		}
	}
	if 2*counts[width] < len(rows) {
		return ""
	}
	isOdd := func(r row) bool { return r.cellCount(comma) != width }
	var options []string
	for _, mark := range commentMarks {
		isMarked := func(r row) bool { return strings.HasPrefix(strings.TrimLeft(r.unquoted, " \t"), mark) }
		isOddAndMarked := func(r row) bool {
			return isMarked(r) && isOdd(r) && strings.Trim(r.unquoted, mark+" "+
				"\r") != ""
		}
		isRowAndMarked := func(r row) bool { return isMarked(r) && !isOdd(r) }
		if slices.ContainsFunc(rows, isOddAndMarked) && !slices.ContainsFunc(rows, isRowAndMarked) {
			options, rows = append(options, fmt.Sprintf("Options.Comment: %q", mark)), slices.DeleteFunc(rows, isMarked)
			break
		}
	}
	first, last := 0, len(rows)
	for first < last && isOdd(rows[first]) {
		first++
	}
	for last > first && isOdd(rows[last-1]) {
		last--
	}
	if first > 0 && first < last && isHeaderOf(rows[first-1], rows[first:last], comma, width) {
		first--
	}
	if first > 0 {
		options = append(options, fmt.Sprintf("Options.SkipRows: %d", s.line(rows[first-1].lastLine)))
	}
	if last < len(rows) {
		options = append(options, fmt.Sprintf("Options.SkipFooter: %d", len(rows)-last))
	}
	if options == nil || slices.ContainsFunc(rows[min(first+1, last):last], isOdd) {
		return ""
	}
	return fmt.Sprintf("; if only the lines of %s are rows, set %s", Count(width, "cell"), strings.Join(options, " "+
		"and "))
}

// isHeaderOf reports whether a row with another number of cells than the rows below it may be their header: it lacks
// the name of the first column, or only the rows end in separators.
func isHeaderOf(header row, rows []row, comma rune, width int) bool {
	trailing := width
	for _, r := range rows {
		text := strings.TrimRight(r.unquoted, " \r")
		trailing = min(trailing, len(text)-len(strings.TrimRight(text, string(comma))))
	}
	n := header.cellCount(comma)
	return n > 1 && (n == width-1 || n == width-trailing)
}
