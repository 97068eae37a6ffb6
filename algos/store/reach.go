package store

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// declaration is one of a package's: a function, a var, type or import specification, a group of constants.
type declaration struct {
	node ast.Node
	file *ast.File
}

// reach is the hash of the declarations, as text, that a function or a type of package main or of a test depends on:
// of a type its declaration and its methods, of a function the declaration at its line, of a function literal that
// declaration up to the end of the literal; every init; and what the identifiers in all these name, and so on. Where
// there is no declaration at that line, it is the hash of the package.
func reach(o origin) (string, error) {
	set, text := token.NewFileSet(), map[*ast.File]string{}
	named := map[string][]declaration{} // methods by the name of their type, all init by "init"
	dir := os.DirFS(filepath.Dir(o.File))
	names, err := filepath.Glob(filepath.Join(filepath.Dir(o.File), "*.go"))
	if err != nil || !filepath.IsAbs(o.File) || !slices.Contains(names, o.File) {
		return "", fmt.Errorf("store: the source %s of this program is not there", o.File)
	}
	own, err := parser.ParseFile(token.NewFileSet(), o.File, nil, parser.PackageClauseOnly)
	if err != nil {
		return "", fmt.Errorf("store: %w", err)
	}
	for _, name := range names {
		if !o.test() && strings.HasSuffix(name, "_test.go") {
			continue
		}
		b, err := readOlder(dir, filepath.Base(name))
		if err != nil {
			return "", err
		}
		f, err := parser.ParseFile(set, name, b, 0)
		if err != nil {
			return "", fmt.Errorf("store: %w", err)
		}
		if strings.Contains(string(b), "//go:embed") || strings.Contains(string(b), `import "C"`) {
			return "", fmt.Errorf("store: %s is made of other files too", name)
		}
		if f.Name.Name == own.Name.Name {
			text[f] = string(b)
			declarations(f, func(name string, n ast.Node) { named[name] = append(named[name], declaration{n, f}) })
		}
	}
	reached := map[declaration]token.Pos{} // up to where each counts
	var follow func(d declaration, end token.Pos)
	visit := func(name string) {
		for _, d := range named[name] {
			follow(d, d.node.End())
		}
	}
	follow = func(d declaration, end token.Pos) {
		if reached[d] >= end {
			return
		}
		reached[d] = end
		function, _ := d.node.(*ast.FuncDecl)
		var look func(ast.Node) bool
		look = func(n ast.Node) bool {
			if n == nil || n.Pos() >= end {
				return false
			}
			if s, ok := n.(*ast.SelectorExpr); ok {
				ast.Inspect(s.X, look)
				return false
			}
			if id, ok := n.(*ast.Ident); ok && (function == nil || id != function.Name) &&
				(id.Obj == nil || d.file.Scope.Objects[id.Name] == id.Obj) { // not a local name
				visit(id.Name)
			}
			return true
		}
		ast.Inspect(d.node, look)
	}
	name, _, _ := strings.Cut(o.Name, "[")
	visit(name)
	for _, list := range named {
		for _, d := range list {
			if end := endAt(set, d.node, o); end > 0 {
				follow(d, end)
			}
		}
	}
	if len(reached) == 0 {
		return digest(slices.Sorted(maps.Values(text))...), nil
	}
	visit("init")
	visit(".") // import . "…"
	var parts []string
	for d, end := range reached {
		file := set.File(d.node.Pos())
		parts = append(parts, text[d.file][file.Offset(d.node.Pos()):file.Offset(end)])
	}
	slices.Sort(parts)
	return digest(parts...), nil
}

// declarations calls add for what a file declares.
func declarations(f *ast.File, add func(name string, n ast.Node)) {
	for _, decl := range f.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			name := decl.Name.Name
			if decl.Recv != nil {
				name = ""
				ast.Inspect(decl.Recv.List[0].Type, func(n ast.Node) bool { // the first name: *T[K] is T
					if id, ok := n.(*ast.Ident); ok && name == "" {
						name = id.Name
					}
					return true
				})
			}
			add(name, decl)
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				switch spec := spec.(type) {
				case *ast.ImportSpec:
					add(importName(spec), spec)
				case *ast.TypeSpec:
					add(spec.Name.Name, spec)
				case *ast.ValueSpec:
					for _, id := range spec.Names {
						if decl.Tok == token.CONST { // iota counts the group
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

// importName is the name of an imported package, or the last element of its path but for a version.
func importName(spec *ast.ImportSpec) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	name := strings.Trim(spec.Path.Value, "`\"")
	if v := path.Base(name); len(v) > 1 && strings.Trim(v, "v0123456789") == "" {
		name = path.Dir(name)
	}
	return path.Base(name)
}

// endAt is where a declaration ends for a function at a line in it: with the outermost function literal at that line, or with
// itself; 0 if the line is elsewhere.
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
