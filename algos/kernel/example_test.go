package kernel_test

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/points"
)

var square = points.NewRows([][]float64{{0, 0}, {0, 1}, {1, 0}, {1, 1}})

// K(θ) = (θ₁x₁x₁ᵀ + θ₂x₂x₂ᵀ + θ₃11ᵀ)∘² and its derivatives.
func ExampleFeatures() {
	grams := kernel.Features{Degree: 2, Constant: true}.Bind(square)
	g := grams.New()
	g.SetTheta([]float64{1, 2, 1})
	fmt.Println(mat.Formatted(g.K()))
	grad := make([]float64, 3)
	g.Gradient(grad, []float64{1, -1, -1, 1})
	for k, v := range grad {
		fmt.Println(grams.Label(k), v)
	}
	// Output:
	// ⎡ 1   1   1   1⎤
	// ⎢ 1   9   1   9⎥
	// ⎢ 1   1   4   4⎥
	// ⎣ 1   9   4  16⎦
	// x1 4
	// x2 2
	// constant 0
}

// Kernels centered and scaled on the points that the family is bound to.
func ExampleSum() {
	f := kernel.Sum{
		Kernels:   kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 0.5}, kernel.RBF{Gamma: 0.5, Columns: []int{0}}},
		Center:    true,
		Normalize: kernel.MeanDiagonal,
	}
	grams := f.Bind(square)
	m, n := grams.Dims()
	for k := range m {
		g := grams.New()
		theta := make([]float64, m)
		theta[k] = 1
		g.SetTheta(theta)
		fmt.Printf("%s: trace %.4g of %d points, centered %v\n", grams.Label(k), mat.Trace(g.K()), n,
			math.Abs(mat.Sum(g.K())) < 1e-12)
	}
	// Output:
	// linear: trace 4 of 4 points, centered true
	// RBF(γ=0.5): trace 4 of 4 points, centered true
	// RBF(γ=0.5) of x1: trace 4 of 4 points, centered true
}

// Bad input is an error that says what and where, before any work.
func ExampleValidated() {
	x := points.NewRows([][]float64{{1, 2}, {3, 4}})
	g := kernel.List{kernel.RBF{Gamma: -1}}.Bind(x)
	fmt.Println(g.Validate())
	// Output: kernel: RBF(γ=-1): γ is -1; use a positive number
}
