package viz

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Text returns f as plain text: the title, the entries of a table or the alt text of a chart, and the caption with its
// details.
func (f Figure) Text() string {
	var b strings.Builder
	fmt.Fprintln(&b, f.Title)
	if f.Sheet != nil {
		f.Sheet.writeText(&b)
	} else {
		fmt.Fprintln(&b, f.Alt)
	}
	if caption := strings.TrimSpace(f.Caption + " " + f.Details); caption != "" {
		fmt.Fprintln(&b, caption)
	}
	return b.String()
}

// writeText writes s in columns. A strong entry stands between asterisks.
func (s *Sheet) writeText(b *strings.Builder) {
	textRows := make([][]string, 1+len(s.Rows))
	for _, c := range s.Columns {
		textRows[0] = append(textRows[0], c.Name)
	}
	for i, row := range s.Rows {
		for _, c := range row {
			text := c.Text
			if c.IsEmphasized {
				text = "*" + text + "*"
			}
			textRows[1+i] = append(textRows[1+i], text)
		}
	}
	columnWidths := make([]int, len(s.Columns))
	for _, line := range textRows {
		for j, text := range line[:min(len(line), len(columnWidths))] {
			columnWidths[j] = max(columnWidths[j], utf8.RuneCountInString(text))
		}
	}
	for _, line := range textRows {
		var l strings.Builder
		for j, text := range line[:min(len(line), len(columnWidths))] {
			padding := strings.Repeat(" ", columnWidths[j]-utf8.RuneCountInString(text))
			if s.Columns[j].AlignedRight {
				text = padding + text
			} else {
				text += padding
			}
			l.WriteString(text + "  ")
		}
		fmt.Fprintln(b, strings.TrimRight(l.String(), " "))
	}
}
