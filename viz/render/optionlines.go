package render

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/go-echarts/go-echarts/v2/opts"
	"gonum.org/v1/plot/plotter"

	"github.com/mklnb/mkl/viz"
)

var dashes = []string{"solid", "dashed", "dotted"}

// symbols are the ECharts shapes of points, in the same order as glyphs, the shapes in the static picture. They are
// paths because rect and triangle of ECharts change their proportions in the legend.
var symbols = []string{
	"circle", "path://M-4-4H4V4H-4Z", "path://M-5 4H5L0-5Z", "diamond",
	"path://M-5-1.6H-1.6V-5H1.6V-1.6H5V1.6H1.6V5H-1.6V1.6H-5Z",
	"path://M0-2.4L2.6-5L5-2.6L2.4 0L5 2.6L2.6 5L0 2.4L-2.6 5L-5 2.6L-2.4 0L-5-2.6L-2.6-5Z",
}

// hoverColumns is the part of a series option for rows of three entries: x, y, and the text that is shown when the
// pointer is over the point.
var hoverColumns = object{"encode": object{"x": 0, "y": 1, "tooltip": 2},
	"dimensions": describeColumns("x", "number", "y", "number", "shown", "ordinal")}

// describeColumns returns the description of the columns of the data of a series. namesAndTypes holds the name and the
// ECharts type of each column in turn.
func describeColumns(namesAndTypes ...string) (all []object) {
	for i := 0; i < len(namesAndTypes); i += 2 {
		all = append(all, object{"name": namesAndTypes[i], "type": namesAndTypes[i+1]})
	}
	return all
}

// addPaths adds several lines that do not react to the mouse, on the axes with the indices xAxis and yAxis. For
// ECharts they are one line with gaps.
func (o *option) addPaths(name string, lines []plotter.XYs, xAxis, yAxis int, color string, width float32, layer int,
	extraOptions ...object) {
	rows := []any{}
	for _, line := range lines {
		for _, q := range line {
			rows = append(rows, [2]json.Number{roundToSixDigits(q.X), roundToSixDigits(q.Y)})
		}
		rows = append(rows, nil)
	}
	o.addSeries("line", name, xAxis, yAxis, rows, append(extraOptions, silent, noSymbol, layerOption(layer),
		object{"lineStyle": opts.LineStyle{Color: color, Width: width}})...)
}

func (o *option) addLines(panelIndex int, f viz.Figure) {
	o.xAxes = append(o.xAxes, newValueAxis(panelIndex, o.x, o.xTicks, true))
	o.yAxes = append(o.yAxes, newValueAxis(panelIndex, o.y, o.yTicks, true))
	// A tooltip of all series at one x needs points in the order of x.
	if slices.ContainsFunc(f.Series, func(s viz.Series) bool { return !slices.IsSorted(s.X) }) {
		o.tooltipTrigger = "item"
	}
	for _, b := range f.Baselines {
		o.addBaseline(b, panelIndex, panelIndex, layerOption(2))
	}
	for _, s := range f.Series {
		o.addPoints(f, s, panelIndex)
	}
	for _, s := range f.Series { // after the lines: of a line and a band with its name, the legend shows the first
		if len(s.Lo) > 0 && s.Mark != viz.MarkPoints {
			o.addBand(panelIndex, s)
		}
	}
}

// addBaseline adds a dashed line across a panel, whose axes have the indices xAxis and yAxis.
func (o *option) addBaseline(b viz.Baseline, xAxis, yAxis int, extraOptions ...object) {
	var rows [2][]any
	for k, q := range o.baselinePoints(b.Value) {
		rows[k] = []any{q.X, q.Y, viz.FormatNumber(b.Value)}
	}
	line := opts.LineStyle{Color: string(viz.Quiet), Width: 1.4, Type: dashes[1]}
	o.addSeries("line", b.Name, xAxis, yAxis, rows, append(extraOptions, noSymbol, hoverColumns, fillStyle(viz.Quiet),
		object{"lineStyle": line})...)
}

// addPoints adds a series of lines or points on the x axis and the y axis with the index axisIndex. A value ≤ 0 on a
// logarithmic axis is drawn as a triangle.
func (o *option) addPoints(f viz.Figure, s viz.Series, axisIndex int) {
	style := o.styles[s.Name]
	rows := make([]any, len(s.X))
	valueTexts := shownTexts(f, s.Y)
	var nonPositiveRows []any
	for k := range s.X {
		text := s.ValueText(k)
		if o.tooltipTrigger == "item" {
			text = fmt.Sprintf("(%s, %s)", viz.FormatNumber(s.X[k]), text)
		}
		rows[k] = []any{roundToSixDigits(s.X[k]), roundToSixDigits(o.y.raiseNonPositive(s.Y[k])), text}
		if o.y.isNonPositiveOnLog(s.Y[k]) {
			nonPositiveRows = append(nonPositiveRows, rows[k])
			rows[k] = object{"value": rows[k], "symbol": "none"}
		} else if s.Mark == viz.MarkBoth {
			rows[k] = withValue(rows[k], valueTexts, k)
		}
	}
	markStyle := object{"symbol": symbols[style.Glyph%len(symbols)], "symbolSize": 7}
	if s.Mark == viz.MarkPoints {
		rimStyle := opts.ItemStyle{Color: string(style.Color), Opacity: opts.Float(1), BorderColor: "#ffffff",
			BorderWidth: 0.6}
		o.addSeries("scatter", s.Name, axisIndex, axisIndex, rows, markStyle, hoverColumns, layerOption(4),
			object{"itemStyle": rimStyle})
		if len(s.Lo) > 0 {
			o.addErrorBars(s, s.X, 0, axisIndex, axisIndex, style.Color)
		}
		return
	}
	markStyle["showSymbol"] = s.Mark == viz.MarkBoth || len(s.X) == 1
	line := object{"lineStyle": opts.LineStyle{Color: string(style.Color), Width: 2, Type: dashes[style.DashPattern]}}
	o.addSeries("line", s.Name, axisIndex, axisIndex, rows, markStyle, hoverColumns, fillStyle(style.Color),
		layerOption(4), line)
	if len(nonPositiveRows) > 0 {
		nonPositiveMark := object{"symbol": "path://M-4-4H4L0 4Z", "symbolSize": 8}
		o.addSeries("scatter", s.Name, axisIndex, axisIndex, nonPositiveRows, nonPositiveMark, hoverColumns,
			fillStyle(style.Color), layerOption(5), silent)
	}
}

// shownTexts returns values as texts if f shows its values, otherwise nil.
func shownTexts(f viz.Figure, values []float64) []string {
	if !f.ShowsValues {
		return nil
	}
	return viz.FormatNumbers(values)
}

// withValue returns row k of data with text k above it, or the row if texts is nil.
func withValue(row any, texts []string, k int) any {
	if texts == nil {
		return row
	}
	return object{"value": row, "label": object{"show": true, "position": "top", "distance": 3,
		"formatter": texts[k], "color": viz.Ink, "fontSize": wholePixels(tickSize),
		"lineHeight": wholePixels(tickSize), "backgroundColor": "#ffffff"}}
}

// addErrorBars adds the error bars of s. Their positions are on the axis of the groups for bars and dots, on the x axis
// otherwise. A cap extends by halfCap, in units of this axis, to both sides of its error bar. If halfCap is 0, the
// error bars have no caps. xAxis and yAxis are indices of axes.
func (o *option) addErrorBars(s viz.Series, positions []float64, halfCap float64, xAxis, yAxis int, color viz.Color) {
	var lines []plotter.XYs
	addSegment := func(position0, y0, position1, y1 float64) {
		lines = append(lines, plotter.XYs{o.point(position0, y0), o.point(position1, y1)})
	}
	for i, a := range positions {
		lo, hi := o.y.raiseNonPositive(s.Lo[i]), o.y.raiseNonPositive(s.Hi[i])
		addSegment(a, lo, a, hi)
		if halfCap > 0 {
			addSegment(a-halfCap, lo, a+halfCap, lo)
			addSegment(a-halfCap, hi, a+halfCap, hi)
		}
	}
	o.addPaths(s.Name, lines, xAxis, yAxis, string(color), 1.2, 5)
}

// addBand adds the band of s to panel panelIndex as two stacked lines: the lower end, and the width of the band, whose
// area is filled. Both have the name of s, so that the legend hides them together with s. ECharts stacks the first
// numerical dimension, so y precedes x.
func (o *option) addBand(panelIndex int, s viz.Series) {
	lowerRows, widthRows := make([][2]json.Number, len(s.X)), make([][2]json.Number, len(s.X))
	for k, x := range s.X {
		a, b := math.Max(o.y.raiseNonPositive(s.Lo[k]), o.y.min), math.Min(o.y.raiseNonPositive(s.Hi[k]), o.y.max)
		lowerRows[k] = [2]json.Number{roundToSixDigits(a), roundToSixDigits(x)}
		widthRows[k] = [2]json.Number{roundToSixDigits(math.Max(b-a, 0)), roundToSixDigits(x)}
	}
	color := o.styles[s.Name].Color
	stackOption := object{"stack": fmt.Sprintf("band %d %s", panelIndex, s.Name), "stackStrategy": "all",
		"lineStyle":  opts.LineStyle{Opacity: opts.Float(0)},
		"dimensions": describeColumns("y", "number", "x", "number"), "encode": object{"x": 1, "y": 0}}
	for k, rows := range [][][2]json.Number{lowerRows, widthRows} {
		areaOption := object{"areaStyle": opts.AreaStyle{Color: string(color),
			Opacity: opts.Float([]float32{0, bandAlpha}[k])}}
		o.addSeries("line", s.Name, panelIndex, panelIndex, rows, silent, noSymbol, layerOption(1), stackOption,
			fillStyle(color), areaOption)
	}
}
