package qnpkl_test

import (
	"fmt"

	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/notebooks/papers/qnpkl"
)

// One width for each feature of pima, learned by the algorithm of the paper.
func Example() {
	d, err := qnpkl.Load("pima")
	if err != nil {
		panic(err)
	}
	r, err := qnpkl.Solve(qnpkl.Standardized.Problem(d, 1), mkl.QuasiNewton{}, 1e-3, 8) // C = 1, 8 steps
	if err != nil {
		panic(err)
	}
	fmt.Printf("%d widths, of which %d are not 0; J = %.0f\n", len(r.Theta), qnpkl.CountUsed(r.Theta), r.F)
	// Output: 8 widths, of which 8 are not 0; J = 288
}
