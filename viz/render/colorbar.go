package render

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/mklnb/mkl/viz"
)

// colorBar is the color bar on the right of the panels, which explains the colors. The color bar of gonum is not used
// because its ticks are on the left.
type colorBar struct {
	colors colorScale
	label  string
	ticks  []plot.Tick
	writer textWriter
	width  vg.Length
}

const barWidth = 14 * px // width of the colored strip, without ticks and label

// newColorBar returns the color bar of panels that show a surface or a matrix.
func newColorBar(panels []viz.Figure, w textWriter) *colorBar {
	b := &colorBar{colors: sharedColorScale(panels), label: panels[0].Z.Label, writer: w}
	var widest vg.Length
	b.ticks = b.colors.ticks(6)
	for _, t := range b.ticks {
		widest = max(widest, w.textWidth(t.Label, textFont(tickSize, false)))
	}
	b.width = gap + barWidth + 12*px + widest + labelSize*lineHeight
	return b
}

// draw draws the bar with its upper end at y1 and its left side at x. Its height is y1 − y0, but at least 90 and at
// most 400 pixels.
func (b *colorBar) draw(c draw.Canvas, x, y0, y1 vg.Length) {
	y0 = y1 - min(max(y1-y0, 90*px), 400*px)
	x1 := x + barWidth
	const n = 256
	gradient := b.colors.newImage(8, n, 255, func(i, _ int) float64 {
		return b.colors.denormalize(1 - (float64(i)+0.5)/n)
	})
	c.DrawImage(vg.Rectangle{Min: vg.Point{X: x, Y: y0}, Max: vg.Point{X: x1, Y: y1}}, gradient)
	for _, t := range b.ticks {
		y := y0 + vg.Length(b.colors.normalize(t.Value))*(y1-y0)
		c.StrokeLine2(solidLine(toNRGBA(viz.Quiet), 1*px), x1, y, x1+4*px, y)
		writeLine(c, b.writer.textStyle(tickSize, false, viz.Ink), x1+6*px, y-4*px, t.Label)
	}
	labelStyle := b.writer.textStyle(labelSize, false, viz.Ink)
	label := b.writer.shorten(b.label, labelStyle.Font, max(y1-y0, 150*px))
	writeUpwards(c, labelStyle, x+b.width-labelSize*lineHeight-8*px, (y0+y1)/2, label)
}
