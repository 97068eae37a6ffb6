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

	"github.com/mklnb/mkl/mklnb/report"
	"github.com/mklnb/mkl/viz"
)

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

// reportPage returns a page of a report without charts.
func reportPage(r report.Report) page {
	return page{text: strings.TrimSuffix(r.String(), "\n"), html: r.HTML(nil)}
}

// note returns a page of one sentence.
func note(text string) page { return reportPage(report.Report{{Text: text}}) }

// warning returns a page of one warning.
func warning(text string) page { return reportPage(report.Report{{Text: text, Warning: true}}) }

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

// draw draws the charts of r and returns its page. It returns an error if a figure is not valid. A figure that cannot
// be drawn becomes a table, with a line that gives the reason.
func draw(r report.Report) (p page, err error) {
	if err := r.Validate(); err != nil {
		return page{}, err
	}
	figures := charts(r)
	for i, f := range figures {
		figures[i] = f.Drawn()
	}
	drawn := drawing.draw(figures)
	r = withCaptions(r, figures)
	p.text = r.String()
	p.html = r.HTML(func(f viz.Figure) string {
		pic := drawn[0]
		drawn = drawn[1:]
		if pic.Error != "" {
			p.text += "(no picture: " + pic.Error + ")\n"
			return f.HTMLTable() + `<p><small>No picture: ` + html.EscapeString(pic.Error) + `</small></p>`
		}
		chart := chartHTML(f, pic)
		p.pictures = append(p.pictures, picture{Picture: pic, title: f.Title, html: chart})
		return chart
	})
	return p, nil
}

// withCaptions returns r with the captions of the drawn charts, which state how many of the points are drawn.
func withCaptions(r report.Report, drawn []viz.Figure) report.Report {
	r = slices.Clone(r)
	for i, p := range r {
		switch {
		case p.Figure != nil && p.Figure.Kind != viz.KindTable:
			f := *p.Figure
			f.Caption = drawn[0].Caption
			r[i].Figure, drawn = &f, drawn[1:]
		case p.Folded != nil:
			r[i].Folded = withCaptions(p.Folded, drawn)
			drawn = drawn[len(charts(p.Folded)):]
		}
	}
	return r
}

// charts returns the figures of r that are drawn.
func charts(r report.Report) []viz.Figure {
	return slices.DeleteFunc(r.Figures(), func(f viz.Figure) bool { return f.Kind == viz.KindTable })
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
