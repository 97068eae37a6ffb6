package render

import (
	"image"
	"image/color"
	"math"

	"github.com/mklnb/mkl/viz"
)

// colourScale maps values to colours.
type colourScale struct {
	scale
	stops []viz.Colour
}

// colourScaleOf is the map that the cells of all panels share.
func colourScaleOf(panels []viz.Figure) colourScale {
	s := colourScale{scale: newScale(panels[0].Z.Log), stops: viz.Sequential}
	for _, f := range panels {
		if f.Cells.Diverging {
			s.stops = viz.Diverging
		}
		for _, row := range f.Cells.Z {
			s.include(row...)
		}
	}
	if len(s.stops) == len(viz.Diverging) {
		s.max = math.Max(math.Abs(s.min), math.Abs(s.max))
		s.min = -s.max
	}
	s.whole = false
	if k := len(panels[0].Cells.Classes); k > 0 {
		s.min, s.max = 0, float64(k-1)
	}
	s.widen()
	return s
}

// colour is the colour of v.
func (s colourScale) colour(v float64) color.NRGBA {
	r, g, b := viz.At(s.stops, s.norm(v))
	return color.NRGBA{R: r, G: g, B: b, A: 255}
}

// inkOn is a colour of text and lines that is legible on the colour of v, with a contrast of at least 4.5: white has it
// below a luminance of 0.18, black above, and Ink above 0.25.
func (s colourScale) inkOn(v float64) color.NRGBA {
	switch l := luminance(s.colour(v)); {
	case l > 0.25:
		return rgb(viz.Ink)
	case l > 0.18:
		return rgb("#000000")
	}
	return white
}

// luminance is the relative luminance of WCAG 2.1.
func luminance(c color.NRGBA) float64 {
	lin := func(v uint8) float64 {
		x := float64(v) / 255
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	return 0.2126*lin(c.R) + 0.7152*lin(c.G) + 0.0722*lin(c.B)
}

// image is a picture of w×h pixels in the colours of value(i, j), i from the top and j from the left.
// It has this number of different colours: of few, even areas keep its file small. An odd number has that
// of 0 on a scale symmetric about 0.
func (s colourScale) image(w, h, shades int, value func(i, j int) float64) *image.NRGBA {
	colours := make([]color.NRGBA, shades)
	for k := range colours {
		colours[k] = s.colour(s.value((float64(k) + 0.5) / float64(shades)))
	}
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for i := range h {
		for j := range w {
			k := int(float64(shades) * s.norm(value(i, j)))
			img.SetNRGBA(j, i, colours[min(max(k, 0), shades-1)])
		}
	}
	return img
}
