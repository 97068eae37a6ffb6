package tkl_test

import (
	"context"
	"fmt"

	"github.com/mklnb/mkl/algos/kernel/tessellated"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/notebooks/papers/tkl"
)

// A tessellated kernel with learned P for points of a checkerboard.
func Example() {
	d := tkl.FirstPoints("checkerboard", 60, 1)
	p := tkl.Problem(d, tessellated.Family{Degree: 1}, 1, 10) // tr P = 1, C = 10
	r, err := mkl.Solve(context.Background(), p, mkl.FrankWolfe{}, &mkl.Settings{Gap: 1e-2})
	if err != nil {
		panic(err)
	}
	shares, _ := tkl.LeadingEigenvector(r.Theta)
	fmt.Printf("%v; the largest eigenvalue of P is %.0f %% of its trace\n", r.Status, 100*shares[0])
	// Output: certified; the largest eigenvalue of P is 100 % of its trace
}
