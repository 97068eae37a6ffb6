package render

import (
	"encoding/json"
	"fmt"
	"image/color"
	"maps"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/mklnb/mkl/viz"
)

// Option returns f as an option of ECharts 5 (JSON), for a chart as large as the picture (Size). Its
// characters <, > and & are escaped, so that it can stand in a script, and every number that a reader
// hovers over is in it, rounded. It holds no function; how numbers on axes are written (10⁻⁹, −2) is
// one, axisLabel.formatter, which the page that draws the chart sets.
//
// The ECharts build must hold the charts line, bar, scatter, lines and heatmap: the full one does.
func Option(f viz.Figure) ([]byte, error) {
	if err := drawable(f); err != nil {
		return nil, err
	}
	w := newWriter(true)
	d := newDrawing(f, w, false)
	// The same size as the picture, whatever the legends.
	more := newDrawing(f, w, true).height - d.height
	d.chart.height += more
	d.height += more
	o := &option{drawing: d}
	o.build()
	out, err := json.Marshal(o.object())
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
	titles, grids    []object
	xAxes, yAxes     []object
	series, graphics []object
	colours          object
	trigger, pointer string
	heatMaps         []int // their indices among the series
	fixedLegend      bool  // a series cannot be hidden
}

const fonts = "'Liberation Sans', Arial, Helvetica, sans-serif"

// object is the whole option.
func (o *option) object() object {
	out := object{
		"animation": false,
		"textStyle": object{"fontFamily": fonts, "color": viz.Ink},
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
		"aria": object{"enabled": true, "label": object{"description": o.figure.Alt}},
	}
	var names []object
	for _, e := range o.entries {
		if !e.note {
			n := object{"name": e.name}
			if e.icon != "" {
				n["icon"], n["itemStyle"] = e.icon, object{"color": e.colour}
			}
			names = append(names, n)
		}
	}
	if len(names) > 0 {
		top := o.header - vg.Length(len(o.legend))*entryHeight - 4*px
		out["legend"] = object{
			"data": names, "left": 2, "top": pixels(top), "width": pixels(o.width - 2*margin), "itemWidth": 24, "itemHeight": 10,
			"itemGap": 12, "padding": 4, "selectedMode": !o.fixedLegend, "textStyle": object{"fontSize": 12},
		}
	}
	if o.colours != nil {
		o.colours["seriesIndex"] = o.heatMaps
		out["visualMap"] = o.colours
	}
	return out
}

// build adds title, panels and labels.
func (o *option) build() {
	o.addTitle(strings.Join(o.title, "\n"), titleSize, margin, margin, nil)
	o.trigger, o.pointer = "axis", "line"
	cv := draw.Canvas{Rectangle: vg.Rectangle{Max: vg.Point{X: o.width, Y: o.height - o.header}}}
	var area vg.Rectangle // of the data of all panels
	for i, f := range o.panels {
		sub := o.panel(i, cv)
		p := o.axes()
		data := p.DataCanvas(sub)
		area = union(area, data.Rectangle)
		size := data.Size()
		g := object{"left": pixels(data.Min.X), "top": pixels(o.height - data.Max.Y), "width": pixels(size.X), "height": pixels(size.Y)}
		if o.bar != nil { // seams between cells would be white
			g["show"], g["borderWidth"], g["backgroundColor"] = true, 0, hex(o.bar.colours.of(o.bar.colours.value(0.4)))
		}
		o.grids = append(o.grids, g)
		if o.top > 0 {
			o.addTitle(f.Title, labelSize, data.Min.X, o.height-sub.Max.Y-o.top+4*px, object{"width": pixels(size.X), "overflow": "truncate"})
		}
		switch f.Kind {
		case viz.KindBars:
			o.addBars(i, f)
		case viz.KindHeat:
			o.addHeat(i, f, p, data)
		case viz.KindMatrix:
			o.addMatrix(i, f, size.X)
		default:
			o.addLines(i, f)
		}
	}
	x, y := o.axisLabels()
	mid := area.Min.Add(area.Max).Scale(0.5)
	o.addText(o.cutLabel(x, mid.X, o.width, margin), labelSize, mid.X, margin+6*px, object{})
	upwards := object{"rotation": math.Pi / 2}
	o.addText(o.cutLabel(y, mid.Y, o.chart.height, 2*px), labelSize, margin+labelSize/2, mid.Y, upwards)
	if o.bar != nil {
		o.addColourBar(area)
		o.addText(o.cutLabel(o.bar.label, mid.Y, o.chart.height, 2*px), labelSize, area.Max.X+o.bar.width+labelSize/2, mid.Y, upwards)
	}
}

// addTitle adds a title whose left upper corner is at (x, y), y from above.
func (o *option) addTitle(text string, size, x, y vg.Length, more object) {
	style := object{"color": viz.Ink, "fontSize": pixels(size), "fontWeight": "bold", "lineHeight": pixels(size * 1.25)}
	maps.Copy(style, more)
	o.titles = append(o.titles, object{"text": text, "left": pixels(x), "top": pixels(y), "padding": 0, "textStyle": style})
}

// addText adds text centred on (x, y), y from below.
func (o *option) addText(text string, size, x, y vg.Length, more object) {
	if text == "" {
		return
	}
	style := object{"text": text, "fill": viz.Ink, "textAlign": "center", "textVerticalAlign": "middle", "font": fmt.Sprintf("%.0fpx %s", pixels(size), fonts)}
	t := object{"type": "text", "x": pixels(x), "y": pixels(o.height - y), "silent": true, "style": style}
	maps.Copy(t, more)
	o.graphics = append(o.graphics, t)
}

// valueAxis is an axis of numbers of panel i with the ticks of the picture.
func valueAxis(i int, s scale, ticks []plot.Tick, lines bool) object {
	kind := "value"
	if s.log {
		kind = "log"
	}
	var at []float64
	for _, t := range ticks {
		if t.Label != "" && t.Value >= s.min && t.Value <= s.max {
			at = append(at, rounded(t.Value))
		}
	}
	return object{
		"gridIndex": i, "type": kind, "min": s.min, "max": s.max,
		"axisTick":  object{"show": true, "customValues": at, "lineStyle": object{"color": viz.Quiet}},
		"axisLabel": object{"customValues": at, "color": viz.Ink, "fontSize": 12, "margin": 10}, // clear of the ticks
		"axisLine":  object{"show": true, "onZero": false, "lineStyle": object{"color": viz.Quiet}},
		"splitLine": object{"show": lines, "lineStyle": object{"color": viz.Faint}},
	}
}

// nameAxis is an axis of names of panel i, of which those that ticks label are shown, cut to width
// unless it is 0.
func nameAxis(i int, names []string, ticks []plot.Tick, turned bool, width vg.Length) object {
	shown := 0
	for _, t := range ticks {
		if t.Label != "" {
			shown++
		}
	}
	label := object{"color": viz.Ink, "fontSize": 12, "interval": (len(names) - 1) / max(shown, 1)}
	if width > 0 {
		label["width"], label["overflow"] = pixels(width)+2, "truncate"
	}
	if turned {
		label["rotate"] = 90
	}
	return object{"gridIndex": i, "type": "category", "data": names, "axisLabel": label, "axisTick": object{"show": false},
		"axisLine": object{"onZero": false, "lineStyle": object{"color": viz.Quiet}}}
}

// hiddenAxis is an axis without ink: of what is placed between names, or, of n cells without names.
func hiddenAxis(i int, kind string, more object) object {
	a := object{"gridIndex": i, "type": kind, "show": false, "axisPointer": object{"show": false}}
	maps.Copy(a, more)
	return a
}

// hex is c as CSS writes it.
func hex(c color.NRGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// pixels is a length in CSS pixels, to a tenth.
func pixels(l vg.Length) float64 { return math.Round(float64(l/px)*10) / 10 }

// rounded is v to six significant digits.
func rounded(v float64) float64 { return roundedTo(6, v) }

// roundedTo is v to so many significant digits.
func roundedTo(digits int, v float64) float64 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'e', digits-1, 64), 64)
	if err != nil { // rounding up overflows
		return v
	}
	return r
}
