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
var missing = []string{"", "?", "NA", "N/A", "n/a", "#N/A", "#N/A N/A", "#NA", "<NA>", "NaN", "nan", "NAN", "-NaN", "-nan",
	"NULL", "Null", "null", "None", "-1.#IND", "-1.#QNAN", "1.#IND", "1.#QNAN"}

// readCSV reads text with one point a line and cells between commas (RFC 4180: cells may be
// quoted), with or without a first line of names. Empty lines and rows are skipped (an empty row of points to predict is not), spaces around
// cells and a separator at the end of every line too, and lines that begin with # unless they have as many cells as a row. What stands between cells,
// decimal commas and a header of numbers are found in the first lines where the options do not say.
// Names of columns are x1, x2, … where the file has none.
func readCSV(r io.Reader, o *job) (*Dataset, error) {
	fail := func(format string, args ...any) (*Dataset, error) {
		return nil, fmt.Errorf("data: csv: "+format, args...)
	}
	blank := make(map[string]bool)
	if o.Blank == nil {
		for _, s := range missing {
			blank[s] = true
		}
	}
	for _, s := range o.Blank {
		blank[s] = true
	}
	b, err := plain(r)
	if err != nil {
		return fail("%w", err)
	}
	head, err := b.Peek(sample)
	if err != nil && err != io.EOF {
		return fail("%w", err)
	}
	s, err := look(head, err == io.EOF, o, blank)
	if err != nil {
		return fail("%w", err)
	}
	c := csv.NewReader(&rowLines{l: newLines(b, o), s: s})
	c.FieldsPerRecord = -1
	c.ReuseRecord = true
	c.Comma = s.comma
	c.TrimLeadingSpace = c.Comma != '\t' && c.Comma != ' '
	if o.Sequence != "" {
		return readSequences(c, s, blank, o)
	}
	var t *table
	first := 0 // line of the first record
	empty := 0 // rows without any cell
	for {
		rec, err := c.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			var p *csv.ParseError
			if errors.As(err, &p) {
				return fail("line %d, character %d: %w", p.Line, p.Column, p.Err)
			}
			return fail("%w", err)
		}
		line, _ := c.FieldPos(0)
		for j := range rec {
			rec[j] = clean(rec[j])
		}
		if s.spare && len(rec) == s.width && rec[len(rec)-1] == "" {
			rec = rec[:len(rec)-1]
		}
		if t != nil && len(rec) > 1 && !(o.like != nil && o.Unlabelled) && !slices.ContainsFunc(rec, func(s string) bool { return s != "" }) {
			empty++
			continue
		}
		if t == nil {
			first = line
			names, nameless, isHeader := columnNames(rec, s, blank)
			if o.like != nil && o.like.Unnamed > 0 {
				if names, err = o.like.places(len(names)); err != nil {
					return fail("line %d: %w", line, err)
				}
			}
			if len(rec) > maxColumns {
				return fail("line %d: %d columns, want at most %d", line, len(rec), maxColumns)
			}
			if len(names) == 1 && !o.Unlabelled && o.like == nil {
				return fail("line %d: 1 column, want at least one feature and the label: is %q what stands between cells (Options.Comma)?", line, c.Comma)
			}
			if t, err = newTable(o, CSV, names); err != nil {
				return nil, err
			}
			t.decimal, t.notes, t.unnamed = s.decimal, append(s.notes, t.notes...), !isHeader && s.names == nil
			for j := range names {
				t.cols[j].nameless = nameless[j]
			}
			if isHeader {
				continue
			}
		}
		if len(rec) != len(t.cols) {
			return fail("row %d (line %d): %s, want %d as on line %d", t.lines.n+1, line, count(len(rec), "cell"), len(t.cols), first)
		}
		t.begin(line)
		if c := t.cols[0]; o.first != nil && (c.kind == left || c.nameless) {
			*o.first = append(*o.first, strings.Clone(rec[0]))
		}
		for j, cell := range rec {
			if blank[cell] {
				err = t.blank(j, cell)
			} else {
				err = t.cell(j, cell)
			}
			if err != nil {
				return nil, err
			}
		}
	}
	if t == nil {
		return fail("no rows")
	}
	if empty > 0 {
		t.notes = append(t.notes, count(empty, "empty row")+" skipped")
	}
	return t.dataset()
}

// columnNames returns the names of the columns, which of them the file does not name, and whether the
// record is a header.
func columnNames(rec []string, s *survey, blank map[string]bool) (names []string, nameless []bool, isHeader bool) {
	switch {
	case s.names != nil:
		return s.names, make([]bool, len(s.names)), false
	case s.header == HeaderAuto:
		isHeader = !anyNumber(rec, blank)
	default:
		isHeader = s.header == HeaderYes
	}
	if isHeader && s.short {
		rec = append([]string{""}, rec...)
	}
	names, nameless = make([]string, len(rec)), make([]bool, len(rec))
	for j, v := range rec {
		nameless[j] = isHeader && (v == "" || strings.HasPrefix(v, "Unnamed: "))
		if names[j] = strings.Clone(v); !isHeader || v == "" {
			names[j] = fmt.Sprintf("x%d", j+1)
		}
	}
	return names, nameless, isHeader
}
