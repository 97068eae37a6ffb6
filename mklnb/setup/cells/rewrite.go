package cells

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"regexp"
	"runtime"
	"slices"
	"strconv"
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
	paths    []string // of the packages that the cell and its variables need
	importer types.Importer
	info     *types.Info
	errors   []types.Error
	glue     *glue
	edits    []edit
	drops    map[ast.Node]bool       // assignments that drop the error of their call
	lasting  map[types.Object]string // name in the program of each variable that the statements of main declare
	old      map[string]types.Object // variables of earlier cells
	unnamed  map[types.Object]bool   // variables that remain local
	labels   int
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
		return &Error{"./" + err.Error(), b.text}
	}
	if err := r.findTypes(); err != nil {
		return err
	}
	r.plan()
	early := r.early()
	if err := r.finish(); err != nil || early == nil {
		return err
	}
	return early
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
	pkg, _ := config.Check("main", r.files, files, r.info)
	return pkg
}

// findTypes checks the program until it is known which assignments drop an error.
func (r *rewriter) findTypes() error {
	declarations := newGlue()
	for _, name := range r.names {
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
		if !r.source.IsBody || !r.dropErrors() {
			return nil
		}
	}
}

// early returns an error if main uses a variable before the statement that declares it. In the finished program the
// variable is declared outside of main, and would be zero.
func (r *rewriter) early() error {
	var lines []string
	for _, e := range r.errors {
		name, ok := strings.CutPrefix(e.Msg, "undefined: ")
		if p := r.files.Position(e.Pos); ok && p.Filename == "main.go" && e.Pos > r.main.Body.Pos() && e.Pos < r.main.Body.End() {
			for o := range r.lasting {
				if o.Name() == name {
					lines = append(lines, fmt.Sprintf("./main.go:%d:%d: %s%s", p.Line, p.Column, e.Msg, r.hint(e.Msg)))
				}
			}
		}
	}
	if lines == nil {
		return nil
	}
	return &Error{strings.Join(lines, "\n"), r.text}
}

// dropErrors finds assignments of the statements of main whose call returns an error more than there are variables, adds
// a blank variable to them, and reports whether there was one.
func (r *rewriter) dropErrors() (found bool) {
	for _, s := range r.main.Body.List {
		for _, a := range assignments(s) {
			if r.drops[a.node] || len(a.values) != 1 || len(a.names) == 0 {
				continue
			}
			call, ok := ast.Unparen(a.values[0]).(*ast.CallExpr)
			if !ok {
				continue
			}
			results, ok := r.info.Types[call].Type.(*types.Tuple)
			if ok && results.Len() == len(a.names)+1 && results.Len() > 1 && isError(results.At(results.Len()-1).Type()) {
				a.addBlank()
				r.drops[a.node], found = true, true
			}
		}
	}
	return found
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
				list = append(list, assignment{v, names, v.Values, true,
					func() { v.Names = append(v.Names, &ast.Ident{Name: "_", NamePos: v.Names[len(v.Names)-1].End()}) }})
			}
		}
	}
	return list
}

// plan decides how the variables of the statements of main are stored.
func (r *rewriter) plan() {
	r.lasting, r.unnamed = map[types.Object]string{}, map[types.Object]bool{}
	r.glue = newGlue()
	if !r.source.IsBody {
		return
	}
	taken := map[string]bool{}
	for _, s := range r.file.Imports {
		if s.Name != nil {
			taken[s.Name.Name] = true
		} else {
			taken[r.packages.nameOf(strings.Trim(s.Path.Value, "\"`"))] = true
		}
	}
	for _, d := range r.file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			taken[d.Name.Name] = taken[d.Name.Name] || d.Recv == nil
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					taken[s.Name.Name] = true
				case *ast.ValueSpec:
					for _, n := range s.Names {
						taken[n.Name] = true
					}
				}
			}
		}
	}
	used := map[types.Object]bool{}
	for _, o := range r.info.Uses {
		used[o] = true
	}
	for _, s := range r.main.Body.List {
		for _, a := range assignments(s) {
			for _, e := range a.names {
				id, ok := e.(*ast.Ident)
				o := r.info.Defs[id]
				if !ok || !a.declares || o == nil || id.Name == "_" {
					continue
				}
				if isInvalid(o.Type()) {
					r.unnamed[o] = true
					continue
				}
				if reason := r.whyUnnamed(o.Type()); reason != "" {
					r.unnamed[o], r.program.unkept[id.Name] = true, reason
					continue
				}
				old := r.old[id.Name]
				switch {
				case taken[id.Name] || old != nil && used[old] && !types.Identical(old.Type(), o.Type()):
					r.lasting[o] = id.Name + "__"
				default:
					r.lasting[o] = id.Name
				}
				r.program.assigned = append(r.program.assigned, id.Name)
				r.program.types[id.Name] = typeString(o.Type())
			}
		}
	}
}

func isInvalid(t types.Type) bool {
	invalid := false
	var visit func(t types.Type)
	visit = func(t types.Type) {
		switch t := t.(type) {
		case *types.Basic:
			invalid = invalid || t.Kind() == types.Invalid || t.Kind() == types.UntypedNil
		case *types.Pointer:
			visit(t.Elem())
		case *types.Slice:
			visit(t.Elem())
		}
	}
	visit(t)
	return invalid
}

// typeString returns a type as variable.Type describes it.
func typeString(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string { return strconv.Quote(p.Path()) })
}

// whyUnnamed returns why a later cell cannot name a type, or "".
func (r *rewriter) whyUnnamed(t types.Type) string {
	seen := map[types.Type]bool{}
	var visit func(t types.Type) string
	visit = func(t types.Type) string {
		if seen[t] {
			return ""
		}
		seen[t] = true
		switch t := t.(type) {
		case *types.Alias:
			return visit(types.Unalias(t))
		case *types.Named:
			o := t.Obj()
			switch {
			case o.Pkg() == nil:
			case o.Pkg().Path() == "main" && o.Parent() != o.Pkg().Scope():
				return "its type " + o.Name() + " is declared in a function; declare the type outside"
			case o.Pkg().Path() != "main" && (!o.Exported() || !isPublic(o.Pkg().Path())):
				return "of type " + types.TypeString(t, (*types.Package).Name) + ", which only its package can name"
			}
			for i := range t.TypeArgs().Len() {
				if reason := visit(t.TypeArgs().At(i)); reason != "" {
					return reason
				}
			}
		case *types.Pointer:
			return visit(t.Elem())
		case *types.Slice:
			return visit(t.Elem())
		case *types.Array:
			return visit(t.Elem())
		case *types.Chan:
			return visit(t.Elem())
		case *types.Map:
			return visit(t.Key()) + visit(t.Elem())
		case *types.Tuple:
			for i := range t.Len() {
				if reason := visit(t.At(i).Type()); reason != "" {
					return reason
				}
			}
		case *types.Signature:
			return visit(t.Params()) + visit(t.Results())
		case *types.Struct:
			for i := range t.NumFields() {
				if f := t.Field(i); !f.Exported() && f.Pkg().Path() != "main" {
					return "of a type that only its package can name"
				} else if reason := visit(f.Type()); reason != "" {
					return reason
				}
			}
		}
		return ""
	}
	return visit(t)
}

// finish writes the edits and the second file, and checks the whole program.
func (r *rewriter) finish() error {
	r.renameUses()
	r.noteAssigned()
	r.exits()
	if r.source.IsBody {
		r.polls()
		for i, s := range r.main.Body.List {
			r.statement(s, i == len(r.main.Body.List)-1)
		}
	}
	r.variables()
	if !r.glue.isEmpty() {
		if r.program.hasVariables {
			r.insert(r.main.Body.Lbrace+1, " defer kept__finish();")
			r.glue.declare("func kept__finish() { kept__.Finish() }")
		}
		r.program.Glue = r.glue.text()
	}
	r.program.Main = r.apply()
	return r.verify()
}

func (r *rewriter) insert(p token.Pos, text string) {
	r.edits = append(r.edits, edit{r.offset(p), r.offset(p), text})
}

func (r *rewriter) replace(from, to token.Pos, text string) {
	r.edits = append(r.edits, edit{r.offset(from), r.offset(to), text})
}

func (r *rewriter) apply() string {
	slices.SortStableFunc(r.edits, func(a, b edit) int { return a.from - b.from })
	var b strings.Builder
	at := 0
	for _, e := range r.edits {
		b.WriteString(r.text[at:e.from] + e.text)
		at = e.to
	}
	return b.String() + r.text[at:]
}

// renameUses gives variables the names that they have in the program.
func (r *rewriter) renameUses() {
	rename := func(id *ast.Ident, o types.Object) {
		if name := r.lasting[o]; name != "" && name != id.Name {
			r.replace(id.Pos(), id.End(), name)
		}
	}
	for id, o := range r.info.Uses {
		rename(id, o)
	}
	for id, o := range r.info.Defs {
		if o != nil {
			rename(id, o)
		}
	}
}

// exits lets the variables be written before a call of os.Exit or log.Fatal.
func (r *rewriter) exits() {
	ast.Inspect(r.file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		s, ok := call.Fun.(*ast.SelectorExpr)
		if !ok || r.info.Uses[s.Sel] == nil || r.info.Uses[s.Sel].Pkg() == nil {
			return true
		}
		name := r.info.Uses[s.Sel].Pkg().Path() + "." + s.Sel.Name
		wrapper := map[string]string{"os.Exit": "kept__exit", "log.Fatal": "kept__fatal", "log.Fatalln": "kept__fatal",
			"log.Fatalf": "kept__fatalf"}[name]
		if _, isFunc := r.info.Uses[s.Sel].(*types.Func); wrapper == "" || !isFunc || r.info.Selections[s] != nil {
			return true
		}
		r.glue.declare(map[string]string{
			"kept__exit":   "func kept__exit(exit func(int), code int) { kept__.Finish(); exit(code) }",
			"kept__fatal":  "func kept__fatal(exit func(...any), args ...any) { kept__.Finish(); exit(args...) }",
			"kept__fatalf": "func kept__fatalf(exit func(string, ...any), form string, args ...any) { kept__.Finish(); exit(form, args...) }",
		}[wrapper])
		r.insert(call.Pos(), wrapper+"(")
		if len(call.Args) > 0 {
			r.replace(call.Lparen, call.Lparen+1, ", ")
		} else {
			r.replace(call.Lparen, call.Lparen+1, "")
		}
		return true
	})
}

// noteAssigned notes the variables of earlier cells that the program assigns.
func (r *rewriter) noteAssigned() {
	note := func(e ast.Expr) {
		if id, ok := ast.Unparen(e).(*ast.Ident); ok && r.info.Uses[id] != nil && r.old[id.Name] == r.info.Uses[id] {
			r.program.assigned = append(r.program.assigned, id.Name)
		}
	}
	ast.Inspect(r.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				note(e)
			}
		case *ast.IncDecStmt:
			note(n.X)
		case *ast.RangeStmt:
			note(n.Key)
			note(n.Value)
		}
		return true
	})
}

// polls lets loops of main stop between two statements.
func (r *rewriter) polls() {
	ast.Inspect(r.main.Body, func(n ast.Node) bool {
		var body *ast.BlockStmt
		switch n := n.(type) {
		case *ast.ForStmt:
			body = n.Body
		case *ast.RangeStmt:
			body = n.Body
		}
		if body != nil {
			r.glue.declare("func kept__poll() { kept__.Poll() }")
			r.insert(body.Lbrace+1, " kept__poll();")
		}
		return true
	})
}

// sourceOf returns the text of a part of main.go with its renamed variables. It removes the edits inside.
func (r *rewriter) sourceOf(from, to token.Pos) string {
	start, end := r.offset(from), r.offset(to)
	inner := &rewriter{builder: &builder{text: r.text[:end]}}
	var rest []edit
	for _, e := range r.edits {
		if e.from >= start && e.to <= end {
			inner.edits = append(inner.edits, e)
		} else {
			rest = append(rest, e)
		}
	}
	r.edits = rest
	return inner.apply()[start:]
}

// statement rewrites a statement of main.
func (r *rewriter) statement(s ast.Stmt, isLast bool) {
	if l, ok := s.(*ast.LabeledStmt); ok {
		r.statement(l.Stmt, isLast)
		return
	}
	if x, ok := s.(*ast.ExprStmt); ok {
		r.expression(x, isLast, isLast && !r.isSuppressed(s))
		return
	}
	d, isVar := s.(*ast.DeclStmt)
	list := assignments(s)
	if isVar && len(list) > 0 {
		g := d.Decl.(*ast.GenDecl)
		if first := g.Specs[0]; g.Lparen.IsValid() {
			r.replace(g.Pos(), g.Lparen+1, "")
			r.replace(g.Rparen, g.Rparen+1, "")
		} else {
			r.replace(g.Pos(), first.Pos(), "")
		}
	}
	for _, a := range list {
		r.assignment(a, isVar)
	}
}

// assignment rewrites an assignment so that it assigns variables outside of main, ends the cell with an error that it
// drops, and lets the variables last.
func (r *rewriter) assignment(a assignment, isVar bool) {
	if !a.declares && !r.drops[a.node] {
		return
	}
	v, _ := a.node.(*ast.ValueSpec)
	names := a.names
	if r.drops[a.node] { // without the blank that dropErrors added
		names = names[:len(names)-1]
	}
	var targets, set, locals []string
	isOnlyLocal := true
	for _, e := range names {
		id, ok := e.(*ast.Ident)
		if !ok {
			targets, isOnlyLocal = append(targets, r.sourceOf(e.Pos(), e.End())), false
			continue
		}
		o := r.info.Defs[id]
		switch {
		case r.lasting[o] != "" && o != nil:
			targets, isOnlyLocal = append(targets, r.lasting[o]), false
			set = append(set, id.Name)
		case r.unnamed[o] && o != nil:
			targets, locals = append(targets, id.Name), append(locals, id.Name)
		default:
			name := id.Name
			if u := r.info.Uses[id]; u != nil && r.lasting[u] != "" {
				name = r.lasting[u]
				set = append(set, id.Name)
			}
			targets = append(targets, name)
			isOnlyLocal = isOnlyLocal && name == "_"
		}
	}
	start, end := a.node.Pos(), a.node.End()
	valueText := ""
	if len(a.values) > 0 {
		valueText = r.sourceOf(a.values[0].Pos(), a.values[len(a.values)-1].End())
	} else if v != nil && v.Type != nil {
		t := r.text[r.offset(v.Type.Pos()):r.offset(v.Type.End())]
		valueText = strings.TrimSuffix(strings.Repeat("*new("+t+"), ", len(names)), ", ")
	}
	after := ""
	if len(set) > 0 {
		after = "; kept__set(" + strconv.Quote(strings.Join(set, " ")) + ")"
	}
	for _, name := range locals {
		after += "; _ = " + name
	}
	var text string
	switch {
	case r.drops[a.node]:
		text = r.checked(targets, valueText, isOnlyLocal && len(locals) > 0) + after
	case isOnlyLocal && len(locals) > 0 && isVar:
		text = "var " + r.text[r.offset(start):r.offset(end)] + after
	case len(locals) > 0 && isVar:
		text = r.mixed(targets, locals, valueText) + after
	case isOnlyLocal && len(locals) > 0:
		text = strings.Join(targets, ", ") + " := " + valueText + after
	case len(locals) > 0:
		text = r.mixed(targets, locals, valueText) + after
	case isOnlyLocal && isVar: // var _ T = x
		text = "var " + r.text[r.offset(start):r.offset(end)]
	default:
		text = strings.Join(targets, ", ") + " = " + valueText + after
	}
	r.drop(start, end)
	r.replace(start, end, r.withLines(text, start, end))
}

// withLines adds the lines that a text has lost, so that the lines below keep their numbers.
func (r *rewriter) withLines(text string, from, to token.Pos) string {
	before := strings.Count(r.text[r.offset(from):r.offset(to)], "\n")
	return text + strings.Repeat("\n", max(before-strings.Count(text, "\n"), 0))
}

// drop removes the edits in a part of main.go that is replaced as a whole.
func (r *rewriter) drop(from, to token.Pos) {
	start, end := r.offset(from), r.offset(to)
	r.edits = slices.DeleteFunc(r.edits, func(e edit) bool {
		return e.from >= start && e.to <= end && e.to > e.from || e.from > start && e.from < end
	})
}

// mixed declares the locals, and assigns all targets.
func (r *rewriter) mixed(targets, locals []string, value string) string {
	temporary := slices.Clone(targets)
	after := ""
	for i, t := range targets {
		if !slices.Contains(locals, t) && t != "_" {
			r.labels++
			temporary[i] = fmt.Sprintf("kept__v%d", r.labels)
			after += "; " + t + " = " + temporary[i]
		}
	}
	return strings.Join(temporary, ", ") + " := " + value + after
}

// checked assigns the values of a call and ends the cell with its error.
func (r *rewriter) checked(targets []string, call string, areLocal bool) string {
	r.glue.declare("func kept__check(err error) { kept__.Check(err) }")
	var temporary []string
	after := ""
	for _, t := range targets {
		r.labels++
		name := fmt.Sprintf("kept__v%d", r.labels)
		if t == "_" {
			name = "_"
		} else {
			after += "; " + t + " = " + name
		}
		temporary = append(temporary, name)
	}
	if areLocal {
		r.labels++
		e := fmt.Sprintf("kept__e%d", r.labels)
		return strings.Join(targets, ", ") + ", " + e + " := " + call + "; kept__check(" + e + ")"
	}
	return "{ " + strings.Join(append(temporary, "kept__e"), ", ") + " := " + call + "; kept__check(kept__e)" + after + " }"
}

// isSuppressed reports whether a semicolon follows a statement.
func (r *rewriter) isSuppressed(s ast.Stmt) bool {
	rest := strings.TrimLeft(r.text[r.offset(s.End()):], " \t")
	return strings.HasPrefix(rest, ";")
}

var writes = regexp.MustCompile(`^(Write|Copy|Fprint|Print|Fscan|Scan|Sscan)`)

// expression rewrites a statement that is an expression: its error ends the cell, and the last one is shown.
func (r *rewriter) expression(s *ast.ExprStmt, isLast, isShown bool) {
	t := r.info.Types[s.X]
	call, isCall := ast.Unparen(s.X).(*ast.CallExpr)
	if isCall && r.info.Types[call.Fun].IsType() {
		isCall = false // a conversion
	}
	var results []types.Type
	switch x := t.Type.(type) {
	case nil:
		return
	case *types.Tuple:
		for i := range x.Len() {
			results = append(results, x.At(i).Type())
		}
	default:
		results = []types.Type{x}
	}
	if t.IsVoid() || len(results) == 0 || t.IsType() || isInvalid(results[0]) && !t.IsNil() {
		return
	}
	hasError := isCall && isError(results[len(results)-1])
	if isCall && isCounted(calledName(call), results) {
		return
	}
	if !hasError && !isShown {
		if !isCall && isLast { // a semicolon suppresses it
			r.insert(s.Pos(), "_ = ")
		}
		return
	}
	text := r.sourceOf(s.X.Pos(), s.X.End())
	if !hasError && len(results) == 1 {
		r.replace(s.Pos(), s.End(), r.shown(results[0], text))
		return
	}
	var names []string
	after := ""
	for i, result := range results {
		name := "_"
		if i == len(results)-1 && hasError {
			name, after = "kept__e", "; kept__check(kept__e)"+after
		} else if isShown {
			name = fmt.Sprintf("kept__v%d", i)
			after += "; " + r.shown(result, name)
		}
		names = append(names, name)
	}
	if hasError {
		r.glue.declare("func kept__check(err error) { kept__.Check(err) }")
	}
	r.replace(s.Pos(), s.End(), "{ "+strings.Join(names, ", ")+" := "+text+after+" }")
}

// isCounted reports whether a call returns the number of what it wrote or read, and an error.
func isCounted(name string, results []types.Type) bool {
	if len(results) != 2 || !isError(results[1]) || !writes.MatchString(name) {
		return false
	}
	b, ok := results[0].Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}

func calledName(call *ast.CallExpr) string {
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.SelectorExpr:
		return f.Sel.Name
	case *ast.Ident:
		return f.Name
	}
	return ""
}

// shown returns the call that shows a value of a type.
func (r *rewriter) shown(t types.Type, text string) string {
	if isPlain(t, map[types.Type]bool{}) {
		r.glue.declare("func kept__print(x any) { kept__.Show(x) }")
		return "kept__print(" + text + ")"
	}
	r.glue.declare("func kept__show(x any) {\n\tif kept__.IsNil(x) {\n\t\tkept__.Show(x)\n\t} else {\n\t\t" +
		r.glue.alias(nbPath) + ".Show(x)\n\t}\n}")
	return "kept__show(" + text + ")"
}

// isPlain reports whether a type consists of types of Go itself and of cells that do not write themselves as text.
func isPlain(t types.Type, seen map[types.Type]bool) bool {
	if seen[t] {
		return true
	}
	seen[t] = true
	switch t := t.(type) {
	case *types.Basic:
		return true
	case *types.Alias:
		return isPlain(types.Unalias(t), seen)
	case *types.Named:
		if t.Obj().Pkg() != nil && strings.Contains(t.Obj().Pkg().Path(), ".") {
			return false
		}
		return isPlain(t.Underlying(), seen)
	case *types.Pointer:
		return isPlain(t.Elem(), seen)
	case *types.Slice:
		return isPlain(t.Elem(), seen)
	case *types.Array:
		return isPlain(t.Elem(), seen)
	case *types.Map:
		return isPlain(t.Key(), seen) && isPlain(t.Elem(), seen)
	case *types.Struct:
		for i := range t.NumFields() {
			if !isPlain(t.Field(i).Type(), seen) {
				return false
			}
		}
		return true
	case *types.Signature, *types.Chan:
		return true
	}
	return false
}

// variables declares the variables of the program and lets it read those of earlier cells.
func (r *rewriter) variables() {
	var loaded, declared []string
	isRead := map[string]bool{}
	for _, name := range r.names {
		stored := name
		for o, as := range r.lasting {
			if o.Name() == name && as == name && !types.Identical(o.Type(), r.old[name].Type()) {
				stored = "kept__old_" + name // nobody reads it, but it shares memory with another one
			}
		}
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
		as := r.lasting[o]
		if !isRead[as] {
			r.glue.declare(fmt.Sprintf("var %s %s", as, r.glue.source(typeString(o.Type()))))
		}
		cases = append(cases, fmt.Sprintf("\t\tcase %q:\n\t\t\tkept__.Set(kept__.Var(name, &%s))\n", o.Name(), as))
	}
	r.glue.imports[keptPath] = "kept__"
	if cases != nil {
		r.glue.declare("func kept__set(names string) {\n\tfor _, name := range kept__.Fields(names) {\n\t\tswitch name {\n" +
			strings.Join(cases, "") + "\t\t}\n\t}\n}")
	}
	for _, name := range r.program.declared {
		if o := r.lookup(name); o != nil && r.whyUnnamed(o.Type()) == "" && r.program.types[name] == "" {
			declared = append(declared, fmt.Sprintf("kept__.Var(%q, &%s)", name, name))
			r.program.types[name] = typeString(o.Type())
		}
	}
	r.program.hasVariables = len(loaded)+len(cases)+len(declared) > 0
	if declared != nil {
		r.glue.declare("func init() { kept__.Set(" + strings.Join(declared, ", ") + ") }")
	}
	if r.program.hasVariables {
		r.glue.first = "var _ = kept__.Load(" + strings.Join(loaded, ", ") + ")\n"
	}
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
