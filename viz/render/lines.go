package render

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/mklnb/mkl/viz"
)

// toXYs returns the points (x[i], y[i]) in the form that gonum takes. Points with y ≤ 0 lie near the lower end of a
// logarithmic axis.
func (c *chart) toXYs(x, y []float64) plotter.XYs {
	out := make(plotter.XYs, len(x))
	for i := range x {
		out[i] = plotter.XY{X: x[i], Y: c.y.raiseNonPositive(y[i])}
	}
	return out
}

// addLines adds the lines and points of f to p. On a surface they have a white rim.
func (c *chart) addLines(p *plot.Plot, f viz.Figure) {
	isSurface := f.Kind == viz.KindHeat
	for _, s := range f.Series {
		style := c.styles[s.Name]
		xys := c.toXYs(s.X, s.Y)
		if s.Mark != viz.MarkPoints {
			line := plotter.Line{XYs: xys, LineStyle: lineStyle(style)}
			if isSurface {
				rimLine := line
				rimLine.LineStyle = solidLine(white, lineWidth+2.4*px)
				addPlotters(p, &rimLine)
			}
			addPlotters(p, &line)
		} else if len(s.Lo) > 0 {
			addPlotters(p, c.errorBars(s.X, s, toNRGBA(style.Color), 6*px))
		}
		markers := plotter.Scatter{GlyphStyle: glyphStyle(style, pointRadius)}
		if len(xys) > 400 {
			markers.Radius = 2 * px
		}
		if isSurface || s.Mark == viz.MarkPoints {
			markers.Shape = rimmedGlyph{markers.Shape}
		}
		nonPositiveMarkers := plotter.Scatter{GlyphStyle: nonPositiveGlyph(style.Color)}
		for i, q := range xys {
			switch {
			case c.y.isNonPositiveOnLog(s.Y[i]):
				nonPositiveMarkers.XYs = append(nonPositiveMarkers.XYs, q)
			case s.Mark == viz.MarkPoints || s.Mark == viz.MarkBoth || len(xys) == 1:
				markers.XYs = append(markers.XYs, q)
			}
		}
		addPlotters(p, &markers, &nonPositiveMarkers)
		if s.Mark == viz.MarkBoth {
			addPlotters(p, plotterFunc(func(cv draw.Canvas, p *plot.Plot) { c.writeValues(cv, p, f, xys, s.Y) }))
		}
	}
}

// writeValues writes the values above the points at xys if f shows its values.
func (c *chart) writeValues(cv draw.Canvas, p *plot.Plot, f viz.Figure, xys plotter.XYs, values []float64) {
	style := c.writer.textStyle(tickSize, false, viz.Ink)
	toX, toY := p.Transforms(&cv)
	for i, text := range shownTexts(f, values) {
		q := xys[i]
		half, x, y := c.writer.textWidth(text, style.Font)/2, toX(q.X), toY(q.Y)+7*px
		left, right := x-half-2*px, x+half+2*px
		cv.FillPolygon(white, []vg.Point{{X: left, Y: y}, {X: right, Y: y}, {X: right, Y: y + tickSize},
			{X: left, Y: y + tickSize}})
		writeLine(cv, style, x-half, y, text)
	}
}

// addGrid adds faint grid lines at the ticks that have labels. An axis of names has no grid lines.
func (c *chart) addGrid(p *plot.Plot) {
	faintLine := solidLine(toNRGBA(viz.Faint), 1*px)
	grid := &plotter.Grid{Vertical: faintLine, Horizontal: faintLine}
	switch {
	case c.isHorizontal:
		grid.Horizontal.Color = nil
	case c.x.isCategorical:
		grid.Vertical.Color = nil
	}
	addPlotters(p, grid)
}

func (c *chart) addBaselines(p *plot.Plot, f viz.Figure) {
	for _, b := range f.Baselines {
		addPlotters(p, &plotter.Line{XYs: c.baselinePoints(b.Value), LineStyle: baselineStyle})
	}
}

// baselinePoints returns the ends of the line y = v across the whole panel.
func (c *chart) baselinePoints(v float64) plotter.XYs {
	return plotter.XYs{c.point(c.x.min, v), c.point(c.x.max, v)}
}

// point returns the point with the value x on the x axis (for bars, the axis of the groups) and y on the y axis.
// Horizontal bars exchange the two directions.
func (c *chart) point(x, y float64) plotter.XY {
	if c.isHorizontal {
		return plotter.XY{X: y, Y: x}
	}
	return plotter.XY{X: x, Y: y}
}
