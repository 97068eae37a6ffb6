package cells

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strings"
)

// glue is the second file of a program.
type glue struct {
	imports  map[string]string // alias by path
	needed   []string          // types that values of interfaces may have
	first    string
	linked   string // path of a package that the program only links
	body     strings.Builder
	declared map[string]bool
}

func newGlue() *glue { return &glue{imports: map[string]string{}, declared: map[string]bool{}} }

func (g *glue) isEmpty() bool { return g.body.Len() == 0 && g.first+g.linked == "" }

// alias returns the name of a package in the file.
func (g *glue) alias(path string) string {
	if g.imports[path] == "" {
		g.imports[path] = fmt.Sprintf("kept__%d", len(g.imports))
	}
	return g.imports[path]
}

// source returns a type, as variable.Type describes it, in Go.
func (g *glue) source(t string) string {
	return typeName.ReplaceAllStringFunc(t, func(s string) string {
		m := typeName.FindStringSubmatch(s)
		if m[1] == "main" {
			return m[2]
		}
		return g.alias(m[1]) + "." + m[2]
	})
}

func (g *glue) declare(text string) {
	if !g.declared[text] {
		g.declared[text] = true
		g.body.WriteString(text + "\n")
	}
}

// need adds a type to those that the program must know.
func (g *glue) need(t string) {
	if source := "(*" + g.source(t) + ")(nil)"; !slices.Contains(g.needed, source) {
		g.needed = append(g.needed, source)
	}
}

func (g *glue) text() string {
	var b strings.Builder
	b.WriteString("package main\n\n")
	body := g.first + g.body.String()
	if len(g.needed) > 0 {
		g.imports[keptPath] = "kept__"
		body = "var _ = kept__.Types(" + strings.Join(g.needed, ", ") + ")\n" + body
	}
	for _, path := range slices.Sorted(maps.Keys(g.imports)) {
		if strings.Contains(body, g.imports[path]+".") {
			fmt.Fprintf(&b, "import %s %q\n", g.imports[path], path)
		}
	}
	if g.linked != "" {
		fmt.Fprintf(&b, "import _ %q\n", g.linked)
	}
	return b.String() + body
}

// verify checks the types of the finished program, and returns its errors as those of the cell.
func (r *rewriter) verify() error {
	before := r.errors
	r.files = token.NewFileSet()
	file, err := parser.ParseFile(r.files, "main.go", r.program.Main, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		return fmt.Errorf("cells: the program of the cell cannot be parsed: %w\n%s", err, r.program.Main)
	}
	files := []*ast.File{file}
	if r.program.Glue != "" {
		paths := slices.AppendSeq(slices.Clone(r.paths), maps.Keys(r.glue.imports))
		if r.glue.linked != "" {
			paths = append(paths, r.glue.linked)
		}
		if r.importer, err = r.packages.load(paths); err != nil {
			return err
		}
		second, err := parser.ParseFile(r.files, "kept.go", r.program.Glue, parser.SkipObjectResolution)
		if err != nil {
			return fmt.Errorf("cells: the second file of the cell cannot be parsed: %w\n%s", err, r.program.Glue)
		}
		files = append(files, second)
	}
	r.check(files...)
	if len(r.errors) == 0 {
		return nil
	}
	var lines []string
	report := func(line, column int, message string) {
		text := fmt.Sprintf("./main.go:%d:%d: %s", line, column, message)
		if !slices.Contains(lines, text) {
			lines = append(lines, text)
		}
	}
	for _, e := range r.errors {
		p := e.Fset.Position(e.Pos)
		if p.Filename != "main.go" || strings.Contains(e.Msg, "kept__") {
			continue
		}
		report(p.Line, p.Column, e.Msg+r.hint(e))
	}
	if lines == nil { // the fault is only in what was added: show that of the cell itself
		for _, e := range before {
			if p := e.Fset.Position(e.Pos); p.Filename == "main.go" && !strings.Contains(e.Msg,
				"declared and not used") {
				report(p.Line, p.Column, e.Msg+r.hint(e))
			}
		}
	}
	if lines == nil {
		for _, e := range r.errors {
			p := e.Fset.Position(e.Pos)
			lines = append(lines, fmt.Sprintf("./%s:%d:%d: %s", p.Filename, p.Line, p.Column, e.Msg))
		}
	}
	return &Error{strings.Join(lines, "\n")}
}
