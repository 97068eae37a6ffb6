package mklnb

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"strings"
	"sync"

	"github.com/mklnb/mkl/viz"
)

// chartScript draws the interactive chart in the place of the picture: a function of the id of the
// div, the height in pixels and the option.
//
//go:embed chart.js
var chartScript string

// numbers counts the figures of this program, for ids: a figure shown twice has two.
var numbers struct {
	sync.Mutex
	n int
}

// paint returns the page of figures that have been judged valid: each as a picture with its caption,
// a table where it is one, and where nothing can draw it.
func paint(figures ...viz.Figure) page {
	var charts []viz.Figure
	for _, f := range figures {
		if f.Kind != viz.KindTable {
			charts = append(charts, f.Drawn())
		}
	}
	var pictures []viz.Picture
	var err error
	if len(charts) > 0 {
		pictures, err = drawing.draw(charts)
	}
	var p page
	for _, f := range figures {
		if f.Kind == viz.KindTable {
			p.html, p.text = p.html+f.HTMLTable(), p.text+f.Text()
			continue
		}
		if err == nil {
			f.Caption = charts[0].Caption
			charts = charts[1:]
		}
		p.text += f.Text()
		why := err
		if err == nil {
			pic := pictures[0]
			pictures = pictures[1:]
			if pic.Error == "" && pic.SVG != "" {
				chart := chartHTML(f, pic)
				p.html += chart
				p.figures = append(p.figures, figure{Picture: pic, title: f.Title, html: chart})
				continue
			}
			why = fmt.Errorf("the renderer: %s", pic.Error)
		}
		p.html += f.HTMLTable() + `<p><small>No picture: ` + html.EscapeString(line(why)) + `</small></p>`
		p.text += "(no picture: " + line(why) + ")\n"
	}
	return p
}

// chartHTML is f with its caption. The picture, an image that every viewer keeps, stands in an
// element of class mkl-chart on a white ground of its own, readable on a dark page too; the script
// puts the interactive chart in its place.
func chartHTML(f viz.Figure, pic viz.Picture) string {
	numbers.Lock()
	numbers.n++
	id := fmt.Sprintf("%s-%d", f.ID(), numbers.n)
	numbers.Unlock()
	var b strings.Builder
	fmt.Fprintf(&b, `<div class="mkl-figure" style="max-width:%dpx;margin:6px 0"><div class="mkl-chart" id="%s" style="background:#ffffff;border:1px solid #d0d0d0"><img alt="%s" width="%d" height="%d" style="display:block;max-width:100%%;height:auto" src="data:image/svg+xml;base64,%s"></div>`,
		pic.Width+2, id, html.EscapeString(f.Alt), pic.Width, pic.Height, base64.StdEncoding.EncodeToString([]byte(pic.SVG)))
	if f.Caption != "" {
		fmt.Fprintf(&b, `<p style="margin:4px 0">%s</p>`, html.EscapeString(f.Caption))
	}
	b.WriteString(`</div>`)
	if option := scriptSafe(pic.Option); option != "" {
		fmt.Fprintf(&b, "<script>(%s)(%q,%d,%s);</script>", strings.TrimSpace(chartScript), id, cmp.Or(pic.Live, pic.Height), option)
	}
	return b.String()
}

// scriptSafe is a JSON object as it can stand in a script element: nothing in it ends the element or
// begins a comment. Empty if raw is not an object.
func scriptSafe(raw []byte) string {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || raw[0] != '{' || !json.Valid(raw) {
		return ""
	}
	var b bytes.Buffer
	json.HTMLEscape(&b, raw)
	return b.String()
}
