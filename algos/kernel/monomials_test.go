package kernel_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/kernel/kerneltest"
	"github.com/mklnb/mkl/algos/points"
)

func TestMonomials(t *testing.T) {
	bases := kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 0.3}, kernel.Polynomial{Degree: 2, Gamma: 0.3, Offset: 1}}
	all := kernel.Exponents(3, 2)
	for name, f := range map[string]kernel.Monomials{
		"free":           {Free: all},
		"tied":           {Tied: all},
		"tied, degree 3": {Tied: kernel.Exponents(3, 3)},
		"tied, degree 4": {Tied: kernel.Exponents(3, 4)},
		"mixed":          {Tied: [][]int{{1, 0, 0}, {1, 1, 0}, {0, 0, 2}}, Free: [][]int{{0, 2, 0}, {1, 0, 1}}},
		"linear":         {Tied: [][]int{{1, 0, 0}, {0, 1, 0}}, Free: [][]int{{0, 0, 3}}},
		"constant":       {Tied: [][]int{{0, 0, 0}, {1, 0, 0}}},
	} {
		t.Run(name, func(t *testing.T) {
			f.Kernels = bases
			for i, p := range []points.Preprocessing{nil, {points.Standardize}, {points.CenterRows, points.UnitRows}} {
				f.Prepare = p
				kerneltest.TestFamily(t, f, dense(9, 4, uint64(i+1)))
			}
			f.Prepare, f.Kernels = nil, kernel.List{}
			for i := range 3 {
				f.Kernels = append(f.Kernels, kernel.Precomputed{N: 9, Data: gram(9, uint64(i+1))})
			}
			kerneltest.TestFamily(t, f, points.AllIndices(9))
			kerneltest.TestFamily(t, f, points.Indices{8, 0, 3, 3, 1, 7})
		})
	}
}

// TestMonomialsPower tests that with multinomial coefficients the free family is the power of the sum, and tied
// products of degree 1 and 2 of one kernel are θk + θ²k².
func TestMonomialsPower(t *testing.T) {
	x := dense(8, 3, 2)
	bases := kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 0.3}}
	at := func(f kernel.Family, theta ...float64) *mat.SymDense {
		g := f.Bind(x).New()
		g.SetTheta(theta)
		return g.K().Dense()
	}
	a, b := 0.7, 1.9
	want := at(kernel.Sum{Kernels: bases, Degree: 2}, a, b)
	got := at(kernel.Monomials{Kernels: bases, Free: kernel.Exponents(2, 2)}, 0, 0, 0, a*a, 2*a*b, b*b)
	if !mat.EqualApprox(got, want, 1e-10) { // shifts of the diagonal
		t.Errorf("free products with multinomial coefficients: %v, the power %v", mat.Formatted(got),
			mat.Formatted(want))
	}
	one := at(bases[1:], 1)
	tied := at(kernel.Monomials{Kernels: bases[1:], Tied: [][]int{{1}, {2}}}, a)
	for i := range 8 {
		for j := range 8 {
			if k := one.At(i, j); math.Abs(tied.At(i, j)-(a*k+a*a*k*k)) > 1e-11 { // as above
				t.Fatalf("K[%d,%d] = %g, want θk + θ²k² = %g", i, j, tied.At(i, j), a*k+a*a*k*k)
			}
		}
	}
}

func TestExponents(t *testing.T) {
	want := "[[0 0 0] [1 0 0] [0 1 0] [0 0 1] [2 0 0] [1 1 0] [1 0 1] [0 2 0] [0 1 1] [0 0 2]]"
	if got := fmt.Sprint(kernel.Exponents(3, 2)); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if n := len(kernel.Exponents(5, 4)); n != 126 { // C(9, 4)
		t.Errorf("%d exponents of 5 kernels to degree 4, want 126", n)
	}
}

// TestMonomialsRefuse tests that Validate returns an error for invalid exponents, with and without tied products.
func TestMonomialsRefuse(t *testing.T) {
	x := dense(6, 2, 1)
	for _, e := range [][]int{{1}, {1, -1}, {1, 0, 0}} {
		for i, f := range []kernel.Monomials{{Tied: [][]int{e}}, {Free: [][]int{e}}} {
			f.Kernels = kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 1}}
			if f.Bind(x).Validate() == nil {
				t.Errorf("exponents %v (%d): no error", e, i)
			}
		}
	}
	for _, f := range []kernel.Monomials{{}, {Kernels: kernel.List{kernel.Linear{}}},
		{Kernels: kernel.List{nil}, Free: [][]int{{1}}}, {Kernels: kernel.List{kernel.RBF{}}, Tied: [][]int{{1}}}} {
		if f.Bind(x).Validate() == nil {
			t.Errorf("%v: no error", f)
		}
	}
	// Matrices of different sizes belong to different points.
	five := kernel.Precomputed{N: 5, Data: make([]float64, 25)}
	three := kernel.Precomputed{N: 3, Data: make([]float64, 9)}
	sizes := kernel.Monomials{Kernels: kernel.List{five, three}, Free: [][]int{{1, 2}}}
	err := sizes.Bind(points.Indices{0, 1, 2}).Validate()
	if err == nil || !strings.Contains(err.Error(), "matrices of different sizes") {
		t.Error(err)
	}
	named := kernel.Monomials{Kernels: kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 0.5}}, Free: [][]int{{2, 1}}}
	if s := named.Bind(x).Label(0); s != "linear^2·RBF(γ=0.5)" {
		t.Error(s)
	}
}
