package render

import (
	"encoding/json"
	"strings"

	"github.com/go-echarts/go-echarts/v2/opts"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"github.com/mklnb/mkl/viz"
)

var (
	quietLine = &opts.LineStyle{Color: string(viz.Quiet)}
	faintLine = &opts.LineStyle{Color: string(viz.Faint)}
)

// valueAxis returns a numeric axis of panel i with the ticks of the static picture. If gridLines is true, grid lines
// start at the ticks.
func valueAxis(i int, s scale, ticks []plot.Tick, gridLines bool) object {
	kind := "value"
	if s.isLog {
		kind = "log"
	}
	var tickValues []json.Number
	for _, t := range ticks {
		if t.Label != "" && t.Value >= s.min && t.Value <= s.max {
			tickValues = append(tickValues, sixDigits(t.Value))
		}
	}
	return object{"type": kind, "gridIndex": i, "min": s.min, "max": s.max,
		"axisLine":  opts.AxisLine{Show: opts.Bool(true), OnZero: opts.Bool(false), LineStyle: quietLine},
		"splitLine": opts.SplitLine{Show: opts.Bool(gridLines), LineStyle: faintLine},
		"axisTick":  object{"show": true, "lineStyle": quietLine, "customValues": tickValues},
		// The margin keeps the labels clear of the ticks.
		"axisLabel": object{"color": viz.Ink, "margin": 10, "fontSize": wholePixels(tickSize),
			"customValues": tickValues}}
}

// categoryAxis returns an axis of panel i that shows names. It shows every name, or every k-th name if only every k-th
// tick has a label. If a label of the picture was shortened, all names are cut to the width of the widest label.
func (o *option) categoryAxis(i int, names []string, ticks []plot.Tick) object {
	labelCount, widest, isCut := 0, vg.Length(0), false
	for _, t := range ticks {
		if t.Label != "" {
			labelCount++
		}
		widest = max(widest, o.writer.textWidth(t.Label, textFont(tickSize, false)))
		isCut = isCut || strings.Contains(t.Label, "…")
	}
	label := object{"color": viz.Ink, "fontSize": wholePixels(tickSize),
		"interval": (len(names) - 1) / max(labelCount, 1)}
	if isCut {
		label["width"], label["overflow"] = wholePixels(widest)+2, "truncate"
	}
	return object{"type": "category", "gridIndex": i, "data": names,
		"axisLine": opts.AxisLine{OnZero: opts.Bool(false), LineStyle: quietLine},
		"axisTick": opts.AxisTick{Show: opts.Bool(false)}, "axisLabel": label}
}

// hiddenAxis returns an axis of panel i that is not drawn. Such an axis places items at positions between names, and
// cells without names.
func hiddenAxis(i int, kind string) object {
	return object{"type": kind, "gridIndex": i, "show": false, "axisPointer": object{"show": false}}
}
