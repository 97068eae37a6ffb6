package data

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/mklnb/mkl/algos/points"
)

// dataset builds the dataset of a table: it encodes the columns, then takes the steps that all formats share.
func (t *table) dataset() (*Dataset, error) {
	n := len(t.rows)
	if n == 0 {
		return nil, fmt.Errorf("no rows")
	}
	r := reading{o: t.o, targets: t.targets,
		where: func(i int) string { return t.rows[i].String() }}
	if err := t.leaveRowNames(); err != nil {
		return nil, err
	}
	if t.o.like == nil {
		if t.other != "" {
			r.Doubts = append(r.Doubts, t.other)
		}
		if !t.o.matrix && t.o.Format == CSV {
			r.Doubts = append(r.Doubts, t.counting()...)
		}
		if t.isSquare() {
			r.Doubts = append(r.Doubts, squareSymmetric)
		}
	}
	blanks, err := t.present()
	if err != nil {
		return nil, err
	}
	r.Dropped = n - len(t.rows)
	n = len(t.rows)

	var order []int // order of the features: as in this file, or in the training file if there is one
	for j, c := range t.cols {
		switch {
		case c.kind == label:
			if err := t.readLabels(j); err != nil {
				return nil, err
			}
		case c.kind == group:
			for _, row := range t.rows {
				name := row.cells[j]
				if t.o.of != nil {
					name = t.o.of(name)
				}
				r.Group = append(r.Group, name)
			}
		case c.kind == key:
			if r.Key, err = t.keys(j); err != nil {
				return nil, err
			}
		case c.feature():
			order = append(order, j)
		}
	}
	if t.o.labels {
		r.X = points.AllIndices(n)
		return r.dataset()
	}
	slices.SortStableFunc(order, func(a, b int) int { return t.cols[a].place - t.cols[b].place })
	columns := make([]Column, len(order))
	x := points.Rows{N: n}
	nominals, wide, means := 0, 0, 0 // nominal columns, their features, numbers replaced by means
	for k, j := range order {
		if columns[k], err = t.encode(j); err != nil {
			return nil, err
		}
		names := columns[k].features()
		x.Names = append(x.Names, names...)
		if columns[k].Levels != nil {
			nominals++
			wide += len(names)
		}
		for _, v := range t.cols[j].vals {
			if math.IsNaN(v) {
				means++
			}
		}
	}
	if x.D = len(x.Names); x.D > maxNumbers/n {
		return nil, fmt.Errorf("%d points of %d features are more than %d numbers", n, x.D, maxNumbers)
	}
	x.Data = make([]float64, n*x.D)
	var odd []string // doubts about unseen values
	for k, from := 0, 0; k < len(order); k++ {
		unseen, err := t.fill(&x, order[k], &columns[k], from)
		if err != nil {
			return nil, err
		}
		if unseen != nil {
			odd = append(odd, t.strange(order[k], unseen, &r))
		}
		from += len(columns[k].features())
	}

	numbers := len(order) - nominals
	switch each := fmt.Sprintf("%s, each value a column 0/1 named attribute=value (%d columns)",
		count(nominals, "nominal attribute"), wide); {
	case nominals > 0 && numbers > 0:
		r.done = []string{count(numbers, "number") + " and " + each}
	case nominals > 0:
		r.done = []string{each}
	default:
		r.done = []string{"numbers as they are in the file"}
	}
	switch {
	case r.Dropped > 0:
		r.done = append(r.done, fmt.Sprintf("%s with missing cells left out of %d", count(r.Dropped, "point"),
			n+r.Dropped))
	case blanks == 0:
		r.done = append(r.done, "nothing missing")
	case t.o.like != nil:
		r.done = append(r.done, count(blanks, "missing cell")+" filled in (as in the file learned from)")
	default:
		r.done = append(r.done, count(blanks, "missing cell")+" filled in (mean over all points; attribute=?)")
	}
	if t.o.like == nil && !t.o.matrix {
		r.Doubts = append(r.Doubts, t.repeated()...)
		r.Doubts = append(r.Doubts, t.sentinels()...)
	}
	r.Doubts = append(r.Doubts, odd...)
	var out []string
	for _, c := range t.cols {
		if c.kind == left && !c.isRowNames && t.o.like == nil {
			out = append(out, c.name)
		}
	}
	if out != nil {
		r.done = append(r.done, "left out: "+some(out))
	}
	if t.group >= 0 {
		r.done = append(r.done, fmt.Sprintf("grouped by %s (%d)", brief(t.cols[t.group].name), len(different(r.Group))))
	}
	r.done = slices.Concat(r.done, r.Doubts, t.notes)
	if t.o.like == nil {
		r.Encoding = t.fit(columns)
		if means > 0 {
			r.Doubts = append(r.Doubts, fmt.Sprintf("%s filled with the mean of all points, those that a "+
				"comparison tests on among them", count(means, "missing number")))
		}
	}
	r.X = x
	return r.dataset()
}

// strange returns a doubt about the rows whose value in column j did not occur in the training file. It appends each
// value to r.Unseen of its point.
func (t *table) strange(j int, rows []int, r *reading) string {
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
		"for none of its values (%s); Options.Unseen: Refuse makes it an error",
		j+1, name, count(len(rows), "row"), len(t.rows), some(different(values)))
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
	if t.o.matrix || n != len(cols) || n < 3 {
		return false
	}
	for i := range n {
		for k := range i + 1 {
			a, b := cols[i], cols[k]
			v, ok, _ := t.number(t.cols[b], t.rows[i].cells[b])
			w, as, _ := t.number(t.cols[a], t.rows[k].cells[a])
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
	seen := make(map[string]int, len(t.rows))
	for i, r := range t.rows {
		if first, isRepeated := seen[r.cells[0]]; isRepeated && t.o.like == nil {
			return fmt.Errorf("column 1 has no name, so it is taken for the names of the rows, but %s is in line %d "+
				"and in line %d; name the column, or set Options.KeepIndex to keep it or Options.DropColumns: "+
				"[]string{%q} to leave it out", clip(r.cells[0]), t.rows[first].line, r.line, c.name)
		}
		seen[r.cells[0]] = i
	}
	if c.kind = left; !slices.ContainsFunc(t.cols, (*column).feature) && t.o.like == nil {
		return fmt.Errorf("column 1 has no name, so it is taken for the names of the rows, but it is the only column " +
			"beside the label; name the column, or set Options.KeepIndex to keep it")
	}
	if t.o.like == nil {
		t.notes = append(t.notes, "column 1, without a name and different in each row, left out "+
			"(Options.KeepIndex keeps it)")
	}
	return nil
}

// counting returns doubts about named columns that count the rows, or that have the name of an identifier and a
// different whole number in each row.
func (t *table) counting() (doubts []string) {
	for j, c := range t.cols {
		if !c.feature() || c.kind == nominal || c.layout != "" || c.isRowNames || len(t.rows) <= identifier {
			continue
		}
		_, counts, distinct := t.wholes(j)
		switch {
		case counts:
			doubts = append(doubts, fmt.Sprintf("column %d (%s) counts the rows (Options.DropColumns leaves it out)",
				j+1,
				brief(c.name)))
		case distinct && named(c.name, "id", "index", "key"):
			doubts = append(doubts, fmt.Sprintf("column %d (%s) holds a different whole number in each row, as "+
				"identifiers do (Options.DropColumns leaves it out)", j+1, brief(c.name)))
		}
	}
	return doubts
}

// sentinels returns doubts about columns whose least or greatest number is an integer, occurs more than once, and is
// farther from the other numbers than these are from each other. An example is −999 for a missing value.
func (t *table) sentinels() (doubts []string) {
	for j, c := range t.cols {
		if c.kind != numbers || !c.feature() || c.layout != "" {
			continue
		}
		v := slices.DeleteFunc(slices.Clone(c.vals), math.IsNaN)
		slices.Sort(v)
		different := slices.Compact(slices.Clone(v))
		k := len(different)
		if k < 4 {
			continue
		}
		odd := 0.0
		switch low, high := different[0], different[k-1]; {
		case v[1] == low && different[1]-low > different[k-1]-different[1]:
			odd = low
		case v[len(v)-2] == high && high-different[k-2] > different[k-2]-different[0]:
			odd = high
		}
		if odd != 0 && odd == math.Trunc(odd) {
			doubts = append(doubts, fmt.Sprintf("column %d (%s) holds %g more than once, far from its other numbers; "+
				"if it stands for a missing value, list it in Options.MissingMarkers", j+1, brief(c.name), odd))
		}
	}
	return doubts
}

// wholes returns the first number of column j, reports whether the column counts the rows from 0 or 1, and whether it
// holds different whole numbers.
func (t *table) wholes(j int) (first float64, counts, distinct bool) {
	counts, distinct = true, true
	seen := make(map[float64]bool)
	for i, r := range t.rows {
		v, ok, err := t.number(t.cols[j], r.cells[j])
		if !ok || err != nil {
			return 0, false, false
		}
		if i == 0 {
			first = v
		}
		counts = counts && v == first+float64(i)
		distinct = distinct && v == math.Trunc(v) && v >= 0 && !seen[v]
		if !counts && !distinct {
			return first, false, false
		}
		seen[v] = true
	}
	return first, counts && (first == 0 || first == 1), distinct
}

// identifiers are the words of names of identifiers, such as patient_id.
var identifiers = []string{"id", "user", "patient", "subject", "person", "participant", "customer", "client", "student"}

// repeated returns doubts about columns that seem to identify persons or things with several rows each. Such a column
// has more than 10 different values, and fewer than there are rows. The values are names with fewer than 5 rows each on
// average, or names or whole numbers in a column whose name consists of words such as id and patient.
func (t *table) repeated() (doubts []string) {
	n := len(t.rows)
	for j, c := range t.cols {
		words := wordsIn(c.name, false)
		called := len(words) > 0 && within(words, identifiers)
		if !c.feature() || c.layout != "" || c.kind == numbers && !called {
			continue
		}
		values, whole := map[string]bool{}, true
		for i, r := range t.rows {
			if s := r.cells[j]; !t.blank[s] {
				values[s] = true
				whole = whole && (c.kind == nominal || c.vals[i] == math.Trunc(c.vals[i]))
			}
		}
		if k := len(values); whole && k > identifier && k < n && (called || n < 5*k) {
			doubts = append(doubts, fmt.Sprintf("column %d (%s) holds %d different values in %d rows, as of "+
				"persons or things that several rows are of: Options.Group: %q keeps these together in splits and "+
				"takes the column out, Options.DropColumns leaves it out",
				j+1, brief(c.name), k, n, brief(c.name)))
		}
	}
	return doubts
}

// labels are words in the names of label columns.
var labels = []string{"label", "labels", "class", "target", "y", "outcome", "diagnosis", "species"}

// elsewhere returns the first name that contains a word of labels, if the last name, which is the label, contains none.
// Otherwise it returns "".
func elsewhere(names []string) string {
	last := len(names) - 1
	k := slices.IndexFunc(names, func(s string) bool { return named(s, labels...) })
	if k < 0 || k == last || named(names[last], labels...) {
		return ""
	}
	return names[k]
}

// named reports whether one of the words in among is a word of the name: id in "patient_id" and "PatientId".
func named(name string, among ...string) bool {
	return slices.ContainsFunc(wordsIn(name, false), func(s string) bool { return slices.Contains(among, s) })
}

// within reports whether others contains all words in some.
func within(some, others []string) bool {
	return !slices.ContainsFunc(some, func(w string) bool { return !slices.Contains(others, w) })
}

// wordsIn returns the words of a name in lower case: patient and id7 for "PatientId7" and "patient_id7". If numbers is
// set, numbers are separate words: patient, id and 7.
func wordsIn(name string, numbers bool) []string {
	var b strings.Builder
	var last rune
	for _, r := range name {
		switch {
		case unicode.IsUpper(r) && unicode.IsLower(last),
			numbers && (unicode.IsLetter(r) && unicode.IsDigit(last) || unicode.IsDigit(r) && unicode.IsLetter(last)):
			b.WriteByte(' ')
		}
		if last = r; unicode.IsLetter(r) || unicode.IsDigit(r) {
			b.WriteRune(unicode.ToLower(r))
		} else {
			b.WriteByte(' ')
		}
	}
	return strings.Fields(b.String())
}
