package fit_test

import (
	"context"
	"fmt"

	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/data/datasets"
)

// Cross-validation chooses one of two families and its λ.
func ExampleBest() {
	train, test, err := fit.SplitData(datasets.Rings(120, 7), 0.3, 1)
	if err != nil {
		panic(err)
	}
	best := fit.Best{Candidates: []fit.Method{
		{Name: "linear", Fitter: fit.Search{Family: kernel.List{kernel.Linear{}}}},
		{Name: "Gaussian", Fitter: fit.Search{Family: kernel.List{kernel.RBF{Gamma: 1}, kernel.RBF{Gamma: 10}}}},
	}}
	fitted, err := best.Fit(context.Background(), train)
	if err != nil {
		panic(err)
	}
	s, err := fitted.Model.Score(test)
	if err != nil {
		panic(err)
	}
	fmt.Printf("%s: accuracy %.2f on %d points\n", fitted.Selected.Method.Name, s.Accuracy, s.N)
	// Output: Gaussian: accuracy 1.00 on 36 points
}
