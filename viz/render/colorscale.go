package render

import (
	"image"
	"image/color"
	"math"

	"github.com/mklnb/mkl/viz"
)

type colorScale struct {
	scale
	stops []viz.Color
}

// sharedColorScale returns the color scale of the values of all panels.
func sharedColorScale(panels []viz.Figure) colorScale {
	s := colorScale{scale: newScale(false), stops: viz.Sequential}
	for _, f := range panels {
		for _, row := range f.Cells.Z {
			s.include(row...)
		}
	}
	if panels[0].Kind == viz.KindMatrix && s.min < 0 {
		s.stops = viz.Diverging
		s.max = math.Max(math.Abs(s.min), math.Abs(s.max))
		s.min = -s.max
	}
	s.isInteger = false
	s.widenSingleValue()
	return s
}

func (s colorScale) colorOf(v float64) color.NRGBA {
	r, g, b := viz.ColorAt(s.stops, s.normalize(v))
	return color.NRGBA{R: r, G: g, B: b, A: 255}
}

// contrastingLineColor returns a color for lines on a background of the color of v. Its contrast to the background is
// at least 4.5. The color is Ink on light backgrounds, white on dark ones, and black on those of medium luminance,
// where Ink and white have less contrast.
func (s colorScale) contrastingLineColor(v float64) color.NRGBA {
	switch l := luminance(s.colorOf(v)); {
	case l > 0.25:
		return toNRGBA(viz.Ink)
	case l > 0.18:
		return toNRGBA("#000000")
	}
	return white
}

// luminance returns the relative luminance defined in WCAG 2.1.
func luminance(c color.NRGBA) float64 {
	toLinear := func(v uint8) float64 { // the linear component of the sRGB component v
		x := float64(v) / 255
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	return 0.2126*toLinear(c.R) + 0.7152*toLinear(c.G) + 0.0722*toLinear(c.B)
}

// newImage returns an image of w×h pixels. Pixel (i, j), with i from the top and j from the left, has the color of
// value(i, j), rounded to one of colorCount colors: few colors make areas of one color, which keep the file small. If
// colorCount is odd, one of the colors is the color of 0 on a scale that is symmetric about 0.
func (s colorScale) newImage(w, h, colorCount int, value func(i, j int) float64) *image.NRGBA {
	colors := make([]color.NRGBA, colorCount)
	for k := range colors {
		colors[k] = s.colorOf(s.denormalize((float64(k) + 0.5) / float64(colorCount)))
	}
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for i := range h {
		for j := range w {
			k := int(float64(colorCount) * s.normalize(value(i, j)))
			img.SetNRGBA(j, i, colors[min(max(k, 0), colorCount-1)])
		}
	}
	return img
}
