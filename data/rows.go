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
// decimal point. JSON true and false are the cells true and false, spelled as in the training file (true, True, TRUE).
// null, or a key that only other rows have, is a missing cell. The keys are x1, x2, … if the training file does not
// name its columns. A JSON string in a column of numbers is read like a cell of the training file (Options.Decimal,
// Options.Thousands). It is an error if a decimal point would give another number.
func (e Encoding) ReadPoints(r io.Reader, format string) (z points.Points, unseenValues []string, err error) {
	if format != "json" {
		f := Format(slices.Index(formats[:], format))
		if f <= Auto {
			return nil, nil, fmt.Errorf("data: unknown format %q; use json or one of %s", format,
				quoteNames(formats[1:], ", "))
		}
		j, err := e.newJobForPoints(f)
		if err != nil {
			return nil, nil, fmt.Errorf("data: %w", err)
		}
		return extractPointsAndUnseen(j.readAll(r))
	}
	columns, rows, err := e.parseJSONRows(r)
	if err != nil {
		return nil, nil, fmt.Errorf("data: json: %w", err)
	}
	return e.EncodeRows(columns, rows...)
}

// EncodeRows returns rows of cells as points and, for each point, the values that did not occur in the training file, a
// CSV file. Cells have the form of this file. columns names the cells of a row, or is nil if the file has no names.
func (e Encoding) EncodeRows(columns []string, rows ...[]string) (z points.Points, unseenValues []string, err error) {
	return extractPointsAndUnseen(e.readCells(columns, rows))
}

func extractPointsAndUnseen(d *Dataset, err error) (z points.Points, unseenValues []string, _ error) {
	if err != nil {
		return nil, nil, fmt.Errorf("data: %w", err)
	}
	return d.X, d.UnseenValues, nil
}

func (e *Encoding) readCells(columns []string, rows [][]string) (*Dataset, error) {
	j, err := e.newJobForPoints(CSV)
	if err != nil {
		return nil, err
	}
	g := &grid{separator: ',', columnCount: len(columns)}
	j.Header = HeaderYes
	switch {
	case len(rows) == 0:
		return nil, errors.New("there are no rows; pass at least one")
	case columns != nil:
		g.rows = []record{{cells: columns}}
	case e.UnnamedColumnCount == 0 && e.Columns != nil:
		return nil, errors.New("no names of columns for the cells of a row; pass the names, as in the first " +
			"line of the training file")
	default:
		j.Header, g.columnCount = HeaderNo, len(rows[0])
	}
	if g.columnCount == 0 {
		return nil, errors.New("the rows have no cells; pass one cell for each column")
	}
	for i, cells := range rows {
		if len(cells) != g.columnCount {
			return nil, fmt.Errorf("row %d has %s for %s; pass one for each", i+1, formatCount(len(cells), "cell"),
				formatCount(g.columnCount, "column"))
		}
		cleaned := make([]string, len(cells))
		for k, s := range cells {
			cleaned[k] = cleanText(s) // cells of files are cleaned in the same way
		}
		g.rows = append(g.rows, record{lineNumber: i + 1, cells: cleaned})
	}
	return j.datasetFromGrid(g)
}

// newJobForPoints returns the job of reading a file of format f in which every row is a point without a label.
func (e *Encoding) newJobForPoints(f Format) (*job, error) {
	if e.Parts != nil || e.Grams != nil {
		return nil, fmt.Errorf("the points come from %s and not from rows; use PointsAndUnseen",
			formatCount(max(len(e.Parts), len(e.Grams)), "file"))
	}
	o, err := e.newReadOptions(f, true)
	o.Group = ""
	return &job{Options: o, training: e}, err
}

// parseJSONRows reads JSON objects of numbers, texts, truth values and nulls. It returns the sorted keys of all objects
// as columns, and one row of cells for each object, spelled as in the training file (decimal mark, true or True).
func (e *Encoding) parseJSONRows(r io.Reader) (columns []string, rows [][]string, err error) {
	raw, err := readAtMost(r, maxBytes)
	var objects []map[string]any
	for decoder := json.NewDecoder(bytes.NewReader(raw)); err == nil; {
		var text json.RawMessage
		var object map[string]any
		if err = decoder.Decode(&text); err == nil {
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
	columns = sortedUniqueNames(columns)
	trainingColumns := make([]*Column, len(columns)) // nil for a key that the training file does not have
	for j, key := range columns {
		if k := slices.IndexFunc(e.Columns, func(c Column) bool { return c.Name == key }); k >= 0 {
			trainingColumns[j] = &e.Columns[k]
		}
	}
	for i, object := range objects {
		row := make([]string, len(columns))
		for j, key := range columns {
			if row[j], err = e.cellFromJSON(trainingColumns[j], object[key]); err != nil {
				return nil, nil, fmt.Errorf("row %d, key %s: %w", i+1, quote(key), err)
			}
		}
		rows = append(rows, row)
	}
	return columns, rows, nil
}

// cellFromJSON returns the text of a JSON value as a cell of the training file. c is the column that has the key of
// the value as its name, or nil if there is none. The text is empty if value is nil: JSON null, or no value.
func (e *Encoding) cellFromJSON(c *Column, value any) (string, error) {
	format, markers := e.Options.format(), e.Options.MissingMarkers
	switch v := value.(type) {
	case nil:
		if c != nil && markers != nil && len(markers) == 0 {
			return "", errors.New("the value is missing, but Options.MissingMarkers of the training file is empty, " +
				"so that no text marks a missing value; write a value")
		}
		return "", nil
	case json.Number:
		if format.decimal == ',' {
			return strings.Replace(v.String(), ".", ",", 1), nil
		}
	case bool: // spelled as in the training file: True, TRUE or true
		if c != nil {
			spellings := slices.DeleteFunc(slices.Clone(c.Levels), func(s string) bool {
				return !strings.EqualFold(s, fmt.Sprint(v))
			})
			if len(spellings) == 1 {
				return spellings[0], nil
			}
		}
	case string:
		a, isNumber, _ := format.parse(strings.TrimSpace(v))
		b, isPlainNumber, _ := numberFormat{}.parse(strings.TrimSpace(v))
		isOfNumbers := c != nil && c.Levels == nil && e.Options.Dates[c.Name] == ""
		if isOfNumbers && (isNumber != isPlainNumber || a != b) {
			return "", fmt.Errorf("the text %s is ambiguous: it is not the same number with a decimal point as with "+
				"Options.Decimal and Options.Thousands of the training file; write the number without quotes", quote(v))
		}
	}
	return fmt.Sprint(value), nil
}

// parseJSONObject parses an object. A key that occurs twice, a list and an object as a value are errors.
func parseJSONObject(text []byte) (object map[string]any, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&object); err != nil {
		return nil, err
	}
	tokenCount := 0
	d = json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	for _, err := d.Token(); err == nil; _, err = d.Token() {
		tokenCount++
	}
	if tokenCount != 2*len(object)+2 { // two braces, and a key and a value for each entry
		return nil, errors.New("a key occurs twice, or a value is a list or an object; write one number or text")
	}
	return object, nil
}
