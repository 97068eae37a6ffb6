package data

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/mklnb/mkl/data/internal/sheet"
)

// defaultMissingMarkers are the cells of a CSV file that stand for a missing value if Options.MissingMarkers is nil: ?
// and the markers of pandas.
var defaultMissingMarkers = []string{"", "?", "NA", "N/A", "n/a", "#N/A", "#N/A N/A", "#NA", "<NA>", "NaN", "nan",
	"NAN", "-NaN", "-nan", "NULL", "Null", "null", "None", "-1.#IND", "-1.#QNAN", "1.#IND", "1.#QNAN"}

// unnamedIndex is the name that pandas gives to a first column without a name.
const unnamedIndex = "Unnamed: 0"

// readCSV reads text with one point a line and cells between separators (RFC 4180: cells may be quoted), with or
// without a first line of names. It does not guess: exactly one separator and one reading of the first line must fit.
// Otherwise an error names the option that decides.
//
// It skips empty lines, rows without any text (except in files of points to predict), and blanks around cells. It drops
// empty columns at the end that have no name. A first column without a name whose cells all differ holds the names of
// the rows. Columns are named x1, x2, … if the file does not name them.
func readCSV(raw []byte, o *job) (*Dataset, error) {
	g, err := o.readGrid(raw)
	if err != nil && o.training != nil && !strings.Contains(err.Error(), "Options.") {
		err = fmt.Errorf("%w; if the file is written in another way than the training file, state how in "+
			"Encoding.Options",
			err)
	}
	if err != nil {
		return nil, err
	}
	if o.training != nil && o.training.UnnamedColumnCount == 0 && g.ColumnCount == 1 && len(o.training.Columns) > 1 {
		return nil, fmt.Errorf("the file has 1 column if %q separates the cells, as in the training file; set "+
			"Encoding.Options.Comma to the separator of this file", g.Separator)
	}
	o.Comma = g.Separator // the Encoding stores the separator for new files
	return o.datasetFromGrid(g)
}

// readGrid splits a file into rows and cells, in the dialect of the options or of the training file.
func (o *job) readGrid(raw []byte) (*sheet.Grid, error) {
	isTable := o.labelCount == 0 && !o.isMatrixFile
	d := sheet.Dialect{Comma: o.Comma, Numbers: o.format(), Comment: o.Comment, SkipRows: o.SkipRows,
		SkipFooter: o.SkipFooter, EachRowIsPoint: o.training != nil || !isTable, IsNewFile: o.training != nil,
		IsLabelFile: o.labelCount > 0 && !o.impliesHeader(), Hint: libsvmHint}
	if o.training != nil && isTable {
		d.MinColumns = o.training.UnnamedColumnCount
	}
	if d.Comma == 0 && o.Decimal != ',' && o.training != nil && o.labelCount == 0 {
		d.Comma = ',' // the training file is not a CSV file and has no separator
	}
	return d.Read(raw)
}

// datasetFromGrid builds the dataset from the cells of a table.
func (o *job) datasetFromGrid(g *sheet.Grid) (*Dataset, error) {
	format, line := o.format(), g.Rows[0].LineNumber
	isMissing := o.missingMarkers(g.Rows, format)
	isHeader, err := o.hasHeader(g, format, isMissing)
	if err != nil {
		return nil, err
	}
	names, err := o.removeHeader(g, isHeader)
	if err != nil {
		return nil, err
	}
	if o.training == nil {
		if isHeader && len(names) > 2 && !slices.ContainsFunc(names[1:], func(s string) bool { return s != "" }) {
			return nil, fmt.Errorf("line %d has only one cell that is not empty, as a title has; set "+
				"Options.SkipRows: %[1]d to skip it", line)
		}
		err = o.checkLastAndFirstRow(g, names, isHeader, isMissing)
	}
	if err != nil {
		return nil, err
	}
	t := &table{o: o, rows: g.Rows, isMissing: isMissing, format: format, isUnnamed: !isHeader,
		formatHint: g.Hint, hasRowNames: names[0] == "" || names[0] == unnamedIndex}
	switch {
	case isHeader:
		err = o.nameFirstColumn(names)
	case o.training != nil:
		if names, err = o.training.columnNamesByPosition(g.ColumnCount); err != nil {
			err = fmt.Errorf("line %d: %w", line, err)
		}
	}
	if err != nil {
		return nil, err
	}
	if len(names) == 1 && !o.Unlabeled && o.training == nil {
		return nil, fmt.Errorf("the table has 1 column, but needs at least one feature and the label; set "+
			"Options.Unlabeled if there are no labels, or Options.Comma if %q does not separate the cells%s",
			g.Separator, g.Hint)
	}
	if !isHeader && o.training == nil && o.Header == HeaderAuto {
		t.notes = append(t.notes, "the first line is a row, so the columns are named x1, x2, …")
	}
	if isHeader && o.training == nil && !o.UnitLine && sheet.IsFirstRowAlone(g.Rows) {
		t.doubts = append(t.doubts, fmt.Sprintf("%v has no cell that occurs in another row; if it holds units or "+
			"names, set Options.UnitLine", g.Rows[0]))
	}
	if err := t.applyOptions(names); err != nil {
		return nil, err
	}
	if err := t.cutUnits(names); err != nil {
		return nil, err
	}
	t.notes = append(g.Notes, t.notes...)
	return t.buildDataset()
}

// format returns the format of the numbers in a CSV file: decimal mark and mark between groups of digits.
func (o *Options) format() sheet.NumberFormat {
	return sheet.NumberFormat{Decimal: o.Decimal, Thousands: o.Thousands}
}

// missingMarkers returns the set of texts that stand for a missing value: the markers, the empty text if there is a
// marker, and each cell of the rows that is another spelling of a numeric marker, such as -999.0 for -999.
func (o *Options) missingMarkers(rows []sheet.Record, format sheet.NumberFormat) map[string]bool {
	isMissing := make(map[string]bool)
	numericMarkers := make(map[float64]bool)
	markers := o.MissingMarkers
	if markers == nil {
		markers = defaultMissingMarkers
	}
	for _, s := range markers {
		isMissing[s], isMissing[""] = true, true
		if v, isNumber, _ := format.Parse(s); isNumber {
			numericMarkers[v] = true
		}
	}
	if len(numericMarkers) == 0 {
		return isMissing
	}
	for _, r := range rows {
		for _, s := range r.Cells {
			if v, isNumber, _ := format.Parse(s); isNumber && numericMarkers[v] {
				isMissing[s] = true
			}
		}
	}
	return isMissing
}

// hasHeader reports whether the first row of g is a header. If neither an option nor the training file decides, the
// cells do (sheet.IsHeaderRow).
func (o *job) hasHeader(g *sheet.Grid, format sheet.NumberFormat, isMissing map[string]bool) (bool, error) {
	firstRow, body := g.Rows[0], g.Rows[1:]
	switch {
	case o.Header == HeaderNo:
		return false, nil
	case o.Header == HeaderYes || o.UnitLine:
		return true, nil
	case o.training != nil && o.training.UnnamedColumnCount > 0:
		isHeader, err := sheet.IsHeaderRow(firstRow, body, g.ColumnCount, format, isMissing)
		if len(body) > 0 && (isHeader && err == nil || sheet.HasConstantSteps(sheet.ParseNumbers(firstRow.Cells,
			format))) {
			return false, fmt.Errorf("line %d looks like a header, but the training file has none; remove the line, "+
				"or set Options.Header: HeaderNo if it is a row of data", firstRow.LineNumber)
		}
		return false, nil
	case o.training != nil, o.impliesHeader():
		return true, nil
	}
	return sheet.IsHeaderRow(firstRow, body, g.ColumnCount, format, isMissing)
}

// removeHeader removes the header of g, if there is one, numbers the other rows from 1, and returns the names of the
// columns. The name is "" for a first column without a name. Without a header, columns are named x1, x2, …
func (o *job) removeHeader(g *sheet.Grid, isHeader bool) (names []string, err error) {
	firstRow := g.Rows[0]
	lacksFirstName := len(firstRow.Cells) < g.ColumnCount
	switch {
	case isHeader:
		names, g.Rows = slices.Clone(firstRow.Cells), g.Rows[1:]
		if lacksFirstName { // files of R have no name for the column of row names
			names, err = append([]string{""}, names...), o.checkRowNames(g, firstRow.LineNumber)
		}
		if o.NumberRepeatedNames {
			sheet.NumberRepeatedNames(names)
		}
		if o.UnitLine && len(g.Rows) > 0 && !o.isRowOfTraining(names, g.Rows[0].Cells) {
			g.Notes = append(g.Notes, fmt.Sprintf("line %d with units skipped", g.Rows[0].LineNumber))
			g.Rows = g.Rows[1:]
		}
	case lacksFirstName:
		return nil, fmt.Errorf("line %d has %s, but line %d has %s, and line %[1]d is not a header; correct line "+
			"%[1]d, or set Options.Header: HeaderYes", firstRow.LineNumber, sheet.Count(len(firstRow.Cells), "cell"),
			g.Rows[1].LineNumber, sheet.Count(g.ColumnCount, "cell"))
	default:
		names = numberedNames(g.ColumnCount)
	}
	for i := range g.Rows {
		g.Rows[i].RowNumber = i + 1
	}
	return names, err
}

// nameFirstColumn gives a first column without a name the name "x1", or "column 1" if another column is named x1. It
// returns an error if any other column has no name.
func (o *job) nameFirstColumn(names []string) error {
	for j, s := range names {
		switch {
		case s == "" && j > 0:
			return fmt.Errorf("column %d has no name; add a name to the header, or set Options.Header: HeaderNo if "+
				"there is none", j+1)
		case s == "" && slices.Contains(names, "x1"):
			names[0] = "column 1"
		case s == "":
			names[0] = "x1"
		case strings.HasPrefix(s, unnamedIndex) && o.training == nil && (j > 0 || s != unnamedIndex) &&
			!o.KeepIndexColumn && !slices.Contains(o.DropColumns, s):
			return fmt.Errorf("column %d (%s) looks like the numbers of rows that pandas writes; "+
				"Options.DropColumns leaves it out, Options.KeepIndexColumn keeps it", j+1, sheet.Shorten(s))
		}
	}
	return nil
}

// impliesHeader reports whether an option names a column by a name other than x1, x2, … These are the names of
// columns without a header, so another name implies that the file has a header.
func (o *Options) impliesHeader() bool {
	namedColumns := slices.Concat([]string{o.Label, o.Group, o.Key, o.Sequence}, o.Targets, o.DropColumns,
		o.Categorical, slices.Collect(maps.Keys(o.Dates)), slices.Collect(maps.Keys(o.Units)))
	return slices.ContainsFunc(namedColumns, func(s string) bool {
		digits, isNumbered := strings.CutPrefix(s, "x")
		_, err := strconv.Atoi(digits)
		return s != "" && !(isNumbered && err == nil)
	})
}

// checkRowNames returns an error unless the first cells of the rows are names of the rows, which must all differ. The
// header, on the given line, has no name for this column. In a training file the names must be in quotes while other
// cells are not, as R writes names, or Options.Header must be HeaderYes. For a new file, the training file must have
// names of rows. Names without quotes are an error if cells are separated by commas and Options.Decimal is not set.
func (o *job) checkRowNames(g *sheet.Grid, line int) error {
	names := sheet.Column(g.Rows, 0)
	isNewFile := o.training != nil && o.labelCount == 0 && !o.isMatrixFile
	rowError := func(i int, why string) error {
		return fmt.Errorf("line %d: the header on line %d has one name less than the rows have cells, and %s; set "+
			"Options.Header: HeaderYes if the first cells are names of the rows, Options.Comma if another mark "+
			"separates the cells, Options.Decimal if commas are decimal marks, or correct the header",
			g.Rows[i].LineNumber, line, why)
	}
	if isNewFile && !o.training.HasRowNames {
		return fmt.Errorf("line %d: the header has one name less than the rows have cells, and the training file has "+
			"no names of rows; correct the header, or the rows", line)
	}
	if i, _ := sheet.FirstDuplicate(names); i >= 0 {
		return rowError(i, fmt.Sprintf("the first cell %s occurs in several rows", sheet.Quote(names[i])))
	}
	switch {
	case len(g.Rows) == 0 || sheet.HasQuotedRowNames(g.Rows):
	case o.Header != HeaderYes && !isNewFile:
		return rowError(0, "the first cells may be names of the rows or a feature")
	case o.Decimal == 0 && g.Separator == ',':
		return rowError(0, "a comma may be the decimal mark instead of a separator (if not, set Options.Decimal: '.')")
	}
	return nil
}

// numberedNames returns the names x1, x2, … of nameCount columns without names.
func numberedNames(nameCount int) []string {
	names := make([]string, nameCount)
	for j := range names {
		names[j] = fmt.Sprintf("x%d", j+1)
	}
	return names
}

// isRowOfTraining reports whether cells can be a row like those of the training file, and no line with units: a cell is
// missing or a number in a column of numbers, or a known value in another column. It is false for a training file.
func (o *job) isRowOfTraining(names, cells []string) bool {
	if o.training == nil {
		return false
	}
	isMissing, format := o.missingMarkers(nil, o.format()), o.format()
	for _, c := range o.training.Columns {
		j := slices.Index(names, c.Name)
		if j < 0 {
			continue
		}
		s := cells[j]
		number, _ := sheet.CutUnit(s, o.Units[c.Name])
		if isMissing[s] || c.Levels == nil && format.IsNumberInAnyFormat(number) || slices.Contains(c.Levels, s) {
			return true
		}
	}
	return false
}

// checkLastAndFirstRow returns an error if a row of a training file seems to end in a comment, the last row seems to be
// a summary such as Total, or the first row below a header seems to hold units.
func (o *job) checkLastAndFirstRow(g *sheet.Grid, names []string, isHeader bool, isMissing map[string]bool) error {
	isNames := func(j int) bool { return slices.Contains(o.Categorical, names[j]) }
	if r, mark := sheet.CommentAtEnd(g.Rows); mark != "" && !isNames(len(names)-1) {
		return fmt.Errorf("%v: the cell %s seems to end in a comment; set Options.Comment: %q to skip it, or name the "+
			"column in Options.Categorical", r, sheet.Quote(r.Cells[len(names)-1]), mark)
	}
	if j := sheet.FooterCell(g.Rows); j >= 0 && !isNames(j) && !slices.Contains(o.DropColumns, names[j]) {
		r := g.Rows[len(g.Rows)-1]
		return fmt.Errorf("line %d, column %d (%s): the last row has the cell %s, which no other row has, as in a "+
			"line that summarizes the rows; skip it with Options.SkipFooter: %d, or set Options.Categorical: "+
			"[]string{%q} if it is a row", r.LineNumber, j+1, sheet.Shorten(names[j]), sheet.Quote(r.Cells[j]),
			o.SkipFooter+1, names[j])
	}
	if j := sheet.UnitLineColumn(g.Rows, isMissing, isNames); isHeader && !o.UnitLine && j >= 0 {
		r := g.Rows[0]
		return fmt.Errorf("%v, column %d (%s): %s seems to be a unit or a second name of the column; set "+
			"Options.UnitLine if the line is no row, or Options.Categorical: []string{%q} if it is one", r, j+1,
			sheet.Shorten(names[j]), sheet.Quote(r.Cells[j]), names[j])
	}
	return nil
}

// cutUnits removes the units that Options.Units gives from the cells of their columns.
func (t *table) cutUnits(names []string) error {
	for _, name := range slices.Sorted(maps.Keys(t.o.Units)) {
		j := slices.Index(names, name)
		switch {
		case j < 0 && t.o.training == nil:
			return unknownColumnError("Units", name, names)
		case j < 0 || t.columns[j].kind == dropped:
			continue
		}
		for i, r := range t.rows {
			s := r.Cells[j]
			if t.isMissing[s] {
				continue
			}
			number, ok := sheet.CutUnit(s, t.o.Units[name])
			if !ok || !t.format.IsNumberInAnyFormat(number) {
				return fmt.Errorf("%s: %s is not a number with the unit %s of Options.Units", t.cellPosition(r, j),
					sheet.Quote(s), sheet.Quote(t.o.Units[name]))
			}
			t.rows[i].Cells[j] = number
		}
	}
	return nil
}
