package render

import (
	"encoding/json"
	"fmt"
	"image/color"
	"maps"
	"math"
	"strconv"
	"strings"

	"github.com/go-echarts/go-echarts/v2/opts"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/mklnb/mkl/viz"
)

// Option returns f as an option of ECharts 5 (JSON), for a chart as large as the picture. Its characters <, > and & are
// escaped, so that it can stand in a script, and every number that a reader hovers over is in it, rounded. It holds no
// function; how numbers on axes are written (10⁻⁹, −2) is one, axisLabel.formatter, which the page that draws the chart
// sets.
//
// The ECharts build must hold the charts line, bar, scatter and heatmap: the full one does.
func Option(f viz.Figure) ([]byte, error) {
	if err := drawable(f); err != nil {
		return nil, err
	}
	out, err := json.Marshal(liveChart(f).option())
	if err != nil {
		return nil, fmt.Errorf("render: option of %q: %w", f.Title, err)
	}
	return out, nil
}

// liveChart is the layout of the interactive chart: of the size of the picture, whatever the legends.
func liveChart(f viz.Figure) *chart {
	w := newWriter(true)
	c := newChart(f, w, false)
	c.height = newChart(f, w, true).height
	return c
}

// object is a JSON object: a part of an option, with ECharts' names. Styles are those of go-echarts; its types of whole
// charts lack fields that are needed here, such as several titles and places of ticks.
type object = map[string]any

// option builds an option.
type option struct {
	*chart
	grids, titles, xAxes, yAxes, graphics, series []object
	heatMaps                                      []int  // their indices among the series
	trigger, pointer                              string // of the tooltip
	fixedLegend                                   bool   // a series cannot be hidden
}

const fonts = "'Liberation Sans', Arial, Helvetica, sans-serif"

// Parts of series.
var (
	silent   = object{"silent": true, "tooltip": object{"show": false}} // does not react to the mouse
	noSymbol = object{"symbol": "none"}
)

// filled is the colour of points, areas and tooltips.
func filled(c viz.Colour) object { return object{"itemStyle": opts.ItemStyle{Color: string(c)}} }

// layer says what a series hides: series of smaller z.
func layer(z int) object { return object{"z": z} }

// add adds a series on the axes x and y.
func (o *option) add(kind, name string, x, y int, data any, parts ...object) {
	s := object{"type": kind, "name": name, "xAxisIndex": x, "yAxisIndex": y, "data": data,
		"emphasis": object{"disabled": true}}
	for _, p := range parts {
		maps.Copy(s, p)
	}
	o.series = append(o.series, s)
}

// option is the option of c: title, panels, labels, legend and tooltip.
func (c *chart) option() object {
	o := &option{chart: c, trigger: "axis", pointer: "line"}
	o.addTitle(strings.Join(o.title, "\n"), titleSize, margin, margin, 0)
	cv := draw.Canvas{Rectangle: vg.Rectangle{Max: vg.Point{X: o.width, Y: o.height}}}
	var area vg.Rectangle // of the data of all panels
	for i, f := range o.panels {
		sub := o.panel(i, cv)
		p := o.axes()
		data := p.DataCanvas(sub)
		area = union(area, data.Rectangle)
		size := data.Size()
		grid := object{"left": css(data.Min.X), "top": css(o.height - data.Max.Y), "width": css(size.X),
			"height": css(size.Y)}
		if o.bar != nil { // seams between cells would be white
			s := o.bar.colours
			maps.Copy(grid, object{"show": true, "borderWidth": 0, "backgroundColor": hex(s.colour(s.value(0.4)))})
		}
		o.grids = append(o.grids, grid)
		if o.top > 0 {
			o.addTitle(f.Title, labelSize, data.Min.X, o.height-sub.Max.Y-o.top+4*px, size.X)
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
	o.addText(o.cutLabel(x, mid.X, o.width, margin), labelSize, mid.X, margin+6*px, nil)
	upwards := object{"rotation": math.Pi / 2}
	o.addText(o.cutLabel(y, mid.Y, o.height-o.header, 2*px), labelSize, margin+labelSize/2, mid.Y, upwards)
	all := object{
		"animation": false,
		"aria":      object{"enabled": true, "label": object{"description": o.figure.Alt}},
		"textStyle": opts.TextStyle{FontFamily: fonts, Color: string(viz.Ink)},
		"legend":    o.liveLegend(),
		"tooltip": object{"trigger": o.trigger, "confine": true, "transitionDuration": 0,
			"textStyle":   opts.TextStyle{FontSize: 12},
			"axisPointer": object{"type": o.pointer, "animation": false}},
	}
	if o.bar != nil {
		all["visualMap"] = o.visualMap(area)
		if o.bar.width > 0 {
			label := o.cutLabel(o.bar.label, mid.Y, o.height-o.header, 2*px)
			o.addText(label, labelSize, area.Max.X+o.bar.width+labelSize/2, mid.Y, upwards)
		}
	}
	all["title"], all["grid"], all["xAxis"], all["yAxis"], all["graphic"], all["series"] =
		o.titles, o.grids, o.xAxes, o.yAxes, o.graphics, o.series
	return all
}

// liveLegend is the legend: entries that are series, each of which a click hides.
func (o *option) liveLegend() object {
	names := []object{}
	for _, e := range o.entries {
		if e.icon != "" {
			names = append(names, object{"name": e.name, "icon": e.icon})
		} else if !e.note {
			names = append(names, object{"name": e.name})
		}
	}
	top := o.header - vg.Length(len(o.legend))*entryHeight - 4*px
	return object{"data": names, "left": 1, "top": css(top), "width": css(o.width - 2*margin),
		"itemWidth": 24, "itemHeight": 10,
		"selectedMode": !o.fixedLegend, "textStyle": opts.TextStyle{FontSize: whole(tickSize)}}
}

// addTitle adds a title whose left upper corner is at (x, y), y from above, cut to width unless it is 0.
func (o *option) addTitle(text string, size, x, y, width vg.Length) {
	const padding = 5 * px // around every title
	style := object{"color": viz.Ink, "fontSize": whole(size), "fontWeight": "bold", "lineHeight": whole(size * 1.25)}
	if width > 0 {
		style["width"], style["overflow"] = whole(width), "truncate"
	}
	o.titles = append(o.titles, object{"text": text, "left": css(x - padding), "top": css(y - padding),
		"textStyle": style})
}

// addText adds text centred on (x, y), y from below.
func (o *option) addText(text string, size, x, y vg.Length, more object) {
	if text == "" {
		return
	}
	t := object{"type": "text", "x": css(x), "y": css(o.height - y), "silent": true,
		"style": object{"text": text, "fill": viz.Ink, "textAlign": "center", "textVerticalAlign": "middle",
			"font": fmt.Sprintf("%dpx %s", whole(size), fonts)}}
	maps.Copy(t, more)
	o.graphics = append(o.graphics, t)
}

// hex is c as CSS writes it.
func hex(c color.NRGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// css is a length in CSS pixels, to a tenth.
func css(l vg.Length) json.Number { return json.Number(strconv.FormatFloat(float64(l/px), 'f', 1, 64)) }

// whole is a length in whole CSS pixels.
func whole(l vg.Length) int { return int(math.Round(float64(l / px))) }

// rounded is v to six significant digits.
func rounded(v float64) json.Number { return json.Number(strconv.FormatFloat(v, 'g', 6, 64)) }
