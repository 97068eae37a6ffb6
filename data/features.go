package data

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data/internal/sheet"
)

// buildDataset builds the dataset of a table: it encodes the columns, then adds labels and drops duplicates.
func (t *table) buildDataset() (*Dataset, error) {
	n := len(t.rows)
	if n == 0 {
		return nil, fmt.Errorf("no rows")
	}
	r := datasetBuilder{o: t.o, targets: t.targets}
	if err := t.dropRowNames(); err != nil {
		return nil, err
	}
	var err error
	if t.rows, err = t.dropMissing(); err != nil {
		return nil, err
	}
	r.DroppedPoints = n - len(t.rows)
	if err := t.readRoles(&r); err != nil {
		return nil, err
	}
	var columns []Column
	if t.o.Sequence != "" {
		err = t.encodeSequences(&r)
	} else {
		columns, err = t.encodeFeatures(&r)
	}
	if err != nil {
		return nil, err
	}
	if t.o.training == nil {
		if droppedColumns := t.droppedColumns(); droppedColumns != nil {
			r.notes = append(r.notes, "left out: "+sheet.List(droppedColumns))
		}
		if err := t.checkRepeatedRows(); err != nil {
			return nil, err
		}
		r.Doubts = slices.Concat(r.Doubts, t.doubts, t.warnAboutSentinels(), t.warnAboutHiddenDates(),
			t.warnAboutSerialNumbers(),
			t.warnAboutConstantColumns(columns), t.warnAboutUnits(columns))
		r.Encoding = t.newEncoding(columns)
	}
	if r.Group != nil {
		r.notes = append(r.notes, fmt.Sprintf("grouped by %s (%s)", sheet.Shorten(t.o.Group),
			sheet.Count(len(sheet.SortedUnique(r.Group)), "group")))
	}
	r.notes = append(r.notes, t.notes...)
	if missingCount, names := t.countMissing(numbers); missingCount > 0 && t.o.training == nil {
		r.Doubts = append(r.Doubts, fmt.Sprintf("%s (%s) filled with the mean of all points, test points included, so "+
			"that scores may be slightly too good; data.Options{Missing: data.Drop} leaves out the rows",
			sheet.Count(missingCount, "missing number"), sheet.List(names)))
	}
	return r.finishDataset()
}

// encodeFeatures sets the points r.X from the columns that are features, and adds to r.notes and r.Doubts. It returns
// the descriptions of these columns, in the order of the training file if there is one, otherwise of this file.
func (t *table) encodeFeatures(r *datasetBuilder) ([]Column, error) {
	var order []int
	for j, c := range t.columns {
		if c.isFeature() {
			order = append(order, j)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return t.columns[a].trainingIndex - t.columns[b].trainingIndex })
	columns := make([]Column, len(order))
	x := points.Rows{N: len(t.rows)}
	nominalCount, indicatorCount := 0, 0 // number of nominal columns, and of their 0/1 features
	for k, j := range order {
		var err error
		if columns[k], err = t.encodeColumn(j); err != nil {
			return nil, err
		}
		names := columns[k].featureNames()
		x.Names = append(x.Names, names...)
		if columns[k].Levels != nil {
			nominalCount++
			indicatorCount += len(names)
		}
	}
	if x.D = len(x.Names); x.D > maxNumbers/x.N {
		return nil, fmt.Errorf("%d points of %d features are more than %d numbers; use fewer", x.N, x.D, maxNumbers)
	}
	x.Data = make([]float64, x.N*x.D)
	firstFeature := 0
	for k, j := range order {
		if rowsWithUnseenValues := t.writeFeatures(&x, j, &columns[k], firstFeature); rowsWithUnseenValues != nil {
			r.Doubts = append(r.Doubts, t.storeUnseenValues(j, rowsWithUnseenValues, r))
		}
		if t.o.training != nil {
			r.storeFilledColumn(t.columns[j])
		}
		firstFeature += len(columns[k].featureNames())
	}
	filledCells, _ := t.countMissing(numbers, nominal)
	r.X, r.notes = x, []string{describeColumns(len(order)-nominalCount, nominalCount, indicatorCount),
		t.describeMissingCells(r.DroppedPoints, filledCells)}
	return columns, nil
}

func (t *table) droppedColumns() (names []string) {
	for _, c := range t.columns {
		if c.kind == dropped && !c.isRowNames {
			names = append(names, c.name)
		}
	}
	return names
}

// describeColumns states in words how many numeric and nominal columns there are. indicatorCount is the number of 0/1
// features of the nominal columns.
func describeColumns(numericCount, nominalCount, indicatorCount int) string {
	nominalText := fmt.Sprintf("%s, each value a column 0/1 named attribute=value (%d columns)",
		sheet.Count(nominalCount, "nominal attribute"), indicatorCount)
	switch {
	case nominalCount > 0 && numericCount > 0:
		return sheet.Count(numericCount, "number") + " and " + nominalText
	case nominalCount > 0:
		return nominalText
	}
	return "numbers of the file, unchanged"
}

// countMissing returns the number of missing cells in columns of these kinds, and the names of these columns.
func (t *table) countMissing(kinds ...kind) (n int, names []string) {
	for j, c := range t.columns {
		if !slices.Contains(kinds, c.kind) {
			continue
		}
		before := n
		for _, r := range t.rows {
			if t.isMissing[r.Cells[j]] {
				n++
			}
		}
		if n > before {
			names = append(names, c.name)
		}
	}
	return n, names
}

// describeMissingCells states how many points with missing cells were dropped, and how many missing cells were filled.
func (t *table) describeMissingCells(droppedPoints, filledCells int) string {
	switch {
	case droppedPoints > 0:
		return fmt.Sprintf("%d of %s left out because of missing cells", droppedPoints,
			sheet.Count(len(t.rows)+droppedPoints, "point"))
	case filledCells == 0:
		return "nothing missing"
	case t.o.training != nil:
		return sheet.Count(filledCells, "missing cell") + " filled in, as in the training file"
	}
	return sheet.Count(filledCells, "missing cell") + " filled in (column mean, or the level ? of a column of words)"
}

// storeUnseenValues appends to r.Unseen the values of column j in the given rows, values that did not occur in the
// training file. It returns a warning about these rows, for Dataset.Doubts.
func (t *table) storeUnseenValues(j int, rows []int, r *datasetBuilder) (warning string) {
	if r.UnseenValues == nil {
		r.UnseenValues = make([]string, len(t.rows))
	}
	name := sheet.Shorten(t.columns[j].name)
	var values []string
	for _, i := range rows {
		value := sheet.Shorten(t.rows[i].Cells[j])
		values = append(values, value)
		r.UnseenValues[i] = strings.TrimPrefix(r.UnseenValues[i]+", "+name+"="+value, ", ")
	}
	return fmt.Sprintf("column %d (%s): %s of %d with a value that did not occur in the training file, so "+
		"its features are 0 (%s)", j+1, name, sheet.Count(len(rows), "row"), len(t.rows),
		sheet.List(sheet.SortedUnique(values)))
}

// dropRowNames drops a first column that the file does not name, because it holds the names of the rows. In a training
// file, it is an error if two names are equal, or if no feature is left.
func (t *table) dropRowNames() error {
	c := t.columns[0]
	if !c.isRowNames || !c.isFeature() || t.o.KeepIndexColumn {
		return nil
	}
	c.kind = dropped
	if t.o.training != nil {
		return nil
	}
	const prefix = "column 1 has no name, so it is taken for the names of the rows, but "
	names := sheet.Column(t.rows, 0)
	if i, firstIndex := sheet.FirstDuplicate(names); i >= 0 {
		return fmt.Errorf(prefix+"%s is in line %d and in line %d; name the column, or set Options.KeepIndexColumn "+
			"to keep it or Options.DropColumns: []string{%q} to leave it out", sheet.Quote(names[i]),
			t.rows[firstIndex].LineNumber, t.rows[i].LineNumber, c.name)
	}
	if !slices.ContainsFunc(t.columns, (*column).isFeature) {
		return fmt.Errorf(prefix + "it is the only column beside the label; name the column, or set " +
			"Options.KeepIndexColumn to keep it")
	}
	t.notes = append(t.notes, "column 1, without a name and different in each row, left out "+
		"(Options.KeepIndexColumn keeps it)")
	return nil
}

// encodeColumn reads column j and returns the Column that describes its features: the Column of the training file if
// there is one.
func (t *table) encodeColumn(j int) (Column, error) {
	c := t.columns[j]
	if c.kind != nominal {
		if err := t.readFeatureColumn(j); err != nil {
			return Column{}, err
		}
	}
	switch {
	case c.trainingColumn != nil:
		return *c.trainingColumn, nil
	case !slices.ContainsFunc(t.rows, func(r sheet.Record) bool { return !t.isMissing[r.Cells[j]] }):
		return Column{}, fmt.Errorf("column %d (%s): all %d cells are missing; name it in Options.DropColumns", j+1,
			sheet.Shorten(c.name), len(t.rows))
	case c.kind == nominal:
		return t.encodeNominal(j)
	}
	col := Column{Name: c.name}
	n := 0.0
	for _, v := range c.numbers {
		if !math.IsNaN(v) {
			n++
			col.Mean += (v - col.Mean) / n // a running mean does not overflow
		}
	}
	return col, nil
}

// encodeNominal returns the Column of the nominal column j. Its levels are the values that occur, sorted.
func (t *table) encodeNominal(j int) (Column, error) {
	c := t.columns[j]
	col, n := Column{Name: c.name}, 0
	seenValues := map[string]bool{}
	for _, r := range t.rows {
		s := r.Cells[j]
		if t.isMissing[s] {
			col.HasMissingLevel = true
			continue
		}
		n++
		if seenValues[s] {
			continue
		}
		if len(col.Levels) == maxLevels {
			return col, fmt.Errorf("%s: with %s, the nominal column has %d different values; at most %d are "+
				"allowed; if the column is an identifier, Options.DropColumns: []string{%q} leaves it out, and Key "+
				"copies it to the predictions%s",
				t.cellPosition(r, j), sheet.Quote(s), maxLevels+1, maxLevels, c.name,
				t.adviseOnUnits(c.name, col.Levels))
		}
		seenValues[s], col.Levels = true, append(col.Levels, s)
	}
	if len(col.Levels) == n && n > identifierRows && !c.isCategoricalByOption {
		return col, fmt.Errorf("column %d (%s) is text, different in each of %d rows: if it is an identifier, "+
			"Options.DropColumns: []string{%q} leaves it out, and Key copies it to the predictions; if it is not, "+
			"name it in Categorical%s", j+1,
			sheet.Shorten(c.name), n, c.name, t.adviseOnUnits(c.name, col.Levels))
	}
	slices.Sort(col.Levels)
	noun := fmt.Sprintf("values of column %d (%s)", j+1, sheet.Shorten(c.name))
	if warning := lookAlikeWarning(noun, col.Levels); warning != "" {
		t.doubts = append(t.doubts, warning)
	}
	return col, nil
}

// writeFeatures writes the features of column j into x, beginning at firstFeature. It returns the rows whose value did
// not occur in the training file.
func (t *table) writeFeatures(x *points.Rows, j int, col *Column, firstFeature int) (unseenRows []int) {
	c := t.columns[j]
	if c.kind == numbers {
		for i, v := range c.numbers {
			if math.IsNaN(v) {
				v = col.Mean
			}
			x.Row(i)[firstFeature] = v
		}
		return nil
	}
	index := make(map[string]int, len(col.Levels))
	for k, s := range col.Levels {
		index[s] = k
	}
	for i, r := range t.rows {
		k, isKnown := index[r.Cells[j]]
		switch isMissingCell := t.isMissing[r.Cells[j]]; {
		case isMissingCell && col.HasMissingLevel:
			x.Row(i)[firstFeature+len(col.Levels)] = 1
		case isKnown && !isMissingCell:
			x.Row(i)[firstFeature+k] = 1
		default:
			unseenRows = append(unseenRows, i)
		}
	}
	return unseenRows
}
