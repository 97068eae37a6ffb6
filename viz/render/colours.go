package render

import (
	"image"
	"image/color"
	"math"

	"github.com/mklnb/mkl/viz"
)

// colourScale maps values to colors.
type colourScale struct {
	scale
	stops []viz.Colour
}

// colourScaleOf returns the color scale that the cells of all panels share.
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

// colour returns the color of v.
func (s colourScale) colour(v float64) color.NRGBA {
	r, g, b := viz.At(s.stops, s.norm(v))
	return color.NRGBA{R: r, G: g, B: b, A: 255}
}

// inkOn returns a color of text and lines that is legible on the color of v, with a contrast of at least 4.5. White has
// this contrast if the luminance of the background is below 0.18, black if it is above 0.18, and Ink if it is above
// 0.25.
func (s colourScale) inkOn(v float64) color.NRGBA {
	switch l := luminance(s.colour(v)); {
	case l > 0.25:
		return rgb(viz.Ink)
	case l > 0.18:
		return rgb("#000000")
	}
	return white
}

// luminance returns the relative luminance defined in WCAG 2.1.
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

// image returns an image of w×h pixels in the colors of value(i, j), with i from the top and j from the left. It has at
// most shades different colors: few of them make even areas, which keep the file small. If shades is odd, one of the
// colors is the color of 0 on a scale symmetric about 0.
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
