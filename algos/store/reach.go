package store

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// declaration is one of a package's, at the top level: of a var and a type one specification, of const
// the whole group, in which iota counts.
type declaration struct {
	node ast.Node
	kind token.Token
	file *ast.File
}

// source is a package as it lies in its folder, unchecked: build constraints are not looked at.
type source struct {
	files *token.FileSet
	text  map[*ast.File][]byte
	named map[string][]*declaration // by name; methods by that of their type
	inits []*declaration            // functions init and variables without a name
}

// reach is the hash of the declarations of a package that something in it reaches, and the imports that these name: the
// type's declaration and its methods, or the declaration that the function stands in, and then what the
// identifiers in them mean, and so on; and every init that names a variable which is reached. Local names mean
// themselves. Declarations are hashed as tokens: neither their order and place in the file counts, nor comments.
func reach(o origin) (text string, imports []string, err error) {
	p, err := read(o)
	if err != nil {
		return "", nil, err
	}
	reached := map[*declaration]token.Pos{} // up to where each counts
	names := map[string]bool{}              // of packages, perhaps
	var follow func(d *declaration, end token.Pos)
	visit := func(name string) {
		for _, d := range p.named[name] {
			follow(d, d.node.End())
		}
	}
	follow = func(d *declaration, end token.Pos) {
		if reached[d] >= end {
			return
		}
		reached[d] = end
		d.identifiers(end, func(id *ast.Ident) {
			if id.Obj == nil || d.file.Scope.Objects[id.Name] == id.Obj {
				names[id.Name] = true
				visit(id.Name)
			}
		})
	}
	if o.Line > 0 {
		d, end := p.at(o)
		if d == nil {
			return "", nil, fmt.Errorf("store: no declaration at %s:%d", o.File, o.Line)
		}
		follow(d, end)
	} else {
		name, _, _ := strings.Cut(o.Name, "[")
		if p.named[name] == nil {
			return "", nil, fmt.Errorf("store: type %s is not declared beside %s", name, o.File)
		}
		visit(name)
	}
	for n := 0; n != len(reached); {
		n = len(reached)
		for _, d := range p.inits {
			d.identifiers(d.node.End(), func(id *ast.Ident) {
				for _, v := range p.named[id.Name] {
					if reached[v] > 0 && v.kind == token.VAR && (id.Obj == nil || id.Obj.Decl == v.node) {
						follow(d, d.node.End())
					}
				}
			})
		}
	}
	var parts []string
	for d, end := range reached {
		parts = append(parts, p.tokens(d, end))
	}
	slices.Sort(parts)
	for f := range p.text {
		for _, spec := range f.Imports {
			if mentioned(spec, names) {
				v, _ := strconv.Unquote(spec.Path.Value)
				imports = append(imports, v)
			}
		}
	}
	return digest(parts...), imports, nil
}

// read reads the package of a file.
func read(o origin) (*source, error) {
	p := &source{token.NewFileSet(), map[*ast.File][]byte{}, map[string][]*declaration{}, nil}
	names, err := filepath.Glob(filepath.Join(filepath.Dir(o.File), "*.go"))
	if err != nil || !filepath.IsAbs(o.File) || !slices.Contains(names, o.File) {
		return nil, fmt.Errorf("store: the source %s of this program is not there", o.File)
	}
	pkg := ""
	names = append([]string{o.File}, names...) // which says the name of the package
	for i, name := range names {
		if i > 0 && name == o.File || !o.test() && strings.HasSuffix(name, "_test.go") {
			continue
		}
		if err := notYounger(os.DirFS(filepath.Dir(name)), filepath.Base(name)); err != nil {
			return nil, fmt.Errorf("store: %w", err)
		}
		b, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("store: %w", err)
		}
		f, err := parser.ParseFile(p.files, name, b, 0)
		if err != nil {
			return nil, fmt.Errorf("store: %w", err)
		}
		if pkg == "" {
			pkg = f.Name.Name
		}
		if f.Name.Name == pkg {
			p.text[f] = b
			p.add(f)
		}
	}
	return p, nil
}

// add takes in the declarations of a file.
func (p *source) add(f *ast.File) {
	put := func(name string, d *declaration) {
		if name == "_" || name == "init" && d.kind == token.FUNC {
			p.inits = append(p.inits, d)
			return
		}
		p.named[name] = append(p.named[name], d)
	}
	for _, decl := range f.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			d := &declaration{decl, token.FUNC, f}
			if decl.Recv == nil || len(decl.Recv.List) != 1 {
				put(decl.Name.Name, d)
				continue
			}
			receiver := "" // the first name: *T[K] is T
			ast.Inspect(decl.Recv.List[0].Type, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok && receiver == "" {
					receiver = id.Name
				}
				return true
			})
			put(receiver, d)
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					put(spec.Name.Name, &declaration{spec, decl.Tok, f})
				case *ast.ValueSpec:
					d := &declaration{spec, decl.Tok, f}
					if decl.Tok == token.CONST {
						d = &declaration{decl, decl.Tok, f}
					}
					for _, id := range spec.Names {
						put(id.Name, d)
					}
				}
			}
		}
	}
}

// at is the declaration that holds the line of a function, and where what counts of it ends: with the outermost function
// literal on that line, else with the declaration.
func (p *source) at(o origin) (at *declaration, end token.Pos) {
	holds := func(n ast.Node) bool {
		first, last := p.files.Position(n.Pos()), p.files.Position(n.End())
		return first.Filename == o.File && first.Line <= o.Line && o.Line <= last.Line
	}
	for _, d := range slices.Concat(append(slices.Collect(maps.Values(p.named)), p.inits)...) {
		if !holds(d.node) {
			continue
		}
		at, end = d, token.NoPos
		ast.Inspect(d.node, func(n ast.Node) bool {
			if lit, ok := n.(*ast.FuncLit); ok && holds(lit) {
				end = max(end, lit.End())
			}
			return true
		})
		if end == token.NoPos {
			end = d.node.End()
		}
	}
	return at, end
}

// identifiers calls see for the identifiers of d up to end, but for the names of fields and methods that are selected,
// and the name of a function or a method itself.
func (d *declaration) identifiers(end token.Pos, see func(*ast.Ident)) {
	var look func(n ast.Node) bool
	look = func(n ast.Node) bool {
		if n == nil || n.Pos() >= end {
			return false
		}
		switch n := n.(type) {
		case *ast.SelectorExpr:
			ast.Inspect(n.X, look)
			return false
		case *ast.FuncDecl:
			if n.Recv != nil {
				ast.Inspect(n.Recv, look)
			}
			ast.Inspect(n.Type, look)
			if n.Body != nil {
				ast.Inspect(n.Body, look)
			}
			return false
		case *ast.Ident:
			see(n)
		}
		return true
	}
	ast.Inspect(d.node, look)
}

// tokens is d up to end as tokens, one a line.
func (p *source) tokens(d *declaration, end token.Pos) string {
	file := p.files.File(d.node.Pos())
	src := p.text[d.file][file.Offset(d.node.Pos()):file.Offset(end)]
	var s scanner.Scanner
	s.Init(token.NewFileSet().AddFile("", -1, len(src)), src, nil, 0)
	var b strings.Builder
	fmt.Fprintln(&b, d.kind)
	for {
		_, tok, literal := s.Scan()
		if tok == token.EOF {
			return b.String()
		}
		if tok == token.SEMICOLON { // written, or a line's end
			literal = ";"
		}
		fmt.Fprintf(&b, "%v %q\n", tok, literal)
	}
}

// mentioned reports that an import may be one of the names: its own, or what its path says.
func mentioned(spec *ast.ImportSpec, names map[string]bool) bool {
	if spec.Name != nil {
		return spec.Name.Name == "." || names[spec.Name.Name]
	}
	v, _ := strconv.Unquote(spec.Path.Value)
	words := strings.FieldsFunc(path.Join(path.Base(path.Dir(v)), path.Base(v)), func(r rune) bool {
		return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	return slices.ContainsFunc(words, func(w string) bool { return names[w] })
}
