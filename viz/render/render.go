package render

import (
	"bytes"
	"fmt"
	"html"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/mklnb/mkl/viz"
)

// Width is the width of a picture in CSS pixels.
const Width = 700

// resolution of a PNG, in dots per inch: that of the SVG. A PNG is what an export to paper takes;
// drawing it is most of what a chart costs a cell, and its size most of what it adds to a notebook.
const resolution = 96

// thinned is the number of points to which longer lines are reduced before they are drawn.
const thinned = 1000

// SVG returns f as an SVG document with title and description (the alt text) for screen readers.
// Its ids begin with f.ID(), so that several documents can stand in one page.
func SVG(f viz.Figure) ([]byte, error) {
	if err := f.Validate(); err != nil {
		return nil, err
	}
	d := newDrawing(f, newWriter(true))
	c := vgsvg.New(d.width, d.height)
	d.draw(newPen(draw.New(c), true))
	var buf bytes.Buffer
	if _, err := c.WriteTo(&buf); err != nil {
		return nil, fmt.Errorf("render: write SVG of %q: %w", f.Title, err)
	}
	return dress(buf.Bytes(), f, d), nil
}

// PNG returns f as a PNG file.
func PNG(f viz.Figure) ([]byte, error) {
	if err := f.Validate(); err != nil {
		return nil, err
	}
	d := newDrawing(f, newWriter(false))
	c := vgimg.NewWith(vgimg.UseWH(d.width, d.height), vgimg.UseDPI(resolution))
	d.draw(newPen(draw.New(c), false))
	b, err := encode(c.Image())
	if err != nil {
		return nil, fmt.Errorf("render: write PNG of %q: %w", f.Title, err)
	}
	return b, nil
}

// Size returns the size in CSS pixels of f's picture, which is that of its interactive chart too.
func Size(f viz.Figure) (width, height int, err error) {
	if err := f.Validate(); err != nil {
		return 0, 0, err
	}
	d := newDrawing(f, newWriter(true))
	return int(math.Round(float64(d.width / px))), int(math.Round(float64(d.height / px))), nil
}

// Render draws f in each of the wanted forms, at the same time.
func Render(f viz.Figure, want ...viz.Form) (viz.Picture, error) {
	var p viz.Picture
	var err error
	if p.Width, p.Height, err = Size(f); err != nil {
		return viz.Picture{}, err
	}
	want = slices.Compact(slices.Sorted(slices.Values(want)))
	errs := make([]error, len(want))
	var all sync.WaitGroup
	for i, form := range want {
		all.Go(func() {
			switch form { // each fills its own field
			case viz.FormSVG:
				var svg []byte
				svg, errs[i] = SVG(f)
				p.SVG = string(svg)
			case viz.FormPNG:
				p.PNG, errs[i] = PNG(f)
			case viz.FormOption:
				p.Option, errs[i] = Option(f)
			default:
				errs[i] = fmt.Errorf("render: unknown form %q, expected svg, png or option", form)
			}
		})
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return viz.Picture{}, err
		}
	}
	return p, nil
}

var (
	svgHead  = regexp.MustCompile(`(?s)^<\?xml[^>]*>\s*(<!--.*?-->)?\s*<svg[^>]*>`)
	svgFonts = regexp.MustCompile(`style="font-family:Liberation Sans;font-variant:[a-z]*;font-weight:([a-z]*);font-style:normal;`)
)

// dress gives the document its size in pixels, a title, a description, ids, and the fonts that
// stand for Liberation Sans where it is not installed: they have its widths.
func dress(svg []byte, f viz.Figure, d *drawing) []byte {
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

// clean drops what XML cannot hold and what would break a line of a picture.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t' || r == '\n' || r == '\r':
			return ' '
		case r < 0x20 || r == 0x7f || r == utf8.RuneError || r == 0xfffe || r == 0xffff:
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
}

// cleaned is f with every text cleaned.
func cleaned(f viz.Figure) viz.Figure {
	all := func(names []string) []string {
		if names == nil {
			return nil
		}
		out := make([]string, len(names))
		for i, n := range names {
			out[i] = clean(n)
		}
		return out
	}
	f.Title = clean(f.Title)
	f.X.Label, f.Y.Label, f.Z.Label = clean(f.X.Label), clean(f.Y.Label), clean(f.Z.Label)
	f.Groups = all(f.Groups)
	f.Series = append([]viz.Series(nil), f.Series...)
	for i, s := range f.Series {
		f.Series[i].Name, f.Series[i].Band = clean(s.Name), clean(s.Band)
	}
	f.Baselines = append([]viz.Baseline(nil), f.Baselines...)
	for i, b := range f.Baselines {
		f.Baselines[i].Name = clean(b.Name)
	}
	if f.Cells != nil {
		c := *f.Cells
		c.Rows, c.Cols = all(c.Rows), all(c.Cols)
		c.Regions = append([]viz.Region(nil), c.Regions...)
		for i, r := range c.Regions {
			c.Regions[i].Name = clean(r.Name)
		}
		f.Cells = &c
	}
	if f.Sheet != nil {
		s := viz.Sheet{Notes: all(f.Sheet.Notes)}
		for _, c := range f.Sheet.Columns {
			s.Columns = append(s.Columns, viz.Column{Name: clean(c.Name), Align: c.Align})
		}
		for _, row := range f.Sheet.Rows {
			cells := append([]viz.Cell(nil), row...)
			for j, c := range cells {
				cells[j].Text = clean(c.Text)
			}
			s.Rows = append(s.Rows, cells)
		}
		f.Sheet = &s
	}
	f.Panels = append([]viz.Figure(nil), f.Panels...)
	for i, p := range f.Panels {
		f.Panels[i] = cleaned(p)
	}
	return f
}

// drawing is a figure laid out: header (title, legend) over a body.
type drawing struct {
	f             viz.Figure
	width, height vg.Length
	title         []string
	legend        [][]entry // rows
	header        vg.Length // height of title and legend
	body          body
}

// body is what stands below the header.
type body interface {
	// draw draws into p.Canvas, which has the body's size.
	draw(p *pen)
}

const margin = 6 * px

// newDrawing lays f out.
func newDrawing(f viz.Figure, w writer) *drawing { return layOut(f, w, true) }

// layOut lays f out, with names at the ends of lines if ends allows, else all in the legend.
func layOut(f viz.Figure, w writer, ends bool) *drawing {
	f = cleaned(f)
	d := &drawing{f: f, width: Width * px}
	var height vg.Length
	if f.Kind == viz.KindTable {
		t := newTable(f.Sheet, w, d.width)
		d.body, height, d.width = t, t.height(), t.width
	} else {
		c := newChart(f, w, d.width, ends)
		d.body, height = c, c.height
		d.legend = rowsOf(c.entries, w, d.width-2*margin)
	}
	d.title = w.wrap(f.Title, face(titleSize, true), d.width-2*margin)
	d.header = margin + vg.Length(len(d.title))*titleSize*1.25 + 3*px
	if n := len(d.legend); n > 0 {
		d.header += vg.Length(n)*entryHeight + 4*px
	}
	d.height = d.header + height
	d.height = vg.Length(math.Ceil(float64(d.height/px))) * px
	return d
}

// draw draws title, legend and body.
func (d *drawing) draw(p *pen) {
	p.SetColor(rgb("#ffffff"))
	p.Fill(p.Rectangle.Path())
	w := p.writer
	y := p.Max.Y - margin
	for _, line := range d.title {
		p.say(w.style(titleSize, true, viz.Ink), draw.XLeft, p.Min.X+margin, y-titleSize, line)
		y -= titleSize * 1.25
	}
	y -= 3 * px
	for _, row := range d.legend {
		x := p.Min.X + margin
		for _, e := range row {
			e.draw(p, x, y-entryHeight/2)
			x += e.width(w)
		}
		y -= entryHeight
	}
	inner := *p
	inner.Canvas = draw.Crop(p.Canvas, 0, 0, 0, -d.header)
	d.body.draw(&inner)
}

// entryHeight is the height of a row of the legend.
const entryHeight = 19 * px

// swatch is how an entry of the legend looks.
type swatch int

const (
	swatchLine swatch = iota
	swatchBoth
	swatchPoint
	swatchBlock
	swatchBand
	swatchBase
	swatchHatch
	swatchBelow
	swatchError
)

// entry is one entry of the legend.
type entry struct {
	name   string
	swatch swatch
	style  viz.Style
	band   bool
}

// room is the width of the swatch.
func (e entry) room() vg.Length {
	switch e.swatch {
	case swatchPoint, swatchBlock, swatchBelow, swatchError:
		return 13 * px
	}
	return 24 * px
}

func (e entry) width(w writer) vg.Length {
	return e.room() + 6*px + w.width(e.name, face(tickSize, false)) + 20*px
}

// rowsOf breaks the legend into rows of at most width.
func rowsOf(entries []entry, w writer, width vg.Length) (rows [][]entry) {
	var x vg.Length
	for _, e := range entries {
		e.name = w.cut(e.name, face(tickSize, false), width-e.room()-30*px)
		ew := e.width(w)
		if len(rows) == 0 || x+ew-20*px > width {
			rows = append(rows, nil)
			x = 0
		}
		rows[len(rows)-1] = append(rows[len(rows)-1], e)
		x += ew
	}
	return rows
}

// draw draws the entry, its swatch centred on y.
func (e entry) draw(p *pen, x, y vg.Length) {
	x1 := x + e.room()
	mid := vg.Point{X: (x + x1) / 2, Y: y}
	block := func(h vg.Length) []vg.Point {
		return []vg.Point{{X: x, Y: y - h}, {X: x1, Y: y - h}, {X: x1, Y: y + h}, {X: x, Y: y + h}}
	}
	if e.band {
		p.FillPolygon(pale(e.style.Colour, bandAlpha), block(5*px))
	}
	switch e.swatch {
	case swatchLine, swatchBoth:
		p.StrokeLine2(stroke(rgb(e.style.Colour), lineWidth, e.style.Dash), x, y, x1, y)
		if e.swatch == swatchBoth {
			p.DrawGlyphNoClip(glyph(e.style, pointRadius), mid)
		}
	case swatchPoint:
		p.DrawGlyphNoClip(glyph(e.style, pointRadius*1.2), mid)
	case swatchBlock:
		p.FillPolygon(rgb(e.style.Colour), []vg.Point{{X: x1 - 13*px, Y: y - 5*px}, {X: x1, Y: y - 5*px}, {X: x1, Y: y + 5*px}, {X: x1 - 13*px, Y: y + 5*px}})
	case swatchBand:
		p.FillPolygon(pale(viz.Quiet, bandAlpha), block(5*px))
	case swatchBase:
		p.StrokeLine2(stroke(rgb(viz.Quiet), baseWidth, 1), x, y, x1, y)
	case swatchHatch:
		b := block(5.5 * px)
		p.FillPolygon(rgb("#8a8a8a"), b)
		for k := -1; k < 6; k++ {
			x0 := x + vg.Length(k)*6*px
			line := []vg.Point{{X: x0, Y: y - 5.5*px}, {X: x0 + 11*px, Y: y + 5.5*px}}
			sub := p.Canvas
			sub.Rectangle = vg.Rectangle{Min: b[0], Max: b[2]}
			p.StrokeLines(stroke(rgb("#ffffff"), 1*px, 0), sub.ClipLinesXY(line)...)
		}
	case swatchBelow:
		below(p.Canvas, viz.Quiet, mid)
	case swatchError:
		errorBar(p.Canvas, rgb(viz.Ink), mid.X, y-6*px, y+6*px, 3*px, false)
	}
	p.say(p.writer.style(tickSize, false, viz.Ink), draw.XLeft, x1+6*px, y-4*px, e.name)
}
