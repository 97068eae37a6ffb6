package linalg_test

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/mklnb/mkl/algos/linalg"

	"gonum.org/v1/gonum/mat"
)

// task is an operation at a size, made before the timer starts; ops is its number of operations.
type task struct {
	name string
	make func(n int) (f func(), ops float64)
}

var tasks = []task{
	{"Gemm", func(n int) (func(), float64) {
		x, y, z := square(n, 1), square(n, 2), make([]float64, n*n)
		return func() { linalg.Gemm(false, true, n, n, n, 1, x, n, y, n, 0, z, n) }, 2 * float64(n*n*n)
	}},
	{"GemmTN", func(n int) (func(), float64) {
		x, y, z := square(n, 1), square(n, 2), make([]float64, n*n)
		return func() { linalg.Gemm(true, false, n, n, n, 1, x, n, y, n, 0, z, n) }, 2 * float64(n*n*n)
	}},
	{"Syrk", func(n int) (func(), float64) {
		x, z := square(n, 1), make([]float64, n*n)
		return func() { linalg.Syrk(false, n, n, 1, x, n, 0, z, n) }, float64(n * n * n)
	}},
	{"SyrkTN", func(n int) (func(), float64) {
		x, z := square(n, 1), make([]float64, n*n)
		return func() { linalg.Syrk(true, n, n, 1, x, n, 0, z, n) }, float64(n * n * n)
	}},
	{"SymGemm", func(n int) (func(), float64) {
		x, y, z := square(n, 1), square(n, 1), make([]float64, n*n)
		return func() { linalg.SymGemm(n, n, x, n, y, n, z, n) }, float64(n * n * n)
	}},
	{"SymMul", func(n int) (func(), float64) {
		x, y, z := positive(n), mat.NewDense(n, n, square(n, 2)), mat.NewDense(n, n, nil)
		return func() { linalg.SymMul(z, x, y) }, 2 * float64(n*n*n)
	}},
	{"MulVec", func(n int) (func(), float64) {
		x, y, z := mat.NewDense(n, n, square(n, 1)), square(n, 2)[:n], make([]float64, n)
		return func() { linalg.MulVec(z, false, x, y) }, 2 * float64(n*n)
	}},
	{"MulVecT", func(n int) (func(), float64) {
		x, y, z := mat.NewDense(n, n, square(n, 1)), square(n, 2)[:n], make([]float64, n)
		return func() { linalg.MulVec(z, true, x, y) }, 2 * float64(n*n)
	}},
	{"SymMulVec", func(n int) (func(), float64) {
		x, y, z := positive(n), square(n, 2)[:n], make([]float64, n)
		return func() { linalg.SymMulVec(z, x, y) }, 2 * float64(n*n)
	}},
	{"PackedMulVec", func(n int) (func(), float64) {
		x, y, z := square(n, 1)[:n*(n+1)/2], square(n, 2)[:n], make([]float64, n)
		return func() { linalg.PackedMulVec(z, x, y) }, 2 * float64(n*n)
	}},
	{"Cholesky", func(n int) (func(), float64) {
		x := positive(n)
		var c linalg.Cholesky
		return func() { c.Factorize(x, 1) }, float64(n*n*n) / 3
	}},
	{"SolveVec", func(n int) (func(), float64) {
		y, z := square(n, 2)[:n], make([]float64, n)
		var c linalg.Cholesky
		c.Factorize(positive(n), 1)
		return func() { c.SolveVec(z, y) }, 2 * float64(n*n)
	}},
	{"Solve", func(n int) (func(), float64) {
		y, z := mat.NewDense(n, n, square(n, 2)), mat.NewDense(n, n, nil)
		var c linalg.Cholesky
		c.Factorize(positive(n), 1)
		return func() { c.Solve(z, y) }, 2 * float64(n*n*n)
	}},
	{"InverseDiag", func(n int) (func(), float64) {
		z := make([]float64, n)
		var c linalg.Cholesky
		c.Factorize(positive(n), 1)
		return func() { c.InverseDiag(z) }, float64(n*n*n) / 3
	}},
	{"Eigen", func(n int) (func(), float64) {
		x := positive(n)
		var s linalg.Spectral
		return func() { s.Factorize(x, true) }, 9 * float64(n*n*n)
	}},
	{"EigenValues", func(n int) (func(), float64) {
		x := positive(n)
		var s linalg.Spectral
		return func() { s.Factorize(x, false) }, 4 * float64(n*n*n) / 3
	}},
	{"EigenTop10", func(n int) (func(), float64) {
		x := positive(n)
		var s linalg.Spectral
		return func() { s.Part(x, -min(n, 10), true) }, 4 * float64(n*n*n) / 3
	}},
	{"Apply", func(n int) (func(), float64) {
		z := mat.NewSymDense(n, nil)
		var s linalg.Spectral
		s.Factorize(positive(n), true)
		return func() { s.Apply(z, func(l float64) float64 { return 1 / (1 + l) }) }, float64(n * n * n)
	}},
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

// Benchmark times every operation at every size, in pure Go and with the library, on one thread and
// on two. go test -bench 'Benchmark/Eigen/n=500' -benchmem
func Benchmark(b *testing.B) {
	for _, t := range tasks {
		b.Run(t.name, func(b *testing.B) {
			for _, n := range []int{16, 32, 64, 208, 500, 1000} {
				b.Run("n="+strconv.Itoa(n), func(b *testing.B) {
					if testing.Short() && n > 500 {
						b.Skip("n > 500 under -short")
					}
					f, ops := t.make(n)
					for _, threads := range []int{1, 2} {
						time := func(b *testing.B) {
							defer linalg.SetThreads(linalg.SetThreads(threads))
							f()
							b.ReportAllocs()
							for b.Loop() {
								f()
							}
							b.ReportMetric(ops*float64(b.N)/b.Elapsed().Seconds()/1e9, "Gflop/s")
						}
						b.Run("go/threads="+strconv.Itoa(threads), func(b *testing.B) { linalg.PureGo(func() { time(b) }) })
						if linalg.Backend().Name != "go" {
							b.Run("library/threads="+strconv.Itoa(threads), time)
						}
					}
				})
			}
		})
	}
}
