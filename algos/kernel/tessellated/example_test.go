package tessellated_test

import (
	"context"
	"fmt"

	"github.com/mklnb/mkl/algos/kernel/tessellated"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"
)

// One feature, whose classes alternate. Frank–Wolfe learns the 4×4 matrix P of degree 1.
func Example() {
	x := points.NewRows([][]float64{{0}, {0.2}, {0.4}, {0.6}, {0.8}, {1}})
	p := &mkl.Problem{Grams: tessellated.Family{Degree: 1}.Bind(x), Set: set.Spectraplex{},
		Loss: loss.Hinge{C: 10}, Y: []float64{-1, -1, 1, 1, -1, -1}}
	m, n := p.Grams.Dims()
	r, err := mkl.Solve(context.Background(), p, mkl.FrankWolfe{}, nil)
	if err != nil {
		panic(err)
	}
	fmt.Printf("%d points, P has %d entries, F = %.2f, %v by %s\n", n, m, r.F, r.Status, r.By)
	// Output: 6 points, P has 16 entries, F = 8.06, certified by duality
}
