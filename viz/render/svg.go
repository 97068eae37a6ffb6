package render

import (
	"fmt"
	"html"
	"regexp"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/mklnb/mkl/viz"
)

// svg returns c as an SVG document with a title and a description (the alt text) for screen readers. Its ids begin with
// the ID of the figure, so that one page can contain several documents.
func (c *chart) svg() (string, error) {
	m := &measuringCanvas{Canvas: vgsvg.New(c.width, c.height)}
	c.draw(draw.New(m))
	var buf strings.Builder
	_, err := m.WriteTo(&buf)
	return completeSVG(setTextWidths(buf.String(), m.textWidths), c.figure, c.width, c.height), err
}

// measuringCanvas is an SVG canvas that stores the width of every text that it writes.
type measuringCanvas struct {
	*vgsvg.Canvas
	textWidths []vg.Length
}

// FillString writes s at pt and stores its width.
func (m *measuringCanvas) FillString(f font.Face, pt vg.Point, s string) {
	m.textWidths = append(m.textWidths, f.Width(s))
	m.Canvas.FillString(f, pt, s)
}

// setTextWidths returns the SVG with the attribute textLength, in points, of each text. A viewer whose font has letters
// of other widths scales the text to this length, so that no text overlaps the next one or leaves the picture.
func setTextWidths(svg string, textWidths []vg.Length) string {
	parts := strings.Split(svg, "<text ")
	var b strings.Builder
	b.WriteString(parts[0])
	for i, part := range parts[1:] { // texts are escaped, so they contain no <
		b.WriteString("<text ")
		if w := textWidths[i].Points(); w > 0 {
			fmt.Fprintf(&b, `textLength="%.5g" lengthAdjust="spacingAndGlyphs" `, w)
		}
		b.WriteString(part)
	}
	return b.String()
}

var (
	svgHead  = regexp.MustCompile(`(?s)^<\?xml[^>]*>\s*(<!--.*?-->)?\s*<svg[^>]*>`)
	svgFonts = regexp.MustCompile(`font-family:Liberation Sans;font-variant:\w*;font-weight:(\w*);font-style:normal;`)
)

// completeSVG returns the SVG of gonum with a size in pixels, a title, a description and ids that begin with f.ID().
// With xml:space, a viewer keeps the spaces at the ends of a text. If Liberation Sans is not installed, the viewer uses
// one of the listed fonts whose letters have the same widths.
func completeSVG(svg string, f viz.Figure, width, height vg.Length) string {
	id := f.ID()
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" `+
		`xml:space="preserve" id="%s" role="img" aria-labelledby="%s-t %s-d" width="%.0f" height="%.0f" viewBox="0 0 %.5g %.5g">`,
		id, id, id, float64(width/px), float64(height/px), width.Points(), height.Points())
	fmt.Fprintf(&b, `<title id="%s-t">%s</title><desc id="%s-d">%s</desc>`,
		id, html.EscapeString(removeControlCharacters(f.Title)), id, html.EscapeString(removeControlCharacters(f.Alt)))
	body := svgHead.ReplaceAllString(svg, "")
	body = svgFonts.ReplaceAllString(body, `font-family:'Liberation Sans',Arial,Helvetica,sans-serif;font-weight:$1;`)
	b.WriteString(strings.NewReplacer(
		`xlink:href="data:image/jpg;base64,`, `xlink:href="data:image/png;base64,`,
		"<image x=", `<image preserveAspectRatio="none" x=`, // the image fills its area and may change its proportions
	).Replace(body))
	return b.String()
}
