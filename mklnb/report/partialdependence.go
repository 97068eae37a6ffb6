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

// OfPartialDependence returns the report of a partial dependence: how the mean prediction changes, and its chart.
func OfPartialDependence(p *learn.PartialDependence) (r Report) {
	if p.Mean == nil {
		r.addWarnings("Stopped before any partial dependence was computed. Run it again.")
	} else {
		r.addHeadline("", describeDependence(p)+".")
		r.addFigures(dependenceChart(p))
	}
	return r
}

// describeDependence states how the mean prediction changes, for the output that changes most.
func describeDependence(p *learn.PartialDependence) string {
	lo, hi, outputName := math.Inf(1), math.Inf(-1), p.OutputNames[0]
	for j, mean := range p.Mean {
		if a, b := slices.Min(mean), slices.Max(mean); !(b-a <= hi-lo) {
			lo, hi, outputName = a, b, p.OutputNames[j]
		}
	}
	if !(hi-lo > 1e-9*max(math.Abs(lo), math.Abs(hi))) {
		return fmt.Sprintf("The mean prediction of %s does not change with %s", outputName, p.Column)
	}
	d := formatWithEqualDecimals(lo, hi)
	if p.Values != nil && len(p.OutputNames) == 1 {
		mean := p.Mean[0]
		switch {
		case slices.IsSorted(mean):
			return fmt.Sprintf("The mean prediction of %s rises with %s, from %s to %s", outputName, p.Column, d[0],
				d[1])
		case slices.IsSortedFunc(mean, func(a, b float64) int { return cmp.Compare(b, a) }):
			return fmt.Sprintf("The mean prediction of %s falls with %s, from %s to %s", outputName, p.Column, d[1],
				d[0])
		}
		at := floats.MaxIdx(mean)
		value := fmt.Sprintf("%.3g", p.Values[at])
		if p.Dates != nil {
			value = p.Dates[at]
		}
		return fmt.Sprintf("The mean prediction of %s is between %s and %s, and is largest at %s = %s", outputName,
			d[0], d[1], p.Column, value)
	}
	return fmt.Sprintf("Depending on %s, the mean prediction of %s is between %s and %s", p.Column, outputName, d[0],
		d[1])
}

// dependenceChart returns a chart of the mean prediction: curves for a numeric column, dots for a nominal
// one. Dates are fractions of a year.
func dependenceChart(p *learn.PartialDependence) viz.Figure {
	title := fmt.Sprintf("Partial dependence of %s on %s", p.Data, p.Column)
	caption := fmt.Sprintf("%s: mean prediction for %d points, by %s.", p.Data, p.Points, p.Column)
	details := fmt.Sprintf("%s is set to each value shown; all other columns are unchanged. This describes the model, "+
		"not the effect of a change.", p.Column)
	label := "mean prediction"
	if len(p.OutputNames) == 1 && p.OutputNames[0] != "prediction" {
		label = "mean of " + p.OutputNames[0]
	}
	if p.Levels != nil {
		var dots []viz.Bar
		for k, name := range p.OutputNames {
			dots = append(dots, viz.Bar{Name: name, Values: p.Mean[k]})
		}
		return viz.Dots(title, caption, p.Levels, dots...).WithAxes(p.Column, label).WithDetails(details)
	}
	values, column := p.Values, p.Column
	if p.Dates != nil {
		const daysPerYear = 365.2425
		values, column = make([]float64, len(p.Values)), column+", year"
		for i, days := range p.Values {
			values[i] = 1970 + days/daysPerYear
		}
	}
	var lines []viz.Line
	for k, name := range p.OutputNames {
		lines = append(lines, viz.Line{Name: name, XYs: viz.Points{X: values, Y: p.Mean[k]}})
	}
	return viz.Lines(title, caption, lines...).WithAxes(column, label).WithDetails(details)
}
