package sheet

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
)

// ParseNumbers returns the cells as numbers, or nil if a cell is not a number.
func ParseNumbers(cells []string, format NumberFormat) []float64 {
	var numbers []float64
	for _, s := range cells {
		v, ok, _ := format.Parse(s)
		if !ok {
			return nil
		}
		numbers = append(numbers, v)
	}
	return numbers
}

// IsHeaderRow reports whether the first row names the columns. The row is one of the following:
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
//   - A row of data with numbers that look like names of columns: they have constant steps (HasConstantSteps), or there
//     are three or more, which ascend, or two or more, which are whole while the columns below have no whole numbers.
func IsHeaderRow(first Record, body []Record, width int, format NumberFormat, isMissing map[string]bool) (bool, error) {
	missingFirstCells := width - len(first.Cells) // 1 if the rows have names and the header has none for them
	var numbers []float64
	uniqueWord := "" // a word of the first row that does not occur again in its column
	hasMissingMarker, hasWordAboveNumbers, hasNumberAboveNumbers, onlyWholeNumbers := false, false, false, true
	for j, s := range first.Cells {
		cells := Column(body, j+missingFirstCells)
		isNumeric, hasWholeNumber := IsNumericColumn(cells, format, isMissing)
		v, isNumber, err := format.Parse(s)
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
	case numbers == nil && (hasMissingMarker || first.Cells[0] == "" && uniqueWord == ""):
		reason = "no cell is a number, and one is empty or stands for a missing value"
		if !slices.ContainsFunc(first.Cells[1:], func(s string) bool { return s != "" }) && len(first.Cells) > 2 {
			return false, fmt.Errorf("line %d has only one cell that is not empty, as a title has; set "+
				"Options.SkipRows: %[1]d to skip it, or Options.Header: HeaderYes or HeaderNo", first.LineNumber)
		}
	case numbers == nil && (hasWordAboveNumbers || missingFirstCells > 0):
		return true, nil
	case numbers == nil && isSecondHeader(body, width, format, isMissing):
		return false, fmt.Errorf("lines %d and %d have only words, above columns of numbers; set Options.UnitLine "+
			"if the second holds units, or keep one line of names", first.LineNumber, body[0].LineNumber)
	case numbers == nil:
		reason = "the line has no number, and no column has only numbers below the line"
	case uniqueWord != "":
		reason = fmt.Sprintf("the line has numbers, but its word %s does not occur below the line", Quote(uniqueWord))
	case first.Cells[0] == "" && !slices.Contains(Column(body, missingFirstCells), ""):
		reason = "only its first cell is empty, as in a header above a column of names of rows"
	case !hasNumberAboveNumbers:
		reason = "each number of the line is above a column with other cells than numbers"
	case HasConstantSteps(numbers) || len(numbers) > 2 && isAscending(numbers):
		reason = "the numbers of the line ascend or have constant steps, as names of columns often do"
	case onlyWholeNumbers && len(numbers) > 1:
		reason = "the line has only whole numbers, but the rows below it have none"
	default:
		return false, nil
	}
	return false, fmt.Errorf("line %d: %s, so it is not clear whether the line is a header or a row; set "+
		"Options.Header: HeaderYes or HeaderNo", first.LineNumber, reason)
}

// isSecondHeader reports whether the first of the rows has no number, and a column has only numbers below it.
func isSecondHeader(rows []Record, width int, format NumberFormat, isMissing map[string]bool) bool {
	if len(rows) < 2 || slices.ContainsFunc(rows[0].Cells, format.IsNumberInAnyFormat) {
		return false
	}
	for j := range width {
		if isNumeric, _ := IsNumericColumn(Column(rows[1:], j), format, isMissing); isNumeric {
			return true
		}
	}
	return false
}

func beginsWithHash(r Record) bool { return len(r.Cells[0]) > 1 && r.Cells[0][0] == '#' }

// Column returns the cells of column j.
func Column(rows []Record, j int) []string {
	cells := make([]string, len(rows))
	for i, r := range rows {
		cells[i] = r.Cells[j]
	}
	return cells
}

// IsNumericColumn reports whether all cells that are not missing are numbers, in this or another format, and at least
// one cell is not missing. hasWholeNumber reports whether one of them is a whole number in this format.
func IsNumericColumn(cells []string, format NumberFormat, isMissing map[string]bool) (isNumeric, hasWholeNumber bool) {
	for _, s := range cells {
		if isMissing[s] {
			continue
		}
		v, isNumber, err := format.Parse(s)
		if err == nil && !isNumber {
			return false, hasWholeNumber
		}
		isNumeric, hasWholeNumber = true, hasWholeNumber || isNumber && v == math.Trunc(v)
	}
	return isNumeric, hasWholeNumber
}

// HasConstantSteps reports whether three or more numbers rise or fall by the same step, or two numbers are 0 and 1, 1
// and 2, or consecutive years.
func HasConstantSteps(v []float64) bool {
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
