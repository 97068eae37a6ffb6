package data

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/points"
)

// ReadPoints is like PointsAndUnseen for the text of one file that r provides. format is "csv", or another name of a
// Format, or "json": JSON lines, one object for each row, such as {"age": 41, "color": "red"}. In JSON a number has a
// decimal point, true and false are the words, and null or a key that only other rows have is a missing cell.
func (e Encoding) ReadPoints(r io.Reader, format string) (z points.Points, unseen []string, err error) {
	if r == nil {
		return nil, nil, errors.New("data: the reader is nil")
	}
	raw, err := readAtMost(r, maxBytes, tooMany)
	if err != nil {
		return nil, nil, fmt.Errorf("data: %s: %w", format, err)
	}
	if format == "json" {
		columns, rows, err := parseJSONRows(raw)
		if err != nil {
			return nil, nil, fmt.Errorf("data: json: %w", err)
		}
		e.Options.Decimal, e.Options.Thousands = 0, 0
		return e.RowPoints(columns, rows...)
	}
	f := Format(slices.Index(formats[:], format))
	if f <= Auto {
		return nil, nil, fmt.Errorf("data: unknown format %q; use json, %s", format, quoteNames(formats[1:], ", "))
	}
	j, err := e.pointsJob(f)
	if err != nil {
		return nil, nil, err
	}
	d, err := j.read(raw)
	if err != nil {
		return nil, nil, err
	}
	return d.X, d.Unseen, nil
}

// RowPoints is like PointsAndUnseen for rows that are given as cells. The cells are in the form of the CSV file that e
// was fitted to. columns names the cells of a row. It is nil if that file does not name its columns.
func (e Encoding) RowPoints(columns []string, rows ...[]string) (z points.Points, unseen []string, err error) {
	j, err := e.pointsJob(CSV)
	if err != nil {
		return nil, nil, err
	}
	if len(rows) == 0 {
		return nil, nil, errors.New("data: no rows; pass one or more")
	}
	if columns == nil && e.Unnamed == 0 && e.Columns != nil {
		return nil, nil,
			errors.New("data: no names of columns; pass the names of the cells of a row, as in the first line " +
				"of the training file")
	}
	g := &grid{comma: ',', width: len(rows[0])}
	j.Header = HeaderNo
	if columns != nil {
		j.Header, g.width = HeaderYes, len(columns)
		g.rows = []record{{cells: columns}}
	}
	if g.width == 0 {
		return nil, nil, errors.New("data: rows without cells; pass one cell for each column")
	}
	for i, cells := range rows {
		if len(cells) != g.width {
			return nil, nil, fmt.Errorf("data: row %d has %s for %s; pass one for each", i+1,
				countText(len(cells), "cell"), countText(g.width, "column"))
		}
		trimmed := make([]string, len(cells))
		for k, s := range cells {
			trimmed[k] = strings.TrimSpace(s) // as the cells of a file
		}
		g.rows = append(g.rows, record{line: i + 1, cells: trimmed})
	}
	d, err := j.readGrid(g, "")
	if err != nil {
		return nil, nil, fmt.Errorf("data: %w", trimPrefix(err))
	}
	return d.X, d.Unseen, nil
}

// pointsJob returns the job of reading a file of format f in which every row is a point without a label.
func (e *Encoding) pointsJob(f Format) (*job, error) {
	if e.Parts != nil || e.Grams != nil {
		return nil, fmt.Errorf("data: %s describe the points; use PointsAndUnseen, which takes several files",
			countText(max(len(e.Parts), len(e.Grams)), "file"))
	}
	o, err := e.options(f, true)
	if err != nil {
		return nil, fmt.Errorf("data: %w", err)
	}
	o.Group = ""
	return &job{Options: o, training: e}, nil
}

// parseJSONRows reads JSON lines. It returns the keys, in the order in which they first occur, as columns, and one row
// of cells for each object. The cell of a key that an object does not have is empty.
func parseJSONRows(raw []byte) (columns []string, rows [][]string, err error) {
	index := map[string]int{}
	line := 0
	for text := range bytes.Lines(raw) {
		line++
		if len(bytes.TrimSpace(text)) == 0 {
			continue
		}
		keys, cells, err := parseJSONRow(bytes.TrimRight(text, "\r\n"))
		if err != nil {
			return nil, nil, fmt.Errorf("line %d: %w", line, err)
		}
		row := make([]string, len(columns), len(columns)+len(keys))
		filled := make(map[string]bool, len(keys))
		for i, key := range keys {
			if filled[key] {
				return nil, nil, fmt.Errorf("line %d: the key %s occurs twice", line, quote(key))
			}
			filled[key] = true
			j, ok := index[key]
			if !ok {
				j = len(columns)
				index[key], columns, row = j, append(columns, key), append(row, "")
			}
			row[j] = cells[i]
		}
		rows = append(rows, row)
	}
	for i, row := range rows {
		rows[i] = append(row, make([]string, len(columns)-len(row))...)
	}
	return columns, rows, nil
}

// parseJSONRow returns the keys of one object and their values as cells.
func parseJSONRow(line []byte) (keys, cells []string, err error) {
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, nil, errors.New(`not an object such as {"age": 41}; write one for each row, on one line`)
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, nil, err
		}
		value, err := d.Token()
		if err != nil {
			return nil, nil, err
		}
		cell := ""
		switch v := value.(type) {
		case json.Delim:
			return nil, nil, fmt.Errorf("the value of %s is a list or an object; pass a number, a text, true, false "+
				"or null", quote(fmt.Sprint(key)))
		case nil:
		default:
			cell = fmt.Sprint(v)
		}
		keys, cells = append(keys, key.(string)), append(cells, cell)
	}
	if _, err := d.Token(); err != nil {
		return nil, nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, nil, errors.New("text after the object; write one object on each line")
	}
	return keys, cells, nil
}
