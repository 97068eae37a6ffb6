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

// addBands adds the band of each line of f, from Lo to Hi.
func (c *chart) addBands(p *plot.Plot, f viz.Figure) {
	for _, s := range f.Series {
		if len(s.Lo) > 0 && !pointsOnly(f, s) {
			lower := c.xys(s.X, s.Lo)
			slices.Reverse(lower)
			outline := append(c.xys(s.X, s.Hi), lower...)
			add(p, &plotter.Polygon{XYs: []plotter.XYs{outline}, Color: translucent(c.styles[s.Name].Colour,
				bandAlpha)})
		}
	}
}

// errorBars returns error bars with caps, from Lo to Hi of s. The bar of value i stands at at[i] on the axis of the
// groups or of x.
func (c *chart) errorBars(at []float64, s viz.Series, colour color.Color, caps vg.Length) plot.Plotter {
	upright := &plotter.YErrorBars{LineStyle: stroke(colour, 1.2*px), CapWidth: caps}
	lying := &plotter.XErrorBars{LineStyle: upright.LineStyle, CapWidth: caps}
	for i, place := range at {
		lo, hi := c.y.drawn(s.Lo[i]), c.y.drawn(s.Hi[i])
		length := struct{ Low, High float64 }{0, hi - lo}
		upright.XYs, upright.YErrors = append(upright.XYs, plotter.XY{X: place, Y: lo}), append(upright.YErrors, length)
		lying.XYs, lying.XErrors = append(lying.XYs, plotter.XY{X: lo, Y: place}), append(lying.XErrors, length)
	}
	if c.lying {
		return lying
	}
	return upright
}

// errorBarSample draws an error bar for a legend.
func errorBarSample(c *draw.Canvas) {
	sty := stroke(rgb(viz.Ink), 1.2*px)
	x := c.Center().X
	c.StrokeLine2(sty, x, c.Min.Y, x, c.Max.Y)
	c.StrokeLine2(sty, x-3*px, c.Min.Y, x+3*px, c.Min.Y)
	c.StrokeLine2(sty, x-3*px, c.Max.Y, x+3*px, c.Max.Y)
}
