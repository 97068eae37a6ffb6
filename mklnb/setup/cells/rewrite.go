package cells

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"runtime"
	"slices"
	"strings"
)

// edit replaces a part of main.go.
type edit struct {
	from, to int
	text     string
}

// rewriter adds to a program what lets its variables last.
type rewriter struct {
	*builder
	paths       []string // of the packages that the cell and its variables need
	importer    types.Importer
	info        *types.Info
	errors      []types.Error
	checkedFile *ast.File // main.go as info describes it
	glue        *glue
	edits       []edit
	drops       map[ast.Node]bool       // assignments that drop the error of their call
	lasting     map[types.Object]string // name in the program of each variable that the statements of main declare
	old         map[string]types.Object // variables of earlier cells
	remade      map[string]bool         // declared variables that each program makes again
	hidden      map[types.Object]string // name in main of those that main declares again
	unnamed     map[types.Object]bool   // variables that remain local
	labels      int
}

func (b *builder) rewrite() error {
	r := &rewriter{builder: b, drops: map[ast.Node]bool{}}
	var paths []string
	for _, s := range b.file.Imports {
		if path := strings.Trim(s.Path.Value, "\"`"); path != "unsafe" && path != "C" {
			paths = append(paths, path)
		}
	}
	for _, path := range b.imports {
		paths = append(paths, path)
	}
	for _, name := range b.names {
		for _, t := range append([]string{b.vars[name].Type}, b.vars[name].Types...) {
			for _, m := range typeName.FindAllStringSubmatch(t, -1) {
				if m[1] != "main" {
					paths = append(paths, m[1])
				}
			}
		}
	}
	var err error
	if r.importer, err = b.packages.load(paths); err != nil || b.packages.isMissing(paths) {
		r.addImports()
		r.program.Main = r.text
		return &Missing{r.text}
	}
	r.paths = paths
	r.addImports()
	if err := b.parse(); err != nil {
		return err
	}
	if err := r.findTypes(); err != nil {
		return err
	}
	r.findRemade()
	if err := r.mistakes(); err != nil {
		return err
	}
	r.plan()
	if err := r.usedByFunctions(); err != nil {
		return err
	}
	if err := r.early(); err != nil {
		return err
	}
	return r.finish()
}

// addImports adds the imports that the cell uses without saying so to the first line.
func (r *rewriter) addImports() {
	line := "package main"
	for _, name := range slices.Sorted(maps.Keys(r.imports)) {
		line += fmt.Sprintf("; import %s %q", name, r.imports[name])
	}
	r.text = strings.Replace(r.text, "package main", line, 1)
	r.imports = map[string]string{}
}

// check checks the types of the program. Variables of earlier cells are declared in a second file.
func (r *rewriter) check(files ...*ast.File) *types.Package {
	r.errors = nil
	r.info = &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{},
		Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
	config := types.Config{Importer: r.importer, Sizes: types.SizesFor("gc", runtime.GOARCH),
		Error: func(err error) { r.errors = append(r.errors, err.(types.Error)) }}
	r.checkedFile = files[0]
	pkg, _ := config.Check("main", r.files, files, r.info)
	return pkg
}

// findTypes checks the program until it is known which assignments drop an error.
func (r *rewriter) findTypes() error {
	declarations := newGlue()
	for _, name := range r.names {
		v := r.vars[name]
		for _, t := range mainTypes(append([]string{v.Type}, v.Types...)...) {
			if !r.program.declaredTypes[t] {
				return r.fault(r.main.Pos(), fmt.Sprintf("the type %s of %s is not declared any more: declare it again",
					t, name))
			}
		}
		fmt.Fprintf(&declarations.body, "var %s %s\n", name, declarations.source(r.vars[name].Type))
	}
	for {
		second, err := parser.ParseFile(r.files, "kept.go", declarations.text(), parser.SkipObjectResolution)
		if err != nil {
			return fmt.Errorf("cells: declare the variables of earlier cells: %w", err)
		}
		pkg := r.check(r.file, second)
		r.old = map[string]types.Object{}
		for _, name := range r.names {
			if o := pkg.Scope().Lookup(name); o != nil {
				r.old[name] = o
			}
		}
		if !r.dropErrors() {
			return nil
		}
	}
}

// usedByFunctions returns an error if the cell declares a variable of an earlier cell again that functions use, and in
// this cell a function would use another one than in Go: it has another type, or shares memory with another variable
// and is assigned by functions, which the cell may call before.
func (r *rewriter) usedByFunctions() error {
	for o := range r.lasting {
		old := r.old[o.Name()]
		if old == nil || !r.isUsedOutside(old) {
			continue
		}
		fault := ""
		switch isSame := types.Identical(o.Type(), old.Type()); {
		case !isSame && r.isUsedEarlier(old):
			fault = fmt.Sprintf(" gets another type, but a function uses it: give it a value of type %s, give it "+
				"another name, or change the function in a cell before", types.TypeString(old.Type(),
				types.RelativeTo(old.Pkg())))
		case (!isSame || r.hidden[old] != "" && r.isChangedOutside(old)) && r.callsBefore(o.Pos()):
			fault = " is declared again with another type, or beside another variable that points to the old one, " +
				"and a function uses it: declare it before the first call of the cell, or assign it without a colon"
		default:
			continue
		}
		return r.fault(o.Pos(), o.Name()+fault)
	}
	return nil
}

// fault returns an error of the cell.
func (r *rewriter) fault(at token.Pos, message string) error {
	p := r.files.Position(at)
	return &Error{fmt.Sprintf("./main.go:%d:%d: %s", p.Line, p.Column, message)}
}

// callsBefore reports whether a statement of main calls a function up to the one at a position.
func (r *rewriter) callsBefore(at token.Pos) (found bool) {
	for _, s := range r.main.Body.List {
		if s.Pos() > at {
			break
		}
		ast.Inspect(s, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			found = found || ok && !r.info.Types[call.Fun].IsType() && !r.info.Types[call.Fun].IsBuiltin()
			return true
		})
	}
	return found
}

// shares reports whether a variable of an earlier cell shares memory with another one.
func (r *rewriter) shares(name string) bool {
	for other, v := range r.vars {
		if other != name && v.File == r.vars[name].File {
			return true
		}
	}
	return false
}

// isUsedOutside reports whether a function other than main uses a variable.
func (r *rewriter) isUsedOutside(o types.Object) bool {
	for id, used := range r.info.Uses {
		if used == o && (id.Pos() < r.main.Pos() || id.Pos() > r.main.End()) {
			return true
		}
	}
	return false
}

// isUsedEarlier reports whether a function of an earlier cell uses a variable.
func (r *rewriter) isUsedEarlier(o types.Object) bool {
	for id, used := range r.info.Uses {
		if used == o && !r.isOwn(id) {
			return true
		}
	}
	return false
}

// isChangedOutside reports whether a function other than main changes a variable.
func (r *rewriter) isChangedOutside(o types.Object) (found bool) {
	r.changes(func(e ast.Expr, _ bool) {
		id := rootOf(e)
		found = found || id != nil && r.info.Uses[id] == o && (id.Pos() < r.main.Pos() || id.Pos() > r.main.End())
	})
	return found
}

// early returns an error if main uses a variable before the statement that declares it, or declares it twice. In the
// finished program the variable is declared outside of main: it would be zero, or get the second value.
func (r *rewriter) early() error {
	var lines []string
	for _, e := range r.errors {
		if e.Pos < r.main.Body.Pos() || e.Pos > r.main.Body.End() {
			continue
		}
		name, isEarly := strings.CutPrefix(e.Msg, "undefined: ")
		isEarly = isEarly && slices.ContainsFunc(slices.Collect(maps.Keys(r.lasting)), func(o types.Object) bool {
			return o.Name() == name
		})
		if isEarly || e.Msg == "no new variables on left side of :=" ||
			strings.HasSuffix(e.Msg, " redeclared in this block") {
			lines = append(lines, r.fault(e.Pos, e.Msg+r.hint(e)).(*Error).Text)
		}
	}
	if lines == nil {
		return nil
	}
	return &Error{strings.Join(lines, "\n")}
}

// dropErrors finds assignments of the statements of main, and declarations of the cell, whose call returns an error
// more than there are variables. It adds a blank variable to them, and reports whether there was one.
func (r *rewriter) dropErrors() (found bool) {
	list := r.declarations()
	for _, s := range r.statements() {
		list = append(list, assignments(s)...)
	}
	for _, a := range list {
		if r.drops[a.node] || len(a.values) != 1 || len(a.names) == 0 {
			continue
		}
		call, ok := ast.Unparen(a.values[0]).(*ast.CallExpr)
		if !ok {
			continue
		}
		results, ok := r.info.Types[call].Type.(*types.Tuple)
		if ok && results.Len() == len(a.names)+1 && isError(results.At(results.Len()-1).Type()) {
			a.addBlank()
			r.drops[a.node], found = true, true
		}
	}
	return found
}

// statements returns the statements of main if they are those of the cell.
func (r *rewriter) statements() []ast.Stmt {
	if !r.source.IsBody {
		return nil
	}
	return r.main.Body.List
}

// declarations returns the variables that are declared outside of functions.
func (r *rewriter) declarations() (list []assignment) {
	for _, d := range r.file.Decls {
		if d, ok := d.(*ast.GenDecl); ok {
			list = append(list, assignments(&ast.DeclStmt{Decl: d})...)
		}
	}
	return list
}

func isError(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }

// assignment is a statement of main, or a line of its var, that declares or assigns variables.
type assignment struct {
	node     ast.Node
	names    []ast.Expr
	values   []ast.Expr
	declares bool
	addBlank func()
}

// assignments returns the assignments in a statement of main, not those inside its blocks.
func assignments(s ast.Stmt) (list []assignment) {
	switch s := s.(type) {
	case *ast.LabeledStmt:
		return assignments(s.Stmt)
	case *ast.AssignStmt:
		if s.Tok == token.DEFINE || s.Tok == token.ASSIGN {
			list = append(list, assignment{s, s.Lhs, s.Rhs, s.Tok == token.DEFINE,
				func() { s.Lhs = append(s.Lhs, &ast.Ident{Name: "_", NamePos: s.TokPos}) }})
		}
	case *ast.DeclStmt:
		if d := s.Decl.(*ast.GenDecl); d.Tok == token.VAR {
			for _, spec := range d.Specs {
				v := spec.(*ast.ValueSpec)
				var names []ast.Expr
				for _, n := range v.Names {
					names = append(names, n)
				}
				list = append(list, assignment{v, names, v.Values, true, func() {
					v.Names = append(v.Names, &ast.Ident{Name: "_", NamePos: v.Names[len(v.Names)-1].End()})
				}})
			}
		}
	}
	return list
}

// variables declares the variables of the program and lets it read those of earlier cells.
func (r *rewriter) variables() {
	var loaded, declared []string
	isRead := map[string]bool{}
	for _, name := range r.names {
		stored := cmp.Or(r.hidden[r.old[name]], name)
		r.glue.declare(fmt.Sprintf("var %s %s", stored, r.glue.source(r.vars[name].Type)))
		loaded = append(loaded, fmt.Sprintf("kept__.Var(%q, &%s)", name, stored))
		isRead[stored] = true
		r.program.read = append(r.program.read, name)
		if r.program.types[name] == "" {
			r.program.types[name] = r.vars[name].Type
		}
		for _, t := range r.vars[name].Types {
			r.glue.need(t)
		}
	}
	var cases []string
	for _, o := range sortedObjects(r.lasting) {
		as, value := r.lasting[o], ""
		if old := r.old[o.Name()]; old != nil && r.hidden[old] != "" && types.Identical(o.Type(), old.Type()) {
			value = " = " + r.hidden[old] // for functions that the cell calls before it declares the variable
		}
		if !isRead[as] {
			r.glue.declare(fmt.Sprintf("var %s %s%s", as, r.glue.source(typeString(o.Type())), value))
		}
		cases = append(cases, fmt.Sprintf("\t\tcase %q:\n\t\t\tkept__.Set(kept__.Var(kept__name, &%s))\n", o.Name(),
			as))
	}
	r.glue.imports[keptPath] = "kept__"
	if cases != nil {
		// The cases contain names of the user, so all others begin with kept__.
		r.glue.declare("func kept__set(kept__names string) {\n" +
			"\tfor _, kept__name := range kept__.Fields(kept__names) {\n\t\tswitch kept__name {\n" +
			strings.Join(cases, "") + "\t\t}\n\t}\n}")
	}
	for _, name := range r.program.declared {
		o := r.lookup(name)
		if o == nil || isInvalid(o.Type()) {
			continue
		}
		if reason := r.whyUnnamed(o.Type()); reason != "" {
			r.program.unkept[name] = reason
			continue
		}
		declared = append(declared, fmt.Sprintf("kept__.Var(%q, &%s)", name, name))
		r.program.types[name] = typeString(o.Type())
	}
	r.program.hasVariables = len(loaded)+len(cases)+len(r.program.declared)+len(r.program.unkept) > 0 ||
		r.setsProcess()
	if foreign := r.foreign(); r.program.hasVariables && foreign != nil {
		r.glue.declare("func init() { kept__.Foreign(" + strings.Join(foreign, ", ") + ") }")
	}
	if declared != nil {
		r.glue.declare("func init() { kept__.Set(" + strings.Join(declared, ", ") + ") }")
	}
	if r.program.hasVariables {
		r.glue.first = "var _ = kept__.Load(" + strings.Join(loaded, ", ") + ")\n"
		if !r.usesTimers() {
			r.glue.declare("func init() { kept__.ReportDeadlocks() }")
		}
	}
	if slices.ContainsFunc(slices.Concat(r.paths, slices.Collect(maps.Keys(r.glue.imports))), func(path string) bool {
		return path != keptPath && strings.HasPrefix(path, libraryPath)
	}) {
		r.glue.linked = openblasPath // each program computes the same bytes
	}
}

// foreign returns the variables of packages that the program names and that may share memory with others.
func (r *rewriter) foreign() (list []string) {
	for _, o := range r.info.Uses {
		v, ok := o.(*types.Var)
		if !ok || v.Pkg() == nil || v.Pkg().Path() == "main" || v.Parent() != v.Pkg().Scope() {
			continue
		}
		if _, ok := v.Type().Underlying().(*types.Basic); !ok {
			list = append(list, fmt.Sprintf("kept__.Var(%q, &%s.%s)", v.Pkg().Name()+"."+v.Name(),
				r.glue.alias(v.Pkg().Path()), v.Name()))
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func (r *rewriter) lookup(name string) types.Object {
	for _, o := range r.info.Defs {
		if o != nil && o.Name() == name && o.Pkg() != nil && o.Parent() == o.Pkg().Scope() {
			return o
		}
	}
	return nil
}

func sortedObjects(m map[types.Object]string) []types.Object {
	return slices.SortedFunc(maps.Keys(m), func(a, b types.Object) int { return strings.Compare(a.Name(), b.Name()) })
}
