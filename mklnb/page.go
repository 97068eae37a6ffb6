package mklnb

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"html"
	"slices"
	"strings"
	"sync"

	"github.com/mklnb/mkl/mklnb/report"
	"github.com/mklnb/mkl/viz"
)

// page is the content of one notebook output: the same text as HTML and as plain text, and the pictures of the HTML.
type page struct {
	html, text string
	pictures   []picture
}

// picture is one picture of a page. Outside a notebook the picture is written to files that are named after its title.
type picture struct {
	viz.Picture
	title string
}

// reportPage returns the page of a report without charts.
func reportPage(r report.Report) page {
	return page{text: strings.TrimSuffix(r.String(), "\n"), html: r.Page(nil)}
}

func notePage(text string) page { return reportPage(report.Report{{Text: text}}) }

func warningPage(text string) page { return reportPage(report.Report{{Text: text, IsWarning: true}}) }

// textPage returns a page with a text. The page preserves the lines and, if there are several lines, the spaces.
func textPage(text string) page {
	if strings.ContainsRune(text, '\n') {
		return page{text: text, html: `<pre class="mkl-text">` + html.EscapeString(text) + `</pre>`}
	}
	return notePage(text)
}

// append returns a page with p and, below it, q.
func (p page) append(q page) page {
	if p.text != "" && !strings.HasSuffix(p.text, "\n") {
		p.text += "\n"
	}
	return page{html: p.html + q.html, text: p.text + q.text, pictures: slices.Concat(p.pictures, q.pictures)}
}

// drawReport draws the charts of r and returns the page of r. It returns an error if a figure is not valid. If a
// figure cannot be drawn, the page has its alt text and the reason.
func drawReport(r report.Report) (p page, err error) {
	if err := r.Validate(); err != nil {
		return page{}, err
	}
	drawings := figurePainter.draw(drawableFigures(r))
	p.text = r.String()
	p.html = r.Page(func(f viz.Figure) string {
		drawing := drawings[0]
		drawings = drawings[1:]
		if drawing.Error != "" {
			p.text += "(no picture: " + drawing.Error + ")\n"
			return report.ChartHTML(f, drawing, "")
		}
		p.pictures = append(p.pictures, picture{Picture: drawing, title: f.Title})
		return chartHTML(f, drawing)
	})
	if strings.Contains(p.html, "<table") {
		p.html += "<script>(" + strings.TrimSpace(tableScript) + ")();</script>"
	}
	return p, nil
}

// drawableFigures returns the figures of r except its tables, which are not drawn.
func drawableFigures(r report.Report) []viz.Figure {
	return slices.DeleteFunc(r.Figures(), func(f viz.Figure) bool { return f.Kind == viz.KindTable })
}

// chartScript is a function in JavaScript that draws an interactive chart in the place of the picture. Its parameters
// are the id of the element, the height in pixels and the option of ECharts.
//
//go:embed chart.js
var chartScript string

// tableScript is a function in JavaScript that lets a reader sort the tables of a page and copy them.
//
//go:embed table.js
var tableScript string

// chartCount counts the charts of this program. The count is part of the id of a chart, so that a figure that is shown
// twice has two ids.
var chartCount struct {
	sync.Mutex
	n int
}

// chartHTML returns report.ChartHTML with a script. A viewer that runs no scripts shows the picture. The script
// replaces the picture by the interactive chart.
func chartHTML(f viz.Figure, pic viz.Picture) string {
	chartCount.Lock()
	chartCount.n++
	id := fmt.Sprintf("%s-%d", f.ID(), chartCount.n)
	chartCount.Unlock()
	chart := report.ChartHTML(f, pic, id)
	if option := makeScriptSafe(pic.Option); option != "" {
		chart += fmt.Sprintf("<script>(%s)(%q,%d,%s);</script>", strings.TrimSpace(chartScript), id, pic.Height, option)
	}
	return chart
}

// makeScriptSafe returns a JSON object in a form that is safe in a script element: nothing in it ends the element or
// begins a comment. It returns "" if raw is not an object.
func makeScriptSafe(raw []byte) string {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || raw[0] != '{' || !json.Valid(raw) {
		return ""
	}
	var b bytes.Buffer
	json.HTMLEscape(&b, raw)
	return b.String()
}
