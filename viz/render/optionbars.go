package render

import (
	"fmt"

	"github.com/mklnb/mkl/viz"

	"github.com/go-echarts/go-echarts/v2/opts"
)

// addBars adds the bars of panel i. Error bars and baselines use a hidden numeric axis, parallel to the axis of the
// group names.
func (o *option) addBars(i int, f viz.Figure) {
	ticks, values := o.xTicks, o.yTicks
	if o.lying {
		ticks, values = values, ticks
	}
	last := float64(len(f.Groups)) - 0.5
	names, between := o.nameAxis(i, f.Groups, ticks, o.turned), hiddenAxis(i, "value")
	between["min"], between["max"] = -0.5, last
	value := valueAxis(i, o.y, values, true)
	value["axisPointer"] = object{"show": false} // hovering selects a group
	o.pointer = "shadow"
	// x and y are the indices of the axes of names and of values. betweenX and betweenY are the indices of the hidden
	// numeric axis and of the axis of values. Horizontal bars exchange the two directions.
	x, y := 2*i, i
	betweenX, betweenY := x+1, y
	if o.lying {
		names["inverse"], between["inverse"] = true, true
		x, y = i, 2*i
		betweenX, betweenY = x, y+1
		o.xAxes, o.yAxes = append(o.xAxes, value), append(o.yAxes, names, between)
	} else {
		o.xAxes, o.yAxes = append(o.xAxes, names, between), append(o.yAxes, value)
	}
	point := func(a, v any) [2]any {
		if o.lying {
			return [2]any{v, a}
		}
		return [2]any{a, v}
	}
	for _, b := range f.Baselines {
		o.addBaseline(b, [2][2]any{point(-0.5, b.Value), point(last, b.Value)}, betweenX, betweenY, layer(4), silent)
	}
	for k, s := range f.Series {
		centre, width := slot(k, len(f.Series))
		style := o.styles[s.Name]
		bars, dots, places := make([]any, len(s.Y)), make([]any, len(s.Y)), make([]float64, len(s.Y))
		for g, v := range s.Y {
			places[g] = float64(g) + centre
			p, q := point(g, rounded(v)), point(places[g], rounded(v))
			bars[g], dots[g] = []any{p[0], p[1], shown(s, g)}, []any{q[0], q[1], f.Groups[g] + ": " + shown(s, g)}
		}
		caps, colour := 0.0, style.Colour
		if dotted(f) {
			o.trigger, o.fixedLegend = "item", true
			o.add("scatter", s.Name, betweenX, betweenY, dots, hovered, layer(6),
				object{"symbol": symbols[style.Glyph%len(symbols)], "symbolSize": 9,
					"itemStyle": opts.ItemStyle{Color: string(colour), Opacity: opts.Float(1)}})
		} else {
			share := groupShare
			if len(f.Series) == 1 {
				share = loneShare
			}
			o.add("bar", s.Name, x, y, bars, hovered, filled(style.Colour),
				object{"barGap": "6%", "barCategoryGap": fmt.Sprintf("%.0f%%", 100*(1-share))})
			caps, colour = width/6, viz.Ink
			o.fixedLegend = o.fixedLegend || len(s.Lo) > 0 // error bars are placed for the case that all bars are shown
		}
		if len(s.Lo) > 0 {
			o.addErrorBars(s, places, caps, betweenX, betweenY, colour)
		}
	}
}
