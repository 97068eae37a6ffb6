package data

import (
	"fmt"
	"strings"
)

// isComment reports whether a line begins with # and a blank, or is # alone. Lines such as #f00,1 may be data.
func isComment(line string) bool {
	rest, ok := strings.CutPrefix(strings.TrimLeft(line, " \t"), "#")
	return ok && (rest == "" || strings.ContainsRune(" \t\r\n", rune(rest[0])))
}

// comment is a line that begins with #.
type comment struct {
	line int
	text string
}

// leadingComments returns the lines before the first row that begin with #, and the text with these lines empty. If
// every line begins with #, they are rows.
func leadingComments(text string) (string, []comment) {
	var comments []comment
	rest, lineNumber := text, 0
	for rest != "" {
		line, after, _ := strings.Cut(rest, "\n")
		trimmed := strings.TrimSpace(line)
		if trimmed != "" && trimmed[0] != '#' {
			return strings.Repeat("\n", lineNumber) + rest, comments
		}
		lineNumber++
		if trimmed != "" {
			comments = append(comments, comment{lineNumber, strings.TrimRight(line, "\r")})
		}
		rest = after
	}
	return text, nil
}

// commentRows returns the comments above the first row that have as many cells as a row. They are rows of the table: a
// header after #, or rows whose first cell begins with #. The number of the other comments becomes a note.
func (g *grid) commentRows(comments []comment, header Header) (rows []record) {
	for _, c := range comments {
		if header == HeaderNo && isComment(c.text) ||
			g.comma != ' ' && strings.Count(c.text, string(g.comma)) < g.width-1 {
			continue
		}
		cells, err := parseRows(c.text, g.comma)
		if err == nil && g.comma == ' ' && len(cells[0].cells) == g.width+1 && cells[0].cells[0] == "#" {
			cells[0].cells = cells[0].cells[1:]
		}
		if err == nil && len(cells) == 1 && len(cells[0].cells) == g.width {
			rows = append(rows, record{line: c.line, cells: cells[0].cells})
		}
	}
	if n := len(comments) - len(rows); n > 0 {
		g.notes = append(g.notes, countText(n, "comment")+" skipped")
	}
	return rows
}

// dropComments returns the rows without those below the first that begin with # and a blank, and the number n of
// dropped rows. It is an error if such a row has as many cells as the first, and more than one.
func dropComments(rows []record) (kept []record, n int, err error) {
	for i, r := range rows {
		switch isRow := len(r.cells) == len(rows[0].cells) && len(r.cells) > 1; {
		case i == 0 || !r.isComment:
			kept = append(kept, r)
		case isRow:
			return nil, 0, fmt.Errorf("line %d begins with # and has as many cells as a row; remove the line if it is "+
				"a comment, or quote its first cell", r.line)
		default:
			n++
		}
	}
	return kept, n, nil
}
