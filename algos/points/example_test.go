package points_test

import (
	"fmt"

	"github.com/mklnb/mkl/algos/points"
)

// New points get the fit of the first points: 3 becomes 1.5, outside the [0,1] of the second feature.
func ExamplePreprocessing() {
	fit, err := points.Preprocessing{points.MinMax}.Fit(points.NewRows([][]float64{{2, 0}, {4, 2}, {3, 1}}))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(fit.Apply(points.NewRows([][]float64{{3, 3}})).(points.Rows).Data)
	// Output: [0.5 1.5]
}
