package render

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/mklnb/mkl/viz"
)

// groupShare is the share of the room of a group that its bars take together, loneShare the same for a group with one
// bar. barGap is the gap between two bars of a group, as a share of the width of a bar.
const (
	groupShare = 0.78
	loneShare  = 0.6
	barGap     = 0.06
)

// slot returns the center and the width of bar k of n in a group that is centered at 0 and has width 1.
func slot(k, n int) (centre, width float64) {
	if n == 1 {
		return 0, loneShare
	}
	width = groupShare / (float64(n) + float64(n-1)*barGap)
	centre = -groupShare/2 + width/2 + float64(k)*width*(1+barGap)
	return centre, width
}

// dotted reports whether f shows dots instead of bars.
func dotted(f viz.Figure) bool { return f.Kind == viz.KindBars && pointsOnly(f, f.Series[0]) }

// addBars adds grouped bars with their error bars, and the line at 0 on which they stand. It adds dots instead if f has
// them.
func (c *chart) addBars(p *plot.Plot, f viz.Figure) {
	add(p, plotterFunc(func(cv draw.Canvas, p *plot.Plot) {
		size := cv.Size()
		group := size.X / vg.Length(len(f.Groups))
		if c.lying {
			group = size.Y / vg.Length(len(f.Groups))
		}
		for k, s := range f.Series {
			centre, width := slot(k, len(f.Series))
			bars := plotter.BarChart{Values: s.Y, XMin: centre, Width: vg.Length(width) * group,
				Color: rgb(c.styles[s.Name].Colour), Horizontal: c.lying}
			at := make([]float64, len(s.Y))
			for i := range at {
				at[i] = float64(i) + centre
			}
			if dotted(f) {
				if len(s.Lo) > 0 {
					c.errorBars(at, s, bars.Color, 6*px).Plot(cv, p)
				}
				for i, v := range s.Y {
					x, y := at[i], v
					if c.lying {
						x, y = v, at[i]
					}
					cv.DrawGlyph(glyph(c.styles[s.Name], 1.3*pointRadius), vg.Point{X: cv.X(p.X.Norm(x)),
						Y: cv.Y(p.Y.Norm(y))})
				}
				continue
			}
			bars.Plot(cv, p)
			if len(s.Lo) > 0 {
				c.errorBars(at, s, rgb(viz.Ink), 2*min(3*px, bars.Width/3)).Plot(cv, p)
			}
		}
	}))
	if dotted(f) {
		return
	}
	zero := math.Max(0, c.y.min)
	if sty := stroke(rgb(viz.Quiet), 1*px); c.lying {
		add(p, straight(sty, zero, p.Y.Min, zero, p.Y.Max))
	} else {
		add(p, straight(sty, p.X.Min, zero, p.X.Max, zero))
	}
}
