package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/viz"
)

// These constants limit the rows and columns in the table of a dataset.
const (
	headRows    = 5
	headColumns = 8
)

// OfDataset returns the report of d: its size and classes or targets, doubts about the data, and a chart of the
// class sizes or the targets. Its first rows and its source are folded. It is an error if d is not valid.
func OfDataset(d *data.Dataset) (r Report, err error) {
	if err := d.Validate(); err != nil {
		return nil, err
	}
	r.addHeadline(cmp.Or(d.Title, d.Name), describeSize(d))
	counts := d.ClassCounts()
	r.addText("Target", describeTarget(d, counts))
	r.addWarnings(d.Doubts...)
	if figure, ok := datasetChart(d, counts); ok {
		r.addFigures(figure)
	}
	if figure, ok := firstRowsTable(d); ok {
		r.addFolded("First rows", Report{{Figure: &figure}})
	}
	r.addFolded("Source", sourceReport(d))
	return r, nil
}

// describeSize returns the number of points and features of d, or the number and the lengths of sequences, in words.
func describeSize(d *data.Dataset) string {
	if x, err := points.As[points.Sequences](d.X); err == nil {
		shortest, median, longest := x.Lengths()
		return fmt.Sprintf("%s of %d to %d letters, median length %d", viz.FormatCount(len(x), "sequence"), shortest,
			longest, median)
	}
	text := viz.FormatCount(d.Len(), "point")
	if dim := d.Dim(); dim > 0 {
		text += ", " + viz.FormatCount(dim, "feature")
	}
	return text
}

// describeTarget returns a sentence on the classes of d and their sizes, or on the range of the real targets. It
// returns "" if d has neither.
func describeTarget(d *data.Dataset, classCounts []int) string {
	if len(d.Y) == 0 {
		return ""
	}
	name := cmp.Or(d.Target, "the label")
	switch {
	case len(classCounts) == 2:
		return fmt.Sprintf("%s, two classes: %s (%d points, −1) and %s (%d points, +1).", name,
			d.Classes[0], classCounts[0], d.Classes[1], classCounts[1])
	case classCounts != nil:
		parts := make([]string, len(classCounts))
		for k := range classCounts {
			parts[k] = fmt.Sprintf("%s (%d points)", d.Classes[k], classCounts[k])
		}
		return fmt.Sprintf("%s, %d classes: %s.", name, len(classCounts), joinNames(parts))
	}
	text := fmt.Sprintf("%s, numbers %s", name, rangeText(d.Y))
	if d.ExtraTargets != nil {
		parts := []string{cmp.Or(d.Target, "target 1") + " " + rangeText(d.Y)}
		for _, t := range d.ExtraTargets {
			parts = append(parts, t.Name+" "+rangeText(t.Y))
		}
		text = fmt.Sprintf("%d numbers: %s", len(parts), strings.Join(parts, "; "))
	}
	if d.LogTargets {
		text += "; Learn fits their logarithms"
	}
	return text + "."
}

func rangeText(y []float64) string {
	return fmt.Sprintf("from %s to %s", viz.FormatNumber(slices.Min(y)), viz.FormatNumber(slices.Max(y)))
}

// sourceReport returns the names, the source, the license and the SHA-256 of d, as recorded when the data were read.
func sourceReport(d *data.Dataset) (r Report) {
	r.addText("Name", d.Name)
	for _, s := range d.Similarities {
		r.addText("Similarity", s.Name)
	}
	r.addText("Source", d.Source)
	r.addText("License", d.License)
	if d.Preparation != "" {
		r.addText("Preparation", d.Preparation+".")
	}
	r.addText("SHA-256 of the file", d.SHA256)
	r.addText("Note", d.Note)
	return r
}

// firstRowsTable returns a table of the first rows of d with the columns of its file. It returns false if the points
// have no features.
func firstRowsTable(d *data.Dataset) (viz.Figure, bool) {
	allColumns := d.FileColumns()
	if len(allColumns) == 0 {
		return viz.Figure{}, false
	}
	shownColumns := allColumns[:min(len(allColumns), headColumns)]
	header := []string{"row"}
	for _, c := range shownColumns {
		header = append(header, c.Name)
	}
	caption := "Values as read, before any scaling."
	if d.Encoding != nil && d.Encoding.Options.Missing == data.Fill {
		caption = "Values before any scaling; a missing number has its filled value."
	}
	if len(shownColumns) < len(allColumns) {
		header = append(header, "…")
		caption += fmt.Sprintf(" The first %d of %d columns.", len(shownColumns), len(allColumns))
	}
	header = append(header, targetNames(d)...)
	var rows [][]any
	for i := range min(d.Len(), headRows) {
		row := []any{i + 1}
		x := make([]float64, d.Dim())
		d.X.StoreFeatures(x, i)
		for _, c := range shownColumns {
			row = append(row, valueInFile(c, x))
		}
		if len(shownColumns) < len(allColumns) {
			row = append(row, "…")
		}
		rows = append(rows, append(row, targetCells(d, i)...))
	}
	return viz.Table(fmt.Sprintf("The first %s", viz.FormatCount(min(d.Len(), headRows), "row")), caption, header,
		rows...), true
}

// valueInFile returns the value of column c for the features x: a number, or the level whose feature is not 0.
func valueInFile(c data.FileColumn, x []float64) any {
	if c.DateLayout != "" {
		return c.FormatDate(x[c.Features[0]])
	}
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

// targetNames returns the column headers of the label or of the targets. It returns nil if d has neither.
func targetNames(d *data.Dataset) []string {
	if d.ExtraTargets == nil && len(d.Y) > 0 {
		return []string{cmp.Or(d.Target, "label")}
	}
	return d.Targets()
}

func targetCells(d *data.Dataset, i int) (row []any) {
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
