package render

import (
	"encoding/json"
	"fmt"
	"image/color"
	"math"
	"strconv"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/mklnb/mkl/viz"
)

// The largest numbers of rows or columns of interactive matrices and surfaces, and of each of
// several surfaces: every cell is a number in the notebook's file.
const (
	matrixShown  = 80
	surfaceShown = 48
	panelShown   = 32
)

// Option returns f as an option of ECharts 5 (JSON), for a chart as large as the picture (Size). It
// needs no function and no other script, its characters <, > and & are escaped, so that it can
// stand in a script, and every number that a reader hovers over is in it, rounded. It is nil for a
// table, which has no interactive form.
//
// The ECharts build must hold the charts line, bar, scatter, lines and heatmap: the full one does.
func Option(f viz.Figure) ([]byte, error) {
	if err := f.Validate(); err != nil {
		return nil, err
	}
	if f.Kind == viz.KindTable {
		return nil, nil
	}
	w := newWriter(true)
	d := layOut(f, w, false)
	c := d.body.(*chart)
	if static := newDrawing(f, w); static.height != d.height { // the same size, whatever the legends
		c.cell.Y += static.height - d.height
		c.height += static.height - d.height
		d.height = static.height
	}
	o := &option{drawing: d, chart: c}
	o.build()
	out, err := json.Marshal(o.all())
	if err != nil {
		return nil, fmt.Errorf("render: option of %q: %w", f.Title, err)
	}
	return out, nil
}

// object is a JSON object.
type object = map[string]any

// option collects the parts of an ECharts option.
type option struct {
	*drawing
	chart            *chart
	titles, grids    []object
	xAxes, yAxes     []object
	series, graphics []object
	legend           []object
	visual           object
	trigger, pointer string
	heats            []int // indices of the heat maps among the series
	fixedLegend      bool
}

// chartist is a chart of go-echarts.
type chartist interface {
	Validate()
	JSON() map[string]any
}

// add adds the series of a go-echarts chart, each with more that go-echarts does not know.
func (o *option) add(c chartist, more object) {
	c.Validate()
	raw, err := json.Marshal(c.JSON()["series"])
	if err != nil {
		panic(fmt.Sprintf("render: series of go-echarts: %v", err)) // numbers were validated
	}
	var list []object
	if err := json.Unmarshal(raw, &list); err != nil {
		panic(fmt.Sprintf("render: series of go-echarts: %v", err))
	}
	for _, s := range list {
		for k, v := range more {
			s[k] = v
		}
		o.series = append(o.series, s)
	}
}

// all is the whole option.
func (o *option) all() object {
	text := object{"fontFamily": "'Liberation Sans', Arial, Helvetica, sans-serif", "color": viz.Ink}
	out := object{
		"animation": false,
		"textStyle": text,
		"title":     o.titles,
		"grid":      o.grids,
		"xAxis":     o.xAxes,
		"yAxis":     o.yAxes,
		"series":    o.series,
		"graphic":   o.graphics,
		"tooltip": object{
			"trigger": o.trigger, "confine": true, "transitionDuration": 0,
			"axisPointer": object{"type": o.pointer, "animation": false},
			"textStyle":   object{"fontSize": 12},
		},
		"aria": object{"enabled": true, "label": object{"description": o.f.Alt}},
	}
	if len(o.legend) > 0 {
		top := o.header - vg.Length(len(o.drawing.legend))*entryHeight - 4*px
		out["legend"] = object{
			"data": o.legend, "left": 2, "top": pixels(top), "width": pixels(o.width - 2*margin), "itemWidth": 24, "itemHeight": 10,
			"itemGap": 12, "padding": 4, "selectedMode": !o.fixedLegend, "textStyle": object{"fontSize": 12},
		}
	}
	if o.visual != nil {
		o.visual["seriesIndex"] = o.heats
		out["visualMap"] = o.visual
	}
	return out
}

// build adds title, panels and labels.
func (o *option) build() {
	title := ""
	for i, line := range o.title {
		if i > 0 {
			title += "\n"
		}
		title += line
	}
	o.titles = append(o.titles, object{"text": title, "left": pixels(margin), "top": pixels(margin), "padding": 0,
		"textStyle": object{"color": viz.Ink, "fontSize": 15, "fontWeight": "bold", "lineHeight": 19}})
	c := o.chart
	o.trigger, o.pointer = "axis", "line"
	box := vg.Rectangle{Max: vg.Point{X: o.width, Y: o.height - o.header}}
	area := vg.Rectangle{Min: vg.Point{X: math.MaxFloat32, Y: math.MaxFloat32}}
	listed := map[string]bool{}
	for i, f := range c.panels {
		place := c.place(i, box)
		p := c.plot(f)
		data := p.DataCanvas(draw.Canvas{Rectangle: place})
		area.Min.X, area.Min.Y = min(area.Min.X, data.Min.X), min(area.Min.Y, data.Min.Y)
		area.Max.X, area.Max.Y = max(area.Max.X, data.Max.X), max(area.Max.Y, data.Max.Y)
		grid := object{"left": pixels(data.Min.X), "top": pixels(o.height - data.Max.Y),
			"width": pixels(data.Max.X - data.Min.X), "height": pixels(data.Max.Y - data.Min.Y)}
		if c.bar != nil { // seams between cells would be white
			s := c.bar.shade
			grid["show"], grid["borderWidth"], grid["backgroundColor"] = true, 0, hex(s.of(s.value(0.4)))
		}
		o.grids = append(o.grids, grid)
		if c.top > 0 {
			o.titles = append(o.titles, object{"text": f.Title, "left": pixels(data.Min.X), "top": pixels(o.height - place.Max.Y - c.top + titleGap), "padding": 0,
				"textStyle": object{"color": viz.Ink, "fontSize": 13, "fontWeight": "bold", "width": pixels(data.Max.X - data.Min.X), "overflow": "truncate"}})
		}
		o.tickLabels(p, data)
		switch f.Kind {
		case viz.KindBars:
			o.bars(i, f, p)
		case viz.KindHeat:
			o.heat(i, f, p, data)
		case viz.KindMatrix:
			o.matrix(i, f, data)
		default:
			o.lines(i, f, p)
		}
		for _, s := range f.Series {
			if !listed[s.Name] && (f.Kind != viz.KindBars || len(f.Series) > 1 || len(c.panels) > 1) {
				listed[s.Name] = true
				e := object{"name": s.Name}
				if f.Kind == viz.KindBars {
					e["icon"] = "rect"
				}
				o.legend = append(o.legend, e)
			}
		}
		for _, b := range f.Baselines {
			if !listed[b.Name] {
				listed[b.Name] = true
				o.legend = append(o.legend, object{"name": b.Name, "icon": "path://M0-1H6V1H0ZM9-1H15V1H9ZM18-1H24V1H18Z", "itemStyle": object{"color": viz.Quiet}})
			}
		}
		if f.Cells != nil {
			for _, r := range f.Cells.Regions {
				if !listed[r.Name] {
					listed[r.Name] = true
					o.legend = append(o.legend, object{"name": r.Name, "icon": "rect", "itemStyle": object{"color": "#8a8a8a"}})
				}
			}
		}
	}
	first := c.panels[0]
	x, y := first.X.Label, first.Y.Label
	if c.lying {
		x, y = y, x
	}
	midX, midY := (area.Min.X+area.Max.X)/2, (area.Min.Y+area.Max.Y)/2
	o.label(c.w.cut(x, face(labelSize, false), c.xRoom(midX)), midX, o.height-margin-6*px, 0)
	o.label(c.w.cut(y, face(labelSize, false), c.yRoom(midY)), margin+labelSize/2, o.height-midY, math.Pi/2)
	if c.bar != nil {
		o.colours(c.bar, area)
	}
}

// tickLabels writes the labels of the value axes of a panel as in the static picture: ECharts would
// write 0.000000001 for 10⁻⁹, and takes another form only from a function.
func (o *option) tickLabels(p *plot.Plot, data draw.Canvas) {
	c := o.chart
	if c.panels[0].Kind == viz.KindMatrix {
		return
	}
	bars := c.panels[0].Kind == viz.KindBars
	write := func(text string, x, y vg.Length, align, vertical string) {
		o.graphics = append(o.graphics, object{"type": "text", "x": pixels(x), "y": pixels(o.height - y), "silent": true,
			"style": object{"text": text, "fill": viz.Ink, "textAlign": align, "textVerticalAlign": vertical,
				"font": "12px 'Liberation Sans', Arial, Helvetica, sans-serif"}})
	}
	if !bars || c.lying {
		for _, t := range p.X.Tick.Marker.Ticks(p.X.Min, p.X.Max) {
			if x := data.X(p.X.Norm(t.Value)); t.Label != "" && data.ContainsX(x) {
				write(t.Label, x, data.Min.Y-8*px-tickSize/2, "center", "middle") // the height of a line is not the same in all browsers
			}
		}
	}
	if !bars || !c.lying {
		for _, t := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
			if y := data.Y(p.Y.Norm(t.Value)); t.Label != "" && data.ContainsY(y) {
				write(t.Label, data.Min.X-8*px, y, "right", "middle")
			}
		}
	}
}

// label adds a label of an axis centred at (x, y), y from above.
func (o *option) label(text string, x, y vg.Length, rotation float64) {
	if text == "" {
		return
	}
	o.graphics = append(o.graphics, object{"type": "text", "x": pixels(x), "y": pixels(y), "rotation": rotation, "silent": true,
		"style": object{"text": text, "fill": viz.Ink, "textAlign": "center", "textVerticalAlign": "middle",
			"font": "13px 'Liberation Sans', Arial, Helvetica, sans-serif"}})
}

// colours adds the colour bar beside area.
func (o *option) colours(b *colourBar, area vg.Rectangle) {
	s := b.shade
	height := min(area.Max.Y-area.Min.Y, 400*px) - 44*px // the ends' labels stand above and below
	o.visual = object{
		"type": "continuous", "min": rounded(s.min), "max": rounded(s.max), "dimension": 2, "orient": "vertical", "calculable": true,
		"left": pixels(area.Max.X + 12*px), "top": pixels(o.height - area.Max.Y), "itemWidth": 14, "itemHeight": pixels(max(height, 60*px)),
		"inRange": object{"color": s.stops}, "padding": 0, "align": "left",
		"precision": max(0, 1-int(math.Floor(math.Log10(s.max-s.min)))),
	}
	if s.log {
		o.visual["min"], o.visual["max"], o.visual["dimension"], o.visual["calculable"] = 0, 1, 4, false
		o.visual["text"] = []string{viz.FormatNumber(s.max), viz.FormatNumber(s.min)}
	}
	o.label(o.chart.w.cut(b.label, face(labelSize, false), o.chart.yRoom((area.Min.Y+area.Max.Y)/2)), area.Max.X+14*px+b.width-labelSize/2-2*px, o.height-(area.Min.Y+area.Max.Y)/2, math.Pi/2)
}

// axis is a value axis of panel i with the ticks of the static picture.
func axis(i int, a plot.Axis, s scale, lines bool) object {
	var at []float64
	for _, t := range a.Tick.Marker.Ticks(a.Min, a.Max) {
		if t.Label != "" && t.Value >= s.min && t.Value <= s.max {
			at = append(at, rounded(t.Value))
		}
	}
	kind, digits := "value", max(0, 2-int(math.Floor(math.Log10(s.max-s.min))))
	if s.log {
		kind, digits = "log", max(0, 2-int(math.Floor(math.Log10(s.min))))
	}
	if s.whole {
		digits = 0
	}
	return object{
		"axisPointer": object{"label": object{"precision": min(digits, 12)}},
		"gridIndex":   i, "type": kind, "min": s.min, "max": s.max,
		"axisTick":  object{"show": true, "customValues": at, "lineStyle": object{"color": viz.Quiet}},
		"axisLabel": object{"show": false, "customValues": at}, // tickLabels writes them
		"axisLine":  object{"show": true, "onZero": false, "lineStyle": object{"color": viz.Quiet}},
		"splitLine": object{"show": lines, "lineStyle": object{"color": viz.Faint}},
	}
}

// category is an axis of names, of which those that ticks label are shown, cut to width unless it is 0.
func category(i int, names []string, ticks []plot.Tick, turned bool, width float64) object {
	room := 0
	shown := map[int]bool{}
	for _, t := range ticks {
		if t.Label != "" {
			shown[int(t.Value)] = true
		}
	}
	if len(shown) > 0 {
		room = (len(names)+len(shown)-1)/len(shown) - 1
	}
	label := object{"color": viz.Ink, "fontSize": 12, "interval": room}
	if width > 0 {
		label["width"], label["overflow"] = width, "truncate"
	}
	if turned {
		label["rotate"] = 90
	}
	return object{"gridIndex": i, "type": "category", "data": names, "axisLabel": label, "axisTick": object{"show": false},
		"axisLine": object{"onZero": false, "lineStyle": object{"color": viz.Quiet}}}
}

// labelWidth is the room that names which may have been cut need, in pixels.
func (c *chart) labelWidth(ticks []plot.Tick) float64 { return pixels(c.widest(ticks)) + 2 }

// hidden is an axis without ink, for what is placed between the names of a category axis.
func hidden(i int, lo, hi float64) object {
	return object{"gridIndex": i, "type": "value", "min": lo, "max": hi, "show": false, "axisPointer": object{"show": false}}
}

var dashes = []any{"solid", []int{5, 3}, []int{2, 3}}

// symbols are the shapes of points, as glyphs has them.
var symbols = []string{
	"circle", "path://M-4-4H4V4H-4Z", "path://M-5 4H5L0-5Z", "diamond",
	"path://M-5-1.6H-1.6V-5H1.6V-1.6H5V1.6H1.6V5H-1.6V1.6H-5Z",
	"path://M0-2.4L2.6-5L5-2.6L2.4 0L5 2.6L2.6 5L0 2.4L-2.6 5L-5 2.6L-2.4 0L-5-2.6L-2.6-5Z",
}

// lines adds the curves or classes of panel i.
func (o *option) lines(i int, f viz.Figure, p *plot.Plot) {
	c := o.chart
	o.xAxes = append(o.xAxes, axis(i, p.X, c.x, true))
	o.yAxes = append(o.yAxes, axis(i, p.Y, c.y, true))
	if f.Kind == viz.KindScatter {
		o.trigger = "item"
	}
	for _, b := range f.Baselines {
		data := [][]any{{c.x.min, b.Value, viz.FormatNumber(b.Value)}, {c.x.max, b.Value, viz.FormatNumber(b.Value)}}
		if b.Vertical {
			data = [][]any{{b.Value, c.y.min, viz.FormatNumber(b.Value)}, {b.Value, c.y.max, viz.FormatNumber(b.Value)}}
		}
		o.curve(b.Name, data, object{"xAxisIndex": i, "yAxisIndex": i, "showSymbol": false, "symbol": "none", "z": 2,
			"lineStyle": object{"color": viz.Quiet, "width": 1.4, "type": dashes[1]}, "itemStyle": object{"color": viz.Quiet}})
	}
	for _, s := range f.Series {
		o.points(s, f.Kind == viz.KindScatter, i, i)
	}
	for _, s := range f.Series { // after the lines, which the legend shows
		if len(s.Lo) > 0 && f.Kind == viz.KindLines {
			o.band(i, s)
		}
	}
}

// curve adds a line through data, rows of x, y and what hovering shows.
func (o *option) curve(name string, data [][]any, more object) {
	line := charts.NewLine()
	items := make([]opts.LineData, len(data))
	for k, d := range data {
		items[k] = opts.LineData{Value: d}
	}
	line.AddSeries(name, items)
	if more["encode"] == nil {
		more["dimensions"], more["encode"] = dimensions, object{"x": 0, "y": 1, "tooltip": []int{2}}
	}
	o.add(line, more)
}

var dimensions = []object{{"name": "x", "type": "number"}, {"name": "y", "type": "number"}, {"name": "shown", "type": "ordinal"}}

// points adds a series of lines or points on the axes x and y.
func (o *option) points(s viz.Series, scatter bool, x, y int) {
	c := o.chart
	style := c.styles[s.Name]
	data := make([][]any, len(s.X))
	for k := range s.X {
		shown := viz.FormatNumber(s.Y[k])
		if len(s.Lo) > 0 {
			shown += fmt.Sprintf(" [%s, %s]", viz.FormatNumber(s.Lo[k]), viz.FormatNumber(s.Hi[k]))
		}
		if scatter || o.trigger == "item" {
			shown = fmt.Sprintf("(%s, %s)", viz.FormatNumber(s.X[k]), shown)
		}
		data[k] = []any{rounded(s.X[k]), rounded(c.y.at(s.Y[k])), shown}
	}
	more := object{
		"xAxisIndex": x, "yAxisIndex": y, "z": 4, "symbol": symbols[style.Glyph%len(symbols)], "symbolSize": 7, "clip": true,
		"itemStyle": object{"color": style.Colour}, "color": style.Colour, "emphasis": object{"disabled": true},
	}
	if scatter || s.Mark == viz.MarkPoints {
		items := make([]opts.ScatterData, len(data))
		for k, d := range data {
			items[k] = opts.ScatterData{Value: d}
		}
		sc := charts.NewScatter()
		sc.AddSeries(s.Name, items)
		more["dimensions"], more["encode"] = dimensions, object{"x": 0, "y": 1, "tooltip": []int{2}}
		more["itemStyle"] = object{"color": style.Colour, "opacity": 1, "borderColor": "#ffffff", "borderWidth": 0.6}
		o.add(sc, more)
		if len(s.Lo) > 0 {
			var segments [][2][2]float64
			for k := range s.X {
				segments = append(segments, [2][2]float64{{s.X[k], c.y.at(s.Lo[k])}, {s.X[k], c.y.at(s.Hi[k])}})
			}
			o.strokes(s.Name, segments, x, y, string(style.Colour), 1.2, 3)
		}
		return
	}
	more["showSymbol"] = s.Mark == viz.MarkBoth || len(s.X) == 1
	more["lineStyle"] = object{"color": style.Colour, "width": 2, "type": dashes[style.Dash]}
	if s.Mark == viz.MarkStep {
		more["step"] = "end"
	}
	o.curve(s.Name, data, more)
}

// band adds the band of s as two lines, one stacked on the other and filled. It has the name of s,
// so that the legend hides both. ECharts stacks the first numerical dimension: y stands before x.
func (o *option) band(i int, s viz.Series) {
	y := o.chart.y
	lo, width := make([][]any, len(s.X)), make([][]any, len(s.X))
	for k := range s.X {
		a, b := math.Max(y.at(s.Lo[k]), y.min), math.Min(y.at(s.Hi[k]), y.max)
		lo[k] = []any{a, rounded(s.X[k])}
		width[k] = []any{math.Max(b-a, 0), rounded(s.X[k])}
	}
	more := func(opacity float64) object {
		return object{"encode": object{"x": 1, "y": 0}, "dimensions": []string{"y", "x"},
			"xAxisIndex": i, "yAxisIndex": i, "stack": fmt.Sprintf("band %d %s", i, s.Name), "stackStrategy": "all",
			"symbol": "none", "showSymbol": false, "silent": true, "z": 1, "lineStyle": object{"opacity": 0}, "tooltip": object{"show": false},
			"itemStyle": object{"color": o.chart.styles[s.Name].Colour}, "emphasis": object{"disabled": true},
			"areaStyle": object{"color": o.chart.styles[s.Name].Colour, "opacity": opacity}}
	}
	o.curve(s.Name, lo, more(0))
	o.curve(s.Name, width, more(bandAlpha))
}

// strokes adds line segments that do not react to the mouse.
func (o *option) strokes(name string, segments [][2][2]float64, x, y int, colour string, width float64, z int) {
	data := make([]object, len(segments))
	for k, s := range segments {
		data[k] = object{"coords": s}
	}
	o.series = append(o.series, object{"name": name, "type": "lines", "coordinateSystem": "cartesian2d", "xAxisIndex": x, "yAxisIndex": y,
		"silent": true, "z": z, "lineStyle": object{"color": colour, "width": width, "opacity": 1}, "data": data, "tooltip": object{"show": false}})
}

// bars adds the bars of panel i.
func (o *option) bars(i int, f viz.Figure, p *plot.Plot) {
	c := o.chart
	values, ticks := p.Y, c.xTicks
	if c.lying {
		values, ticks = p.X, c.yTicks
	}
	names := category(i, f.Groups, ticks, c.turned, c.labelWidth(ticks))
	between := hidden(i, -0.5, float64(len(f.Groups))-0.5)
	value := axis(i, values, c.y, true)
	o.pointer = "shadow"
	value["axisPointer"] = object{"show": false} // one hovers over a group
	if c.lying {
		names["inverse"], between["inverse"] = true, true
		o.yAxes = append(o.yAxes, names, between)
		o.xAxes = append(o.xAxes, value)
	} else {
		o.xAxes = append(o.xAxes, names, between)
		o.yAxes = append(o.yAxes, value)
	}
	turn := func(a, v float64) [2]float64 {
		if c.lying {
			return [2]float64{v, a}
		}
		return [2]float64{a, v}
	}
	x, y := 2*i, i
	if c.lying {
		x, y = i, 2*i
	}
	ex, ey := x+1, y
	if c.lying {
		ex, ey = x, y+1
	}
	for _, b := range f.Baselines {
		p, q := turn(-0.5, b.Value), turn(float64(len(f.Groups))-0.5, b.Value)
		o.curve(b.Name, [][]any{{p[0], p[1], ""}, {q[0], q[1], ""}}, object{"xAxisIndex": ex, "yAxisIndex": ey, "symbol": "none", "silent": true, "z": 4,
			"lineStyle": object{"color": viz.Quiet, "width": 1.4, "type": dashes[1]}, "itemStyle": object{"color": viz.Quiet}, "tooltip": object{"show": false}})
	}
	for k, s := range f.Series {
		bar := charts.NewBar()
		items := make([]opts.BarData, len(s.Y))
		for g, v := range s.Y {
			shown := viz.FormatNumber(v)
			if len(s.Lo) > 0 {
				shown += fmt.Sprintf(" [%s, %s]", viz.FormatNumber(s.Lo[g]), viz.FormatNumber(s.Hi[g]))
			}
			at := turn(float64(g), rounded(v))
			items[g] = opts.BarData{Value: []any{at[0], at[1], shown}}
		}
		bar.AddSeries(s.Name, items)
		more := object{
			"xAxisIndex": x, "yAxisIndex": y, "itemStyle": object{"color": c.styles[s.Name].Colour}, "color": c.styles[s.Name].Colour,
			"barGap": "6%", "barCategoryGap": fmt.Sprintf("%.0f%%", 100*(1-groupShare)), "clip": true, "dimensions": dimensions,
			"encode": object{"x": 0, "y": 1, "tooltip": []int{2}}, "emphasis": object{"disabled": true},
		}
		if len(f.Series) == 1 {
			more["barCategoryGap"] = "40%"
		}
		o.add(bar, more)
		if len(s.Lo) == 0 {
			continue
		}
		o.fixedLegend = true // the error bars stand where the bars are when all are shown
		centre, width := slot(k, len(f.Series))
		var segments [][2][2]float64
		for g := range s.Y {
			a := float64(g) + centre
			cap := width / 6
			segments = append(segments, [2][2]float64{turn(a, s.Lo[g]), turn(a, s.Hi[g])},
				[2][2]float64{turn(a-cap, s.Lo[g]), turn(a+cap, s.Lo[g])}, [2][2]float64{turn(a-cap, s.Hi[g]), turn(a+cap, s.Hi[g])})
		}
		o.strokes(s.Name+" "+s.Band, segments, ex, ey, string(viz.Ink), 1.2, 5)
	}
}

// heatMap adds cells: rows of column, row, value, and maybe where that is, its share of the colours,
// a text. Hovering shows the value and where it is, which without names is its row and column.
func (o *option) heatMap(f viz.Figure, data []any, i int, named bool, more object) {
	heat := charts.NewHeatMap()
	heat.AddSeries(f.Z.Label, nil)
	more["xAxisIndex"], more["yAxisIndex"], more["progressive"] = i, i, 0
	more["dimensions"] = []object{{"name": "column", "type": "ordinal"}, {"name": "row", "type": "ordinal"}, {"name": f.Z.Label, "type": "number"},
		{"name": "where", "type": "ordinal"}, {"name": "share", "type": "number"}, {"name": "text", "type": "ordinal"}}
	more["encode"] = object{"x": 0, "y": 1, "value": 2, "tooltip": []int{2, 1, 0}}
	if named {
		more["encode"] = object{"x": 0, "y": 1, "value": 2, "itemName": 3, "tooltip": []int{2}}
	}
	more["data"] = data
	o.heats = append(o.heats, len(o.series))
	o.add(heat, more)
}

// cell is a row of heatMap, as short as it can be.
func (o *option) cell(column, row int, v float64, where, text string) []any {
	r, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'e', 3, 64), 64) // what FormatFloat wrote
	out := []any{column, row, r}
	if log := o.chart.bar.shade.log; where != "" || text != "" || log {
		out = append(out, where)
		if text != "" || log {
			out = append(out, rounded(o.chart.bar.shade.at(v)))
		}
		if text != "" {
			out = append(out, text)
		}
	}
	return out
}

// heat adds the surface of panel i, its regions and contours, and what lies over it.
func (o *option) heat(i int, f viz.Figure, p *plot.Plot, data draw.Canvas) {
	c, cells := o.chart, f.Cells
	o.trigger = "item"
	limit := surfaceShown
	if len(c.panels) > 1 {
		limit = panelShown
	}
	nx, ny := min(len(cells.X), limit), min(len(cells.Y), limit)
	x0, x1 := cells.X[0], cells.X[len(cells.X)-1]
	y0, y1 := cells.Y[0], cells.Y[len(cells.Y)-1]
	// The cells part [x0, x1] × [y0, y1] evenly; each has the value at its middle.
	middle := func(lo, hi float64, k, n int) float64 { return lo + (hi-lo)*(float64(k)+0.5)/float64(n) }
	var rows []any
	for r := range ny {
		for k := range nx {
			x, y := middle(x0, x1, k, nx), middle(y0, y1, r, ny)
			where := fmt.Sprintf("(%s, %s)", viz.FormatNumber(x), viz.FormatNumber(y))
			rows = append(rows, o.cell(k, r, bilinear(cells, cells.Z, x, y), where, ""))
		}
	}
	blank := func(n int) object {
		return object{"gridIndex": i, "type": "category", "data": make([]string, n), "show": false, "axisPointer": object{"show": false}}
	}
	valueX, valueY := axis(i, p.X, c.x, false), axis(i, p.Y, c.y, false)
	valueX["position"], valueY["position"] = "bottom", "left"
	o.xAxes = append(o.xAxes, blank(nx), valueX)
	o.yAxes = append(o.yAxes, blank(ny), valueY)
	o.heatMap(f, rows, 2*i, true, object{"emphasis": object{"disabled": true}})
	x, y := 2*i+1, 2*i+1
	size := data.Size()
	for _, r := range cells.Regions {
		var segments [][2][2]float64
		for _, h := range hatch(cells, r.V, 9*float64(px/size.X), float64(size.X/size.Y)) {
			segments = append(segments, [2][2]float64{{rounded(h[0].x), rounded(h[0].y)}, {rounded(h[1].x), rounded(h[1].y)}})
		}
		o.strokes(r.Name, segments, x, y, "rgba(255,255,255,0.7)", 1, 3)
		o.paths(r.Name, contours(cells.X, cells.Y, r.V, 0), x, y, "#ffffff", 2.2)
	}
	var taken []vg.Rectangle
	tx, ty := p.Transforms(&data)
	for _, level := range cells.Levels {
		col := hex(c.bar.shade.over(level))
		lines := contours(cells.X, cells.Y, cells.Z, level)
		o.paths("contours", lines, x, y, col, 0.9)
		if len(c.panels) > 1 {
			continue
		}
		text := viz.FormatNumber(level)
		tw := c.w.width(text, face(noteSize, false))
		if at, ok := labelPlace(lines, tx, ty, tw, data.Rectangle, taken); ok {
			taken = append(taken, labelBox(at, tw))
			o.graphics = append(o.graphics, object{"type": "text", "x": pixels(at.X), "y": pixels(o.height - at.Y), "silent": true, "z": 8,
				"style": object{"text": text, "fill": col, "textAlign": "center", "textVerticalAlign": "middle", "padding": []int{1, 2},
					"backgroundColor": hex(c.bar.shade.of(level)), "font": "11px 'Liberation Sans', Arial, Helvetica, sans-serif"}})
		}
	}
	for _, s := range f.Series {
		o.points(s, s.Mark == viz.MarkPoints, x, y)
		if s.Mark != viz.MarkPoints { // a white rim
			var line []point
			for k := range s.X {
				line = append(line, point{s.X[k], s.Y[k]})
			}
			o.paths(s.Name, [][]point{line}, x, y, "#ffffff", 4.4)
		}
	}
}

// paths adds polylines that do not react to the mouse.
func (o *option) paths(name string, lines [][]point, x, y int, colour string, width float64) {
	data := make([]object, len(lines))
	for k, line := range lines {
		coords := make([][2]float64, len(line))
		for j, q := range line {
			coords[j] = [2]float64{rounded(q.x), rounded(q.y)}
		}
		data[k] = object{"coords": coords}
	}
	o.series = append(o.series, object{"name": name, "type": "lines", "coordinateSystem": "cartesian2d", "polyline": true, "xAxisIndex": x, "yAxisIndex": y,
		"silent": true, "z": 3, "lineStyle": object{"color": colour, "width": width, "opacity": 1}, "data": data, "tooltip": object{"show": false}})
}

// matrix adds the cells of panel i, of a large matrix the means of blocks.
func (o *option) matrix(i int, f viz.Figure, data draw.Canvas) {
	c, cells := o.chart, f.Cells
	o.trigger = "item"
	z := cells.Z
	side := max(1, (max(len(z), len(z[0]))+matrixShown-1)/(matrixShown))
	rows, cols := (len(z)+side-1)/side, (len(z[0])+side-1)/side
	of := func(names []string, k int) string {
		unit := side * max(1, cells.Block)
		switch {
		case names != nil && side == 1:
			return names[k]
		case unit > 1:
			return fmt.Sprintf("%d–%d", k*unit, (k+1)*unit-1)
		}
		return strconv.Itoa(k)
	}
	var rowNames, colNames []string
	for r := range rows {
		rowNames = append(rowNames, of(cells.Rows, r))
	}
	for k := range cols {
		colNames = append(colNames, of(cells.Cols, k))
	}
	cell := float64((data.Max.X - data.Min.X) / px / vg.Length(cols))
	named := cells.Rows != nil || cells.Cols != nil || side > 1 || cells.Block > 1
	var items []any
	for r := range rows {
		for k := range cols {
			var sum float64
			n := 0
			for a := r * side; a < min((r+1)*side, len(z)); a++ {
				for b := k * side; b < min((k+1)*side, len(z[0])); b++ {
					sum += z[a][b]
					n++
				}
			}
			v := sum / float64(n)
			where, text := "", ""
			if named {
				where = fmt.Sprintf("%s, %s", rowNames[r], colNames[k])
			}
			if cell >= 34 {
				text = short(v)
			}
			item := any(o.cell(k, r, v, where, text))
			if text != "" {
				item = object{"value": item, "label": object{"color": hex(c.bar.shade.over(v))}}
			}
			items = append(items, item)
		}
	}
	x, y := category(i, colNames, c.xTicks, c.turned, c.labelWidth(c.xTicks)), category(i, rowNames, c.yTicks, false, c.labelWidth(c.yTicks))
	y["inverse"] = true
	o.xAxes, o.yAxes = append(o.xAxes, x), append(o.yAxes, y)
	more := object{"emphasis": object{"itemStyle": object{"borderColor": viz.Ink, "borderWidth": 1}}}
	if cell >= 34 {
		more["label"] = object{"show": true, "formatter": "{@[5]}", "fontSize": 11}
	}
	o.heatMap(f, items, i, named, more)
}

// hex is c as CSS writes it.
func hex(c color.NRGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// pixels is a length in CSS pixels, to a tenth.
func pixels(l vg.Length) float64 { return math.Round(float64(l/px)*10) / 10 }

// rounded is v to six significant digits.
func rounded(v float64) float64 {
	if v == 0 || math.IsInf(v, 0) || math.IsNaN(v) {
		return 0
	}
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'e', 5, 64), 64)
	if err != nil {
		return v
	}
	return r
}
