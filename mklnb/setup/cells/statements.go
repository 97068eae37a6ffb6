package cells

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

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
	unread := r.unreadError(a)
	if unread != "" {
		r.declareCheck()
		unread = "; kept__check(" + unread + ")"
	}
	if !a.declares && !r.drops[a.node] {
		r.insert(a.node.End(), unread)
		return
	}
	v, _ := a.node.(*ast.ValueSpec)
	names := a.names
	if r.drops[a.node] { // without the blank that dropErrors added
		names = names[:len(names)-1]
	}
	var targets, set, locals []string
	before, isOnlyLocal := "", true
	for _, e := range names {
		id, ok := e.(*ast.Ident)
		if !ok {
			before += r.callsOf(e)
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
	after += unread
	var text string
	switch {
	case r.drops[a.node]:
		text = r.checked(before, targets, valueText, isOnlyLocal && len(locals) > 0) + after
	case isOnlyLocal && isVar:
		text = "var " + r.text[r.offset(start):r.offset(end)] + after
	case isOnlyLocal && len(locals) > 0:
		text = strings.Join(targets, ", ") + " := " + valueText + after
	case len(locals) > 0:
		names, assign := r.inOneStep(targets, locals)
		text = strings.Join(names, ", ") + " := " + valueText + assign + after
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

// inOneStep returns names for the values of the targets, except the locals, and the statement that assigns them.
// As in Go, no target changes before all are known: i, a[i] = f() assigns the element of the old i.
func (r *rewriter) inOneStep(targets, locals []string) (names []string, assign string) {
	var to, from []string
	for _, t := range targets {
		if !slices.Contains(locals, t) && t != "_" {
			r.labels++
			name := fmt.Sprintf("kept__v%d", r.labels)
			to, from, t = append(to, t), append(from, name), name
		}
		names = append(names, t)
	}
	if to != nil {
		assign = "; " + strings.Join(to, ", ") + " = " + strings.Join(from, ", ")
	}
	return names, assign
}

// callsOf returns statements that make the calls of a target, which Go makes before those of the values:
// a[next()] = f() calls next first. The target then has names in their places.
func (r *rewriter) callsOf(e ast.Expr) (text string) {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return r.callsOf(e.X)
	case *ast.SelectorExpr:
		return r.callsOf(e.X)
	case *ast.IndexExpr:
		return r.callsOf(e.X) + r.named(e.Index)
	case *ast.StarExpr:
		return r.named(e.X)
	}
	return r.named(e)
}

// named returns the statement that gives a name to a value with a call in it, whose place the name takes.
func (r *rewriter) named(e ast.Expr) string {
	hasCall := false
	ast.Inspect(e, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		hasCall = hasCall || ok && !r.info.Types[call.Fun].IsType()
		return true
	})
	if !hasCall || r.info.Types[e].Value != nil {
		return ""
	}
	r.labels++
	name := fmt.Sprintf("kept__v%d", r.labels)
	text := name + " := " + r.sourceOf(e.Pos(), e.End()) + "; "
	r.replace(e.Pos(), e.End(), name)
	return text
}

// checked assigns the values of a call and ends the cell with its error. before are statements before the call.
func (r *rewriter) checked(before string, targets []string, call string, areLocal bool) string {
	r.declareCheck()
	if areLocal {
		r.labels++
		e := fmt.Sprintf("kept__e%d", r.labels)
		return strings.Join(targets, ", ") + ", " + e + " := " + call + "; kept__check(" + e + ")"
	}
	temporary, after := r.inOneStep(targets, nil)
	return "{ " + before + strings.Join(append(temporary, "kept__e"), ", ") + " := " + call + "; kept__check(kept__e)" +
		after + " }"
}

// declareCheck declares kept__check, which ends the cell with an error that is not nil.
func (r *rewriter) declareCheck() {
	r.glue.declare("func kept__check(err error) { kept__.Check(err) }")
}

// must ends the cell with the error that a declaration outside of functions drops. n is the number of its variables.
func (r *rewriter) must(call ast.Expr, n int) {
	var kinds, params, names []string
	for i := range n {
		kinds, names = append(kinds, fmt.Sprint("T", i)), append(names, fmt.Sprint("x", i))
		params = append(params, names[i]+" "+kinds[i])
	}
	r.declareCheck()
	r.glue.declare(fmt.Sprintf("func kept__must%d[%s any](%s, err error) (%s) {\n\tkept__check(err)\n\treturn %s\n}", n,
		strings.Join(kinds, ", "), strings.Join(params, ", "), strings.Join(kinds, ", "), strings.Join(names, ", ")))
	r.insert(call.Pos(), fmt.Sprintf("kept__must%d(", n))
	r.insert(call.End(), ")")
}

// isSuppressed reports whether a semicolon follows a statement.
func (r *rewriter) isSuppressed(s ast.Stmt) bool {
	rest := strings.TrimLeft(r.text[r.offset(s.End()):], " \t")
	return strings.HasPrefix(rest, ";")
}

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
	if isCall && r.prints(call) {
		if isShown = false; r.printsToUser(call) {
			return
		}
	}
	if !hasError && !isShown {
		if !isCall && isLast { // a semicolon suppresses it
			r.insert(s.Pos(), "_ = ")
		}
		return
	}
	text := r.sourceOf(s.X.Pos(), s.X.End())
	if !hasError && len(results) == 1 {
		r.replace(s.Pos(), s.End(), r.shown(results[0], text, text))
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
			after += "; " + r.shown(result, name, "")
		}
		names = append(names, name)
	}
	if hasError {
		r.declareCheck()
	}
	r.replace(s.Pos(), s.End(), "{ "+strings.Join(names, ", ")+" := "+text+after+" }")
}

// prints reports whether a call is one of the functions Print or Fprint of package fmt.
func (r *rewriter) prints(call *ast.CallExpr) bool {
	f := r.called(call)
	return strings.HasPrefix(f, "fmt.Print") || strings.HasPrefix(f, "fmt.Fprint")
}

// printsToUser reports whether a call of a function of package fmt prints to the user: its error is dropped.
func (r *rewriter) printsToUser(call *ast.CallExpr) bool {
	if strings.HasPrefix(r.called(call), "fmt.Print") {
		return true
	}
	s, ok := ast.Unparen(call.Args[0]).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	v, ok := r.info.Uses[s.Sel].(*types.Var)
	return ok && v.Pkg() != nil && v.Pkg().Path() == "os" && (v.Name() == "Stdout" || v.Name() == "Stderr")
}

// called returns the name of the function that a call calls, after the path of its package, or "".
func (r *rewriter) called(call *ast.CallExpr) string {
	var id *ast.Ident
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.SelectorExpr:
		id = f.Sel
	case *ast.Ident:
		id = f
	}
	if f, ok := r.info.Uses[id].(*types.Func); ok {
		return f.FullName()
	}
	return ""
}

// shown returns the call that shows a value of a type: text in the program, expression in the cell.
func (r *rewriter) shown(t types.Type, text, expression string) string {
	if isPlain(t, map[types.Type]bool{}) {
		r.glue.declare("func kept__print(x any) { kept__.Show(x) }")
		return "kept__print(" + text + ")"
	}
	r.glue.declare("func kept__show(x any, expression string) {\n\tif kept__.IsNil(x) {\n\t\tkept__.Show(x)\n" +
		"\t} else {\n\t\tkept__.Expression = expression\n\t\t" + r.glue.alias(nbPath) + ".Show(x)\n" +
		"\t\tkept__.Expression = \"\"\n\t}\n}")
	return "kept__show(" + text + ", " + strconv.Quote(expression) + ")"
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
