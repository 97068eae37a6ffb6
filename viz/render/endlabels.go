package render

import (
	"cmp"
	"fmt"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/mklnb/mkl/viz"
)

// endLabel is the name of a line, written at its end instead of in a legend.
type endLabel struct {
	name  string
	color viz.Color
	y     float64 // y value at the end of the line
}

// findEndLabels returns the names of lines and baselines that are written at the right ends of the lines. It returns
// nil, so that the legend shows the names, if the chart has several panels or is not a chart of lines, if there are
// more than 4 lines or more than 6 lines and baselines together, if a line ends before 94 % of the x axis or is drawn
// as points only, or if a name is wider than 150 pixels.
func (c *chart) findEndLabels() []endLabel {
	f := c.panels[0]
	if f.Kind != viz.KindLines || len(c.panels) > 1 || len(f.Series) > 4 || len(f.Series)+len(f.Baselines) > 6 {
		return nil
	}
	var out []endLabel
	for _, s := range f.Series {
		lastIndex := len(s.X) - 1
		if c.x.normalize(s.X[lastIndex]) < 0.94 || s.Mark == viz.MarkPoints {
			return nil
		}
		out = append(out, endLabel{s.Name, c.styles[s.Name].Color, c.y.raiseNonPositive(s.Y[lastIndex])})
	}
	for _, b := range f.Baselines {
		out = append(out, endLabel{b.Name, viz.Quiet, b.Value})
	}
	for _, e := range out {
		if c.writer.textWidth(e.name, textFont(tickSize, false)) > 150*px {
			return nil
		}
	}
	return out
}

// drawEndLabels writes the labels to the right of plotArea, the area inside the axes of panel p. If labels would
// overlap, it moves them and draws a thin line from the end of each moved curve to its name.
func (c *chart) drawEndLabels(cv draw.Canvas, p *plot.Plot, plotArea draw.Canvas) {
	slices.SortStableFunc(c.endLabels, func(a, b endLabel) int { return cmp.Compare(a.y, b.y) })
	var endHeights, nameHeights []vg.Length // heights of the ends of the curves and of their names
	for _, e := range c.endLabels {
		endHeights = append(endHeights, min(max(plotArea.Y(p.Y.Norm(e.y)), plotArea.Min.Y), plotArea.Max.Y))
	}
	nameHeights = slices.Clone(endHeights)
	separatePositions(nameHeights, tickSize*1.2, plotArea.Max.Y)
	for i, e := range c.endLabels {
		labelStyle := c.writer.textStyle(tickSize, false, legibleColor(e.color))
		writeLine(cv, labelStyle, plotArea.Max.X+8*px, nameHeights[i]-4*px, e.name)
		if d := nameHeights[i] - endHeights[i]; d > 2*px || d < -2*px {
			cv.StrokeLine2(solidLine(toNRGBA(e.color), 0.7*px), plotArea.Max.X, endHeights[i],
				plotArea.Max.X+6*px, nameHeights[i])
		}
	}
}

// legibleColor returns c or, if text of this color on white would have a contrast below 4.5, a darker shade that has at
// least this contrast.
func legibleColor(c viz.Color) viz.Color {
	v := toNRGBA(c)
	for luminance(v) > 0.18 {
		v.R, v.G, v.B = uint8(0.95*float64(v.R)), uint8(0.95*float64(v.G)), uint8(0.95*float64(v.B))
	}
	return viz.Color(fmt.Sprintf("#%02x%02x%02x", v.R, v.G, v.B))
}

// separatePositions moves the ascending positions so that neighbors are minDistance apart or more, none above top.
func separatePositions(positions []vg.Length, minDistance, top vg.Length) {
	for i := 1; i < len(positions); i++ {
		positions[i] = max(positions[i], positions[i-1]+minDistance)
	}
	for i := len(positions) - 1; i >= 0; i-- {
		positions[i] = min(positions[i], top)
		top = positions[i] - minDistance
	}
}
