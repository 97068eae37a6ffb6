package render

import (
	"fmt"

	"github.com/mklnb/mkl/viz"

	"github.com/go-echarts/go-echarts/v2/opts"
)

// addBars adds the bars or dots of panel i, with their error bars and the baselines. A bar uses the axis of the group
// names. Dots, error bars and baselines need positions between names; they use a hidden numeric axis, parallel to the
// axis of the names.
func (o *option) addBars(i int, f viz.Figure) {
	ticks, values := o.xTicks, o.yTicks
	if o.isHorizontal {
		ticks, values = values, ticks
	}
	names, between := o.categoryAxis(i, f.Groups, ticks), hiddenAxis(i, "value")
	between["min"], between["max"] = o.x.min, o.x.max
	value := valueAxis(i, o.y, values, true)
	value["axisPointer"] = object{"show": false} // only the axis of groups has a pointer, which selects a group
	o.pointer = "shadow"
	// x and y are the indices of the axes of names and of values. betweenX and betweenY are the indices of the hidden
	// numeric axis and of the axis of values. Horizontal bars exchange the two directions.
	x, y := 2*i, i
	betweenX, betweenY := x+1, y
	if o.isHorizontal {
		names["inverse"], between["inverse"] = true, true
		x, y = i, 2*i
		betweenX, betweenY = x, y+1
		o.xAxes, o.yAxes = append(o.xAxes, value), append(o.yAxes, names, between)
	} else {
		o.xAxes, o.yAxes = append(o.xAxes, names, between), append(o.yAxes, value)
	}
	for _, b := range f.Baselines {
		o.addBaseline(b, betweenX, betweenY, layerOption(4), silent)
	}
	for k, s := range f.Series {
		center, width := barGeometry(k, len(f.Series))
		style := o.styles[s.Name]
		bars, dots, positions := make([]any, len(s.Y)), make([]any, len(s.Y)), make([]float64, len(s.Y))
		for g, v := range s.Y {
			positions[g] = float64(g) + center
			p, q := o.point(float64(g), v), o.point(positions[g], v)
			bars[g] = []any{sixDigits(p.X), sixDigits(p.Y), s.ValueText(g)}
			dots[g] = []any{sixDigits(q.X), sixDigits(q.Y), f.Groups[g] + ": " + s.ValueText(g)}
		}
		halfCap, color := 0.0, style.Color
		if hasDots(f) {
			o.trigger, o.fixedLegend = "item", true
			o.addSeries("scatter", s.Name, betweenX, betweenY, dots, hoverColumns, layerOption(6),
				object{"symbol": symbols[style.Glyph%len(symbols)], "symbolSize": 9,
					"itemStyle": opts.ItemStyle{Color: string(color), Opacity: opts.Float(1)}})
		} else {
			share := groupShare
			if len(f.Series) == 1 {
				share = singleShare
			}
			o.addSeries("bar", s.Name, x, y, bars, hoverColumns, fillColor(style.Color),
				object{"barGap": "6%", "barCategoryGap": fmt.Sprintf("%.0f%%", 100*(1-share))})
			halfCap, color = width/6, viz.Ink
			// If a click hid a series, the other bars would move, but not their error bars.
			o.fixedLegend = o.fixedLegend || len(s.Lo) > 0
		}
		if len(s.Lo) > 0 {
			o.addErrorBars(s, positions, halfCap, betweenX, betweenY, color)
		}
	}
}
