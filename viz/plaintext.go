package viz

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Text returns f as plain text: title, numbers (or the alt text if a table would be too large), caption.
func (f Figure) Text() string {
	var b strings.Builder
	fmt.Fprintln(&b, f.Title)
	f.writeText(&b, "")
	if f.Caption != "" {
		fmt.Fprintln(&b, f.Caption)
	}
	return b.String()
}

// isRightAligned reports whether column j of the table that toTable returns is right-aligned.
func (f Figure) isRightAligned(j int) bool {
	if f.Sheet != nil {
		return j < len(f.Sheet.Columns) && f.Sheet.Columns[j].Right
	}
	return j > 0
}

// writeText writes the panels and the table of f. Every line begins with indent.
func (f Figure) writeText(b *strings.Builder, indent string) {
	head, rows := f.toTable()
	if len(rows) == 0 {
		if len(f.Panels) == 0 {
			fmt.Fprintf(b, "%s%s\n", indent, f.Alt)
		}
		for _, p := range f.Panels {
			fmt.Fprintf(b, "%s%s\n", indent, p.Title)
			p.writeText(b, indent+"  ")
		}
		return
	}
	width := make([]int, len(head))
	rows = append([][]string{head}, rows...)
	for _, row := range rows {
		for j, s := range row[:min(len(row), len(width))] {
			width[j] = max(width[j], utf8.RuneCountInString(s))
		}
	}
	for _, row := range rows {
		var l strings.Builder
		for j, s := range row[:min(len(row), len(width))] {
			pad := strings.Repeat(" ", width[j]-utf8.RuneCountInString(s))
			if f.isRightAligned(j) {
				s = pad + s
			} else {
				s += pad
			}
			l.WriteString(s + "  ")
		}
		fmt.Fprintf(b, "%s%s\n", indent, strings.TrimRight(l.String(), " "))
	}
}
