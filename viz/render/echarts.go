package render

import (
	"encoding/json"
	"math"
	"strings"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
	"gonum.org/v1/plot"

	"github.com/mklnb/mkl/viz"
)

// What ECharts 5 knows and the types of go-echarts lack stands in this file, all of it.

// with is a value of go-echarts with the fields that its type lacks.
type with[T any] struct {
	it   T
	more any
}

// MarshalJSON writes both as one object.
func (w with[T]) MarshalJSON() ([]byte, error) {
	it, err := json.Marshal(w.it)
	if err != nil {
		return nil, err
	}
	more, err := json.Marshal(w.more)
	if err != nil || len(more) == len("{}") {
		return it, err
	}
	it[len(it)-1] = ','
	return append(it, more[1:]...), nil
}

// object is a JSON object.
type object = map[string]any

// more is what a series lacks. One that is silent has no tooltip either.
type more struct {
	Z             int         `json:"z,omitempty"`
	Silent        bool        `json:"silent,omitempty"`
	StackStrategy string      `json:"stackStrategy,omitempty"`
	Dimensions    []dimension `json:"dimensions,omitempty"`
	Emphasis      any         `json:"emphasis"` // go-echarts cannot disable it
	Tooltip       object      `json:"tooltip,omitempty"`
}

// series is a series with both; as one of type with, its data would be written twice.
type series struct {
	known
	more
}

type known struct{ charts.SingleSeries }

type dimension struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

// complete adds to the chart of go-echarts what that lacks: more than one title, texts and their fonts,
// a legend that cannot be clicked, a tooltip that stays in the chart and does not move, a background of
// the grids, the series and the size of the colour bar, and ends of it that are 0 or no float32.
func (o *option) complete(all object) object {
	all["title"], all["xAxis"], all["yAxis"], all["graphic"] = o.titles, o.xAxes, o.yAxes, o.graphics
	all["textStyle"] = opts.TextStyle{FontFamily: fonts, Color: string(viz.Ink)}
	all["legend"] = with[any]{all["legend"], object{"selectedMode": !o.fixedLegend, "textStyle": object{"fontSize": whole(tickSize)}}}
	all["tooltip"] = with[any]{all["tooltip"], object{"confine": true, "transitionDuration": 0, "textStyle": opts.TextStyle{FontSize: 12},
		"axisPointer": with[opts.AxisPointer]{opts.AxisPointer{Type: o.pointer}, object{"animation": false}}}}
	var list []series
	for i, s := range o.live.MultiSeries {
		m := o.more[i]
		if m.Emphasis == nil {
			m.Emphasis = object{"disabled": true}
		}
		if m.Silent {
			m.Tooltip = object{"show": false}
		}
		list = append(list, series{known{s}, m})
	}
	all["series"] = list
	if o.bar != nil {
		s := o.bar.colours
		bar := object{"min": rounded(s.min), "max": rounded(s.max), "seriesIndex": o.heatMaps, "itemWidth": 14, "itemHeight": o.barHeight,
			"padding": 0, "align": "left", "textStyle": object{"fontSize": whole(tickSize)}, "precision": max(0, 1-int(math.Floor(math.Log10(s.max-s.min))))}
		if s.log {
			bar["min"], bar["max"] = 0, 1
		}
		all["visualMap"] = with[opts.VisualMap]{o.live.VisualMapList[0], bar}
		var grids []with[opts.Grid]
		for _, g := range o.live.GridList { // seams between cells would be white
			grids = append(grids, with[opts.Grid]{g, object{"show": true, "borderWidth": 0, "backgroundColor": hex(s.of(s.value(0.4)))}})
		}
		all["grid"] = grids
	}
	delete(all, "toolbox") // not used: every series has its colour
	delete(all, "color")
	return all
}

// slider is a timeline at this distance from the top. A step of it replaces the series: one that the next
// frame lacks would stay.
func slider(names []string, top string) object {
	colour := func(c viz.Colour) object { return object{"color": c} }
	active := string(viz.Qualitative[0])
	return object{"axisType": "category", "data": names, "top": top, "left": "4", "right": "24", "height": 40, "playInterval": 900, "loop": false,
		"replaceMerge": []string{"series"}, "symbolSize": 8,
		"label":           object{"color": viz.Ink, "fontSize": 11, "position": 12},
		"lineStyle":       object{"color": viz.Faint, "width": 3},
		"itemStyle":       colour(viz.Quiet),
		"checkpointStyle": object{"color": active, "size": 13, "borderWidth": 0, "animation": false},
		"controlStyle":    object{"itemSize": 18, "itemGap": 8, "color": active, "borderColor": active},
		"progress":        object{"lineStyle": object{"color": active, "width": 3}, "itemStyle": colour(viz.Qualitative[0]), "label": colour(viz.Ink)},
		"emphasis":        object{"label": colour(viz.Ink), "itemStyle": colour(viz.Qualitative[0]), "controlStyle": object{"color": active, "borderColor": active}},
	}
}

// axis is an axis of either direction: opts.YAxis has no ticks.
type axis = with[opts.XAxis]

var (
	yes, no   = opts.Bool(true), opts.Bool(false)
	quietLine = &opts.LineStyle{Color: string(viz.Quiet)}
)

// valueAxis is an axis of numbers of panel i with the ticks of the picture, which go-echarts cannot place.
func valueAxis(i int, s scale, ticks []plot.Tick, lines bool) axis {
	kind := "value"
	if s.log {
		kind = "log"
	}
	var at []json.Number
	for _, t := range ticks {
		if t.Label != "" && t.Value >= s.min && t.Value <= s.max {
			at = append(at, rounded(t.Value))
		}
	}
	placed := object{"customValues": at}
	return axis{opts.XAxis{GridIndex: i, Type: kind, Min: s.min, Max: s.max, AxisLine: &opts.AxisLine{Show: yes, OnZero: no, LineStyle: quietLine},
		SplitLine: &opts.SplitLine{Show: opts.Bool(lines), LineStyle: &opts.LineStyle{Color: string(viz.Faint)}}},
		object{"axisTick": with[opts.AxisTick]{opts.AxisTick{Show: yes, LineStyle: quietLine}, placed},
			"axisLabel": with[opts.AxisLabel]{opts.AxisLabel{Color: string(viz.Ink), Margin: 10, FontSize: whole(tickSize)}, placed}}} // clear of the ticks
}

// nameAxis is an axis of names of panel i, of which those that ticks label are shown, cut as they are.
// The interval of go-echarts is a string, which ECharts does not take for a number.
func (o *option) nameAxis(i int, names []string, ticks []plot.Tick, turned bool) axis {
	label, shown := opts.AxisLabel{Color: string(viz.Ink), FontSize: whole(tickSize)}, 0
	for _, t := range ticks {
		if t.Label != "" {
			shown++
		}
		if strings.Contains(t.Label, "…") {
			label.Width, label.Overflow = whole(o.widest(ticks))+2, "truncate"
		}
	}
	if turned {
		label.Rotate = 90
	}
	return axis{opts.XAxis{GridIndex: i, Type: "category", Data: names, AxisLine: &opts.AxisLine{OnZero: no, LineStyle: quietLine}},
		object{"axisTick": opts.AxisTick{Show: no}, "axisLabel": with[opts.AxisLabel]{label, object{"interval": (len(names) - 1) / max(shown, 1)}}}}
}

// hiddenAxis is an axis without ink: of what is placed between names, or, of n cells without names.
func hiddenAxis(i int, kind string) axis {
	return axis{opts.XAxis{GridIndex: i, Type: kind, Show: no, AxisPointer: &opts.AxisPointer{Show: no}}, object{}}
}
