package lvx_test

import (
	"context"
	"fmt"

	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/notebooks/papers/lvx"
)

// The library's minimum of a small problem, and the gradient there by the formula of the paper.
func Example() {
	d := lvx.RandomProblem(6, 3, 2, 0.7, 4) // points, kernels, degree, λ, seed
	r, err := mkl.Solve(context.Background(), d.Problem(set.Ball{Q: 2, Radius: 1}), mkl.SPG{}, nil)
	if err != nil {
		panic(err)
	}
	fmt.Printf("F of the paper %.3f, twice the F of package mkl %.3f\n", d.F(r.Theta), 2*r.F)
	fmt.Printf("its gradient %.2f\n", d.Gradient(r.Theta))
	// Output:
	// F of the paper 2.389, twice the F of package mkl 2.389
	// its gradient [-1.44 -1.91 -2.56]
}
