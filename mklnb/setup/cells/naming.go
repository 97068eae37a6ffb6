package cells

import (
	"go/types"
	"strconv"
)

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

// typeString returns a type as variable.Type describes it.
func typeString(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string { return strconv.Quote(p.Path()) })
}
