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

// resolution is of a PNG, in dots per inch: the picture is as large as the SVG. A PNG is what an export to paper takes;
// drawing it is most of what a chart costs a cell, and its size most of what it adds to a notebook.
const resolution = 96

// PNG returns f as a PNG file.
func PNG(f viz.Figure) ([]byte, error) {
	if err := drawable(f); err != nil {
		return nil, err
	}
	c := newChart(f, newWriter(false), true)
	canvas := vgimg.NewWith(vgimg.UseWH(c.width, c.height), vgimg.UseDPI(resolution))
	c.draw(draw.New(canvas))
	b, err := encode(canvas.Image().(*image.RGBA))
	if err != nil {
		return nil, fmt.Errorf("render: write PNG of %q: %w", f.Title, err)
	}
	return b, nil
}

// encode writes img as a PNG file. A chart has a few hundred colours, nearly all of them shades on the
// rims of letters and lines. With one byte a pixel its file is written in a fifth of the time, which a
// reader waits for at every chart, and has half the size. So the most frequent colours become a palette
// where the others are rare and near to it; what has too many (a heat map) keeps them all.
func encode(img *image.RGBA) ([]byte, error) {
	var file image.Image = img
	if p := indexed(img); p != nil {
		file = p
	}
	var b bytes.Buffer
	// The fastest level takes a third of the time of the usual one and makes files larger by a fifth.
	if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, file); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
