package render

import (
	"bytes"
	"fmt"
	"html"
	"regexp"

	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/mklnb/mkl/viz"
)

// SVG returns f as an SVG document with title and description (the alt text) for screen readers.
// Its ids begin with f.ID(), so that several documents can stand in one page.
func SVG(f viz.Figure) ([]byte, error) {
	if err := drawable(f); err != nil {
		return nil, err
	}
	d := newDrawing(f, newWriter(true), true)
	c := vgsvg.New(d.width, d.height)
	d.draw(draw.New(c))
	var buf bytes.Buffer
	if _, err := c.WriteTo(&buf); err != nil {
		return nil, fmt.Errorf("render: write SVG of %q: %w", f.Title, err)
	}
	return document(buf.Bytes(), f, d), nil
}

var (
	svgHead  = regexp.MustCompile(`(?s)^<\?xml[^>]*>\s*(<!--.*?-->)?\s*<svg[^>]*>`)
	svgFonts = regexp.MustCompile(`style="font-family:Liberation Sans;font-variant:[a-z]*;font-weight:([a-z]*);font-style:normal;`)
)

// document is gonum's SVG with a size in pixels, a title, a description, ids, and the fonts that
// stand for Liberation Sans where it is not installed: they have its widths.
func document(svg []byte, f viz.Figure, d *drawing) []byte {
	id := f.ID()
	body := svgHead.ReplaceAll(svg, nil)
	body = svgFonts.ReplaceAll(body, []byte(`style="font-family:'Liberation Sans',Arial,Helvetica,sans-serif;font-weight:$1;`))
	body = bytes.ReplaceAll(body, []byte(`xlink:href="data:image/jpg;base64,`), []byte(`xlink:href="data:image/png;base64,`))
	// The cells fill their area: its sides are not those of the image.
	body = bytes.ReplaceAll(body, []byte("<image x="), []byte(`<image preserveAspectRatio="none" x=`))
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" id="%s" role="img" aria-labelledby="%s-t %s-d" width="%.0f" height="%.0f" viewBox="0 0 %.5g %.5g">`,
		id, id, id, float64(d.width/px), float64(d.height/px), d.width.Points(), d.height.Points())
	fmt.Fprintf(&b, `<title id="%s-t">%s</title><desc id="%s-d">%s</desc>`, id, html.EscapeString(clean(f.Title)), id, html.EscapeString(clean(f.Alt)))
	b.Write(body)
	return b.Bytes()
}
