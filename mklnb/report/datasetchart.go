package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/viz"
)

// histogramBars is the number of bars in a histogram of real targets.
const histogramBars = 20

// datasetChart returns the chart of the class sizes of d, or the histogram of its real targets. It returns false if
// d has neither.
func datasetChart(d *data.Dataset, classCounts []int) (viz.Figure, bool) {
	switch {
	case len(d.Y) == 0:
		return viz.Figure{}, false
	case d.Classes == nil:
		return histogram(d), true
	}
	classSizes := make([]float64, len(classCounts))
	for k, count := range classCounts {
		classSizes[k] = float64(count)
	}
	f := viz.Bars("Classes of "+d.Name, "Points of each class.", d.Classes, viz.Bar{Name: "points", Values: classSizes})
	f.Horizontal = true // a few classes need little height
	return f.WithAxes("class", "points"), true
}

// histogram returns a histogram of the targets of d. If these are integers in a range below histogramBars, such as
// counts, each integer has a bar.
func histogram(d *data.Dataset) viz.Figure {
	lo, hi := slices.Min(d.Y), slices.Max(d.Y)
	barCount, firstEdge, barWidth := histogramBars, lo, (hi-lo)/histogramBars
	isFraction := func(y float64) bool { return y != math.Trunc(y) }
	if areWhole := !slices.ContainsFunc(d.Y, isFraction); areWhole && hi-lo < histogramBars || lo == hi {
		barCount, firstEdge, barWidth = int(hi-lo)+1, lo-0.5, 1
	}
	groups, counts := make([]string, barCount), make([]float64, barCount)
	for k := range groups {
		groups[k] = viz.FormatNumber(viz.RoundSignificant(firstEdge+(float64(k)+0.5)*barWidth, 3))
	}
	for _, y := range d.Y {
		counts[min(int((y-firstEdge)/barWidth), barCount-1)]++
	}
	target := cmp.Or(d.Target, "target")
	return viz.Bars(fmt.Sprintf("Distribution of %s of %s", target, d.Name),
		fmt.Sprintf("Histogram of %d targets; each bar is labeled with its middle.", len(d.Y)), groups,
		viz.Bar{Name: "points", Values: counts}).WithAxes(target, "points")
}
