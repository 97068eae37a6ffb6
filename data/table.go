package data

import (
	"fmt"
	"maps"
	"slices"
)

// kind states what a column holds.
type kind uint8

const (
	undecided kind = iota // its cells decide between numbers and nominal
	numbers
	nominal
	label    // the label, or one of several targets
	group    // Options.Group
	key      // Options.Key
	sequence // Options.Sequence
	dropped  // dropped or ignored
)

// column is one column of a table.
type column struct {
	name       string
	kind       kind
	isRowNames bool     // the column is the first, and the file does not name it
	isNamed    bool     // Options.Categorical names the column
	declared   []string // the values that the file declares, in this order; nil if it declares none
	layout     string   // layout of the dates in the column; "" for other columns

	target *target   // the labels of a label column
	fitted *Column   // the column in the encoding of the training file; nil if there is none
	index  int       // index of fitted in Encoding.Columns
	vals   []float64 // the numbers of the column; NaN for a missing cell
}

// isFeature reports whether c is a feature: neither label, group, key, sequence nor dropped.
func (c *column) isFeature() bool { return c.kind < label }

// table is a file of named columns, CSV or ARFF. It holds the cells of the file, and then the values of its columns.
type table struct {
	o         *job
	rows      []record
	isMissing map[string]bool // cells that stand for a missing value
	cols      []*column

	targets     []*target // the label, or several targets; empty if unlabeled
	labelColumn int       // column of the label, −1 without one
	groupColumn int       // column of the groups, −1 without one

	format  numberFormat
	hint    string // advice if the text may have another format
	unnamed bool   // the file does not name its columns

	hasRowNames bool     // the file does not name its first column
	notes       []string // notes on the syntax of the file
}

// applyOptions makes columns with the given names, and sets their kinds and layouts as the options or the training file
// say.
func (t *table) applyOptions(names []string) error {
	t.labelColumn, t.groupColumn = -1, -1
	if err := checkDistinct(names); err != nil {
		return err
	}
	for j, name := range names {
		t.cols = append(t.cols, &column{name: name, isRowNames: j == 0 && t.hasRowNames})
	}
	if t.o.training != nil && t.o.labels == nil {
		return t.matchTraining(names)
	}
	label, field := t.o.Targets, "Targets"
	switch {
	case t.o.Unlabeled || label != nil:
	case t.o.Label != "":
		label, field = []string{t.o.Label}, "Label"
	default:
		last := len(names) - 1
		if last > 0 && names[last] == t.o.Sequence {
			last--
		}
		label, field = names[last:last+1], "Label"
	}
	drop := func(j int) error { t.cols[j].kind = dropped; return nil }
	categorical := func(j int) error {
		if c := t.cols[j]; c.kind != dropped {
			c.kind, c.isNamed = nominal, true
		}
		return nil
	}
	date := func(j int) error {
		if t.cols[j].isNamed {
			return fmt.Errorf("column %d (%s) is in Options.Dates and in Options.Categorical; remove it from one", j+1,
				shorten(names[j]))
		}
		t.cols[j].layout = t.o.Dates[names[j]]
		return nil
	}
	for _, f := range []struct {
		field string
		names []string
		apply func(j int) error
	}{
		{"DropColumns", t.o.DropColumns, drop},
		{"Categorical", t.o.Categorical, categorical},
		{"Dates", slices.Sorted(maps.Keys(t.o.Dates)), date},
		{field, label, t.setTarget},
		{"Group", optionalName(t.o.Group), t.setGroup},
		{"Key", optionalName(t.o.Key), t.setKey},
		{"Sequence", optionalName(t.o.Sequence), t.setSequence},
	} {
		for _, name := range f.names {
			j := slices.Index(names, name)
			if j < 0 {
				return fmt.Errorf("Options.%s: no column %q%s", f.field, name, suggestionText(name, names))
			}
			if err := f.apply(j); err != nil {
				return err
			}
		}
	}
	if t.o.labels != nil || t.o.Sequence != "" {
		for _, c := range t.cols {
			if c.isFeature() {
				c.kind = dropped
			}
		}
		return nil
	}
	if !slices.ContainsFunc(t.cols, (*column).isFeature) {
		return fmt.Errorf("got %d columns, but no feature beside the label; give at least one", len(names))
	}
	return nil
}

// checkDistinct returns an error if two columns have the same name.
func checkDistinct(names []string) error {
	index := make(map[string]int, len(names))
	for j, name := range names {
		if k, isDuplicate := index[name]; isDuplicate {
			return fmt.Errorf("columns %d and %d are both named %s; use different names (of a CSV file "+
				"Options.Header: HeaderNo says that the first line is a point)", k+1, j+1, quote(name))
		}
		index[name] = j
	}
	return nil
}

// setTarget makes column j the label, or one of several targets.
func (t *table) setTarget(j int) error {
	c := t.cols[j]
	switch c.kind {
	case dropped:
		return fmt.Errorf("column %d (%s) is the label and is in Options.DropColumns", j+1, shorten(c.name))
	case label:
		return fmt.Errorf("Options.Targets: column %d (%s) is named twice", j+1, shorten(c.name))
	}
	if c.kind, c.target = label, newTarget(t.o, c.name); t.labelColumn < 0 {
		t.labelColumn = j
	}
	t.targets = append(t.targets, c.target)
	return nil
}

// setGroup makes column j the column of the groups.
func (t *table) setGroup(j int) error {
	if t.cols[j].kind == label {
		return fmt.Errorf("Options.Group: column %d (%s) is the label: Options.Label names another one", j+1,
			shorten(t.cols[j].name))
	}
	t.groupColumn, t.cols[j].kind = j, group
	return nil
}

// setKey makes column j the key of the points.
func (t *table) setKey(j int) error {
	if c := t.cols[j]; c.kind == label || c.kind == group {
		return fmt.Errorf("Options.Key: column %d (%s) is the label or the group; name another column", j+1,
			shorten(c.name))
	}
	t.cols[j].kind = key
	return nil
}

// setSequence makes column j the column of the sequences.
func (t *table) setSequence(j int) error {
	if t.cols[j].kind != undecided {
		return fmt.Errorf("Options.Sequence: another option names column %d (%s); name another column", j+1,
			shorten(t.cols[j].name))
	}
	t.cols[j].kind = sequence
	return nil
}

// optionalName returns a list with the name, or an empty list if the name is empty.
func optionalName(name string) []string {
	if name == "" {
		return nil
	}
	return []string{name}
}

// readRoles reads the labels, groups and keys into r. Names of rows are keys if Options.Key is not set.
func (t *table) readRoles(r *reading) error {
	for j, c := range t.cols {
		switch c.kind {
		case label:
			if err := t.readLabels(j); err != nil {
				return err
			}
		case group:
			r.Group = columnCells(t.rows, j)
			for i, name := range r.Group {
				if t.o.nameToClass != nil {
					r.Group[i] = t.o.nameToClass(name)
				}
			}
		case key:
			r.Key = columnCells(t.rows, j)
			if i, first := findRepeated(r.Key); i >= 0 {
				return fmt.Errorf("%s: the key %s is also the key of %v; keys identify one row each (Options.Group "+
					"names a column in which rows share a value)", t.position(t.rows[i], j), quote(r.Key[i]),
					t.rows[first])
			}
		}
	}
	c := t.cols[0]
	if r.Key == nil && c.isRowNames && c.kind == dropped && !slices.Contains(t.o.DropColumns, c.name) {
		names := columnCells(t.rows, 0)
		if i, _ := findRepeated(names); i < 0 {
			r.Key = names
		}
	}
	return nil
}

// findRepeated returns the least index i of a name that equals an earlier one, and the index of the earlier name. Both
// are −1 if all names differ.
func findRepeated(names []string) (i, first int) {
	seen := make(map[string]int, len(names))
	for i, name := range names {
		if first, isRepeated := seen[name]; isRepeated {
			return i, first
		}
		seen[name] = i
	}
	return -1, -1
}

// matchTraining gives the columns the kinds that they have in the training file. It is an error if a column of features
// is absent, or if some but not all columns of targets are present.
func (t *table) matchTraining(names []string) error {
	if err := t.matchColumns(t.o.training); err != nil {
		return err
	}
	for _, c := range t.cols {
		c.layout = t.o.Dates[c.name]
	}
	if j := slices.Index(names, t.o.Group); j >= 0 && t.o.Group != "" {
		t.groupColumn, t.cols[j].kind = j, group
	}
	if j := slices.Index(names, t.o.Key); j >= 0 && t.o.Key != "" {
		t.cols[j].kind = key
	}
	if t.o.Sequence != "" {
		j := slices.Index(names, t.o.Sequence)
		if j < 0 {
			return fmt.Errorf("Options.Sequence: no column %q%s", t.o.Sequence, suggestionText(t.o.Sequence, names))
		}
		t.cols[j].kind = sequence
	}
	if t.o.Unlabeled {
		return nil
	}
	var missing []string
	for _, name := range t.o.training.targets() {
		j := slices.Index(names, name)
		if j < 0 {
			missing = append(missing, name)
			continue
		}
		t.cols[j].kind = undecided
		if err := t.setTarget(j); err != nil {
			return err
		}
	}
	if t.targets != nil && missing != nil {
		return fmt.Errorf("the file has some targets of the training file, but no column %s; give all or none",
			listSome(missing))
	}
	return nil
}

// position returns the place of a cell in words: row, line of the file, column (each from 1), and name of the column.
func (t *table) position(r record, j int) string {
	return fmt.Sprintf("%v, column %d (%s)", r, j+1, shorten(t.cols[j].name))
}

// dropMissing returns the rows without those that have a missing cell, if Options.Missing is Drop. If it is Fill, only
// a missing label, group or key is an error. Otherwise each missing cell is an error.
func (t *table) dropMissing() ([]record, error) {
	var columns []int
	for j, c := range t.cols {
		if c.kind != dropped {
			columns = append(columns, j)
		}
	}
	var rows []record
	for _, r := range t.rows {
		j := slices.IndexFunc(columns, func(j int) bool {
			return t.isMissing[r.cells[j]] && (t.o.Missing != Fill || !t.cols[j].isFeature())
		})
		if j >= 0 && t.o.Missing != Drop {
			return nil, t.missingError(r, columns[j])
		}
		if j < 0 {
			rows = append(rows, r)
		}
	}
	if rows == nil {
		return nil, fmt.Errorf("each of %d rows has a missing cell, so Options.Missing: Drop leaves none; use Fill",
			len(t.rows))
	}
	return rows, nil
}

// missingError returns the error for the missing cell of row r in column j.
func (t *table) missingError(r record, j int) error {
	subject, advice := "the cell", ""
	switch of := t.cols[j].kind; {
	case !t.cols[j].isFeature():
		subject = "the " + map[kind]string{group: "group", key: "key", label: "label", sequence: "sequence"}[of]
		if t.o.labels == nil { // each point needs its label
			advice = "; set Options.Missing: Drop"
		}
	case t.o.training != nil && t.o.Unlabeled:
		advice = "; learn with Options.Missing: Fill, or leave the row out"
	default:
		advice = "; set Options.Missing: Drop or Fill"
	}
	if s := r.cells[j]; s != "" && s != "?" {
		subject += " " + quote(s)
	}
	return fmt.Errorf("%s: %s is missing%s", t.position(r, j), subject, advice)
}
