package data

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/points"
)

// ReadPoints is like PointsAndUnseen for the text of one file that r provides. format is "csv", or another name of a
// Format, or "json": JSON lines, one object for each row, such as {"age": 41, "color": "red"}. In JSON a number has a
// decimal point, true and false are the words, and null or a key that only other rows have is a missing cell.
func (e Encoding) ReadPoints(r io.Reader, format string) (z points.Points, unseen []string, err error) {
	if format != "json" {
		f := Format(slices.Index(formats[:], format))
		if f <= Auto {
			return nil, nil, fmt.Errorf("data: unknown format %q; use json, %s", format, quoteNames(formats[1:], ", "))
		}
		j, err := e.newPointsJob(f)
		if err != nil {
			return nil, nil, fmt.Errorf("data: %w", err)
		}
		return pointsAndUnseenOf(j.readAll(r))
	}
	columns, rows, err := parseJSONRows(r)
	if err != nil {
		return nil, nil, fmt.Errorf("data: json: %w", err)
	}
	e.Options.Decimal, e.Options.Thousands = 0, 0
	return e.RowPoints(columns, rows...)
}

// RowPoints is like PointsAndUnseen for rows that are given as cells. The cells are in the form of the CSV file that e
// was fitted to. columns names the cells of a row. It is nil if that file does not name its columns.
func (e Encoding) RowPoints(columns []string, rows ...[]string) (z points.Points, unseen []string, err error) {
	return pointsAndUnseenOf(e.readCells(columns, rows))
}

// pointsAndUnseenOf returns the points of d and their unseen values.
func pointsAndUnseenOf(d *Dataset, err error) (z points.Points, unseen []string, _ error) {
	if err != nil {
		return nil, nil, fmt.Errorf("data: %w", err)
	}
	return d.X, d.Unseen, nil
}

// readCells reads rows of cells with the names of the columns.
func (e *Encoding) readCells(columns []string, rows [][]string) (*Dataset, error) {
	j, err := e.newPointsJob(CSV)
	if err != nil {
		return nil, err
	}
	g := &grid{comma: ',', width: len(columns)}
	j.Header = HeaderYes
	switch {
	case len(rows) == 0:
		return nil, errors.New("no rows; pass one or more")
	case columns != nil:
		g.rows = []record{{cells: columns}}
	case e.Unnamed == 0 && e.Columns != nil:
		return nil, errors.New("no names of columns; pass the names of the cells of a row, as in the first line of " +
			"the training file")
	default:
		j.Header, g.width = HeaderNo, len(rows[0])
	}
	if g.width == 0 {
		return nil, errors.New("rows without cells; pass one cell for each column")
	}
	for i, cells := range rows {
		if len(cells) != g.width {
			return nil, fmt.Errorf("row %d has %s for %s; pass one for each", i+1, formatCount(len(cells), "cell"),
				formatCount(g.width, "column"))
		}
		trimmed := make([]string, len(cells))
		for k, s := range cells {
			trimmed[k] = strings.TrimSpace(s) // as the cells of a file
		}
		g.rows = append(g.rows, record{line: i + 1, cells: trimmed})
	}
	return j.readGrid(g)
}

// newPointsJob returns the job of reading a file of format f in which every row is a point without a label.
func (e *Encoding) newPointsJob(f Format) (*job, error) {
	if e.Parts != nil || e.Grams != nil {
		return nil, fmt.Errorf("%s describe the points; use PointsAndUnseen, which takes several files",
			formatCount(max(len(e.Parts), len(e.Grams)), "file"))
	}
	o, err := e.options(f, true)
	o.Group = ""
	return &job{Options: o, training: e}, err
}

// parseJSONRows reads JSON objects of numbers, texts, truth values and nulls. It returns the sorted keys of all objects
// as columns, and one row of cells for each object. The cell of a key that an object does not have, or that is null, is
// empty.
func parseJSONRows(r io.Reader) (columns []string, rows [][]string, err error) {
	raw, err := readAtMost(r, maxBytes)
	var objects []map[string]any
	for all := json.NewDecoder(bytes.NewReader(raw)); err == nil; {
		var text json.RawMessage
		var object map[string]any
		if err = all.Decode(&text); err == nil {
			object, err = parseJSONObject(text)
		}
		if err == nil {
			objects = append(objects, object)
			columns = append(columns, slices.Collect(maps.Keys(object))...)
		}
	}
	if err != io.EOF {
		return nil, nil, fmt.Errorf("row %d: %w; write objects such as {\"age\": 41}", len(objects)+1, err)
	}
	columns = distinctNames(columns)
	for _, object := range objects {
		row := make([]string, len(columns))
		for j, key := range columns {
			if v := object[key]; v != nil {
				row[j] = fmt.Sprint(v)
			}
		}
		rows = append(rows, row)
	}
	return columns, rows, nil
}

// parseJSONObject parses an object. A key that occurs twice, a list and an object as a value are errors.
func parseJSONObject(text []byte) (object map[string]any, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&object); err != nil {
		return nil, err
	}
	tokens := 0
	for d := json.NewDecoder(bytes.NewReader(text)); ; tokens++ {
		if _, err := d.Token(); err != nil {
			break
		}
	}
	if tokens != 2*len(object)+2 { // two braces, and a key and a value each
		return nil, errors.New("a key occurs twice, or a value is a list or an object")
	}
	return object, nil
}
