package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/mklnb/mkl/algos/linalg"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// normal are n standard normal numbers of a seed.
func normal(n int, seed uint64) []float64 {
	r, x := rand.New(rand.NewPCG(seed, 1)), make([]float64, n)
	for i := range x {
		x[i] = r.NormFloat64()
	}
	return x
}

// mirror copies the upper triangle of a, n×n, to the lower.
func mirror(n int, a []float64) {
	for i := range n {
		for j := range i {
			a[i*n+j] = a[j*n+i]
		}
	}
}

// positive is AAᵀ/n + I of simulated A, whole.
func positive(n int, seed uint64) []float64 {
	a, c := normal(n*n, seed), make([]float64, n*n)
	linalg.Syrk(false, n, n, 1/float64(n), a, n, 0, c, n)
	for i := range n {
		c[i*n+i]++
	}
	mirror(n, c)
	return c
}

// relative is ‖x − y‖/‖y‖.
func relative(x, y []float64) float64 {
	if len(x) != len(y) {
		return math.NaN()
	}
	return floats.Distance(x, y, 2) / floats.Norm(y, 2)
}

// times is Ax for A n×n.
func times(n int, a, x []float64) []float64 {
	y := make([]float64, n)
	linalg.MulVec(y, false, mat.NewDense(n, n, a), x)
	return y
}

// bothNumpys run the same program, Debian's and pip's.
func bothNumpys(program, label string) []peer {
	return []peer{{env: "debian", program: program, label: label + ", Debian"}, {env: "numpy", program: program, label: label}}
}

// denseTasks are products and factorisations.
func denseTasks() (all []task) {
	for _, n := range []int{500, 1000, 2000} {
		all = append(all, task{name: fmt.Sprintf("gemm n=%d", n), about: "C = AB, of simulated matrices; error: of Cx against A(Bx)",
			make: func(_ context.Context, b *bench) (*work, error) { return gemm(b, n) }})
	}
	for _, n := range []int{500, 1000, 2000} {
		all = append(all, task{name: fmt.Sprintf("cholesky n=%d", n), about: "the factor of AAᵀ/n + I; residual: of the solution of a system by it",
			make: func(_ context.Context, b *bench) (*work, error) { return cholesky(b, n) }})
	}
	for _, n := range []int{500, 1000} {
		all = append(all, task{name: fmt.Sprintf("eigh n=%d", n), about: "all eigenvalues and vectors of AAᵀ/n + I; residual: ‖Aq − λq‖/λ_max, orthogonality: |QᵀQ − I|, the largest",
			make: func(_ context.Context, b *bench) (*work, error) { return eigh(b, n) }})
	}
	return all
}

func gemm(b *bench, n int) (*work, error) {
	x, y, z := normal(n*n, 1), normal(n*n, 2), make([]float64, n*n)
	files, err := b.save("gemm", map[string]array{"A": matrix(n, n, x), "B": matrix(n, n, y)})
	if err != nil {
		return nil, err
	}
	probe := normal(n, 3)
	want := times(n, x, times(n, y, probe))
	return &work{
		sides: append([]entry{ours("Go", func() error {
			linalg.Gemm(false, false, n, n, n, 1, x, n, y, n, 0, z, n)
			return nil
		}, func() []float64 { return z })}, b.against(files, nil, bothNumpys("gemm", "numpy matmul")...)...),
		judge: func(r, _ []float64) Quality { return Quality{"error": relative(times(n, r, probe), want)} },
	}, nil
}

var errNotPositive = errors.New("bench: the matrix is not positive definite to working precision")

func cholesky(b *bench, n int) (*work, error) {
	a, rhs := positive(n, 4), normal(n, 5)
	files, err := b.save("cholesky", map[string]array{"A": matrix(n, n, a), "b": vector(rhs)})
	if err != nil {
		return nil, err
	}
	var c linalg.Cholesky
	sym := mat.NewSymDense(n, a)
	return &work{
		sides: append([]entry{ours("Go", func() error {
			if !c.Factorize(sym, 0) {
				return errNotPositive
			}
			return nil
		}, func() []float64 {
			x := make([]float64, n)
			c.SolveVec(x, rhs)
			return x
		})}, b.against(files, nil, bothNumpys("cholesky", "numpy cholesky")...)...),
		judge: func(r, _ []float64) Quality { return Quality{"residual": relative(times(n, a, r), rhs)} },
	}, nil
}

func eigh(b *bench, n int) (*work, error) {
	a := positive(n, 6)
	files, err := b.save("eigh", map[string]array{"A": matrix(n, n, a)})
	if err != nil {
		return nil, err
	}
	var s linalg.Spectral
	sym := mat.NewSymDense(n, a)
	return &work{
		sides: append([]entry{ours("Go", func() error {
			if !s.Factorize(sym, true) {
				return errors.New("bench: the eigendecomposition did not converge")
			}
			return nil
		}, func() []float64 {
			r := append([]float64{}, s.Values()...)
			for i := range n {
				r = append(r, s.Vector(i)...)
			}
			return r
		})}, b.against(files, nil, bothNumpys("eigh", "numpy eigh")...)...),
		judge: func(r, _ []float64) Quality { return spectrum(n, a, r) },
	}, nil
}

// spectrum judges n eigenvalues and behind them the vectors, one a row.
func spectrum(n int, a, r []float64) Quality {
	if len(r) != n+n*n {
		return nil
	}
	values, q := r[:n], r[n:]
	aq, qq := make([]float64, n*n), make([]float64, n*n)
	linalg.Gemm(false, false, n, n, n, 1, q, n, a, n, 0, aq, n) // row i is Aq_i: A is symmetric
	linalg.Gemm(false, true, n, n, n, 1, q, n, q, n, 0, qq, n)
	worst, skew := 0.0, 0.0
	for i := range n {
		floats.AddScaled(aq[i*n:(i+1)*n], -values[i], q[i*n:(i+1)*n])
		worst = max(worst, floats.Norm(aq[i*n:(i+1)*n], 2))
		qq[i*n+i]--
	}
	for _, v := range qq {
		skew = max(skew, math.Abs(v))
	}
	return Quality{"residual": worst / values[n-1], "orthogonality": skew}
}
