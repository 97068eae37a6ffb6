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

// object is a JSON object: a part of an option, with the keys that ECharts defines. Styles have the types of
// go-echarts. The types of go-echarts for whole charts are not used: they lack fields that are needed here, such as
// several titles and the positions of ticks.
type object = map[string]any

// option builds the option of a chart: the JSON object from which ECharts draws the chart.
type option struct {
	*chart
	grids, titles, xAxes, yAxes, graphics, series []object
	heatMapSeries                                 []int  // indices of the heat maps in series
	tooltipTrigger, axisPointer                   string // values of tooltip.trigger and tooltip.axisPointer.type
	isLegendFixed                                 bool   // a click on a legend entry does not hide its series
}

const fonts = "'Liberation Sans', Arial, Helvetica, sans-serif"

// Parts of the ECharts options of series: silent turns off the reaction to the mouse, noSymbol the marks at the points
// of a line.
var (
	silent   = object{"silent": true, "tooltip": object{"show": false}}
	noSymbol = object{"symbol": "none"}
)

// fillStyle returns the part of a series option that sets the color of points, areas and tooltips.
func fillStyle(c viz.Color) object { return object{"itemStyle": opts.ItemStyle{Color: string(c)}} }

// layerOption returns the part of a series option that sets its layer: a series covers the series in lower layers.
func layerOption(layer int) object { return object{"z": layer} }

// addSeries adds a series of the ECharts type seriesType on the axes with the indices xAxis and yAxis. The entries of
// extraOptions are copied into its option.
func (o *option) addSeries(seriesType, name string, xAxis, yAxis int, data any, extraOptions ...object) {
	s := object{"type": seriesType, "name": name, "xAxisIndex": xAxis, "yAxisIndex": yAxis, "data": data,
		"emphasis": object{"disabled": true}}
	for _, p := range extraOptions {
		maps.Copy(s, p)
	}
	o.series = append(o.series, s)
}

// optionJSON returns the ECharts option that describes c: title, panels, labels, legend and tooltip. The JSON escapes
// the characters <, > and &, so that it can be part of a script. It contains every number that the chart shows when the
// pointer is over an item, rounded. It contains no function: the page that draws the chart sets axisLabel.formatter,
// the function that formats the numbers on axes (10⁻⁹, −2).
//
// The ECharts build must contain the charts line, bar, scatter and heatmap, as the full build does.
func (c *chart) optionJSON() ([]byte, error) {
	o := &option{chart: c, tooltipTrigger: "axis", axisPointer: "line"}
	o.addTitle(strings.Join(o.title, "\n"), titleSize, margin, margin, 0)
	cv := draw.Canvas{Rectangle: vg.Rectangle{Max: vg.Point{X: o.width, Y: o.height}}}
	var area vg.Rectangle // the data areas of all panels together
	for i, f := range o.panels {
		panelArea := o.panelArea(i, cv)
		p := o.emptyPlot()
		dataArea := p.DataCanvas(panelArea)
		area = unionRect(area, dataArea.Rectangle)
		size := dataArea.Size()
		grid := object{"left": cssPixels(dataArea.Min.X), "top": cssPixels(o.height - dataArea.Max.Y),
			"width": cssPixels(size.X), "height": cssPixels(size.Y)}
		if o.colorBar != nil { // the panel has colored cells: a background fills the white seams between them
			s := o.colorBar.colors
			maps.Copy(grid, object{"show": true, "borderWidth": 0,
				"backgroundColor": cssColor(s.colorOf(s.denormalize(0.4)))})
		}
		o.grids = append(o.grids, grid)
		if o.panelTitleHeight > 0 {
			o.addTitle(f.Title, labelSize, dataArea.Min.X, o.height-panelArea.Max.Y-o.panelTitleHeight+4*px, size.X)
		}
		switch f.Kind {
		case viz.KindBars:
			o.addBars(i, f)
		case viz.KindHeat:
			o.addHeat(i, f)
		case viz.KindMatrix:
			o.addMatrix(i, f)
		default:
			o.addLines(i, f)
		}
	}
	x, y := o.axisLabels()
	middle := area.Min.Add(area.Max).Scale(0.5)
	o.addText(o.shortenLabel(x, middle.X, o.width, margin), labelSize, middle.X, margin+6*px, nil)
	rotated := object{"rotation": math.Pi / 2}
	y = o.shortenLabel(y, middle.Y, o.height-o.headerHeight, 2*px)
	o.addText(y, labelSize, margin+labelSize/2, middle.Y, rotated)
	chartOption := object{
		"animation": false,
		"aria":      object{"enabled": true, "label": object{"description": o.figure.Alt}},
		"textStyle": opts.TextStyle{FontFamily: fonts, Color: string(viz.Ink)},
		"legend":    o.interactiveLegend(),
		"tooltip": object{"trigger": o.tooltipTrigger, "confine": true, "transitionDuration": 0,
			"textStyle":   opts.TextStyle{FontSize: 12},
			"axisPointer": object{"type": o.axisPointer, "animation": false}},
	}
	if o.colorBar != nil {
		chartOption["visualMap"] = o.newColorBarOption(area)
		label := o.shortenLabel(o.colorBar.label, middle.Y, o.height-o.headerHeight, 2*px)
		o.addText(label, labelSize, area.Max.X+o.colorBar.width+labelSize/2, middle.Y, rotated)
	}
	chartOption["title"], chartOption["grid"], chartOption["xAxis"], chartOption["yAxis"], chartOption["graphic"],
		chartOption["series"] =
		o.titles, o.grids, o.xAxes, o.yAxes, o.graphics, o.series
	return json.Marshal(chartOption)
}

// interactiveLegend returns the legend. It contains the entries that are series; it omits entries that explain a band
// or a mark. A click on an entry hides its series, unless isLegendFixed is set.
func (o *option) interactiveLegend() object {
	names := []object{}
	for _, e := range o.entries {
		if e.icon != "" {
			names = append(names, object{"name": e.name, "icon": e.icon})
		} else if !e.isNote {
			names = append(names, object{"name": e.name})
		}
	}
	legendTop := o.headerHeight - vg.Length(len(o.legend))*entryHeight - 4*px
	return object{"data": names, "left": 1, "top": cssPixels(legendTop), "width": cssPixels(o.width - 2*margin),
		"itemWidth": 24, "itemHeight": 10,
		"selectedMode": !o.isLegendFixed, "textStyle": opts.TextStyle{FontSize: wholePixels(tickSize)}}
}

// addTitle adds a title, or the name of a panel. Its upper left corner is at (x, y); y is measured downwards from the
// top of the chart. If maxWidth is not 0, the text is cut to that width.
func (o *option) addTitle(text string, size, x, y, maxWidth vg.Length) {
	const padding = 5 * px // ECharts adds this padding around every title
	style := object{"color": viz.Ink, "fontSize": wholePixels(size), "fontWeight": "bold",
		"lineHeight": wholePixels(size * 1.25)}
	if maxWidth > 0 {
		style["width"], style["overflow"] = wholePixels(maxWidth), "truncate"
	}
	o.titles = append(o.titles, object{"text": text, "left": cssPixels(x - padding), "top": cssPixels(y - padding),
		"textStyle": style})
}

// addText adds text centered on (x, y); y is measured upwards from the bottom of the chart. The entries of moreOptions
// are added to the ECharts option of the text.
func (o *option) addText(text string, size, x, y vg.Length, moreOptions object) {
	if text == "" {
		return
	}
	t := object{"type": "text", "x": cssPixels(x), "y": cssPixels(o.height - y), "silent": true,
		"style": object{"text": text, "fill": viz.Ink, "textAlign": "center", "textVerticalAlign": "middle",
			"font": fmt.Sprintf("%dpx %s", wholePixels(size), fonts)}}
	maps.Copy(t, moreOptions)
	o.graphics = append(o.graphics, t)
}

func cssColor(c color.NRGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// cssPixels returns a length in CSS pixels, rounded to a tenth.
func cssPixels(l vg.Length) json.Number {
	return json.Number(strconv.FormatFloat(float64(l/px), 'f', 1, 64))
}

func wholePixels(l vg.Length) int { return int(math.Round(float64(l / px))) }

// roundToSixDigits returns v rounded to six significant digits.
func roundToSixDigits(v float64) json.Number { return json.Number(strconv.FormatFloat(v, 'g', 6, 64)) }
