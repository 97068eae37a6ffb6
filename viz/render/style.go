package render

import (
	"image/color"
	"math"

	"golang.org/x/image/font"
	"gonum.org/v1/plot"
	vgfont "gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/mklnb/mkl/viz"
)

// px is one CSS pixel.
const px = vg.Inch / 96

// Sizes of text.
const (
	titleSize = 15 * px
	labelSize = 13 * px
	tickSize  = 12 * px
	noteSize  = 11 * px
)

// Measures of lines, points, bands and gaps.
const (
	lineWidth     = 2 * px
	baselineWidth = 1.4 * px
	pointRadius   = 3 * px
	bandAlpha     = 0.22
	margin        = 6 * px  // between the content and the edge of the picture
	gap           = 14 * px // between panels, and before the color bar
	lineHeight    = 1.3     // height of a line of text, as a multiple of its font size
)

// textFont returns the font of all text: Liberation Sans, whose letters have the widths of Arial.
func textFont(size vg.Length, bold bool) vgfont.Font {
	f := vgfont.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
	if bold {
		f.Weight = font.WeightBold
	}
	return f
}

func toNRGBA(c viz.Color) color.NRGBA {
	r, g, b := c.RGB()
	return color.NRGBA{R: r, G: g, B: b, A: 255}
}

func withOpacity(c viz.Color, alpha float64) color.NRGBA {
	n := toNRGBA(c)
	n.A = uint8(math.Round(255 * alpha))
	return n
}

var white = toNRGBA("#ffffff")

func solidLine(c color.Color, width vg.Length) draw.LineStyle {
	return draw.LineStyle{Color: c, Width: width}
}

func lineStyle(s viz.Style) draw.LineStyle {
	l := solidLine(toNRGBA(s.Color), lineWidth)
	switch s.DashPattern {
	case 1:
		l.Dashes = []vg.Length{4.5 * px, 3 * px}
	case 2:
		l.Dashes = []vg.Length{1.5 * px, 2.5 * px}
	}
	return l
}

// baselineStyle is the dashed line that marks a reference value.
var baselineStyle = draw.LineStyle{Color: toNRGBA(viz.Quiet), Width: baselineWidth,
	Dashes: []vg.Length{4.5 * px, 3 * px}}

func glyphStyle(s viz.Style, radius vg.Length) draw.GlyphStyle {
	return draw.GlyphStyle{Color: toNRGBA(s.Color), Radius: radius, Shape: glyphs[s.Glyph%len(glyphs)]}
}

// glyphs are the shapes of points, indexed by viz.Style.Glyph: disc, square, triangle, diamond, plus, cross. The shapes
// of gonum are not used: they are hollow, or their lines are too thin to show a color.
var glyphs = []draw.GlyphDrawer{
	draw.CircleGlyph{},
	polygon{{-0.9, -0.9}, {0.9, -0.9}, {0.9, 0.9}, {-0.9, 0.9}},
	polygon{{-1.1, -0.8}, {1.1, -0.8}, {0, 1.2}},
	polygon{{0, -1.25}, {1.25, 0}, {0, 1.25}, {-1.25, 0}},
	polygon{{-1.25, -0.4}, {-0.4, -0.4}, {-0.4, -1.25}, {0.4, -1.25}, {0.4, -0.4}, {1.25, -0.4},
		{1.25, 0.4}, {0.4, 0.4}, {0.4, 1.25}, {-0.4, 1.25}, {-0.4, 0.4}, {-1.25, 0.4}},
	polygon{{0, -0.6}, {0.65, -1.25}, {1.25, -0.65}, {0.6, 0}, {1.25, 0.65}, {0.65, 1.25},
		{0, 0.6}, {-0.65, 1.25}, {-1.25, 0.65}, {-0.6, 0}, {-1.25, -0.65}, {-0.65, -1.25}},
}

// nonPositiveGlyph returns a triangle that points down. It marks a value ≤ 0, which a logarithmic axis cannot show.
func nonPositiveGlyph(c viz.Color) draw.GlyphStyle {
	return draw.GlyphStyle{Color: toNRGBA(c), Radius: 4 * px, Shape: polygon{{-1, 1}, {1, 1}, {0, -1}}}
}

// polygon is a filled glyph. Its corners are in units of the radius of the glyph.
type polygon [][2]vg.Length

// DrawGlyph draws the filled polygon at pt.
func (g polygon) DrawGlyph(c *draw.Canvas, sty draw.GlyphStyle, pt vg.Point) {
	corners := make([]vg.Point, len(g))
	for i, q := range g {
		corners[i] = pt.Add(vg.Point{X: q[0] * sty.Radius, Y: q[1] * sty.Radius})
	}
	c.FillPolygon(sty.Color, corners)
}

// rimmedGlyph is a glyph with a white rim, which separates it from the objects below.
type rimmedGlyph struct{ draw.GlyphDrawer }

// DrawGlyph draws the glyph at pt, with the white rim below it.
func (g rimmedGlyph) DrawGlyph(c *draw.Canvas, sty draw.GlyphStyle, pt vg.Point) {
	rimStyle := sty
	rimStyle.Color, rimStyle.Radius = white, sty.Radius+1*px
	c.SetColor(white)
	g.GlyphDrawer.DrawGlyph(c, rimStyle, pt)
	c.SetColor(sty.Color)
	g.GlyphDrawer.DrawGlyph(c, sty, pt)
}

// addPlotters adds plotters to p without their optional methods. Gonum uses these methods to widen the axes to the data
// or to leave room at the border, which is not wanted here.
func addPlotters(p *plot.Plot, plotters ...plot.Plotter) {
	for _, pl := range plotters {
		p.Add(struct{ plot.Plotter }{pl})
	}
}

// plotterFunc is a function that implements plot.Plotter.
type plotterFunc func(c draw.Canvas, p *plot.Plot)

// Plot calls f.
func (f plotterFunc) Plot(c draw.Canvas, p *plot.Plot) { f(c, p) }
