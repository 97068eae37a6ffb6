package render

import (
	"fmt"

	"gonum.org/v1/plot/vg"

	"github.com/mklnb/mkl/viz"
)

// Width is the width of a picture in CSS pixels, and squareWidth that of a square figure.
const (
	Width       = 700
	squareWidth = 320
)

// Render draws f as SVG, as PNG and as an option of ECharts. All have the same height. In SVG and PNG, the names of
// lines stand at their right ends if there is room; the interactive chart writes them in the legend.
func Render(f viz.Figure) (p viz.Picture, err error) {
	if p, err = SVG(f); err != nil {
		return viz.Picture{}, err
	}
	interactive := newChart(f, newWriter(true), false)
	interactive.height = vg.Length(p.Height) * px
	if p.PNG, err = newChart(f, newWriter(false), true).encodePNG(); err != nil {
		return p, fmt.Errorf("render: cannot write the PNG of %q: %w", f.Title, err)
	}
	if p.Option, err = interactive.optionJSON(); err != nil {
		return p, fmt.Errorf("render: cannot write the ECharts option (JSON) of figure %q: %w", f.Title, err)
	}
	return p, nil
}

// SVG draws f as SVG alone: the SVG of Render, without its other forms.
func SVG(f viz.Figure) (p viz.Picture, err error) {
	if err := f.Validate(); err != nil {
		return p, err
	}
	if f.Kind == viz.KindTable {
		return p, fmt.Errorf("render: the table %q has no picture: expected a chart; HTMLTable and Text write tables",
			f.Title)
	}
	c := newChart(f, newWriter(true), true)
	p.Width, p.Height = wholePixels(c.width), wholePixels(c.height)
	if p.SVG, err = c.svg(); err != nil {
		return p, fmt.Errorf("render: cannot write the SVG of %q: %w", f.Title, err)
	}
	return p, nil
}
