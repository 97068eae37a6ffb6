package cells

import (
	"fmt"
	"go/ast"
	"go/scanner"
	"go/token"
	"regexp"
	"slices"
	"strings"
)

// IsCommand reports whether a line that is not text (see TextLines) is a command of the kernel: its first character,
// after the prefix "//gonb:" if it has one, is % or !.
func IsCommand(line string) bool {
	line = strings.TrimPrefix(line, "//gonb:")
	return strings.HasPrefix(line, "%") || strings.HasPrefix(line, "!")
}

// StartsMain reports whether a command line starts the function main of its cell: %% and %main do.
func StartsMain(line string) bool {
	line, isSpecial := strings.CutPrefix(strings.TrimPrefix(line, "//gonb:"), "%")
	fields := strings.Fields(line)
	return isSpecial && len(fields) > 0 && (fields[0] == "%" || fields[0] == "main")
}

// ActsAtOnce reports whether a command line does something whose place in the cell matters. The other commands show
// something of the kernel or describe the program of their cell.
func ActsAtOnce(line string) bool {
	line = strings.TrimPrefix(line, "//gonb:")
	fields := strings.Fields(strings.TrimPrefix(line, "%"))
	return strings.HasPrefix(line, "!") || len(fields) > 0 &&
		slices.Contains([]string{"cd", "env", "rm", "remove", "reset"}, fields[0])
}

// isImport matches the first line of an import declaration, and a line inside of one.
var isImport = regexp.MustCompile(`^(import\b.*|[\w.]*\s*"[^"]*"|\))$`)

// IsCode reports whether a line that is no command is code that a command must not follow: neither blank, nor the
// first line of a comment, nor of an import declaration.
func IsCode(line string) bool {
	line = strings.TrimSpace(line)
	return line != "" && !strings.HasPrefix(line, "//") && !strings.HasPrefix(line, "/*") && !isImport.MatchString(line)
}

// TextLines returns the lines of a cell that begin inside a raw string or inside a comment of several lines. They are
// text, even if their first character is % or !.
func TextLines(lines []string) map[int]struct{} {
	code, isContinued := make([]string, len(lines)), false // the lines so far, without commands
	text := map[int]struct{}{}
	for i, line := range lines {
		isCommand := isContinued || IsCommand(line)
		code[i] = line
		if text = insideTokens(code[:i+1]); !isCommand {
			continue
		}
		if _, ok := text[i]; !ok {
			code[i], isContinued = "", strings.HasSuffix(line, "\\")
		}
	}
	return text
}

// insideTokens returns the lines that begin inside a raw string or a comment.
func insideTokens(lines []string) map[int]struct{} {
	source, inside := []byte(strings.Join(lines, "\n")), map[int]struct{}{}
	files := token.NewFileSet()
	file := files.AddFile("", -1, len(source))
	var s scanner.Scanner
	s.Init(file, source, func(token.Position, string) {}, scanner.ScanComments)
	for {
		pos, tok, literal := s.Scan()
		if tok == token.EOF {
			return inside
		}
		if tok == token.COMMENT || tok == token.STRING {
			first := file.Position(pos).Line
			for i := range strings.Count(literal, "\n") {
				inside[first+i] = struct{}{}
			}
		}
	}
}

// pythonCommands contains what this kernel has for commands of IPython.
var pythonCommands = map[string]string{"time": measured, "timeit": measured, "who": "%ls", "whos": "%ls",
	"pip": "!pip", "conda": "!conda", "matplotlib": "nb.Show(x), which needs no such line", "run": "!go run file.go",
	"load": "!cat file.go", "pwd": "!pwd", "debug": "the line of the cell in the message of a panic"}

const measured = "start := time.Now() before and time.Since(start) after the statements"

// UnknownCommand returns the error of a command line that names no command of the kernel.
func UnknownCommand(line string) string {
	name, _, _ := strings.Cut(strings.TrimLeft(line, "% "), " ")
	if hint := pythonCommands[name]; hint != "" {
		return fmt.Sprintf("%%%s is no command of this kernel: use %s", name, hint)
	}
	return fmt.Sprintf("%%%s is no command of this kernel; %%help lists them", name)
}

// Faults returns the errors of a cell that declares main twice, of which the first would be lost, or embeds a file, of
// which the directive would be lost.
func Faults(files *token.FileSet, file *ast.File) string {
	var found []string
	mains := 0
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "main" {
			if mains++; mains > 1 {
				found = append(found, fmt.Sprintf("%s: main is declared twice in this cell (a line %%%% declares it "+
					"too): keep one, or move the other to a cell of its own", files.Position(f.Pos())))
			}
		}
	}
	for _, group := range file.Comments {
		for _, comment := range group.List {
			if pattern, ok := strings.CutPrefix(comment.Text, "//go:embed "); ok {
				found = append(found, fmt.Sprintf("%s: //go:embed does not work in a cell, whose program is built in "+
					"another folder: read the file when the program runs, os.ReadFile(%q)",
					files.Position(comment.Pos()), strings.TrimSpace(pattern)))
			}
		}
	}
	return strings.Join(found, "\n")
}
