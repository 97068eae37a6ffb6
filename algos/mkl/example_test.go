package mkl_test

import (
	"context"
	"fmt"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"
)

// The hinge loss has kinks, so that Level solves the problem. The label depends on the first feature only.
func Example() {
	x := points.NewRows([][]float64{{-2, 1}, {-1, 1}, {-1, -1}, {1, 1}, {1, -1}, {2, 1}})
	y := []float64{-1, -1, -1, 1, 1, 1}
	kernels := kernel.List{kernel.Linear{Columns: []int{0}}, kernel.Linear{Columns: []int{1}}}
	p := &mkl.Problem{Grams: kernels.Bind(x), Set: set.Simplex{}, Loss: loss.Hinge{C: 1}, Y: y}
	r, err := mkl.Solve(context.Background(), p, mkl.Level{}, nil)
	if err != nil {
		panic(err)
	}
	fmt.Printf("θ = %.2f, F = %.3f, %v by %s\n", r.Theta, r.F, r.Status, r.By)
	// Output: θ = [1.00 0.00], F = 0.500, certified by duality
}

// Two kernels on two points with equal targets: by symmetry, the weights are equal.
func ExampleSolve() {
	kernels := kernel.List{
		kernel.Precomputed{N: 2, Data: []float64{1, 0, 0, 0}},
		kernel.Precomputed{N: 2, Data: []float64{0, 0, 0, 1}},
	}
	p := &mkl.Problem{Grams: kernels.Bind(points.AllIndices(2)), Set: set.Ball{Q: 2, Radius: 1},
		Loss: loss.Squared{Lambda: 1}, Y: []float64{2, 2}}
	r, err := mkl.Solve(context.Background(), p, mkl.SPG{}, nil)
	if err != nil {
		panic(err)
	}
	fmt.Printf("θ = %.3f, F = %.4f, %v by %s\n", r.Theta, r.F, r.Status, r.By)
	// Output: θ = [0.707 0.707], F = 2.3431, certified by duality
}

func ExampleSteps() {
	kernels := kernel.List{
		kernel.Precomputed{N: 2, Data: []float64{1, 0, 0, 0}},
		kernel.Precomputed{N: 2, Data: []float64{0, 0, 0, 1}},
	}
	p := &mkl.Problem{Grams: kernels.Bind(points.AllIndices(2)), Set: set.Ball{Q: 2, Radius: 1},
		Loss: loss.Squared{Lambda: 1}, Y: []float64{3, 1}}
	for it, err := range mkl.Steps(context.Background(), p, mkl.IIA{}, nil) {
		if err != nil {
			panic(err)
		}
		fmt.Printf("%d: θ = %.3f, F = %.4f, gap %.1e\n", it.K, it.Theta, it.F(), it.Gap())
		if it.K == 3 {
			break
		}
	}
	// Output:
	// 0: θ = [0.707 0.707], F = 2.9289, gap 1.0e-01
	// 1: θ = [0.994 0.110], F = 2.7072, gap 1.2e-02
	// 2: θ = [0.979 0.203], F = 2.6893, gap 1.7e-03
	// 3: θ = [0.970 0.243], F = 2.6865, gap 1.6e-04
}
