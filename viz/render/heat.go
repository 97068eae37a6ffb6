package render

import (
	"math"
	"slices"
	"sort"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/mklnb/mkl/viz"
)

// locate returns the index k and the weight t for which v = (1−t)·values[k] + t·values[k+1]. The values must ascend. If
// v lies outside their range, t is below 0 or above 1.
func locate(values []float64, v float64) (k int, t float64) {
	k = sort.SearchFloat64s(values, v) - 1
	k = min(max(k, 0), len(values)-2)
	return k, (v - values[k]) / (values[k+1] - values[k])
}

// valueAt returns the value of the surface at (x, y), by bilinear interpolation between grid points or, if the values
// are classes, the value at the nearest grid point.
func (g grid) valueAt(x, y float64) float64 {
	j, s := locate(g.x, x)
	i, t := locate(g.y, y)
	if g.hasClasses {
		s, t = math.Round(s), math.Round(t)
	}
	return (1-t)*((1-s)*g.z[i][j]+s*g.z[i][j+1]) + t*((1-s)*g.z[i+1][j]+s*g.z[i+1][j+1])
}

// addHeat adds the surface of f, its regions and its contours to p.
func (c *chart) addHeat(p *plot.Plot, f viz.Figure) {
	z := surfaceOf(f.Cells)
	addPlotters(p, plotterFunc(func(cv draw.Canvas, p *plot.Plot) {
		// The image of the surface has the resolution of the PNG.
		size := cv.Size()
		w, h := int(math.Ceil(float64(size.X/vg.Inch*resolution))), int(math.Ceil(float64(size.Y/vg.Inch*resolution)))
		cv.DrawImage(cv.Rectangle, c.colorBar.colors.image(w, h, 73, func(i, j int) float64 {
			return z.valueAt(c.x.value((float64(j)+0.5)/float64(w)), c.y.value(1-(float64(i)+0.5)/float64(h)))
		}))
	}))
	for _, r := range f.Cells.Regions {
		v := regionOf(f.Cells, r)
		addPlotters(p, plotterFunc(func(cv draw.Canvas, p *plot.Plot) {
			for _, line := range c.hatchLines(v, cv.Size()) {
				(&plotter.Line{XYs: line, LineStyle: solidLine(withOpacity("#ffffff", 0.7), 1*px)}).Plot(cv, p)
			}
		}))
		for _, line := range contours(v, 0) {
			addPlotters(p, &plotter.Line{XYs: line, LineStyle: solidLine(white, 2.2*px)})
		}
	}
	lines := make([][]plotter.XYs, len(f.Cells.Levels))
	for k, level := range f.Cells.Levels {
		lines[k] = contours(z, level)
		for _, line := range lines[k] {
			addPlotters(p, &plotter.Line{XYs: line, LineStyle: solidLine(c.colorBar.colors.textColorOn(level), 0.9*px)})
		}
	}
	if len(c.panels) > 1 {
		return // small panels have no room for labels
	}
	addPlotters(p, plotterFunc(func(cv draw.Canvas, p *plot.Plot) {
		for _, l := range c.contourLabels(p, cv, f.Cells.Levels, lines) {
			cv.SetColor(c.colorBar.colors.colorOf(l.level))
			cv.Fill(l.box.Path())
			sty := c.w.textStyle(noteSize, false, viz.Ink)
			sty.XAlign, sty.Color = draw.XCenter, c.colorBar.colors.textColorOn(l.level)
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

// contourLabels returns the labels of contours, at most one for each level: on the longest contour of the level
// (lines[k][0]), near its middle, where the label lies inside the panel and overlaps no earlier label. A level without
// such a point has no label, nor has a level whose longest contour has fewer than 8 points.
func (c *chart) contourLabels(p *plot.Plot, cv draw.Canvas, levels []float64,
	lines [][]plotter.XYs) (out []contourLabel) {
	tx, ty := p.Transforms(&cv)
	for k, level := range levels {
		if len(lines[k]) == 0 || len(lines[k][0]) < 8 {
			continue
		}
		line, text := lines[k][0], viz.FormatNumber(level)
		half := vg.Point{X: c.w.textWidth(text, fontOf(noteSize, false))/2 + 3*px, Y: 7.5 * px}
		for _, share := range []float64{0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8} {
			q := line[int(share*float64(len(line)))]
			center := vg.Point{X: tx(q.X), Y: ty(q.Y)}
			l := contourLabel{level: level, text: text, at: center}
			l.box = vg.Rectangle{Min: center.Sub(half), Max: center.Add(half)}
			if unionRect(cv.Rectangle, l.box) == cv.Rectangle &&
				!slices.ContainsFunc(out, func(o contourLabel) bool { return overlap(o.box, l.box) }) {
				out = append(out, l)
				break
			}
		}
	}
	return out
}

// overlap reports whether the interiors of a and b have a common point.
func overlap(a, b vg.Rectangle) bool {
	return a.Min.X < b.Max.X && b.Min.X < a.Max.X && a.Min.Y < b.Max.Y && b.Min.Y < a.Max.Y
}
