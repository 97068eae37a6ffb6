package render

import (
	"fmt"

	"gonum.org/v1/plot/vg"

	"github.com/mklnb/mkl/viz"
)

// addBars adds the bars of panel i. Error bars and baselines lie on a hidden axis of numbers beside
// that of the groups' names.
func (o *option) addBars(i int, f viz.Figure) {
	ticks := o.xTicks
	var width vg.Length // names below that are not turned have room
	if o.lying {
		ticks = o.yTicks
	}
	if o.lying || o.turned {
		width = o.widest(ticks)
	}
	last := float64(len(f.Groups)) - 0.5
	names := nameAxis(i, f.Groups, ticks, o.turned, width)
	between := hiddenAxis(i, "value", object{"min": -0.5, "max": last})
	o.pointer = "shadow"
	x, y := 2*i, i
	betweenX, betweenY := x+1, y
	values := o.yTicks
	if o.lying {
		names["inverse"], between["inverse"] = true, true
		x, y = i, 2*i
		betweenX, betweenY = x, y+1
		values = o.xTicks
	}
	value := valueAxis(i, o.y, values, true)
	value["axisPointer"] = object{"show": false} // one hovers over a group
	if o.lying {
		o.xAxes, o.yAxes = append(o.xAxes, value), append(o.yAxes, names, between)
	} else {
		o.xAxes, o.yAxes = append(o.xAxes, names, between), append(o.yAxes, value)
	}
	point := func(a, v float64) [2]float64 {
		if o.lying {
			return [2]float64{v, a}
		}
		return [2]float64{a, v}
	}
	for _, b := range f.Baselines {
		o.addBaseline(b, [2][2]float64{point(-0.5, b.Value), point(last, b.Value)}, betweenX, betweenY, object{"silent": true, "z": 4, "tooltip": object{"show": false}})
	}
	for k, s := range f.Series {
		centre, width := slot(k, len(f.Series))
		data, at := make([]any, len(s.Y)), make([]float64, len(s.Y))
		for g, v := range s.Y {
			p := point(float64(g), rounded(v))
			data[g] = []any{p[0], p[1], shown(s, g)}
			at[g] = float64(g) + centre
		}
		share := groupShare
		if len(f.Series) == 1 {
			share = loneShare
		}
		colour := o.styles[s.Name].Colour
		o.addSeries("bar", s.Name, x, y, data, object{"itemStyle": object{"color": colour}, "color": colour, "clip": true,
			"barGap": "6%", "barCategoryGap": fmt.Sprintf("%.0f%%", 100*(1-share))})
		if len(s.Lo) > 0 {
			o.fixedLegend = true // the error bars stand where the bars are when all are shown
			o.addErrorBars(s, at, width/6, betweenX, betweenY, string(viz.Ink))
		}
	}
}
