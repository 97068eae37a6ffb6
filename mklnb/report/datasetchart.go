package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/viz"
)

// These constants limit the points, bars and classes in the chart of a dataset.
const (
	scatterPoints = 600
	histogramBars = 20
	drawnClasses  = 6
)

// datasetChart returns a chart of d. For classes, it shows the two features with more than two values whose class means
// are farthest apart, in standard deviations. If there are no such features or too many classes, it shows the class
// sizes. For real targets, it shows their histogram. Otherwise it returns false.
func datasetChart(d *data.Dataset) (viz.Figure, bool) {
	switch {
	case len(d.Y) > 0 && d.Classes == nil:
		return histogram(d), true
	case d.Classes == nil:
		return viz.Figure{}, false
	}
	if x, err := points.As[points.Rows](d.X); err == nil {
		if a, b := mostSeparatingFeatures(d, x); b >= 0 && len(d.Classes) <= drawnClasses {
			return scatter(d, x, a, b), true
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

// mostSeparatingFeatures returns the indices a < b of the two features whose class means differ most. The measure is
// the range of the class means, divided by the standard deviation of the feature over all points. Only features with
// more than two values are considered. If there is one such feature, b is −1. If there is none, both are −1.
func mostSeparatingFeatures(d *data.Dataset, x points.Rows) (a, b int) {
	a, b = -1, -1
	var largest, second float64
	for j := range x.D {
		n, sums := make([]float64, len(d.Classes)), make([]float64, len(d.Classes))
		var sumOfSquares float64
		values := map[float64]bool{}
		for i := range x.N {
			v, c := x.Row(i)[j], d.Class(i)
			n[c]++
			sums[c] += v
			sumOfSquares += v * v
			if len(values) <= 2 {
				values[v] = true
			}
		}
		if len(values) <= 2 {
			continue
		}
		mean, lo, hi := 0.0, math.Inf(1), math.Inf(-1)
		for c, s := range sums {
			if mean += s / float64(x.N); n[c] > 0 {
				lo, hi = math.Min(lo, s/n[c]), math.Max(hi, s/n[c])
			}
		}
		distance := (hi - lo) / math.Sqrt(math.Max(sumOfSquares/float64(x.N)-mean*mean, math.SmallestNonzeroFloat64))
		switch {
		case a < 0 || distance > largest:
			a, b, largest, second = j, a, distance, largest
		case b < 0 || distance > second:
			b, second = j, distance
		}
	}
	if b >= 0 && a > b {
		a, b = b, a
	}
	return a, b
}

// scatter returns a scatter plot of d over features a and b. It draws at most scatterPoints points: if there are more,
// every second, third, … of them.
func scatter(d *data.Dataset, x points.Rows, a, b int) viz.Figure {
	p := make([]viz.Points, len(d.Classes))
	stride := (x.N + scatterPoints - 1) / scatterPoints
	for i := 0; i < x.N; i += max(stride, 1) {
		row, c := x.Row(i), d.Class(i)
		p[c].X, p[c].Y = append(p[c].X, row[a]), append(p[c].Y, row[b])
	}
	caption := fmt.Sprintf("%s, %d points", d.Name, x.N)
	if stride > 1 {
		caption += fmt.Sprintf("; one in %d is drawn", stride)
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
			lines = append(lines, viz.Line{Name: name, XYs: p[c], Mark: viz.MarkPoints})
		}
	}
	return viz.Lines(fmt.Sprintf("%s and %s separate the classes of %s in part", points.FeatureName(x, a),
		points.FeatureName(x, b), d.Name), caption+".", lines...).
		WithAxes(points.FeatureName(x, a), points.FeatureName(x, b))
}

// histogram returns a histogram of the targets of d. If these are integers in a range below histogramBars, such as
// counts, each integer has a bar.
func histogram(d *data.Dataset) viz.Figure {
	lo, hi := slices.Min(d.Y), slices.Max(d.Y)
	bars, firstEdge, width := histogramBars, lo, (hi-lo)/histogramBars
	isFraction := func(y float64) bool { return y != math.Trunc(y) }
	if whole := hi-lo < histogramBars && !slices.ContainsFunc(d.Y, isFraction); whole || lo == hi {
		bars, firstEdge, width = int(hi-lo)+1, lo-0.5, 1
	}
	groups, counts := make([]string, bars), make([]float64, bars)
	for k := range groups {
		groups[k] = viz.FormatNumber(viz.Rounded(firstEdge+(float64(k)+0.5)*width, 3))
	}
	for _, y := range d.Y {
		counts[min(int((y-firstEdge)/width), bars-1)]++
	}
	target, subject := cmp.Or(d.Target, "target"), "The targets"
	if d.ExtraTargets != nil {
		subject = "The targets " + target
	}
	return viz.Bars(fmt.Sprintf("%s of %s lie between %s and %s", subject, d.Name, viz.FormatNumber(lo),
		viz.FormatNumber(hi)),
		fmt.Sprintf("Histogram of %d targets; each bar is labeled with its middle.", len(d.Y)),
		groups, viz.Bar{Name: "points", Values: counts}).WithAxes(target, "points")
}
