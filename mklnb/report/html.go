package report

import (
	"fmt"
	"html"
	"strings"

	"github.com/mklnb/mkl/viz"
)

// HTML returns r as HTML without a style sheet or a script. HTML calls chart for each figure that is not a table, and
// viz.Figure.HTMLTable for each table. Colors fit light and dark pages: text has the color of the page.
func (r Report) HTML(chart func(viz.Figure) string) string {
	var b strings.Builder
	for _, p := range r {
		switch {
		case p.Figure != nil && p.Figure.Kind == viz.KindTable:
			b.WriteString(p.Figure.HTMLTable())
		case p.Figure != nil:
			b.WriteString(chart(*p.Figure))
		case p.Folded != nil:
			fmt.Fprintf(&b, `<details class="mkl-details" style="margin:6px 0"><summary>%s</summary>%s</details>`,
				html.EscapeString(p.Label), p.Folded.HTML(chart))
		default:
			b.WriteString(p.html())
		}
	}
	return b.String()
}

// html returns the HTML of a sentence or a warning. Line breaks in the text become line breaks of the page.
func (p Part) html() string {
	text := strings.ReplaceAll(html.EscapeString(p.Text), "\n", "<br>")
	const box = `<div class="mkl-%s" style="max-width:720px;overflow-wrap:anywhere;%s">%s</div>`
	switch {
	case p.IsWarning:
		return fmt.Sprintf(box, "warning", "border-left:4px solid #b84600;background:rgba(184,70,0,.12);"+
			"padding:2px 8px;margin:2px 0", "<b>Warning:</b> "+text)
	case p.Label != "":
		return fmt.Sprintf(box, "line", "margin:2px 0", "<b>"+html.EscapeString(p.title())+"</b> "+text)
	}
	return fmt.Sprintf(box, "note", "margin:2px 0", text)
}
