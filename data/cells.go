package data

import (
	"fmt"
	"math"
	"strings"
)

// parseCell reads a cell of a column as a number (numberFormat.parse), or as a date if Options.Dates names the column.
// In a column of dates, a cell that is not a date is an error.
func (t *table) parseCell(c *column, s string) (v float64, isNumber bool, err error) {
	if c.dateLayout != "" {
		v, err = parseDateAsDays(c.dateLayout, s)
		return v, err == nil, err
	}
	return t.format.parse(s)
}

// readLabelColumn reads the labels in column j.
func (t *table) readLabelColumn(j int) error {
	c := t.columns[j]
	for _, r := range t.rows {
		if err := c.target.addLabel(r.cells[j], t.format, func() string { return t.cellPosition(r, j) }); err != nil {
			if r.rowNumber == 1 && t.isUnnamed && t.o.isRegression() {
				err = fmt.Errorf("%w; if the first line has names, set Options.Header: HeaderYes", err)
			}
			return err
		}
	}
	return nil
}

// readFeatureColumn reads column j, a feature, and decides whether it holds numbers or names. Missing numbers become
// NaN. It is an error if the column mixes numbers and words, or if every cell begins like a number but is not one.
func (t *table) readFeatureColumn(j int) error {
	c := t.columns[j]
	var firstNumber, firstWord *record // the first row whose cell is a number, and the first whose cell is not
	allLookNumeric := true             // every cell is a number or begins like a number
	c.numbers = make([]float64, 0, len(t.rows))
	for i, r := range t.rows {
		s := r.cells[j]
		if t.isMissing[s] {
			c.numbers = append(c.numbers, math.NaN())
			continue
		}
		v, isNumber, err := t.parseCell(c, s)
		switch {
		case err != nil:
			return fmt.Errorf("%s: %w%s", t.cellPosition(r, j), err, t.featureAdvice(c))
		case isNumber && firstNumber == nil:
			firstNumber = &t.rows[i]
		case !isNumber && firstWord == nil:
			firstWord = &t.rows[i]
		}
		allLookNumeric = allLookNumeric && (isNumber || beginsLikeNumber(s))
		c.numbers = append(c.numbers, v)
	}
	if firstWord == nil {
		c.kind = numbers
		return nil
	}
	position, cell := t.cellPosition(*firstWord, j), quote(firstWord.cells[j])
	switch {
	case c.kind == numbers:
		return fmt.Errorf("%s: %s is not a number, but the column needs numbers", position, cell)
	case firstNumber != nil:
		return fmt.Errorf("%s: %s is not a number, but %s on line %d is; correct the cell, or list the column in "+
			"Options.Categorical or DropColumns, or the cell in Options.MissingMarkers",
			position, cell, quote(firstNumber.cells[j]), firstNumber.lineNumber)
	case allLookNumeric:
		return fmt.Errorf("%s: %s begins like a number but is not one%s", position, cell, t.spellingAdvice(c,
			firstWord.cells[j]))
	}
	c.kind, c.numbers = nominal, nil
	return nil
}

// featureAdvice returns the end of an error about a cell of c: the options that make c categorical or drop it. It
// returns "" if the training file or the header of an ARFF file fixes the kind of c.
func (t *table) featureAdvice(c *column) string {
	if c.trainingColumn != nil || c.kind == numbers {
		return ""
	}
	return "; Options.Categorical reads the column as names, Options.DropColumns leaves it out"
}

// spellingAdvice returns the end of an error about a cell that begins like a number but is not one: the options that
// read its column.
func (t *table) spellingAdvice(c *column, cell string) string {
	advice := t.featureAdvice(c) + ", Options.Dates reads it as dates; write amounts with a unit or currency as " +
		"plain numbers in the file"
	if t.formatHint != "" {
		return t.formatHint
	}
	if words := strings.Fields(cell); len(words) > 1 && t.format.isNumber(words[0]) && t.format.isNumber(words[1]) {
		advice += "; if runs of blanks separate the cells, set Options.Comma: ' '"
	}
	return advice
}
