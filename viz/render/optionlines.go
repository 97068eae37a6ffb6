package render

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
	"gonum.org/v1/plot/plotter"

	"github.com/mklnb/mkl/viz"
)

var dashes = []string{"solid", "dashed", "dotted"}

// symbols are the shapes of points, as glyphs has them. Paths keep their sides in the legend, which
// ECharts' own rect and triangle do not.
var symbols = []string{
	"circle", "path://M-4-4H4V4H-4Z", "path://M-5 4H5L0-5Z", "diamond", "path://M-5-1.6H-1.6V-5H1.6V-1.6H5V1.6H1.6V5H-1.6V1.6H-5Z",
	"path://M0-2.4L2.6-5L5-2.6L2.4 0L5 2.6L2.6 5L0 2.4L-2.6 5L-5 2.6L-2.4 0L-5-2.6L-2.6-5Z",
}

// A row of what one can hover over: its coordinates, and the text that hovering shows.
var (
	columns = []dimension{{"x", "number"}, {"y", "number"}, {"shown", "ordinal"}}
	encoded = charts.WithEncodeOpts(opts.Encode{X: 0, Y: 1, Tooltip: 2})
)

// addLine adds a line on the axes x and y.
func (o *option) addLine(name string, rows any, x, y int, style opts.LineStyle, m more, options ...charts.SeriesOpts) {
	options = append(options, on(x, y, rows), charts.WithLineStyleOpts(style))
	o.add(charts.NewLine().AddSeries(name, nil, options...), m)
}

// addPaths adds lines that do not react to the mouse, as one with gaps.
func (o *option) addPaths(name string, lines []plotter.XYs, x, y int, colour string, width float32, z int, options ...charts.SeriesOpts) {
	rows := []any{}
	for _, line := range lines {
		for _, q := range line {
			rows = append(rows, [2]json.Number{rounded(q.X), rounded(q.Y)})
		}
		rows = append(rows, nil)
	}
	o.addLine(name, rows, x, y, opts.LineStyle{Color: colour, Width: width}, more{Z: z, Silent: true}, append(options, noSymbol)...)
}

var noSymbol = charts.WithLineChartOpts(opts.LineChart{Symbol: "none"})

// addLines adds the curves or classes of panel i.
func (o *option) addLines(i int, f viz.Figure) {
	o.xAxes = append(o.xAxes, valueAxis(i, o.x, o.xTicks, true))
	o.yAxes = append(o.yAxes, valueAxis(i, o.y, o.yTicks, true))
	if f.Kind == viz.KindScatter {
		o.trigger = "item"
	}
	for _, b := range f.Baselines {
		o.addBaseline(b, [2][2]any{{o.x.min, b.Value}, {o.x.max, b.Value}}, i, i, more{Z: 2})
	}
	for _, s := range f.Series {
		o.addPoints(f, s, i, i)
	}
	for _, s := range f.Series { // after the lines, which the legend shows
		if len(s.Lo) > 0 && !pointsOnly(f, s) {
			o.addBand(i, s)
		}
	}
}

// addBaseline adds a dashed line between the ends.
func (o *option) addBaseline(b viz.Baseline, ends [2][2]any, x, y int, m more) {
	m.Dimensions = columns
	var rows [2][]any
	for k, e := range ends {
		rows[k] = []any{e[0], e[1], viz.FormatNumber(b.Value)}
	}
	o.addLine(b.Name, rows, x, y, opts.LineStyle{Color: string(viz.Quiet), Width: 1.4, Type: dashes[1]}, m, noSymbol, encoded, filled(viz.Quiet))
}

// filled is the colour of points, areas and tooltips.
func filled(c viz.Colour) charts.SeriesOpts {
	return charts.WithItemStyleOpts(opts.ItemStyle{Color: string(c)})
}

// shown is what hovering over value i shows.
func shown(s viz.Series, i int) string {
	text := viz.FormatNumber(s.Y[i])
	if len(s.Lo) > 0 {
		text += fmt.Sprintf(" [%s, %s]", viz.FormatNumber(s.Lo[i]), viz.FormatNumber(s.Hi[i]))
	}
	return text
}

// addPoints adds a series of lines or points on the axes x and y.
func (o *option) addPoints(f viz.Figure, s viz.Series, x, y int) {
	style := o.styles[s.Name]
	rows := make([]any, len(s.X))
	var below []any
	for k := range s.X {
		text := shown(s, k)
		if o.trigger == "item" {
			text = fmt.Sprintf("(%s, %s)", viz.FormatNumber(s.X[k]), text)
		}
		rows[k] = []any{rounded(s.X[k]), rounded(o.y.at(s.Y[k])), text}
		if o.y.below(s.Y[k]) {
			below = append(below, rows[k])
			rows[k] = opts.LineData{Value: rows[k], Symbol: "none"}
		}
	}
	symbol, m := symbols[style.Glyph%len(symbols)], more{Z: 4, Dimensions: columns}
	if pointsOnly(f, s) {
		o.add(charts.NewScatter().AddSeries(s.Name, nil, charts.WithScatterChartOpts(opts.ScatterChart{Symbol: symbol, SymbolSize: 7}), encoded, on(x, y, rows),
			charts.WithItemStyleOpts(opts.ItemStyle{Color: string(style.Colour), Opacity: opts.Float(1), BorderColor: "#ffffff", BorderWidth: 0.6})), m)
		if len(s.Lo) > 0 {
			o.addErrorBars(s, s.X, 0, x, y, string(style.Colour))
		}
		return
	}
	line := opts.LineChart{Symbol: symbol, SymbolSize: 7, ShowSymbol: opts.Bool(s.Mark == viz.MarkBoth || len(s.X) == 1)}
	if s.Mark == viz.MarkStep {
		line.Step = "end"
	}
	o.addLine(s.Name, rows, x, y, opts.LineStyle{Color: string(style.Colour), Width: 2, Type: dashes[style.Dash]}, m, charts.WithLineChartOpts(line), encoded, filled(style.Colour))
	if len(below) > 0 {
		triangle := charts.WithScatterChartOpts(opts.ScatterChart{Symbol: "path://M-4-4H4L0 4Z", SymbolSize: 8})
		o.add(charts.NewScatter().AddSeries(s.Name, nil, triangle, encoded, filled(style.Colour), on(x, y, below)), more{Z: 5, Silent: true, Dimensions: columns})
	}
}

// addErrorBars adds error bars of s at these places along the other axis, their caps so wide on either
// side.
func (o *option) addErrorBars(s viz.Series, at []float64, caps float64, x, y int, colour string) {
	var lines []plotter.XYs
	line := func(a0, v0, a1, v1 float64) {
		l := plotter.XYs{{X: a0, Y: v0}, {X: a1, Y: v1}}
		if o.lying {
			l = plotter.XYs{{X: v0, Y: a0}, {X: v1, Y: a1}}
		}
		lines = append(lines, l)
	}
	for i, a := range at {
		lo, hi := o.y.at(s.Lo[i]), o.y.at(s.Hi[i])
		line(a, lo, a, hi)
		if caps > 0 {
			line(a-caps, lo, a+caps, lo)
			line(a-caps, hi, a+caps, hi)
		}
	}
	o.addPaths(s.Name, lines, x, y, colour, 1.2, 5)
}

// addBand adds the band of s as two lines, one stacked on the other and filled. It has the name of s,
// so that the legend hides both. ECharts stacks the first numerical dimension: y stands before x.
func (o *option) addBand(i int, s viz.Series) {
	lo, width := make([][2]json.Number, len(s.X)), make([][2]json.Number, len(s.X))
	for k, x := range s.X {
		a, b := math.Max(o.y.at(s.Lo[k]), o.y.min), math.Min(o.y.at(s.Hi[k]), o.y.max)
		lo[k] = [2]json.Number{rounded(a), rounded(x)}
		width[k] = [2]json.Number{rounded(math.Max(b-a, 0)), rounded(x)}
	}
	colour := o.styles[s.Name].Colour
	stack := charts.WithLineChartOpts(opts.LineChart{Symbol: "none", Stack: fmt.Sprintf("band %d %s", i, s.Name)})
	add := func(rows [][2]json.Number, opacity float32) {
		o.addLine(s.Name, rows, i, i, opts.LineStyle{Opacity: opts.Float(0)},
			more{Z: 1, Silent: true, StackStrategy: "all", Dimensions: []dimension{{"y", "number"}, {"x", "number"}}},
			stack, charts.WithEncodeOpts(opts.Encode{X: 1, Y: 0}), filled(colour), charts.WithAreaStyleOpts(opts.AreaStyle{Color: string(colour), Opacity: opts.Float(opacity)}))
	}
	add(lo, 0)
	add(width, bandAlpha)
}
