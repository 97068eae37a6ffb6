package mklnb_test

import (
	"fmt"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"
	nb "github.com/mklnb/mkl/mklnb"
)

// two is a problem of two kernels that look at one point each: min over θ₁ + θ₂ = 1 of
// ½(9/(θ₁ + 1) + 4/(θ₂ + 1)), which is least at θ = (4, 1)/5.
func two() *mkl.Problem {
	bases := kernel.List{
		kernel.Precomputed{Name: "first", N: 2, Data: []float64{1, 0, 0, 0}},
		kernel.Precomputed{Name: "second", N: 2, Data: []float64{0, 0, 0, 1}},
	}
	return &mkl.Problem{Grams: bases.Bind(points.AllIndices(2)), Set: set.Simplex{}, Loss: loss.Squared{Lambda: 1},
		Y: []float64{3, 2}}
}

func ExampleSolve() {
	r := nb.Solve(two(), mkl.SPG{}, &mkl.Settings{Gap: 1e-9})
	nb.Check("θ₁", r.Theta[0], 0.8, 1e-4)
	nb.Check("F", r.F, 25./6, 1e-6)
	// Output:
	// ✓ θ₁: got 0.8, expected 0.8 ± 0.0001
	// ✓ F: got 4.16667, expected 4.16667 ± 1e-06
}

func ExampleSteps() {
	for it := range nb.Steps(two(), mkl.SPG{}, 1) {
		fmt.Printf("step %d: F = %.1f\n", it.K, it.F())
	}
	// Output:
	// step 0: F = 4.3
	// step 1: F = 4.2
}

func ExampleShow() {
	nb.Show("the weights", []float64{0.25, 0.75})
	// Output:
	// the weights
	// [0.25 0.75]
}

func ExampleSize() {
	fmt.Println(nb.Size(2, 10, 30), "splits")
	// Output:
	// 10 splits
}
