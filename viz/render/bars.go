package render

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/mklnb/mkl/viz"
)

// groupShare is the share of the room of a group that its bars take together. singleShare is this share if a group has
// one bar. barGap is the gap between two bars of a group, as a multiple of the width of a bar.
const (
	groupShare  = 0.78
	singleShare = 0.6
	barGap      = 0.06
)

// barGeometry returns the center and the width of one of barCount bars in a group from −½ to ½.
func barGeometry(barIndex, barCount int) (center, width float64) {
	if barCount == 1 {
		return 0, singleShare
	}
	width = groupShare / (float64(barCount) + float64(barCount-1)*barGap)
	center = -groupShare/2 + width/2 + float64(barIndex)*width*(1+barGap)
	return center, width
}

// hasDots reports whether f shows its values as dots instead of bars.
func hasDots(f viz.Figure) bool { return f.Kind == viz.KindBars && f.Series[0].Mark == viz.MarkPoints }

// addBars adds the grouped bars of f, their error bars, and the line at 0 on which the bars stand. If f has dots
// instead of bars, it adds the dots and their error bars.
func (c *chart) addBars(p *plot.Plot, f viz.Figure) {
	addPlotters(p, plotterFunc(func(cv draw.Canvas, p *plot.Plot) {
		plotSize := cv.Size()
		groupWidth := plotSize.X / vg.Length(len(f.Groups))
		if c.isHorizontal {
			groupWidth = plotSize.Y / vg.Length(len(f.Groups))
		}
		for k, s := range f.Series {
			center, width := barGeometry(k, len(f.Series))
			bars := plotter.BarChart{Values: s.Y, XMin: center, Width: vg.Length(width) * groupWidth,
				Color: toNRGBA(c.styles[s.Name].Color), Horizontal: c.isHorizontal}
			positions := make([]float64, len(s.Y))
			for i := range positions {
				positions[i] = float64(i) + center
			}
			if hasDots(f) {
				if len(s.Lo) > 0 {
					c.errorBars(positions, s, bars.Color, 6*px).Plot(cv, p)
				}
				dots := plotter.Scatter{GlyphStyle: glyphStyle(c.styles[s.Name], 1.3*pointRadius)}
				for i, v := range s.Y {
					dots.XYs = append(dots.XYs, c.point(positions[i], v))
				}
				dots.Plot(cv, p)
				c.writeValues(cv, p, f, dots.XYs, s.Y)
				continue
			}
			bars.Plot(cv, p)
			if len(s.Lo) > 0 {
				c.errorBars(positions, s, toNRGBA(viz.Ink), 2*min(3*px, bars.Width/3)).Plot(cv, p)
			}
		}
	}))
	if !hasDots(f) {
		zeroLine := c.baselinePoints(math.Max(0, c.y.min))
		addPlotters(p, &plotter.Line{XYs: zeroLine, LineStyle: solidLine(toNRGBA(viz.Quiet), 1*px)})
	}
}
