package kernel_test

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/kernel/kerneltest"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/registry"
)

func cross(t *testing.T, f kernel.Family, x, z points.Points, theta []float64) *mat.Dense {
	t.Helper()
	g := f.Bind(x)
	if err := g.Validate(); err != nil {
		t.Fatal(err)
	}
	if _, err := g.CheckNewPoints(z); err != nil {
		t.Fatal(err)
	}
	k := mat.NewDense(z.Len(), x.Len(), nil)
	g.Cross(z).StoreMatrix(k, theta)
	return k
}

// A frozen family is the same kernel on a part of its points, whatever they are, and after it was written.
func TestFreeze(t *testing.T) {
	list := kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 0.3}, kernel.Polynomial{Degree: 2, Offset: 1}}
	fullTheta := []float64{0.2, 0.5, 0.3, 0, 0.1}
	n := 0
	for _, norm := range []kernel.Normalization{kernel.None, kernel.Cosine, kernel.MeanDiagonal} {
		for _, p := range []points.Preprocessing{nil, {points.Standardize}, {points.MaxAbs, points.UnitRows},
			{points.MinMax, points.CenterRows}, {points.Ranks, points.StandardizeNumbers}} {
			for _, f := range []kernel.Family{
				kernel.Sum{Kernels: list, Degree: 2, Prepare: p, Normalize: norm},
				kernel.Features{Degree: 2, Constant: true, Prepare: p},
			} {
				x, z := dense(12, 4, 3), dense(5, 4, 4)
				g := f.Bind(x)
				m, _ := g.Dims()
				theta := fullTheta[:m]
				frozen, err := g.FreezeFit()
				if err != nil {
					t.Fatal(err)
				}
				data, err := registry.Marshal(frozen)
				if err != nil {
					t.Fatal(err)
				}
				read, err := registry.Unmarshal[kernel.Family](data)
				if err != nil || !reflect.DeepEqual(read, frozen) {
					t.Fatalf("written and read it is %+v, %v, want %+v", read, err, frozen)
				}
				want, all := cross(t, f, x, z, theta), cross(t, read, x, z, theta)
				rows := []int{7, 2, 2, 11}
				part := cross(t, read, x.Slice(rows), z, theta)
				for i := range z.N {
					for j := range x.N {
						if v, w := all.At(i, j), want.At(i, j); norm != kernel.Cosine && v != w ||
							math.Abs(v-w) > 1e-14*math.Abs(w) {
							t.Errorf("%+v: K[%d,%d] = %v frozen, want %v", f, i, j, v, w)
						}
					}
					for j, r := range rows {
						if v, w := part.At(i, j), want.At(i, r); math.Abs(v-w) > 1e-13*math.Max(1, math.Abs(w)) {
							t.Errorf("%+v: K[%d,%d] = %v on a part, want %v", f, i, r, v, w)
						}
					}
				}
				again, err := read.Bind(x.Slice(rows)).FreezeFit()
				if err != nil || !reflect.DeepEqual(again, read) {
					t.Errorf("frozen again it is %+v, %v", again, err)
				}
				kerneltest.TestFamily(t, read, x.Slice([]int{7, 2, 2, 11, 0, 5}))
				n++
			}
		}
	}
	if n != 30 {
		t.Errorf("%d families, want 30", n)
	}
	if _, err := (kernel.Sum{Kernels: list, Center: true}).Bind(dense(4, 2, 1)).FreezeFit(); err == nil ||
		!strings.Contains(err.Error(), "all points") {
		t.Errorf("a centered family froze: %v", err)
	}
}

// fitted returns one fitted step of d features.
func fitted(d int, step points.FittedStep) *kernel.FittedTransforms {
	return &kernel.FittedTransforms{Preprocessing: points.FittedPreprocessing{D: d, Steps: []points.FittedStep{step}}}
}

// What does not fit together in a frozen family is an error, not a panic.
func TestFrozenErrors(t *testing.T) {
	x := dense(4, 2, 1)
	list := kernel.List{kernel.Linear{}}
	scaled := func(f *kernel.FittedTransforms) kernel.Family {
		return kernel.Sum{Kernels: list, Prepare: points.Preprocessing{points.MaxAbs}, FittedTransforms: f}
	}
	for _, f := range []kernel.Family{
		kernel.Sum{Kernels: list, FittedTransforms: fitted(0, points.FittedStep{Step: points.MaxAbs})},
		kernel.Sum{Kernels: list, Normalize: kernel.Cosine,
			FittedTransforms: &kernel.FittedTransforms{ScaleFactors: []float64{1}}},
		kernel.Sum{Kernels: list, Center: true, FittedTransforms: &kernel.FittedTransforms{}},
		kernel.Sum{Kernels: kernel.List{kernel.Precomputed{N: 4}}},
		kernel.Features{FittedTransforms: fitted(2, points.FittedStep{Step: points.MaxAbs})},
		scaled(fitted(3, points.FittedStep{Step: points.MaxAbs})),
		scaled(fitted(2, points.FittedStep{Step: points.MinMax})),
		scaled(fitted(2, points.FittedStep{Step: points.MaxAbs, Scale: []float64{1}})),
		scaled(fitted(2, points.FittedStep{Step: points.MaxAbs, Scale: []float64{1, math.NaN()}})),
	} {
		p := points.Points(x)
		if s, ok := f.(kernel.Sum); ok {
			if _, ok := s.Kernels[0].(kernel.Precomputed); ok {
				p = points.AllIndices(4)
			}
		}
		if err := f.Bind(p).Validate(); err == nil {
			t.Errorf("%+v is accepted", f)
		}
	}
}

// Values with the points learned on are what the matrix of all points says.
func TestRelated(t *testing.T) {
	x := dense(9, 3, 5)
	gram := func(k kernel.Kernel) []float64 {
		a := mat.NewDense(9, 9, nil)
		k.Cross(a, x, x)
		return a.RawMatrix().Data
	}
	a, b := gram(kernel.RBF{Gamma: 0.2}), gram(kernel.Linear{})
	theta := []float64{0.4, 0.6}
	whole := kernel.Sum{Kernels: kernel.List{kernel.Precomputed{Name: "a", N: 9, Data: a},
		kernel.Precomputed{Name: "b", N: 9, Data: b}}, Normalize: kernel.MeanDiagonal}
	train, test := points.Indices{0, 1, 2, 3, 4, 5}, points.Indices{6, 7, 8}
	want := cross(t, whole, train, test, theta)

	small := func(a []float64) (k, z []float64) {
		for i := range 9 {
			if i < 6 {
				k = append(k, a[9*i:9*i+6]...)
			} else {
				z = append(z, a[9*i:9*i+6]...)
			}
		}
		return k, z
	}
	ka, za := small(a)
	kb, zb := small(b)
	f := kernel.Sum{Kernels: kernel.List{kernel.Precomputed{Name: "a", N: 6, Data: ka},
		kernel.Precomputed{Name: "b", N: 6, Data: kb}}, Normalize: kernel.MeanDiagonal}
	z := points.KernelRows{N: 6, Names: []string{"b", "a"}, Data: [][]float64{zb, za}}
	if err := z.Validate(); err != nil || z.Len() != 3 {
		t.Fatal(err, z.Len())
	}
	got := cross(t, f, points.AllIndices(6), z, theta)
	if !mat.Equal(got, want) {
		t.Errorf("K = %v, want %v", mat.Formatted(got), mat.Formatted(want))
	}
	frozen, err := f.Bind(points.AllIndices(6)).FreezeFit()
	if err != nil {
		t.Fatal(err)
	}
	part := points.Indices{5, 1}
	got = cross(t, frozen, part, z.Slice([]int{2, 0}), theta)
	for i, r := range []int{2, 0} {
		for j, c := range part {
			if got.At(i, j) != want.At(r, c) {
				t.Errorf("frozen K[%d,%d] = %g, want %g", i, j, got.At(i, j), want.At(r, c))
			}
		}
	}
	for _, bindError := range []points.Points{points.Indices{0}, points.KernelRows{N: 5, Names: z.Names, Data: z.Data},
		points.KernelRows{N: 6, Names: []string{"a"}, Data: [][]float64{za}}, x} {
		if _, err := frozen.Bind(part).CheckNewPoints(bindError); err == nil {
			t.Errorf("%T meets the frozen family", bindError)
		}
	}
	if _, err := f.Bind(train).CheckNewPoints(points.Indices{9}); err == nil {
		t.Error("a place outside the matrix meets the family")
	}
	if err := f.Bind(z).Validate(); err == nil {
		t.Error("a family is bound to values")
	}
}

// RepairRounding repairs what rounding to 16 and 32 bits does, and nothing worse.
func TestRepairRounding(t *testing.T) {
	const n = 30
	exact := gram(n, 1)
	for _, bits := range []int{11, 24} {
		a, unit := slices.Clone(exact), math.Ldexp(1, -bits)
		for i, v := range a {
			f, e := math.Frexp(v)
			a[i] = math.Ldexp(math.RoundToEven(math.Ldexp(f, bits)), e-bits)
			if i%11 == 1 { // one side was rounded otherwise
				a[i] += math.Ldexp(unit, e)
			}
		}
		if _, δ, err := (kernel.Precomputed{N: n, Data: a}).RepairRounding(0); err == nil {
			t.Errorf("%d bits, taken as exact: δ = %g, %v", bits, δ, err)
		}
		m, δ, err := kernel.Precomputed{N: n, Data: a}.RepairRounding(unit)
		if err != nil || δ <= 0 || δ > 4*n*30*unit || m.Validate() != nil {
			t.Errorf("%d bits: δ = %g, %v, %v", bits, δ, err, m.Validate())
		}
		for i, v := range m.Data {
			want := exact[i]
			if i/n == i%n {
				want += δ
			}
			if math.Abs(v-want) > 60*unit {
				t.Errorf("%d bits: entry %d is %g, want %g", bits, i, v, want)
			}
		}
		a[1]++
		if _, _, err := (kernel.Precomputed{N: n, Data: a}).RepairRounding(unit); err == nil {
			t.Errorf("%d bits: an asymmetric matrix is mended", bits)
		}
	}
	// whole numbers are exact: an eigenvalue of −1 is no rounding, whatever the roundoff
	for _, u := range []float64{0, 0x1p-11} {
		_, δ, err := (kernel.Precomputed{N: 2, Data: []float64{2, 3, 3, 2}}).RepairRounding(u)
		if !errors.Is(err, kernel.ErrNotPSD) || !strings.Contains(err.Error(), "least eigenvalue is -1,") || δ != 0 {
			t.Errorf("u = %g: δ = %g, %v", u, δ, err)
		}
	}
}

// Rows of different lengths are an error of Validate that names the place.
func TestRaggedRows(t *testing.T) {
	x := points.NewRows([][]float64{{1, 2, 3}, {4, 5}})
	if err := x.Validate(); err == nil || err.Error() != "points: row 2, column 3 (x3) is NaN; use a finite number" {
		t.Error(err)
	}
	if err := (kernel.List{kernel.Linear{}}).Bind(x).Validate(); err == nil {
		t.Error("a family takes them")
	}
	if err := points.NewRows([][]float64{{}, {}}).Validate(); err == nil {
		t.Error("no features")
	}
}

// TestRelatedMap tests that a new point s has the values Ps, P the NewPointMap row by row, with the points that are
// bound.
func TestRelatedMap(t *testing.T) {
	k := kernel.Precomputed{N: 2, Data: []float64{2, 1, 1, 2}, NewPointMap: []float64{1, 10, 100, 1000}}
	z := points.KernelRows{N: 2, Names: []string{""}, Data: [][]float64{{1, 2, 3, 4}}}
	got := mat.NewDense(2, 1, nil)
	kernel.List{k}.Bind(points.Indices{1}).Cross(z).StoreMatrix(got, []float64{1})
	if want := []float64{2100, 4300}; !slices.Equal(got.RawMatrix().Data, want) {
		t.Errorf("%v, want %v", got.RawMatrix().Data, want)
	}
}
