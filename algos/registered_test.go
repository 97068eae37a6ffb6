package algos_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/registry"

	_ "github.com/mklnb/mkl/algos/model"
	_ "github.com/mklnb/mkl/algos/study"
)

// stored are methods that only types have which a model or a study may hold, with the number of
// their parameters: such a type needs a file form.
var stored = map[string]int{
	"On":      1, // kernel.Family
	"Slice":   1, // kernel.Points
	"Check":   1, // kernel.Kernel
	"Project": 2, // set.Set
	"Value":   2, // reg.Reg
	"Judge":   3, // loss.Loss
	"Uses":    1, // mkl.Solver
	"Weigh":   1, // mkl.Rule
}

// unregistered names the exported types of a tree that have such a method and are not among names,
// and says how many have one.
func unregistered(tree fs.FS, names []string) (wrong []string, n int, err error) {
	seen := map[string]bool{}
	err = fs.WalkDir(tree, "algos", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		folder := path.Dir(name)
		if d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || strings.HasSuffix(folder, "test") {
			return nil
		}
		text, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, decl := range f.Decls {
			m, ok := decl.(*ast.FuncDecl)
			if !ok || m.Recv == nil || stored[m.Name.Name] == 0 || m.Type.Params.NumFields() != stored[m.Name.Name] {
				continue
			}
			star, t := "", m.Recv.List[0].Type
			if p, ok := t.(*ast.StarExpr); ok {
				star, t = "*", p.X
			}
			if id, ok := t.(*ast.Ident); ok && id.IsExported() {
				seen[star+module+"/"+folder+"."+id.Name] = true
			}
		}
		return nil
	})
	delete(seen, "*"+module+"/algos/mkl.Problem") // has slices, but is made anew from its parts
	for name := range seen {
		if !slices.Contains(names, name) {
			wrong = append(wrong, name)
		}
	}
	slices.Sort(wrong)
	return wrong, len(seen), err
}

// TestRegistered: what a model or a study may hold has a file form. A package that this test does
// not import is to be imported here.
func TestRegistered(t *testing.T) {
	wrong, n, err := unregistered(os.DirFS(".."), registry.Names())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range wrong {
		t.Errorf("%s is not registered (registry.Register)", name)
	}
	if n < 20 {
		t.Errorf("%d types found, want 20 or more", n)
	}
	all := registry.Names()
	for _, name := range []string{"kernel.List", "set.Ball", "reg.Ridge", "loss.Squared", "mkl.SPG", "mkl.Uniform", "kernel.Sparse", "kernel.RBF"} {
		name = module + "/algos/" + name
		fewer := slices.DeleteFunc(slices.Clone(all), func(s string) bool { return s == name })
		if wrong, _, _ := unregistered(os.DirFS(".."), fewer); !slices.Equal(wrong, []string{name}) {
			t.Errorf("without %s: %v are missing", name, wrong)
		}
	}
}
