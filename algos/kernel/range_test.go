package kernel_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
)

// sized is dense points times s.
func sized(x kernel.Rows, s float64) kernel.Rows {
	y := kernel.Rows{N: x.N, D: x.D, Data: make([]float64, len(x.Data))}
	for i, v := range x.Data {
		y.Data[i] = s * v
	}
	return y
}

// TestPrepareFarFeatures: every step that removes the scale of the features gives the same at sizes from 1e-300 to
// 1e300, to rounding; no column is taken as constant because its squares vanish or overflow.
func TestPrepareFarFeatures(t *testing.T) {
	x := dense(12, 3, 4)
	for _, step := range []kernel.Step{kernel.MinMax, kernel.MaxAbs, kernel.Standardize, kernel.StandardizeNumbers,
		kernel.Ranks,
		kernel.UnitRows} {
		fit, err := kernel.Prepare{step}.Fit(x)
		if err != nil {
			t.Fatal(err)
		}
		want := fit.Apply(x).(kernel.Rows)
		for _, s := range []float64{1e-300, 1e-200, 1e-150, 1e150, 1e200, 1e300} {
			far := sized(x, s)
			fit, err := kernel.Prepare{step}.Fit(far)
			if err != nil {
				t.Errorf("%s, %g: %v", step, s, err)
				continue
			}
			for i, v := range fit.Apply(far).(kernel.Rows).Data {
				if math.Abs(v-want.Data[i]) > 1e-12 {
					t.Errorf("%s, %g: %g, want %g", step, s, v, want.Data[i])
					break
				}
			}
		}
	}
}

// twice is the product of two kernels.
func twice(a, b kernel.Kernel) kernel.Product {
	return kernel.Product{Kernels: kernel.List{a, b}, Exponents: []int{1, 1}}
}

// TestTooSmallOrLarge: what cannot be scaled or multiplied is an error that names the column or the kernel, and says
// what to do.
func TestTooSmallOrLarge(t *testing.T) {
	x := dense(12, 3, 4)
	second := func(f func(i int) float64) kernel.Rows { // x with another second column
		y := sized(x, 1)
		for i := range y.N {
			y.Row(i)[1] = f(i)
		}
		return y
	}
	one := second(func(i int) float64 { return 1e-310 * float64(1+i) })         // subnormal
	huge := second(func(i int) float64 { return 1.7e308 * float64(1-2*(i%2)) }) // too large to be centred
	column := second(func(i int) float64 { return 1e-300 * float64(1+i) })
	square := second(func(i int) float64 { return 1e-150 * float64(1+i) }) // numbers, whose squares are not
	n := 3
	p := kernel.Precomputed{Name: "tiny", N: n, Data: make([]float64, n*n)}
	for i := range n {
		p.Data[i*n+i] = 5e-324 * float64(1+i)
	}
	for _, c := range []struct {
		f    kernel.Family
		x    kernel.Points
		want string
	}{
		{kernel.Features{Prepare: kernel.Prepare{kernel.Standardize}}, one, "x2"},
		{kernel.Sum{Kernels: kernel.List{kernel.Linear{}}, Prepare: kernel.Prepare{kernel.Standardize}}, one, "x2"},
		{kernel.Gaussians{Prepare: kernel.Prepare{kernel.MinMax}}, one, "x2"},
		{kernel.Sum{Kernels: kernel.List{kernel.RBF{Gamma: 1}}, Prepare: kernel.Prepare{kernel.MaxAbs}}, one, "x2"},
		{kernel.Features{Prepare: kernel.Prepare{kernel.MinMax}}, huge, "x2"},
		{kernel.Features{}, column, "x2"},
		{kernel.Gaussians{}, column, "x2"},
		{kernel.Features{}, square, "x2"},
		{kernel.Features{Degree: 3}, sized(x, 1e-60), "too small"},
		{kernel.List{kernel.Linear{}}, sized(x, 1e-300), "linear"},
		{kernel.List{kernel.Linear{}, kernel.Linear{Columns: []int{1}}}, column, "linear of x2"},
		{kernel.List{kernel.Polynomial{Degree: 4}}, sized(x, 1e-100), "polynomial"},
		{kernel.List{kernel.Product{Kernels: kernel.List{kernel.Linear{}}, Exponents: []int{4}}}, sized(x, 1e-100),
			"linear^4"},
		{kernel.List{twice(kernel.Linear{}, kernel.Linear{})}, sized(x, 1e-100), "linear"}, // factors of 1e-200
		// a factor has vanished
		{kernel.List{twice(kernel.Linear{}, kernel.RBF{Gamma: 1})}, sized(x, 1e-300), "linear"},
		{kernel.Sum{Kernels: kernel.List{p}, Normalize: kernel.Cosine}, kernel.AllPlaces(n), "tiny"},
		{kernel.Sum{Kernels: kernel.List{p}, Normalize: kernel.MeanDiagonal}, kernel.AllPlaces(n), "tiny"},
		{kernel.Sum{Kernels: kernel.List{kernel.Linear{}}, Normalize: kernel.Cosine}, sized(x, 1e-161), "linear"},
	} {
		err := c.f.On(c.x).Validate()
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "rescale") {
			t.Errorf("%+v: %v, want an error with %q that says to rescale", c.f, err, c.want)
		}
	}
	// of points of any size K is of numbers, also of a part that is far smaller than the rest
	mixed := sized(x, 1)
	for i := range 6 {
		for j := range mixed.D {
			mixed.Row(i)[j] *= 1e-161
		}
	}
	for _, norm := range []kernel.Normalization{kernel.Cosine, kernel.MeanDiagonal} {
		g := kernel.Sum{Kernels: kernel.List{kernel.Linear{}}, Normalize: norm}.On(mixed)
		if err := g.Validate(); err != nil {
			t.Fatal(err)
		}
		part := g.Slice([]int{0, 1, 2, 3}).New()
		part.At([]float64{1})
		if k := fmt.Sprint(part.K().RawSymmetric().Data); strings.Contains(k, "NaN") || strings.Contains(k, "Inf") {
			t.Errorf("%s: K = %v", norm, k)
		}
	}
	// zeros are no small numbers, nor is a product of which a factor is 0
	gone := second(func(int) float64 { return 0 })
	zero := kernel.List{kernel.Linear{}, twice(kernel.Linear{}, kernel.Linear{Columns: []int{1}})}
	if err := zero.On(gone).Validate(); err != nil {
		t.Error(err)
	}
	for _, f := range []kernel.Family{kernel.Features{}, kernel.List{kernel.Linear{}}, kernel.Gaussians{},
		kernel.Sum{Kernels: kernel.List{kernel.Linear{}}, Normalize: kernel.Cosine}} {
		if err := f.On(sized(x, 0)).Validate(); err != nil {
			t.Errorf("%+v of zeros: %v", f, err)
		}
	}
}
