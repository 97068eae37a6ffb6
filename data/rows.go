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

// parseJSONRows reads JSON objects. It returns the sorted keys of all objects as columns, and one row of cells for each
// object. The cell of a key that an object does not have, or that is null, is empty.
func parseJSONRows(raw []byte) (columns []string, rows [][]string, err error) {
	var objects []map[string]any
	for all := json.NewDecoder(bytes.NewReader(raw)); ; {
		var text json.RawMessage
		err := all.Decode(&text)
		if err == io.EOF {
			break
		}
		object, err := parseJSONObject(text, err)
		if err != nil {
			return nil, nil, fmt.Errorf("row %d: %w; write objects such as {\"age\": 41}", len(objects)+1, err)
		}
		objects = append(objects, object)
		columns = append(columns, slices.Collect(maps.Keys(object))...)
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

// parseJSONObject parses an object of numbers, texts, truth values and nulls, unless err is an error.
func parseJSONObject(text []byte, err error) (object map[string]any, _ error) {
	if err != nil {
		return nil, err
	}
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
