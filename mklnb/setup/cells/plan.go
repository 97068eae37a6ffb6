package cells

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// plan decides how the variables of the statements of main are stored.
func (r *rewriter) plan() {
	r.lasting, r.hidden = map[types.Object]string{}, map[types.Object]string{}
	r.unnamed, r.glue = map[types.Object]bool{}, newGlue()
	if !r.source.IsBody {
		return
	}
	imported, declared := r.namesOfFile()
	for i, s := range r.main.Body.List {
		isRepeated := r.isRepeated(i)
		for _, a := range assignments(s) {
			for _, e := range a.names {
				id, ok := e.(*ast.Ident)
				o := r.info.Defs[id]
				if !ok || !a.declares || o == nil || id.Name == "_" {
					continue
				}
				reason := r.whyUnnamed(o.Type())
				switch {
				case isNameOfGo(id.Name):
					reason = "its name has a meaning in Go; give it another name"
				case isRepeated:
					reason = "a goto can declare it again; declare it before the label"
				}
				if isInvalid(o.Type()) || declared[id.Name] && r.source.IsMarked { // it only hides the declaration
					r.unnamed[o] = true
					continue
				}
				if reason != "" {
					r.unnamed[o], r.program.unkept[id.Name] = true, reason
					continue
				}
				r.lasting[o] = id.Name
				old := r.old[id.Name]
				if imported[id.Name] || declared[id.Name] {
					r.lasting[o] = "kept__new_" + id.Name
				} else if old != nil && (r.shares(id.Name) || !r.isUsedOutside(old) ||
					!types.Identical(o.Type(), old.Type()) && !r.isUsedEarlier(old)) {
					r.hidden[old] = "kept__old_" + id.Name
				}
				r.program.assigned = append(r.program.assigned, id.Name)
				r.program.types[id.Name] = typeString(o.Type())
			}
		}
	}
}

// isNameOfGo reports whether a variable outside of functions of this name would change the meaning of the program.
func isNameOfGo(name string) bool {
	_, isFunction := types.Universe.Lookup(name).(*types.Builtin)
	return name == "init" || name == "main" || name == "new" || types.Universe.Lookup(name) != nil && !isFunction
}

// isRepeated reports whether a goto jumps from statement i of main, or from one after it, to it or to one before it.
func (r *rewriter) isRepeated(i int) (found bool) {
	labels := map[string]bool{}
	for j, s := range r.main.Body.List {
		if l, ok := s.(*ast.LabeledStmt); ok && j <= i {
			labels[l.Label.Name] = true
		}
		if j >= i {
			ast.Inspect(s, func(n ast.Node) bool {
				b, ok := n.(*ast.BranchStmt)
				found = found || ok && b.Tok == token.GOTO && labels[b.Label.Name]
				return true
			})
		}
	}
	return found
}

// namesOfFile returns the names of the imports and of the declarations of main.go.
func (r *rewriter) namesOfFile() (imported, declared map[string]bool) {
	imported, declared = map[string]bool{}, map[string]bool{}
	for _, s := range r.file.Imports {
		imported[r.importName(s)] = true
	}
	for _, o := range r.info.Defs {
		if o != nil && o.Pkg() != nil && o.Parent() == o.Pkg().Scope() &&
			r.files.Position(o.Pos()).Filename == "main.go" {
			declared[o.Name()] = true
		}
	}
	return imported, declared
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

// usesTimers reports whether the program may have timers: it uses package time or context, or one that is neither in Go
// nor in this library.
func (r *rewriter) usesTimers() bool {
	return slices.ContainsFunc(r.paths, func(path string) bool {
		return path == "time" || path == "context" || isDependency(path)
	})
}

// setsProcess reports whether the program sets its environment or its working directory.
func (r *rewriter) setsProcess() bool {
	for _, o := range r.info.Uses {
		if f, ok := o.(*types.Func); ok && slices.Contains([]string{"os.Setenv", "os.Unsetenv", "os.Clearenv",
			"os.Chdir"}, f.FullName()) {
			return true
		}
	}
	return false
}

// unreadError returns the name in the program of the error that an assignment takes from a call, if the cell does not
// read it before it is assigned again. It returns "" if there is none. Statements inside of blocks are as in Go.
func (r *rewriter) unreadError(a assignment) string {
	if r.drops[a.node] || len(a.values) != 1 {
		return ""
	}
	call, isCall := ast.Unparen(a.values[0]).(*ast.CallExpr)
	id, isName := a.names[len(a.names)-1].(*ast.Ident)
	if !isCall || !isName || id.Name == "_" || slices.Contains(newErrors, r.called(call)) {
		return ""
	}
	result := r.info.TypeOf(call)
	if results, ok := result.(*types.Tuple); ok && results.Len() > 1 {
		result = results.At(results.Len() - 1).Type()
	}
	if result == nil || !isError(result) {
		return ""
	}
	o := cmp.Or(r.info.Defs[id], r.info.Uses[id])
	if r.isRead(o, a.node.End()) {
		return ""
	}
	return cmp.Or(r.lasting[o], r.hidden[o], id.Name)
}

// newErrors are functions whose error is a value and no failure.
var newErrors = []string{"errors.New", "errors.Join", "fmt.Errorf"}

// isRead reports whether the program reads a variable after a position and before the next statement of main that
// assigns it, or may read it there: in a function, by its address, or before a goto jumps back.
func (r *rewriter) isRead(o types.Object, after token.Pos) (found bool) {
	isTarget, literals := map[*ast.Ident]bool{}, []*ast.FuncLit{}
	ast.Inspect(r.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				if id, ok := e.(*ast.Ident); ok {
					isTarget[id] = true
				}
			}
		case *ast.FuncLit:
			literals = append(literals, n)
		case *ast.UnaryExpr:
			id := rootOf(n.X)
			found = found || n.Op == token.AND && id != nil && r.info.Uses[id] == o
		case *ast.BranchStmt:
			found = found || n.Tok == token.GOTO && n.Pos() > after
		}
		return true
	})
	before := r.main.End()
	for _, s := range r.main.Body.List {
		for _, a := range assignments(s) {
			if s.Pos() >= after && s.End() < before && slices.ContainsFunc(a.names, func(e ast.Expr) bool {
				id, ok := e.(*ast.Ident)
				return ok && r.info.Uses[id] == o
			}) {
				before = s.End()
			}
		}
	}
	for id, used := range r.info.Uses {
		p := id.Pos()
		isInFunction := p < r.main.Pos() || p > r.main.End() ||
			slices.ContainsFunc(literals, func(f *ast.FuncLit) bool { return f.Pos() < p && p < f.End() })
		found = found || (used == o || used == r.old[o.Name()]) && !isTarget[id] &&
			(isInFunction || p > after && p < before)
	}
	return found
}
