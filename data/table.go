package data

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/mklnb/mkl/algos/kernel"
)

// kind is what a column of a table holds.
type kind uint8

const (
	undecided kind = iota // no cell seen yet that is not missing
	numbers
	nominal
	left // left out
	label
)

// column is one column of a table while it is read.
type column struct {
	name  string
	kind  kind
	order bool                         // levels were declared, and keep the order of the declaration
	named bool                         // by Options.Nominal
	as    func(string) (float64, bool) // reads a cell, by Options.Amounts or Dates; nil for plain numbers
	what  string                       // that it reads

	money  bool   // by Options.Amounts
	unit   string // of its amounts: the sign of a currency, or "%"
	unitAt int    // line of the first amount in that unit
	bare   int    // line of the first amount without a unit that is not 0

	target *target // of a label

	place    int     // of fitted among its columns
	fitted   *Column // what it is in the file that this one is read like; nil if there is none
	nameless bool    // the file does not name it
	index    bool    // it counts the rows, and is left out
	vals     []float64
	levels   []string
	code     map[string]int
	first    int // line of the first cell that is not missing
}

// level returns the code of a level, a new one if need be.
func (c *column) level(s string) int {
	k, ok := c.code[s]
	if !ok {
		if c.code == nil {
			c.code = make(map[string]int)
		}
		k = len(c.levels)
		s = strings.Clone(s) // not the whole line it was cut from
		c.levels, c.code[s] = append(c.levels, s), k
	}
	return k
}

// table is a file of named columns, CSV or ARFF, while it is read cell by cell. Cells become
// numbers at once: 8 bytes each.
type table struct {
	o      *job
	format Format
	cols   []*column
	target *target // nil if unlabelled; of several the first
	more   []*target
	at     int // place of the label's column
	group  int // place of the column of groups, −1 without one
	groups []string
	lines  places // of the rows
	blanks int    // missing cells

	decimal byte       // ',' where it stands before decimals
	other   string     // says that another column may be the label
	unnamed bool       // the file does not name its columns
	unseen  []stranger // values that did not occur in the file this one is read like
	notes   []string   // on how the file is written
}

// newTable applies the options to columns of the given names.
func newTable(o *job, f Format, names []string) (*table, error) {
	t := &table{o: o, format: f, at: -1, group: -1}
	seen := make(map[string]int, len(names))
	for j, name := range names {
		if k, twice := seen[name]; twice {
			return nil, t.errorf("columns %d and %d are both named %s, want different names (of a CSV file Options.Header: HeaderNo says that the first line is a point)", k+1, j+1, clip(name))
		}
		seen[name] = j
		t.cols = append(t.cols, &column{name: name})
	}
	find := func(field, name string) (int, error) {
		j, ok := seen[name]
		if !ok {
			return 0, t.errorf("Options.%s: no column %q%s", field, name, suggest(name, names))
		}
		return j, nil
	}
	if o.like != nil {
		return t, t.like(names)
	}
	for _, name := range o.Leave {
		j, err := find("Leave", name)
		if err != nil {
			return nil, err
		}
		t.cols[j].kind = left
	}
	for _, name := range o.Nominal {
		j, err := find("Nominal", name)
		if err != nil {
			return nil, err
		}
		if t.cols[j].kind != left {
			t.cols[j].kind, t.cols[j].named = nominal, true
		}
	}
	for _, name := range o.Amounts {
		j, err := find("Amounts", name)
		if err != nil {
			return nil, err
		}
		t.amounts(t.cols[j])
	}
	for _, name := range o.Dates {
		j, err := find("Dates", name)
		if err != nil {
			return nil, err
		}
		t.cols[j].dates()
	}
	for _, name := range o.Targets {
		j, err := find("Targets", name)
		if err != nil {
			return nil, err
		}
		if err := t.aim(j, o); err != nil {
			return nil, err
		}
	}
	if !o.Unlabelled && o.Targets == nil {
		t.at = len(names) - 1
		if o.Label != "" {
			j, err := find("Label", o.Label)
			if err != nil {
				return nil, err
			}
			t.at = j
		} else if other := elsewhere(names); other != "" && f == CSV {
			t.other = fmt.Sprintf("the label is the last column, %s, though another one is called %s (Options.Label)", brief(names[t.at]), brief(other))
		}
		if err := t.aim(t.at, o); err != nil {
			return nil, err
		}
	}
	if o.Group != "" {
		j, err := find("Group", o.Group)
		if err != nil {
			return nil, err
		}
		if t.cols[j].kind == label {
			return nil, t.errorf("Options.Group: column %d (%s) is the label: Options.Label names another one", j+1, brief(o.Group))
		}
		t.group, t.cols[j].kind = j, left
	}
	features := 0
	for _, c := range t.cols {
		if c.kind != label && c.kind != left {
			features++
		}
	}
	if features == 0 {
		return nil, t.errorf("%d columns, none of them a feature beside the label: want at least one", len(names))
	}
	return t, nil
}

// aim makes column j the label, or one of several targets.
func (t *table) aim(j int, o *job) error {
	c := t.cols[j]
	switch c.kind {
	case left:
		return t.errorf("column %d (%s) is the label and is in Options.Leave", j+1, brief(c.name))
	case label:
		return t.errorf("Options.Targets: column %d (%s) is named twice", j+1, brief(c.name))
	}
	c.kind, c.target = label, newTarget(o, c.name)
	if t.target == nil {
		t.at, t.target = j, c.target
	} else {
		t.more = append(t.more, c.target)
	}
	return nil
}

// doubt is an error about the label, with what may be wrong with its choice.
func (t *table) doubt(err error) error {
	if t.other != "" {
		return t.errorf("%w; %s", err, t.other)
	}
	return t.errorf("%w", err)
}

// like makes of the columns what they are in the file that this one is read like.
func (t *table) like(names []string) error {
	if err := t.match(t.o.like); err != nil {
		return err
	}
	for _, c := range t.cols {
		if slices.Contains(t.o.Amounts, c.name) {
			t.amounts(c)
		}
		if slices.Contains(t.o.Dates, c.name) {
			c.dates()
		}
	}
	if t.o.Group != "" {
		t.group = slices.Index(names, t.o.Group)
	}
	if t.o.Unlabelled {
		return nil
	}
	var missing []string
	for _, name := range t.o.like.targets() {
		j := slices.Index(names, name)
		if j < 0 {
			missing = append(missing, name)
			continue
		}
		t.cols[j].kind = undecided
		if err := t.aim(j, t.o); err != nil {
			return err
		}
	}
	if t.target != nil && missing != nil {
		return t.errorf("no column %s of the file learned from, but other targets: want all or none", some(missing))
	}
	return nil
}

// amounts says that c holds money or shares.
func (t *table) amounts(c *column) {
	c.what, c.money = "an amount, such as $1,234.50 or 12%", true
	c.as = func(s string) (float64, bool) { return amount(s, t.point()) }
}

// unit refuses an amount in another unit than those before it in the open row's column, or in the file
// that this one is read like: of a currency, or a share beside a number that is none. A number without a
// unit may stand among those of a currency.
func (t *table) unit(j int, s string) error {
	c, row := t.cols[j], t.lines.n-1
	if !c.money {
		return nil
	}
	v, unit, _ := amountIn(s, t.point())
	known, at := c.unit, fmt.Sprintf("on line %d", c.unitAt)
	if c.fitted != nil && c.fitted.Unit != "" {
		known, at = c.fitted.Unit, "in the file learned from"
	}
	in := func(unit string) string {
		if unit == "" {
			return "without a unit"
		}
		return "in " + unit
	}
	clash := func(known, at string) error {
		return t.errorf("%s: %s is %s, that %s %s: want one unit in a column", t.where(row, j), clip(s), in(unit), at, in(known))
	}
	switch {
	case unit != "" && known != "" && unit != known, unit == "" && known == "%" && v != 0:
		return clash(known, at)
	case unit == "%" && c.bare > 0:
		return clash("", fmt.Sprintf("on line %d", c.bare))
	case unit != "" && c.unit == "":
		c.unit, c.unitAt = unit, t.lines.at(row)
	case unit == "" && v != 0 && c.bare == 0:
		c.bare = t.lines.at(row)
	}
	return nil
}

// dates says that c holds dates.
func (c *column) dates() {
	c.as, c.what = days, "a date, such as 2006-01-02 or 2006-01-02T15:04:05"
}

func (t *table) errorf(format string, args ...any) error {
	return fmt.Errorf("data: "+t.format.String()+": "+format, args...)
}

// where names a place: row and line of the file, column and its name, all from 1.
func (t *table) where(row, j int) string {
	return fmt.Sprintf("row %d (line %d), column %d (%s)", row+1, t.lines.at(row), j+1, brief(t.cols[j].name))
}

// begin opens the row that stands on the given line.
func (t *table) begin(line int) { t.lines.add(line) }

// point stands before the decimals of a number.
func (t *table) point() byte {
	if t.decimal == 0 {
		return '.'
	}
	return t.decimal
}

// number is the number that a cell of a column holds, as text with a decimal point; the cell itself
// where it holds none.
func (t *table) number(c *column, s string) string {
	if c.as != nil {
		if v, ok := c.as(s); ok {
			return strconv.FormatFloat(v, 'g', -1, 64)
		}
		return s
	}
	if t.decimal == ',' {
		if p, ok := decimalComma(s); ok {
			return p
		}
	}
	return s
}

// blank takes a missing cell of the open row, written as s.
func (t *table) blank(j int, s string) error {
	c, row := t.cols[j], t.lines.n-1
	if s == "?" {
		s = ""
	} else if s != "" {
		s = " " + clip(s)
	}
	switch {
	case j == t.group && t.o.Missing != Drop:
		return t.errorf("%s: the group%s is missing, want one or Options.Missing: Drop", t.where(row, j), s)
	case j == t.group:
		t.groups = append(t.groups, "")
		t.blanks++
		return nil
	case c.kind == left:
		return nil
	case c.kind == label && t.o.Missing != Drop:
		return t.errorf("%s: the label%s is missing, want one or Options.Missing: Drop", t.where(row, j), s)
	case c.kind == label:
		c.target.y = append(c.target.y, math.NaN())
		t.blanks++
		return nil
	case t.o.like != nil && t.o.like.Grams != nil:
		return t.errorf("%s: the cell%s is missing, want a value", t.where(row, j), s)
	case t.o.like != nil && t.o.Unlabelled && (t.o.Missing == Default || t.o.Missing == Refuse):
		return t.errorf("%s: the cell%s is missing, want a value: learn with Options.Missing: Fill, or leave the row out", t.where(row, j), s)
	case t.o.Missing == Refuse, t.o.Missing == Default && t.o.matrix:
		return t.errorf("%s: the cell%s is missing, want a value", t.where(row, j), s)
	case t.o.Missing == Default:
		return t.errorf("%s: the cell%s is missing, want a value or Options.Missing: Drop or Fill", t.where(row, j), s)
	}
	t.blanks++
	c.vals = append(c.vals, math.NaN())
	return nil
}

// cell takes a cell of the open row.
func (t *table) cell(j int, s string) error {
	c, row := t.cols[j], t.lines.n-1
	switch c.kind {
	case left:
		if j == t.group && s == "" {
			return t.blank(j, s)
		}
		if j == t.group {
			t.groups = append(t.groups, strings.Clone(s))
		}
		return nil
	case label:
		if c.as != nil {
			if _, ok := c.as(s); !ok {
				return t.errorf("%s: %s is not %s", t.where(row, j), clip(s), c.what)
			}
			if err := t.unit(j, s); err != nil {
				return err
			}
		}
		if err := c.target.add(t.number(c, s), func() string { return t.where(row, j) }); err != nil {
			if row == 0 && t.unnamed && t.o.real() {
				err = fmt.Errorf("%w; where the first line has names, Options.Header: HeaderYes says so", err)
			}
			return t.doubt(err)
		}
		return nil
	}
	if c.fitted != nil && c.kind == nominal {
		if k, ok := c.code[s]; ok {
			c.vals = append(c.vals, float64(k))
			return nil
		}
		if t.o.Unseen == Refuse {
			return t.errorf("%s: %s did not occur in the file learned from, which has %s: Options.Unseen: Accept takes it for none of them", t.where(row, j), clip(s), some(c.levels))
		}
		t.unseen = append(t.unseen, stranger{row, j, strings.Clone(brief(s))})
		c.vals = append(c.vals, unseen)
		return nil
	}
	if !(c.kind == nominal && (c.order || c.named)) {
		v, ok, err := number(t.number(c, s))
		hint := ""
		if !ok && t.format == CSV {
			hint = suspect(s)
		}
		switch {
		case !ok && c.as != nil:
			return t.errorf("%s: %s is not %s", t.where(row, j), clip(s), c.what)
		case hint != "" && !t.o.matrix:
			return t.errorf("%s: %s is %s", t.where(row, j), clip(s), hint)
		case err != nil:
			return t.errorf("%s: the cell is %w", t.where(row, j), err)
		case t.o.matrix && !ok:
			return t.errorf("%s: %s is not a number, want a matrix of numbers: Options.Leave leaves a column out", t.where(row, j), clip(s))
		case c.kind == undecided && ok:
			c.kind, c.first = numbers, t.lines.at(row)
		case c.kind == undecided:
			c.kind, c.first = nominal, t.lines.at(row)
		case c.kind == numbers && !ok && c.first > 0:
			return t.errorf("%s: %s is not a number, but the cell on line %d is: correct it, or name the column in Options.Nominal or Leave, or the cell in Blank", t.where(row, j), clip(s), c.first)
		case c.kind == numbers && !ok:
			return t.errorf("%s: %s is not a number, want one", t.where(row, j), clip(s))
		case c.kind == nominal && ok:
			return t.errorf("%s: %s is a number, but the cell on line %d is not: correct it, or name the column in Options.Nominal or Leave", t.where(row, j), clip(s), c.first)
		}
		if c.kind == numbers {
			if err := t.unit(j, s); err != nil {
				return err
			}
			c.vals = append(c.vals, v)
			return nil
		}
	}
	if c.order {
		k, ok := c.code[s]
		if !ok {
			return t.errorf("%s: %s is not among the declared values %s", t.where(row, j), clip(s), some(c.levels))
		}
		c.vals = append(c.vals, float64(k))
		return nil
	}
	k := c.level(s)
	if most := t.o.levels(); k >= most {
		return t.errorf("%s: %s is different value number %d of a nominal column, want at most %d: Options.Leave leaves an identifier out, MaxLevels allows more", t.where(row, j), clip(s), k+1, most)
	}
	c.vals = append(c.vals, float64(k))
	return nil
}

// unseen stands for a value of a nominal column that did not occur in the file this one is read like.
const unseen = -1

// stranger is such a value, by row and column.
type stranger struct {
	row, col int
	value    string
}

func (o *Options) levels() int {
	if o.MaxLevels > 0 {
		return o.MaxLevels
	}
	return maxLevels
}

// dataset makes the dataset of the rows read: missing cells, then nominal columns, then what all
// formats share.
func (t *table) dataset() (*Dataset, error) {
	n := t.lines.n
	if n == 0 {
		return nil, t.errorf("no rows")
	}
	var done []string
	var index, doubts []string
	if t.o.like == nil {
		if index, doubts = t.index(); t.other != "" {
			doubts = append(doubts, t.other)
		}
		if t.square(n) {
			doubts = append(doubts, squareSymmetric)
		}
	}
	keep := make([]int, 0, n)
	for i := range n {
		if t.blanks > 0 && t.o.Missing == Drop && t.gap(i) {
			continue
		}
		keep = append(keep, i)
	}
	if dropped := n - len(keep); dropped > 0 {
		done = append(done, fmt.Sprintf("%s with missing cells left out of %d", count(dropped, "point"), n))
		if len(keep) == 0 {
			return nil, t.errorf("each of %d rows has a missing cell, and Options.Missing is Drop", n)
		}
	}

	// What becomes of each column: of a nominal one, its levels that occur, in order.
	type part struct {
		c     *column
		names []string
		code  []int   // level to place among names, −1 if it does not occur
		fill  float64 // in place of a missing number
	}
	var parts []part
	var columns []Column
	d, noms, wide, filled, means := 0, 0, 0, 0, 0
	order := make([]int, len(t.cols)) // of the columns: the file's, or that of the file this one is read like
	for j := range order {
		order[j] = j
	}
	if t.o.like != nil {
		slices.SortStableFunc(order, func(a, b int) int { return t.cols[a].place - t.cols[b].place })
	}
	for _, j := range order {
		c := t.cols[j]
		if c.kind == left || c.kind == label {
			continue
		}
		p := part{c: c}
		miss, sum, present := 0, 0.0, 0
		used := make([]bool, len(c.levels))
		for _, i := range keep {
			v := c.vals[i]
			switch {
			case math.IsNaN(v):
				miss++
			case c.kind == nominal:
				if v != unseen {
					used[int(v)] = true
				}
				present++
			default:
				present++
				sum += (v - sum) / float64(present) // the running mean: no overflow
			}
		}
		if present == 0 && c.fitted == nil {
			return nil, t.errorf("column %d (%s): all %d cells are missing, want one or Options.Leave", j+1, brief(c.name), miss)
		}
		filled += miss
		p.fill = sum
		if c.fitted != nil {
			p.names, p.fill = c.fitted.features(), c.fitted.Mean
			for k := range c.levels {
				p.code = append(p.code, k)
			}
			if c.kind == nominal {
				noms++
				wide += len(p.names)
			}
		} else if c.kind == numbers {
			if math.IsInf(sum, 0) || math.IsNaN(sum) {
				return nil, t.errorf("column %d (%s): its mean overflows", j+1, brief(c.name))
			}
			means += miss
			p.names = []string{c.name}
			columns = append(columns, Column{Name: c.name, Mean: sum, Unit: c.unit})
		} else {
			p.code = make([]int, len(c.levels))
			order := make([]int, 0, len(c.levels))
			for k, u := range used {
				p.code[k] = -1
				if u {
					order = append(order, k)
				}
			}
			if len(order) == present && present > identifier && !c.named && !c.order {
				return nil, t.errorf("column %d (%s) is text, different in each of %d rows: name it in Options.Leave if it is an identifier, in Nominal if it is not", j+1, brief(c.name), present)
			}
			if !c.order {
				slices.SortFunc(order, func(a, b int) int { return strings.Compare(c.levels[a], c.levels[b]) })
			}
			for place, k := range order {
				p.code[k] = place
			}
			col := Column{Name: c.name, Levels: []string{}, Gap: miss > 0}
			for _, k := range order {
				col.Levels = append(col.Levels, c.levels[k])
			}
			columns, p.names = append(columns, col), col.features()
			noms++
			wide += len(p.names)
		}
		d += len(p.names)
		parts = append(parts, p)
	}
	if d > maxNumbers/len(keep) {
		return nil, t.errorf("%d points of %d features are more than %d numbers", len(keep), d, maxNumbers)
	}
	switch {
	case noms > 0 && noms < len(parts):
		done = append([]string{fmt.Sprintf("%s and %s, each value a column 0/1 named attribute=value (%d columns)", count(len(parts)-noms, "number"), count(noms, "nominal attribute"), wide)}, done...)
	case noms > 0:
		done = append([]string{fmt.Sprintf("%s, each value a column 0/1 named attribute=value (%d columns)", count(noms, "nominal attribute"), wide)}, done...)
	default:
		done = append([]string{"numbers as they are in the file"}, done...)
	}
	if t.blanks == 0 {
		done = append(done, "nothing missing")
	}
	if filled > 0 {
		by := "mean over all points; attribute=?"
		if t.o.like != nil {
			by = "as in the file learned from"
		}
		done = append(done, fmt.Sprintf("%s filled in (%s)", count(filled, "missing cell"), by))
	}
	if t.o.like == nil && !t.o.matrix {
		doubts = append(doubts, t.repeated(keep)...)
	}
	strange, more := t.strange(keep)
	doubts = append(doubts, more...)
	var out []string
	for j, c := range t.cols {
		if c.kind == left && !c.index && t.o.like == nil && j != t.group {
			out = append(out, c.name)
		}
	}
	if len(out) > 0 {
		done = append(done, "left out: "+some(out))
	}
	group := pick(t.groups, keep)
	if t.group >= 0 {
		done = append(done, fmt.Sprintf("grouped by %s (%d)", brief(t.cols[t.group].name), len(different(group))))
	}
	done = slices.Concat(done, index, doubts, t.notes)
	if means > 0 {
		doubts = append(doubts, fmt.Sprintf("%s filled with the mean of all points, those that a comparison tests on among them", count(means, "missing number")))
	}

	x := kernel.Rows{N: len(keep), D: d, Data: make([]float64, len(keep)*d), Names: make([]string, 0, d)}
	at := 0
	for _, p := range parts {
		x.Names = append(x.Names, p.names...)
		for i, r := range keep {
			v := p.c.vals[r]
			row := x.Data[i*d+at:]
			switch gap := math.IsNaN(v); {
			case p.c.kind == nominal && gap:
				if p.c.fitted == nil || p.c.fitted.Gap {
					row[len(p.names)-1] = 1
				}
			case p.c.kind == nominal:
				if v != unseen {
					row[p.code[int(v)]] = 1
				}
			case gap:
				row[0] = p.fill
			default:
				row[0] = v
			}
		}
		at += len(p.names)
	}
	var e *Encoding
	if t.o.like == nil {
		e = t.fit(columns)
	}
	r := reading{o: t.o, format: t.format, x: x, encoding: e, doubts: doubts, group: group, unseen: strange, target: t.target, more: t.more, keep: keep, dropped: n - len(keep), done: done,
		where: func(i int) string { return fmt.Sprintf("row %d (line %d)", keep[i]+1, t.lines.at(keep[i])) }}
	return r.dataset()
}

// strange says of each point which of its values did not occur in the file this one is read like, nil where
// all did, and of each column in how many rows.
func (t *table) strange(keep []int) (each, doubts []string) {
	if len(t.unseen) == 0 {
		return nil, nil
	}
	place := make(map[int]int, len(keep))
	for i, r := range keep {
		place[r] = i
	}
	each = make([]string, len(keep))
	rows, values := make([]int, len(t.cols)), make([][]string, len(t.cols))
	for _, s := range t.unseen {
		i, ok := place[s.row]
		if !ok {
			continue
		}
		if each[i] != "" {
			each[i] += ", "
		}
		each[i] += brief(t.cols[s.col].name) + "=" + s.value
		rows[s.col]++
		if !slices.Contains(values[s.col], s.value) {
			values[s.col] = append(values[s.col], s.value)
		}
	}
	for j, n := range rows {
		if n > 0 {
			slices.Sort(values[j])
			doubts = append(doubts, fmt.Sprintf("column %d (%s): %s of %d with a value that did not occur in the file learned from, taken for none of its values (%s); Options.Unseen: Refuse makes it an error",
				j+1, brief(t.cols[j].name), count(n, "row"), len(keep), some(values[j])))
		}
	}
	return each, doubts
}

// square says whether the n rows are a symmetric matrix of numbers: with the label, or without it where it is one of a class.
func (t *table) square(n int) bool {
	beside := t.target != nil && !t.o.real()
	d := len(t.cols)
	if beside {
		d--
	}
	if t.o.matrix || n != d || n < 3 {
		return false
	}
	x := kernel.Rows{N: n, D: n, Data: make([]float64, n*n)}
	j := 0
	for _, c := range t.cols {
		v := c.vals
		switch {
		case c.kind == label && beside:
			continue
		case c.kind == label:
			v = c.target.y
		case c.kind != numbers:
			return false
		}
		for i := range v {
			x.Data[i*n+j] = v[i]
		}
		j++
	}
	return symmetric(x)
}

// gap says whether row i has a missing cell, in the label or in a feature.
func (t *table) gap(i int) bool {
	if t.group >= 0 && t.groups[i] == "" {
		return true
	}
	for _, c := range t.cols {
		if c.kind == label && math.IsNaN(c.target.y[i]) || c.kind != left && c.kind != label && math.IsNaN(c.vals[i]) {
			return true
		}
	}
	return false
}

// index leaves out the columns that the file does not name and that count its rows, as pandas and R
// write them: 0, 1, …, n−1 or 1, 2, …, n, in the first column also whole numbers that all differ, as
// shuffled rows have. It never leaves out the last feature. It says what it did, and which columns
// with a name count.
func (t *table) index() (notes, doubts []string) {
	features := 0
	for _, c := range t.cols {
		if c.kind != left && c.kind != label {
			features++
		}
	}
	for j, c := range t.cols {
		if c.kind != numbers || c.as != nil || len(c.vals) == 0 || t.o.matrix || t.format != CSV {
			continue
		}
		first, counts := c.vals[0], true
		for i, v := range c.vals {
			counts = counts && v == first+float64(i)
		}
		counts = counts && (first == 0 || first == 1)
		switch {
		case !c.nameless && counts && len(c.vals) > identifier:
			doubts = append(doubts, fmt.Sprintf("column %d (%s) counts the rows (Options.Leave leaves it out)", j+1, brief(c.name)))
		case !c.nameless && named(c.name, "id", "index", "key") && len(c.vals) > identifier && distinct(c.vals):
			doubts = append(doubts, fmt.Sprintf("column %d (%s) holds a different whole number in each row, as identifiers do (Options.Leave leaves it out)", j+1, brief(c.name)))
		case !c.nameless || t.o.KeepIndex || features == 1:
		case counts, j == 0 && len(c.vals) > 1 && distinct(c.vals):
			how := fmt.Sprintf("counts %g, %g, …", first, first+1)
			if !counts {
				how = "holds a different whole number in each row"
			}
			notes = append(notes, fmt.Sprintf("column %d, without a name, %s: an index, left out (Options.KeepIndex keeps it)", j+1, how))
			c.kind, c.index = left, true
			features--
		}
	}
	return notes, doubts
}

// identifiers are the words of names of identifiers, such as patient_id.
var identifiers = []string{"id", "user", "patient", "subject", "person", "participant", "customer", "client", "student"}

// repeated says which columns hold identifiers of persons or things that several of the rows keep are of: more than 10
// names, fewer than 5 rows of each on average, or names or whole numbers under a name that has words of identifiers alone.
func (t *table) repeated(keep []int) (doubts []string) {
	for j, c := range t.cols {
		parts := wordsIn(c.name)
		called := len(parts) > 0 && !slices.ContainsFunc(parts, func(s string) bool { return !slices.Contains(identifiers, s) })
		if c.kind != nominal && !(c.kind == numbers && called) || c.as != nil {
			continue
		}
		values, whole := map[float64]bool{}, true
		for _, i := range keep {
			if v := c.vals[i]; !math.IsNaN(v) {
				values[v] = true
				whole = whole && v == math.Trunc(v)
			}
		}
		if k := len(values); whole && k > identifier && k < len(keep) && (called || len(keep) < 5*k) {
			doubts = append(doubts, fmt.Sprintf("column %d (%s) holds %d different values in %d rows, as of persons or things that several rows are of: Options.Group: %q keeps these together in splits and takes the column out, Options.Leave leaves it out",
				j+1, brief(c.name), k, len(keep), brief(c.name)))
		}
	}
	return doubts
}

// named says whether one of the words is a word of the name, "patient_id" or "PatientId" for id.
func named(name string, among ...string) bool {
	return slices.ContainsFunc(wordsIn(name), func(s string) bool { return slices.Contains(among, s) })
}

// wordsIn are the words of a name, in lower case.
func wordsIn(name string) []string {
	var b strings.Builder
	lower := false
	for _, r := range name {
		if unicode.IsUpper(r) && lower {
			b.WriteByte(' ')
		}
		if lower = unicode.IsLower(r); unicode.IsLetter(r) || unicode.IsDigit(r) {
			b.WriteRune(unicode.ToLower(r))
		} else {
			b.WriteByte(' ')
		}
	}
	return strings.Fields(b.String())
}

// labels are words in the names of labels.
var labels = []string{"label", "labels", "class", "target", "y", "outcome", "diagnosis", "species"}

// elsewhere is the name of a column that is called as a label is, where the last one is the label and is
// not; else it is empty.
func elsewhere(names []string) string {
	last := len(names) - 1
	k := slices.IndexFunc(names, func(s string) bool { return named(s, labels...) })
	if k < 0 || k == last || named(names[last], labels...) {
		return ""
	}
	return names[k]
}

// distinct says whether the values are different whole numbers.
func distinct(vals []float64) bool {
	seen := make(map[float64]bool, len(vals))
	for _, v := range vals {
		if v != math.Trunc(v) || v < 0 || seen[v] {
			return false
		}
		seen[v] = true
	}
	return true
}

// count says "1 point", "2 points".
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// some lists at most five names.
func some(names []string) string {
	const most = 5
	short := make([]string, min(most, len(names)))
	for i := range short {
		short[i] = brief(names[i])
	}
	s := strings.Join(short, ", ")
	if len(names) > most {
		s += fmt.Sprintf(" and %d more", len(names)-most)
	}
	return s
}
