package render

import (
	"fmt"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"

	"github.com/mklnb/mkl/viz"
)

// addBars adds the bars of panel i. Error bars and baselines lie on a hidden axis of numbers beside
// that of the groups' names.
func (o *option) addBars(i int, f viz.Figure) {
	ticks, values := o.xTicks, o.yTicks
	if o.lying {
		ticks, values = values, ticks
	}
	last := float64(len(f.Groups)) - 0.5
	names := o.nameAxis(i, f.Groups, ticks, o.turned)
	between := hiddenAxis(i, "value")
	between.it.Min, between.it.Max = -0.5, last
	o.pointer = "shadow"
	x, y := 2*i, i
	betweenX, betweenY := x+1, y
	if o.lying {
		names.it.Inverse, between.it.Inverse = yes, yes
		x, y = i, 2*i
		betweenX, betweenY = x, y+1
	}
	value := valueAxis(i, o.y, values, true)
	value.it.AxisPointer = &opts.AxisPointer{Show: no} // one hovers over a group
	if o.lying {
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
		o.addBaseline(b, [2][2]any{point(-0.5, b.Value), point(last, b.Value)}, betweenX, betweenY, more{Z: 4, Silent: true})
	}
	for k, s := range f.Series {
		centre, width := slot(k, len(f.Series))
		rows, at := make([]any, len(s.Y)), make([]float64, len(s.Y))
		for g, v := range s.Y {
			p := point(g, rounded(v))
			rows[g] = []any{p[0], p[1], shown(s, g)}
			at[g] = float64(g) + centre
		}
		if dotted(f) {
			o.trigger, o.fixedLegend = "item", true
			for g, v := range s.Y {
				p := point(at[g], rounded(v))
				rows[g] = []any{p[0], p[1], f.Groups[g] + ": " + shown(s, g)}
			}
			style := o.styles[s.Name]
			o.add(charts.NewScatter().AddSeries(s.Name, nil, charts.WithScatterChartOpts(opts.ScatterChart{Symbol: symbols[style.Glyph%len(symbols)], SymbolSize: 9}),
				encoded, filled(style.Colour), on(betweenX, betweenY, rows)), more{Z: 6, Dimensions: columns})
			if len(s.Lo) > 0 {
				o.addErrorBars(s, at, 0, betweenX, betweenY, string(style.Colour))
			}
			continue
		}
		share := groupShare
		if len(f.Series) == 1 {
			share = loneShare
		}
		room := charts.WithBarChartOpts(opts.BarChart{BarGap: "6%", BarCategoryGap: fmt.Sprintf("%.0f%%", 100*(1-share))})
		o.add(charts.NewBar().AddSeries(s.Name, nil, room, encoded, filled(o.styles[s.Name].Colour), on(x, y, rows)), more{Dimensions: columns})
		if len(s.Lo) > 0 {
			o.fixedLegend = true // the error bars stand where the bars are when all are shown
			o.addErrorBars(s, at, width/6, betweenX, betweenY, string(viz.Ink))
		}
	}
}
