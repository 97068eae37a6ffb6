package render

import (
	"math"
	"sort"
	"strings"
	"unicode/utf8"

	"golang.org/x/image/font/sfnt"
	vgfont "gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/mklnb/mkl/viz"
)

// textWriter writes text for gonum/plot. It draws superscripts and subscripts as small raised and lowered characters,
// because the font lacks some of them. In a PNG it replaces other characters that the font lacks.
type textWriter struct {
	text.Plain
	isSVG bool // the picture is an SVG: the fonts of the viewer supply missing characters
}

// span is a piece of text of one size. Its baseline lies above the baseline of the line by upShift (below it if upShift
// is negative).
type span struct {
	text    string
	size    vg.Length
	upShift vg.Length
}

// superscripts maps raised characters to the characters that are drawn small and raised.
var superscripts = map[rune]string{
	'⁰': "0", '¹': "1", '²': "2", '³': "3", '⁴': "4", '⁵': "5", '⁶': "6", '⁷': "7", '⁸': "8", '⁹': "9",
	'⁺': "+", '⁻': "−", 'ⁿ': "n", 'ᵀ': "T", 'ᵈ': "d", 'ᵖ': "p",
}

// subscripts maps lowered characters to the characters that are drawn small and lowered.
var subscripts = map[rune]string{
	'₀': "0", '₁': "1", '₂': "2", '₃': "3", '₄': "4", '₅': "5", '₆': "6", '₇': "7", '₈': "8", '₉': "9",
	'₊': "+", '₋': "−", 'ₖ': "k", 'ₘ': "m", 'ₙ': "n", 'ₚ': "p", 'ᵢ': "i", 'ⱼ': "j",
}

// replacements maps characters that the font lacks to the text that is drawn instead in a PNG.
var replacements = map[rune]string{
	'‑': "-", '∥': "‖", '⟨': "‹", '⟩': "›", '∧': "^", '∘': "•", '∈': "in", 'ℝ': "R", '⪰': "≥", '⪯': "≤",
	'∇': "grad ", '✓': "yes", '✗': "no", '▽': "v", '△': "^", '⊙': "•", '𝟏': "1",
}

// splitBySizeAndShift divides one line of text into pieces of one size and one baseline.
func (w textWriter) splitBySizeAndShift(line string, fnt vgfont.Font) []span {
	var out []span
	add := func(s string, size, shift vg.Length) {
		if n := len(out); n > 0 && out[n-1].size == size && out[n-1].upShift == shift {
			out[n-1].text += s
			return
		}
		out = append(out, span{s, size, shift})
	}
	for _, r := range removeControlCharacters(line) {
		if s, ok := superscripts[r]; ok {
			add(s, 0.72*fnt.Size, 0.36*fnt.Size)
		} else if s, ok := subscripts[r]; ok {
			add(s, 0.72*fnt.Size, -0.16*fnt.Size)
		} else if !w.isSVG && !w.hasGlyph(r, fnt) {
			if s, ok := replacements[r]; ok {
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

func (w textWriter) hasGlyph(r rune, fnt vgfont.Font) bool {
	var buf sfnt.Buffer
	i, err := w.Fonts.Lookup(fnt, fnt.Size).Face.GlyphIndex(&buf, r)
	return err == nil && i != 0
}

func (w textWriter) textWidth(line string, fnt vgfont.Font) (sum vg.Length) {
	for _, s := range w.splitBySizeAndShift(line, fnt) {
		face := w.faceOfSpan(s, fnt)
		sum += face.Width(s.text)
	}
	return sum
}

// Box returns the width of one line, and its extents above and below the baseline.
func (w textWriter) Box(line string, fnt vgfont.Font) (width, height, depth vg.Length) {
	e := w.Extents(fnt)
	return w.textWidth(line, fnt), e.Ascent, e.Descent
}

// Draw draws one line of text at pt, as text.Plain does, but each span in its own size and at its own height.
func (w textWriter) Draw(c vg.Canvas, line string, sty text.Style, pt vg.Point) {
	c.SetColor(sty.Color)
	if sty.Rotation != 0 {
		c.Push()
		defer c.Pop()
		c.Rotate(sty.Rotation)
	}
	sin64, cos64 := math.Sincos(sty.Rotation)
	sin, cos := vg.Length(sin64), vg.Length(cos64)
	e := w.Extents(sty.Font)
	position := vg.Point{
		X: pt.Y*sin + pt.X*cos + vg.Length(sty.XAlign)*w.textWidth(line, sty.Font),
		Y: pt.Y*cos - pt.X*sin + vg.Length(sty.YAlign)*sty.Height(line) - e.Ascent + sty.Font.Size,
	}
	for _, s := range w.splitBySizeAndShift(line, sty.Font) {
		face := w.faceOfSpan(s, sty.Font)
		c.FillString(face, position.Add(vg.Point{Y: s.upShift}), s.text)
		position.X += face.Width(s.text)
	}
}

func (w textWriter) faceOfSpan(s span, fnt vgfont.Font) vgfont.Face {
	fnt.Size = s.size
	return w.Fonts.Lookup(fnt, s.size)
}

func newWriter(isSVG bool) textWriter {
	return textWriter{Plain: text.Plain{Fonts: vgfont.DefaultCache}, isSVG: isSVG}
}

// textStyle returns a text style that is aligned at the left and at the bottom.
func (w textWriter) textStyle(size vg.Length, bold bool, color viz.Color) text.Style {
	return text.Style{Color: toNRGBA(color), Font: textFont(size, bold), XAlign: draw.XLeft, YAlign: draw.YBottom,
		Handler: w}
}

// writeLine writes one line with its baseline at y. sty.XAlign determines which point of the line is at x.
func writeLine(c draw.Canvas, sty text.Style, x, y vg.Length, line string) {
	c.FillText(sty, vg.Point{X: x, Y: y - sty.FontExtents().Descent}, line) // sty aligns the bottom of the letters
}

// writeUpwards writes one line rotated by 90° to the left and centered on (x, y).
func writeUpwards(c draw.Canvas, sty text.Style, x, y vg.Length, line string) {
	sty.Rotation, sty.XAlign, sty.YAlign = math.Pi/2, draw.XCenter, draw.YTop
	c.FillText(sty, vg.Point{X: x, Y: y}, line)
}

// wrapLines breaks s between words into lines of at most maxWidth. A word that is longer than a line is shortened.
func (w textWriter) wrapLines(s string, fnt vgfont.Font, maxWidth vg.Length) []string {
	var lines []string
	for _, word := range strings.Fields(s) {
		last := len(lines) - 1
		if last >= 0 && w.textWidth(lines[last]+" "+word, fnt) <= maxWidth {
			lines[last] += " " + word
		} else {
			lines = append(lines, w.shorten(word, fnt, maxWidth))
		}
	}
	return lines
}

// shorten shortens s to at most maxWidth and adds an ellipsis.
func (w textWriter) shorten(s string, fnt vgfont.Font, maxWidth vg.Length) string {
	if w.textWidth(s, fnt) <= maxWidth {
		return s
	}
	runes := []rune(s)
	k := sort.Search(len(runes), func(k int) bool { return w.textWidth(string(runes[:k+1])+"…", fnt) > maxWidth })
	return strings.TrimRight(string(runes[:max(k, 1)]), " ") + "…"
}

// removeControlCharacters returns s without the characters that XML cannot contain. Tabs and line breaks become spaces.
func removeControlCharacters(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t' || r == '\n' || r == '\r':
			return ' '
		case r < 0x20 || r == 0x7f || r == utf8.RuneError || r == 0xfffe || r == 0xffff:
			return -1
		}
		return r
	}, s)
}
