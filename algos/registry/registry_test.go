package registry_test

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/registry"
	"github.com/mklnb/mkl/algos/testenv"
)

// Types of another package than those of the library.
type (
	Shape  interface{ Area() float64 }
	Square struct{ Side float64 }
	Scaled struct {
		Of     Shape
		Factor float64
	}
	Pointed struct{ Side float64 }
	Mode    string
	Level   int8
	Text    map[string]bool // in its text form, keys with commas
	All     struct {
		Square // embedded
		B      bool
		I      int
		I8     Level
		U      uint16
		F      float64
		F32    float32
		S      Mode
		Floats []float64
		Ints   []int
		Small  []Level
		Words  []Mode
		Lists  [][]float64
		Bounds [2][]float64
		Shape  Shape
		Shapes []Shape
		Any    any
		Anys   []any
		Next   *All
		Text   Text
	}
)

func (s Square) Area() float64   { return s.Side * s.Side }
func (s Scaled) Area() float64   { return s.Of.Area() * s.Factor }
func (p *Pointed) Area() float64 { return p.Side * p.Side }

func (t Text) MarshalText() ([]byte, error) {
	return []byte(strings.Join(slices.Sorted(maps.Keys(t)), ",")), nil
}

func (t *Text) UnmarshalText(b []byte) error {
	*t = Text{}
	for key := range strings.SplitSeq(string(b), ",") {
		(*t)[key] = true
	}
	return nil
}

type (
	unexported struct{ Square }
	Hidden     struct{ c float64 }
	Function   struct{ F func() }
	Table      struct{ M map[string]int }
	Wrapped    struct { // its methods are the methods of Text
		Text
		C float64
	}
)

func (Hidden) Area() float64   { return 0 }
func (Function) Area() float64 { return 0 }
func (Wrapped) Area() float64  { return 0 }

type Generic[T any] struct{ X T }

func init() {
	for _, v := range []any{Square{}, Scaled{}, &Pointed{}, All{}, Hidden{}, Function{}, Table{}, Wrapped{}, Mode(""),
		Generic[Square]{}} {
		registry.Register(v)
	}
}

const path = "github.com/mklnb/mkl/algos/registry_test"

// same is reflect.DeepEqual with NaN equal to itself.
func same(a, b any) bool {
	x, err1 := registry.Marshal(a)
	y, err2 := registry.Marshal(b)
	return err1 == nil && err2 == nil && string(x) == string(y) &&
		(reflect.DeepEqual(a, b) || strings.Contains(fmt.Sprint(a), "NaN"))
}

func TestRoundTrip(t *testing.T) {
	full := All{Square: Square{2}, B: true, I: math.MinInt, I8: -128, U: 65535, F: -1e-300, F32: 0.1,
		S:      `a "b" <&> größe` + "\u2028\x00",
		Floats: []float64{math.Inf(1), math.NaN(), math.MaxFloat64}, Ints: []int{math.MaxInt, math.MinInt, 0},
		Small: []Level{1, -2}, Words: []Mode{"", "x"}, Lists: [][]float64{nil, {}, {1}}, Bounds: [2][]float64{{1}, nil},
		Shape: Scaled{Of: &Pointed{Side: 3}, Factor: 2}, Shapes: []Shape{Square{}, &Pointed{}},
		Any: Mode("m"), Anys: []any{nil, 1, 1.5, "s", true, []any{}, []int{}, Generic[Square]{Square{1}}},
		Next: &All{Next: &All{}}, Text: Text{"a": true, "b": true}}
	values := []any{
		Square{}, &Pointed{}, &Pointed{1}, Mode(""), full, All{}, Wrapped{Text{"a": true}, 2},
		All{Floats: []float64{}, Ints: []int{}, Small: []Level{}, Shapes: []Shape{}, Anys: []any{},
			Lists: [][]float64{}},
		"", "text", 7, -0.25, false, []any(nil), []any{}, []string{"a", ""}, []string{}, []string(nil), []int{1},
		[]float64(nil),
	}
	for _, f := range []float64{math.Inf(1), math.Inf(-1), math.NaN(), math.Copysign(0, -1),
		math.SmallestNonzeroFloat64, math.MaxFloat64, 0.1, 1e21} {
		values = append(values, Square{f}, f, All{F: f, F32: float32(f)}, []float64{f})
	}
	for _, v := range values {
		data, err := registry.Marshal(v)
		if err != nil {
			t.Errorf("%#v: %v", v, err)
			continue
		}
		got, err := registry.Unmarshal[any](data)
		if err != nil || !same(got, v) {
			t.Errorf("%s is read as %#v (%v), want %#v", data, got, err, v)
		}
		if f, ok := got.(float64); ok && math.Float64bits(f) != math.Float64bits(v.(float64)) {
			t.Errorf("%v is read as %v", v, f)
		}
		if again, _ := registry.Marshal(v); string(again) != string(data) {
			t.Errorf("written as %s, then as %s", data, again)
		}
	}
	s, err := registry.Unmarshal[Shape]([]byte("\n {\"type\": \"" + path +
		".Square\",\n\t\"value\": { \"Side\" : 2 } } \n"))
	if err != nil || s != Shape(Square{2}) {
		t.Errorf("with white space: %v, %v", s, err)
	}
}

// Files outlive this program, so their form is fixed.
func TestFormat(t *testing.T) {
	for want, v := range map[string]any{
		`{"type":"` + path + `.Square","value":{"Side":0.5}}`: Square{0.5},
		`{"type":"*` + path + `.Pointed","value":{}}`:         &Pointed{},
		`{"type":"[]float64","value":[1,-2.5]}`:               []float64{1, -2.5},
		`{"type":"[]float64","value":[0.1,"+Inf"]}`:           []float64{0.1, math.Inf(1)},
		`{"type":"[]int","value":[1]}`:                        []int{1},
		`{"type":"` + path + `.Scaled","value":{"Factor":"-Inf","Of":{"type":"` + path +
			`.Square","value":{}}}}`: Scaled{Square{}, math.Inf(-1)},
	} {
		got, err := registry.Marshal(v)
		if err != nil || string(got) != want {
			t.Errorf("%#v is written as %s (%v), want %s", v, got, err, want)
		}
	}
}

func TestMarshalErrors(t *testing.T) {
	for _, c := range []struct {
		v    any
		want string
	}{
		{nil, "nil cannot be written"},
		{(*Pointed)(nil), "nil cannot be written"},
		{unexported{}, "type registry_test.unexported is not registered"},
		{[]any{Square{}, unexported{}}, "element 2: type registry_test.unexported is not registered"},
		{&Square{}, "type *registry_test.Square is not registered"},
		{[]Shape{}, "type []registry_test.Shape is not registered"},
		{Scaled{Of: Hidden{}}, "registry_test.Scaled: Of: registry_test.Hidden: field c is not exported"},
		{Function{func() {}}, "F: a func() cannot be written"},
		{Table{map[string]int{}}, "M: a map[string]int cannot be written"},
		{All{Shapes: []Shape{nil}}, "Shapes: element 1: nil cannot be written"},
		{Mode("\xff"), `"\xff" is not UTF-8`},
	} {
		data, err := registry.Marshal(c.v)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%T: %s, error %v, want %q", c.v, data, err, c.want)
		}
	}
}

func TestUnmarshalErrors(t *testing.T) {
	q := func(s string) string { return strings.ReplaceAll(s, "P.", path+".") }
	for data, want := range map[string]string{
		``:                                     "not of the form {",
		`null`:                                 "not of the form {",
		`{"type":"P.Square"}`:                  "not of the form {",
		`{"type":"P.Square","value":{}`:        "unexpected end",
		`{"type":"P.Square","value":{},"x":1}`: "not of the form {",
		`{"type":"P.Square","value":{}} {}`:    "after top-level value",
		`{"type":"gauss","value":{}}`:          `unknown type "gauss"; write a name as path/of/package.Type`,
		`{"type":"example.org/k/tess.Family[a.b/c.D]","value":{}}`: "type \"Family\" is not linked " +
			"into this program; add the line\n\timport _ \"example.org/k/tess\"",
		`{"type":"github.com/mklnb/mkl/algos/kernel.RBF","value":{}}`:     `import _ "github.com/mklnb/mkl/algos/kernel"`, // this test does not link it
		`{"type":"main.T","value":{}}`:                                    "belongs to the program that wrote it",
		`{"type":"P.Square","value":null}`:                                "Square: null is not a",
		`{"type":"P.Square","value":{"side":1}}`:                          `Square: unknown field "side"`,
		`{"type":"P.Square","value":{"Side":"1"}}`:                        "Square: Side: json: cannot unmarshal string",
		`{"type":"P.Square","value":{"Side":null}}`:                       "Side: null is not a float64",
		`{"type":"P.Square","value":{"Side":1e999}}`:                      "Side: json: cannot unmarshal number 1e999",
		`{"type":"P.All","value":{"Side":1}}`:                             `unknown field "Side"`, // promoted
		`{"type":"P.All","value":{"I8":128}}`:                             "I8: json: cannot unmarshal number 128",
		`{"type":"P.All","value":{"F32":1e300}}`:                          "F32: json: cannot unmarshal number 1e300",
		`{"type":"P.All","value":{"Floats":[1,null]}}`:                    "Floats: element 2: null is not a float64",
		`{"type":"P.All","value":{"Floats":"1"}}`:                         "Floats: json: cannot unmarshal string",
		`{"type":"P.All","value":{"Ints":[0.5]}}`:                         "Ints: json: cannot unmarshal number 0.5",
		`{"type":"P.All","value":{"Bounds":[null]}}`:                      "Bounds: got 1 elements for an array of 2",
		`{"type":"P.All","value":{"Shapes":[null]}}`:                      "Shapes: element 1: null is not a registry_test.Shape",
		`{"type":"P.All","value":{"Shape":{"type":"P.Mode","value":""}}}`: `Shape: type "P.Mode" is a registry_test.Mode, not a registry_test.Shape`,
	} {
		if v, err := registry.Unmarshal[any]([]byte(q(data))); err == nil || !strings.Contains(err.Error(), q(want)) {
			t.Errorf("%s: %v, error %v, want %q", data, v, err, q(want))
		}
	}
	data, err := registry.Marshal(Scaled{Of: Scaled{Of: Square{1}, Factor: 2}, Factor: 3})
	if err != nil {
		t.Fatal(err)
	}
	for n := range data {
		if v, err := registry.Unmarshal[any](data[:n]); err == nil {
			t.Errorf("%s is read as %v", data[:n], v)
		}
	}
}

func TestRegisterPanics(t *testing.T) {
	for name, v := range map[string]any{"a registered type": Square{}, "nil": nil, "a type without a name": []Square{},
		"a type of Go": "", "a pointer to a pointer": new(*Square)} {
		if testenv.Panic(func() { registry.Register(v) }) == nil {
			t.Errorf("%s is registered", name)
		}
	}
}

// TestFile tests that File returns the file that registers a type.
func TestFile(t *testing.T) {
	_, file, _, _ := runtime.Caller(0)
	for name, want := range map[string]string{path + ".All": file, "*" + path + ".Pointed": file, "float64": "",
		path + ".None": ""} {
		if got := registry.RegisteringFile(name); got != want {
			t.Errorf("%s is registered in %q; the file is %q", name, got, want)
		}
	}
}

// TestValue tests that a value of a type that is not registered is read back, with the values of its interfaces.
func TestValue(t *testing.T) {
	type pair struct {
		Shapes []Shape
		Of     *Scaled
		F      float64
		hidden int
	}
	want := []*pair{{[]Shape{&Pointed{2}, Square{1}}, &Scaled{Square{3}, 4}, math.Inf(1), 0}, nil}
	b, err := registry.MarshalValue([]*pair{{want[0].Shapes, want[0].Of, want[0].F, 7}, nil})
	if err != nil {
		t.Fatal(err)
	}
	var got []*pair
	if err := registry.UnmarshalValue(b, &got); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%s is read as %v, %v", b, got, err)
	}
	for _, bad := range []any{nil, func() {}, []Shape{Hidden{}}, []Shape{unexported{}}} {
		if b, err := registry.MarshalValue(bad); err == nil {
			t.Errorf("%T is written as %s", bad, b)
		}
	}
	if err := registry.UnmarshalValue([]byte(`[{"G": 1}]`), &got); err == nil {
		t.Error("a field that is not there is read")
	}
}

// FuzzUnmarshal tests that any bytes give an error, or a value that is written and read again unchanged.
func FuzzUnmarshal(f *testing.F) {
	for _, v := range []any{Square{1}, &Pointed{}, All{Shapes: []Shape{Square{1}}, Floats: []float64{1}, Ints: []int{1},
		Anys: []any{nil, 1, "s"}, Lists: [][]float64{nil, {}}, F: math.Inf(1), Text: Text{"a": true}, Next: &All{}},
		[]any{1.5, Mode("m")}} {
		data, err := registry.Marshal(v)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
		f.Add(data[:len(data)/2])
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := registry.Unmarshal[any](data)
		if err != nil {
			return
		}
		again, err := registry.Marshal(v)
		if err != nil {
			t.Fatalf("%s is read as %#v, which cannot be written: %v", data, v, err)
		}
		w, err := registry.Unmarshal[any](again)
		if err != nil {
			t.Fatalf("%s: %v", again, err)
		}
		if third, err := registry.Marshal(w); err != nil || string(third) != string(again) {
			t.Fatalf("written as %s, then as %s (%v)", again, third, err)
		}
	})
}

func Example() {
	// func init() { registry.Register(Square{}) }
	data, err := registry.Marshal(Scaled{Of: Square{Side: 2}, Factor: math.Inf(1)})
	if err != nil {
		panic(err)
	}
	s, err := registry.Unmarshal[Shape](data)
	fmt.Println(s.Area(), err)
	_, err = registry.Unmarshal[Shape]([]byte(`{"type": "example.org/shapes/round.Circle", "value": {"Radius": 1}}`))
	fmt.Println(err)
	// Output:
	// +Inf <nil>
	// registry: cannot read registry_test.Shape: type "Circle" is not linked into this program; add the line
	// 	import _ "example.org/shapes/round"
}
