package data

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data/internal/sheet"
)

// warnAboutSerialNumbers returns warnings, for Dataset.Doubts, about features that only number the rows: ten or more
// integers that grow by 1 from row to row. Rows that repeat an earlier row are ignored.
func (t *table) warnAboutSerialNumbers() (doubts []string) {
	for j, c := range t.columns {
		if c.kind != numbers || c.dateLayout != "" || len(c.numbers) < 10 || c.hasFraction() {
			continue
		}
		v := points.Pick(c.numbers, t.distinctRows())
		if len(v) >= 10 && sheet.HasConstantSteps(v) && v[1] == v[0]+1 && v[0] == math.Trunc(v[0]) {
			doubts = append(doubts, fmt.Sprintf("column %d (%s) numbers the rows and was used as a feature; if it is "+
				"no measurement, leave it out with data.Options{DropColumns: []string{%q}}", j+1, sheet.Shorten(c.name),
				c.name))
		}
	}
	return doubts
}

// hasFraction reports whether a number of the column is not whole.
func (c *column) hasFraction() bool {
	return slices.ContainsFunc(c.numbers, func(v float64) bool { return v != math.Trunc(v) && !math.IsNaN(v) })
}

// distinctRows returns the indices of the rows that do not equal an earlier row.
func (t *table) distinctRows() []int {
	if t.distinct == nil {
		isSeen := make(map[string]bool, len(t.rows))
		for i, r := range t.rows {
			if key := strings.Join(r.Cells, "\x00"); !isSeen[key] {
				isSeen[key], t.distinct = true, append(t.distinct, i)
			}
		}
	}
	return t.distinct
}

// warnAboutConstantColumns returns a warning, for Dataset.Doubts, that lists the features with one value in ten or more
// rows. It does not list columns of zeros, which are ordinary among counts and pixels.
func (t *table) warnAboutConstantColumns(columns []Column) (doubts []string) {
	var names []string
	for _, c := range columns {
		isConstant := c.Levels != nil && len(c.featureNames()) == 1
		if j := slices.IndexFunc(t.columns, func(d *column) bool { return d.name == c.Name }); c.Levels == nil {
			v := t.columns[j].numbers
			isConstant = c.Mean != 0 && !slices.ContainsFunc(v, func(x float64) bool { return x != v[0] })
		}
		if isConstant && len(t.rows) >= identifierRows {
			names = append(names, c.Name)
		}
	}
	if names == nil {
		return nil
	}
	return []string{fmt.Sprintf("the same value is in every row of %s: %s; it says nothing about the points, and "+
		"another value in a new file has no meaning; leave it out with Options.DropColumns",
		sheet.Count(len(names), "column"), sheet.List(names))}
}

// checkRepeatedRows returns an error if the rows seem to be several measurements of each person or thing: in a column
// of words or whole numbers, at least half of the rows share their value with another row, at least ten values do, and
// all rows of each of them have the same label. This must be very improbable for labels in random order. An integer
// that only predicts the label, as a measurement does, is accepted: labels of neighboring values then resemble each
// other. Rows that repeat an earlier row count once.
func (t *table) checkRepeatedRows() error {
	if t.o.Group != "" || t.o.Sequence != "" || t.o.IndependentRows || len(t.targets) == 0 {
		return nil
	}
	rows := t.distinctRows()
	labelShare := map[float64]float64{} // share of the rows with this label
	y := points.Pick(t.targets[0].y, rows)
	for _, v := range y {
		labelShare[v] += 1 / float64(len(rows))
	}
	for j, c := range t.columns {
		if c.kind == label || c.kind == key || c.kind == sequence || c.isRowNames || c.dateLayout != "" ||
			c.hasFraction() {
			continue
		}
		rowsOf := map[string][]int{}
		for k, i := range rows {
			if s := t.rows[i].Cells[j]; !t.isMissing[s] {
				rowsOf[s] = append(rowsOf[s], k)
			}
		}
		repeatedValues, rowCount, logChance := 0, 0, 0.0
		for _, of := range rowsOf {
			if len(of) == 1 {
				continue
			}
			if slices.ContainsFunc(of, func(k int) bool { return y[k] != y[of[0]] }) {
				repeatedValues = 0
				break
			}
			chance := 0.0 // that so many labels are equal
			for _, share := range labelShare {
				chance += math.Pow(share, float64(len(of)))
			}
			repeatedValues, rowCount, logChance = repeatedValues+1, rowCount+len(of), logChance+math.Log(chance)
		}
		const improbable = 1e-6
		if repeatedValues < identifierRows || 2*rowCount < len(rows) || logChance > math.Log(improbable) ||
			!t.mayBeIdentifier(rowsOf, y) {
			continue
		}
		return fmt.Errorf("column %d (%s): %d of its values are in several rows, and all rows of a value have the "+
			"same %s, as in several measurements of each person; if they are, set Options.Group: %q, so that a test "+
			"is on other persons (or things) than the training; if each row is independent, set "+
			"Options.IndependentRows", j+1, sheet.Shorten(c.name), repeatedValues,
			cmp.Or(sheet.Shorten(t.targets[0].name), "label"), c.name)
	}
	return nil
}

// mayBeIdentifier reports whether the values of a column, each with its rows, may name persons or things: they are
// words, or integers that are either all of a range, each in adjacent rows, or whose labels y are in random order.
func (t *table) mayBeIdentifier(rowsOf map[string][]int, y []float64) bool {
	type value struct{ number, label float64 }
	var values []value
	isBlock, wordCount := true, 0 // isBlock: the rows of each value are adjacent
	for s, of := range rowsOf {
		v, isNumber, _ := t.format.Parse(s)
		if !isNumber {
			wordCount++
		} else if v != math.Trunc(v) {
			return false
		}
		values, isBlock = append(values, value{v, y[of[0]]}), isBlock && of[len(of)-1]-of[0] == len(of)-1
	}
	if 2*wordCount > len(values) {
		return true
	}
	slices.SortFunc(values, func(a, b value) int { return cmp.Compare(a.number, b.number) })
	difference := func(a, b value) float64 {
		if t.o.isRegression() {
			return math.Abs(a.label - b.label)
		}
		return math.Min(1, math.Abs(a.label-b.label))
	}
	neighbors, others, otherCount := 0.0, 0.0, 0.0 // sums of differences between labels
	for i, a := range values[1:] {
		neighbors += difference(values[i], a)
		for k := 0; k < len(values); k += 1 + len(values)/30 {
			others, otherCount = others+difference(a, values[k]), otherCount+1
		}
	}
	isRange := values[len(values)-1].number-values[0].number == float64(len(values)-1)
	return isBlock && isRange || 2*neighbors/float64(len(values)-1) > others/otherCount
}

// warnAboutUnits returns warnings, for Dataset.Doubts, about nominal columns of more than ten different values that
// look like a unit and a number, such as EUR 5. Each value became a feature.
func (t *table) warnAboutUnits(columns []Column) (doubts []string) {
	for j, c := range t.columns {
		k := slices.IndexFunc(columns, func(col Column) bool { return col.Name == c.name })
		if k < 0 || c.isCategoricalByOption || len(columns[k].Levels) <= identifierRows {
			continue
		}
		if advice := t.adviseOnUnits(c.name, columns[k].Levels); advice != "" {
			doubts = append(doubts, fmt.Sprintf("column %d (%s) was used as names, %d in all (data.Options{"+
				"Categorical: []string{%q}} accepts this)%s", j+1, sheet.Shorten(c.name), len(columns[k].Levels),
				c.name,
				advice))
		}
	}
	return doubts
}

// adviseOnUnits returns the end of a message about a column whose values all are one word before a number, such as
// EUR 5 and EUR 7.50. It returns "" for other values.
func (t *table) adviseOnUnits(column string, values []string) string {
	word := ""
	for k, s := range values {
		i := max(strings.IndexAny(s, "0123456789"), 0)
		w := strings.TrimRight(s[:i], " +-\u00A0")
		isCurrency := func(r rune) bool { return unicode.Is(unicode.Sc, r) }
		isUnit := w != strings.TrimRight(s[:i], "+-") || strings.ContainsFunc(w, isCurrency) // not P1, P2, …
		if w == "" || !isUnit || k > 0 && w != word || !t.format.IsNumberInAnyFormat(s[i:]) {
			return ""
		}
		word = w
	}
	return fmt.Sprintf("; each value is %s before a number: if they are amounts, Options.Units: data.Units{%q: "+
		"%[1]s} reads them", sheet.Quote(word), column)
}

// warnAboutSentinels returns warnings, for Dataset.Doubts, about columns whose least or greatest number may stand for a
// missing value, such as −999.
func (t *table) warnAboutSentinels() (doubts []string) {
	for j, c := range t.columns {
		v := slices.DeleteFunc(slices.Clone(c.numbers), math.IsNaN)
		if c.kind == label && t.o.isRegression() {
			v = slices.Clone(c.target.y)
		} else if c.kind != numbers || c.dateLayout != "" {
			continue
		}
		slices.Sort(v)
		if sentinel, occurrences := findSentinel(v); occurrences > 0 {
			doubts = append(doubts, fmt.Sprintf("column %d (%s) holds %g in %s, far from its other numbers; it "+
				"was used as a number. If it stands for a missing value, open the file with data.Options{"+
				"MissingMarkers: []string{\"\", \"NA\", \"%[3]g\"}, Missing: data.Drop}, which drops these rows, "+
				"and learn again.", j+1, sheet.Shorten(c.name), sentinel, sheet.Count(occurrences, "row")))
		}
	}
	return doubts
}

// findSentinel returns the least or the greatest of the sorted numbers v if it may stand for a missing value, and how
// often it occurs. Such a number is an integer, occurs more than once, and is farther from the other numbers than these
// are from each other. It is negative, has only nines as digits, or is at least ten times the next number. occurrences
// is 0 if there is no such number.
func findSentinel(v []float64) (sentinel float64, occurrences int) {
	k := len(v)
	if k < 4 {
		return 0, 0
	}
	least, greatest := v[0], v[k-1]
	i := slices.IndexFunc(v, func(x float64) bool { return x > least }) // v[i] is the smallest number above least
	j, _ := slices.BinarySearch(v, greatest)                            // v[j] is the first number equal to greatest
	switch {
	case i < 0:
	case (i > 1 || areNines(least) && least < -99) && least < 0 && least == math.Trunc(least) &&
		v[i]-least > greatest-v[i] &&
		v[i] < greatest:
		return least, i
	case (j < k-1 || areNines(greatest) && greatest > 99 && greatest >= 10*v[j-1]) &&
		greatest == math.Trunc(greatest) && greatest-v[j-1] > v[j-1]-least &&
		least < v[j-1] && (greatest >= 10*v[j-1] || areNines(greatest)):
		return greatest, k - j
	}
	return 0, 0
}

// lookAlikeWarning returns a warning, for Dataset.Doubts, about two values that people hardly tell apart. noun names
// the values. It returns "" if there are none.
func lookAlikeWarning(noun string, values []string) string {
	a, b := sheet.LookAlikes(values)
	if a == b {
		return ""
	}
	return fmt.Sprintf("the %s %s and %s differ, but look alike (upper and lower case, blanks, invisible "+
		"characters, or the form of a number); correct the file if they are the same", noun, sheet.QuoteAlike(a),
		sheet.QuoteAlike(b))
}

// warnAboutHiddenDates returns warnings, for Dataset.Doubts, about columns of whole numbers that may be dates, such as
// 20240131, or 43831 in a column whose name has the word date.
func (t *table) warnAboutHiddenDates() (doubts []string) {
	for j, c := range t.columns {
		if len(c.numbers) < 2 || c.kind != numbers || c.dateLayout != "" {
			continue
		}
		isDate, isSerial := true, strings.Contains(strings.ToLower(c.name), "date")
		for _, v := range c.numbers {
			if isDate = isDate && v == math.Trunc(v) && v > 19e6 && v < 21e6; isDate {
				_, err := time.Parse("20060102", fmt.Sprint(int(v)))
				isDate = err == nil
			}
			isSerial = isSerial && v == math.Trunc(v) && v > 20000 &&
				v < 80000 // 1954 to 2119, in days since 1899-12-30
		}
		switch {
		case isDate:
			doubts = append(doubts, fmt.Sprintf("column %d (%s) holds numbers that may be dates, such as %.0f; "+
				"Options.Dates: data.DateLayouts{%q: \"20060102\"} reads them as days", j+1, sheet.Shorten(c.name),
				c.numbers[0], c.name))
		case isSerial:
			doubts = append(doubts, fmt.Sprintf("column %d (%s) holds numbers such as %.0f, which may be the dates "+
				"of a spreadsheet, in days; they were used as numbers", j+1, sheet.Shorten(c.name), c.numbers[0]))
		}
	}
	return doubts
}

// areNines reports whether all digits of v are 9, as in −999.
func areNines(v float64) bool {
	s := strings.TrimPrefix(sheet.FormatNumber(v), "-")
	return strings.Trim(s, "9") == ""
}
