package render

import (
	"cmp"
	"fmt"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/mklnb/mkl/viz"
)

// endLabel is the name of a line, written at its end instead of in a legend.
type endLabel struct {
	name   string
	colour viz.Colour
	y      float64 // the value at the end of the line
}

// endLabels returns the labels of the lines if there are few and all end at the right, or nil.
func (c *chart) endLabels() []endLabel {
	f := c.panels[0]
	if f.Kind != viz.KindLines || len(c.panels) > 1 || len(f.Series) > 4 || len(f.Series)+len(f.Baselines) > 6 {
		return nil
	}
	var out []endLabel
	for _, s := range f.Series {
		last := len(s.X) - 1
		if c.x.norm(s.X[last]) < 0.94 || s.Mark == viz.MarkPoints {
			return nil
		}
		out = append(out, endLabel{s.Name, c.styles[s.Name].Colour, c.y.drawn(s.Y[last])})
	}
	for _, b := range f.Baselines {
		out = append(out, endLabel{b.Name, viz.Quiet, b.Value})
	}
	for _, e := range out {
		if c.w.width(e.name, fontOf(tickSize, false)) > 150*px {
			return nil
		}
	}
	return out
}

// drawEndLabels writes the labels to the right of the data. If labels would overlap, it moves them and draws a thin
// line from the end of each moved curve to its name.
func (c *chart) drawEndLabels(cv draw.Canvas, p *plot.Plot, data draw.Canvas) {
	slices.SortStableFunc(c.ends, func(a, b endLabel) int { return cmp.Compare(a.y, b.y) })
	var ends, at []vg.Length // heights of the curve ends and of the names
	for _, e := range c.ends {
		ends = append(ends, min(max(data.Y(p.Y.Norm(e.y)), data.Min.Y), data.Max.Y))
	}
	at = slices.Clone(ends)
	spread(at, tickSize*1.2, data.Max.Y)
	for i, e := range c.ends {
		writeLine(cv, c.w.style(tickSize, false, legible(e.colour)), data.Max.X+8*px, at[i]-4*px, e.name)
		if d := at[i] - ends[i]; d > 2*px || d < -2*px {
			cv.StrokeLine2(stroke(rgb(e.colour), 0.7*px), data.Max.X, ends[i], data.Max.X+6*px, at[i])
		}
	}
}

// legible returns the color c. If text of this color on white would have a contrast below 4.5, it returns a darker
// shade.
func legible(c viz.Colour) viz.Colour {
	v := rgb(c)
	for luminance(v) > 0.18 {
		v.R, v.G, v.B = uint8(0.95*float64(v.R)), uint8(0.95*float64(v.G)), uint8(0.95*float64(v.B))
	}
	return viz.Colour(fmt.Sprintf("#%02x%02x%02x", v.R, v.G, v.B))
}

// spread moves the ascending positions at. Then two neighbors are at least distance apart, and none is above top.
func spread(at []vg.Length, distance, top vg.Length) {
	for i := 1; i < len(at); i++ {
		at[i] = max(at[i], at[i-1]+distance)
	}
	for i := len(at) - 1; i >= 0; i-- {
		at[i] = min(at[i], top)
		top = at[i] - distance
	}
}
