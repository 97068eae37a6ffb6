package data

import (
	"fmt"
	"maps"
	"slices"

	"github.com/mklnb/mkl/data/internal/sheet"
)

// kind is what a column is used for, or what its cells are.
type kind uint8

const (
	undecided kind = iota // a feature whose cells decide between numbers and nominal
	numbers
	nominal
	label    // the label, or one of several targets
	group    // Options.Group
	key      // Options.Key
	sequence // Options.Sequence
	dropped  // not used
)

type column struct {
	name                  string
	kind                  kind
	isRowNames            bool   // the first column of a file that does not name this column
	isCategoricalByOption bool   // Options.Categorical names the column
	dateLayout            string // layout of the dates in the column; "" for other columns

	target         *target   // the labels, if this is a column of labels
	trainingColumn *Column   // the column in the encoding of the training file; nil if there is none
	trainingIndex  int       // index of trainingColumn in Encoding.Columns
	numbers        []float64 // the numbers of the column; NaN for a missing cell
}

// isFeature reports whether c is a feature: neither label, group, key, sequence nor dropped.
func (c *column) isFeature() bool { return c.kind < label }

// table is a file of named columns, CSV or ARFF. It holds the cells of the file, and then the values of its columns.
type table struct {
	o         *job
	rows      []sheet.Record
	isMissing map[string]bool // whether a cell with this text stands for a missing value
	columns   []*column

	targets []*target // the label, or several targets; empty if unlabeled

	format     sheet.NumberFormat
	formatHint string // advice for errors if the text may have another format
	isUnnamed  bool   // the file does not name its columns

	hasRowNames bool     // the file does not name its first column, so that column holds the names of the rows
	notes       []string // notes on the syntax of the file, for Dataset.Preparation
	doubts      []string // doubts about cells, for Dataset.Doubts
	distinct    []int    // see distinctRows
}

// roles are the kinds of columns that are not features, in words.
var roles = map[kind]string{label: "label", group: "group", key: "key", sequence: "sequence", dropped: "dropped column"}

// applyOptions makes columns with the given names, and sets their kinds and layouts of dates as the options or the
// training file say.
func (t *table) applyOptions(names []string) error {
	if j, firstIndex := sheet.FirstDuplicate(names); j >= 0 {
		advice := ""
		if t.o.Format == CSV {
			advice = ", or set Options.NumberRepeatedNames, or Options.Header: HeaderNo if the first line is a point"
		}
		return fmt.Errorf("columns %d and %d are both named %s; use different names%s", firstIndex+1, j+1,
			sheet.Quote(names[j]), advice)
	}
	for j, name := range names {
		t.columns = append(t.columns, &column{name: name, isRowNames: j == 0 && t.hasRowNames})
	}
	if t.o.training != nil && t.o.labelCount == 0 {
		return t.matchTrainingColumns(names)
	}
	labels, labelOption := t.o.Targets, "Targets"
	switch {
	case t.o.Unlabeled || labels != nil:
	case t.o.Label != "":
		labels, labelOption = []string{t.o.Label}, "Label"
	default:
		last := len(names) - 1
		if last > 0 && names[last] == t.o.Sequence {
			last--
		}
		labels, labelOption = names[last:last+1], "Label"
	}
	for _, option := range []struct {
		optionName string
		columnKind kind
		names      []string
	}{
		{"DropColumns", dropped, t.o.DropColumns}, {labelOption, label, labels}, {"Group", group, []string{t.o.Group}},
		{"Key", key, []string{t.o.Key}}, {"Sequence", sequence, []string{t.o.Sequence}},
		{"Categorical", nominal, t.o.Categorical}, {"Dates", undecided, slices.Sorted(maps.Keys(t.o.Dates))},
	} {
		for _, name := range option.names {
			j := slices.Index(names, name)
			switch {
			case name == "":
			case j < 0:
				return unknownColumnError(option.optionName, name, names)
			default:
				if err := t.setColumnKind(j, option.columnKind, option.optionName); err != nil {
					return err
				}
			}
		}
	}
	if t.o.labelCount > 0 || t.o.Sequence != "" {
		for _, c := range t.columns {
			if c.isFeature() {
				c.kind = dropped
			}
		}
		return nil
	}
	if !slices.ContainsFunc(t.columns, (*column).isFeature) {
		return fmt.Errorf("got %d columns, but no feature beside the label; give at least one", len(names))
	}
	return nil
}

// setColumnKind sets the kind of column j, which the option optionName names: undecided for Options.Dates (the cells
// decide later), nominal for Options.Categorical, or label, group, key or sequence: such a column is not a feature.
func (t *table) setColumnKind(j int, k kind, optionName string) error {
	c := t.columns[j]
	switch {
	case k == nominal:
		c.isCategoricalByOption = true
		if c.kind == undecided {
			c.kind = nominal
		}
	case k == undecided && c.kind != undecided:
		return fmt.Errorf("Options.Dates: column %d (%s) is named by another option too; remove it from one", j+1,
			sheet.Shorten(c.name))
	case k == undecided:
		c.dateLayout = t.o.Dates[c.name]
	case c.kind != undecided:
		return fmt.Errorf("Options.%s: column %d (%s) is already a %s; name another column", optionName, j+1,
			sheet.Shorten(c.name), roles[c.kind])
	default:
		c.kind = k
	}
	if k == label {
		c.target = newTarget(t.o, c.name)
		t.targets = append(t.targets, c.target)
	}
	return nil
}

func unknownColumnError(option, name string, names []string) error {
	return fmt.Errorf("Options.%s: no column %q%s", option, name, sheet.Suggest(name, names))
}

// readRoles reads the labels, groups and keys into r. Names of rows are keys if Options.Key is not set.
func (t *table) readRoles(r *datasetBuilder) error {
	for j, c := range t.columns {
		switch c.kind {
		case label:
			if err := t.readLabelColumn(j); err != nil {
				return err
			}
		case group:
			r.Group = sheet.Column(t.rows, j)
			if warning := lookAlikeWarning("groups", r.Group); warning != "" {
				t.doubts = append(t.doubts, warning)
			}
		case key:
			r.Keys = sheet.Column(t.rows, j)
			if i, firstIndex := sheet.FirstDuplicate(r.Keys); i >= 0 {
				return fmt.Errorf("%s: the key %s is also the key of %v; keys identify one row each; a column in "+
					"which rows share values belongs in Options.Group", t.cellPosition(t.rows[i], j),
					sheet.Quote(r.Keys[i]),
					t.rows[firstIndex])
			}
		}
	}
	c := t.columns[0]
	if r.Keys == nil && c.isRowNames && c.kind == dropped && !slices.Contains(t.o.DropColumns, c.name) {
		names := sheet.Column(t.rows, 0)
		if i, _ := sheet.FirstDuplicate(names); i < 0 {
			r.Keys = names
		}
	}
	return nil
}

// matchTrainingColumns gives the columns the kinds that they have in the training file. It is an error if a column of
// features is absent, or if some but not all columns of targets are present.
func (t *table) matchTrainingColumns(names []string) error {
	e := t.o.training
	unmatchedIndex := make(map[string]int, len(e.Columns)) // by name, if not matched yet: index in e.Columns
	for k, c := range e.Columns {
		unmatchedIndex[c.Name] = k
	}
	roleOf := map[string]kind{} // the kinds of the columns that are not features, by name
	for _, name := range e.targetNames() {
		roleOf[name] = undecided // see below
	}
	roleOf[e.Options.Group], roleOf[e.Options.Key], roleOf[e.Options.Sequence] = group, key, sequence
	var ignored, missing []string
	for _, c := range t.columns {
		c.dateLayout = t.o.Dates[c.name]
		k, isNeeded := unmatchedIndex[c.name]
		role, hasRole := roleOf[c.name]
		switch {
		case isNeeded && (!c.isRowNames || e.Options.KeepIndexColumn):
			if c.trainingColumn, c.trainingIndex, c.kind = &e.Columns[k], k, numbers; c.trainingColumn.Levels != nil {
				c.kind = nominal
			}
			delete(unmatchedIndex, c.name)
		case hasRole && (role != group || t.o.Group != ""):
			c.kind = role
		default:
			if c.kind = dropped; !c.isRowNames && !hasRole {
				ignored = append(ignored, c.name)
			}
		}
	}
	for _, c := range e.Columns {
		if _, isUnmatched := unmatchedIndex[c.Name]; isUnmatched {
			missing = append(missing, c.Name)
		}
	}
	if missing != nil {
		return fmt.Errorf("no column %s, which the training file has%s", sheet.List(missing),
			sheet.Suggest(missing[0], names))
	}
	if s := t.o.Sequence; s != "" && !slices.Contains(names, s) {
		return unknownColumnError("Sequence", s, names)
	}
	if ignored != nil {
		t.notes = append(t.notes, "columns ignored: "+sheet.List(ignored))
	}
	for _, name := range e.targetNames() {
		j := slices.Index(names, name)
		switch {
		case j < 0:
			missing = append(missing, name)
		case t.o.Unlabeled:
			t.columns[j].kind = dropped
		default:
			if err := t.setColumnKind(j, label, "Label"); err != nil {
				return err
			}
		}
	}
	if t.targets != nil && missing != nil {
		return fmt.Errorf("the file has some targets of the training file, but no column %s; give all or none",
			sheet.List(missing))
	}
	return nil
}

// cellPosition returns the place of a cell in words: row, line of the file, column (all from 1), and name of the
// column.
func (t *table) cellPosition(r sheet.Record, j int) string {
	return fmt.Sprintf("%v, column %d (%s)", r, j+1, sheet.Shorten(t.columns[j].name))
}

// dropMissing returns the rows without those that have a missing cell, if Options.Missing is Drop. If it is Fill, only
// a missing label, group or key is an error. Otherwise each missing cell is an error.
func (t *table) dropMissing() ([]sheet.Record, error) {
	var columns []int
	for j, c := range t.columns {
		if c.kind != dropped {
			columns = append(columns, j)
		}
	}
	var rows []sheet.Record
	for _, r := range t.rows {
		j := slices.IndexFunc(columns, func(j int) bool {
			return t.isMissing[r.Cells[j]] && (t.o.Missing != Fill || !t.columns[j].isFeature())
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

func (t *table) missingError(r sheet.Record, j int) error {
	subject, advice, isFeature := "the cell", "", t.columns[j].isFeature()
	if !isFeature {
		subject = "the " + roles[t.columns[j].kind]
	}
	switch {
	case t.o.training != nil && isFeature: // a file for a model, which is read without options
		advice = "; learn with Options.Missing: Fill, or leave the row out"
	case t.o.training != nil:
		advice = "; leave the row out"
	case isFeature:
		advice = "; set Options.Missing: Drop or Fill"
	case t.o.labelCount == 0: // the file holds the points too, so it can drop them
		advice = "; set Options.Missing: Drop"
	}
	if s := r.Cells[j]; s != "" && s != "?" {
		subject += " " + sheet.Quote(s)
		if t.o.MissingMarkers == nil && t.o.training == nil {
			advice += "; if the cell is a value, list only the true markers of missing values in Options.MissingMarkers"
		}
	}
	return fmt.Errorf("%s: %s is missing%s", t.cellPosition(r, j), subject, advice)
}
