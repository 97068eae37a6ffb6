package check_test

import (
	"fmt"

	"github.com/mklnb/mkl/algos/check"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"
)

// The derivatives of the squared loss with one width of the Gaussian for each feature.
func Example() {
	x := points.NewRows([][]float64{{-2, 1}, {-1, 1}, {-1, -1}, {1, 1}, {1, -1}, {2, 1}})
	p := &mkl.Problem{Grams: kernel.Gaussians{}.Bind(x), Set: set.Orthant{}, Loss: loss.Squared{Lambda: 1},
		Y: []float64{-1, -1, -1, 1, 1, 1}}
	for seed := range uint64(3) {
		first, err := check.Gradient(p, seed)
		if err != nil {
			panic(err)
		}
		fmt.Println(first.Order, first.OrderHolds())
	}
	// Output:
	// 1 true
	// 1 true
	// 1 true
}
