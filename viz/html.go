package viz

import (
	"fmt"
	"html"
	"slices"
	"strings"
	"unicode/utf8"
)

// HTMLTable returns f as HTML: the table or, for a chart, only the title and the alt text. The caption of f follows
// below. The title of a table is in its caption element. The HTML contains no script and needs no style sheet.
func (f Figure) HTMLTable() string {
	var b strings.Builder
	b.WriteString(`<div class="mkl-table" style="max-width:100%;overflow-x:auto;margin:6px 0">`)
	if f.Sheet != nil {
		fmt.Fprintf(&b, `<table><caption style="text-align:left;font-weight:bold">%s</caption>`,
			html.EscapeString(f.Title))
		f.Sheet.writeHTML(&b)
		b.WriteString("</table>")
	} else {
		fmt.Fprintf(&b, `<p><b>%s</b></p><p>%s</p>`, html.EscapeString(f.Title), html.EscapeString(f.Alt))
	}
	b.WriteString(f.HTMLCaption() + "</div>")
	return b.String()
}

// HTMLCaption returns the caption of f as HTML. A click on it shows the details, if there are any.
func (f Figure) HTMLCaption() string {
	switch caption := html.EscapeString(f.Caption); {
	case f.Details != "":
		return fmt.Sprintf(`<details class="mkl-caption" style="max-width:700px;margin:4px 0"><summary>%s</summary>%s`+
			`</details>`, caption, html.EscapeString(f.Details))
	case caption != "":
		return fmt.Sprintf(`<p class="mkl-caption" style="max-width:700px;margin:4px 0">%s</p>`, caption)
	}
	return ""
}

func (s *Sheet) writeHTML(b *strings.Builder) {
	alignment := func(j int) string {
		if j < len(s.Columns) && s.Columns[j].AlignedRight {
			return "text-align:right"
		}
		return "text-align:left"
	}
	if slices.ContainsFunc(s.Columns, func(c Column) bool { return c.Name != "" }) {
		// a header without text is omitted: a screen reader could not read it
		b.WriteString("<thead><tr>")
		for j, c := range s.Columns {
			help := ""
			if c.Help != "" {
				help = fmt.Sprintf(` title="%s"`, html.EscapeString(c.Help))
			}
			if c.Name == "" {
				b.WriteString("<td></td>")
			} else {
				fmt.Fprintf(b, `<th scope="col" style="padding:2px 6px;max-width:11em;%s"%s>%s</th>`, alignment(j),
					help,
					html.EscapeString(c.Name))
			}
		}
		b.WriteString("</tr></thead>")
	}
	b.WriteString("<tbody>")
	for _, row := range s.Rows {
		b.WriteString("<tr>")
		for j, c := range row {
			text := html.EscapeString(c.Text)
			if alignment(j) == "text-align:right" { // numbers, such as 75.9 ± 3.3, stay on one line
				text = strings.ReplaceAll(text, " ", "\u00a0")
			}
			if c.IsEmphasized {
				text = "<b>" + text + "</b>"
			}
			whiteSpace := "normal" // lines break at spaces; a long text without U+00A0 may also break inside words
			if j > 0 && utf8.RuneCountInString(c.Text) > 12 && alignment(j) == "text-align:left" &&
				!strings.Contains(c.Text, "\u00a0") {
				whiteSpace = "anywhere"
			}
			if j == 0 && len(row) > 1 && c.Text != "" { // the first entry is the header of its row
				fmt.Fprintf(b, `<th scope="row" style="padding:2px 6px;%s;font-weight:normal">%s</th>`, alignment(j),
					text)
			} else {
				fmt.Fprintf(b, `<td style="padding:2px 6px;%s;overflow-wrap:%s">%s</td>`, alignment(j), whiteSpace,
					text)
			}
		}
		b.WriteString("</tr>")
	}
	b.WriteString("</tbody>")
}
