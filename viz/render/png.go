package render

import (
	"bytes"
	"fmt"
	"image"
	"image/png"

	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"github.com/mklnb/mkl/viz"
)

// resolution is the resolution of a PNG in dots per inch. With 96, the PNG has as many pixels as the SVG has CSS
// pixels. Exports to paper use the PNG. Drawing the PNG takes most of the time that a chart adds to a cell, and its
// bytes are most of what a chart adds to a notebook.
const resolution = 96

// PNG returns f as a PNG file.
func PNG(f viz.Figure) ([]byte, error) {
	if err := checkDrawable(f); err != nil {
		return nil, err
	}
	c := newChart(f, newWriter(false), true)
	canvas := vgimg.NewWith(vgimg.UseWH(c.width, c.height), vgimg.UseDPI(resolution))
	c.draw(draw.New(canvas))
	b, err := encodePNG(canvas.Image().(*image.RGBA))
	if err != nil {
		return nil, fmt.Errorf("render: write PNG of %q: %w", f.Title, err)
	}
	return b, nil
}

// encodePNG returns img as a PNG file. If possible, the file has a palette (toPaletted): with one byte per pixel it has
// half the size and is written in a fifth of the time, which the reader waits for at every chart. A chart has a few
// hundred colors; nearly all of them are shades on the rims of letters and lines. An image with too many colors, such
// as a heat map, keeps all of them.
func encodePNG(img *image.RGBA) ([]byte, error) {
	var file image.Image = img
	if p := toPaletted(img); p != nil {
		file = p
	}
	var b bytes.Buffer
	// The fastest level takes a third of the time of the default level. The files are larger by a fifth.
	if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, file); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
