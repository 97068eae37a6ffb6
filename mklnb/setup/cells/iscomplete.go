package cells

import (
	"go/scanner"
	"go/token"
	"strings"
)

// IsComplete reports whether a cell can run: no bracket, raw string or comment is open, and its last line does not
// continue a command. A console asks for another line otherwise.
func IsComplete(cell string) bool {
	lines := strings.Split(cell, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, "%") || strings.HasPrefix(line, "!") {
			if lines[i] = ""; i == len(lines)-1 && strings.HasSuffix(line, "\\") {
				return false
			}
		}
	}
	source := []byte(strings.Join(lines, "\n"))
	files, isOpen, depth := token.NewFileSet(), false, 0
	var s scanner.Scanner
	s.Init(files.AddFile("", -1, len(source)), source, func(_ token.Position, message string) {
		isOpen = isOpen || message == "raw string literal not terminated" || message == "comment not terminated"
	}, 0)
	for {
		switch _, tok, _ := s.Scan(); tok {
		case token.LPAREN, token.LBRACK, token.LBRACE:
			depth++
		case token.RPAREN, token.RBRACK, token.RBRACE:
			depth--
		case token.EOF:
			return !isOpen && depth <= 0
		}
	}
}
