// Package names lists the exported names of Go packages, and corrects misspelt ones. It reads source files only, so it
// needs neither the go command nor a module cache. Setup copies it into GoNB (gonb.patch), so it imports only the
// standard library.
package names

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Modules contains the folder of each module whose packages a cell can import, by module path. The standard library
// needs no entry.
type Modules map[string]string

// Folder returns the folder of a package, or "" if it is in none of the modules.
func (m Modules) Folder(importPath string) string {
	folder := filepath.Join(build.Default.GOROOT, "src", filepath.FromSlash(importPath))
	for module, root := range m {
		if rest, ok := strings.CutPrefix(importPath+"/", module+"/"); ok {
			folder = filepath.Join(root, filepath.FromSlash(rest))
		}
	}
	if info, err := os.Stat(folder); importPath == "" || err != nil || !info.IsDir() {
		return ""
	}
	return folder
}

// isOwn reports whether a package is one of the modules, not of the standard library.
func (m Modules) isOwn(importPath string) bool {
	for module := range m {
		if strings.HasPrefix(importPath+"/", module+"/") {
			return true
		}
	}
	return false
}

// Exported returns the sorted names that a package exports. If typeName is not "", it returns the names of the exported
// fields and methods of this type, with those of embedded types.
func (m Modules) Exported(importPath, typeName string) []string {
	found := map[string]bool{}
	m.collect(importPath, typeName, found, 0)
	list := make([]string, 0, len(found))
	for name, isFound := range found {
		if isFound && ast.IsExported(name) {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}

// collect adds the names of a package, or of a type of it, to found. Types may embed each other, so depth is limited.
func (m Modules) collect(importPath, typeName string, found map[string]bool, depth int) {
	folder := m.Folder(importPath)
	pkg, err := build.ImportDir(folder, 0)
	if folder == "" || err != nil || depth > 5 {
		return
	}
	for _, name := range append(pkg.GoFiles, pkg.CgoFiles...) {
		file, _ := parser.ParseFile(token.NewFileSet(), filepath.Join(folder, name), nil, parser.SkipObjectResolution)
		if file == nil {
			continue
		}
		// embed adds the names of an embedded type.
		embed := func(e ast.Expr) {
			if qualifier, name := typeNameOf(e); name != "" {
				found[name] = true
				m.collect(importedPath(file, qualifier, importPath), name, found, depth+1)
			}
		}
		for _, decl := range file.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				receiver := ""
				if d.Recv != nil && len(d.Recv.List) == 1 {
					_, receiver = typeNameOf(d.Recv.List[0].Type)
				}
				found[d.Name.Name] = found[d.Name.Name] || receiver == typeName
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					collectSpec(spec, typeName, found, embed)
				}
			}
		}
	}
}

// collectSpec adds the names that a declaration declares, or the fields and methods of the type typeName.
func collectSpec(spec ast.Spec, typeName string, found map[string]bool, embed func(ast.Expr)) {
	switch s := spec.(type) {
	case *ast.ValueSpec:
		for _, name := range s.Names {
			found[name.Name] = found[name.Name] || typeName == ""
		}
	case *ast.TypeSpec:
		if typeName == "" {
			found[s.Name.Name] = true
		}
		if s.Name.Name != typeName {
			return
		}
		var fields *ast.FieldList
		switch t := s.Type.(type) {
		case *ast.StructType:
			fields = t.Fields
		case *ast.InterfaceType:
			fields = t.Methods
		default: // such as an alias
			embed(s.Type)
			return
		}
		for _, field := range fields.List {
			for _, name := range field.Names {
				found[name.Name] = true
			}
			if field.Names == nil {
				embed(field.Type)
			}
		}
	}
}

// typeNameOf returns the parts of a type's name: sub and T of *sub.T[E].
func typeNameOf(e ast.Expr) (qualifier, name string) {
	switch e := e.(type) {
	case *ast.StarExpr:
		return typeNameOf(e.X)
	case *ast.IndexExpr:
		return typeNameOf(e.X)
	case *ast.IndexListExpr:
		return typeNameOf(e.X)
	case *ast.Ident:
		return "", e.Name
	case *ast.SelectorExpr:
		if x, ok := e.X.(*ast.Ident); ok {
			return x.Name, e.Sel.Name
		}
	}
	return "", ""
}

// importedPath returns the path that a file imports under a name, own for the name "", or "".
func importedPath(file *ast.File, name, own string) string {
	if name == "" {
		return own
	}
	for _, spec := range file.Imports {
		importPath, err := strconv.Unquote(spec.Path.Value)
		alias := path.Base(importPath)
		if spec.Name != nil {
			alias = spec.Name.Name
		}
		if err == nil && alias == name {
			return importPath
		}
	}
	return ""
}

// Nearest returns the name that differs least from a wrong one, by at most two edits (a case counts as none), or "".
func Nearest(wrong string, list []string) string {
	best, least := "", min(3, len(wrong))
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
