package cells

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Paths of packages that a program imports for its variables and its last expression.
const (
	keptPath = "github.com/mklnb/mkl/mklnb/kept"
	nbPath   = "github.com/mklnb/mkl/mklnb"

	libraryPath  = "github.com/mklnb/mkl/"
	openblasPath = libraryPath + "algos/linalg/openblas"
)

// Source is a program as the kernel composes it: the declarations of all cells, and main.
type Source struct {
	Text   string
	Cell   int   // the number of the cell
	Cells  []int // for each line, the number of its cell, or -1
	IsBody bool  // main consists of the statements of the cell; else the cell declares func main
	Args   bool  // the program gets arguments
	// IsMarked states that a line %% precedes the statements. A variable of them may then have the name of a function.
	IsMarked bool
}

// Program is a program to build, and what Finish must know about it.
type Program struct {
	Main string // main.go
	Glue string // a second file, "" if there is none

	cell          int
	hasVariables  bool
	types         map[string]string // of the variables of this program
	read          []string          // variables of earlier cells
	assigned      []string          // variables that the cell declares or assigns
	declared      []string          // variables that a declaration outside of main makes
	notes         []string          // for the reader of the cell
	unkept        map[string]string // reasons of variables that only this program can have
	declaredTypes map[string]bool   // types declared outside functions
	own           []string          // functions, types and constants that the cell declares
}

// Error is an error of a cell in the form of the compiler: lines that begin with ./main.go:LINE:COLUMN.
type Error struct{ Text string }

func (e *Error) Error() string { return e.Text }

// Missing is the error of a cell that imports a package that does not exist or does not compile. Main is its main.go,
// for the go command to say what is wrong.
type Missing struct{ Main string }

func (e *Missing) Error() string { return "a package is missing" }

// builder makes a program of a source.
type builder struct {
	*Session
	source  Source
	text    string // of the same length as the source's; what is not needed is blank
	files   *token.FileSet
	file    *ast.File
	main    *ast.FuncDecl
	names   []string          // variables of earlier cells that the program names, and those in the same files
	imports map[string]string // path by name, those to add
	program *Program
}

// Prepare makes the program of a cell. An error of the cell has type *Error.
func (s *Session) Prepare(source Source) (*Program, error) {
	b := &builder{Session: s, source: source, text: source.Text, imports: map[string]string{}}
	b.program = &Program{cell: source.Cell, types: map[string]string{}, unkept: map[string]string{},
		declaredTypes: map[string]bool{}}
	s.packages.startCell()
	if err := b.parse(); err != nil {
		return nil, err
	}
	b.prune()
	if err := b.resolveImports(); err != nil {
		return nil, err
	}
	if err := b.parse(); err != nil {
		return nil, err
	}
	if err := b.rewrite(); err != nil {
		return nil, err
	}
	if err := s.start(b.program); err != nil {
		return nil, err
	}
	return b.program, nil
}

// Built tells the session that a program compiled: names that it declares are no longer variables.
func (s *Session) Built(p *Program) {
	for _, name := range p.own {
		delete(s.vars, name)
	}
}

func (b *builder) parse() (err error) {
	b.files = token.NewFileSet()
	b.file, err = parser.ParseFile(b.files, "main.go", b.text, parser.ParseComments)
	if err != nil {
		return &Error{"./" + err.Error()}
	}
	for _, d := range b.file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "main" {
			b.main = f
		}
	}
	return nil
}

// unresolved returns the names that are not declared in the file.
func (b *builder) unresolved() map[*ast.Ident]bool {
	names := map[*ast.Ident]bool{}
	for _, id := range b.file.Unresolved {
		names[id] = true
	}
	return names
}

func (b *builder) offset(p token.Pos) int { return b.files.Position(p).Offset }

// blank replaces a part of the text by blanks, so that the positions of the rest stay.
func (b *builder) blank(from, to token.Pos) {
	start, end := b.offset(from), b.offset(to)
	middle := strings.Map(func(r rune) rune {
		if r == '\n' {
			return r
		}
		return ' '
	}, b.text[start:end])
	// a character of several bytes became one blank
	if missing := end - start - len(middle); missing > 0 {
		middle += strings.Repeat(" ", missing)
	}
	b.text = b.text[:start] + middle + b.text[end:]
}

// declaration is a declaration outside of main and the names in it.
type declaration struct {
	from, to token.Pos
	uses     []string
	isRoot   bool
	isNeeded bool
}

// prune blanks the declarations of earlier cells that the cell does not need, and finds the variables that it names.
func (b *builder) prune() {
	byName := map[string][]*declaration{}
	var all []*declaration
	unresolved := b.unresolved()
	open := map[string]bool{} // names that are not declared in this file
	add := func(node ast.Node, doc *ast.CommentGroup, isRoot bool, names ...string) *declaration {
		d := &declaration{from: node.Pos(), to: node.End(), isRoot: isRoot || b.isOwn(node)}
		if doc != nil {
			d.from = doc.Pos()
		}
		ast.Inspect(node, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				d.uses = append(d.uses, id.Name)
				if unresolved[id] {
					open[id.Name] = true
				}
			} else if pair, ok := n.(*ast.KeyValueExpr); ok {
				if id, ok := pair.Key.(*ast.Ident); ok { // of a map, or a field: the parser does not resolve it
					open[id.Name] = true
				}
			}
			return true
		})
		for _, name := range names {
			byName[name] = append(byName[name], d)
		}
		all = append(all, d)
		return d
	}
	for _, d := range b.file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			name := d.Name.Name
			if d.Recv != nil && len(d.Recv.List) > 0 {
				name = receiverName(d.Recv.List[0].Type)
			} else if name != "main" && name != "init" && b.isOwn(d) {
				b.program.own = append(b.program.own, name)
			}
			add(d, d.Doc, name == "main" || name == "init" && d.Recv == nil, name)
		case *ast.GenDecl:
			b.pruneGroup(d, add)
		}
	}
	var visit func(d *declaration)
	visitName := func(name string) {
		for _, d := range byName[name] {
			visit(d)
		}
	}
	visit = func(d *declaration) {
		if d.isNeeded {
			return
		}
		d.isNeeded = true
		for _, name := range d.uses {
			visitName(name)
			if v := b.vars[name]; v != nil && v.File != "" && open[name] && len(byName[name]) == 0 &&
				!slices.Contains(b.program.own, name) {
				b.addVariable(name, visitName)
			}
		}
	}
	for _, d := range all {
		if d.isRoot {
			visit(d)
		}
	}
	for _, d := range all {
		if !d.isNeeded {
			b.blank(d.from, d.to)
		}
	}
}

// addVariable adds a variable and those in the same file, and the types of cells that they need.
func (b *builder) addVariable(name string, visitName func(string)) {
	if slices.Contains(b.names, name) {
		return
	}
	for other, v := range b.vars {
		if v.File == b.vars[name].File && !slices.Contains(b.names, other) {
			b.names = append(b.names, other)
			for _, t := range mainTypes(append([]string{v.Type}, v.Types...)...) {
				visitName(t)
			}
		}
	}
	slices.Sort(b.names)
}

func (b *builder) pruneGroup(d *ast.GenDecl, add func(ast.Node, *ast.CommentGroup, bool, ...string) *declaration) {
	var names []string
	for _, s := range d.Specs {
		switch s := s.(type) {
		case *ast.ImportSpec:
			if name := b.importName(s); b.isOwn(s) {
				b.program.own = append(b.program.own, name)
			}
		case *ast.TypeSpec:
			names = append(names, s.Name.Name)
			b.program.declaredTypes[s.Name.Name] = true
			if b.isOwn(s) {
				b.program.own = append(b.program.own, s.Name.Name)
			}
		case *ast.ValueSpec:
			for _, n := range s.Names {
				names = append(names, n.Name)
				if d.Tok == token.CONST && b.isOwn(s) {
					b.program.own = append(b.program.own, n.Name)
				}
			}
		}
	}
	if d.Tok != token.IMPORT {
		add(d, d.Doc, d.Tok == token.VAR && !slices.Contains(names, "_"), names...) // flags are always known
	}
}

// isOwn reports whether a declaration is in the cell itself.
func (b *builder) isOwn(n ast.Node) bool {
	for line := b.files.Position(n.Pos()).Line; line <= b.files.Position(n.End()).Line; line++ {
		if line-1 < len(b.source.Cells) && b.source.Cells[line-1] == b.source.Cell {
			return true
		}
	}
	return false
}

// importName returns the name of an imported package.
func (b *builder) importName(s *ast.ImportSpec) string {
	if s.Name != nil {
		return s.Name.Name
	}
	return b.packages.nameOf(strings.Trim(s.Path.Value, "\"`"))
}

func receiverName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiverName(e.X)
	case *ast.IndexExpr:
		return receiverName(e.X)
	case *ast.IndexListExpr:
		return receiverName(e.X)
	case *ast.ParenExpr:
		return receiverName(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// typeName matches the name of a type with the path of its package.
var typeName = regexp.MustCompile(`"([^"\s]+)"\.(\pL[\pL\pN_]*)`)

// mainTypes returns the names of the types of cells in some types.
func mainTypes(list ...string) (names []string) {
	for _, t := range list {
		for _, m := range typeName.FindAllStringSubmatch(t, -1) {
			if m[1] == "main" {
				names = append(names, m[2])
			}
		}
	}
	return names
}

// resolveImports blanks the imports that the program does not use, and finds those that it uses without saying so.
func (b *builder) resolveImports() error {
	if err := b.parse(); err != nil {
		return err
	}
	members := map[string][]string{} // of names that are not declared
	first := map[string]token.Pos{}
	unresolved := b.unresolved()
	ast.Inspect(b.file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := s.X.(*ast.Ident); ok && unresolved[id] {
				members[id.Name] = append(members[id.Name], s.Sel.Name)
				if !first[id.Name].IsValid() {
					first[id.Name] = id.Pos()
				}
			}
		}
		return true
	})
	if !b.source.Args && b.source.IsBody && len(members["flag"]) == 1 && len(b.main.Body.List) > 0 {
		if s := b.main.Body.List[0]; strings.HasPrefix(b.text[b.offset(s.Pos()):], "flag.Parse()") {
			b.blank(s.Pos(), s.End())
			delete(members, "flag")
		}
	}
	declared := b.dropImports(members)
	var faults []string
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if v := b.vars[name]; declared[name] || v != nil && v.File != "" {
			continue
		}
		found := b.packages.candidates(name, members[name])
		switch len(found) {
		case 0:
		case 1:
			b.imports[name] = found[0]
		default:
			faults = append(faults,
				fmt.Sprintf("./%v: %s is the name of several packages; add one of these lines: import \"%s\"",
					b.files.Position(first[name]), name, strings.Join(found, "\", import \"")))
		}
	}
	if faults != nil {
		return &Error{strings.Join(faults, "\n")}
	}
	return nil
}

// dropImports blanks the imports that are not used, also those that a variable of the same name hides, and returns the
// names of the others.
func (b *builder) dropImports(members map[string][]string) map[string]bool {
	declared := map[string]bool{}
	var unlisted []string
	for _, s := range b.file.Imports {
		unlisted = append(unlisted, strings.Trim(s.Path.Value, "\"`"))
	}
	if unlisted != nil {
		b.packages.load(unlisted)
	}
	for _, s := range b.file.Imports {
		name := b.importName(s)
		if name == "_" || name == "." {
			continue
		}
		if v := b.vars[name]; len(members[name]) == 0 ||
			v != nil && v.File != "" && !slices.Contains(b.program.own, name) {
			b.blank(s.Pos(), s.End())
			continue
		}
		declared[name] = true
	}
	return declared
}
