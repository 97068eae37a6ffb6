package data

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/points"
)

// kind is the content of a column.
type kind uint8

const (
	undecided kind = iota // its cells decide between numbers and nominal
	numbers
	nominal
	label // the label, or one of several targets
	group // Options.Group
	key   // Options.Key
	left  // dropped or ignored
)

// column is one column of a table.
type column struct {
	name       string
	kind       kind
	isRowNames bool     // it is the first and the file does not name it
	isNamed    bool     // nominal by Options.Categorical
	declared   []string // the values that a file declares for it, in its order; nil if it declares none
	layout     string   // layout of its dates; "" for other columns

	target *target // the labels of a label column
	fitted *Column // the column in the encoding of the training file; nil if there is none
	place  int     // index of fitted in Encoding.Columns
	vals   []float64
}

// feature reports whether c is a feature: not label, group or key, and not dropped.
func (c *column) feature() bool { return c.kind < label }

// table is a file of named columns, CSV or ARFF. It holds the cells of the file, and then the values of its columns.
type table struct {
	o     *job
	rows  []record
	blank map[string]bool // cells that stand for a missing value
	cols  []*column

	targets []*target // the label, or several targets; empty if unlabeled
	at      int       // column of the label, −1 without one
	group   int       // column of the groups, −1 without one

	format  numberFormat
	other   string // a doubt that another column may be the label
	hint    string // advice if the text may have another format
	unnamed bool   // the file does not name its columns

	hasRowNames bool     // the file does not name its first column
	notes       []string // notes on the syntax of the file
}

// options makes columns with the given names, and applies the options to them.
func (t *table) options(names []string) error {
	t.at, t.group = -1, -1
	place := make(map[string]int, len(names))
	for j, name := range names {
		if k, twice := place[name]; twice {
			return fmt.Errorf("columns %d and %d are both named %s, want different names (of a CSV file "+
				"Options.Header: HeaderNo says that the first line is a point)", k+1, j+1, clip(name))
		}
		place[name] = j
		t.cols = append(t.cols, &column{name: name, isRowNames: j == 0 && t.hasRowNames})
	}
	if t.o.like != nil && !t.o.labels {
		return t.like(names)
	}
	label := t.o.Targets
	switch last := len(names) - 1; {
	case t.o.Unlabeled || label != nil:
	case t.o.Label != "":
		label = []string{t.o.Label}
	default:
		label = names[last:]
		if other := elsewhere(names); other != "" && t.o.Format == CSV {
			t.other = fmt.Sprintf("the label is the last column, %s, though another one is called %s (Options.Label)",
				brief(names[last]), brief(other))
		}
	}
	field := "Label"
	if t.o.Targets != nil {
		field = "Targets"
	}
	for _, f := range []struct {
		field string
		names []string
		apply func(j int) error
	}{
		{"DropColumns", t.o.DropColumns, func(j int) error { t.cols[j].kind = left; return nil }},
		{"Categorical", t.o.Categorical, func(j int) error {
			if c := t.cols[j]; c.kind != left {
				c.kind, c.isNamed = nominal, true
			}
			return nil
		}},
		{"Dates", slices.Sorted(maps.Keys(t.o.Dates)), func(j int) error {
			t.cols[j].layout = t.o.Dates[names[j]]
			return nil
		}},
		{field, label, t.aim},
		{"Group", optional(t.o.Group), t.groupBy},
		{"Key", optional(t.o.Key), t.keyBy},
	} {
		for _, name := range f.names {
			j, ok := place[name]
			if !ok {
				return fmt.Errorf("Options.%s: no column %q%s", f.field, name, suggest(name, names))
			}
			if err := f.apply(j); err != nil {
				return err
			}
		}
	}
	if t.o.labels {
		for _, c := range t.cols {
			if c.feature() {
				c.kind = left
			}
		}
		return nil
	}
	if !slices.ContainsFunc(t.cols, (*column).feature) {
		return fmt.Errorf("%d columns, none of them a feature beside the label: want at least one", len(names))
	}
	return nil
}

// aim makes column j the label, or one of several targets.
func (t *table) aim(j int) error {
	c := t.cols[j]
	switch c.kind {
	case left:
		return fmt.Errorf("column %d (%s) is the label and is in Options.DropColumns", j+1, brief(c.name))
	case label:
		return fmt.Errorf("Options.Targets: column %d (%s) is named twice", j+1, brief(c.name))
	}
	if c.kind, c.target = label, newTarget(t.o, c.name); t.at < 0 {
		t.at = j
	}
	t.targets = append(t.targets, c.target)
	return nil
}

// groupBy makes column j the column of the groups.
func (t *table) groupBy(j int) error {
	if t.cols[j].kind == label {
		return fmt.Errorf("Options.Group: column %d (%s) is the label: Options.Label names another one", j+1,
			brief(t.cols[j].name))
	}
	t.group, t.cols[j].kind = j, group
	return nil
}

// keyBy makes column j the key of the points.
func (t *table) keyBy(j int) error {
	if c := t.cols[j]; c.kind == label || c.kind == group {
		return fmt.Errorf("Options.Key: column %d (%s) is the label or the group; name another column", j+1,
			brief(c.name))
	}
	t.cols[j].kind = key
	return nil
}

// optional returns name as a list, which is empty if name is.
func optional(name string) []string {
	if name == "" {
		return nil
	}
	return []string{name}
}

// keys returns the cells of column j. It is an error if two are equal.
func (t *table) keys(j int) ([]string, error) {
	names := make([]string, len(t.rows))
	first := make(map[string]int, len(t.rows))
	for i, r := range t.rows {
		names[i] = r.cells[j]
		if earlier, twice := first[names[i]]; twice {
			return nil, fmt.Errorf("%s: the key %s is that of %v too; keys identify one row each (Options.Group names "+
				"a column of which several rows have the same value)", t.position(r, j), clip(names[i]),
				t.rows[earlier])
		}
		first[names[i]] = i
	}
	return names, nil
}

// like gives the columns the kinds that they have in the training file.
func (t *table) like(names []string) error {
	if err := t.match(t.o.like); err != nil {
		return err
	}
	for _, c := range t.cols {
		c.layout = t.o.Dates[c.name]
	}
	if j := slices.Index(names, t.o.Group); j >= 0 && t.o.Group != "" {
		t.group, t.cols[j].kind = j, group
	}
	if j := slices.Index(names, t.o.Key); j >= 0 && t.o.Key != "" {
		t.cols[j].kind = key
	}
	if t.o.Unlabeled {
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
		if err := t.aim(j); err != nil {
			return err
		}
	}
	if t.targets != nil && missing != nil {
		return fmt.Errorf("no column %s of the file learned from, but other targets: want all or none", some(missing))
	}
	return nil
}

// position returns row and line of the file, column and its name, all from 1.
func (t *table) position(r record, j int) string {
	return fmt.Sprintf("%v, column %d (%s)", r, j+1, brief(t.cols[j].name))
}

// present removes the rows with missing cells if Options.Missing is Drop. It returns the number of missing cells in the
// remaining rows. A missing cell that no option covers is an error.
func (t *table) present() (blanks int, err error) {
	used := make([]int, 0, len(t.cols))
	for j, c := range t.cols {
		if c.kind != left {
			used = append(used, j)
		}
	}
	n := len(t.rows)
	if t.o.Missing == Drop {
		t.rows = slices.DeleteFunc(t.rows, func(r record) bool {
			return slices.ContainsFunc(used, func(j int) bool { return t.blank[r.cells[j]] })
		})
		if len(t.rows) == 0 {
			return 0, fmt.Errorf("each of %d rows has a missing cell, and Options.Missing is Drop", n)
		}
		return 0, nil
	}
	for _, r := range t.rows {
		for _, j := range used {
			if !t.blank[r.cells[j]] {
				continue
			}
			if err := t.missing(r, j); err != nil {
				return 0, err
			}
			blanks++
		}
	}
	return blanks, nil
}

// missing returns the error for a missing cell, or nil if the cell will be filled.
func (t *table) missing(r record, j int) error {
	c, what, how := t.cols[j], "the cell", ""
	switch like := t.o.like; {
	case c.kind == group:
		what, how = "the group", "; set Options.Missing: Drop"
	case c.kind == key:
		what, how = "the key", "; set Options.Missing: Drop"
	case c.kind == label:
		what, how = "the label", "; set Options.Missing: Drop"
	case like != nil && like.Grams != nil, t.o.matrix:
	case t.o.Missing == Fill:
		return nil
	case like != nil && t.o.Unlabeled:
		how = "; learn with Options.Missing: Fill, or leave the row out"
	case t.o.Missing == Default:
		how = fmt.Sprintf("; set Options.Missing: Drop or Fill (missing in %d rows: %s)", len(t.rows), t.lacking())
	}
	if s := r.cells[j]; s != "" && s != "?" {
		what += " " + clip(s)
	}
	return fmt.Errorf("%s: %s is missing%s", t.position(r, j), what, how)
}

// lacking describes the columns with missing cells and the number of missing cells in each.
func (t *table) lacking() string {
	var each []string
	for j, c := range t.cols {
		n := 0
		for _, r := range t.rows {
			if c.kind != left && t.blank[r.cells[j]] {
				n++
			}
		}
		if n > 0 {
			each = append(each, fmt.Sprintf("%s in column %s", count(n, "cell"), c.name))
		}
	}
	return some(each)
}

// encode returns the Column that describes the features of column j.
func (t *table) encode(j int) (Column, error) {
	c := t.cols[j]
	if c.kind != nominal {
		if err := t.readFeature(j); err != nil {
			return Column{}, err
		}
	}
	if c.fitted != nil {
		return *c.fitted, nil
	}
	col, present := Column{Name: c.name}, 0
	var levels []string
	seen, declared := map[string]bool{}, c.declaredSet()
	for i, r := range t.rows {
		switch s := r.cells[j]; {
		case t.blank[s]:
			col.Gap = c.kind == nominal
		case c.kind == numbers:
			present++
			col.Mean += (c.vals[i] - col.Mean) / float64(present) // the running mean: no overflow
		default:
			present++
			if seen[s] {
				continue
			}
			if c.declared != nil && !declared[s] {
				return col, t.undeclared(r, j)
			}
			if most := t.o.levels(); len(levels) == most {
				return col, fmt.Errorf("%s: %s is different value number %d of a nominal column, want at most %d: "+
					"Options.DropColumns leaves an identifier out, MaxLevels allows more",
					t.position(r, j), clip(s), most+1, most)
			}
			seen[s], levels = true, append(levels, s)
		}
	}
	switch {
	case present == 0:
		return col, fmt.Errorf("column %d (%s): all %d cells are missing, want one or Options.DropColumns", j+1,
			brief(c.name), len(t.rows))
	case c.kind == numbers && (math.IsInf(col.Mean, 0) || math.IsNaN(col.Mean)):
		return col, fmt.Errorf("column %d (%s): its mean overflows", j+1, brief(c.name))
	case c.kind == numbers:
		return col, nil
	case len(levels) == present && present > identifier && !c.isNamed && c.declared == nil:
		return col, fmt.Errorf("column %d (%s) is text, different in each of %d rows: name it in Options.DropColumns "+
			"if it is an identifier, in Categorical if it is not", j+1, brief(c.name), present)
	case c.declared != nil:
		levels = slices.DeleteFunc(slices.Clone(c.declared), func(s string) bool { return !seen[s] })
	default:
		slices.Sort(levels)
	}
	col.Levels = levels
	return col, nil
}

// fill writes the features of column j into x, beginning at feature from. It returns the rows whose value did not occur
// in the training file.
func (t *table) fill(x *points.Rows, j int, col *Column, from int) (unseen []int, err error) {
	c := t.cols[j]
	if c.kind == numbers {
		for i, v := range c.vals {
			if math.IsNaN(v) {
				v = col.Mean
			}
			x.Row(i)[from] = v
		}
		return nil, nil
	}
	place := make(map[string]int, len(col.Levels))
	for k, s := range col.Levels {
		place[s] = k
	}
	for i, r := range t.rows {
		row, s := x.Row(i)[from:], r.cells[j]
		k, known := place[s]
		switch {
		case t.blank[s] && col.Gap:
			row[len(col.Levels)] = 1
		case t.blank[s] && t.o.Unseen != Refuse: // no missing cell occurred in the training file
			unseen = append(unseen, i)
		case known:
			row[k] = 1
		case t.o.Unseen == Refuse:
			return nil, fmt.Errorf("%s: %s did not occur in the file learned from, which has %s: Options.Unseen: "+
				"Accept takes it for none of them",
				t.position(r, j), clip(s), some(col.Levels))
		default:
			unseen = append(unseen, i)
		}
	}
	return unseen, nil
}

func (o *Options) levels() int {
	if o.MaxLevels > 0 {
		return o.MaxLevels
	}
	return maxLevels
}
