package render

import (
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/mklnb/mkl/viz"
)

// endLabel names a line at its end, in place of a legend.
type endLabel struct {
	name   string
	colour viz.Colour
	y      float64 // where the line ends
}

// endLabels returns the labels of few lines that all end at the right, or nil.
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
		out = append(out, endLabel{s.Name, c.styles[s.Name].Colour, c.y.at(s.Y[last])})
	}
	for _, b := range f.Baselines {
		if !b.Vertical {
			out = append(out, endLabel{b.Name, viz.Quiet, b.Value})
		}
	}
	for _, e := range out {
		if c.w.width(e.name, fontOf(tickSize, false)) > 150*px {
			return nil
		}
	}
	return out
}

// drawEndLabels writes the labels beside the data. Where they would overlap they are moved, and a
// thin line leads from the end of the curve to its name.
func (c *chart) drawEndLabels(cv draw.Canvas, p *plot.Plot, data draw.Canvas) {
	type placed struct {
		endLabel
		at, end vg.Length // of the label, of the curve
	}
	var labels []placed
	for _, e := range c.ends {
		y := min(max(data.Y(p.Y.Norm(e.y)), data.Min.Y), data.Max.Y)
		labels = append(labels, placed{e, y, y})
	}
	slices.SortStableFunc(labels, func(a, b placed) int {
		if a.end < b.end {
			return -1
		}
		return 1
	})
	const distance = tickSize * 1.2
	for i := 1; i < len(labels); i++ { // upwards, and from the upper end down again
		labels[i].at = max(labels[i].at, labels[i-1].at+distance)
	}
	top := data.Max.Y
	for i := len(labels) - 1; i >= 0; i-- {
		labels[i].at = min(labels[i].at, top)
		top = labels[i].at - distance
	}
	for _, l := range labels {
		writeLine(cv, c.w.style(tickSize, false, l.colour), data.Max.X+8*px, l.at-4*px, l.name)
		if d := l.at - l.end; d > 2*px || d < -2*px {
			cv.StrokeLine2(stroke(rgb(l.colour), 0.7*px), data.Max.X, l.end, data.Max.X+6*px, l.at)
		}
	}
}
