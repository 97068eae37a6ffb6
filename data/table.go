package data

import (
	"fmt"
	"maps"
	"slices"
	"strings"
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
	if err := checkDistinct(names); err != nil {
		return err
	}
	for j, name := range names {
		t.cols = append(t.cols, &column{name: name, isRowNames: j == 0 && t.hasRowNames})
	}
	if t.o.like != nil && t.o.labels == nil {
		return t.like(names)
	}
	label, field := t.o.Targets, "Targets"
	switch {
	case t.o.Unlabeled || label != nil:
	case t.o.Label != "":
		label, field = []string{t.o.Label}, "Label"
	default:
		label, field = names[len(names)-1:], "Label"
		t.other = labelElsewhere(names)
	}
	leave := func(j int) error { t.cols[j].kind = left; return nil }
	categorical := func(j int) error {
		if c := t.cols[j]; c.kind != left {
			c.kind, c.isNamed = nominal, true
		}
		return nil
	}
	date := func(j int) error { t.cols[j].layout = t.o.Dates[names[j]]; return nil }
	for _, f := range []struct {
		field string
		names []string
		apply func(j int) error
	}{
		{"DropColumns", t.o.DropColumns, leave},
		{"Categorical", t.o.Categorical, categorical},
		{"Dates", slices.Sorted(maps.Keys(t.o.Dates)), date},
		{field, label, t.aim},
		{"Group", optional(t.o.Group), t.groupBy},
		{"Key", optional(t.o.Key), t.keyBy},
	} {
		for _, name := range f.names {
			j := slices.Index(names, name)
			if j < 0 {
				return fmt.Errorf("Options.%s: no column %q%s", f.field, name, suggest(name, names))
			}
			if err := f.apply(j); err != nil {
				return err
			}
		}
	}
	if t.o.labels != nil {
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

// checkDistinct returns an error if two columns have the same name.
func checkDistinct(names []string) error {
	place := make(map[string]int, len(names))
	for j, name := range names {
		if k, twice := place[name]; twice {
			return fmt.Errorf("columns %d and %d are both named %s, want different names (of a CSV file "+
				"Options.Header: HeaderNo says that the first line is a point)", k+1, j+1, clip(name))
		}
		place[name] = j
	}
	return nil
}

// labelElsewhere returns a doubt if the last column is the label although only another column has the name of a label.
func labelElsewhere(names []string) string {
	isLabel := func(name string) bool {
		return slices.Contains([]string{"label", "class", "target", "y", "outcome", "diagnosis", "species"},
			strings.ToLower(name))
	}
	last := names[len(names)-1]
	if j := slices.IndexFunc(names, isLabel); j >= 0 && !isLabel(last) {
		return fmt.Sprintf("the label is the last column, %s, though another one is called %s (Options.Label)",
			brief(last), brief(names[j]))
	}
	return ""
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

// readRoles reads the labels, groups and keys into r.
func (t *table) readRoles(r *reading) error {
	for j, c := range t.cols {
		switch c.kind {
		case label:
			if err := t.readLabels(j); err != nil {
				return err
			}
		case group:
			r.Group = columnBelow(t.rows, j)
			for i, name := range r.Group {
				if t.o.of != nil {
					r.Group[i] = t.o.of(name)
				}
			}
		case key:
			r.Key = columnBelow(t.rows, j)
			if i, first := repeated(r.Key); i >= 0 {
				return fmt.Errorf("%s: the key %s is that of %v too; keys identify one row each (Options.Group names "+
					"a column of which several rows have the same value)", t.position(t.rows[i], j), clip(r.Key[i]),
					t.rows[first])
			}
		}
	}
	return nil
}

// repeated returns the index of the first name that occurred before and the index of the earlier one, or −1 if all
// names differ.
func repeated(names []string) (i, first int) {
	seen := make(map[string]int, len(names))
	for i, name := range names {
		if first, isRepeated := seen[name]; isRepeated {
			return i, first
		}
		seen[name] = i
	}
	return -1, -1
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

// withoutMissing returns the rows, without those that have a missing cell if Options.Missing is Drop. A missing cell
// that no option covers is an error.
func (t *table) withoutMissing() ([]record, error) {
	var used []int
	for j, c := range t.cols {
		if c.kind != left {
			used = append(used, j)
		}
	}
	var rows []record
	for _, r := range t.rows {
		j := slices.IndexFunc(used, func(j int) bool {
			return t.blank[r.cells[j]] && (t.o.Missing != Fill || !t.cols[j].feature())
		})
		if j >= 0 && t.o.Missing != Drop {
			return nil, t.missing(r, used[j])
		}
		if j < 0 {
			rows = append(rows, r)
		}
	}
	if rows == nil {
		return nil, fmt.Errorf("each of %d rows has a missing cell, and Options.Missing is Drop", len(t.rows))
	}
	return rows, nil
}

// missing returns the error for a missing cell.
func (t *table) missing(r record, j int) error {
	what, how := "the cell", ""
	switch of := t.cols[j].kind; {
	case !t.cols[j].feature():
		what = "the " + map[kind]string{group: "group", key: "key", label: "label"}[of]
		if t.o.labels == nil { // each point needs its label
			how = "; set Options.Missing: Drop"
		}
	case t.o.like != nil && t.o.Unlabeled:
		how = "; learn with Options.Missing: Fill, or leave the row out"
	default:
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
		if n := t.blankCells(j); n > 0 && c.kind != left {
			each = append(each, fmt.Sprintf("%s in column %s", count(n, "cell"), c.name))
		}
	}
	return some(each)
}
