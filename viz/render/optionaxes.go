package render

import (
	"maps"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"github.com/mklnb/mkl/viz"
)

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
		"axisLabel": object{"customValues": at, "color": viz.Ink, "fontSize": 12},
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
