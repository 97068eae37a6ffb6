package store

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
)

// reach is the hash of the declarations, as text, that a function or a type of package main or of a test depends on:
// of a type its declaration and its methods; of a function the declaration at its line, of a function literal that
// declaration up to the end of the literal; every init; and what the names in all these may mean, and so on. A name is
// followed wherever it stands: a local variable brings the function that is called like it. Where there is no
// declaration at that line, it is an error.
func reach(o origin) (string, error) {
	files, err := filepath.Glob(filepath.Join(filepath.Dir(o.File), "*.go"))
	if err != nil || !filepath.IsAbs(o.File) || !slices.Contains(files, o.File) {
		return "", fmt.Errorf("store: the source %s of this program is not there", o.File)
	}
	set, text, named := token.NewFileSet(), map[string]string{}, map[string][]ast.Node{}
	for _, name := range files {
		if !o.test() && strings.HasSuffix(name, "_test.go") {
			continue
		}
		b, err := readOlder(os.DirFS(filepath.Dir(name)), filepath.Base(name))
		if err != nil {
			return "", err
		}
		if strings.Contains(string(b), "//go:embed") || strings.Contains(string(b), `import "C"`) {
			return "", fmt.Errorf("store: %s is made of other files too", name)
		}
		f, err := parser.ParseFile(set, name, b, parser.SkipObjectResolution)
		if err != nil {
			return "", fmt.Errorf("store: %w", err)
		}
		text[name] = string(b)
		declarations(f, func(name string, n ast.Node) { named[name] = append(named[name], n) })
	}
	var parts []string
	seen := map[ast.Node]bool{}
	var follow func(n ast.Node, end token.Pos)
	visit := func(name string) {
		for _, n := range named[name] {
			if !seen[n] {
				seen[n] = true
				follow(n, n.End())
			}
		}
	}
	follow = func(n ast.Node, end token.Pos) { // n up to end
		file := set.File(n.Pos())
		parts = append(parts, text[file.Name()][file.Offset(n.Pos()):file.Offset(end)])
		function, _ := n.(*ast.FuncDecl)
		ast.Inspect(n, func(n ast.Node) bool {
			if n == nil || n.Pos() >= end {
				return false
			}
			if id, ok := n.(*ast.Ident); ok && (function == nil || id != function.Name) {
				visit(id.Name)
			}
			return true
		})
	}
	name, _, _ := strings.Cut(o.Name, "[")
	visit(name)
	for _, list := range named {
		for _, n := range list {
			if end := endAt(set, n, o); end > 0 {
				follow(n, end)
			}
		}
	}
	if parts == nil {
		return "", fmt.Errorf("store: no declaration at line %d of %s", o.Line, o.File)
	}
	visit("init")
	visit(".") // import . "…"
	slices.Sort(parts)
	return digest(parts...), nil
}

// declarations calls add for what a file declares: methods by the names in the type that has them, constants with
// their group, in which iota counts.
func declarations(f *ast.File, add func(name string, n ast.Node)) {
	for _, decl := range f.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Recv == nil {
				add(decl.Name.Name, decl)
				continue
			}
			ast.Inspect(decl.Recv.List[0].Type, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					add(id.Name, decl)
				}
				return true
			})
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				switch spec := spec.(type) {
				case *ast.ImportSpec:
					for _, name := range importNames(spec) {
						add(name, spec)
					}
				case *ast.TypeSpec:
					add(spec.Name.Name, spec)
				case *ast.ValueSpec:
					for _, id := range spec.Names {
						if decl.Tok == token.CONST {
							add(id.Name, decl)
						} else {
							add(id.Name, spec)
						}
					}
				}
			}
		}
	}
}

// importNames are the names that an imported package may have: the one given, or the words of the last element of its
// path but for a version.
func importNames(spec *ast.ImportSpec) []string {
	if spec.Name != nil {
		return []string{spec.Name.Name}
	}
	name := strings.Trim(spec.Path.Value, "`\"")
	if v := path.Base(name); v[0] == 'v' && strings.Trim(v[1:], "0123456789") == "" {
		name = path.Dir(name)
	}
	return strings.FieldsFunc(path.Base(name), func(r rune) bool {
		return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}

// endAt is where a declaration ends for a function at a line in it: with the outermost function literal at that line,
// or with itself; 0 if the line is elsewhere.
func endAt(set *token.FileSet, n ast.Node, o origin) (end token.Pos) {
	holds := func(n ast.Node) bool {
		first, last := set.Position(n.Pos()), set.Position(n.End())
		return first.Filename == o.File && first.Line <= o.Line && o.Line <= last.Line
	}
	if !holds(n) {
		return 0
	}
	ast.Inspect(n, func(n ast.Node) bool {
		if lit, ok := n.(*ast.FuncLit); ok && holds(lit) {
			end = max(end, lit.End())
		}
		return true
	})
	if end == 0 {
		end = n.End()
	}
	return end
}
