package names

import (
	"errors"
	"go/ast"
	"regexp"
	"slices"
	"strings"
)

// question matches a cell that asks for the documentation of a name as in IPython.
var question = regexp.MustCompile(`^(?:\?+\s*([\w.]+)|([\w.]+)\s*\?+)$`)

// Documentation returns the command line that shows the documentation of a name if a cell is ?name or name?, and else
// "". imports contains the imports by name. A capitalized name is one of the package that is imported as nb. The error
// of a name that does not exist contains the nearest one.
func (m Modules) Documentation(cell string, imports map[string]string) (command string, err error) {
	found := question.FindStringSubmatch(strings.TrimSpace(cell))
	if found == nil {
		return "", nil
	}
	name := found[1] + found[2]
	if ast.IsExported(name) {
		name = "nb." + name
	}
	alias, member, _ := strings.Cut(name, ".")
	importPath := imports[alias]
	if importPath == "" {
		importPath = m.pathOf(alias, imports["nb"], alias)
	}
	folder := m.Folder(importPath)
	if folder == "" {
		return "!*go doc " + strings.TrimSuffix(importPath+"."+member, "."), nil
	}
	first, _, _ := strings.Cut(member, ".")
	if list := m.Exported(importPath, ""); first != "" && !slices.Contains(list, first) {
		return "", errors.New(m.correction(importPath, alias, first))
	}
	// Without modules, go doc needs no module cache.
	return "!cd '" + strings.ReplaceAll(folder, "'", `'\''`) + "' && GO111MODULE=off go doc " + member, nil
}
