package kernel_test

import (
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/points"
)

// TestRange checks that features and kernel values outside 1e±100 are an error that names the column or the kernel, and
// that zeros are accepted.
func TestRange(t *testing.T) {
	x := dense(12, 3, 4)
	scaled := func(s float64, columns ...int) points.Rows {
		y := x.Slice(points.AllIndices(x.N)).(points.Rows)
		for i := range y.N {
			for _, j := range columns {
				y.Row(i)[j] *= s
			}
		}
		return y
	}
	all := []int{0, 1, 2}
	matrix := kernel.Precomputed{Name: "matrix", N: 1, Data: []float64{1e120}}
	power := kernel.Monomials{Kernels: kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 1}}, Free: [][]int{{4, 1}}}
	standardized := points.Preprocessing{points.Standardize}
	for _, c := range []struct {
		f    kernel.Family
		x    points.Points
		want string
	}{
		{kernel.Features{Prepare: standardized}, scaled(1e-110, 1), "column 2 (x2)"},
		{kernel.Sum{Kernels: kernel.List{kernel.Linear{}}, Prepare: standardized}, scaled(1e110, 1), "column 2 (x2)"},
		{kernel.Features{Degree: 3}, scaled(1e-90, all...), "(‖x‖²)^3"},
		{kernel.Gaussians{}, scaled(1e-90, all...), "‖x‖²"},
		{kernel.List{kernel.Linear{}}, scaled(1e90, all...), "linear"},
		{kernel.List{kernel.Polynomial{Degree: 4}}, scaled(1e-90, all...), "polynomial"}, // 1e-720
		{power, scaled(1e-49, all...), "linear^4·RBF"},                                   // 1e-392
		{kernel.List{matrix}, points.AllIndices(1), "matrix"},
	} {
		err := c.f.Bind(c.x).Validate()
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "1e±100") {
			t.Errorf("%+v: error %v, want one with %q and the range", c.f, err, c.want)
		}
	}
	for _, f := range []kernel.Family{kernel.Features{}, kernel.List{kernel.Linear{}}, kernel.Gaussians{}, power,
		kernel.Sum{Kernels: kernel.List{kernel.Linear{}}, Normalize: kernel.Cosine}} {
		for _, x := range []points.Points{scaled(0, all...), scaled(1e-10, all...), scaled(1e10, all...),
			scaled(1e-70, 1)} {
			if err := f.Bind(x).Validate(); err != nil {
				t.Errorf("%+v: %v", f, err)
			}
		}
	}
}
