package names

import (
	"cmp"
	"errors"
	"go/ast"
	"os/exec"
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
	importPath := cmp.Or(imports[alias], m.pathOf(alias, imports["nb"], alias))
	if importPath == "" {
		return "", errors.New("no package is called " + alias)
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

// word matches the end of a line: a name, or a call with its first arguments.
var word = regexp.MustCompile(`([\w.]+)(?:\([^()]*)?$`)

// wordRest matches the rest of a name.
var wordRest = regexp.MustCompile(`^\w*`)

// Describe returns the documentation of the name at a column of a line, counted from 0 in bytes, or of the function
// whose arguments are there. It returns "" if there is none.
func (m Modules) Describe(line string, column int, imports map[string]string) string {
	column = min(column, len(line))
	found := word.FindStringSubmatch(line[:column] + wordRest.FindString(line[column:]))
	if found == nil {
		return ""
	}
	command, err := m.Documentation("?"+found[1], imports)
	if err != nil || command == "" {
		return ""
	}
	text, _ := exec.Command("/bin/bash", "-c", strings.TrimLeft(command, "!*")).Output()
	return string(text)
}
