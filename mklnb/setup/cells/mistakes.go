package cells

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"
)

// mistakes returns an error for what Go accepts in a cell, but would show or do something else than it says.
func (r *rewriter) mistakes() error {
	var lines []string
	report := func(at token.Pos, format string, args ...any) {
		lines = append(lines, r.fault(at, fmt.Sprintf(format, args...)).(*Error).Text)
	}
	ast.Inspect(r.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			v, o := r.vars[n.Name], r.info.Uses[n]
			if strings.HasPrefix(n.Name, "kept__") {
				report(n.Pos(), "names that begin with kept__ are those of the kernel: give it another name")
			} else if v != nil && v.Reason != "" && r.isOwn(n) && r.isForeign(o) {
				report(n.Pos(), "%s%s", n.Name, r.ended(n.Name))
			} else if o := r.info.Defs[n]; o != nil && o.Pkg() != nil && o.Parent() == o.Pkg().Scope() &&
				isVariable(o) && isNameOfGo(n.Name) {
				report(n.Pos(), "%s has a meaning in Go: give the variable another name", n.Name)
			}
		case *ast.CallExpr:
			if id, ok := n.Fun.(*ast.Ident); ok && (id.Name == "print" || id.Name == "println") &&
				r.info.Types[n.Fun].IsBuiltin() {
				for _, a := range n.Args {
					if _, ok := underlying(r.info.TypeOf(a)).(*types.Basic); !ok {
						text := r.text[r.offset(a.Pos()):r.offset(a.End())]
						report(n.Pos(), "%s prints the address of %s: write nb.Show(%s)", id.Name, text, text)
					}
				}
			}
		case *ast.FuncDecl:
			if n.Name.Name == "init" && n.Recv == nil {
				if o := r.reached(n, map[*ast.FuncDecl]bool{}); o != nil {
					report(n.Pos(), "init runs in the program of every later cell, and uses the variable %s: "+
						"write its statements into the cell", o.Name())
				}
			}
		}
		return true
	})
	if lines == nil {
		return nil
	}
	slices.Sort(lines)
	return &Error{strings.Join(slices.Compact(lines), "\n")}
}

// underlying returns the underlying type of t, of nil an invalid one.
func underlying(t types.Type) types.Type {
	if t == nil {
		return types.Typ[types.Invalid]
	}
	return t.Underlying()
}

func isVariable(o types.Object) bool {
	_, ok := o.(*types.Var)
	return ok
}

// isForeign reports whether a name that was that of a variable now means main, a part of Go, or a package that the cell
// does not import itself.
func (r *rewriter) isForeign(o types.Object) bool {
	if p, ok := o.(*types.PkgName); ok {
		return !slices.ContainsFunc(r.file.Imports, func(s *ast.ImportSpec) bool {
			return r.isOwn(s) && r.importName(s) == p.Name()
		})
	}
	return o != nil && (o.Parent() == types.Universe || o == r.info.Defs[r.main.Name])
}

// reached returns a variable of the cells that a function uses, or that a function uses that it calls, or nil.
func (r *rewriter) reached(f *ast.FuncDecl, seen map[*ast.FuncDecl]bool) (found types.Object) {
	if seen[f] || f.Body == nil {
		return nil
	}
	seen[f] = true
	ast.Inspect(f.Body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || found != nil {
			return found == nil
		}
		switch o := r.info.Uses[id].(type) {
		case *types.Var:
			if o.Pkg() != nil && o.Pkg().Path() == "main" && o.Parent() == o.Pkg().Scope() && !r.remade[o.Name()] {
				found = o
			}
		case *types.Func:
			for _, d := range r.file.Decls {
				if d, ok := d.(*ast.FuncDecl); ok && r.info.Defs[d.Name] == o.Origin() {
					found = r.reached(d, seen)
				}
			}
		}
		return true
	})
	return found
}

// findRemade finds the variables that each program makes again, because their values never change: functions, errors of
// a constant text, and flags, whose values are the arguments of the program.
func (r *rewriter) findRemade() {
	r.remade = map[string]bool{}
	for _, a := range r.declarations() {
		for i, e := range a.names {
			if len(a.values) == len(a.names) && r.isConstant(a.values[i]) {
				r.remade[e.(*ast.Ident).Name] = true
			} else if name := e.(*ast.Ident).Name; name != "_" {
				r.program.declared = append(r.program.declared, name)
			}
		}
	}
}

func (r *rewriter) isConstant(value ast.Expr) bool {
	switch e := ast.Unparen(value).(type) {
	case *ast.FuncLit:
		return true
	case *ast.CallExpr:
		f := r.called(e)
		return f == "errors.New" && r.info.Types[e.Args[0]].Value != nil || strings.HasPrefix(f, "flag.")
	}
	return false
}

// ended returns why a variable of an earlier cell ended, and what to do.
func (r *rewriter) ended(name string) string {
	v := r.vars[name]
	return fmt.Sprintf(" (a variable of cell [%d] that ended with it: %s%s)", v.Cell, v.Reason, remedy(v.Reason))
}

// hint returns what to do about an error of the compiler.
func (r *rewriter) hint(e types.Error) string {
	if name, ok := strings.CutPrefix(e.Msg, "undefined: "); ok && !strings.Contains(name, ".") {
		if v := r.vars[name]; v != nil && v.Reason != "" {
			return r.ended(name)
		}
		if hint := r.assignedHint(name); hint != "" {
			return hint
		}
	}
	for _, used := range r.names {
		if strings.HasPrefix(e.Msg, used+".") && r.packages.isName(used) ||
			strings.Contains(e.Msg, "non-function "+used+" ") {
			return fmt.Sprintf(" (%s is a variable of cell [%d], which hides another meaning of the name; %%rm %s "+
				"removes it)", used, r.vars[used].Cell, used)
		}
	}
	hint := ""
	ast.Inspect(r.checkedFile, func(n ast.Node) bool {
		if python := r.pythonHint(e, n); python != "" {
			hint = python
			return false
		}
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if n.Sel.Pos() == e.Pos && strings.Contains(e.Msg, "undefined") {
				hint = r.memberHint(n.X, n.Sel.Name)
			}
		case *ast.CompositeLit:
			if name, ok := strings.CutPrefix(e.Msg, "unknown field "); ok && n.Pos() <= e.Pos && e.Pos < n.End() {
				name, _, _ = strings.Cut(name, " ")
				hint = r.memberHint(n, name)
			}
		}
		call, ok := n.(*ast.CallExpr)
		if !ok || e.Pos < call.Pos() || e.Pos > call.End() {
			return true
		}
		if r.dropsError(call) && severalValues.MatchString(e.Msg) {
			hint = " (its error ends the cell in a line of its own outside of blocks: v := " + types.ExprString(call) +
				")"
		} else if strings.HasSuffix(e.Msg, "built-in len") && len(call.Args) == 1 &&
			hasLen(r.info.TypeOf(call.Args[0])) {
			hint = " (write " + types.ExprString(call.Args[0]) + ".Len())"
		} else if strings.Contains(e.Msg, " in argument to ") {
			name := types.ExprString(call.Fun)
			hint = " (" + name + " is " + types.TypeString(r.info.TypeOf(call.Fun), (*types.Package).Name) + ")"
		}
		return true
	})
	return hint
}

// severalValues matches the errors of a call with several values where one value can be.
var severalValues = regexp.MustCompile(`in single-value context$|^assignment mismatch|^too many arguments`)

// dropsError reports whether a call returns values and an error.
func (r *rewriter) dropsError(call *ast.CallExpr) bool {
	results, _ := r.info.TypeOf(call).(*types.Tuple)
	return results.Len() > 1 && isError(results.At(results.Len()-1).Type())
}

// hasLen reports whether a type has a method Len.
func hasLen(t types.Type) bool {
	return t != nil && types.NewMethodSet(t).Lookup(nil, "Len") != nil
}

// assignedHint returns what to do about a name that is assigned before it is declared.
func (r *rewriter) assignedHint(name string) string {
	for _, s := range r.statements() {
		a, ok := s.(*ast.AssignStmt)
		if ok && a.Tok == token.ASSIGN && len(a.Lhs) == 1 {
			if id, ok := a.Lhs[0].(*ast.Ident); ok && id.Name == name {
				return fmt.Sprintf(" (to make the variable, write %s := …)", name)
			}
		}
	}
	return ""
}
