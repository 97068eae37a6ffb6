package data

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/mklnb/mkl/data/internal/sheet"
)

// cell is the text of a cell in the form of the training file.
type cell string

// ReadPoints is like OpenPoints for the text of one file that r provides. format is "csv", or another name of a Format,
// or "json": JSON objects, one for each row, such as {"age": 41, "color": "red"}, one after another or in an array. In
// JSON a number has a decimal point; in a nominal column it is the value that is the same number, such as 41 for 41.0.
// JSON true and false are the cells true and false, spelled as in the training file (true, True, TRUE). null, or a key
// that only other rows have, is a missing cell. The keys are x1, x2, … if the training file does not name its columns.
// A JSON string in a column of numbers is read like a cell of the training file (Options.Decimal, Options.Thousands).
// It is an error if a decimal point would give another number. For joined files (Join), see EncodeRows.
func (e Encoding) ReadPoints(r io.Reader, format string) (*Dataset, error) {
	if format != "json" {
		f := Format(slices.Index(formats[:], format))
		if f <= Auto {
			return nil, fmt.Errorf("data: unknown format %q; use json or one of %s", format,
				sheet.QuoteNames(formats[1:], ", "))
		}
		j, err := e.newJobForPoints(f)
		if err != nil {
			return nil, fmt.Errorf("data: %w", err)
		}
		return prefixError(j.readAll(r))
	}
	columns, rows, err := parseJSONRows(r)
	if err != nil {
		return nil, fmt.Errorf("data: json: %w", err)
	}
	return prefixError(e.readCells(columns, rows))
}

// EncodeRows returns rows of cells as points, with Dataset.UnseenValues, FilledColumns and Keys. Cells have the form of
// the training file, a CSV file. columns names the cells of a row, or is nil if the file has no names. If e describes
// joined files (Join), each row has the cells of all files. A column has its name or, if several files have such a
// column, the name of the file before it: clinic.age.
func (e Encoding) EncodeRows(columns []string, rows ...[]string) (*Dataset, error) {
	values := make([][]any, len(rows))
	for i, cells := range rows {
		for _, s := range cells {
			values[i] = append(values[i], cell(s))
		}
	}
	return prefixError(e.readCells(columns, values))
}

// readCells returns the points of rows of cells or JSON values.
func (e *Encoding) readCells(columns []string, rows [][]any) (*Dataset, error) {
	if e.Parts != nil {
		return e.readCellsOfParts(columns, rows)
	}
	j, err := e.newJobForPoints(CSV)
	if err != nil {
		return nil, err
	}
	g := &sheet.Grid{Separator: ',', ColumnCount: len(columns)}
	j.Header, j.UnitLine = HeaderYes, false
	switch {
	case len(rows) == 0:
		return nil, errors.New("there are no rows; pass at least one")
	case columns != nil:
		g.Rows = []sheet.Record{{Cells: columns}}
	case e.UnnamedColumnCount == 0 && e.Columns != nil:
		return nil, errors.New("no names of columns for the cells of a row; pass the names, as in the first " +
			"line of the training file")
	default:
		j.Header, g.ColumnCount = HeaderNo, len(rows[0])
	}
	if g.ColumnCount == 0 {
		return nil, errors.New("the rows have no cells; pass one cell for each column")
	}
	trainingColumns := make([]*Column, g.ColumnCount) // nil for a column that the training file does not have
	for k, name := range columns {
		trainingColumns[k] = e.columnNamed(name)
	}
	for i, values := range rows {
		if err := checkCellCount(i, len(values), g.ColumnCount); err != nil {
			return nil, err
		}
		cleaned := make([]string, len(values))
		for k, v := range values {
			s, err := e.cellText(trainingColumns[k], v)
			if err != nil {
				return nil, fmt.Errorf("row %d, key %s: %w", i+1, sheet.Quote(columns[k]), err)
			}
			cleaned[k] = sheet.Clean(s) // cells of files are cleaned in the same way
		}
		g.Rows = append(g.Rows, sheet.Record{LineNumber: i + 1, Cells: cleaned})
	}
	return j.datasetFromGrid(g)
}

// checkCellCount returns an error if a row, counted from 0, does not have a cell for each column.
func checkCellCount(row, cellCount, columnCount int) error {
	if cellCount != columnCount {
		return fmt.Errorf("row %d has %s for %s; pass one for each", row+1, sheet.Count(cellCount, "cell"),
			sheet.Count(columnCount, "column"))
	}
	return nil
}

// columnNamed returns the column of that name whose cells become features, or nil.
func (e *Encoding) columnNamed(name string) *Column {
	if k := slices.IndexFunc(e.Columns, func(c Column) bool { return c.Name == name }); k >= 0 {
		return &e.Columns[k]
	}
	return nil
}

// usesColumn reports whether the cells of the column of that name become features or sequences.
func (e *Encoding) usesColumn(name string) bool {
	return e.columnNamed(name) != nil || name != "" && name == e.Options.Sequence
}

// readCellsOfParts is readCells for joined files, with the cells of all files in each row. Keys are taken from the
// column that is the key of the first file.
func (e *Encoding) readCellsOfParts(columns []string, rows [][]any) (*Dataset, error) {
	for i, values := range rows {
		if err := checkCellCount(i, len(values), len(columns)); err != nil {
			return nil, err
		}
	}
	var parts []*Dataset
	fileOf := map[string]string{} // by name of a column without the name of a file: the file that has such a column
	var keys []string
	for _, p := range e.Parts {
		var names []string
		partRows := make([][]any, len(rows))
		for j, name := range columns {
			nameInFile, isQualified := strings.CutPrefix(name, p.Name+".")
			if !isQualified || !p.Encoding.usesColumn(nameInFile) {
				nameInFile = name
			}
			switch {
			case nameInFile == p.Encoding.Options.Key && parts == nil:
				for _, values := range rows {
					key, _ := e.cellText(nil, values[j])
					keys = append(keys, sheet.Clean(key))
				}
				continue
			case !p.Encoding.usesColumn(nameInFile):
				continue
			case nameInFile == name && fileOf[name] != "":
				return nil, fmt.Errorf("the files %s and %s have a column %s; write %s", fileOf[name], p.Name,
					sheet.Quote(name), sheet.Quote(p.Name+"."+name))
			case nameInFile == name:
				fileOf[name] = p.Name
			}
			names = append(names, nameInFile)
			for i, values := range rows {
				partRows[i] = append(partRows[i], values[j])
			}
		}
		d, err := p.Encoding.readCells(names, partRows)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.Name, err)
		}
		d.Name = p.Name
		parts = append(parts, d)
	}
	d, err := join(parts)
	if err != nil {
		return nil, err
	}
	d.Keys = keys
	return d, e.dropUnselectedFeatures(d)
}

// newJobForPoints returns the job of reading a file of format f in which every row is a point without a label.
func (e *Encoding) newJobForPoints(f Format) (*job, error) {
	if e.Parts != nil || e.Grams != nil {
		advice := ""
		if e.Parts != nil {
			advice = ", or EncodeRows with the cells of all files in each row"
		}
		return nil, fmt.Errorf("the points come from %s and not from one text; use OpenPoints%s",
			sheet.Count(max(len(e.Parts), len(e.Grams)), "file"), advice)
	}
	o, err := e.newReadOptions(f, true)
	o.Group = ""
	return &job{Options: o, training: e}, err
}

// parseJSONRows reads JSON objects of numbers, texts, truth values and nulls, one after another or in arrays. It
// returns the sorted keys of all objects as columns, and one row of values for each object. A value is nil if it is
// null or the object does not have the key.
func parseJSONRows(r io.Reader) (columns []string, rows [][]any, err error) {
	raw, err := readAtMost(r, maxBytes)
	var objects []map[string]any
	for decoder := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(raw, []byte("\uFEFF")))); err == nil; {
		var text json.RawMessage
		err = decoder.Decode(&text)
		list := []json.RawMessage{text}
		if err == nil && text[0] == '[' {
			err = json.Unmarshal(text, &list)
		}
		for k := 0; k < len(list) && err == nil; k++ {
			var object map[string]any
			if object, err = parseJSONObject(list[k]); err == nil {
				objects = append(objects, object)
				columns = append(columns, slices.Collect(maps.Keys(object))...)
			}
		}
	}
	if err != io.EOF {
		return nil, nil, fmt.Errorf("row %d: %w; write an object such as {\"age\": 41} for each row", len(objects)+1,
			err)
	}
	columns = sheet.SortedUnique(columns)
	for _, object := range objects {
		row := make([]any, len(columns))
		for j, key := range columns {
			row[j] = object[key]
		}
		rows = append(rows, row)
	}
	return columns, rows, nil
}

// cellText returns the text of a cell or of a JSON value as a cell of the training file. c is the column that has the
// key of the value as its name, or nil if there is none. The text is empty if value is nil: JSON null, or no value.
func (e *Encoding) cellText(c *Column, value any) (string, error) {
	format, markers := e.Options.format(), e.Options.MissingMarkers
	switch v := value.(type) {
	case cell:
		return string(v), nil
	case nil:
		if c != nil && markers != nil && len(markers) == 0 {
			return "", errors.New("the value is missing, but Options.MissingMarkers of the training file is empty, " +
				"so that no text marks a missing value; write a value")
		}
		return "", nil
	case json.Number:
		if number, err := v.Float64(); err == nil && c != nil && !slices.Contains(c.Levels, v.String()) {
			if level, ok := c.onlyLevel(func(s string) bool {
				x, isNumber, _ := format.Parse(s)
				return isNumber && x == number
			}); ok {
				return level, nil
			}
		}
		number := v.String()
		if format.Decimal == ',' {
			number = strings.Replace(number, ".", ",", 1)
		}
		if c != nil {
			number += e.Options.Units[c.Name]
		}
		return number, nil
	case bool: // spelled as in the training file: True, TRUE or true
		if c != nil {
			if level, ok := c.onlyLevel(func(s string) bool { return strings.EqualFold(s, fmt.Sprint(v)) }); ok {
				return level, nil
			}
		}
	case string:
		a, isNumber, _ := format.Parse(strings.TrimSpace(v))
		b, isPlainNumber, _ := sheet.NumberFormat{}.Parse(strings.TrimSpace(v))
		isOfNumbers := c != nil && c.Levels == nil && e.Options.Dates[c.Name] == ""
		if isOfNumbers && (isNumber != isPlainNumber || a != b) {
			return "", fmt.Errorf("the text %s is ambiguous: it is not the same number with a decimal point as with "+
				"Options.Decimal and Options.Thousands of the training file; write the number without quotes",
				sheet.Quote(v))
		}
	}
	return fmt.Sprint(value), nil
}

// onlyLevel returns the only value of a nominal column for which matches is true. ok is false if there is not exactly
// one.
func (c *Column) onlyLevel(matches func(string) bool) (level string, ok bool) {
	levels := slices.DeleteFunc(slices.Clone(c.Levels), func(s string) bool { return !matches(s) })
	if len(levels) != 1 {
		return "", false
	}
	return levels[0], true
}

// storeFilledColumn appends the name of a column of numbers to r.FilledColumns for each row with a missing cell.
func (r *datasetBuilder) storeFilledColumn(c *column) {
	for i, v := range c.numbers {
		if math.IsNaN(v) {
			if r.FilledColumns == nil {
				r.FilledColumns = make([]string, len(c.numbers))
			}
			r.FilledColumns[i] = strings.TrimPrefix(r.FilledColumns[i]+", "+sheet.Shorten(c.name), ", ")
		}
	}
}

// parseJSONObject parses an object. A key that occurs twice, a list and an object as a value are errors.
func parseJSONObject(text []byte) (object map[string]any, err error) {
	if text[0] != '{' {
		return nil, fmt.Errorf("%s is not an object", sheet.Quote(string(text)))
	}
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
