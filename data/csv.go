package data

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// missing are the cells of a CSV file that stand for a missing value where Options.Blank is nil: ? and
// what pandas reads as one.
var missing = []string{"", "?", "NA", "N/A", "n/a", "#N/A", "#N/A N/A", "#NA", "<NA>", "NaN", "nan", "NAN", "-NaN",
	"-nan",
	"NULL", "Null", "null", "None", "-1.#IND", "-1.#QNAN", "1.#IND", "1.#QNAN"}

// record is a row of a file of text.
type record struct {
	number int // of the row, from 1
	line   int // of the file, from 1
	cells  []string
}

func (r record) String() string { return fmt.Sprintf("row %d (line %d)", r.number, r.line) }

// readCSV reads text with one point a line and cells between commas (RFC 4180: cells may be quoted), with or without a
// first line of names. Skipped are empty lines and rows (but not an empty row of points to predict), spaces around
// cells, a separator at the end of every line, and lines that begin with # unless they have as many cells as a row.
// What stands between cells, decimal commas and a header of numbers are found in the first lines where the options do
// not say (survey). Names of columns are x1, x2, … where the file has none.
func readCSV(raw []byte, o *job) (*Dataset, error) {
	blank := make(map[string]bool)
	for _, s := range o.Blank {
		blank[s] = true
	}
	if o.Blank == nil {
		for _, s := range missing {
			blank[s] = true
		}
	}
	text, err := textOf(raw)
	if err != nil {
		return nil, err
	}
	s, err := look(text, o, blank)
	if err != nil {
		return nil, err
	}
	rows, err := s.records(text)
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, errors.New("no rows")
	}
	first := rows[0].line
	if len(rows[0].cells) > maxColumns {
		return nil, fmt.Errorf("line %d: %d columns, want at most %d", first, len(rows[0].cells), maxColumns)
	}
	names, nameless, isHeader := columnNames(rows[0].cells, s, blank)
	if isHeader {
		rows = rows[1:]
	}
	if o.Sequence == "" && !(o.like != nil && o.Unlabelled) && len(names) > 1 {
		all := len(rows)
		rows = slices.DeleteFunc(rows, func(r record) bool {
			return !slices.ContainsFunc(r.cells, func(s string) bool { return s != "" })
		})
		if all > len(rows) {
			s.notes = append(s.notes, count(all-len(rows), "empty row")+" skipped")
		}
	}
	for i := range rows {
		rows[i].number = i + 1
		if r := rows[i]; len(r.cells) != len(names) {
			return nil, fmt.Errorf("%v: %s, want %d as on line %d", r, count(len(r.cells), "cell"), len(names), first)
		}
	}
	if o.Sequence != "" {
		return readSequences(names, rows, blank, o)
	}
	if o.like != nil && o.like.Unnamed > 0 && !o.labels {
		if names, err = o.like.places(len(names)); err != nil {
			return nil, fmt.Errorf("line %d: %w", first, err)
		}
	}
	if len(names) == 1 && !o.Unlabelled && o.like == nil && !o.labels {
		return nil, fmt.Errorf("line %d: 1 column, want at least one feature and the label: is %q what stands "+
			"between cells (Options.Comma)?", first, s.comma)
	}
	t := &table{o: o, rows: rows, blank: blank, decimal: s.decimal, unnamed: !isHeader && s.names == nil}
	if err := t.options(names); err != nil {
		return nil, err
	}
	t.notes = append(s.notes, t.notes...)
	for j, c := range t.cols {
		c.nameless = nameless[j]
	}
	if c := t.cols[0]; o.first != nil && (c.kind == left || c.nameless) {
		for _, r := range rows {
			*o.first = append(*o.first, r.cells[0])
		}
	}
	return t.dataset()
}

// records parses the rows of a text, that of names among them. Comments and lines of spaces become empty lines first,
// so that lines keep their numbers, and runs of spaces one where they stand between cells.
func (s *survey) records(text string) ([]record, error) {
	var plain strings.Builder
	plain.Grow(len(text))
	quoted, number := false, 0 // quoted: inside a quoted cell of several lines
	for line := range strings.Lines(text) {
		number++
		odd := strings.Count(line, `"`)%2 != 0
		switch {
		case !quoted && s.comment(line, number):
			line = "\n"
		case !quoted && s.comma == ' ':
			line = squeeze(line)
		}
		plain.WriteString(line)
		quoted = quoted != odd
	}
	c := csv.NewReader(strings.NewReader(plain.String()))
	c.FieldsPerRecord = -1
	c.Comma = s.comma
	c.TrimLeadingSpace = c.Comma != '\t' && c.Comma != ' '
	var rows []record
	for {
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
			cells[j] = clean(cells[j])
		}
		if s.spare && len(cells) == s.width && cells[len(cells)-1] == "" {
			cells = cells[:len(cells)-1]
		}
		rows = append(rows, record{line: line, cells: cells})
	}
}

// comment says whether a line is no row: of spaces alone (but not of as many tabs as there are cells), or a comment,
// which begins with # and has not as many cells as a row, or names the columns.
func (s *survey) comment(line string, number int) bool {
	text := strings.TrimSpace(line)
	if text == "" {
		return s.comma != '\t' || len(cut(strings.TrimRight(line, "\r\n"), '\t')) != s.width
	}
	return text[0] == '#' && (s.width == 0 || s.named == number || len(cut(text, s.comma)) != s.width)
}

// squeeze leaves one space of each run of spaces and tabs outside quotes, none at the ends.
func squeeze(line string) string {
	var b strings.Builder
	quoted, gap := false, false
	for _, c := range strings.TrimSpace(line) {
		if c == '"' {
			quoted = !quoted
		}
		if !quoted && (c == ' ' || c == '\t') {
			gap = true
			continue
		}
		if gap {
			b.WriteByte(' ')
			gap = false
		}
		b.WriteRune(c)
	}
	return b.String() + "\n"
}

// columnNames returns the names of the columns, which of them the file does not name, and whether the
// record is a header.
func columnNames(cells []string, s *survey, blank map[string]bool) (names []string, nameless []bool, isHeader bool) {
	switch {
	case s.names != nil:
		return s.names, make([]bool, len(s.names)), false
	case s.header == HeaderAuto:
		isHeader = !anyNumber(cells, blank)
	default:
		isHeader = s.header == HeaderYes
	}
	if isHeader && s.short {
		cells = append([]string{""}, cells...)
	}
	names, nameless = make([]string, len(cells)), make([]bool, len(cells))
	for j, v := range cells {
		nameless[j] = isHeader && (v == "" || strings.HasPrefix(v, "Unnamed: "))
		if names[j] = v; !isHeader || v == "" {
			names[j] = fmt.Sprintf("x%d", j+1)
		}
	}
	return names, nameless, isHeader
}
