package render

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/mklnb/mkl/viz"
)

// colourBar explains the colors, on the right of the panels. The color bar of gonum is not used because its ticks are
// on the left.
type colourBar struct {
	colours colourScale
	label   string
	levels  []float64 // the levels of the contours
	ticks   []plot.Tick
	w       writer
	width   vg.Length
}

const barWidth = 14 * px // without ticks and label

// newColourBar returns the color bar of panels with cells. If the values are classes, the legend explains the colors,
// and the bar has width 0.
func newColourBar(panels []viz.Figure, w writer) *colourBar {
	b := &colourBar{colours: colourScaleOf(panels), label: panels[0].Z.Label, w: w}
	if len(panels[0].Cells.Classes) > 0 {
		return b
	}
	if len(panels) == 1 {
		b.levels = panels[0].Cells.Levels
	}
	var widest vg.Length
	for _, t := range b.colours.ticks(6) {
		if n := b.colours.norm(t.Value); t.Label != "" && n > -1e-9 && n < 1+1e-9 {
			b.ticks = append(b.ticks, t)
			widest = max(widest, w.width(t.Label, fontOf(tickSize, false)))
		}
	}
	b.width = gap + barWidth + 12*px + widest + labelSize*lineHeight
	return b
}

// draw draws the bar from (x, y0) upwards to y1.
func (b *colourBar) draw(c draw.Canvas, x, y0, y1 vg.Length) {
	if b.width == 0 {
		return
	}
	y0 = y1 - min(max(y1-y0, 90*px), 400*px)
	x1 := x + barWidth
	at := func(v float64) vg.Length { return y0 + vg.Length(b.colours.norm(v))*(y1-y0) }
	const n = 256
	strip := b.colours.image(8, n, 255, func(i, _ int) float64 { return b.colours.value(1 - (float64(i)+0.5)/n) })
	c.DrawImage(vg.Rectangle{Min: vg.Point{X: x, Y: y0}, Max: vg.Point{X: x1, Y: y1}}, strip)
	for _, l := range b.levels {
		if y := at(l); y >= y0 && y <= y1 {
			c.StrokeLine2(stroke(b.colours.inkOn(l), 1*px), x, y, x1, y)
		}
	}
	for _, t := range b.ticks {
		y := at(t.Value)
		c.StrokeLine2(stroke(rgb(viz.Quiet), 1*px), x1, y, x1+4*px, y)
		writeLine(c, b.w.style(tickSize, false, viz.Ink), x1+6*px, y-4*px, t.Label)
	}
	sty := b.w.style(labelSize, false, viz.Ink)
	writeUpwards(c, sty, x+b.width-labelSize*lineHeight-8*px, (y0+y1)/2, b.w.cut(b.label, sty.Font, max(y1-y0, 150*px)))
}
