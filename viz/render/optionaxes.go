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

// newValueAxis returns a numeric axis of the panel gridIndex with the ticks of the static picture. If gridLines is
// true, grid lines start at the ticks.
func newValueAxis(gridIndex int, s scale, ticks []plot.Tick, gridLines bool) object {
	axisKind := "value"
	if s.isLog {
		axisKind = "log"
	}
	var tickValues []json.Number
	for _, t := range ticks {
		if t.Label != "" && t.Value >= s.min && t.Value <= s.max {
			tickValues = append(tickValues, roundToSixDigits(t.Value))
		}
	}
	return object{"type": axisKind, "gridIndex": gridIndex, "min": s.min, "max": s.max,
		"axisLine":  opts.AxisLine{Show: opts.Bool(true), OnZero: opts.Bool(false), LineStyle: quietLine},
		"splitLine": opts.SplitLine{Show: opts.Bool(gridLines), LineStyle: faintLine},
		"axisTick":  object{"show": true, "lineStyle": quietLine, "customValues": tickValues},
		// The margin keeps the labels clear of the ticks.
		"axisLabel": object{"color": viz.Ink, "margin": 10, "fontSize": wholePixels(tickSize),
			"customValues": tickValues}}
}

// newCategoryAxis returns an axis of the panel gridIndex that shows names. ticks are the ticks of the static picture,
// one for each name. If only every k-th tick has a label, the axis shows every k-th name. If the static picture
// shortens a label, all names are cut to the width of the widest label.
func (o *option) newCategoryAxis(gridIndex int, names []string, ticks []plot.Tick) object {
	labelCount, widestLabel, hasCutLabel := 0, vg.Length(0), false
	for _, t := range ticks {
		if t.Label != "" {
			labelCount++
		}
		widestLabel = max(widestLabel, o.writer.textWidth(t.Label, textFont(tickSize, false)))
		hasCutLabel = hasCutLabel || strings.Contains(t.Label, "…")
	}
	label := object{"color": viz.Ink, "fontSize": wholePixels(tickSize),
		"interval": (len(names) - 1) / max(labelCount, 1)}
	if hasCutLabel {
		label["width"], label["overflow"] = wholePixels(widestLabel)+2, "truncate"
	}
	return object{"type": "category", "gridIndex": gridIndex, "data": names,
		"axisLine": opts.AxisLine{OnZero: opts.Bool(false), LineStyle: quietLine},
		"axisTick": opts.AxisTick{Show: opts.Bool(false)}, "axisLabel": label}
}

// newHiddenAxis returns an axis of the panel gridIndex that is not drawn. It serves to place dots and error bars beside
// the names of a visible axis, and to place the cells of a surface.
func newHiddenAxis(gridIndex int, axisType string) object {
	return object{"type": axisType, "gridIndex": gridIndex, "show": false, "axisPointer": object{"show": false}}
}
