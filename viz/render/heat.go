package render

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"

	"github.com/mklnb/mkl/viz"
)

// grid is a surface in the form that gonum takes: the value at (x[c], y[r]) is z[r][c].
type grid struct {
	x, y []float64
	z    [][]float64
}

func (g grid) Dims() (c, r int)   { return len(g.x), len(g.y) }
func (g grid) Z(c, r int) float64 { return g.z[r][c] }
func (g grid) X(c int) float64    { return g.x[c] }
func (g grid) Y(r int) float64    { return g.y[r] }

// locateInterval returns the index k and the fraction t for which v = (1−t)·values[k] + t·values[k+1]. The values must
// ascend. If v lies outside their range, t is below 0 or above 1.
func locateInterval(values []float64, v float64) (index int, fraction float64) {
	index = sort.SearchFloat64s(values, v) - 1
	index = min(max(index, 0), len(values)-2)
	return index, (v - values[index]) / (values[index+1] - values[index])
}

// valueAt returns the value of the surface at (x, y), by bilinear interpolation between grid points.
func (g grid) valueAt(x, y float64) float64 {
	j, s := locateInterval(g.x, x)
	i, t := locateInterval(g.y, y)
	return (1-t)*((1-s)*g.z[i][j]+s*g.z[i][j+1]) + t*((1-s)*g.z[i+1][j]+s*g.z[i+1][j+1])
}

// contours returns the lines {z = level} of the surface g in the coordinates of the data. They are straight between the
// lines of the grid. Gonum computes contours only while it draws them. So contours lets gonum draw on a canvas of width
// and height 1 that records the strokes, and scales the recorded strokes back.
func (g grid) contours(level float64) []plotter.XYs {
	x0, x1, y0, y1 := g.x[0], g.x[len(g.x)-1], g.y[0], g.y[len(g.y)-1]
	p := plot.New()
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = x0, x1, y0, y1
	var recorded recorder.Canvas
	c := plotter.NewContour(g, []float64{level}, nil)
	c.Plot(draw.NewCanvas(&recorded, 1, 1), p)
	var out []plotter.XYs
	for _, a := range recorded.Actions {
		s, ok := a.(*recorder.Stroke)
		if !ok {
			continue
		}
		var line plotter.XYs
		for i, comp := range s.Path {
			q := plotter.XY{X: x0 + float64(comp.Pos.X)*(x1-x0), Y: y0 + float64(comp.Pos.Y)*(y1-y0)}
			isEnd := i == 0 || i == len(s.Path)-1 || s.Path[i+1].Type == vg.CloseComp
			// The points that gonum adds within a cell of the grid are dropped: the file would be twice as large.
			if comp.Type != vg.CloseComp && (isEnd || isNearValue(g.x, q.X) || isNearValue(g.y, q.Y)) {
				line = append(line, q)
			}
		}
		out = append(out, line)
	}
	slices.SortFunc(out, func(a, b plotter.XYs) int { // gonum returns the lines in a random order
		return slices.CompareFunc(a, b, func(p, q plotter.XY) int {
			return cmp.Or(cmp.Compare(p.X, q.X), cmp.Compare(p.Y, q.Y))
		})
	})
	return out
}

// isNearValue reports whether v equals one of the ascending values up to rounding, 1e-9 of their range.
func isNearValue(values []float64, v float64) bool {
	k, t := locateInterval(values, v)
	return min(math.Abs(t), math.Abs(1-t))*(values[k+1]-values[k]) < 1e-9*(values[len(values)-1]-values[0])
}

func (c *chart) addHeat(p *plot.Plot, f viz.Figure) {
	z := grid{f.Cells.X, f.Cells.Y, f.Cells.Z}
	addPlotters(p, plotterFunc(func(cv draw.Canvas, p *plot.Plot) {
		// The image of the surface has the resolution of the PNG.
		size := cv.Size()
		w, h := int(math.Ceil(float64(size.X/vg.Inch*resolution))), int(math.Ceil(float64(size.Y/vg.Inch*resolution)))
		cv.DrawImage(cv.Rectangle, c.colorBar.colors.newImage(w, h, 73, func(i, j int) float64 {
			return z.valueAt(c.x.denormalize((float64(j)+0.5)/float64(w)),
				c.y.denormalize(1-(float64(i)+0.5)/float64(h)))
		}))
	}))
	for _, level := range f.Cells.ContourLevels {
		style := solidLine(c.colorBar.colors.contrastingLineColor(level), 0.9*px)
		for _, line := range z.contours(level) {
			addPlotters(p, &plotter.Line{XYs: line, LineStyle: style})
		}
	}
}
