package render

import (
	"image/color"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/mklnb/mkl/viz"
)

// addBands adds the band of each line of f: the area between Lo and Hi.
func (c *chart) addBands(p *plot.Plot, f viz.Figure) {
	for _, s := range f.Series {
		if len(s.Lo) > 0 && s.Mark != viz.MarkPoints {
			lower := c.toXYs(s.X, s.Lo)
			slices.Reverse(lower)
			outline := append(c.toXYs(s.X, s.Hi), lower...)
			addPlotters(p, &plotter.Polygon{XYs: []plotter.XYs{outline}, Color: withOpacity(c.styles[s.Name].Color,
				bandAlpha)})
		}
	}
}

// errorBars returns error bars from Lo to Hi of s, with caps of width capWidth. The error bar of value i stands at
// positions[i] on the axis of the groups, or on the x axis.
func (c *chart) errorBars(positions []float64, s viz.Series, lineColor color.Color, capWidth vg.Length) plot.Plotter {
	barLine, n := solidLine(lineColor, 1.2*px), len(positions)
	barEnds, barLengths := make(plotter.XYs, n), make(plotter.YErrors, n)
	for i, position := range positions {
		lo, hi := c.y.raiseNonPositive(s.Lo[i]), c.y.raiseNonPositive(s.Hi[i])
		barEnds[i], barLengths[i].High = c.point(position, lo), hi-lo
	}
	if c.isHorizontal {
		return &plotter.XErrorBars{XYs: barEnds, XErrors: plotter.XErrors(barLengths), LineStyle: barLine,
			CapWidth: capWidth}
	}
	return &plotter.YErrorBars{XYs: barEnds, YErrors: barLengths, LineStyle: barLine, CapWidth: capWidth}
}

func drawErrorBarSample(c *draw.Canvas) {
	barStyle := solidLine(toNRGBA(viz.Ink), 1.2*px)
	x := c.Center().X
	c.StrokeLine2(barStyle, x, c.Min.Y, x, c.Max.Y)
	c.StrokeLine2(barStyle, x-3*px, c.Min.Y, x+3*px, c.Min.Y)
	c.StrokeLine2(barStyle, x-3*px, c.Max.Y, x+3*px, c.Max.Y)
}
