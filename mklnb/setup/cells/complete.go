package cells

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// unfinished matches a name, or the beginning of a member of a variable, at the end of a text.
var unfinished = regexp.MustCompile(`(?:^|[^\w.])(?:(\w+)\.)?(\w*)$`)

// Complete returns the variables of earlier cells, or the fields and methods of one, that begin like the end of the
// text
// of a cell up to the cursor, in any case, and the length of this beginning.
func (s *Session) Complete(before string) (matches []string, length int) {
	found := unfinished.FindStringSubmatch(before)
	if found == nil {
		return nil, 0
	}
	start := found[2]
	names := s.Names()
	if found[1] != "" {
		names = s.members(found[1])
	}
	for _, name := range names {
		if len(name) >= len(start) && strings.EqualFold(name[:len(start)], start) && found[1]+start != "" {
			matches = append(matches, name)
		}
	}
	return matches, len(start)
}

// members returns the exported fields and methods of a variable of an earlier cell, if no cell declares its type.
func (s *Session) members(name string) []string {
	v := s.vars[name]
	if v == nil || v.File == "" || strings.Contains(v.Type, `"main"`) {
		return nil
	}
	g, paths := newGlue(), []string{}
	g.declare("var v " + g.source(v.Type))
	for path := range g.imports {
		paths = append(paths, path)
	}
	importer, err := s.packages.load(paths)
	files := token.NewFileSet()
	file, parseErr := parser.ParseFile(files, "v.go", g.text(), parser.SkipObjectResolution)
	if err != nil || parseErr != nil {
		return nil
	}
	config := types.Config{Importer: importer, Error: func(error) {}}
	pkg, _ := config.Check("main", files, []*ast.File{file}, nil)
	o := pkg.Scope().Lookup("v")
	if o == nil {
		return nil
	}
	found := map[string]bool{}
	t := o.Type()
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	noteFields(t, found, 0)
	if !types.IsInterface(t) {
		t = types.NewPointer(t)
	}
	for m := range types.NewMethodSet(t).Methods() {
		found[m.Obj().Name()] = true
	}
	maps.DeleteFunc(found, func(name string, _ bool) bool { return !ast.IsExported(name) })
	return slices.Sorted(maps.Keys(found))
}

// noteFields notes the fields of a struct and of those that it embeds.
func noteFields(t types.Type, found map[string]bool, depth int) {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok || depth > 5 {
		return
	}
	for f := range s.Fields() {
		found[f.Name()] = true
		if f.Embedded() {
			noteFields(f.Type(), found, depth+1)
		}
	}
}

// question matches a cell that asks about a variable or a member of it, as in IPython.
var question = regexp.MustCompile(`^(?:\?+\s*(\w+)((?:\.\w+)*)|(\w+)((?:\.\w+)*)\s*\?+)$`)

// Question returns, for a cell that asks about a variable of an earlier cell, the question about its type, with the
// name
// of the variable for the package, and the path of this package. If no package declares its type, path is "" and text
// describes the variable. For other cells, text is "".
func (s *Session) Question(cell string) (text, name, path string) {
	found := question.FindStringSubmatch(strings.TrimSpace(cell))
	if found == nil || s.vars[found[1]+found[3]] == nil {
		return "", "", ""
	}
	name = found[1] + found[3]
	v := s.vars[name]
	if v.File == "" {
		return fmt.Sprintf("%s was a variable of cell [%d] and ended with it: %s%s", name, v.Cell, v.Reason,
				remedy(v.Reason)),
			"", ""
	}
	if m := typeName.FindStringSubmatch(v.Type); m != nil && m[1] != "main" && strings.TrimLeft(v.Type, "*[]") == m[0] {
		return "?" + name + "." + m[2] + found[2] + found[4], name, m[1]
	}
	return fmt.Sprintf("%s is a variable of cell [%d] of type %s", name, v.Cell, strings.ReplaceAll(v.Type,
			`"main".`, "")),
		"", ""
}
