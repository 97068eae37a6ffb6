package algos_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/registry"

	_ "github.com/mklnb/mkl/algos/compare"
	_ "github.com/mklnb/mkl/algos/kernel/words"
	_ "github.com/mklnb/mkl/algos/model"
	_ "github.com/mklnb/mkl/algos/similarity"
)

// stored are methods that only types have which a model or a study may hold, with the number of
// their parameters: such a type needs a file form.
var stored = map[string]int{
	"Bind":         1, // kernel.Family
	"Digest":       1, // points.Points
	"Check":        1, // kernel.Kernel
	"Project":      2, // set.Set
	"Value":        2, // reg.Reg
	"Evaluate":     4, // loss.Loss
	"Requirements": 1, // mkl.Solver
	"Weights":      2, // mkl.Rule
}

// TestRegistered: each exported type with such a method has a file form. A package that this test does not import is to
// be imported here.
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

// zero returns the zero value of a registered type.
func zero(t *testing.T, name string) any {
	t.Helper()
	for _, value := range []string{"{}", "null", `""`, "0", "false"} {
		if v, err := registry.Unmarshal[any](fmt.Appendf(nil, `{"type":%q,"value":%s}`, name, value)); err == nil {
			return v
		}
	}
	t.Fatalf("no zero value of %s can be read", name)
	return nil
}

// awkward stores random values in v, of the kinds that are easily lost. What lies behind interfaces
// is taken from others.
func awkward(rng *rand.Rand, v reflect.Value, others []any, depth int) {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(rng.IntN(2) == 0)
	case reflect.Float32, reflect.Float64:
		x := []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.MaxFloat64, 5e-324, 0.1, 1e21}
		v.SetFloat(x[rng.IntN(len(x))])
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		x := []int64{0, 1, -1, math.MaxInt64, math.MinInt64}
		v.SetInt(x[rng.IntN(len(x))])
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(rng.Uint64())
	case reflect.String:
		x := []string{"", `"<&>" \`, "größe\u2028\x00"}
		v.SetString(x[rng.IntN(len(x))])
	case reflect.Struct:
		for i := range v.NumField() {
			awkward(rng, v.Field(i), others, depth+1)
		}
	case reflect.Slice:
		if n := rng.IntN(4) - 1; n >= 0 { // else nil
			v.Set(reflect.MakeSlice(v.Type(), n, n))
		}
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			awkward(rng, v.Index(i), others, depth+1)
		}
	case reflect.Pointer:
		if rng.IntN(2) == 0 && depth < 6 {
			v.Set(reflect.New(v.Type().Elem()))
			awkward(rng, v.Elem(), others, depth+1)
		}
	case reflect.Interface:
		for _, i := range rng.Perm(len(others)) {
			if t := reflect.TypeOf(others[i]); t.AssignableTo(v.Type()) {
				w := reflect.New(t).Elem()
				if depth < 6 {
					awkward(rng, w, others, depth+1)
				}
				v.Set(w)
				return
			}
		}
	}
}

// TestRegisteredRoundTrip: every registered type comes back as it was written, whatever its fields.
func TestRegisteredRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	names := registry.Names()
	var others []any
	for _, name := range names {
		if v := zero(t, name); reflect.TypeOf(v).Kind() != reflect.Pointer {
			others = append(others, v)
		}
	}
	for _, other := range others {
		for range 50 {
			v := reflect.New(reflect.TypeOf(other)).Elem()
			awkward(rng, v, others, 0)
			data, err := registry.Marshal(v.Interface())
			if err != nil {
				t.Errorf("%#v: %v", v, err)
				break
			}
			got, err := registry.Unmarshal[any](data)
			if err != nil || !reflect.DeepEqual(got, v.Interface()) {
				t.Errorf("%s is read as %#v (%v), want %#v", data, got, err, v)
				break
			}
			if again, err := registry.Marshal(got); err != nil || string(again) != string(data) {
				t.Errorf("written as %s, then as %s (%v)", data, again, err)
				break
			}
		}
	}
	if len(others) < 25 {
		t.Errorf("%d types, want 25 or more: %v", len(others), names)
	}
}
