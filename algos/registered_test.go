package algos_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"reflect"
	"slices"
	"strings"
	"testing"

	_ "github.com/mklnb/mkl/algos/compare"
	_ "github.com/mklnb/mkl/algos/kernel/words"
	_ "github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/registry"
	_ "github.com/mklnb/mkl/algos/similarity"
)

// stored are methods that only types have which a model or a study may hold, with the number of
// their parameters: such a type needs a file form.
var stored = map[string]int{
	"Bind":         1, // kernel.Family
	"HashInto":     1, // points.Points
	"Check":        1, // kernel.Kernel
	"Project":      2, // set.Set
	"Value":        2, // reg.Reg
	"Evaluate":     4, // loss.Loss
	"Requirements": 1, // mkl.Solver
	"Weights":      2, // mkl.Rule
}

// TestRegistered tests that each exported type with such a method has a file form. A package that this test does not
// import is to be imported here.
func TestRegistered(t *testing.T) {
	names, n := registry.Names(), 0
	err := fs.WalkDir(os.DirFS(".."), "algos", func(name string, d fs.DirEntry, err error) error {
		folder := path.Dir(name)
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") ||
			strings.HasSuffix(folder, "test") {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), "../"+name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, decl := range f.Decls {
			m, ok := decl.(*ast.FuncDecl)
			if !ok || m.Recv == nil || stored[m.Name.Name] == 0 || m.Type.Params.NumFields() != stored[m.Name.Name] {
				continue
			}
			star, receiver := "", m.Recv.List[0].Type
			if p, ok := receiver.(*ast.StarExpr); ok {
				star, receiver = "*", p.X
			}
			if id, ok := receiver.(*ast.Ident); ok && id.IsExported() {
				n++
				if typeName := star + module + "/" + folder + "." + id.Name; !slices.Contains(names, typeName) {
					t.Errorf("%s is not registered (registry.Register)", typeName)
				}
			}
		}
		return nil
	})
	if err != nil || n < 20 {
		t.Errorf("%d types found (%v), want 20 or more", n, err)
	}
}

// TestRegisteredRoundTrip tests that the zero value of every registered type is read as it was written. A field that is
// not exported is an error of Marshal.
func TestRegisteredRoundTrip(t *testing.T) {
	names := registry.Names()
	for _, name := range names {
		read := false
		for _, value := range []string{"{}", "null", `""`, "0", "false"} {
			v, err := registry.Unmarshal[any](fmt.Appendf(nil, `{"type":%q,"value":%s}`, name, value))
			if err != nil {
				continue
			}
			read = true
			data, err := registry.Marshal(v)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				break
			}
			if got, err := registry.Unmarshal[any](data); err != nil || !reflect.DeepEqual(got, v) {
				t.Errorf("%s is read as %#v (%v), want %#v", data, got, err, v)
			}
			break
		}
		if !read {
			t.Errorf("no zero value of %s can be read", name)
		}
	}
	if len(names) < 25 {
		t.Errorf("%d types, want 25 or more: %v", len(names), names)
	}
}
