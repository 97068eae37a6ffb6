// Goimports does what GoNB asks of the program of that name for every cell, goimports -w FILE: it
// removes the imports that the file does not use and adds those that it lacks.
//
// The original asks the go command three times as soon as a cell leaves an import of an earlier cell
// unused, because every program of GoNB also lacks package flag, which the composed main calls: 30 ms of
// a cell. A file that lacks nothing but flag, and whose imports are named by the last element of their
// paths, is mended here by reading it alone, in 3 ms. Every other file goes to the original's library,
// golang.org/x/tools/imports.
package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"strconv"

	"golang.org/x/tools/go/ast/astutil"
	"golang.org/x/tools/imports"
)

func main() {
	if len(os.Args) != 3 || os.Args[1] != "-w" {
		fmt.Fprintln(os.Stderr, "usage: goimports -w FILE")
		os.Exit(2)
	}
	if err := mend(os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

// mend gives the file its imports.
func mend(file string) error {
	src, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	out, ok := []byte(nil), false
	if alone(file) {
		out, ok = quick(file, src)
	}
	if !ok {
		if out, err = imports.Process(file, src, nil); err != nil {
			return err
		}
	}
	if bytes.Equal(src, out) {
		return nil
	}
	return os.WriteFile(file, out, 0o644) // of an existing file: keeps its mode
}

// alone reports whether no other Go file stands beside this one: its names could be theirs.
func alone(file string) bool {
	files, err := filepath.Glob(filepath.Join(filepath.Dir(file), "*.go"))
	return err == nil && len(files) == 1
}

// quick is src with its imports mended, and false where that takes more than reading src.
func quick(file string, src []byte) ([]byte, bool) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, src, parser.ParseComments)
	if err != nil {
		return nil, false
	}
	used := references(f)
	known := map[string]bool{}
	var unused []*ast.ImportSpec
	for _, s := range f.Imports {
		name, ok := nameOf(s)
		if !ok || known[name] {
			return nil, false
		}
		if name == "_" {
			continue
		}
		known[name] = true
		if !used[name] {
			unused = append(unused, s)
		}
	}
	for name := range used {
		if !known[name] && name != "flag" {
			return nil, false
		}
	}
	for _, s := range unused {
		name := ""
		if s.Name != nil {
			name = s.Name.Name
		}
		path, _ := strconv.Unquote(s.Path.Value) // nameOf has read it
		astutil.DeleteNamedImport(fset, f, name, path)
	}
	if used["flag"] && !known["flag"] {
		astutil.AddImport(fset, f, "flag")
	}
	var out bytes.Buffer
	if err := format.Node(&out, fset, f); err != nil {
		return nil, false
	}
	return out.Bytes(), true
}

// references are the names X of selectors X.Y that nothing in f declares: its packages.
func references(f *ast.File) map[string]bool {
	free := map[*ast.Ident]bool{}
	for _, id := range f.Unresolved {
		free[id] = true
	}
	used := map[string]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := s.X.(*ast.Ident); ok && free[id] {
				used[id.Name] = true
			}
		}
		return true
	})
	return used
}

// nameOf is the name by which a file knows what spec imports, and false where only the package itself
// can tell: its path may end in something that is no name, or in a version. Dots, C and embed are for
// the original.
func nameOf(spec *ast.ImportSpec) (string, bool) {
	p, err := strconv.Unquote(spec.Path.Value)
	if err != nil || p == "C" || p == "embed" {
		return "", false
	}
	if spec.Name != nil {
		return spec.Name.Name, spec.Name.Name != "."
	}
	name := path.Base(p)
	version := len(name) > 1 && name[0] == 'v' && name[1] >= '0' && name[1] <= '9'
	return name, token.IsIdentifier(name) && !version
}
