package render

import (
	"fmt"

	"github.com/mklnb/mkl/viz"

	"github.com/go-echarts/go-echarts/v2/opts"
)

// addBars adds the bars or dots of f, panel panelIndex, with their error bars and the baselines. A bar uses the axis of
// the group names. Dots, error bars and baselines need positions between names; they use a hidden numeric axis,
// parallel to the axis of the names.
func (o *option) addBars(panelIndex int, f viz.Figure) {
	groupTicks, valueTicks := o.xTicks, o.yTicks
	if o.isHorizontal {
		groupTicks, valueTicks = valueTicks, groupTicks
	}
	groupAxis, barAxis := o.newCategoryAxis(panelIndex, f.Groups, groupTicks), newHiddenAxis(panelIndex, "value")
	barAxis["min"], barAxis["max"] = o.x.min, o.x.max
	valuesAxis := newValueAxis(panelIndex, o.y, valueTicks, true)
	valuesAxis["axisPointer"] = object{"show": false} // only the axis of groups has a pointer, which selects a group
	o.axisPointer = "shadow"
	// Indices of axes. For vertical bars, x is the axis of names, barXAxisIndex is the hidden axis, which places dots,
	// and y and barYAxisIndex are the axis of values. For horizontal bars, the x and y axes change places.
	x, y := 2*panelIndex, panelIndex
	barXAxisIndex, barYAxisIndex := x+1, y
	if o.isHorizontal {
		groupAxis["inverse"], barAxis["inverse"] = true, true
		x, y = panelIndex, 2*panelIndex
		barXAxisIndex, barYAxisIndex = x, y+1
		o.xAxes, o.yAxes = append(o.xAxes, valuesAxis), append(o.yAxes, groupAxis, barAxis)
	} else {
		o.xAxes, o.yAxes = append(o.xAxes, groupAxis, barAxis), append(o.yAxes, valuesAxis)
	}
	for _, b := range f.Baselines {
		o.addBaseline(b, barXAxisIndex, barYAxisIndex, layerOption(4), silent)
	}
	for k, s := range f.Series {
		center, width := barGeometry(k, len(f.Series))
		style := o.styles[s.Name]
		barValues, dotValues, positions := make([]any, len(s.Y)), make([]any, len(s.Y)), make([]float64, len(s.Y))
		valueTexts := shownTexts(f, s.Y)
		for g, v := range s.Y {
			positions[g] = float64(g) + center
			p, q := o.point(float64(g), v), o.point(positions[g], v)
			barValues[g] = []any{roundToSixDigits(p.X), roundToSixDigits(p.Y), s.ValueText(g)}
			dotText := f.Groups[g] + ": " + s.ValueText(g)
			if len(s.Lo) > 0 && s.Lo[g] < s.Hi[g] {
				dotText += ", " + s.Band
			}
			dotValues[g] = withValue([]any{roundToSixDigits(q.X), roundToSixDigits(q.Y), dotText}, valueTexts, g)
		}
		halfCapWidth, color := 0.0, style.Color
		if hasDots(f) {
			o.tooltipTrigger, o.isLegendFixed = "item", true
			o.addSeries("scatter", s.Name, barXAxisIndex, barYAxisIndex, dotValues, hoverColumns, layerOption(6),
				object{"symbol": symbols[style.Glyph%len(symbols)], "symbolSize": 9,
					"itemStyle": opts.ItemStyle{Color: string(color), Opacity: opts.Float(1)}})
		} else {
			widthShare := groupShare
			if len(f.Series) == 1 {
				widthShare = singleShare
			}
			o.addSeries("bar", s.Name, x, y, barValues, hoverColumns, fillStyle(style.Color),
				object{"barGap": "6%", "barCategoryGap": fmt.Sprintf("%.0f%%", 100*(1-widthShare))})
			halfCapWidth, color = width/6, viz.Ink
			// If a click hid a series, other bars would move without their error bars. So the legend is fixed.
			o.isLegendFixed = o.isLegendFixed || len(s.Lo) > 0
		}
		if len(s.Lo) > 0 {
			o.addErrorBars(s, positions, halfCapWidth, barXAxisIndex, barYAxisIndex, color)
		}
	}
}
