package algos_test

import (
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestColumns tests that no line of Go is wider than 120 columns, a tab being 4, but what cannot be broken: text in
// back quotes and what an example prints.
func TestColumns(t *testing.T) {
	files := 0
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" {
			return err
		}
		files++
		content, err := os.ReadFile(path)
		whole := unbroken(content)
		for i, line := range strings.Split(string(content), "\n") {
			if n := utf8.RuneCountInString(line) + 3*strings.Count(line, "\t"); n > 120 && !whole[i+1] {
				t.Errorf("%s:%d: %d columns", path, i+1, n)
			}
		}
		return err
	})
	if err != nil || files < 100 {
		t.Errorf("looked at %d files: %v", files, err)
	}
}

// unbroken are the lines of a file that hold text in back quotes or what an example prints.
func unbroken(content []byte) map[int]bool {
	lines, prints := map[int]bool{}, false
	set := token.NewFileSet()
	file := set.AddFile("", -1, len(content))
	var s scanner.Scanner
	for s.Init(file, content, nil, scanner.ScanComments); ; {
		pos, tok, text := s.Scan()
		if tok == token.EOF {
			return lines
		}
		prints = tok == token.COMMENT && (prints || strings.HasPrefix(text, "// Output:"))
		if prints || tok == token.STRING && text[0] == '`' {
			for i := range strings.Count(text, "\n") + 1 {
				lines[file.Line(pos)+i] = true
			}
		}
	}
}
