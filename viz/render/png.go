package render

import (
	"bytes"
	"image/png"

	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// resolution is the resolution of a PNG in dots per inch. With 96, the PNG has as many pixels as the SVG has CSS
// pixels. Exports to paper use the PNG.
const resolution = 96

func (c *chart) encodePNG() ([]byte, error) {
	canvas := vgimg.NewWith(vgimg.UseWH(c.width, c.height), vgimg.UseDPI(resolution))
	c.draw(draw.New(canvas))
	var b bytes.Buffer
	err := png.Encode(&b, canvas.Image())
	return b.Bytes(), err
}
