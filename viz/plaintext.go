package viz

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Text returns f as plain text: title, numbers, notes, caption.
func (f Figure) Text() string {
	var b strings.Builder
	fmt.Fprintln(&b, f.Title)
	f.text(&b, "")
	if f.Caption != "" {
		fmt.Fprintln(&b, f.Caption)
	}
	return b.String()
}

func (f Figure) text(b *strings.Builder, indent string) {
	for _, p := range f.Panels {
		fmt.Fprintf(b, "%s%s\n", indent, p.Title)
		p.text(b, indent+"  ")
	}
	head, rows := f.Numbers()
	if len(rows) == 0 {
		return
	}
	width := make([]int, len(head))
	right := make([]bool, len(head))
	for j := range head {
		right[j] = j > 0
		if f.Sheet != nil {
			right[j] = f.Sheet.Columns[j].Right
		}
	}
	for _, row := range append([][]string{head}, rows...) {
		for j, s := range row {
			if j < len(width) {
				width[j] = max(width[j], utf8.RuneCountInString(s))
			}
		}
	}
	line := func(row []string) {
		var l strings.Builder
		for j, s := range row {
			if j >= len(width) {
				break
			}
			pad := strings.Repeat(" ", width[j]-utf8.RuneCountInString(s))
			if right[j] {
				s = pad + s
			} else {
				s += pad
			}
			l.WriteString(s + "  ")
		}
		fmt.Fprintf(b, "%s%s\n", indent, strings.TrimRight(l.String(), " "))
	}
	line(head)
	for _, row := range rows {
		line(row)
	}
	if f.Sheet != nil {
		for _, n := range f.Sheet.Notes {
			fmt.Fprintf(b, "%s%s\n", indent, n)
		}
	}
}
