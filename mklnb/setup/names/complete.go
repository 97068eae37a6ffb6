package names

import (
	"cmp"
	"regexp"
	"strings"
)

// member matches the end of a line that is the beginning of a name of a package.
var member = regexp.MustCompile(`(?:^|[^\w.])(\w+)\.(\w*)$`)

// imported matches an import in a cell.
var imported = regexp.MustCompile(`(?m)^(?:import)?[\s(]*(\w*)\s*"([\w./-]+)"`)

// Complete returns the names that begin like the member of a package at the end of before, the text of a cell up to the
// cursor, in any case, and the length of this beginning. imports contains the imports by name.
func (m Modules) Complete(before string, imports map[string]string) (matches []string, length int) {
	found := member.FindStringSubmatch(before)
	if found == nil {
		return nil, 0
	}
	alias, start := found[1], found[2]
	importPath := cmp.Or(imports[alias], m.pathOf(alias, imports["nb"], alias))
	for _, i := range imported.FindAllStringSubmatch(before, -1) {
		if alias == cmp.Or(i[1], i[2][strings.LastIndex(i[2], "/")+1:]) {
			importPath = i[2]
		}
	}
	for _, name := range m.Exported(importPath, "") {
		if len(name) >= len(start) && strings.EqualFold(name[:len(start)], start) {
			matches = append(matches, name)
		}
	}
	return matches, len(start)
}
