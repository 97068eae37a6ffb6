package cells

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"regexp"
	"strings"
)

// unfinished matches a name, or the beginning of a member of a variable or a package, at the end of a text.
var unfinished = regexp.MustCompile(`(?:^|[^\w.])(?:(\w+)\.)?(\w*)$`)

// imported matches an import in a cell.
var imported = regexp.MustCompile(`(?m)^(?:import)?[\s(]*(\w*)\s*"([\w./-]+)"`)

// Complete returns the variables of earlier cells and the packages that need no import line, or the members of one of
// them, that begin like the end of the text of a cell up to the cursor, in any case, and the length of this beginning.
// imports contains the paths of the imports of earlier cells.
func (s *Session) Complete(before string, imports map[string]string) (matches []string, length int) {
	found := unfinished.FindStringSubmatch(before)
	if found == nil || found[1]+found[2] == "" {
		return nil, 0
	}
	owner, start := found[1], found[2]
	var names []string
	switch v := s.vars[owner]; {
	case owner == "":
		names = append(s.Names(), s.packages.names()...)
	case v != nil && v.File != "":
		names = s.membersOf(v)
	default:
		paths := s.pathsOf(owner, imports)
		for _, i := range imported.FindAllStringSubmatch(before, -1) {
			if owner == cmp.Or(i[1], path.Base(i[2])) {
				paths = []string{i[2]}
			}
		}
		for _, path := range paths {
			names = append(names, s.packages.exported(path)...)
		}
	}
	for _, name := range names {
		if len(name) >= len(start) && strings.EqualFold(name[:len(start)], start) {
			matches = append(matches, name)
		}
	}
	return matches, len(start)
}

// membersOf returns the exported fields and methods of a variable, if no cell declares its type.
func (s *Session) membersOf(v *variable) []string {
	if strings.Contains(v.Type, `"main"`) {
		return nil
	}
	g, paths := newGlue(), []string{}
	g.declare("var v " + g.source(v.Type))
	for path := range g.imports {
		paths = append(paths, path)
	}
	s.packages.startCell()
	importer, err := s.packages.load(paths)
	files := token.NewFileSet()
	file, parseErr := parser.ParseFile(files, "v.go", g.text(), parser.SkipObjectResolution)
	if err != nil || parseErr != nil {
		return nil
	}
	config := types.Config{Importer: importer, Error: func(error) {}}
	pkg, _ := config.Check("main", files, []*ast.File{file}, nil)
	if o := pkg.Scope().Lookup("v"); o != nil {
		return members(o.Type())
	}
	return nil
}
