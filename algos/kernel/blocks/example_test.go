package blocks_test

import (
	"context"
	"fmt"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/kernel/blocks"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"
)

// Two groups of kernels, one for each feature. The weights of each group sum to 1, and the loss weights the groups.
func Example() {
	x := points.NewRows([][]float64{{-2, -1}, {-1, -2}, {0, 1}, {0, 2}, {1, -1}, {2, 1}})
	var f blocks.Family
	for feature := range 2 {
		f.Families = append(f.Families, kernel.List{kernel.Linear{Columns: []int{feature}},
			kernel.RBF{Gamma: 1, Columns: []int{feature}}})
	}
	p := &mkl.Problem{Grams: f.Bind(x), Set: set.Product{Factor: set.Simplex{}, Count: 2},
		Loss: loss.BlockNorm{Loss: loss.Hinge{C: 1}}, Y: []float64{-1, -1, 1, 1, -1, -1}}
	r, err := mkl.Solve(context.Background(), p, mkl.Level{}, nil)
	if err != nil {
		panic(err)
	}
	fmt.Printf("θ = %.2f, F = %.3f, %v by %s\n", r.Theta, r.F, r.Status, r.By)
	// Output: θ = [0.43 0.57 1.00 0.00], F = 0.738, certified by duality
}
