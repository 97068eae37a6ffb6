package report

import (
	_ "embed"
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
