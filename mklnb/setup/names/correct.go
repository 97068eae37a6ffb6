package names

import (
	"fmt"
	"go/build"
	"go/parser"
	"go/token"
	"path"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The messages of the compiler about a name that does not exist: of a package, or a field or method of a type.
var (
	undefinedName  = regexp.MustCompile(`(?m): undefined: (\w+)\.(\w+)$`)
	undefinedField = regexp.MustCompile(`(?m): \S+\.(\w+) undefined \(type \*?(?:"([^"]+)"|(\w+))\.(\w+)\S* has no field or method \w+\)$`)
	unknownField   = regexp.MustCompile(`(?m): unknown field (\w+) in struct literal of type (?:"([^"]+)"|(\w+))\.(\w+)\S*$`)
)

// Corrections returns a line for each misspelt name of a package, or of a type of a package, in the messages of the
// compiler. source is the program.
func (m Modules) Corrections(messages, source string) (lines string) {
	if strings.Contains(messages, ": illegal character U+0023 '#'") {
		lines = "\nA comment begins with //.\n"
	}
	file, _ := parser.ParseFile(token.NewFileSet(), "main.go", source, parser.ImportsOnly)
	if file == nil {
		return lines
	}
	var imports []string
	for _, spec := range file.Imports {
		if importPath, err := strconv.Unquote(spec.Path.Value); err == nil {
			imports = append(imports, importPath)
		}
	}
	said := map[string]bool{}
	say := func(line string) {
		if !said[line] {
			said[line] = true
			lines += "\n" + line + "\n"
		}
	}
	for _, found := range undefinedName.FindAllStringSubmatch(messages, -1) {
		say(m.correction(importedPath(file, found[1], ""), found[1], found[2]))
	}
	for _, found := range append(undefinedField.FindAllStringSubmatch(messages, -1),
		unknownField.FindAllStringSubmatch(messages, -1)...) {
		wrong, importPath, pkg, typeName := found[1], found[2], found[3], found[4]
		if importPath == "" {
			importPath = m.pathOf(pkg, imports...)
		}
		if list := m.Exported(importPath, typeName); len(list) > 0 {
			if best := Nearest(wrong, list); best != "" {
				say(fmt.Sprintf("Did you mean %s?", best))
			} else {
				say(fmt.Sprintf("%s.%s has %s.", path.Base(importPath), typeName, strings.Join(list, ", ")))
			}
		}
	}
	return lines
}

// correction returns a sentence about a wrong name of a package that a program calls alias.
func (m Modules) correction(importPath, alias, wrong string) string {
	if best := Nearest(wrong, m.Exported(importPath, "")); best != "" {
		return fmt.Sprintf("Did you mean %s.%s?", alias, best)
	}
	return fmt.Sprintf("Package %s has no %s: the cell ?%s lists its names.", alias, wrong, alias)
}

// pathOf returns the import path of the package with a name: the nearest one among some packages and those that they
// import, and that the packages of the modules import. It returns "" if there is none.
func (m Modules) pathOf(name string, queue ...string) string {
	seen, roots := map[string]bool{}, len(queue)
	for ; len(queue) > 0; queue = queue[1:] {
		folder := m.Folder(queue[0])
		if seen[queue[0]] || folder == "" {
			continue
		}
		seen[queue[0]] = true
		pkg, err := build.ImportDir(folder, 0)
		if err != nil {
			continue
		}
		if pkg.Name == name {
			return queue[0]
		}
		if m.isOwn(queue[0]) || len(seen) <= roots {
			queue = append(queue, pkg.Imports...)
		}
	}
	return ""
}

// Mark returns two lines, each after a line break: a line of code, indented by four spaces, and a sign below a column
// of it, counted from 1 in bytes.
func Mark(line string, column int) string {
	code := strings.TrimLeft(line, "\t")
	indent := len(line) - len(code)
	before := utf8.RuneCountInString(line[indent:max(indent, min(column-1, len(line)))])
	return "\n    " + strings.ReplaceAll(code, "\t", " ") + "\n    " + strings.Repeat(" ", before) + "^"
}
