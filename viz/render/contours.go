package render

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"

	"github.com/mklnb/mkl/viz"
)

// grid is a surface in the form that gonum takes: the value at (x[c], y[r]) is z[r][c].
type grid struct {
	x, y       []float64
	z          [][]float64
	hasClasses bool // the values are classes
}

func surfaceOf(c *viz.Cells) grid              { return grid{c.X, c.Y, c.Z, len(c.Classes) > 0} }
func regionOf(c *viz.Cells, r viz.Region) grid { return grid{c.X, c.Y, r.V, false} }

func (g grid) Dims() (c, r int)   { return len(g.x), len(g.y) }
func (g grid) Z(c, r int) float64 { return g.z[r][c] }
func (g grid) X(c int) float64    { return g.x[c] }
func (g grid) Y(r int) float64    { return g.y[r] }

// contours returns the lines {z = level} of the surface g, the longest first, in the coordinates of the data. They are
// straight between the lines of the grid. Gonum computes contours only while it draws them. So contours lets gonum draw
// on a canvas of width and height 1 that records the strokes, and scales the recorded strokes back.
func contours(g grid, level float64) []plotter.XYs {
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
			end := i == 0 || i == len(s.Path)-1 || s.Path[i+1].Type == vg.CloseComp
			// The points that gonum adds within a cell of the grid are dropped: the file would be twice as large.
			if comp.Type != vg.CloseComp && (end || isNearValue(g.x, q.X) || isNearValue(g.y, q.Y)) {
				line = append(line, q)
			}
		}
		out = append(out, line)
	}
	slices.SortFunc(out, func(a, b plotter.XYs) int { // gonum returns the lines in a random order
		return cmp.Or(cmp.Compare(lineLength(b), lineLength(a)), slices.CompareFunc(a, b, func(p, q plotter.XY) int {
			return cmp.Or(cmp.Compare(p.X, q.X), cmp.Compare(p.Y, q.Y))
		}))
	})
	return out
}

// isNearValue reports whether v equals one of the ascending values up to rounding, 1e-9 of their range.
func isNearValue(values []float64, v float64) bool {
	k, t := locate(values, v)
	return min(math.Abs(t), math.Abs(1-t))*(values[k+1]-values[k]) < 1e-9*(values[len(values)-1]-values[0])
}

func lineLength(line plotter.XYs) (sum float64) {
	for i, q := range line[1:] {
		sum += math.Hypot(q.X-line[i].X, q.Y-line[i].Y)
	}
	return sum
}
