package data

import (
	"fmt"
	"math"
	"strings"
)

// parseCell reads a cell of a column as a number (numberFormat.parse), or as a date if Options.Dates names the column.
// In a column of dates, a cell that is not a date is an error.
func (t *table) parseCell(c *column, s string) (v float64, isNumber bool, err error) {
	if c.layout != "" {
		v, err = parseDays(c.layout, s)
		return v, err == nil, err
	}
	return t.format.parse(s)
}

// readLabels reads the labels in column j.
func (t *table) readLabels(j int) error {
	c := t.cols[j]
	for _, r := range t.rows {
		if err := c.target.addLabel(r.cells[j], t.format, func() string { return t.position(r, j) }); err != nil {
			if r.number == 1 && t.isUnnamed && t.o.isRegression() {
				err = fmt.Errorf("%w; if the first line has names, set Options.Header: HeaderYes", err)
			}
			return err
		}
	}
	return nil
}

// readFeature reads column j, a feature, and decides whether it holds numbers or names. Missing numbers become NaN. It
// is an error if the column mixes numbers and words, or if every cell begins like a number but is not one.
func (t *table) readFeature(j int) error {
	c := t.cols[j]
	var number, word *record // the first row with a number, and the first row with a word
	allNumeric := true       // every cell is a number or begins like one
	c.vals = make([]float64, 0, len(t.rows))
	for i, r := range t.rows {
		s := r.cells[j]
		if t.isMissing[s] {
			c.vals = append(c.vals, math.NaN())
			continue
		}
		v, isNumber, err := t.parseCell(c, s)
		switch {
		case err != nil:
			return fmt.Errorf("%s: %w%s", t.position(r, j), err, t.featureAdvice(c))
		case isNumber && number == nil:
			number = &t.rows[i]
		case !isNumber && word == nil:
			word = &t.rows[i]
		}
		allNumeric = allNumeric && (isNumber || beginsLikeNumber(s))
		c.vals = append(c.vals, v)
	}
	if word == nil {
		c.kind = numbers
		return nil
	}
	position, cell := t.position(*word, j), quote(word.cells[j])
	switch {
	case c.kind == numbers:
		return fmt.Errorf("%s: %s is not a number, as the column needs", position, cell)
	case number != nil:
		return fmt.Errorf("%s: %s is not a number, but %s on line %d is; correct the cell, or list the column in "+
			"Options.Categorical or DropColumns, or the cell in Options.MissingMarkers",
			position, cell, quote(number.cells[j]), number.line)
	case allNumeric:
		return fmt.Errorf("%s: %s begins like a number and is none%s", position, cell, t.spellingAdvice(c,
			word.cells[j]))
	}
	c.kind, c.vals = nominal, nil
	return nil
}

// featureAdvice returns the end of an error about a cell of c: the options that read c as names or drop it. It returns
// "" if these options do not apply, because the training file or the header of an ARFF file decides.
func (t *table) featureAdvice(c *column) string {
	if c.fitted != nil || c.kind == numbers {
		return ""
	}
	return "; Options.Categorical reads the column as names, Options.DropColumns leaves it out"
}

// spellingAdvice returns the end of an error about a cell that begins like a number but is not one: the options that
// read its column.
func (t *table) spellingAdvice(c *column, cell string) string {
	advice := t.featureAdvice(c) + ", Options.Dates reads dates by a layout; amounts with units or signs need plain " +
		"numbers in the file"
	if t.hint != "" {
		return t.hint
	}
	if words := strings.Fields(cell); len(words) > 1 && t.format.isNumber(words[0]) && t.format.isNumber(words[1]) {
		advice += "; if runs of blanks separate the cells, set Options.Comma: ' '"
	}
	return advice
}
