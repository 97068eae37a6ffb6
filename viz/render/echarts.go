package render

import (
	"math"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"

	"github.com/mklnb/mkl/viz"
)

// What ECharts 5 knows and the types of go-echarts lack, all of it: each type here embeds one of
// go-echarts and adds the fields, and the visitor below hands it out in place of that.

// axis lacks ticks and labels at given values; the interval of labels is a string there, which ECharts
// does not take for a number. It is an axis of either direction: opts.YAxis has no axisTick at all.
type axis struct {
	opts.XAxis
	AxisLabel *axisLabel `json:"axisLabel,omitempty"`
	AxisTick  *axisTick  `json:"axisTick,omitempty"`
}

type axisLabel struct {
	opts.AxisLabel
	CustomValues []float64 `json:"customValues,omitempty"`
	Interval     int       `json:"interval"`
}

type axisTick struct {
	opts.AxisTick
	CustomValues []float64 `json:"customValues,omitempty"`
}

// panelGrid lacks its background.
type panelGrid struct {
	opts.Grid
	BackgroundColor string `json:"backgroundColor"`
	BorderWidth     int    `json:"borderWidth"`
}

// legend has a string that cannot be false.
type legend struct {
	opts.Legend
	SelectedMode bool `json:"selectedMode"`
}

// legendName is an item of a legend's data, for which go-echarts has no type.
type legendName struct {
	Name      string          `json:"name"`
	Icon      string          `json:"icon,omitempty"`
	ItemStyle *opts.ItemStyle `json:"itemStyle,omitempty"`
}

// tooltip lacks what keeps it in the chart, without animation and small.
type tooltip struct {
	opts.Tooltip
	Confine            bool           `json:"confine"`
	TransitionDuration float64        `json:"transitionDuration"`
	AxisPointer        axisPointer    `json:"axisPointer"`
	TextStyle          opts.TextStyle `json:"textStyle"`
}

type axisPointer struct {
	opts.AxisPointer
	Animation bool `json:"animation"`
}

// visualMap lacks its size, its series and a lower end of 0; its ends are float32.
type visualMap struct {
	opts.VisualMap
	Min         float64 `json:"min"`
	Max         float64 `json:"max"`
	SeriesIndex []int   `json:"seriesIndex"`
	ItemWidth   float64 `json:"itemWidth"`
	ItemHeight  float64 `json:"itemHeight"`
	Padding     int     `json:"padding"`
	Align       string  `json:"align"`
	Precision   int     `json:"precision"`
}

// series is a series of the chart with what it lacks.
type series struct {
	known
	more
}

type known struct{ charts.SingleSeries }

// more is what a series lacks. One that is silent has no tooltip either.
type more struct {
	Z             int         `json:"z,omitempty"`
	Silent        bool        `json:"silent,omitempty"`
	StackStrategy string      `json:"stackStrategy,omitempty"`
	Dimensions    []dimension `json:"dimensions,omitempty"`
	Emphasis      any         `json:"emphasis"`
	Tooltip       object      `json:"tooltip,omitempty"`
}

type dimension struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

// VisitTitleOpt returns the titles of the figure and of its panels: go-echarts has one.
func (o *option) VisitTitleOpt(opts.Title) any { return o.titles }

// VisitXAxis returns the axes across.
func (o *option) VisitXAxis([]opts.XAxis) any { return o.xAxes }

// VisitYAxis returns the axes upwards.
func (o *option) VisitYAxis([]opts.YAxis) any { return o.yAxes }

// VisitLegendOpt completes the legend.
func (o *option) VisitLegendOpt(l opts.Legend) any { return legend{l, !o.fixedLegend} }

// VisitTooltipOpt completes the tooltip.
func (o *option) VisitTooltipOpt(t opts.Tooltip) any {
	return tooltip{Tooltip: t, Confine: true, AxisPointer: axisPointer{AxisPointer: *t.AxisPointer}, TextStyle: opts.TextStyle{FontSize: 12}}
}

// VisitGrid gives grids of cells a colour of the cells: the seams between them would be white.
func (o *option) VisitGrid(grids []opts.Grid) any {
	if o.bar == nil {
		return grids
	}
	out := make([]panelGrid, len(grids))
	for i, g := range grids {
		g.Show = opts.Bool(true)
		out[i] = panelGrid{Grid: g, BackgroundColor: hex(o.bar.colours.of(o.bar.colours.value(0.4)))}
	}
	return out
}

// VisitVisualMaps completes the colour bar.
func (o *option) VisitVisualMaps(bars []opts.VisualMap) any {
	s := o.bar.colours
	v := visualMap{VisualMap: bars[0], Min: rounded(s.min), Max: rounded(s.max), SeriesIndex: o.heatMaps, ItemWidth: 14, ItemHeight: o.barHeight,
		Align: "left", Precision: max(0, 1-int(math.Floor(math.Log10(s.max-s.min))))}
	if s.log {
		v.Min, v.Max = 0, 1
	}
	return v
}

// VisitSeriesOpt completes the series.
func (o *option) VisitSeriesOpt(list charts.MultiSeries) any {
	out := make([]series, len(list))
	for i, s := range list {
		m := o.more[i]
		if m.Emphasis == nil {
			m.Emphasis = object{"disabled": true}
		}
		if m.Silent {
			m.Tooltip = object{"show": false}
		}
		out[i] = series{known{s}, m}
	}
	return out
}

// Visit adds the components that go-echarts does not know and drops those that are not used.
func (o *option) Visit(all map[string]any) {
	all["textStyle"] = opts.TextStyle{FontFamily: fonts, Color: string(viz.Ink)}
	all["graphic"] = o.graphics
	delete(all, "toolbox")
	delete(all, "color")
}

// object is a JSON object.
type object = map[string]any
