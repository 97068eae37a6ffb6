package render

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"github.com/go-echarts/go-echarts/v2/opts"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"github.com/mklnb/mkl/viz"
)

// maxSurfaceSide is the largest number of cells along each axis of a single interactive surface. maxPanelSide is this
// number for each of several surfaces. There are limits because the file of the notebook stores every cell.
const (
	maxSurfaceSide = 48
	maxPanelSide   = 32
)

// newColorBarOption returns the color bar. area is the area of the panels: the bar stands to the right of it.
func (o *option) newColorBarOption(area vg.Rectangle) object {
	s := o.colorBar.colors
	// Ends are rounded outward to a thousandth of the range or finer: an end such as 7.67e-10 of a range up to 1 is 0.
	unit := math.Pow(10, math.Floor(math.Log10(s.max-s.min))-3)
	low, high := math.Floor(s.min/unit)*unit, math.Ceil(s.max/unit)*unit
	return object{"type": "continuous", "orient": "vertical", "dimension": 2, "calculable": true,
		"inRange": object{"color": s.stops},
		"min":     roundToSixDigits(low), "max": roundToSixDigits(high), "seriesIndex": o.heatMapSeries,
		"left": cssPixels(area.Max.X + 12*px), "top": cssPixels(o.height - area.Max.Y), "itemWidth": 14, "padding": 0,
		"align": "left",
		// leave room for the labels of the ends above and below
		"itemHeight": wholePixels(max(min(area.Max.Y-area.Min.Y, 400*px)-44*px, 60*px)),
		"textStyle":  opts.TextStyle{FontSize: wholePixels(tickSize)},
		"precision":  max(0, 1-int(math.Floor(math.Log10(s.max-s.min))))}
}

// addHeatMap adds the cells of panel f on the axes with index axisIndex. An entry of cells holds the column, the row
// and the value of one cell, and may hold its position as text. If the pointer is over a cell, the chart shows its
// value and its position: the text if cellsHavePositionText is true, and the row and column numbers otherwise.
func (o *option) addHeatMap(f viz.Figure, cells []any, axisIndex int, cellsHavePositionText bool) {
	encode := object{"x": 0, "y": 1, "tooltip": []int{2, 1, 0}}
	if cellsHavePositionText {
		encode["itemName"], encode["tooltip"] = 3, 2
	}
	o.heatMapSeries = append(o.heatMapSeries, len(o.series))
	columns := describeColumns("column", "ordinal", "row", "ordinal", f.Z.Label, "number", "where", "ordinal")
	o.addSeries("heatmap", f.Z.Label, axisIndex, axisIndex, cells,
		object{"encode": encode, "dimensions": columns, "progressive": 0})
}

// roundToFourDigits returns v rounded to four significant digits.
func roundToFourDigits(v float64) json.Number { return json.Number(strconv.FormatFloat(v, 'g', 4, 64)) }

// addHeat adds the surface f as panel panelIndex, its contours, and the series over it. Along each axis, the
// interactive surface has at most maxSurfaceSide cells, or maxPanelSide if there are several panels. The cells use
// hidden axes, which divide the visible axes into equal parts.
func (o *option) addHeat(panelIndex int, f viz.Figure) {
	cells, colors := f.Cells, o.colorBar.colors
	o.tooltipTrigger = "item"
	sideLimit := maxSurfaceSide
	if len(o.panels) > 1 {
		sideLimit = maxPanelSide
	}
	nx, ny := min(len(cells.X), sideLimit), min(len(cells.Y), sideLimit)
	z := grid{cells.X, cells.Y, cells.Z}
	var rows []any
	for r := range ny {
		y := o.y.denormalize((float64(r) + 0.5) / float64(ny))
		for k := range nx { // the value of a cell is the value of the surface at its center
			x := o.x.denormalize((float64(k) + 0.5) / float64(nx))
			position := fmt.Sprintf("(%s, %s)", viz.FormatNumber(x), viz.FormatNumber(y))
			rows = append(rows, []any{k, r, roundToFourDigits(z.valueAt(x, y)), position})
		}
	}
	valueXAxis := newValueAxis(panelIndex, o.x, o.xTicks, false)
	valueYAxis := newValueAxis(panelIndex, o.y, o.yTicks, false)
	valueXAxis["position"], valueYAxis["position"] = "bottom", "left"
	cellXAxis, cellYAxis := newHiddenAxis(panelIndex, "category"), newHiddenAxis(panelIndex, "category")
	cellXAxis["data"], cellYAxis["data"] = make([]string, nx), make([]string, ny)
	o.xAxes, o.yAxes = append(o.xAxes, cellXAxis, valueXAxis), append(o.yAxes, cellYAxis, valueYAxis)
	o.addHeatMap(f, rows, 2*panelIndex, true)
	axisIndex := 2*panelIndex + 1
	for _, level := range cells.ContourLevels {
		color := cssColor(colors.contrastingLineColor(level))
		o.addPaths("contours", z.contours(level), axisIndex, axisIndex, color, 0.9, 3)
	}
	for _, s := range f.Series {
		o.addPoints(f, s, axisIndex)
		if s.Mark != viz.MarkPoints { // a white rim around the line
			o.addPaths(s.Name, []plotter.XYs{o.toXYs(s.X, s.Y)}, axisIndex, axisIndex, "#ffffff", 4.4, 3)
		}
	}
}

func (o *option) addMatrix(panelIndex int, f viz.Figure) {
	z := f.Cells.Z
	o.tooltipTrigger = "item"
	var items []any
	for r, row := range z {
		for k, v := range row {
			items = append(items, []any{k, r, roundToFourDigits(v)})
		}
	}
	y := o.newCategoryAxis(panelIndex, numbersBelow(len(z)), o.yTicks)
	y["inverse"] = true
	o.xAxes, o.yAxes = append(o.xAxes, o.newCategoryAxis(panelIndex, numbersBelow(len(z[0])), o.xTicks)),
		append(o.yAxes, y)
	o.addHeatMap(f, items, panelIndex, false)
}

// numbersBelow returns 0, 1, …, n−1 as text.
func numbersBelow(n int) []string {
	out := make([]string, n)
	for k := range out {
		out[k] = strconv.Itoa(k)
	}
	return out
}
