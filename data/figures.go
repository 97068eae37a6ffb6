package data

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/similarity"
	"github.com/mklnb/mkl/viz"

	"gonum.org/v1/gonum/mat"
)

// These constants limit the rows and features in the table of a dataset, and the points, bars and classes in its
// picture.
const (
	headRows, headFeatures = 5, 8
	scatterPoints          = 600
	histogramBars          = 20
	drawnClasses           = 6
)

// decomposedPoints is the largest number of points for which Figures computes the spectrum of a similarity, at a cost
// of about 9n³.
const decomposedPoints = 2000

// Figures returns a table of facts about d, its first rows and a picture. The picture shows two features of points in
// classes, or the targets. For similarities, it shows the matrices, sorted by class, and their spectra. It is an error
// if d is not valid.
func (d *Dataset) Figures() ([]viz.Figure, error) {
	if err := d.Validate(); err != nil {
		return nil, err
	}
	fs := []viz.Figure{d.facts()}
	if f, ok := d.Head(); ok {
		fs = append(fs, f)
	}
	if d.Similarities != nil {
		of, err := d.similarityFigures()
		return append(fs, of...), err
	}
	if f, ok := d.picture(); ok {
		fs = append(fs, f)
	}
	return fs, nil
}

// facts returns a table of the contents of d, its source and how it was read.
func (d *Dataset) facts() viz.Figure {
	title := d.Title
	if title == "" {
		title = d.Name
	}
	var rows [][]any
	row := func(key, value string) {
		if value != "" {
			rows = append(rows, []any{key, value})
		}
	}
	row("name", d.Name)
	if x, err := points.As[points.Sequences](d.X); err == nil {
		least, median, most := x.Lengths()
		row("size", fmt.Sprintf("%s of %d to %d letters, half of them at most %d", viz.Count(len(x), "sequence"), least,
			most, median))
	} else if d.Dim() == 0 {
		row("size", viz.Count(d.Len(), "point"))
	} else {
		row("size", viz.Count(d.Len(), "point")+", "+viz.Count(d.Dim(), "feature"))
	}
	if n := d.Counts(); len(n) == 2 {
		row("classes", fmt.Sprintf("%s (−1): %d, %s (+1): %d", d.Classes[0], n[0], d.Classes[1], n[1]))
	} else if n != nil {
		parts := make([]string, len(n))
		for k := range n {
			parts[k] = fmt.Sprintf("%s: %d", d.Classes[k], n[k])
		}
		row("classes", fmt.Sprintf("%d: %s", len(n), strings.Join(parts, ", ")))
	} else if len(d.Y) > 0 {
		each := []string{"real, " + rangeOf(d.Y)}
		if d.ExtraTargets != nil {
			each[0] = cmp.Or(d.Target, "target 1") + " " + rangeOf(d.Y)
		}
		for _, t := range d.ExtraTargets {
			each = append(each, t.Name+" "+rangeOf(t.Y))
		}
		if d.Log {
			each = append(each, "their logarithms are learned")
		}
		row("targets", strings.Join(each, "; "))
	}
	if d.ExtraTargets == nil {
		row("label", d.Target)
	}
	for _, s := range d.Similarities {
		row("similarity", s.Name)
	}
	row("prepared", d.Prepared)
	row("source", d.Source)
	row("license", d.License)
	row("sha256", d.SHA256)
	row("note", d.Note)
	caption := "The numbers are as read, before any scaling."
	if d.SHA256 != "" {
		caption = "The sha256 is that of the file as read. " + caption
	}
	return viz.Table(title, caption, []string{"", ""}, rows...)
}

// rangeOf formats the range of targets.
func rangeOf(y []float64) string {
	return fmt.Sprintf("from %s to %s", viz.FormatNumber(slices.Min(y)), viz.FormatNumber(slices.Max(y)))
}

// FileColumn is a column of a dataset's file and the features that it became: one feature for a column of numbers, one
// per level for a nominal column.
type FileColumn struct {
	Name     string
	Features []int    // indices from 0
	Levels   []string // the level of each feature; nil for a column of numbers
}

// FileColumns returns the columns of the file that d was read from, or the features of d if the file is not known.
func (d *Dataset) FileColumns() (cs []FileColumn) {
	of := map[string][2]string{} // column and level of each indicator feature
	if d.Encoding != nil {
		d.Encoding.indicators(of, "")
	}
	place := map[string]int{} // index of a nominal column in cs
	for j, name := range d.Features() {
		n, nominal := of[name]
		if !nominal {
			cs = append(cs, FileColumn{Name: name, Features: []int{j}})
			continue
		}
		at, ok := place[n[0]]
		if !ok {
			at = len(cs)
			place[n[0]], cs = at, append(cs, FileColumn{Name: n[0]})
		}
		cs[at].Features, cs[at].Levels = append(cs[at].Features, j), append(cs[at].Levels, n[1])
	}
	return cs
}

// indicators stores in of, by the name of the feature, the column and the level of each 0/1 feature that e makes from
// nominal columns.
func (e *Encoding) indicators(of map[string][2]string, prefix string) {
	for _, p := range e.Parts {
		p.Encoding.indicators(of, prefix+p.Name+".")
	}
	for _, c := range e.Columns {
		for _, l := range c.Levels {
			of[prefix+c.Name+"="+l] = [2]string{prefix + c.Name, l}
		}
		if c.Gap {
			of[prefix+c.Name+"=?"] = [2]string{prefix + c.Name, "?"}
		}
	}
}

// cell returns the value of column c for a point with features x: a number, or the level whose feature is not 0.
func (c FileColumn) cell(x []float64) any {
	if c.Levels == nil {
		return x[c.Features[0]]
	}
	for k, j := range c.Features {
		if x[j] != 0 {
			return c.Levels[k]
		}
	}
	return "–"
}

// Head returns a table of the first rows of d with the columns of its file, or of the beginnings of its first
// sequences. It returns false if the points have no features.
func (d *Dataset) Head() (viz.Figure, bool) {
	if x, err := points.As[points.Sequences](d.X); err == nil {
		return d.firstSequences(x), true
	}
	all := d.FileColumns()
	if len(all) == 0 {
		return viz.Figure{}, false
	}
	shown := all[:min(len(all), headFeatures)]
	header := []string{""}
	for _, c := range shown {
		header = append(header, c.Name)
	}
	if len(shown) < len(all) {
		header = append(header, "…")
	}
	header = append(header, d.answers()...)
	var rows [][]any
	for i := range min(d.Len(), headRows) {
		row := []any{i + 1}
		x := make([]float64, d.Dim())
		d.X.Dense(x, i)
		for _, c := range shown {
			row = append(row, c.cell(x))
		}
		if len(shown) < len(all) {
			row = append(row, "…")
		}
		rows = append(rows, append(row, d.answer(i)...))
	}
	caption := "As read, before any scaling."
	if len(shown) < len(all) {
		what := "features"
		if len(all) < d.Dim() {
			what = "columns"
		}
		caption = fmt.Sprintf("As read, before any scaling; %d of %d %s.", len(shown), len(all), what)
	}
	return viz.Table(fmt.Sprintf("The first %s", viz.Count(min(d.Len(), headRows), "row")), caption, header,
		rows...), true
}

// answers returns the headers of the columns of answer: the label or the targets. It is empty if d has neither.
func (d *Dataset) answers() []string {
	if d.ExtraTargets == nil && len(d.Y) > 0 {
		return []string{cmp.Or(d.Target, "label")}
	}
	return d.Targets()
}

// answer returns the label or the targets of point i.
func (d *Dataset) answer(i int) (row []any) {
	switch {
	case d.Classes != nil:
		return []any{d.Classes[d.Class(i)]}
	case len(d.Y) > 0:
		row = append(row, d.Y[i])
		for _, t := range d.ExtraTargets {
			row = append(row, t.Y[i])
		}
	}
	return row
}

// firstSequences returns a table of the beginnings of the first sequences of d.
func (d *Dataset) firstSequences(x points.Sequences) viz.Figure {
	header := append([]string{"", "letters", "sequence"}, d.answers()...)
	const shown = 40
	var rows [][]any
	for i, s := range x[:min(len(x), headRows)] {
		text := s
		if len(s) > shown {
			text = s[:shown] + "…"
		}
		rows = append(rows, append([]any{i + 1, len(s), text}, d.answer(i)...))
	}
	return viz.Table(fmt.Sprintf("The first %s", viz.Count(len(rows), "sequence")), "As read, in upper case.", header,
		rows...)
}

// picture returns a figure of d. For classes, it shows the two features with more than two values whose class means are
// farthest apart, in standard deviations. If there are no such features or too many classes, it shows the class sizes.
// For real targets, it shows their histogram. Otherwise it returns false.
func (d *Dataset) picture() (viz.Figure, bool) {
	switch {
	case len(d.Y) > 0 && d.Classes == nil:
		return d.histogram(), true
	case d.Classes == nil:
		return viz.Figure{}, false
	}
	if x, err := points.As[points.Rows](d.X); err == nil {
		if a, b := d.separatingPair(x); b >= 0 && len(d.Classes) <= drawnClasses {
			return d.scatter(x, a, b), true
		}
	}
	n := d.Counts()
	points := make([]float64, len(n))
	for k := range n {
		points[k] = float64(n[k])
	}
	title := fmt.Sprintf("%s has %d classes of %d to %d points", d.Name, len(n), slices.Min(n), slices.Max(n))
	if len(n) == 2 {
		title = fmt.Sprintf("%s has %d points of one class and %d of the other", d.Name, n[0], n[1])
	}
	return viz.Bars(title, "Points of each class.", d.Classes,
		viz.Bar{Name: "points", Values: points}).WithAxes("class", "points"), true
}

// separatingPair returns the indices of the two features whose class means differ most, measured by their range divided
// by the standard deviation. It considers only features with more than two values. The lower index is first. b is −1 if
// there are fewer than two such features. a is −1 if there are none.
func (d *Dataset) separatingPair(x points.Rows) (a, b int) {
	a, b = -1, -1
	var da, db float64
	for j := range x.D {
		n, sum := make([]float64, len(d.Classes)), make([]float64, len(d.Classes))
		var square float64
		values := map[float64]bool{}
		for i := range x.N {
			v, c := x.Row(i)[j], d.Class(i)
			n[c]++
			sum[c] += v
			square += v * v
			if len(values) <= 2 {
				values[v] = true
			}
		}
		if len(values) <= 2 {
			continue
		}
		mean, lo, hi := 0.0, math.Inf(1), math.Inf(-1)
		for c, s := range sum {
			if mean += s / float64(x.N); n[c] > 0 {
				lo, hi = math.Min(lo, s/n[c]), math.Max(hi, s/n[c])
			}
		}
		far := (hi - lo) / math.Sqrt(math.Max(square/float64(x.N)-mean*mean, math.SmallestNonzeroFloat64))
		switch {
		case a < 0 || far > da:
			a, b, da, db = j, a, far, da
		case b < 0 || far > db:
			b, db = j, far
		}
	}
	if b >= 0 && a > b {
		a, b = b, a
	}
	return a, b
}

// scatter returns a scatter plot of d over features a and b.
func (d *Dataset) scatter(x points.Rows, a, b int) viz.Figure {
	p := make([]viz.Points, len(d.Classes))
	every := (x.N + scatterPoints - 1) / scatterPoints
	for i := 0; i < x.N; i += max(every, 1) {
		row, c := x.Row(i), d.Class(i)
		p[c].X, p[c].Y = append(p[c].X, row[a]), append(p[c].Y, row[b])
	}
	caption := fmt.Sprintf("%s, %d points", d.Name, x.N)
	if every > 1 {
		caption += fmt.Sprintf(", every %d of which is drawn", every)
	}
	if x.D > 2 {
		caption += fmt.Sprintf("; of %d features the two whose class means are farthest apart", x.D)
	}
	var lines []viz.Line
	for c, name := range d.Classes {
		if p[c].Len() > 0 {
			if len(d.Classes) == 2 {
				name = fmt.Sprintf("%s (%s1)", name, [2]string{"−", "+"}[c])
			}
			lines = append(lines, viz.Line{Name: name, XYs: p[c]})
		}
	}
	return viz.Scatter(fmt.Sprintf("%s and %s tell the classes of %s apart in part", points.FeatureName(x, a),
		points.FeatureName(x, b), d.Name), caption+".", lines...).
		WithAxes(points.FeatureName(x, a), points.FeatureName(x, b))
}

// histogram returns a histogram of the targets of d. If these are integers in a range below histogramBars, such as
// counts, each integer has a bar.
func (d *Dataset) histogram() viz.Figure {
	lo, hi := slices.Min(d.Y), slices.Max(d.Y)
	bars, from, width := histogramBars, lo, (hi-lo)/histogramBars
	broken := func(y float64) bool { return y != math.Trunc(y) }
	if whole := hi-lo < histogramBars && !slices.ContainsFunc(d.Y, broken); whole || lo == hi {
		bars, from, width = int(hi-lo)+1, lo-0.5, 1
	}
	groups, counts := make([]string, bars), make([]float64, bars)
	for k := range groups {
		groups[k] = viz.FormatNumber(viz.Rounded(from+(float64(k)+0.5)*width, 3))
	}
	for _, y := range d.Y {
		counts[min(int((y-from)/width), bars-1)]++
	}
	target, what := cmp.Or(d.Target, "target"), "The targets"
	if d.ExtraTargets != nil {
		what = "The targets " + target
	}
	return viz.Bars(fmt.Sprintf(what+" of %s lie between %s and %s", d.Name, viz.FormatNumber(lo),
		viz.FormatNumber(hi)),
		fmt.Sprintf("Histogram of %d targets; each bar is named by its middle.", len(d.Y)),
		groups, viz.Bar{Name: "points", Values: counts}).WithAxes(target, "points")
}

// similarityFigures returns figures of each similarity of d: the matrix sorted by class or target, and its spectrum.
func (d *Dataset) similarityFigures() ([]viz.Figure, error) {
	var shown []viz.Figure
	x := points.MustAs[points.Indices](d.X)
	for _, s := range d.Similarities {
		m := mat.NewSymDense(len(x), nil)
		for i, p := range x {
			for j := i; j < len(x); j++ {
				m.SetSym(i, j, s.S[p*s.N+x[j]])
			}
		}
		caption := fmt.Sprintf("Similarities of %s.", viz.Count(len(x), "point"))
		title := fmt.Sprintf("%s between %s", s.Name, viz.Count(len(x), "point"))
		if n := d.Counts(); n != nil {
			title += ", sorted by class"
			var order []string
			for k, c := range d.Classes[:min(len(n), 12)] {
				order = append(order, fmt.Sprintf("%s (%d)", c, n[k]))
			}
			if len(n) > 12 {
				order = append(order, "…")
			}
			caption = fmt.Sprintf("Similarities of %s; from the top: %s. What tells classes apart shows as blocks.",
				viz.Count(len(x), "point"), strings.Join(order, ", "))
		} else if d.Y != nil {
			title += ", sorted by target"
			lo, hi := slices.Min(d.Y), slices.Max(d.Y)
			caption = fmt.Sprintf("Similarities of %s; from the top: the least target, %s, to the greatest, %s. "+
				"What tells targets apart shows as a band about the diagonal.", viz.Count(len(x), "point"),
				viz.FormatNumber(lo), viz.FormatNumber(hi))
		}
		large := len(x) > decomposedPoints
		if large {
			caption += fmt.Sprintf(" The spectrum of more than %d points is not computed unasked: "+
				"similarity.Decompose.", decomposedPoints)
		}
		sorted := viz.Sorted(title, caption, d.Y, []string{s.Name}, m)
		if d.Y != nil && d.Classes == nil {
			sorted = sorted.WithAxes("point, sorted by target", "point, sorted by target")
		}
		shown = append(shown, sorted)
		if large {
			continue
		}
		spectrum, err := similarity.Decompose(m)
		if err != nil {
			return nil, fmt.Errorf("data: %s: %w", s.Name, err)
		}
		shown = append(shown, spectrum.Figure(s.Name))
	}
	return shown, nil
}
