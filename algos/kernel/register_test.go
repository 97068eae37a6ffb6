package kernel_test

import (
	"math"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/registry"
)

// registered are values of every registered type.
func registered() []any {
	sparse := thin(dense(6, 3, 1))
	sparse.Names = []string{"a", "b \"quoted\" <&>", "größe"}
	return []any{
		kernel.List{kernel.RBF{Gamma: 0.1}, kernel.Linear{Columns: []int{2, 0}}, kernel.Laplacian{Gamma: 1.0 / 3}},
		kernel.Sum{Kernels: kernel.List{kernel.Polynomial{Degree: 2, Offset: 1},
			kernel.Precomputed{Name: "k", N: 1, Data: []float64{math.Pi}}},
			Degree: 3, Prepare: points.Preprocessing{points.MinMax, points.CenterRows}, Center: true,
			Normalize: kernel.Cosine},
		kernel.Features{Degree: 2, Constant: true, Prepare: points.Preprocessing{}},
		kernel.Monomials{Kernels: kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 2}}, Tied: [][]int{{1, 0}},
			Free: [][]int{{0, 2}, {1, 1}}},
		kernel.Gaussians{Prepare: points.Preprocessing{points.Standardize}},
		dense(6, 3, 1),
		sparse,
		points.Rows{N: 1, D: 2, Data: []float64{math.Inf(-1), math.Copysign(0, -1)}, Names: []string{}},
		points.Indices{3, 0, math.MaxInt32},
		points.KernelRows{N: 2, Names: []string{"k"}, Data: [][]float64{{1, math.Inf(1)}}},
		kernel.Features{FittedTransforms: &kernel.FittedTransforms{Preprocessing: points.FittedPreprocessing{D: 1,
			Steps: []points.FittedStep{{Step: points.MaxAbs, Scale: []float64{2}}}}}},
		points.Sequences{"ACD", ""},
		kernel.RBF{Gamma: math.Inf(1)},
		kernel.Polynomial{Degree: 2, Gamma: math.SmallestNonzeroFloat64},
	}
}

// FuzzRegistered tests that every value that is read can be validated and bound to points without a panic.
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
	f.Add([]byte(`{"type":"sparse","value":{"D":2,"Ptr":[0,9223372036854775807],"Col":[],"Val":[]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := registry.Unmarshal[any](data)
		if err != nil {
			return
		}
		switch v := v.(type) {
		case points.Points:
			if v.Validate() == nil && v.Len() == 0 {
				t.Errorf("%s: no points are accepted", data)
			}
		case kernel.Family:
			for _, p := range []points.Points{x, thin(x), points.Indices{0}} {
				g := v.Bind(p)
				m, n := g.Dims()
				if g.Validate() == nil && (m < 1 || n != p.Len()) {
					t.Errorf("%s: %d parameters, %d points", data, m, n)
				}
			}
		}
	})
}
