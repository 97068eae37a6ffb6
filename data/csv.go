package data

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// readCSV reads text with one point a line and cells between commas (RFC 4180: cells may be
// quoted), with or without a first line of names. Empty lines are skipped, spaces around cells
// too. Names of columns are x1, x2, … where the file has none.
func readCSV(r io.Reader, o *Options) (*Dataset, error) {
	fail := func(format string, args ...any) (*Dataset, error) {
		return nil, fmt.Errorf("data: csv: "+format, args...)
	}
	r, err := header(r)
	if err != nil {
		return fail("%w", err)
	}
	c := csv.NewReader(&shortLines{r: r, line: 1})
	c.FieldsPerRecord = -1
	c.ReuseRecord = true
	if o.Comma != 0 {
		c.Comma = o.Comma
	}
	c.TrimLeadingSpace = c.Comma != '\t' && c.Comma != ' '
	blank := o.Blank
	if blank == nil {
		blank = []string{"", "?", "NA"}
	}
	var t *table
	first := 0 // line of the first record
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
		if t == nil {
			first = line
			names, isHeader := columnNames(rec, o, blank)
			if len(rec) > maxColumns {
				return fail("line %d: %d columns, want at most %d", line, len(rec), maxColumns)
			}
			if len(rec) == 1 && !o.Unlabelled {
				return fail("line %d: 1 column, want at least one feature and the label: is %q what stands between cells (Options.Comma)?", line, c.Comma)
			}
			if t, err = newTable(o, CSV, names); err != nil {
				return nil, err
			}
			if isHeader {
				continue
			}
		}
		if len(rec) != len(t.cols) {
			return fail("row %d (line %d): %s, want %d as on line %d", len(t.lines)+1, line, count(len(rec), "cell"), len(t.cols), first)
		}
		t.begin(line)
		for j, cell := range rec {
			if slices.Contains(blank, cell) {
				err = t.blank(j)
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
	return t.dataset()
}

// columnNames returns the names of the columns, and whether the record is a header.
func columnNames(rec []string, o *Options, blank []string) (names []string, isHeader bool) {
	isHeader = o.Header == HeaderYes
	if o.Header == HeaderAuto {
		isHeader = !slices.ContainsFunc(rec, func(s string) bool {
			_, ok, _ := number(s)
			return ok || s != "" && slices.Contains(blank, s)
		})
	}
	names = make([]string, len(rec))
	for j, s := range rec {
		if !isHeader || s == "" {
			names[j] = fmt.Sprintf("x%d", j+1)
			continue
		}
		names[j] = strings.Clone(s)
	}
	return names, isHeader
}

// shortLines refuses a line that is too long to be one, since a CSV reader holds a line whole, cut
// into cells of several times its size.
type shortLines struct {
	r          io.Reader
	line, size int
}

func (s *shortLines) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	for _, c := range p[:n] {
		s.size++
		if c == '\n' {
			s.line++
			s.size = 0
		}
		if s.size > maxLine {
			return 0, fmt.Errorf("line %d is longer than %d bytes", s.line, maxLine)
		}
	}
	return n, err
}
