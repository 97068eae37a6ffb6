package data

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/mklnb/mkl/algos/points"
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
	g, err := o.splitCells(raw)
	if err != nil {
		return nil, err
	}
	if o.training != nil && o.training.UnnamedColumnCount == 0 && g.columnCount == 1 && len(o.training.Columns) > 1 {
		return nil, fmt.Errorf("the file has 1 column if %q separates the cells, as in the training file; set "+
			"Encoding.Options.Comma to the separator of this file", g.separator)
	}
	o.Comma = g.separator // the Encoding stores the separator for new files
	return o.datasetFromGrid(g)
}

// datasetFromGrid builds the dataset from the cells of a table.
func (o *job) datasetFromGrid(g *grid) (*Dataset, error) {
	format, line := o.format(), g.rows[0].lineNumber
	isMissing := o.missingMarkers(g.rows, format)
	isHeader, err := o.hasHeader(g, format, isMissing)
	if err != nil {
		return nil, err
	}
	names, err := o.removeHeader(g, isHeader)
	if err != nil {
		return nil, err
	}
	t := &table{o: o, rows: g.rows, isMissing: isMissing, format: format, isUnnamed: !isHeader,
		formatHint: g.formatHint, hasRowNames: names[0] == "" || names[0] == unnamedIndex}
	switch {
	case isHeader:
		err = o.nameFirstColumn(names)
	case o.training != nil:
		if names, err = o.training.columnNamesByPosition(g.columnCount); err != nil {
			err = fmt.Errorf("line %d: %w", line, err)
		}
	}
	if err != nil {
		return nil, err
	}
	if len(names) == 1 && !o.Unlabeled && o.training == nil {
		return nil, fmt.Errorf("the table has 1 column, but needs at least one feature and the label; set "+
			"Options.Unlabeled if there are no labels, or Options.Comma if %q does not separate the cells%s",
			g.separator, g.formatHint)
	}
	if err := t.applyOptions(names); err != nil {
		return nil, err
	}
	t.notes = append(g.notes, t.notes...)
	return t.buildDataset()
}

// format returns the format of the numbers in a CSV file: decimal mark and mark between groups of digits.
func (o *Options) format() numberFormat {
	return numberFormat{decimal: o.Decimal, thousands: o.Thousands}
}

// missingMarkers returns the set of texts that stand for a missing value: the markers, the empty text if there is a
// marker, and each cell of the rows that is another spelling of a numeric marker, such as -999.0 for -999.
func (o *Options) missingMarkers(rows []record, format numberFormat) map[string]bool {
	isMissing := make(map[string]bool)
	numericMarkers := make(map[float64]bool)
	markers := o.MissingMarkers
	if markers == nil {
		markers = defaultMissingMarkers
	}
	for _, s := range markers {
		isMissing[s], isMissing[""] = true, true
		if v, isNumber, _ := format.parse(s); isNumber {
			numericMarkers[v] = true
		}
	}
	if len(numericMarkers) == 0 {
		return isMissing
	}
	for _, r := range rows {
		for _, s := range r.cells {
			if v, isNumber, _ := format.parse(s); isNumber && numericMarkers[v] {
				isMissing[s] = true
			}
		}
	}
	return isMissing
}

// hasHeader reports whether the first row of g is a header. If neither an option nor the training file decides, the
// cells do (isHeaderRow).
func (o *job) hasHeader(g *grid, format numberFormat, isMissing map[string]bool) (bool, error) {
	firstRow, body := g.rows[0], g.rows[1:]
	switch {
	case o.Header == HeaderNo:
		return false, nil
	case o.Header == HeaderYes:
		return true, nil
	case o.training != nil && o.training.UnnamedColumnCount > 0:
		isHeader, err := isHeaderRow(firstRow, body, g.columnCount, format, isMissing)
		if len(body) > 0 && (isHeader && err == nil || hasConstantSteps(parseNumbers(firstRow.cells, format))) {
			return false, fmt.Errorf("line %d looks like a header, but the training file has none; remove the line, "+
				"or set Options.Header: HeaderNo if it is a row of data", firstRow.lineNumber)
		}
		return false, nil
	case o.training != nil, o.impliesHeader():
		return true, nil
	}
	return isHeaderRow(firstRow, body, g.columnCount, format, isMissing)
}

// removeHeader removes the header of g, if there is one, numbers the other rows from 1, and returns the names of the
// columns. The name is "" for a first column without a name. Without a header, columns are named x1, x2, …
func (o *job) removeHeader(g *grid, isHeader bool) (names []string, err error) {
	firstRow := g.rows[0]
	lacksFirstName := len(firstRow.cells) < g.columnCount
	switch {
	case isHeader:
		names, g.rows = slices.Clone(firstRow.cells), g.rows[1:]
		if lacksFirstName { // files of R have no name for the column of row names
			names, err = append([]string{""}, names...), o.checkRowNames(g, firstRow.lineNumber)
		}
	case lacksFirstName:
		return nil, fmt.Errorf("line %d has %s, but line %d has %s, and line %[1]d is not a header; correct line "+
			"%[1]d, or set Options.Header: HeaderYes", firstRow.lineNumber, formatCount(len(firstRow.cells), "cell"),
			g.rows[1].lineNumber, formatCount(g.columnCount, "cell"))
	default:
		names = numberedNames(g.columnCount)
	}
	for i := range g.rows {
		g.rows[i].rowNumber = i + 1
	}
	return names, err
}

// parseNumbers returns the cells as numbers, or nil if a cell is not a number.
func parseNumbers(cells []string, format numberFormat) []float64 {
	var numbers []float64
	for _, s := range cells {
		v, ok, _ := format.parse(s)
		if !ok {
			return nil
		}
		numbers = append(numbers, v)
	}
	return numbers
}

// isHeaderRow reports whether the first row names the columns. The row is one of the following:
//
//   - A header, if it has no number, and a column has only numbers below it or the row has one cell less than the rows
//     below it. Example: "age,sick" above "41,yes". A single line is a header if it has no number.
//   - A row of data, if it has a number above a column of numbers, and each of its words occurs again in its column.
//     Example: "41,yes" above "37,no" and "52,yes".
//   - Ambiguous otherwise, which is an error. Example: "id7,yes" above "id8,no".
//
// These rows are ambiguous too:
//
//   - A header that begins with # and other text, if no other line does.
//   - A header with a cell that is empty or stands for a missing value. Its first cell may be empty, if a word of the
//     header does not occur below it.
//   - A row of data, if its first cell is empty and no cell below the first cell is.
//   - A row of data with numbers that look like names of columns: they have constant steps (hasConstantSteps), or there
//     are three or more, which ascend or are whole while the columns below have no whole numbers.
func isHeaderRow(first record, body []record, width int, format numberFormat, isMissing map[string]bool) (bool, error) {
	missingFirstCells := width - len(first.cells) // 1 if the rows have names and the header has none for them
	var numbers []float64
	uniqueWord := "" // a word of the first row that does not occur again in its column
	hasMissingMarker, hasWordAboveNumbers, hasNumberAboveNumbers, onlyWholeNumbers := false, false, false, true
	for j, s := range first.cells {
		cells := columnCells(body, j+missingFirstCells)
		isNumeric, hasWholeNumber := isNumericColumn(cells, format, isMissing)
		v, isNumber, err := format.parse(s)
		switch {
		case isNumber, err != nil:
			numbers = append(numbers, v)
			hasNumberAboveNumbers = hasNumberAboveNumbers || isNumber && isNumeric
			onlyWholeNumbers = onlyWholeNumbers && isNumber && v == math.Trunc(v) && isNumeric && !hasWholeNumber
			continue
		case s == "" && (j == 0 || !slices.ContainsFunc(cells, func(s string) bool { return s != "" })):
		case s == "" || isMissing[s] || s != "#" && !strings.ContainsFunc(s, isLetterOrDigit):
			hasMissingMarker = true
		case uniqueWord == "" && !slices.Contains(cells, s):
			uniqueWord = s
		}
		hasWordAboveNumbers = hasWordAboveNumbers || isNumeric
		onlyWholeNumbers = false
	}
	reason := ""
	switch {
	case len(body) == 0:
		return numbers == nil, nil
	case numbers == nil && beginsWithHash(first) && !slices.ContainsFunc(body, beginsWithHash):
		reason = "no other line begins with #, as comments do"
	case numbers == nil && (hasMissingMarker || first.cells[0] == "" && uniqueWord == ""):
		reason = "no cell is a number, and one is empty or stands for a missing value"
	case numbers == nil && (hasWordAboveNumbers || missingFirstCells > 0):
		return true, nil
	case numbers == nil && isSecondHeader(body, width, format, isMissing):
		return false, fmt.Errorf("lines %d and %d have only words, above columns of numbers; keep one line of names "+
			"(Options.Header: HeaderYes)", first.lineNumber, body[0].lineNumber)
	case numbers == nil:
		reason = "the line has no number, and no column has only numbers below the line"
	case uniqueWord != "":
		reason = fmt.Sprintf("the line has numbers, but its word %s does not occur below the line", quote(uniqueWord))
	case first.cells[0] == "" && !slices.Contains(columnCells(body, missingFirstCells), ""):
		reason = "only its first cell is empty, as in a header above a column of names of rows"
	case !hasNumberAboveNumbers:
		reason = "each number of the line is above a column with other cells than numbers"
	case hasConstantSteps(numbers) || len(numbers) > 2 && isAscending(numbers):
		reason = "the numbers of the line ascend or have constant steps, as names of columns often do"
	case onlyWholeNumbers && len(numbers) > 2:
		reason = "the line has only whole numbers, but the rows below it have none"
	default:
		return false, nil
	}
	return false, fmt.Errorf("line %d: %s, so it is not clear whether the line is a header or a row; set "+
		"Options.Header: HeaderYes or HeaderNo", first.lineNumber, reason)
}

// isSecondHeader reports whether the first of the rows has no number, and a column has only numbers below it.
func isSecondHeader(rows []record, width int, format numberFormat, isMissing map[string]bool) bool {
	if len(rows) < 2 || slices.ContainsFunc(rows[0].cells, format.isNumberInAnyFormat) {
		return false
	}
	return slices.ContainsFunc(points.AllIndices(width), func(j int) bool {
		ok, _ := isNumericColumn(columnCells(rows[1:], j), format, isMissing)
		return ok
	})
}

func beginsWithHash(r record) bool { return len(r.cells[0]) > 1 && r.cells[0][0] == '#' }

func columnCells(rows []record, j int) []string {
	cells := make([]string, len(rows))
	for i, r := range rows {
		cells[i] = r.cells[j]
	}
	return cells
}

// isNumericColumn reports whether all cells that are not missing are numbers, in this or another format, and at least
// one cell is not missing. hasWholeNumber reports whether one of them is a whole number in this format.
func isNumericColumn(cells []string, format numberFormat, isMissing map[string]bool) (isNumeric, hasWholeNumber bool) {
	for _, s := range cells {
		if isMissing[s] {
			continue
		}
		v, isNumber, err := format.parse(s)
		if err == nil && !isNumber {
			return false, hasWholeNumber
		}
		isNumeric, hasWholeNumber = true, hasWholeNumber || isNumber && v == math.Trunc(v)
	}
	return isNumeric, hasWholeNumber
}

// hasConstantSteps reports whether three or more numbers rise or fall by the same step, or two numbers are 0 and 1, 1
// and 2, or consecutive years.
func hasConstantSteps(v []float64) bool {
	if len(v) < 2 || v[1] == v[0] || len(v) == 2 && (v[1]-v[0] != 1 || v[0] > 1 && v[0] < 1000) {
		return false
	}
	step := v[1] - v[0]
	for k := range v[1:] {
		if !(math.Abs(v[k+1]-v[k]-step) <= 1e-9*math.Abs(step)) {
			return false
		}
	}
	return true
}

func isLetterOrDigit(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

func isAscending(v []float64) bool {
	for k := range v[1:] {
		if v[k+1] <= v[k] {
			return false
		}
	}
	return true
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
				"Options.DropColumns leaves it out, Options.KeepIndexColumn keeps it", j+1, shorten(s))
		}
	}
	return nil
}

// impliesHeader reports whether an option names a column by a name other than x1, x2, … These are the names of
// columns without a header, so another name implies that the file has a header.
func (o *Options) impliesHeader() bool {
	namedColumns := slices.Concat([]string{o.Label, o.Group, o.Key, o.Sequence}, o.Targets, o.DropColumns,
		o.Categorical, slices.Collect(maps.Keys(o.Dates)))
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
func (o *job) checkRowNames(g *grid, line int) error {
	names := columnCells(g.rows, 0)
	isNewFile := o.training != nil && o.labelCount == 0 && !o.isMatrixFile
	rowError := func(i int, why string) error {
		return fmt.Errorf("line %d: the header on line %d has one name less than the rows have cells, and %s; set "+
			"Options.Header: HeaderYes if the first cells are names of the rows, Options.Comma if another mark "+
			"separates the cells, Options.Decimal if commas are decimal marks, or correct the header",
			g.rows[i].lineNumber, line, why)
	}
	if isNewFile && !o.training.HasRowNames {
		return fmt.Errorf("line %d: the header has one name less than the rows have cells, and the training file has "+
			"no names of rows; correct the header, or the rows", line)
	}
	if i, _ := findDuplicateName(names); i >= 0 {
		return rowError(i, fmt.Sprintf("the first cell %s occurs in several rows", quote(names[i])))
	}
	switch {
	case len(g.rows) == 0 || hasQuotedRowNames(g.rows):
	case o.Header != HeaderYes && !isNewFile:
		return rowError(0, "the first cells may be names of the rows or a feature")
	case o.Decimal == 0 && g.separator == ',':
		return rowError(0, "a comma may be the decimal mark instead of a separator (if not, set Options.Decimal: '.')")
	}
	return nil
}

// isSplitDecimal reports whether whole consists of digits after at most one sign, and fraction of digits.
func isSplitDecimal(whole, fraction string) bool {
	whole = strings.TrimPrefix(strings.TrimPrefix(whole, "-"), "+")
	return whole != "" && fraction != "" && strings.Trim(whole+fraction, "0123456789") == ""
}

// hasQuotedRowNames reports whether the first cells of the rows are all different, and in quotes while other cells are
// not. R writes the names of rows in this way.
func hasQuotedRowNames(rows []record) bool {
	i, _ := findDuplicateName(columnCells(rows, 0))
	return i < 0 && !slices.ContainsFunc(rows, func(r record) bool { return !r.onlyFirstQuoted })
}
