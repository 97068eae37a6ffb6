package data

import (
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/points"
)

// dataset builds the dataset of a table: it encodes the columns, then takes the steps that all formats share.
func (t *table) dataset() (*Dataset, error) {
	n := len(t.rows)
	if n == 0 {
		return nil, fmt.Errorf("no rows")
	}
	r := reading{o: t.o, targets: t.targets}
	if err := t.leaveRowNames(); err != nil {
		return nil, err
	}
	if t.o.like == nil {
		if t.other != "" {
			r.Doubts = append(r.Doubts, t.other)
		}
		if t.isSquare() {
			r.Doubts = append(r.Doubts, squareSymmetric)
		}
	}
	var err error
	if t.rows, err = t.withoutMissing(); err != nil {
		return nil, err
	}
	r.Dropped = n - len(t.rows)
	if err := t.readRoles(&r); err != nil {
		return nil, err
	}
	columns, err := t.encodeFeatures(&r)
	if err != nil {
		return nil, err
	}
	if t.o.like == nil {
		r.Doubts = append(r.Doubts, t.sentinels()...)
		r.Encoding = t.fit(columns)
	}
	if t.group >= 0 {
		r.done = append(r.done, fmt.Sprintf("grouped by %s (%d)", brief(t.cols[t.group].name), len(different(r.Group))))
	}
	r.done = slices.Concat(r.done, r.Doubts, t.notes)
	if means := t.filledNumbers(); means > 0 && t.o.like == nil {
		r.Doubts = append(r.Doubts, fmt.Sprintf("%s filled with the mean of all points, those that a comparison tests "+
			"on among them", count(means, "missing number")))
	}
	return r.dataset()
}

// encodeFeatures makes the points from the columns of features, in the order of this file, or of the training file if
// there is one. It notes what it did.
func (t *table) encodeFeatures(r *reading) ([]Column, error) {
	var order []int
	for j, c := range t.cols {
		if c.feature() {
			order = append(order, j)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return t.cols[a].place - t.cols[b].place })
	columns := make([]Column, len(order))
	x := points.Rows{N: len(t.rows)}
	nominals, wide := 0, 0 // nominal columns, their features
	for k, j := range order {
		var err error
		if columns[k], err = t.encode(j); err != nil {
			return nil, err
		}
		names := columns[k].features()
		x.Names = append(x.Names, names...)
		if columns[k].Levels != nil {
			nominals++
			wide += len(names)
		}
	}
	if x.D = len(x.Names); x.D > maxNumbers/x.N {
		return nil, fmt.Errorf("%d points of %d features are more than %d numbers", x.N, x.D, maxNumbers)
	}
	x.Data = make([]float64, x.N*x.D)
	filled, from := t.filledNumbers(), 0
	for k, j := range order {
		if t.cols[j].kind == nominal {
			filled += t.blankCells(j)
		}
		if unseen := t.fill(&x, j, &columns[k], from); unseen != nil {
			r.Doubts = append(r.Doubts, t.markUnseen(j, unseen, r))
		}
		from += len(columns[k].features())
	}
	r.X, r.done = x, []string{kindsOfColumns(len(order)-nominals, nominals, wide), t.missingNote(r.Dropped, filled)}
	var out []string
	for _, c := range t.cols {
		if c.kind == left && !c.isRowNames && t.o.like == nil {
			out = append(out, c.name)
		}
	}
	if out != nil {
		r.done = append(r.done, "left out: "+some(out))
	}
	return columns, nil
}

// kindsOfColumns describes the columns of numbers and the nominal columns.
func kindsOfColumns(numbers, nominals, wide int) string {
	each := fmt.Sprintf("%s, each value a column 0/1 named attribute=value (%d columns)",
		count(nominals, "nominal attribute"), wide)
	switch {
	case nominals > 0 && numbers > 0:
		return count(numbers, "number") + " and " + each
	case nominals > 0:
		return each
	}
	return "numbers as they are in the file"
}

// blankCells returns the number of missing cells in column j.
func (t *table) blankCells(j int) (n int) {
	for _, r := range t.rows {
		if t.blank[r.cells[j]] {
			n++
		}
	}
	return n
}

// filledNumbers returns the number of missing numbers, which are replaced by means.
func (t *table) filledNumbers() (n int) {
	for _, c := range t.cols {
		for _, v := range c.vals {
			if math.IsNaN(v) {
				n++
			}
		}
	}
	return n
}

// missingNote describes what happened to missing cells.
func (t *table) missingNote(dropped, filled int) string {
	switch {
	case dropped > 0:
		return fmt.Sprintf("%s with missing cells left out of %d", count(dropped, "point"), len(t.rows)+dropped)
	case filled == 0:
		return "nothing missing"
	case t.o.like != nil:
		return count(filled, "missing cell") + " filled in (as in the file learned from)"
	}
	return count(filled, "missing cell") + " filled in (mean over all points; attribute=?)"
}

// markUnseen appends the value of column j of some rows, which did not occur in the training file, to r.Unseen. It
// returns a doubt about these rows.
func (t *table) markUnseen(j int, rows []int, r *reading) string {
	if r.Unseen == nil {
		r.Unseen = make([]string, len(t.rows))
	}
	name := brief(t.cols[j].name)
	var values []string
	for _, i := range rows {
		value := brief(t.rows[i].cells[j])
		values = append(values, value)
		if r.Unseen[i] != "" {
			r.Unseen[i] += ", "
		}
		r.Unseen[i] += name + "=" + value
	}
	return fmt.Sprintf("column %d (%s): %s of %d with a value that did not occur in the file learned from, taken "+
		"for none of its values (%s)", j+1, name, count(len(rows), "row"), len(t.rows), some(different(values)))
}

// isSquare reports whether the rows are a symmetric matrix of numbers. A column of real targets counts as part of the
// matrix. A column of class labels does not.
func (t *table) isSquare() bool {
	n := len(t.rows)
	var cols []int
	for j, c := range t.cols {
		if c.kind != label || t.o.real() {
			cols = append(cols, j)
		}
	}
	if n != len(cols) || n < 3 {
		return false
	}
	for i := range n {
		for k := range i + 1 {
			v, ok, _ := t.format.parse(t.rows[i].cells[cols[k]])
			w, as, _ := t.format.parse(t.rows[k].cells[cols[i]])
			if !ok || !as || v != w {
				return false
			}
		}
	}
	return true
}

// leaveRowNames drops a first column that the file does not name, because it holds the names of the rows. It is an
// error if two of them are equal, except in a file that is read like another one.
func (t *table) leaveRowNames() error {
	c := t.cols[0]
	if !c.isRowNames || !c.feature() || t.o.KeepIndex {
		return nil
	}
	c.kind = left
	if t.o.like != nil {
		return nil
	}
	const why = "column 1 has no name, so it is taken for the names of the rows, but "
	names := columnBelow(t.rows, 0)
	if i, first := repeated(names); i >= 0 {
		return fmt.Errorf(why+"%s is in line %d and in line %d; name the column, or set Options.KeepIndex to keep it "+
			"or Options.DropColumns: []string{%q} to leave it out", clip(names[i]), t.rows[first].line, t.rows[i].line,
			c.name)
	}
	if !slices.ContainsFunc(t.cols, (*column).feature) {
		return fmt.Errorf(why + "it is the only column beside the label; name the column, or set Options.KeepIndex " +
			"to keep it")
	}
	t.notes = append(t.notes, "column 1, without a name and different in each row, left out "+
		"(Options.KeepIndex keeps it)")
	return nil
}

// sentinels returns doubts about columns whose least or greatest number is an integer, occurs more than once, and is
// farther from the other numbers than these are from each other. An example is −999 for a missing value.
func (t *table) sentinels() (doubts []string) {
	for j, c := range t.cols {
		if c.kind != numbers || c.layout != "" {
			continue
		}
		v := slices.DeleteFunc(slices.Clone(c.vals), math.IsNaN)
		slices.Sort(v)
		k := len(v)
		if k < 4 {
			continue
		}
		odd := 0.0
		low, _ := slices.BinarySearch(v, math.Nextafter(v[0], math.Inf(1))) // the first number above the least
		high, _ := slices.BinarySearch(v, v[k-1])                           // the first of the greatest
		switch {
		case low > 1 && low < k && v[low]-v[0] > v[k-1]-v[low] && v[low] < v[k-1]:
			odd = v[0]
		case high < k-1 && high > 0 && v[k-1]-v[high-1] > v[high-1]-v[0] && v[0] < v[high-1]:
			odd = v[k-1]
		}
		if odd != 0 && odd == math.Trunc(odd) {
			doubts = append(doubts, fmt.Sprintf("column %d (%s) holds %g more than once, far from its other numbers; "+
				"if it stands for a missing value, list it in Options.MissingMarkers", j+1, brief(c.name), odd))
		}
	}
	return doubts
}

// encode returns the Column that describes the features of column j.
func (t *table) encode(j int) (Column, error) {
	c := t.cols[j]
	if c.kind != nominal {
		if err := t.readFeature(j); err != nil {
			return Column{}, err
		}
	}
	switch {
	case c.fitted != nil:
		return *c.fitted, nil
	case !slices.ContainsFunc(t.rows, func(r record) bool { return !t.blank[r.cells[j]] }):
		return Column{}, fmt.Errorf("column %d (%s): all %d cells are missing, want one or Options.DropColumns", j+1,
			brief(c.name), len(t.rows))
	case c.kind == nominal:
		return t.encodeNames(j)
	}
	col := Column{Name: c.name}
	present := 0.0
	for _, v := range c.vals {
		if !math.IsNaN(v) {
			present++
			col.Mean += (v - col.Mean) / present // the running mean does not overflow
		}
	}
	return col, nil
}

// encodeNames returns the Column of column j, which holds names.
func (t *table) encodeNames(j int) (Column, error) {
	c := t.cols[j]
	col, present := Column{Name: c.name}, 0
	seen, declared := map[string]bool{}, c.declaredSet()
	for _, r := range t.rows {
		s := r.cells[j]
		if t.blank[s] {
			col.Gap = true
			continue
		}
		present++
		if seen[s] {
			continue
		}
		if c.declared != nil && !declared[s] {
			return col, t.undeclared(r, j)
		}
		if most := t.o.levels(); len(col.Levels) == most {
			return col, fmt.Errorf("%s: %s is different value number %d of a nominal column, want at most %d: "+
				"Options.DropColumns leaves an identifier out, MaxLevels allows more",
				t.position(r, j), clip(s), most+1, most)
		}
		seen[s], col.Levels = true, append(col.Levels, s)
	}
	switch {
	case len(col.Levels) == present && present > identifier && !c.isNamed && c.declared == nil:
		return col, fmt.Errorf("column %d (%s) is text, different in each of %d rows: name it in Options.DropColumns "+
			"if it is an identifier, in Categorical if it is not", j+1, brief(c.name), present)
	case c.declared != nil:
		col.Levels = slices.DeleteFunc(slices.Clone(c.declared), func(s string) bool { return !seen[s] })
	default:
		slices.Sort(col.Levels)
	}
	return col, nil
}

// fill writes the features of column j into x, beginning at feature from. It returns the rows whose value did not occur
// in the training file.
func (t *table) fill(x *points.Rows, j int, col *Column, from int) (unseen []int) {
	c := t.cols[j]
	if c.kind == numbers {
		for i, v := range c.vals {
			if math.IsNaN(v) {
				v = col.Mean
			}
			x.Row(i)[from] = v
		}
		return nil
	}
	place := make(map[string]int, len(col.Levels))
	for k, s := range col.Levels {
		place[s] = k
	}
	for i, r := range t.rows {
		k, isKnown := place[r.cells[j]]
		switch isBlank := t.blank[r.cells[j]]; {
		case isBlank && col.Gap:
			x.Row(i)[from+len(col.Levels)] = 1
		case isKnown && !isBlank:
			x.Row(i)[from+k] = 1
		default:
			unseen = append(unseen, i)
		}
	}
	return unseen
}

// levels returns the largest number of different values of a nominal column.
func (o *Options) levels() int {
	if o.MaxLevels > 0 {
		return o.MaxLevels
	}
	return maxLevels
}
