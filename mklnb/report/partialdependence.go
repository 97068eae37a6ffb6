package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/learn"
	"github.com/mklnb/mkl/viz"

	"gonum.org/v1/gonum/floats"
)

// PartialDependence returns the report of a partial dependence: a chart of the mean prediction.
func PartialDependence(p *learn.PartialDependence) (r Report) {
	if p.Mean == nil {
		r.addWarnings(dependenceFinding(p) + ".")
	} else {
		r.addFigures(dependenceChart(p)) // its title is the finding
	}
	return r
}

// dependenceFinding states how the mean prediction changes, for the output that changes most.
func dependenceFinding(p *learn.PartialDependence) string {
	if p.Mean == nil {
		return "Stopped: nothing was finished"
	}
	names := axisNames(p)
	lo, hi, output := math.Inf(1), math.Inf(-1), p.Outputs[0]
	for j, mean := range p.Mean {
		if a, b := slices.Min(mean), slices.Max(mean); !(b-a <= hi-lo) {
			lo, hi, output = a, b, p.Outputs[j]
		}
	}
	if !(hi-lo > 1e-9*max(math.Abs(lo), math.Abs(hi))) {
		return fmt.Sprintf("The mean %s does not change with %s", output, names)
	}
	d := viz.Digits(lo, hi)
	if a := p.Axes[0]; len(p.Axes) == 1 && a.Values != nil && len(p.Outputs) == 1 {
		mean := p.Mean[0]
		switch {
		case slices.IsSorted(mean):
			return fmt.Sprintf("The mean %s rises with %s, from %s to %s", output, names, d[0], d[1])
		case slices.IsSortedFunc(mean, func(a, b float64) int { return cmp.Compare(b, a) }):
			return fmt.Sprintf("The mean %s falls with %s, from %s to %s", output, names, d[1], d[0])
		}
		at := a.Values[floats.MaxIdx(mean)]
		return fmt.Sprintf("The mean %s is between %s and %s, and largest at %s = %.3g", output, d[0], d[1], names, at)
	}
	return fmt.Sprintf("The mean %s changes with %s between %s and %s", output, names, d[0], d[1])
}

// axisNames returns the names of the one or two columns of p.
func axisNames(p *learn.PartialDependence) string {
	names := p.Axes[0].Column
	if len(p.Axes) > 1 {
		names += " and " + p.Axes[1].Column
	}
	return names
}

// dependenceChart returns a chart of the mean prediction: curves for a numeric column, a heat map for two numeric
// columns, dots for nominal columns.
func dependenceChart(p *learn.PartialDependence) viz.Figure {
	title := dependenceFinding(p)
	caption := fmt.Sprintf("%s: mean of the predictions for %d points with %s set to each value shown and all other "+
		"columns unchanged.", p.Data, p.Points, axisNames(p))
	label := "mean prediction"
	if len(p.Outputs) == 1 && p.Outputs[0] != "prediction" {
		label = "mean of " + p.Outputs[0]
	}
	first := p.Axes[0]
	names, values := p.Outputs, p.Mean // the name and the values of each line or set of dots
	if len(p.Axes) == 2 {
		second := p.Axes[1]
		// Row i has the mean predictions for value i of the first column.
		rows := slices.Collect(slices.Chunk(p.Mean[0], max(len(second.Values), len(second.Levels))))
		columns := transpose(rows)
		switch {
		case first.Levels == nil && second.Levels == nil:
			return viz.Heat(title, caption, first.Values, second.Values, columns).
				WithAxes(first.Column, second.Column).WithColour(label)
		case first.Levels != nil && second.Levels == nil: // a line for each level, over the other column
			names, values, first = levelNames(first), rows, second
		default:
			names, values = levelNames(second), columns
		}
	}
	if first.Levels != nil {
		var dots []viz.Bar
		for k, name := range names {
			dots = append(dots, viz.Bar{Name: name, Values: values[k]})
		}
		return viz.Dots(title, caption, first.Levels, dots...).WithAxes(first.Column, label)
	}
	var lines []viz.Line
	for k, name := range names {
		lines = append(lines, viz.Line{Name: name, XYs: viz.Points{X: first.Values, Y: values[k]}})
	}
	return viz.Lines(title, caption, lines...).WithAxes(first.Column, label)
}

// transpose returns the columns of a matrix that is given by its rows.
func transpose(rows [][]float64) [][]float64 {
	columns := make([][]float64, len(rows[0]))
	for _, row := range rows {
		for j, v := range row {
			columns[j] = append(columns[j], v)
		}
	}
	return columns
}

// levelNames returns the levels of a nominal column, each with the column's name.
func levelNames(a learn.GridValues) (names []string) {
	for _, level := range a.Levels {
		names = append(names, a.Column+"="+level)
	}
	return names
}
