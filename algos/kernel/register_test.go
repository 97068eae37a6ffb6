package kernel_test

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
)

func TestMarshal(t *testing.T) {
	sparse := thin(dense(6, 3, 1))
	sparse.Names = []string{"a", "b \"quoted\" <&>", "größe"}
	for _, v := range []any{
		kernel.Family(kernel.List{kernel.RBF{Gamma: 0.1}, kernel.Linear{Columns: []int{2, 0}}, kernel.Laplacian{Gamma: 1.0 / 3}}),
		kernel.Family(kernel.List{}),
		kernel.Family(kernel.List(nil)),
		kernel.Family(kernel.Sum{}),
		kernel.Family(kernel.Sum{Kernels: kernel.List{kernel.Polynomial{Degree: 2, Offset: 1}, kernel.Precomputed{Name: "k", N: 1, Data: []float64{math.Pi}}},
			Degree: 3, Prepare: kernel.Prepare{kernel.MinMax, kernel.CentreRows}, Centre: true, Normalize: kernel.Cosine}),
		kernel.Family(kernel.Features{Degree: 2, Constant: true, Prepare: kernel.Prepare{}}),
		kernel.Points(dense(6, 3, 1)),
		kernel.Points(sparse),
		kernel.Points(kernel.Places{3, 0, 1 << 40}),
		kernel.Kernel(kernel.Polynomial{Degree: 2, Gamma: math.SmallestNonzeroFloat64}),
	} {
		data, err := kernel.Marshal(v)
		if err != nil {
			t.Errorf("%#v: %v", v, err)
			continue
		}
		got := reflect.New(reflect.TypeFor[any]())
		if err := kernel.Unmarshal(data, got.Interface()); err != nil {
			t.Errorf("%s: %v", data, err)
			continue
		}
		if !reflect.DeepEqual(got.Elem().Interface(), v) {
			t.Errorf("%s: restored as %#v, want %#v", data, got.Elem(), v)
		}
	}
}

// TestMarshalFormat: files outlive this program, so their form is fixed.
func TestMarshalFormat(t *testing.T) {
	for want, v := range map[string]any{
		`{"type":"rbf","value":{"Gamma":0.5}}`: kernel.RBF{Gamma: 0.5},
		// 1 and −2 as little-endian float64: 00…f03f and 00…00c0.
		`{"type":"rows","value":{"N":1,"D":2,"Data":"f8:AAAAAAAA8D8AAAAAAAAAwA==","Names":["a","b"]}}`: kernel.Rows{N: 1, D: 2, Data: []float64{1, -2}, Names: []string{"a", "b"}},
		`{"type":"places","value":"i8:AQAAAAAAAAA="}`:                                                  kernel.Places{1},
		`{"type":"sum","value":{"Kernels":[{"type":"linear","value":{}}],"Degree":2,"Prepare":["min-max"]}}`: kernel.Sum{
			Kernels: kernel.List{kernel.Linear{}}, Degree: 2, Prepare: kernel.Prepare{kernel.MinMax}},
	} {
		got, err := kernel.Marshal(v)
		if err != nil || string(got) != want {
			t.Errorf("%#v is written as %s (%v), want %s", v, got, err, want)
		}
	}
}

type unregistered struct{ kernel.Linear }

func TestMarshalErrors(t *testing.T) {
	for _, c := range []struct {
		v    any
		want string
	}{
		{nil, "nothing (nil)"},
		{unregistered{}, "type kernel_test.unregistered is not registered"},
		{kernel.List{kernel.Linear{}, unregistered{}}, "list: element 2: type kernel_test.unregistered is not registered"},
		{kernel.List{nil}, "element 1: nothing (nil)"},
		{kernel.RBF{Gamma: math.NaN()}, "rbf: Gamma: "},
	} {
		if _, err := kernel.Marshal(c.v); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%#v: error %v, want %q", c.v, err, c.want)
		}
	}
}

func TestUnmarshalErrors(t *testing.T) {
	deep := strings.Repeat(`{"type":"list","value":[`, 40) + strings.Repeat(`]}`, 40)
	for data, want := range map[string]string{
		``:                                       "want {",
		`{}`:                                     "want {",
		`[]`:                                     "want {",
		`{"type":"rbf"}`:                         "want {",
		`{"type":"rbf","value":{},"x":1}`:        `unknown field "x"`,
		`{"type":"rbf","value":{}} {}`:           "something follows",
		`{"type":"gauss","value":{}}`:            `unknown type "gauss"; known are features, laplacian, linear`,
		`{"type":"rbf","value":{"gamma":1}}`:     `rbf: unknown field "gamma"`,
		`{"type":"rbf","value":{"Gamma":"1"}}`:   "rbf: Gamma: ",
		`{"type":"rows","value":{"Data":[1,2]}}`: `rows: Data: want a string "f8:"`,
		`{"type":"rows","value":{"Data":"i8:AAAAAAAA8D8="}}`:   `begins with "f8:"`,
		`{"type":"rows","value":{"Data":"f8:AAAAAAAA8D8"}}`:    "damaged block",
		`{"type":"rows","value":{"Data":"f8:AAAAAAAA"}}`:       "truncated block of numbers: 6 bytes",
		`{"type":"list","value":[{"type":"rows","value":{}}]}`: `list: element 1: type "rows" is a kernel.Rows, want a kernel.Kernel`,
		deep: `type "list" is a kernel.List, want a kernel.Kernel`,
	} {
		var v any
		if err := kernel.Unmarshal([]byte(data), &v); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", data, err, want)
		}
	}
	var f kernel.Family
	if err := kernel.Unmarshal([]byte(`{"type":"rbf","value":{}}`), &f); err == nil || !strings.Contains(err.Error(), "want a kernel.Family") {
		t.Errorf("a kernel as a family: %v", err)
	}
	for _, v := range []any{nil, f, kernel.RBF{}, &kernel.RBF{}, (*kernel.Family)(nil)} {
		if err := kernel.Unmarshal([]byte(`{}`), v); err == nil {
			t.Errorf("reading into %T succeeds", v)
		}
	}
}

// within is a kernel that holds a kernel.
type within struct {
	kernel.Linear
	Of kernel.Kernel
}

func init() { kernel.Register("test within", within{}) }

func TestNested(t *testing.T) {
	deep := func(n int) kernel.Kernel {
		k := kernel.Kernel(kernel.RBF{Gamma: 1})
		for range n {
			k = within{Of: k}
		}
		return k
	}
	for n, good := range map[int]bool{3: true, 100: false} {
		data, err := kernel.Marshal(deep(n))
		if err != nil {
			t.Fatal(err)
		}
		var k kernel.Kernel
		if err := kernel.Unmarshal(data, &k); (err == nil) != good || good && !reflect.DeepEqual(k, deep(n)) {
			t.Errorf("%d kernels inside one another: %v", n, err)
		}
	}
}

func TestRegisterTwice(t *testing.T) {
	for _, c := range []struct {
		name string
		v    any
	}{{"rbf", unregistered{}}, {"gauss", kernel.RBF{}}, {"", unregistered{}}, {"nothing", nil}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("registering %T as %q is accepted", c.v, c.name)
				}
			}()
			kernel.Register(c.name, c.v)
		}()
	}
}

// FuzzUnmarshal: whatever the bytes, an error or a value; the value can be judged and bound to
// points without a panic, and is written and read again the same.
func FuzzUnmarshal(f *testing.F) {
	x := dense(4, 2, 1)
	for _, v := range []any{
		kernel.List{kernel.RBF{Gamma: 0.1}, kernel.Linear{Columns: []int{1}}}, kernel.Features{Degree: 2, Prepare: kernel.Prepare{kernel.MinMax}},
		kernel.Sum{Kernels: kernel.List{kernel.Polynomial{Degree: 2}, kernel.Precomputed{N: 1, Data: []float64{1}}, kernel.Laplacian{Gamma: 1}}, Degree: 2, Centre: true, Normalize: kernel.Cosine},
		x, thin(x), kernel.Places{0},
	} {
		data, err := kernel.Marshal(v)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
		f.Add(data[:len(data)/2])
	}
	f.Add([]byte(`{"type":"sparse","value":{"D":2,"Ptr":"i8:AAAAAAAAAAD/////////fw==","Col":"i8:","Val":"f8:"}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var v any
		if err := kernel.Unmarshal(data, &v); err != nil {
			return
		}
		again, err := kernel.Marshal(v)
		if err != nil {
			t.Fatalf("%s is read as %#v, which cannot be written: %v", data, v, err)
		}
		var w any
		if err := kernel.Unmarshal(again, &w); err != nil {
			t.Fatalf("%s: %v", again, err)
		}
		third, err := kernel.Marshal(w)
		if err != nil || string(third) != string(again) {
			t.Fatalf("written as %s, then as %s (%v)", again, third, err)
		}
		switch v := v.(type) {
		case kernel.Points:
			if v.Validate() == nil && v.Len() == 0 {
				t.Errorf("%s: no points are accepted", data)
			}
		case kernel.Family:
			for _, p := range []kernel.Points{x, thin(x), kernel.Places{0}} {
				g := v.On(p)
				m, n := g.Dims()
				if g.(kernel.Validated).Validate() == nil && (m < 1 || n != p.Len()) {
					t.Errorf("%s: %d parameters, %d points", data, m, n)
				}
			}
		}
	})
}
