package render

import (
	"image/color"
	"math"
	"sort"
	"strings"
	"unicode"

	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"gonum.org/v1/plot"
	vgfont "gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
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

// face is the family of all text, in the widths of Arial.
func face(size vg.Length, bold bool) vgfont.Font {
	f := vgfont.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
	if bold {
		f.Weight = font.WeightBold
	}
	return f
}

// writer is a text handler that sets raised and lowered digits itself, since the font lacks some
// of them, and replaces the characters that a picture of fixed pixels cannot show.
type writer struct {
	text.Plain
	vector bool // the viewer's fonts supply what this one lacks
}

// span is a run of text at one height.
type span struct {
	text  string
	size  vg.Length
	shift vg.Length
}

var raised = map[rune]string{
	'⁰': "0", '¹': "1", '²': "2", '³': "3", '⁴': "4", '⁵': "5", '⁶': "6", '⁷': "7", '⁸': "8", '⁹': "9",
	'⁺': "+", '⁻': "−", 'ⁿ': "n", 'ᵀ': "T", 'ᵈ': "d", 'ᵖ': "p",
}

var lowered = map[rune]string{
	'₀': "0", '₁': "1", '₂': "2", '₃': "3", '₄': "4", '₅': "5", '₆': "6", '₇': "7", '₈': "8", '₉': "9",
	'₊': "+", '₋': "−", 'ₖ': "k", 'ₘ': "m", 'ₙ': "n", 'ₚ': "p", 'ᵢ': "i", 'ⱼ': "j",
}

// instead stands for characters that the font lacks.
var instead = map[rune]string{
	'‑': "-", '∥': "‖", '⟨': "‹", '⟩': "›", '∧': "^", '∘': "•", '∈': "in", 'ℝ': "R", '⪰': "≥", '⪯': "≤",
	'∇': "grad ", '✓': "yes", '✗': "no", '▽': "v", '△': "^", '⊙': "•", '𝟏': "1",
}

// spans parts one line of text.
func (w writer) spans(line string, fnt vgfont.Font) []span {
	var out []span
	add := func(s string, size, shift vg.Length) {
		if n := len(out); n > 0 && out[n-1].size == size && out[n-1].shift == shift {
			out[n-1].text += s
			return
		}
		out = append(out, span{s, size, shift})
	}
	for _, r := range line {
		if s, ok := raised[r]; ok {
			add(s, 0.72*fnt.Size, 0.36*fnt.Size)
		} else if s, ok := lowered[r]; ok {
			add(s, 0.72*fnt.Size, -0.16*fnt.Size)
		} else if !w.vector && !w.has(r, fnt) {
			if s, ok := instead[r]; ok {
				add(s, fnt.Size, 0)
			} else {
				add("?", fnt.Size, 0)
			}
		} else {
			add(string(r), fnt.Size, 0)
		}
	}
	return out
}

// has reports whether the font has a glyph for r.
func (w writer) has(r rune, fnt vgfont.Font) bool {
	if r < unicode.MaxASCII {
		return true
	}
	var buf sfnt.Buffer
	i, err := w.Fonts.Lookup(fnt, fnt.Size).Face.GlyphIndex(&buf, r)
	return err == nil && i != 0
}

func (w writer) width(line string, fnt vgfont.Font) (sum vg.Length) {
	for _, s := range w.spans(line, fnt) {
		fnt.Size = s.size
		face := w.Fonts.Lookup(fnt, s.size)
		sum += face.Width(s.text)
	}
	return sum
}

// Box returns the size of one line.
func (w writer) Box(line string, fnt vgfont.Font) (width, height, depth vg.Length) {
	e := w.Extents(fnt)
	return w.width(line, fnt), e.Ascent, e.Descent
}

// Draw draws txt as text.Plain does, span by span.
func (w writer) Draw(c vg.Canvas, txt string, sty text.Style, pt vg.Point) {
	txt = strings.TrimRight(txt, "\n")
	if txt == "" {
		return
	}
	c.SetColor(sty.Color)
	if sty.Rotation != 0 {
		c.Push()
		defer c.Pop()
		c.Rotate(sty.Rotation)
	}
	sin64, cos64 := math.Sincos(sty.Rotation)
	sin, cos := vg.Length(sin64), vg.Length(cos64)
	pt.X, pt.Y = pt.Y*sin+pt.X*cos, pt.Y*cos-pt.X*sin
	lines := w.Lines(txt)
	pt.Y += sty.Height(txt)*vg.Length(sty.YAlign) - w.Extents(sty.Font).Ascent
	for i, line := range lines {
		at := pt.Add(vg.Point{
			X: vg.Length(sty.XAlign) * w.width(line, sty.Font),
			Y: vg.Length(len(lines)-i) * sty.Font.Size,
		})
		for _, s := range w.spans(line, sty.Font) {
			fnt := sty.Font
			fnt.Size = s.size
			face := w.Fonts.Lookup(fnt, s.size)
			show := s.text
			if rest := strings.TrimLeft(show, " "); w.vector { // an SVG viewer drops spaces that begin a text
				show = strings.Repeat("\u00a0", len(show)-len(rest)) + rest
			}
			c.FillString(face, at.Add(vg.Point{Y: s.shift}), show)
			at.X += face.Width(s.text)
		}
	}
}

// pen writes and draws with the theme's colours.
type pen struct {
	draw.Canvas
	writer writer
}

func newPen(c draw.Canvas, vector bool) *pen {
	return &pen{c, newWriter(vector)}
}

func newWriter(vector bool) writer {
	return writer{Plain: text.Plain{Fonts: vgfont.DefaultCache}, vector: vector}
}

// style is a text style that stands at the left on its baseline.
func (w writer) style(size vg.Length, bold bool, colour viz.Colour) text.Style {
	return text.Style{Color: rgb(colour), Font: face(size, bold), XAlign: draw.XLeft, YAlign: draw.YBottom, Handler: w}
}

// say writes one line with its baseline at y, at x or right of or centred on it.
func (p *pen) say(sty text.Style, align draw.XAlignment, x, y vg.Length, line string) {
	sty.XAlign = align
	sty.YAlign = draw.YBottom
	// YBottom puts the lowest descender at y.
	p.FillText(sty, vg.Point{X: x, Y: y - p.writer.Extents(sty.Font).Descent}, line)
}

// wrap breaks s into lines of at most width, between words if it can.
func (w writer) wrap(s string, fnt vgfont.Font, width vg.Length) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(s) {
		for w.width(word, fnt) > width { // a word longer than a line
			k := w.fitting(word, fnt, width)
			if line != "" {
				lines, line = append(lines, line), ""
			}
			runes := []rune(word)
			if k == len(runes) {
				break
			}
			lines, word = append(lines, string(runes[:k])), string(runes[k:])
		}
		switch {
		case line == "":
			line = word
		case w.width(line+" "+word, fnt) <= width:
			line += " " + word
		default:
			lines, line = append(lines, line), word
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// fitting is the number of characters of s, at least 1, that are together at most so wide.
func (w writer) fitting(s string, fnt vgfont.Font, width vg.Length) int {
	runes := []rune(s)
	return max(1, sort.Search(len(runes), func(k int) bool { return w.width(string(runes[:k+1]), fnt) > width }))
}

// cut shortens s to at most width, with an ellipsis.
func (w writer) cut(s string, fnt vgfont.Font, width vg.Length) string {
	if w.width(s, fnt) <= width {
		return s
	}
	k := w.fitting(s, fnt, width-w.width("…", fnt))
	return strings.TrimRight(string([]rune(s)[:k]), " ") + "…"
}

// rgb is c as gonum takes it.
func rgb(c viz.Colour) color.NRGBA {
	r, g, b := c.RGB()
	return color.NRGBA{R: r, G: g, B: b, A: 255}
}

// pale is c seen through.
func pale(c viz.Colour, alpha float64) color.NRGBA {
	n := rgb(c)
	n.A = uint8(math.Round(255 * alpha))
	return n
}

// stroke is a line style.
func stroke(c color.Color, width vg.Length, dash int) draw.LineStyle {
	s := draw.LineStyle{Color: c, Width: width}
	switch dash {
	case 1:
		s.Dashes = []vg.Length{4.5 * px, 3 * px}
	case 2:
		s.Dashes = []vg.Length{1.5 * px, 2.5 * px}
	}
	return s
}

// glyphs are the shapes of points, by viz.Style.Glyph: disc, square, triangle, diamond, plus, cross.
// Those of gonum are hollow, or of lines too thin to tell their colour.
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

// polygon is a filled shape, its corners in units of the glyph's radius.
type polygon [][2]float64

// DrawGlyph draws the shape.
func (g polygon) DrawGlyph(c *draw.Canvas, sty draw.GlyphStyle, pt vg.Point) {
	c.SetColor(sty.Color)
	var path vg.Path
	for i, q := range g {
		at := pt.Add(vg.Point{X: vg.Length(q[0]) * sty.Radius, Y: vg.Length(q[1]) * sty.Radius})
		if i == 0 {
			path.Move(at)
		} else {
			path.Line(at)
		}
	}
	path.Close()
	c.Fill(path)
}

// glyph is the style of a series' points.
func glyph(s viz.Style, radius vg.Length) draw.GlyphStyle {
	return draw.GlyphStyle{Color: rgb(s.Colour), Radius: radius, Shape: glyphs[s.Glyph%len(glyphs)]}
}

// plotterFunc is a function as a plot.Plotter.
type plotterFunc func(c draw.Canvas, p *plot.Plot)

// Plot calls the function.
func (f plotterFunc) Plot(c draw.Canvas, p *plot.Plot) { f(c, p) }
