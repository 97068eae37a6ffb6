package render

import (
	"fmt"
	"maps"
	"math"

	"gonum.org/v1/plot/plotter"

	"github.com/mklnb/mkl/viz"
)

var dashes = []any{"solid", []int{5, 3}, []int{2, 3}}

// symbols are the shapes of points, as glyphs has them.
var symbols = []string{
	"circle", "path://M-4-4H4V4H-4Z", "path://M-5 4H5L0-5Z", "diamond",
	"path://M-5-1.6H-1.6V-5H1.6V-1.6H5V1.6H1.6V5H-1.6V1.6H-5Z",
	"path://M0-2.4L2.6-5L5-2.6L2.4 0L5 2.6L2.6 5L0 2.4L-2.6 5L-5 2.6L-2.4 0L-5-2.6L-2.6-5Z",
}

// addSeries adds a series of this type on the axes x and y, whose points are rows of coordinates and of
// the text that hovering shows.
func (o *option) addSeries(kind, name string, x, y int, data any, more object) {
	s := object{
		"type": kind, "name": name, "xAxisIndex": x, "yAxisIndex": y, "data": data, "emphasis": object{"disabled": true},
		"dimensions": []object{{"name": "x", "type": "number"}, {"name": "y", "type": "number"}, {"name": "shown", "type": "ordinal"}},
		"encode":     object{"x": 0, "y": 1, "tooltip": []int{2}},
	}
	maps.Copy(s, more)
	o.series = append(o.series, s)
}

// addPaths adds lines that do not react to the mouse.
func (o *option) addPaths(name string, lines []plotter.XYs, x, y int, colour string, width float64, z int) {
	data := make([]object, len(lines))
	for k, line := range lines {
		coords := make([][2]float64, len(line))
		for j, q := range line {
			coords[j] = [2]float64{rounded(q.X), rounded(q.Y)}
		}
		data[k] = object{"coords": coords}
	}
	o.series = append(o.series, object{"name": name, "type": "lines", "coordinateSystem": "cartesian2d", "polyline": true, "xAxisIndex": x, "yAxisIndex": y,
		"silent": true, "z": z, "lineStyle": object{"color": colour, "width": width, "opacity": 1}, "data": data, "tooltip": object{"show": false}})
}

// addLines adds the curves or classes of panel i.
func (o *option) addLines(i int, f viz.Figure) {
	o.xAxes = append(o.xAxes, valueAxis(i, o.x, o.xTicks, true))
	o.yAxes = append(o.yAxes, valueAxis(i, o.y, o.yTicks, true))
	if f.Kind == viz.KindScatter {
		o.trigger = "item"
	}
	for _, b := range f.Baselines {
		ends := [2][2]float64{{o.x.min, b.Value}, {o.x.max, b.Value}}
		if b.Vertical {
			ends = [2][2]float64{{b.Value, o.y.min}, {b.Value, o.y.max}}
		}
		o.addBaseline(b, ends, i, i, object{})
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
func (o *option) addBaseline(b viz.Baseline, ends [2][2]float64, x, y int, more object) {
	var data [2][]any
	for k, e := range ends {
		data[k] = []any{e[0], e[1], viz.FormatNumber(b.Value)}
	}
	style := object{"showSymbol": false, "symbol": "none", "z": 2, "itemStyle": object{"color": viz.Quiet},
		"lineStyle": object{"color": viz.Quiet, "width": 1.4, "type": dashes[1]}}
	maps.Copy(style, more)
	o.addSeries("line", b.Name, x, y, data, style)
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
	data := make([]any, len(s.X))
	var below []any
	for k := range s.X {
		text := shown(s, k)
		if o.trigger == "item" {
			text = fmt.Sprintf("(%s, %s)", viz.FormatNumber(s.X[k]), text)
		}
		data[k] = []any{rounded(s.X[k]), rounded(o.y.at(s.Y[k])), text}
		if o.y.below(s.Y[k]) {
			below = append(below, data[k])
			data[k] = object{"value": data[k], "symbol": "none"}
		}
	}
	more := object{"z": 4, "symbol": symbols[style.Glyph%len(symbols)], "symbolSize": 7, "clip": true, "color": style.Colour, "itemStyle": object{"color": style.Colour}}
	if pointsOnly(f, s) {
		more["itemStyle"] = object{"color": style.Colour, "opacity": 1, "borderColor": "#ffffff", "borderWidth": 0.6}
		o.addSeries("scatter", s.Name, x, y, data, more)
		if len(s.Lo) > 0 {
			o.addErrorBars(s, s.X, 0, x, y, string(style.Colour))
		}
		return
	}
	more["showSymbol"] = s.Mark == viz.MarkBoth || len(s.X) == 1
	more["lineStyle"] = object{"color": style.Colour, "width": 2, "type": dashes[style.Dash]}
	if s.Mark == viz.MarkStep {
		more["step"] = "end"
	}
	o.addSeries("line", s.Name, x, y, data, more)
	if len(below) > 0 {
		o.addSeries("scatter", s.Name, x, y, below, object{"z": 5, "symbol": "path://M-4-4H4L0 4Z", "symbolSize": 8, "silent": true,
			"tooltip": object{"show": false}, "itemStyle": object{"color": style.Colour, "opacity": 1}})
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
	lo, width := make([][2]float64, len(s.X)), make([][2]float64, len(s.X))
	for k, x := range s.X {
		a, b := math.Max(o.y.at(s.Lo[k]), o.y.min), math.Min(o.y.at(s.Hi[k]), o.y.max)
		lo[k] = [2]float64{a, rounded(x)}
		width[k] = [2]float64{math.Max(b-a, 0), rounded(x)}
	}
	colour := o.styles[s.Name].Colour
	more := func(opacity float64) object {
		return object{"encode": object{"x": 1, "y": 0}, "dimensions": []string{"y", "x"},
			"stack": fmt.Sprintf("band %d %s", i, s.Name), "stackStrategy": "all",
			"symbol": "none", "showSymbol": false, "silent": true, "z": 1, "lineStyle": object{"opacity": 0}, "tooltip": object{"show": false},
			"itemStyle": object{"color": colour}, "areaStyle": object{"color": colour, "opacity": opacity}}
	}
	o.addSeries("line", s.Name, i, i, lo, more(0))
	o.addSeries("line", s.Name, i, i, width, more(bandAlpha))
}
