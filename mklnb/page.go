package mklnb

import (
	"bytes"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"slices"
	"strings"
	"sync"

	"github.com/mklnb/mkl/viz"
)

// content is a value in the form in which Show shows it: text and, below it, tables and charts, which are not drawn
// yet.
type content struct {
	page
	figures []viz.Figure
}

// page is one output, ready to be sent: the same in HTML and in plain text, with the pictures that it contains.
type page struct {
	html, text string
	pictures   []picture
}

// picture is one picture of a page. Outside a notebook it is written to files that are named after its title.
type picture struct {
	viz.Picture
	title, html string
}

// note returns a page of one line.
func note(text string) page {
	return page{text: text, html: `<div class="mkl-note">` + html.EscapeString(text) + `</div>`}
}

// warning returns a note that is set off by a colored bar and bold type.
func warning(text string) page {
	return page{text: text, html: `<div class="mkl-note" style="border-left:4px solid #b84600;padding:2px 8px"><b>` +
		html.EscapeString(text) + `</b></div>`}
}

// paragraph returns a page of text that preserves lines and spaces.
func paragraph(text string) page {
	if strings.ContainsRune(text, '\n') {
		return page{text: text, html: `<pre class="mkl-text">` + html.EscapeString(text) + `</pre>`}
	}
	return note(text)
}

// and returns p with q below it.
func (p page) and(q page) page {
	if p.text != "" && !strings.HasSuffix(p.text, "\n") {
		p.text += "\n"
	}
	return page{html: p.html + q.html, text: p.text + q.text, pictures: slices.Concat(p.pictures, q.pictures)}
}

// draw draws the charts of c and puts everything on one page. It returns an error if a figure is not valid. A figure
// that cannot be drawn becomes a table, with a line that gives the reason.
func (c content) draw() (page, error) {
	var charts []viz.Figure
	for _, f := range c.figures {
		if err := f.Validate(); err != nil {
			return page{}, err
		}
		if f.Kind != viz.KindTable {
			charts = append(charts, f.Drawn())
		}
	}
	drawn := drawing.draw(charts)
	all := c.page
	for _, f := range c.figures {
		if f.Kind == viz.KindTable {
			all = all.and(page{html: f.HTMLTable(), text: f.Text()})
		} else {
			all = all.and(chartPage(f, charts[0].Caption, drawn[0]))
			charts, drawn = charts[1:], drawn[1:]
		}
	}
	return all, nil
}

// chartPage returns a page with the chart f and its picture. The caption states how many of the points are drawn. If
// there is only an error instead of a picture, the page has a table and the error.
func chartPage(f viz.Figure, caption string, pic viz.Picture) page {
	if pic.Error == "" {
		f.Caption = caption
		chart := chartHTML(f, pic)
		return page{html: chart, text: f.Text(), pictures: []picture{{Picture: pic, title: f.Title, html: chart}}}
	}
	return page{
		html: f.HTMLTable() + `<p><small>No picture: ` + html.EscapeString(pic.Error) + `</small></p>`,
		text: f.Text() + "(no picture: " + pic.Error + ")\n",
	}
}

// chartScript draws the interactive chart in the place of the picture. It is a function of the id of the div, the
// height in pixels and the option.
//
//go:embed chart.js
var chartScript string

// charted counts the charts of this program, so that a figure that is shown twice gets two ids.
var charted struct {
	sync.Mutex
	n int
}

// chartHTML returns f with its caption. The picture is an image that every viewer preserves. It is in an element of
// class mkl-chart with a white background, so that it is readable on a dark page too. The script replaces it by the
// interactive chart.
func chartHTML(f viz.Figure, pic viz.Picture) string {
	charted.Lock()
	charted.n++
	id := fmt.Sprintf("%s-%d", f.ID(), charted.n)
	charted.Unlock()
	var b strings.Builder
	fmt.Fprintf(&b, `<div class="mkl-figure" style="max-width:%dpx;margin:6px 0">`, pic.Width+2)
	fmt.Fprintf(&b, `<div class="mkl-chart" id="%s" style="background:#ffffff;border:1px solid #d0d0d0">`, id)
	fmt.Fprintf(&b, `<img alt="%s" width="%d" height="%d" style="display:block;max-width:100%%;height:auto" `+
		`src="data:image/svg+xml;base64,%s"></div>`,
		html.EscapeString(f.Alt), pic.Width, pic.Height, base64.StdEncoding.EncodeToString([]byte(pic.SVG)))
	if f.Caption != "" {
		fmt.Fprintf(&b, `<p style="margin:4px 0">%s</p>`, html.EscapeString(f.Caption))
	}
	b.WriteString(`</div>`)
	if option := scriptSafe(pic.Option); option != "" {
		fmt.Fprintf(&b, "<script>(%s)(%q,%d,%s);</script>", strings.TrimSpace(chartScript), id,
			pic.Height, option)
	}
	return b.String()
}

// scriptSafe returns a JSON object in a form that is safe in a script element: nothing in it ends the element or begins
// a comment. It returns "" if raw is not an object.
func scriptSafe(raw []byte) string {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || raw[0] != '{' || !json.Valid(raw) {
		return ""
	}
	var b bytes.Buffer
	json.HTMLEscape(&b, raw)
	return b.String()
}
