package report

import (
	_ "embed"
	"encoding/base64"
	"fmt"
	"html"
	"strings"

	"github.com/mklnb/mkl/viz"
)

//go:embed report.css
var style string

// Page returns r as HTML with its style sheet: see HTML.
func (r Report) Page(chart func(viz.Figure) string) string {
	return `<div class="mkl-page"><style>` + style + "</style>" + r.HTML(chart) + "</div>"
}

// HTML returns r as HTML without a script. HTML calls chart for each figure that is not a table, and
// viz.Figure.HTMLTable for each table. Without the style sheet of Page, the order and the words are the same.
func (r Report) HTML(chart func(viz.Figure) string) string {
	var b strings.Builder
	for i, p := range r {
		if p.Figure != nil && (i == 0 || r[i-1].Figure == nil) {
			b.WriteString(`<div class="mkl-figures">`)
		}
		switch {
		case p.Figure != nil && p.Figure.Kind == viz.KindTable:
			b.WriteString(p.Figure.HTMLTable())
		case p.Figure != nil:
			b.WriteString(chart(*p.Figure))
		case p.Marks != nil:
			b.WriteString(`<div class="mkl-marks">`)
			for _, m := range p.Marks {
				fmt.Fprintf(&b, `<details class="mkl-mark" data-state="%d" data-minor="%t"><summary title="%s"><b `+
					`aria-hidden="true">%s</b> %s: <strong>%s</strong></summary>%[3]s</details>`, m.State, m.IsMinor,
					html.EscapeString(m.Detail), m.State.Symbol(), html.EscapeString(m.Name),
					html.EscapeString(m.Word))
			}
			b.WriteString("</div>")
		case p.Folded != nil:
			fmt.Fprintf(&b, `<details class="mkl-details"><summary>%s</summary>%s</details>`,
				html.EscapeString(p.Label), p.Folded.HTML(chart))
		default:
			b.WriteString(p.html())
		}
		if p.Figure != nil && (i == len(r)-1 || r[i+1].Figure == nil) {
			b.WriteString("</div>")
		}
	}
	return b.String()
}

// ChartHTML returns the HTML of a chart: the picture pic of f in an element with this id, and the caption. It is a
// table if pic has an error. The style sheet of Page inverts the lightness on a dark page. In a narrow box the picture
// scrolls: at less than 85 % its texts are hard to read.
func ChartHTML(f viz.Figure, pic viz.Picture, id string) string {
	if pic.Error != "" {
		return f.HTMLTable() + `<p><small>No picture: ` + html.EscapeString(pic.Error) + `</small></p>`
	}
	return fmt.Sprintf(`<div class="mkl-figure" style="max-width:%dpx;margin:6px 0"><div class="mkl-chart" id="%s">`+
		`<img alt="%s" width="%d" height="%d" style="display:block;width:100%%;min-width:%dpx;height:auto" `+
		`src="data:image/svg+xml;base64,%s"></div>%s</div>`, pic.Width+2, id, html.EscapeString(f.Alt), pic.Width,
		pic.Height, pic.Width*85/100, base64.StdEncoding.EncodeToString([]byte(pic.SVG)), f.HTMLCaption())
}

// html returns the HTML of a sentence, a warning or code. Line breaks in the text become line breaks of the page.
func (p Part) html() string {
	text := strings.NewReplacer("\n", "<br>", " %", "&nbsp;%").Replace(html.EscapeString(p.Text))
	label := ""
	if p.Label != "" {
		label = "<b>" + html.EscapeString(p.title()) + "</b> "
	}
	switch {
	case p.IsWarning:
		return `<div class="mkl-warning"><b>Warning:</b> ` + text + "</div>"
	case p.IsHeadline:
		return fmt.Sprintf(`<div class="mkl-headline" role="heading" aria-level="3" title="%s">%s</div>`,
			html.EscapeString(p.Help), label+text)
	case p.IsCode:
		return `<div class="mkl-code">` + label + "<pre>" + html.EscapeString(p.Text) + "</pre></div>"
	}
	return `<div class="mkl-line">` + label + text + "</div>"
}
