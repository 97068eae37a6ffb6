package render

import (
	"encoding/json"
	"fmt"
	"image/color"
	"maps"
	"math"
	"strconv"
	"strings"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/mklnb/mkl/viz"
)

// Option returns f as an option of ECharts 5 (JSON), for a chart as large as the picture (Size). Its
// characters <, > and & are escaped, so that it can stand in a script, and every number that a reader
// hovers over is in it, rounded. It holds no function; how numbers on axes are written (10⁻⁹, −2) is
// one, axisLabel.formatter, which the page that draws the chart sets.
//
// Frames are an option with baseOption, which holds ECharts' timeline, and options.
//
// The ECharts build must hold the charts line, bar, scatter and heatmap and the timeline: the full one does.
func Option(f viz.Figure) ([]byte, error) {
	if err := drawable(f); err != nil {
		return nil, err
	}
	d := liveDrawing(f)
	all := d.option()
	if f.Kind == viz.KindFrames {
		all = d.frames(all)
	}
	out, err := json.Marshal(all)
	if err != nil {
		return nil, fmt.Errorf("render: option of %q: %w", f.Title, err)
	}
	return out, nil
}

// liveDrawing is the layout of the interactive chart: of the size of the picture, whatever the legends;
// of Frames, one frame below the slider.
func liveDrawing(f viz.Figure) *drawing {
	w := newWriter(true)
	d := newDrawing(f, w, false)
	if f.Kind == viz.KindFrames {
		d.header += sliderHeight
		d.height += sliderHeight
		return d
	}
	more := newDrawing(f, w, true).height - d.height
	d.chart.height += more
	d.height += more
	return d
}

// option is the option of d.
func (d *drawing) option() object {
	o := &option{drawing: d, live: charts.NewLine(), trigger: "axis", pointer: "line"}
	o.build()
	return o.complete(o.live.JSON())
}

// sliderHeight is the room of a slider, between header and chart.
const sliderHeight = 46 * px

// frames is the option of all frames, given that of the first: what they share, and of each its series
// and its title.
func (d *drawing) frames(base object) object {
	var names []string
	var options []object
	for i, f := range d.all {
		one, c := *d, *d.chart
		c.panels = d.all[i : i+1]
		one.chart = &c
		all := one.option()
		names = append(names, clean(f.Title))
		options = append(options, object{"title": all["title"], "series": all["series"]})
	}
	delete(base, "series")
	base["timeline"] = slider(names, css(d.header-sliderHeight))
	return object{"baseOption": base, "options": options}
}

// option builds a chart of go-echarts; echarts.go holds what its types lack.
type option struct {
	*drawing
	live             *charts.Line // with series of other kinds too
	more             []more       // of its series
	titles           []opts.Title
	xAxes, yAxes     []axis
	graphics         []object // go-echarts has no texts
	trigger, pointer string
	heatMaps         []int // their indices among the series
	barHeight        int
	fixedLegend      bool // a series cannot be hidden
}

const fonts = "'Liberation Sans', Arial, Helvetica, sans-serif"

// add adds the series of a chart of go-echarts.
func (o *option) add(c charts.Overlaper, m more) {
	o.live.Overlap(c)
	o.more = append(o.more, m)
}

// on places a series on the axes x and y. Its data are rows; as go-echarts' own, each would be an object
// that holds the row.
func on(x, y int, data any) charts.SeriesOpts {
	return charts.WithSeriesOpts(func(s *charts.SingleSeries) { s.XAxisIndex, s.YAxisIndex, s.Data = x, y, data })
}

// build adds title, panels, labels, legend and tooltip.
func (o *option) build() {
	o.addTitle(strings.Join(o.title, "\n"), titleSize, margin, margin, 0)
	cv := draw.Canvas{Rectangle: vg.Rectangle{Max: vg.Point{X: o.width, Y: o.height - o.header}}}
	var area vg.Rectangle // of the data of all panels
	for i, f := range o.panels {
		sub := o.panel(i, cv)
		p := o.axes()
		data := p.DataCanvas(sub)
		area = union(area, data.Rectangle)
		size := data.Size()
		o.live.SetGlobalOptions(charts.WithGridOpts(opts.Grid{Left: css(data.Min.X), Top: css(o.height - data.Max.Y), Width: css(size.X), Height: css(size.Y)}))
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
	o.addText(o.cutLabel(x, mid.X, o.width, margin), labelSize, mid.X, margin+6*px, object{})
	upwards := object{"rotation": math.Pi / 2}
	o.addText(o.cutLabel(y, mid.Y, o.chart.height, 2*px), labelSize, margin+labelSize/2, mid.Y, upwards)
	if o.bar != nil {
		o.addColourBar(area)
		if o.bar.width > 0 {
			o.addText(o.cutLabel(o.bar.label, mid.Y, o.chart.height, 2*px), labelSize, area.Max.X+o.bar.width+labelSize/2, mid.Y, upwards)
		}
	}
	names := []object{}
	for _, e := range o.entries {
		if e.icon != "" {
			names = append(names, object{"name": e.name, "icon": e.icon})
		} else if !e.note {
			names = append(names, object{"name": e.name})
		}
	}
	top := o.header - vg.Length(len(o.legend))*entryHeight - 4*px
	if o.figure.Kind == viz.KindFrames {
		top -= sliderHeight
	}
	o.live.SetGlobalOptions(
		charts.WithAnimation(false),
		charts.WithTooltipOpts(opts.Tooltip{Trigger: o.trigger}),
		charts.WithAriaOpts(&opts.Aria{Enabled: yes, Label: &opts.AriaLabel{Description: o.figure.Alt}}),
		charts.WithLegendOpts(opts.Legend{Data: names, Left: "1", Top: css(top), Width: css(o.width - 2*margin), ItemWidth: 24, ItemHeight: 10}),
	)
}

// addTitle adds a title whose left upper corner is at (x, y), y from above, cut to width unless it is 0.
func (o *option) addTitle(text string, size, x, y, width vg.Length) {
	const padding = 5 * px // around every title
	style := &opts.TextStyle{Color: string(viz.Ink), FontSize: whole(size), FontWeight: "bold", LineHeight: whole(size * 1.25)}
	if width > 0 {
		style.Width, style.Overflow = whole(width), "truncate"
	}
	o.titles = append(o.titles, opts.Title{Title: text, Left: css(x - padding), Top: css(y - padding), TitleStyle: style})
}

// addText adds text centred on (x, y), y from below.
func (o *option) addText(text string, size, x, y vg.Length, more object) {
	if text == "" {
		return
	}
	style := object{"text": text, "fill": viz.Ink, "textAlign": "center", "textVerticalAlign": "middle", "font": fmt.Sprintf("%dpx %s", whole(size), fonts)}
	t := object{"type": "text", "x": json.Number(css(x)), "y": json.Number(css(o.height - y)), "silent": true, "style": style}
	maps.Copy(t, more)
	o.graphics = append(o.graphics, t)
}

// hex is c as CSS writes it.
func hex(c color.NRGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// css is a length in CSS pixels, to a tenth, as go-echarts takes it.
func css(l vg.Length) string { return strconv.FormatFloat(float64(l/px), 'f', 1, 64) }

// whole is a length in whole CSS pixels.
func whole(l vg.Length) int { return int(math.Round(float64(l / px))) }

// rounded is v to six significant digits.
func rounded(v float64) json.Number { return json.Number(strconv.FormatFloat(v, 'g', 6, 64)) }
