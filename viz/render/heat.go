package render

import (
	"math"
	"sort"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/mklnb/mkl/viz"
)

// surface returns z on the grid of c.
func surface(c *viz.Cells, z [][]float64) grid { return grid{c.X, c.Y, z} }

// locate returns k and t such that v = (1−t)·at[k] + t·at[k+1].
func locate(at []float64, v float64) (k int, t float64) {
	k = sort.SearchFloat64s(at, v) - 1
	k = min(max(k, 0), len(at)-2)
	return k, (v - at[k]) / (at[k+1] - at[k])
}

// value returns z at (x, y), by bilinear interpolation between the points of the grid.
func (g grid) value(x, y float64) float64 {
	j, s := locate(g.x, x)
	i, t := locate(g.y, y)
	return (1-t)*((1-s)*g.z[i][j]+s*g.z[i][j+1]) + t*((1-s)*g.z[i+1][j]+s*g.z[i+1][j+1])
}

// nearest returns z at the point of the grid nearest to (x, y). It serves classes, which cannot be interpolated.
func (g grid) nearest(x, y float64) float64 {
	j, s := locate(g.x, x)
	i, t := locate(g.y, y)
	return g.z[i+int(math.Round(t))][j+int(math.Round(s))]
}

// colourAt returns a function from a point of c to the value that determines its color. Between the points of the grid
// it is a mean of the neighbors or, for classes, the class of the nearest point.
func colourAt(c *viz.Cells) func(x, y float64) float64 {
	if len(c.Classes) > 0 {
		return surface(c, c.Z).nearest
	}
	return surface(c, c.Z).value
}

// addHeat adds the surface, its regions and its contours.
func (c *chart) addHeat(p *plot.Plot, f viz.Figure) {
	z, at := surface(f.Cells, f.Cells.Z), colourAt(f.Cells)
	add(p, plotterFunc(func(cv draw.Canvas, p *plot.Plot) {
		// The image has one pixel for each pixel of the PNG.
		size := cv.Size()
		w, h := int(math.Ceil(float64(size.X/vg.Inch*resolution))), int(math.Ceil(float64(size.Y/vg.Inch*resolution)))
		cv.DrawImage(cv.Rectangle, c.bar.colours.image(w, h, 73, func(i, j int) float64 {
			return at(c.x.value((float64(j)+0.5)/float64(w)), c.y.value(1-(float64(i)+0.5)/float64(h)))
		}))
	}))
	for _, r := range f.Cells.Regions {
		add(p, plotterFunc(func(cv draw.Canvas, p *plot.Plot) {
			for _, line := range c.hatch(surface(f.Cells, r.V), cv.Size()) {
				(&plotter.Line{XYs: line, LineStyle: stroke(translucent("#ffffff", 0.7), 1*px)}).Plot(cv, p)
			}
		}))
		for _, line := range contours(surface(f.Cells, r.V), 0) {
			add(p, &plotter.Line{XYs: line, LineStyle: stroke(white, 2.2*px)})
		}
	}
	lines := make([][]plotter.XYs, len(f.Cells.Levels))
	for k, level := range f.Cells.Levels {
		lines[k] = contours(z, level)
		for _, line := range lines[k] {
			add(p, &plotter.Line{XYs: line, LineStyle: stroke(c.bar.colours.inkOn(level), 0.9*px)})
		}
	}
	if len(c.panels) > 1 {
		return // no room for labels
	}
	add(p, plotterFunc(func(cv draw.Canvas, p *plot.Plot) {
		for _, l := range c.contourLabels(p, cv, f.Cells.Levels, lines) {
			cv.SetColor(c.bar.colours.colour(l.level))
			cv.Fill(l.box.Path())
			sty := c.w.style(noteSize, false, viz.Ink)
			sty.XAlign, sty.Color = draw.XCenter, c.bar.colours.inkOn(l.level)
			writeLine(cv, sty, l.at.X, l.at.Y-4*px, l.text)
		}
	}))
}

// contourLabel is the label of a contour.
type contourLabel struct {
	level float64
	text  string
	at    vg.Point     // the center of the label
	box   vg.Rectangle // the area that the label covers
}

// contourLabels places a label on the longest contour of each level. The label stands at the point nearest to the
// middle of the contour at which it lies inside the panel and overlaps no earlier label. If there is no such point, the
// level has no label.
func (c *chart) contourLabels(p *plot.Plot, cv draw.Canvas, levels []float64,
	lines [][]plotter.XYs) (out []contourLabel) {
	tx, ty := p.Transforms(&cv)
	inside := vg.Rectangle{Min: cv.Min.Add(vg.Point{X: 2 * px, Y: 3.5 * px}),
		Max: cv.Max.Sub(vg.Point{X: 2 * px, Y: 3.5 * px})}
	for k, level := range levels {
		if len(lines[k]) == 0 {
			continue
		}
		line := lines[k][0]
		l := contourLabel{level: level, text: viz.FormatNumber(level)}
		half := vg.Point{X: c.w.width(l.text, fontOf(noteSize, false))/2 + 2*px, Y: 6.5 * px}
		var length vg.Length
		for i := 1; i < len(line); i++ {
			length += vg.Length(math.Hypot(float64(tx(line[i].X)-tx(line[i-1].X)),
				float64(ty(line[i].Y)-ty(line[i-1].Y))))
		}
		if length < 4*half.X {
			continue
		}
		clear := func(b vg.Rectangle) bool {
			for _, o := range out {
				if b.Min.X < o.box.Max.X+3*px && b.Max.X > o.box.Min.X-3*px && b.Min.Y < o.box.Max.Y+2.5*px &&
					b.Max.Y > o.box.Min.Y-2.5*px {
					return false
				}
			}
			return b.Min.X > inside.Min.X && b.Max.X < inside.Max.X && b.Min.Y > inside.Min.Y && b.Max.Y < inside.Max.Y
		}
		for d := range len(line) {
			i := len(line)/2 + (d+1)/2*(1-2*(d%2)) // from the middle outwards, on both sides in turn
			if i < 0 || i >= len(line) {
				continue
			}
			l.at = vg.Point{X: tx(line[i].X), Y: ty(line[i].Y)}
			l.box = vg.Rectangle{Min: l.at.Sub(half), Max: l.at.Add(half)}
			if clear(l.box) {
				out = append(out, l)
				break
			}
		}
	}
	return out
}
