package viz

import (
	"fmt"
	"html"
	"strings"
	"unicode/utf8"
)

// HTMLTable returns f as an HTML table, or as its alt text if a table would be too large. The title is the caption
// element of the table; the caption of f follows below. HTMLTable is used to show a Table, and any figure that cannot
// be drawn. The HTML contains no script and needs no style sheet.
func (f Figure) HTMLTable() string {
	var b strings.Builder
	b.WriteString(`<div class="mkl-table" style="max-width:100%;overflow-x:auto;margin:6px 0">`)
	f.writeHTML(&b)
	if f.Caption != "" {
		fmt.Fprintf(&b, `<p style="max-width:700px;margin:2px 0">%s</p>`, html.EscapeString(f.Caption))
	}
	b.WriteString("</div>")
	return b.String()
}

// writeHTML writes the panels and the table of f, without its caption.
func (f Figure) writeHTML(b *strings.Builder) {
	head, rows := f.toTable()
	if len(rows) == 0 {
		fmt.Fprintf(b, `<p><b>%s</b></p>`, html.EscapeString(f.Title))
		if len(f.Panels) == 0 {
			fmt.Fprintf(b, `<p>%s</p>`, html.EscapeString(f.Alt))
		}
		for _, p := range f.Panels {
			p.writeHTML(b)
		}
		return
	}
	fmt.Fprintf(b, `<table><caption style="text-align:left;font-weight:bold">%s</caption>`, html.EscapeString(f.Title))
	style := func(j int) string {
		if f.isRightAligned(j) {
			return "text-align:right"
		}
		return "text-align:left"
	}
	if strings.Join(head, "") != "" { // omit a header without text: a screen reader could not read it
		b.WriteString("<thead><tr>")
		for j, h := range head {
			if h == "" {
				b.WriteString("<td></td>")
			} else {
				help := ""
				if f.Sheet != nil && f.Sheet.Columns[j].Help != "" {
					help = fmt.Sprintf(` title="%s"`, html.EscapeString(f.Sheet.Columns[j].Help))
				}
				fmt.Fprintf(b, `<th scope="col" style="padding:2px 6px;max-width:11em;%s"%s>%s</th>`, style(j), help,
					html.EscapeString(h))
			}
		}
		b.WriteString("</tr></thead>")
	}
	b.WriteString("<tbody>")
	for i, row := range rows {
		b.WriteString("<tr>")
		for j, s := range row {
			text := html.EscapeString(s)
			if f.Sheet != nil {
				text = html.EscapeString(f.Sheet.Rows[i][j].Text)
				if f.Sheet.Rows[i][j].Strong {
					text = "<b>" + text + "</b>"
				}
			}
			wrap := "normal" // at spaces; a long text without a no-break space may break anywhere
			if j > 0 && utf8.RuneCountInString(s) > 12 && style(j) == "text-align:left" &&
				!strings.Contains(s, "\u00a0") {
				wrap = "anywhere"
			}
			if j == 0 && len(row) > 1 && s != "" { // the first entry is the header of its row
				fmt.Fprintf(b, `<th scope="row" style="padding:2px 6px;%s;font-weight:normal">%s</th>`, style(j), text)
			} else {
				fmt.Fprintf(b, `<td style="padding:2px 6px;%s;overflow-wrap:%s">%s</td>`, style(j), wrap, text)
			}
		}
		b.WriteString("</tr>")
	}
	b.WriteString("</tbody></table>")
}
