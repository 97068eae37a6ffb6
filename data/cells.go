package data

import (
	"fmt"
	"math"
	"slices"
)

// number reads a cell of a column. ok is false where it is text; err is not nil where it is a number that is not
// finite.
func (t *table) number(c *column, s string) (v float64, ok bool, err error) {
	if c.as != nil {
		v, ok = c.as(s)
		return v, ok, nil
	}
	return numberWith(t.decimal, s)
}

// labels reads column j, a label.
func (t *table) labels(j int) error {
	c := t.cols[j]
	for _, r := range t.rows {
		s, where := r.cells[j], func() string { return t.where(r, j) }
		v, ok, err := t.number(c, s)
		switch {
		case c.declared != nil && !slices.Contains(c.declared, s):
			return t.undeclared(r, j)
		case c.as != nil && !ok:
			return fmt.Errorf("%s: %s is not %s", where(), clip(s), c.what)
		case ok && err == nil && (c.as != nil || t.decimal == ','):
			s = formatNumber(v)
		}
		if err := c.target.add(s, where); err != nil {
			if r.number == 1 && t.unnamed && t.o.real() {
				err = fmt.Errorf("%w; where the first line has names, Options.Header: HeaderYes says so", err)
			}
			if t.other != "" {
				err = fmt.Errorf("%w; %s", err, t.other)
			}
			return err
		}
	}
	return t.units(j)
}

func (t *table) undeclared(r record, j int) error {
	return fmt.Errorf("%s: %s is not among the declared values %s", t.where(r, j), clip(r.cells[j]),
		some(t.cols[j].declared))
}

// numbers reads column j, a feature of numbers, NaN where they are missing; one that is undecided is nominal where its
// first cell is text.
func (t *table) numbers(j int) error {
	c := t.cols[j]
	first := 0 // line of the first cell, which decides what the column is
	c.vals = make([]float64, 0, len(t.rows))
	for _, r := range t.rows {
		s := r.cells[j]
		bad := func(format string, args ...any) error {
			return fmt.Errorf("%s: %s "+format, append([]any{t.where(r, j), clip(s)}, args...)...)
		}
		if t.blank[s] {
			c.vals = append(c.vals, math.NaN())
			continue
		}
		v, ok, err := t.number(c, s)
		hint := ""
		if !ok && t.o.Format == CSV && !t.o.matrix {
			hint = suspect(s)
		}
		if first == 0 && c.kind == undecided && !t.o.matrix {
			if first, c.kind = r.line, numbers; !ok {
				c.kind = nominal
			}
		}
		switch {
		case !ok && c.as != nil:
			return bad("is not %s", c.what)
		case hint != "":
			return bad("is %s", hint)
		case err != nil:
			return fmt.Errorf("%s: the cell is %w", t.where(r, j), err)
		case !ok && t.o.matrix:
			return bad("is not a number, want a matrix of numbers: Options.Leave leaves a column out")
		case ok && c.kind == nominal:
			return bad("is a number, but the cell on line %d is not: correct it, or name the column in "+
				"Options.Nominal or Leave", first)
		case !ok && c.kind == numbers && first > 0:
			return bad("is not a number, but the cell on line %d is: correct it, or name the column in "+
				"Options.Nominal or Leave, or the cell in Blank", first)
		case !ok && c.kind == numbers:
			return bad("is not a number, want one")
		}
		c.vals = append(c.vals, v)
	}
	if c.kind == nominal {
		c.vals = nil
		return nil
	}
	c.kind = numbers
	return t.units(j)
}

// units refuses amounts in more than one unit in column j, or in another one than that of the file that this one is
// read like: currencies, or shares beside numbers that are none. A number without a unit may stand among those of a
// currency.
func (t *table) units(j int) error {
	c := t.cols[j]
	if !c.money {
		return nil
	}
	known, at, bare := "", "", 0 // bare is the line of the first number without unit that is not 0
	if c.fitted != nil {
		known, at = c.fitted.Unit, "in the file learned from"
	}
	in := func(unit string) string {
		if unit == "" {
			return "without a unit"
		}
		return "in " + unit
	}
	for _, r := range t.rows {
		v, unit, _ := amountIn(r.cells[j], t.decimal)
		clash := func(known, at string) error {
			return fmt.Errorf("%s: %s is %s, that %s %s: want one unit in a column", t.where(r, j), clip(r.cells[j]),
				in(unit), at, in(known))
		}
		switch {
		case unit != "" && known != "" && unit != known, unit == "" && known == "%" && v != 0:
			return clash(known, at)
		case unit == "%" && bare > 0:
			return clash("", fmt.Sprintf("on line %d", bare))
		case unit != "" && known == "":
			known, at = unit, fmt.Sprintf("on line %d", r.line)
		case unit == "" && v != 0 && bare == 0:
			bare = r.line
		}
	}
	return nil
}

// unitOf is the unit of the amounts in column j, "" where they have none.
func (t *table) unitOf(j int) string {
	if t.cols[j].money {
		for _, r := range t.rows {
			if _, unit, _ := amountIn(r.cells[j], t.decimal); unit != "" {
				return unit
			}
		}
	}
	return ""
}
