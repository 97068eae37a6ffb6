package render

import (
	"math"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// hatchLines returns lines that rise at 45° and cover the region {v ≥ 0} of an area of the given size. The lines are in
// the coordinates of the data.
func (c *chart) hatchLines(v grid, size vg.Point) (out []plotter.XYs) {
	const (
		distance = 9 * math.Sqrt2 * px // distance along x between hatch lines, which are 9 px apart
		step     = 2 * px              // distance along x between two points at which v is evaluated
	)
	for offset := -size.Y; offset < size.X; offset += distance {
		// (offset + s, s) for 0 ≤ offset + s ≤ size.X, 0 ≤ s ≤ size.Y
		var in plotter.XYs
		for s := max(0, -offset); s <= min(size.Y, size.X-offset); s += step {
			q := plotter.XY{X: c.x.value(float64((offset + s) / size.X)), Y: c.y.value(float64(s / size.Y))}
			if v.valueAt(q.X, q.Y) >= 0 {
				in = append(in, q)
			} else if len(in) > 0 {
				out, in = append(out, plotter.XYs{in[0], in[len(in)-1]}), nil
			}
		}
		if len(in) > 0 {
			out = append(out, plotter.XYs{in[0], in[len(in)-1]})
		}
	}
	return out
}

func drawHatchSample(c *draw.Canvas) {
	h := c.Max.Y - c.Min.Y
	for x := c.Min.X - h/2; x < c.Max.X; x += 6 * px {
		c.StrokeLines(solidLine(white, 1*px), c.ClipLinesXY([]vg.Point{{X: x, Y: c.Min.Y}, {X: x + h, Y: c.Max.Y}})...)
	}
}
