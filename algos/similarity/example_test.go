package similarity_test

import (
	"fmt"

	"github.com/mklnb/mkl/algos/similarity"

	"gonum.org/v1/gonum/mat"
)

// Point 2 is similar to points 1 and 3, which are not similar to each other. No kernel has these values.
func Example() {
	s := mat.NewSymDense(3, []float64{
		1.0, 0.9, 0.1,
		0.9, 1.0, 0.9,
		0.1, 0.9, 1.0})
	spectrum, err := similarity.Decompose(s)
	if err != nil {
		panic(err)
	}
	fmt.Printf("eigenvalues %.2f, negative share %.2f\n", spectrum.Values, spectrum.NegativeMass())
	k, err := spectrum.Repair(similarity.Denoise)
	if err != nil {
		panic(err)
	}
	fmt.Printf("%.2f\n", mat.Formatted(k.K))
	// A new point that is as similar to the three points as point 1 has the kernel values of point 1.
	z, err := k.Cross(mat.NewDense(1, 3, []float64{1, 0.9, 0.1}))
	if err != nil {
		panic(err)
	}
	fmt.Printf("%.2f\n", mat.Formatted(z))
	// Output:
	// eigenvalues [-0.22 0.90 2.32], negative share 0.06
	// ⎡1.05  0.82  0.15⎤
	// ⎢0.82  1.12  0.82⎥
	// ⎣0.15  0.82  1.05⎦
	// [1.05  0.82  0.15]
}
