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

// checkComments adds a note on the number of comments above the first row. A line that begins with # is an error if it
// may be a header or a row: it has the separator, and no blank follows the # or it has about as many cells as a row;
// or, in a file of one column, no blank follows the #.
func (g *grid) checkComments(comments []comment) error {
	for _, c := range comments {
		rows, err := parseRows(c.text, g.comma)
		n := 0
		if err == nil && len(rows) == 1 {
			n = len(rows[0].cells)
		}
		isNear := g.width-1 <= n && n <= g.width+1
		if !isComment(c.text) && (n != 1 || g.width == 1) || n > 1 && isNear {
			return fmt.Errorf("line %d begins with #, and may be a comment, the header or a row; remove the comment, "+
				"or the #, or quote the first cell", c.line)
		}
	}
	if n := len(comments); n > 0 {
		g.notes = append(g.notes, countText(n, "comment")+" skipped")
	}
	return nil
}
