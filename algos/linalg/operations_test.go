package linalg_test

import (
	"math/rand/v2"

	"github.com/mklnb/mkl/algos/linalg"

	"gonum.org/v1/gonum/mat"
)

// operations are made at a size, with their storage, and then run.
var operations = map[string]func(n int) func(){
	"Gemm": func(n int) func() {
		x, y, z := square(n, 1), square(n, 2), make([]float64, n*n)
		return func() { linalg.Bound(0).Gemm(false, true, n, n, n, 1, x, n, y, n, 0, z, n) }
	},
	"Syrk": func(n int) func() {
		x, z := square(n, 1), make([]float64, n*n)
		return func() { linalg.Bound(0).Syrk(false, n, n, 1, x, n, 0, z, n) }
	},
	"SymGemm": func(n int) func() {
		x, y, z := square(n, 1), square(n, 1), make([]float64, n*n)
		return func() { linalg.Bound(0).SymGemm(n, n, x, n, y, n, z, n) }
	},
	"MulVec": func(n int) func() {
		x, y, z := mat.NewDense(n, n, square(n, 1)), square(n, 2)[:n], make([]float64, n)
		return func() { linalg.MulVec(z, false, x, y) }
	},
	"SymMulVec": func(n int) func() {
		x, y, z := positive(n), square(n, 2)[:n], make([]float64, n)
		return func() { linalg.SymMulVec(z, x, y) }
	},
	"PackedMulVec": func(n int) func() {
		x, y, z := square(n, 1)[:n*(n+1)/2], square(n, 2)[:n], make([]float64, n)
		return func() { linalg.PackedMulVec(z, x, y) }
	},
	"Cholesky": func(n int) func() {
		x, y, z := positive(n), mat.NewDense(n, n, square(n, 2)), mat.NewDense(n, n, nil)
		var c linalg.Cholesky
		return func() {
			c.Factorize(x, 1)
			c.SolveVec(z.RawRowView(0), y.RawRowView(0))
			c.Solve(z, y)
		}
	},
	"Spectral": func(n int) func() {
		x, z := positive(n), mat.NewSymDense(n, nil)
		var s linalg.Spectral
		return func() {
			s.Factorize(x, true)
			s.Apply(z, func(l float64) float64 { return 1 / (1 + l) })
		}
	},
	"SpectralPart": func(n int) func() {
		x := positive(n)
		var s linalg.Spectral
		return func() { s.Part(x, -min(n, 10), true) }
	},
}

func square(n int, seed uint64) []float64 { return random(rand.New(rand.NewPCG(seed, seed)), n*n) }

// positive is XXᵀ/n + I.
func positive(n int) *mat.SymDense {
	x := mat.NewDense(n, n, square(n, 1))
	a := mat.NewSymDense(n, nil)
	a.SymOuterK(1/float64(n), x)
	for i := range n {
		a.SetSym(i, i, a.At(i, i)+1)
	}
	return a
}
