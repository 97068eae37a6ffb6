package data

import "strings"

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

// commentRows returns the comments above the first row that have as many cells as a row, or one less. They are rows of
// the table: a header after #, or rows whose first cell begins with #. The number of the other comments becomes a note.
func (g *grid) commentRows(comments []comment, header Header) (rows []record) {
	for _, c := range comments {
		if header == HeaderNo && isComment(c.text) ||
			g.comma != ' ' && strings.Count(c.text, string(g.comma)) < g.width-2 {
			continue
		}
		cells, err := parseRows(c.text, g.comma)
		if err != nil || len(cells) != 1 {
			continue
		}
		row := cells[0].cells
		if g.comma == ' ' && row[0] == "#" {
			row = row[1:]
		}
		if n := len(row); n > 0 && n == g.width || n > 1 && n == g.width-1 {
			rows = append(rows, record{line: c.line, cells: row, isComment: true})
		}
	}
	if n := len(comments) - len(rows); n > 0 {
		g.notes = append(g.notes, countText(n, "comment")+" skipped")
	}
	return rows
}
