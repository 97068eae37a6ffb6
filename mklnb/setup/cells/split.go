// Package cells turns the text of a notebook's cell into the text of a Go program, so that statements need no function
// main, packages need no import line, variables last to the next cell, and an unread error ends the cell. The patched
// kernel GoNB calls it; other programs do not.
//
//	Split              puts the statements of a cell without a line %% into a function main
//	NewSession         starts a notebook. Its Session knows the variables of all cells
//	Session.Prepare    makes the program of a cell: adds imports, reads the variables of earlier cells that the cell
//	                   names, shows the last expression, ends the cell with an error that a statement drops
//	Session.Finish     learns from the ended program which variables last, and why others do not
//	Session.Complete, Describe, Documentation   names and documentation for the editor
//	IsCommand, IsComplete, TextLines            what the lines of a cell are: commands of the kernel, code, text
//
// The kernel contains a copy of this package (package setup makes it), so that it imports the standard library only.
// Package kept is the part that a cell's program links.
package cells

import (
	"go/parser"
	"go/scanner"
	"go/token"
	"strings"
)

// Line is a line of a program. Column is the first column, counted from 0, that belongs to the program; the ones before
// it are blank, so that columns in errors are those of the cell.
type Line struct {
	Text   string
	From   int // the line of the cell, counted from 0, or -1
	Column int
}

// chunk is a declaration or a statement of a cell with the comments before it.
type chunk struct {
	start, end    int // offsets
	tok           token.Token
	isDeclaration bool
	isMain        bool
}

// Split returns the program of a cell that has statements outside a function: its declarations, then a function main
// with its statements, in their order. Lines that are commands of the kernel are omitted. Split returns nil for a cell
// without statements, or with a command that starts main. A var beside statements is a statement.
func Split(lines []string, isCommand func(line int) bool) []Line {
	kept, isText := make([]string, len(lines)), TextLines(lines)
	for i, line := range lines {
		_, ok := isText[i]
		if !ok && (StartsMain(line) || strings.HasPrefix(strings.TrimPrefix(line, "//gonb:"), "%exec")) {
			return nil
		}
		if !isCommand(i) {
			kept[i] = line
		}
	}
	text := strings.Join(kept, "\n")
	chunks := chunksOf(text)
	hasStatement := false
	for _, c := range chunks {
		if c.isMain {
			return nil
		}
		hasStatement = hasStatement || !c.isDeclaration && c.tok != token.VAR && c.tok != token.EOF
	}
	if !hasStatement {
		return nil
	}
	var program []Line
	for _, c := range chunks {
		if c.isDeclaration && c.tok != token.PACKAGE {
			program = append(program, linesOf(text, c)...)
		}
	}
	program = append(program, Line{Text: "func main() {", From: -1})
	for _, c := range chunks {
		if !c.isDeclaration {
			program = append(program, linesOf(text, c)...)
		}
	}
	return append(program, Line{Text: "}", From: -1})
}

// linesOf returns the lines of a chunk.
func linesOf(text string, c chunk) (lines []Line) {
	number := strings.Count(text[:c.start], "\n")
	column := c.start - (strings.LastIndexByte(text[:c.start], '\n') + 1)
	for i, line := range strings.Split(text[c.start:c.end], "\n") {
		if i == 0 && strings.TrimSpace(line) == "" && column > 0 {
			column = 0
			continue
		}
		lines = append(lines, Line{Text: strings.Repeat(" ", column) + line, From: number + i, Column: column})
		column = 0
	}
	return lines
}

// chunksOf divides a cell at the semicolons outside brackets, also those that the end of a line implies.
func chunksOf(text string) (chunks []chunk) {
	files := token.NewFileSet()
	file := files.AddFile("", -1, len(text))
	var s scanner.Scanner
	s.Init(file, []byte(text), func(token.Position, string) {}, 0)
	var tokens []token.Token
	var literals []string
	start, depth := 0, 0
	add := func(end int) {
		c := chunk{start: start, end: end, tok: token.EOF}
		if len(tokens) > 0 {
			c.tok = tokens[0]
			c.isDeclaration = declares(tokens)
			c.isMain = c.isDeclaration && len(tokens) > 2 && tokens[0] == token.FUNC && literals[1] == "main"
		}
		chunks = append(chunks, c)
		start, tokens, literals = end, nil, nil
	}
	for {
		pos, tok, literal := s.Scan()
		offset := min(max(file.Offset(pos), start), len(text))
		switch tok {
		case token.EOF:
			if strings.TrimSpace(text[start:]) != "" {
				add(len(text))
			}
			return chunks
		case token.LPAREN, token.LBRACK, token.LBRACE:
			depth++
		case token.RPAREN, token.RBRACK, token.RBRACE:
			depth--
		case token.SEMICOLON:
			if depth > 0 {
				break
			}
			if len(tokens) == 0 && literal == "\n" {
				continue
			}
			if literal == ";" {
				if !isComplete(text[start:offset]) { // a semicolon in the head of a for, if or switch
					break
				}
				offset++
			}
			add(offset)
			continue
		}
		tokens, literals = append(tokens, tok), append(literals, literal)
	}
}

// isComplete reports whether a text is statements, not the beginning of one.
func isComplete(text string) bool {
	_, err := parser.ParseFile(token.NewFileSet(), "", "package p; func _() {"+text+"\n}", parser.SkipObjectResolution)
	if err == nil {
		return true
	}
	_, err = parser.ParseFile(token.NewFileSet(), "", "package p;"+text, parser.SkipObjectResolution)
	return err == nil
}

// declares reports whether tokens are a declaration that lasts as such.
func declares(tokens []token.Token) bool {
	switch tokens[0] {
	case token.IMPORT, token.CONST, token.TYPE, token.PACKAGE:
		return true
	case token.FUNC:
	default:
		return false
	}
	at, depth := 1, 0
	if at < len(tokens) && tokens[at] == token.LPAREN { // a receiver or parameters
		for ; at < len(tokens); at++ {
			switch tokens[at] {
			case token.LPAREN, token.LBRACK, token.LBRACE:
				depth++
			case token.RPAREN, token.RBRACK, token.RBRACE:
				depth--
			}
			if depth == 0 {
				at++
				break
			}
		}
	}
	return at+1 < len(tokens) && tokens[at] == token.IDENT &&
		(tokens[at+1] == token.LPAREN || at == 1 && tokens[at+1] == token.LBRACK)
}
