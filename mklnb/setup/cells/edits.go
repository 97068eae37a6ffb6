package cells

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"
)

// finish writes the edits and the second file, and checks the whole program.
func (r *rewriter) finish() error {
	r.renameUses()
	r.noteAssigned()
	r.noteSetters()
	r.exits()
	for _, a := range r.declarations() {
		if r.drops[a.node] {
			r.must(a.values[0], len(a.names)-1)
			continue
		}
		if unread := r.unreadError(a); unread != "" {
			r.declareCheck()
			r.glue.declare("func init() { kept__check(" + unread + ") }")
		}
		for _, value := range a.values {
			r.allocate(value)
		}
	}
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

// allocate lets the value of a declaration outside of functions be in memory that the program asks for, as that of a
// statement is, and not among the variables of packages.
func (r *rewriter) allocate(value ast.Expr) {
	t := r.info.Types[value]
	switch underlying(t.Type).(type) {
	case *types.Basic, *types.Tuple:
		return
	}
	if r.isConstant(value) {
		return
	}
	r.glue.declare("//go:noinline\nfunc kept__allocated[T any](x T) T { return x }")
	r.insert(value.Pos(), "kept__allocated(")
	r.insert(value.End(), ")")
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
		if name := r.hidden[o]; name != "" && id.Pos() > r.main.Pos() && id.Pos() < r.main.End() {
			r.replace(id.Pos(), id.End(), name)
		}
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
			"kept__exit":  "func kept__exit(f func(int), code int) { kept__.Finish(); f(code) }",
			"kept__fatal": "func kept__fatal(f func(...any), args ...any) { kept__.Finish(); f(args...) }",
			"kept__fatalf": "func kept__fatalf(f func(string, ...any), s string, x ...any) {\n" +
				"\tkept__.Finish()\n\tf(s, x...)\n}",
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

// changes calls note for each expression that the program assigns, increases or takes the address of, also to call a
// method.
func (r *rewriter) changes(note func(e ast.Expr, isAssigned bool)) {
	ast.Inspect(r.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				note(e, true)
			}
		case *ast.IncDecStmt:
			note(n.X, true)
		case *ast.RangeStmt:
			note(n.Key, true)
			note(n.Value, true)
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				note(n.X, false)
			}
		case *ast.SelectorExpr:
			if s := r.info.Selections[n]; s != nil && s.Kind() == types.MethodVal && !isPointer(s.Recv()) &&
				isPointer(s.Obj().(*types.Func).Signature().Recv().Type()) {
				note(n.X, false)
			}
		}
		return true
	})
}

// setter matches functions that set something of their package, which no later cell has.
var setter = regexp.MustCompile(`^[^()]*\.Set\p{Lu}|^math/rand\.Seed$`)

// noteSetters notes calls that set something of a package. init runs in every cell, and may call them.
func (r *rewriter) noteSetters() {
	ast.Inspect(r.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			return n.Name.Name != "init" && r.isOwn(n)
		case *ast.CallExpr:
			if f := r.called(n); setter.MatchString(f) {
				r.program.notes = append(r.program.notes, "note: what "+f+
					" sets ends with this cell; call it in func init() { … }, which runs in every cell")
			}
		}
		return true
	})
}

func isPointer(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

// noteAssigned notes the variables of earlier cells that the program assigns, and changes that end with the program.
func (r *rewriter) noteAssigned() {
	remade := map[types.Object]bool{}
	for name := range r.remade {
		remade[r.lookup(name)] = true
	}
	r.changes(func(e ast.Expr, isAssigned bool) {
		if id, ok := ast.Unparen(e).(*ast.Ident); ok && isAssigned && r.info.Uses[id] != nil &&
			r.old[id.Name] == r.info.Uses[id] {
			r.program.assigned = append(r.program.assigned, id.Name)
		}
		id := rootOf(e)
		if id == nil || !isAssigned {
			return
		}
		text := r.text[r.offset(e.Pos()):r.offset(e.End())]
		if _, ok := r.info.Uses[id].(*types.PkgName); ok {
			r.program.notes = append(r.program.notes, "note: the change of "+text+
				" ends with this cell: only variables of cells last")
		} else if remade[r.info.Uses[id]] {
			r.program.notes = append(r.program.notes, "note: the change of "+text+
				" ends with this cell: the program of each cell makes "+id.Name+" again")
		}
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

// rootOf returns the variable of which an expression is a part, or nil.
func rootOf(e ast.Expr) *ast.Ident {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return e
	case *ast.SelectorExpr:
		return rootOf(e.X)
	case *ast.IndexExpr:
		return rootOf(e.X)
	case *ast.StarExpr:
		return rootOf(e.X)
	}
	return nil
}
