package linalg_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/linalg/linalgtest"
	"github.com/mklnb/mkl/algos/testenv"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

func TestBackend(t *testing.T) { linalgtest.CheckBackend(t) }

// TestID tests that equal IDs mean equal bits: pure Go on the architecture of this processor.
func TestID(t *testing.T) {
	library := linalg.Info{Name: "openblas", Version: "0.3.21", CPUType: "Haswell", File: "libopenblas.so.0"}
	for want, info := range map[string]linalg.Info{"go " + runtime.GOARCH: {Name: "go", PureGoReason: "MKL_BLAS=go"},
		"openblas 0.3.21 Haswell": library} {
		if got := info.ID(); got != want {
			t.Errorf("the ID of %v is %q, want %q", info, got, want)
		}
	}
}

// outcome is what an operation computes at size n: numbers that two backends agree on, so neither
// what lies below a diagonal nor the signs of eigenvectors.
type outcome func(t linalg.ThreadLimit, n int) []float64

// upper is the upper triangle of an n×n matrix at a stride, and what lies between its rows.
func upper(n, ld int, c []float64) (v []float64) {
	for i := range n {
		v = append(v, c[i*ld+i:min(len(c), (i+1)*ld)]...)
	}
	return v
}

// strided is a view of size n in a matrix with a margin.
func strided(n int, seed uint64) *mat.Dense {
	return mat.NewDense(n+2, n+5, random(rand.New(rand.NewPCG(seed, 7)), (n+2)*(n+5))).Slice(1, n+1, 2,
		n+2).(*mat.Dense)
}

// stridedSym is a positive definite matrix, and what is below its diagonal is not a number.
func stridedSym(n int) *mat.SymDense {
	big := make([]float64, (n+3)*(n+3))
	for i := range big {
		big[i] = math.NaN()
	}
	a := positive(n)
	for i := range n {
		for j := i; j < n; j++ {
			big[i*(n+3)+j] = a.At(i, j)
		}
	}
	return mat.NewSymDense(n+3, big).SliceSym(0, n).(*mat.SymDense)
}

var outcomes = map[string]outcome{
	"Gemm": func(t linalg.ThreadLimit, n int) []float64 { // a product of three different sizes
		r := rand.New(rand.NewPCG(1, 1))
		m, k := max(1, n-3), n+1
		c := random(r, m*(n+2))
		t.Gemm(false, true, m, n, k, -0.5, random(r, m*(k+1)), k+1, random(r, n*k), k, 2, c, n+2)
		return c
	},
	"Gemm of columns": func(t linalg.ThreadLimit, n int) []float64 {
		r := rand.New(rand.NewPCG(1, 2))
		c := random(r, n*n)
		t.Gemm(true, false, n, n, 3, 1, random(r, 3*n), n, random(r, 3*(n+4)), n+4, 0, c, n)
		return c
	},
	"SymGemm": func(t linalg.ThreadLimit, n int) []float64 {
		r := rand.New(rand.NewPCG(1, 3))
		a := random(r, n*(n+1))
		b := append([]float64{}, a...)
		for i := range b {
			b[i] *= float64(i%(n+1)) - 1
		}
		c := random(r, n*(n+2))
		t.SymGemm(n, n+1, a, n+1, b, n+1, c, n+2)
		return upper(n, n+2, c)
	},
	"Syrk": func(t linalg.ThreadLimit, n int) []float64 {
		r := rand.New(rand.NewPCG(1, 4))
		c := random(r, n*(n+2))
		t.Syrk(false, n, n+1, -1, random(r, n*(n+3)), n+3, 0.5, c, n+2)
		return upper(n, n+2, c)
	},
	"Syrk of columns": func(t linalg.ThreadLimit, n int) []float64 {
		r := rand.New(rand.NewPCG(1, 5))
		c := random(r, n*(n+2))
		t.Syrk(true, n, n+1, 1, random(r, (n+1)*(n+3)), n+3, 0, c, n+2)
		return upper(n, n+2, c)
	},
	"SymMulVec": func(t linalg.ThreadLimit, n int) []float64 {
		c := make([]float64, n)
		linalg.SymMulVec(c, stridedSym(n), square(n, 2)[:n])
		return c
	},
	"MulVec": func(t linalg.ThreadLimit, n int) []float64 {
		a := strided(n, 1).Slice(0, max(1, n-2), 0, n).(*mat.Dense)
		c, d := make([]float64, max(1, n-2)), make([]float64, n)
		linalg.MulVec(c, false, a, square(n, 2)[:n])
		linalg.MulVec(d, true, a, c)
		return append(c, d...)
	},
	"Cholesky": func(t linalg.ThreadLimit, n int) []float64 {
		c := linalg.Cholesky{Threads: int(t)}
		if !c.Factorize(stridedSym(n), 0.25) {
			return []float64{math.NaN()}
		}
		x := make([]float64, n)
		c.SolveVec(x, square(n, 2)[:n])
		return x
	},
	"Spectral": func(t linalg.ThreadLimit, n int) []float64 {
		s := linalg.Spectral{Threads: int(t)}
		if !s.Factorize(stridedSym(n), true) {
			return []float64{math.NaN()}
		}
		f := mat.NewSymDense(n, nil)
		s.Apply(f, math.Log)
		v := append(upper(n, n, f.RawSymmetric().Data), s.Values()...)
		s.Factorize(stridedSym(n), false)
		return append(v, s.Values()...)
	},
	"smallest eigenvalue": func(t linalg.ThreadLimit, n int) []float64 {
		s, f := linalg.Spectral{Threads: int(t)}, mat.NewSymDense(n, nil)
		if !s.FactorizeSmallest(stridedSym(n)) {
			return []float64{math.NaN()}
		}
		s.Apply(f, func(l float64) float64 { return -l })
		return append(upper(n, n, f.RawSymmetric().Data), s.Values()...)
	},
}

// sizes are around every size at which something else computes, and every edge of a tile.
func sizes() []int {
	all := []int{1, 2, 7, 31, 32, 33, 47, 48, 49, 63, 64, 65, 127, 128, 129, 255, 256, 257}
	switch {
	case testenv.Race:
		all = all[:15]
	case !testing.Short():
		all = append(all, 641)
	}
	return all
}

func compare(t *testing.T, what string, got, want []float64, tol float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d numbers, want %d", what, len(got), len(want))
	}
	top := 1.0
	for _, v := range want {
		top = max(top, math.Abs(v))
	}
	for i := range want {
		if d := math.Abs(got[i] - want[i]); !(d <= tol*top) {
			t.Fatalf("%s: number %d is %g, want %g, to %g", what, i, got[i], want[i], tol*top)
		}
	}
}

// TestBackendsAgree tests that results with the library and without agree to 10⁻¹⁰ of the largest number.
func TestBackendsAgree(t *testing.T) {
	linalgtest.RequireLibrary(t)
	for name, f := range outcomes {
		t.Run(name, func(t *testing.T) {
			for _, n := range sizes() {
				if n > 300 && (name == "Spectral" || name == "smallest eigenvalue") {
					continue // gonum takes seconds
				}
				var want []float64
				linalg.PureGo(func() { want = f(0, n) })
				compare(t, fmt.Sprintf("n=%d", n), f(0, n), want, 1e-10)
			}
		})
	}
}

// TestTiles tests that the engine for WebAssembly and gonum agree to 10⁻¹¹ of the largest number.
func TestTiles(t *testing.T) {
	for name, f := range outcomes {
		for _, n := range sizes() {
			if n > 300 || n > 130 && (name == "Spectral" || name == "smallest eigenvalue") {
				continue
			}
			var got, want []float64
			linalg.PureGo(func() { want = f(1, n) })
			linalg.Tiled(func() { got = f(1, n) })
			compare(t, fmt.Sprintf("%s, n=%d", name, n), got, want, 1e-11)
		}
	}
}

// TestThreads tests that the number of threads changes no bit in pure Go, and with the library none but the last;
// the same number gives the same bits, as the program's and as a bound in a program of more threads.
func TestThreads(t *testing.T) {
	testenv.SkipUnlessLong(t)
	for name, f := range outcomes {
		t.Run(name, func(t *testing.T) {
			check := func(backend string, n int) {
				t.Helper()
				defer linalg.SetThreads(linalg.SetThreads(2))
				want := f(0, n)
				for _, threads := range []int{1, 2, 3, 8} {
					linalg.SetThreads(threads)
					got := f(0, n)
					linalg.SetThreads(8)
					if !slices.Equal(f(linalg.ThreadLimit(threads), n), got) {
						t.Errorf("%s: n=%d: other bits with a bound of %d than with %[3]d threads", backend, n, threads)
					}
					if backend == "library" {
						if scale := floats.Norm(want, math.Inf(1)); !floats.EqualApprox(got, want, 1e-10*scale) {
							t.Errorf("library: n=%d: other numbers with %d threads than with 2", n, threads)
						}
					} else if !slices.Equal(got, want) {
						t.Errorf("%s: n=%d: other numbers with %d threads than with 2", backend, n, threads)
					}
				}
			}
			if linalg.Backend().Name != "go" && name != "smallest eigenvalue" {
				check("library", 700)
			}
			linalg.PureGo(func() { check("pure Go", 200) })
		})
	}
}

// TestConcurrent tests that many operations at once, each with a bound of its own, give the results that each gives
// alone, bit for bit; run with -race. The sizes are below those where the bound decides on last bits.
func TestConcurrent(t *testing.T) {
	type job struct {
		name string
		n    int
		want []float64
	}
	var jobs []job
	for name, f := range outcomes {
		for _, n := range []int{40, 130, 250} {
			jobs = append(jobs, job{name, n, f(1, n)})
		}
	}
	defer linalg.SetThreads(linalg.SetThreads(3))
	var wait sync.WaitGroup
	for g := range 4 {
		wait.Go(func() {
			r := rand.New(rand.NewPCG(uint64(g), 1))
			for _, i := range r.Perm(len(jobs)) {
				j, bound := jobs[i], linalg.ThreadLimit(r.IntN(4))
				if !slices.Equal(outcomes[j.name](bound, j.n), j.want) {
					t.Errorf("%s, n=%d, bound %d: other numbers than alone", j.name, j.n, bound)
				}
			}
		})
	}
	wait.Wait()
	if linalg.Lent() != 0 {
		t.Errorf("%d goroutines lent after all ended", linalg.Lent())
	}
}

// TestNotANumber tests that a NaN reaches every entry that depends on it and no other, and no factor or
// spectrum is computed with one.
func TestNotANumber(t *testing.T) {
	for _, n := range []int{5, 40, 270} {
		for at := 0; at < n; at += max(1, n/3) {
			a, b, c := square(n, 1), square(n, 2), make([]float64, n*n)
			a[at*n+n/2] = math.NaN()
			linalg.ThreadLimit(0).Gemm(false, true, n, n, n, 1, a, n, b, n, 0, c, n)
			for i, v := range c {
				if math.IsNaN(v) != (i/n == at) {
					t.Fatalf("n=%d: NaN in row %d of A, entry (%d, %d) of AB is %g", n, at, i/n, i%n, v)
				}
			}
			linalg.ThreadLimit(0).Syrk(false, n, n, 1, a, n, 0, c, n)
			for i := range n {
				for j := i; j < n; j++ {
					if math.IsNaN(c[i*n+j]) != (i == at || j == at) {
						t.Fatalf("n=%d: NaN in row %d of A, entry (%d, %d) of AAᵀ is %g", n, at, i, j, c[i*n+j])
					}
				}
			}
			for _, bad := range []float64{math.NaN(), math.Inf(1)} {
				s := positive(n)
				s.SetSym(at, n-1, bad)
				var c linalg.Cholesky
				if c.Factorize(s, 1) {
					t.Errorf("n=%d: a factor of a matrix with %g at (%d, %d)", n, bad, at, n-1)
				}
				var e linalg.Spectral
				if e.Factorize(s, true) || e.FactorizeSmallest(s) {
					t.Errorf("n=%d: a spectrum of a matrix with %g at (%d, %d)", n, bad, at, n-1)
				}
			}
		}
	}
}

// TestNothing tests matrices without rows or columns.
func TestNothing(t *testing.T) {
	var none mat.SymDense
	var empty mat.Dense
	var c linalg.Cholesky
	if !c.Factorize(&none, 1) {
		t.Error("no factor of a matrix without rows")
	}
	c.SolveVec(nil, nil)
	linalg.SymMulVec(nil, &none, nil)
	linalg.MulVec(nil, false, &empty, nil)
	linalg.ThreadLimit(0).Gemm(false, false, 0, 0, 0, 1, nil, 0, nil, 0, 0, nil, 0)
	linalg.ThreadLimit(0).SymGemm(0, 0, nil, 0, nil, 0, nil, 0)
	values, vectors := linalg.ThreadLimit(0).Eigen(&none, true)
	if r, k := vectors.Dims(); len(values) != 0 || r != 0 || k != 0 {
		t.Errorf("%d eigenvalues, %d×%d eigenvectors of a matrix without rows", len(values), r, k)
	}
	var s linalg.Spectral
	if !s.FactorizeSmallest(&none) || len(s.Values()) != 0 {
		t.Error("a matrix without rows has an eigenvalue")
	}
	if !linalg.ThreadLimit(0).IsPSD(&none, 0) {
		t.Error("a matrix without rows is not PSD")
	}
	x := []float64{3, 4}
	linalg.ThreadLimit(0).Syrk(false, 2, 0, 1, nil, 0, 0.5, []float64{2, 2, 7, 2}, 2)
	linalg.ThreadLimit(0).Gemm(false, false, 1, 2, 0, 1, nil, 0, nil, 2, 2, x, 2)
	if !slices.Equal(x, []float64{6, 8}) {
		t.Errorf("2C is %v, want [6 8]", x)
	}
}

// TestBadSizes tests that linalg checks sizes, which a library does not.
func TestBadSizes(t *testing.T) {
	n := 40
	a := square(n, 1)
	d, s := mat.NewDense(n, n, a), positive(n)
	var c linalg.Cholesky
	c.Factorize(s, 1)
	for name, f := range map[string]func(){
		"short A":   func() { linalg.ThreadLimit(0).Gemm(false, false, n, n, n, 1, a[1:], n, a, n, 0, a, n) },
		"short B":   func() { linalg.ThreadLimit(0).Gemm(false, true, n, n, n, 1, a, n, a[1:], n, 0, a, n) },
		"short C":   func() { linalg.ThreadLimit(0).Gemm(false, true, n, n, n, 1, a, n, a, n, 0, a[1:], n) },
		"stride":    func() { linalg.ThreadLimit(0).Gemm(false, true, n, n, n, 1, a, n-1, a, n, 0, a, n) },
		"Syrk":      func() { linalg.ThreadLimit(0).Syrk(true, n, n+1, 1, a, n, 0, a, n) },
		"SymGemm":   func() { linalg.ThreadLimit(0).SymGemm(n, n, a, n, a[1:], n, a, n) },
		"SymMulVec": func() { linalg.SymMulVec(a[:n-1], s, a[:n]) },
		"MulVec":    func() { linalg.MulVec(a[:n], false, d, a[:n-1]) },
		"SolveVec":  func() { c.SolveVec(a[:n-1], a[:n]) },
		"Apply":     func() { new(linalg.Spectral).Apply(s, math.Abs) },
	} {
		if testenv.Panic(f) == nil {
			t.Errorf("%s: no panic", name)
		}
	}
}

// TestCholeskyDone tests that a factorization that may be ended is the same to rounding, and one that is ended
// says that there is no factor.
func TestCholeskyDone(t *testing.T) {
	const n = 700
	r := rand.New(rand.NewPCG(7, 8))
	a := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			a.SetSym(i, j, r.NormFloat64())
		}
		a.SetSym(i, i, 3*n)
	}
	b, x, y := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range b {
		b[i] = r.NormFloat64()
	}
	done := make(chan struct{})
	plain, asked := linalg.Cholesky{Threads: 1}, linalg.Cholesky{Threads: 1, Done: done}
	if !plain.Factorize(a, 0) || !asked.Factorize(a, 0) {
		t.Fatal("not factorized")
	}
	plain.SolveVec(x, b)
	asked.SolveVec(y, b)
	for i := range x {
		if math.Abs(x[i]-y[i]) > 1e-14 {
			t.Fatalf("x[%d] = %g, with Done %g", i, x[i], y[i])
		}
	}
	close(done)
	big := mat.NewSymDense(1600, nil)
	for i := range 1600 {
		big.SetSym(i, i, 1)
	}
	if asked.Factorize(big, 0) {
		t.Error("factorized though it is done")
	}
}
