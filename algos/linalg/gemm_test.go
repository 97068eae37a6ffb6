package linalg_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/mklnb/mkl/algos/linalg"

	"gonum.org/v1/gonum/mat"
)

func random(r *rand.Rand, n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = r.NormFloat64()
	}
	return v
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

func TestGemm(t *testing.T) {
	t.Run("engine of this machine", testGemm)
	t.Run("engine for WebAssembly", func(t *testing.T) { linalg.Tiled(func() { testGemm(t) }) })
}

// testGemm compares Gemm with three loops, over sizes on both sides of the tiles, with strides, transposed or
// not, overwriting and adding; what lies between the rows of C stays.
func testGemm(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, c := range [][3]int{{1, 1, 1}, {3, 5, 2}, {64, 128, 256}, {65, 129, 257}, {130, 7, 300}, {5, 260, 0},
		{0, 3, 2}, {3, 0, 2}} {
		m, n, k := c[0], c[1], c[2]
		for bits := range 8 {
			ta, tb := bits&1 == 1, bits&2 == 2
			alpha, beta := -0.7, float64(bits>>2)*1.5
			lda, ldb, ldc := k+2, n+1, n+3
			rows, rowsB := m, k
			if ta {
				lda, rows = m+2, k
			}
			if tb {
				ldb, rowsB = k+1, n
			}
			a, b, got := random(r, rows*lda), random(r, rowsB*ldb), random(r, m*ldc)
			want := append([]float64{}, got...)
			for i := range m {
				for j := range n {
					s := 0.0
					for l := range k {
						x, y := 0.0, 0.0
						if ta {
							x = a[l*lda+i]
						} else {
							x = a[i*lda+l]
						}
						if tb {
							y = b[j*ldb+l]
						} else {
							y = b[l*ldb+j]
						}
						s += x * y
					}
					want[i*ldc+j] = alpha*s + beta*want[i*ldc+j]
				}
			}
			if beta == 0 && m*n > 0 {
				got[0] = math.NaN() // what was in C does not matter
			}
			linalg.ThreadLimit(0).Gemm(ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, got, ldc)
			for i := range got {
				if d := math.Abs(got[i] - want[i]); !(d <= 1e-11) {
					t.Fatalf("%v %v %v β=%g: entry %d is %g, want %g", c, ta, tb, beta, i, got[i], want[i])
				}
			}
		}
	}
}

func TestSymGemm(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range [][2]int{{1, 1}, {5, 3}, {64, 9}, {65, 300}, {200, 2}} {
		n, k := c[0], c[1]
		a := random(r, n*k)
		b := append([]float64{}, a...)
		for i := range b {
			b[i] *= float64(i%k) - 1 // B = A diag: ABᵀ is symmetric
		}
		got := random(r, n*n)
		linalg.ThreadLimit(0).SymGemm(n, k, a, k, b, k, got, n)
		for i := range n {
			for j := i; j < n; j++ {
				want := 0.0
				for l := range k {
					want += a[i*k+l] * b[j*k+l]
				}
				if d := math.Abs(got[i*n+j] - want); !(d <= 1e-12*float64(k*k+10)) {
					t.Fatalf("%v: [%d,%d] is %g, want %g", c, i, j, got[i*n+j], want)
				}
			}
		}
	}
}
