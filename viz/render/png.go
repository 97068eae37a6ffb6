package render

import (
	"bytes"
	"fmt"
	"image/png"

	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"github.com/mklnb/mkl/viz"
)

// resolution is the resolution of a PNG in dots per inch. With 96, the PNG has as many pixels as the SVG has CSS
// pixels. Exports to paper use the PNG.
const resolution = 96

// PNG returns f as a PNG file.
func PNG(f viz.Figure) ([]byte, error) {
	if err := checkDrawable(f); err != nil {
		return nil, err
	}
	c := newChart(f, newWriter(false), true)
	canvas := vgimg.NewWith(vgimg.UseWH(c.width, c.height), vgimg.UseDPI(resolution))
	c.draw(draw.New(canvas))
	var b bytes.Buffer
	if err := png.Encode(&b, canvas.Image()); err != nil {
		return nil, fmt.Errorf("render: write PNG of %q: %w", f.Title, err)
	}
	return b.Bytes(), nil
}
