package linalg_test

import (
	"math"
	"slices"
	"testing"

	"github.com/mklnb/mkl/algos/linalg"

	"gonum.org/v1/gonum/mat"
)

// TestInPlace: what overwrites its matrix says the same as what copies it.
func TestInPlace(t *testing.T) {
	for _, n := range []int{1, 5, 70, 200} {
		a := mat.NewSymDense(n, nil)
		for i := range n {
			for j := i; j < n; j++ {
				a.SetSym(i, j, math.Cos(float64(i*j+i+j)))
			}
		}
		var own, other linalg.Spectral
		own.Matrix(n).CopySym(a) // as large as the next
		m := own.Matrix(n)
		m.CopySym(a)
		if !own.Part(m, 1, true) || !other.Part(a, 1, true) || !slices.Equal(own.Values(), other.Values()) ||
			!slices.Equal(own.Vector(0), other.Vector(0)) {
			t.Fatalf("n = %d: Part in place finds %v, of a copy %v", n, own.Values(), other.Values())
		}
		least := own.Values()[0]
		for _, shift := range []float64{-least + 1e-6, -least - 1e-6} {
			var c linalg.Cholesky
			m := mat.NewSymDense(n, nil)
			m.CopySym(a)
			if got, want := linalg.Definite(m, shift), shift > -least; got != want || c.Factorize(a, shift) != want {
				t.Errorf("n = %d: a matrix of least eigenvalue %g is definite: %v", n, least+shift, got)
			}
		}
		m = mat.NewSymDense(n, nil)
		m.SetSym(0, n-1, math.NaN())
		if linalg.Definite(m, 1) {
			t.Errorf("n = %d: NaN is definite", n)
		}
	}
}
