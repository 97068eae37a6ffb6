package cells

import (
	"errors"
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// exported returns the names that a package exports, in ascending order.
func (p *packages) exported(path string) []string {
	importer, err := p.load([]string{path})
	if err != nil {
		return nil
	}
	pkg, err := importer.Import(path)
	if err != nil {
		return nil
	}
	return exportedNames(pkg)
}

func exportedNames(pkg *types.Package) []string {
	return slices.DeleteFunc(pkg.Scope().Names(), func(name string) bool { return !ast.IsExported(name) })
}

// members returns the exported fields and methods of a type, in ascending order.
func members(t types.Type) []string {
	found := map[string]bool{}
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

// question matches a cell that asks about a name, as in IPython.
var question = regexp.MustCompile(`^(?:\?+\s*(\w+)\.?([\w.]*)|(\w+)\.?([\w.]*)\s*\?+)$`)

// Documentation returns the command line that shows the documentation of a name if a cell is ?name or name?, and else
// "". A name is that of a variable, of a package, or of what package nb exports, with names of their parts. The error
// of a name that does not exist contains the nearest one. imports contains the paths of the imports of earlier cells.
func (s *Session) Documentation(cell string, imports map[string]string) (command string, err error) {
	found := question.FindStringSubmatch(strings.TrimSpace(cell))
	if found == nil {
		return "", nil
	}
	name, member, path := found[1]+found[3], found[2]+found[4], ""
	if v := s.vars[name]; v != nil {
		text, m := s.describe(name), typeName.FindStringSubmatch(v.Type)
		if v.File == "" || m == nil || m[1] == "main" || strings.TrimLeft(v.Type, "*[]") != m[0] {
			return "!echo '" + strings.ReplaceAll(text, "'", `'\''`) + "'", nil
		}
		path, member = m[1], strings.TrimSuffix(m[2]+"."+member, ".")
	} else {
		if ast.IsExported(name) {
			name, member = "nb", strings.TrimSuffix(name+"."+member, ".")
		}
		paths := s.pathsOf(name, imports)
		if paths == nil {
			return "", errors.New("no package is called " + name)
		}
		path = paths[0]
	}
	first, _, _ := strings.Cut(member, ".")
	if list := s.packages.exported(path); first != "" && !slices.Contains(list, first) {
		return "", errors.New(misspelt(name, first, list))
	}
	// Without modules, go doc needs no module cache.
	return "!cd '" + strings.ReplaceAll(s.packages.listed[path].folder, "'", `'\''`) +
		"' && GO111MODULE=off go doc " + member, nil
}

// describe states what a variable is, or why it ended.
func (s *Session) describe(name string) string {
	v := s.vars[name]
	if v.File == "" {
		return fmt.Sprintf("%s was a variable of cell [%d] and ended with it: %s%s", name, v.Cell, v.Reason,
			remedy(v.Reason))
	}
	return fmt.Sprintf("%s is a variable of cell [%d] of type %s", name, v.Cell,
		strings.ReplaceAll(v.Type, `"main".`, ""))
}

// pathsOf returns the paths of the packages of a name.
func (s *Session) pathsOf(name string, imports map[string]string) []string {
	if path := imports[name]; path != "" {
		return []string{path}
	}
	return s.packages.candidates(name, nil)
}

// word matches the end of a line: a name, or a call with its first arguments.
var word = regexp.MustCompile(`([\w.]+)(?:\([^()]*)?$`)

// wordRest matches the rest of a name.
var wordRest = regexp.MustCompile(`^\w*`)

// Describe returns the documentation of the name at a column of a line, counted from 0 in bytes, or of the function
// whose arguments are there. It returns "" if there is none.
func (s *Session) Describe(line string, column int, imports map[string]string) string {
	column = min(column, len(line))
	found := word.FindStringSubmatch(line[:column] + wordRest.FindString(line[column:]))
	if found == nil {
		return ""
	}
	command, err := s.Documentation("?"+found[1], imports)
	if err != nil || command == "" {
		return ""
	}
	text, _ := exec.Command("/bin/bash", "-c", strings.TrimLeft(command, "!*")).Output()
	return string(text)
}

// misspelt returns a sentence about a wrong name of a package.
func misspelt(pkg, wrong string, list []string) string {
	if best := nearest(wrong, list); best != "" {
		return fmt.Sprintf("Did you mean %s.%s?", pkg, best)
	}
	return fmt.Sprintf("Package %s has no %s: the cell ?%s lists its names.", pkg, wrong, pkg)
}

// memberHint returns what a wrong name of a member of a package or of a value should be.
func (r *rewriter) memberHint(x ast.Expr, wrong string) string {
	if id, ok := x.(*ast.Ident); ok {
		if p, ok := r.info.Uses[id].(*types.PkgName); ok {
			return ". " + misspelt(id.Name, wrong, exportedNames(p.Imported()))
		}
	}
	t := r.info.TypeOf(x)
	if t == nil || isInvalid(t) {
		return ""
	}
	list := members(t)
	if best := nearest(wrong, list); best != "" {
		return ". Did you mean " + best + "?"
	} else if len(list) == 0 {
		return ""
	}
	return ". It has " + strings.Join(list, ", ")
}

// nearest returns the name that differs least from a wrong one, by at most two edits and one in three letters (a case
// counts as none), or "".
func nearest(wrong string, list []string) string {
	best, least := "", min(3, len(wrong)/3+1)
	for _, name := range list {
		if d := editDistance(strings.ToLower(wrong), strings.ToLower(name)); d < least {
			best, least = name, d
		}
	}
	return best
}

// editDistance returns the least number of insertions, deletions, replacements and exchanges of neighbors that turn a
// into b.
func editDistance(a, b string) int {
	before, above := []int(nil), make([]int, len(b)+1)
	for j := range above {
		above[j] = j
	}
	for i := range len(a) {
		row := make([]int, len(b)+1)
		row[0] = i + 1
		for j := range len(b) {
			row[j+1] = min(above[j+1], row[j]) + 1
			if a[i] == b[j] {
				row[j+1] = min(row[j+1], above[j])
			} else {
				row[j+1] = min(row[j+1], above[j]+1)
			}
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, above = above, row
	}
	return above[len(b)]
}

// Mark returns two lines, each after a line break: a line of code, indented by four spaces, and a sign below a column
// of it, counted from 1 in bytes.
func Mark(line string, column int) string {
	code := strings.TrimLeft(line, "\t")
	indent := len(line) - len(code)
	before := utf8.RuneCountInString(line[indent:max(indent, min(column-1, len(line)))])
	return "\n    " + strings.ReplaceAll(code, "\t", " ") + "\n    " + strings.Repeat(" ", before) + "^"
}
