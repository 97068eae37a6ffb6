package render

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"strconv"

	"github.com/go-echarts/go-echarts/v2/opts"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/mklnb/mkl/viz"
)

// maxSurfaceSide is the largest number of cells along each axis of a single interactive surface. maxPanelSide is this
// number for each of several surfaces. There are limits because the file of the notebook stores every cell.
const (
	maxSurfaceSide = 48
	maxPanelSide   = 32
)

// visualMap returns the color bar. area is the area of the panels: the bar stands to the right of it.
func (o *option) visualMap(area vg.Rectangle) object {
	s := o.colorBar.colors
	bar := object{"type": "continuous", "orient": "vertical", "dimension": 2, "calculable": true,
		"inRange": object{"color": s.stops},
		"min":     sixDigits(s.min), "max": sixDigits(s.max), "seriesIndex": o.heatMaps,
		"left": cssPixels(area.Max.X + 12*px), "top": cssPixels(o.height - area.Max.Y), "itemWidth": 14, "padding": 0,
		"align": "left",
		// leave room for the labels of the ends above and below
		"itemHeight": wholePixels(max(min(area.Max.Y-area.Min.Y, 400*px)-44*px, 60*px)),
		"textStyle":  opts.TextStyle{FontSize: wholePixels(tickSize)},
		"precision":  max(0, 1-int(math.Floor(math.Log10(s.max-s.min))))}
	if o.colorBar.width == 0 {
		bar["show"] = false
	}
	return bar
}

// addHeatMap adds the cells of panel f on the axes with index i. heatMapRow returns one row of rows. If the pointer is
// over a cell, the chart shows its value and its position: the text of the row if named is true, and the row and column
// numbers otherwise.
func (o *option) addHeatMap(f viz.Figure, rows []any, i int, named bool, parts ...object) {
	encode := object{"x": 0, "y": 1, "tooltip": []int{2, 1, 0}}
	if named {
		encode["itemName"], encode["tooltip"] = 3, 2
	}
	o.heatMaps = append(o.heatMaps, len(o.series))
	columns := columnDescriptions("column", "ordinal", "row", "ordinal", f.Z.Label, "number", "where", "ordinal")
	o.addSeries("heatmap", f.Z.Label, i, i, rows, append(parts,
		object{"encode": encode, "dimensions": columns, "progressive": 0})...)
}

// heatMapRow returns the data of one cell: column, row, value with four significant digits and, unless it is empty, the
// position as text.
func heatMapRow(column, row int, v float64, position string) []any {
	out := []any{column, row, json.Number(strconv.FormatFloat(v, 'g', 4, 64))}
	if position != "" {
		return append(out, position)
	}
	return out
}

// addHeat adds the surface of panel i, its regions and contours, and the series over it. The interactive surface has at
// most maxSurfaceSide or maxPanelSide cells along each axis. They use hidden axes, which divide the visible axes into
// equal parts.
func (o *option) addHeat(i int, f viz.Figure, p *plot.Plot, data draw.Canvas) {
	cells, colors := f.Cells, o.colorBar.colors
	o.trigger = "item"
	limit := maxSurfaceSide
	if len(o.panels) > 1 {
		limit = maxPanelSide
	}
	nx, ny := min(len(cells.X), limit), min(len(cells.Y), limit)
	z := surfaceOf(cells)
	var rows []any
	for r := range ny {
		y := o.y.value((float64(r) + 0.5) / float64(ny))
		for k := range nx { // the value of a cell is the value of the surface at its center
			x := o.x.value((float64(k) + 0.5) / float64(nx))
			position := fmt.Sprintf("(%s, %s)", viz.FormatNumber(x), viz.FormatNumber(y))
			v := z.valueAt(x, y)
			if len(cells.Classes) > 0 {
				position = cells.Classes[int(v)] + " at " + position
			}
			rows = append(rows, heatMapRow(k, r, v, position))
		}
	}
	valueX, valueY := valueAxis(i, o.x, o.xTicks, false), valueAxis(i, o.y, o.yTicks, false)
	valueX["position"], valueY["position"] = "bottom", "left"
	cellX, cellY := hiddenAxis(i, "category"), hiddenAxis(i, "category")
	cellX["data"], cellY["data"] = make([]string, nx), make([]string, ny)
	o.xAxes, o.yAxes = append(o.xAxes, cellX, valueX), append(o.yAxes, cellY, valueY)
	o.addHeatMap(f, rows, 2*i, true)
	axisIndex := 2*i + 1
	for k, name := range cells.Classes { // empty series, which make the entries of the legend
		o.addPaths(name, nil, axisIndex, axisIndex, "#ffffff", 0, 3, fillColor(o.classColor(k)))
		o.fixedLegend = true
	}
	for _, r := range cells.Regions {
		v := regionOf(cells, r)
		o.addPaths(r.Name, o.hatchLines(v, data.Size()), axisIndex, axisIndex, "rgba(255,255,255,0.7)", 1, 3,
			fillColor(regionColor)) // this color is for the entry in the legend
		o.addPaths(r.Name, contours(v, 0), axisIndex, axisIndex, "#ffffff", 2.2, 3)
	}
	lines := make([][]plotter.XYs, len(cells.Levels))
	for k, level := range cells.Levels {
		lines[k] = contours(z, level)
		o.addPaths("contours", lines[k], axisIndex, axisIndex, cssColor(colors.textColorOn(level)), 0.9, 3)
	}
	if len(o.panels) == 1 {
		for _, l := range o.contourLabels(p, data, cells.Levels, lines) {
			o.addText(l.text, noteSize, l.at.X, l.at.Y, object{"z": 8})
			maps.Copy(o.graphics[len(o.graphics)-1]["style"].(object), object{
				"fill":            cssColor(colors.textColorOn(l.level)),
				"backgroundColor": cssColor(colors.colorOf(l.level)), "padding": []int{1, 2}})
		}
	}
	for _, s := range f.Series {
		o.addPoints(f, s, axisIndex)
		if s.Mark != viz.MarkPoints { // a white rim around the line
			o.addPaths(s.Name, []plotter.XYs{o.toXYs(s.X, s.Y)}, axisIndex, axisIndex, "#ffffff", 4.4, 3)
		}
	}
}

// addMatrix adds the matrix of panel i.
func (o *option) addMatrix(i int, f viz.Figure, width vg.Length) {
	cells := f.Cells
	o.trigger = "item"
	rows, cols := cellNames(cells.Rows, len(cells.Z)), cellNames(cells.Cols, len(cells.Z[0]))
	isLegible := width/vg.Length(len(cols)) >= legibleSide
	isNamed := len(cells.Rows) > 0 || len(cells.Cols) > 0
	var items []any
	for r := range rows {
		for k := range cols {
			v := cells.Z[r][k]
			position := ""
			if isNamed {
				position = rows[r] + ", " + cols[k]
			}
			item := any(heatMapRow(k, r, v, position))
			if isLegible {
				item = object{"value": item, "label": object{"color": cssColor(o.colorBar.colors.textColorOn(v)),
					"formatter": shortNumber(v)}}
			}
			items = append(items, item)
		}
	}
	y := o.nameAxis(i, rows, o.yTicks, false)
	y["inverse"] = true
	o.xAxes, o.yAxes = append(o.xAxes, o.nameAxis(i, cols, o.xTicks, o.verticalNames)), append(o.yAxes, y)
	o.addHeatMap(f, items, i, isNamed, object{"label": object{"show": isLegible, "fontSize": 11},
		"emphasis": object{"itemStyle": opts.ItemStyle{BorderColor: string(viz.Ink), BorderWidth: 1}}})
}

// cellNames returns the names of n rows or columns of a matrix: names or, if there are none, their numbers.
func cellNames(names []string, n int) []string {
	if len(names) > 0 {
		return names
	}
	out := make([]string, n)
	for k := range out {
		out[k] = strconv.Itoa(k)
	}
	return out
}
