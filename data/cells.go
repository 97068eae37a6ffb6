package data

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/mklnb/mkl/data/internal/sheet"
)

// parseCell reads a cell of a column as a number (numberFormat.parse), or as a date if Options.Dates names the column.
// In a column of dates, a cell that is not a date is an error.
func (t *table) parseCell(c *column, s string) (v float64, isNumber bool, err error) {
	if c.dateLayout != "" {
		v, err = sheet.ParseDateAsDays(c.dateLayout, s)
		return v, err == nil, err
	}
	return t.format.Parse(s)
}

// readLabelColumn reads the labels in column j.
func (t *table) readLabelColumn(j int) error {
	c := t.columns[j]
	for _, r := range t.rows {
		if err := c.target.addLabel(r.Cells[j], t.format, func() string { return t.cellPosition(r, j) }); err != nil {
			if r.RowNumber == 1 && t.isUnnamed && t.o.isRegression() {
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
	var firstNumber, firstWord *sheet.Record // the first row whose cell is a number, and the first whose cell is not
	allLookNumeric := true                   // every cell is a number or begins like a number
	c.numbers = make([]float64, 0, len(t.rows))
	for i, r := range t.rows {
		s := r.Cells[j]
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
		allLookNumeric = allLookNumeric && (isNumber || sheet.BeginsLikeNumber(s))
		c.numbers = append(c.numbers, v)
	}
	if firstWord == nil {
		c.kind = numbers
		return nil
	}
	position, cell := t.cellPosition(*firstWord, j), sheet.Quote(firstWord.Cells[j])
	switch {
	case c.kind == numbers:
		return fmt.Errorf("%s: %s is not a number, but the column needs numbers", position, cell)
	case firstNumber != nil:
		advice := "correct the cell"
		if n := strings.Trim(firstWord.Cells[j], "()-"); t.format.IsNumber(n) { // bookkeepers write −5 as (5) or 5-
			advice = fmt.Sprintf("if it is a negative number, write -%s in the file", n)
		}
		return fmt.Errorf("%s: %s is not a number, but %s on line %d is; %s, or list the column in "+
			"Options.Categorical or DropColumns, or the cell in Options.MissingMarkers",
			position, cell, sheet.Quote(firstNumber.Cells[j]), firstNumber.LineNumber, advice)
	case allLookNumeric:
		return fmt.Errorf("%s: %s begins like a number but is not one%s", position, cell, t.spellingAdvice(c,
			t.presentCells(j)))
	}
	if err := t.checkQuantities(j); err != nil {
		return err
	}
	c.kind, c.numbers = nominal, nil
	return nil
}

// featureAdvice returns the end of an error about a cell of c: the options that read or drop c. It
// returns "" if the training file or the header of an ARFF file fixes the kind of c.
func (t *table) featureAdvice(c *column) string {
	if c.trainingColumn != nil || c.kind == numbers {
		return ""
	}
	if c.dateLayout != "" {
		return "; correct the cell or the layout, or list the cell in Options.MissingMarkers"
	}
	return "; Options.Categorical reads the column as names, Options.DropColumns leaves it out"
}

// spellingAdvice returns the end of an error about cells that begin like numbers but are none: the options that read
// their column.
func (t *table) spellingAdvice(c *column, cells []string) string {
	advice := t.featureAdvice(c) + ", " + datesAdvice(c.name, cells) + "; "
	if unit := sheet.UnitOf(cells); unit != "" {
		advice += fmt.Sprintf("Options.Units: data.Units{%q: %q} reads the numbers before or after %[2]q", c.name, unit)
	} else {
		advice += "write amounts with different units as plain numbers in the file"
	}
	if t.formatHint != "" {
		return t.formatHint
	}
	words := strings.Fields(cells[0])
	if len(words) > 1 && t.format.IsNumber(words[0]) && t.format.IsNumber(words[1]) {
		advice += "; if runs of blanks separate the cells, set Options.Comma: ' '"
	}
	return advice
}

// datesAdvice returns the part of an error that states the layouts of dates that fit all cells of a column.
func datesAdvice(name string, cells []string) string {
	var layouts []string
	fitting := sheet.DateLayoutsOf(cells)
	for _, layout := range fitting {
		if (DateLayouts{name: layout}).fault() == "" {
			layouts = append(layouts, fmt.Sprintf("data.DateLayouts{%q: %q}", name, layout))
		}
	}
	switch {
	case len(layouts) == 0 && len(fitting) > 0:
		return "Options.Dates reads it as dates if you write four digits of each year in the file"
	case len(layouts) == 0:
		return "Options.Dates reads it as dates"
	case len(layouts) == 1:
		return "Options.Dates: " + layouts[0] + " reads it as dates"
	}
	return "Options.Dates reads it as dates, by " + strings.Join(layouts, " or ")
}

// presentCells returns the cells of column j that are not missing.
func (t *table) presentCells(j int) []string {
	return slices.DeleteFunc(sheet.Column(t.rows, j), func(s string) bool { return t.isMissing[s] })
}

// checkQuantities checks column j, whose cells are no numbers and would become names. It is an error if at least two
// cells, and a tenth of them, look like dates, amounts, percentages or numbers with a unit (sheet.QuantityForm) and two
// of them differ in their numbers only. Fewer such cells are a doubt. A cell with an error of a spreadsheet is an
// error.
func (t *table) checkQuantities(j int) error {
	c := t.columns[j]
	cellsOf, forms := map[string][]string{}, []string(nil) // the cells of each form, and the forms in their order
	for _, r := range t.rows {
		s := r.Cells[j]
		if t.isMissing[s] {
			continue
		}
		if spreadsheetError.MatchString(s) {
			return fmt.Errorf("%s: %s is an error of a spreadsheet; correct the cell, or list it in "+
				"Options.MissingMarkers", t.cellPosition(r, j), sheet.Quote(s))
		}
		form := sheet.QuantityForm(s)
		if cellsOf[form] == nil {
			forms = append(forms, form)
		}
		cellsOf[form] = append(cellsOf[form], s)
	}
	var quantities []string
	words, haveForm := cellsOf[""], false // haveForm: two different cells have the same form
	for _, form := range forms {
		cells := cellsOf[form]
		differ := slices.ContainsFunc(cells, func(s string) bool { return s != cells[0] })
		if form != "" && (differ || !strings.ContainsAny(form[:1], "<>≤≥")) { // intervals are names of classes
			quantities, haveForm = append(quantities, cells...), haveForm || differ
		}
	}
	switch {
	case len(quantities) == 0:
		return nil
	case words == nil:
		return fmt.Errorf("column %d (%s): all cells, such as %s, look like amounts%s", j+1, sheet.Shorten(c.name),
			sheet.Quote(quantities[0]), t.spellingAdvice(c, quantities))
	}
	message := fmt.Sprintf("column %d (%s): %d of %d cells, such as %s, look like dates, amounts or numbers with a "+
		"unit, and others, such as %s, do not", j+1, sheet.Shorten(c.name), len(quantities),
		len(quantities)+len(words), sheet.Quote(quantities[0]), sheet.Quote(words[0]))
	if len(quantities) > 1 && haveForm && 10*len(quantities) >= len(quantities)+len(words) {
		return fmt.Errorf("%s; list the other cells in Options.MissingMarkers if they stand for missing values%s",
			message, t.spellingAdvice(c, quantities))
	}
	t.doubts = append(t.doubts, message+"; all were used as names; correct the cells if they are quantities")
	return nil
}

// spreadsheetError matches the text of a cell whose formula failed.
var spreadsheetError = regexp.MustCompile(`^#(DIV/0!|REF!|VALUE!|NAME\?|NUM!|NULL!)$`)
