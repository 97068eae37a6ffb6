package eskl_test

import (
	"context"
	"fmt"

	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/notebooks/papers/eskl"
)

// ESKL learns one kernel matrix near two similarity matrices of 20 points.
func Example() {
	s := eskl.RandomSet(20, 2, 1)
	p := eskl.ESKLProblem(s, nil, reg.SquaredNorm, 1, 0.5) // C = 1, ρ = 0.5, all points labeled
	r, err := mkl.Solve(context.Background(), p, eskl.Solver(reg.SquaredNorm, false), nil)
	if err != nil {
		panic(err)
	}
	fmt.Printf("%v: K has %d entries\n", r.Status, len(r.Theta))
	// Output: certified: K has 400 entries
}
