package kernel_test

import (
	"math"
	"reflect"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/registry"
)

// registered are values of every registered type.
func registered() []any {
	sparse := thin(dense(6, 3, 1))
	sparse.Names = []string{"a", "b \"quoted\" <&>", "größe"}
	return []any{
		kernel.List{kernel.RBF{Gamma: 0.1}, kernel.Linear{Columns: []int{2, 0}}, kernel.Laplacian{Gamma: 1.0 / 3}},
		kernel.List{},
		kernel.List(nil),
		kernel.Sum{},
		kernel.Sum{Kernels: kernel.List{kernel.Polynomial{Degree: 2, Offset: 1},
			kernel.Precomputed{Name: "k", N: 1, Data: []float64{math.Pi}}},
			Degree: 3, Prepare: kernel.Prepare{kernel.MinMax, kernel.CentreRows}, Centre: true,
			Normalize: kernel.Cosine},
		kernel.Features{Degree: 2, Constant: true, Prepare: kernel.Prepare{}},
		kernel.Monomials{Kernels: kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 2}}, Tied: [][]int{{1, 0}},
			Free: [][]int{{0, 2}, {1, 1}}},
		kernel.Gaussians{Prepare: kernel.Prepare{kernel.Standardize}},
		kernel.Spectra{N: 1, Vectors: [][]float64{{1}, {-1}}},
		kernel.Blocks{Of: []kernel.Family{kernel.List{kernel.Linear{}}, kernel.Features{}}},
		kernel.Sequences{"ACD", ""},
		dense(6, 3, 1),
		sparse,
		kernel.Rows{N: 1, D: 2, Data: []float64{math.Inf(-1), math.Copysign(0, -1)}, Names: []string{}},
		kernel.Places{3, 0, 1 << 40},
		kernel.Related{N: 2, Names: []string{"k"}, Data: [][]float64{{1, math.Inf(1)}}},
		kernel.Features{Fitted: &kernel.Fitted{D: 1,
			Steps: []kernel.FittedStep{{Step: kernel.MaxAbs, Scale: []float64{2}}}}},
		kernel.Linear{Columns: []int{}},
		kernel.Sequences{"ACD", ""},
		kernel.Spectrum{K: 4, Mismatches: 1, Alphabet: "ACGT"},
		kernel.RBF{Gamma: math.Inf(1)},
		kernel.Laplacian{},
		kernel.Precomputed{Data: []float64{}},
		kernel.Polynomial{Degree: 2, Gamma: math.SmallestNonzeroFloat64},
	}
}

// The names that types have in files of the first version.
func TestFormerNames(t *testing.T) {
	for _, c := range []struct {
		data string
		want any
	}{
		{`{"type":"rbf","value":{"Gamma":0.5}}`, kernel.RBF{Gamma: 0.5}},
		// 1 and −2 as little-endian float64: 00…f03f and 00…00c0.
		{`{"type":"rows","value":{"N":1,"D":2,"Data":"f8:AAAAAAAA8D8AAAAAAAAAwA==","Names":["a","b"]}}`,
			kernel.Rows{N: 1, D: 2, Data: []float64{1, -2}, Names: []string{"a", "b"}}},
		{`{"type":"places","value":"i8:AQAAAAAAAAA="}`, kernel.Places{1}},
		{`{"type":"sparse","value":{"D":2}}`, kernel.Sparse{D: 2}},
		{`{"type":"sum","value":{"Kernels":[{"type":"linear","value":{}}],"Degree":2,"Prepare":["min-max"]}}`,
			kernel.Sum{Kernels: kernel.List{kernel.Linear{}}, Degree: 2, Prepare: kernel.Prepare{kernel.MinMax}}},
		{`{"type":"list","value":[{"type":"polynomial","value":{"Degree":2}},{"type":"laplacian","value":{}},` +
			`{"type":"precomputed","value":{}}]}`,
			kernel.List{kernel.Polynomial{Degree: 2}, kernel.Laplacian{}, kernel.Precomputed{}}},
		{`{"type":"features","value":{}}`, kernel.Features{}},
	} {
		got, err := registry.Unmarshal[any]([]byte(c.data))
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %#v, %v, want %#v", c.data, got, err, c.want)
		}
	}
}

// FuzzRegistered: whatever is read, it can be judged and bound to points without a panic.
func FuzzRegistered(f *testing.F) {
	x := dense(4, 2, 1)
	for _, v := range registered() {
		data, err := registry.Marshal(v)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
		f.Add(data[:len(data)/2])
	}
	f.Add([]byte(`{"type":"sparse","value":{"D":2,"Ptr":"i8:AAAAAAAAAAD/////////fw==","Col":"i8:","Val":"f8:"}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := registry.Unmarshal[any](data)
		if err != nil {
			return
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
				if g.Validate() == nil && (m < 1 || n != p.Len()) {
					t.Errorf("%s: %d parameters, %d points", data, m, n)
				}
			}
		}
	})
}
