package linalg_test

import (
	"fmt"

	"github.com/mklnb/mkl/algos/linalg"

	"gonum.org/v1/gonum/mat"
)

func ExampleCholesky() {
	a := mat.NewSymDense(2, []float64{3, 2, 2, 9})
	var c linalg.Cholesky
	fmt.Println(c.Factorize(a, 1)) // A + I
	x := make([]float64, 2)
	c.SolveVec(x, []float64{8, 22})
	fmt.Printf("%.4f\n", x)
	// Output:
	// true
	// [1.0000 2.0000]
}

// The nearest positive semidefinite matrix: negative eigenvalues become 0.
func ExampleSpectral_Apply() {
	a := mat.NewSymDense(2, []float64{0, 2, 2, 3}) // eigenvalues −1 and 4
	var s linalg.Spectral
	s.Factorize(a, true)
	near := mat.NewSymDense(2, nil)
	s.Apply(near, func(l float64) float64 { return max(l, 0) })
	fmt.Printf("%.1f\n%.1f", s.Values(), mat.Formatted(near))
	// Output:
	// [-1.0 4.0]
	// ⎡0.8  1.6⎤
	// ⎣1.6  3.2⎦
}

// A factor on the caller's goroutine alone, whatever runs beside it.
func ExampleThreadLimit() {
	x := []float64{1, 2, 3, 4}
	k := mat.NewSymDense(2, nil)
	linalg.ThreadLimit(1).Syrk(false, 2, 2, 1, x, 2, 0, k.RawSymmetric().Data, 2)
	c := linalg.Cholesky{Threads: 1}
	fmt.Println(c.Factorize(k, 1), k.At(0, 1))
	// Output: true 11
}
