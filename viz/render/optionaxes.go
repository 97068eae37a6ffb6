package render

import (
	"encoding/json"
	"strings"

	"github.com/go-echarts/go-echarts/v2/opts"
	"gonum.org/v1/plot"

	"github.com/mklnb/mkl/viz"
)

var (
	quietLine = &opts.LineStyle{Color: string(viz.Quiet)}
	faintLine = &opts.LineStyle{Color: string(viz.Faint)}
)

// valueAxis returns a numeric axis of panel i with the ticks of the picture.
func valueAxis(i int, s scale, ticks []plot.Tick, lines bool) object {
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
	return object{"type": kind, "gridIndex": i, "min": s.min, "max": s.max,
		"axisLine":  opts.AxisLine{Show: opts.Bool(true), OnZero: opts.Bool(false), LineStyle: quietLine},
		"splitLine": opts.SplitLine{Show: opts.Bool(lines), LineStyle: faintLine},
		"axisTick":  object{"show": true, "lineStyle": quietLine, "customValues": at},
		// The margin keeps the labels clear of the ticks.
		"axisLabel": object{"color": viz.Ink, "margin": 10, "fontSize": whole(tickSize), "customValues": at}}
}

// nameAxis returns an axis of names of panel i. It shows the names that have a tick with a label, cut to the same
// width.
func (o *option) nameAxis(i int, names []string, ticks []plot.Tick, turned bool) object {
	shown, label := 0, object{"color": viz.Ink, "fontSize": whole(tickSize)}
	for _, t := range ticks {
		if t.Label != "" {
			shown++
		}
		if strings.Contains(t.Label, "…") {
			label["width"], label["overflow"] = whole(o.widest(ticks))+2, "truncate"
		}
	}
	label["interval"] = (len(names) - 1) / max(shown, 1)
	if turned {
		label["rotate"] = 90
	}
	return object{"type": "category", "gridIndex": i, "data": names,
		"axisLine": opts.AxisLine{OnZero: opts.Bool(false), LineStyle: quietLine},
		"axisTick": opts.AxisTick{Show: opts.Bool(false)}, "axisLabel": label}
}

// hiddenAxis returns an axis that is not drawn. It positions items between names, or cells that have no names.
func hiddenAxis(i int, kind string) object {
	return object{"type": kind, "gridIndex": i, "show": false, "axisPointer": object{"show": false}}
}
