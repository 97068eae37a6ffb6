package main

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/points"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// denseTasks returns tasks for matrix products, factorizations and linear systems.
func denseTasks() (all []task) {
	for _, t := range []struct {
		name, about string
		sizes       []int
		make        func(n int) *work
	}{
		{"gemm", "C = AB, of simulated matrices; error: of Cx against A(Bx)", []int{500, 1000, 2000}, gemm},
		{"cholesky", "the factor of AAᵀ/n + I; residual: of the solution of a system by it", []int{500, 1000, 2000},
			cholesky},
		{"eigh", "all eigenvalues and vectors of AAᵀ/n + I; residual: ‖Aq − λq‖/λ_max, orthogonality: |QᵀQ − I|, the " +
			"largest",
			[]int{500, 1000}, eigh},
		{"ridge", "kernel ridge, (K + I)α = y, K given: RBF of 20 simulated features; residual: ‖y − (K + I)α‖/‖y‖",
			[]int{1000, 4000}, ridge},
	} {
		for _, n := range t.sizes {
			all = append(all, task{name: fmt.Sprintf("%s n=%d", t.name, n), about: t.about,
				make: func(*bench) *work { return t.make(n) }})
		}
	}
	return all
}

// bothNumpys returns two peers that run the same program: numpy from Debian and numpy from pip.
func bothNumpys(program, label string) []peer {
	return []peer{{env: "debian", program: program, label: label + ", Debian"},
		{env: "numpy", program: program, label: label}}
}

// positive returns both triangles of AAᵀ/n + I for a simulated A.
func positive(n int, seed uint64) []float64 {
	a, c := normal(n*n, seed), make([]float64, n*n)
	linalg.Syrk(false, n, n, 1/float64(n), a, n, 0, c, n)
	for i := range n {
		c[i*n+i]++
	}
	mirror(n, c)
	return c
}

func gemm(n int) *work {
	x, y, z := normal(n*n, 1), normal(n*n, 2), make([]float64, n*n)
	probe := normal(n, 3)
	want := times(n, x, times(n, y, probe))
	return &work{
		ours: []entry{ours("Go", func() error {
			linalg.Gemm(false, false, n, n, n, 1, x, n, y, n, 0, z, n)
			return nil
		}, func() []float64 { return z })},
		input: map[string]array{"A": matrix(n, n, x), "B": matrix(n, n, y)},
		peers: bothNumpys("gemm", "numpy matmul"),
		judge: func(r, _ []float64) Quality { return Quality{"error": relative(times(n, r, probe), want)} },
	}
}

var errNotPositive = errors.New("bench: the matrix is not positive definite to working precision")

func cholesky(n int) *work {
	a, rhs := positive(n, 4), normal(n, 5)
	return &work{
		ours:  []entry{factored(mat.NewSymDense(n, a), 0, rhs, false)},
		input: map[string]array{"A": matrix(n, n, a), "b": vector(rhs)},
		peers: bothNumpys("cholesky", "numpy cholesky"),
		judge: func(r, _ []float64) Quality { return Quality{"residual": relative(times(n, a, r), rhs)} },
	}
}

// factored returns a side that factors A + shift·I and solves a system with it. The timing includes the solution if
// solves is set.
func factored(a *mat.SymDense, shift float64, rhs []float64, solves bool) entry {
	var c linalg.Cholesky
	x := make([]float64, len(rhs))
	return ours("Go", func() error {
		if !c.Factorize(a, shift) {
			return errNotPositive
		}
		if solves {
			c.SolveVec(x, rhs)
		}
		return nil
	}, func() []float64 {
		if !solves {
			c.SolveVec(x, rhs)
		}
		return x
	})
}

func eigh(n int) *work {
	a := positive(n, 6)
	var s linalg.Spectral
	sym := mat.NewSymDense(n, a)
	return &work{
		ours: []entry{ours("Go", func() error {
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
		})},
		input: map[string]array{"A": matrix(n, n, a)},
		peers: bothNumpys("eigh", "numpy eigh"),
		judge: func(r, _ []float64) Quality { return spectrum(n, a, r) },
	}
}

// spectrum evaluates r, which holds n eigenvalues followed by the eigenvectors as rows.
func spectrum(n int, a, r []float64) Quality {
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

func ridge(n int) *work {
	const d, lambda = 20, 1.0
	x := points.Rows{N: n, D: d, Data: normal(n*d, 11)}
	a, y := rbf(1./d, x, x), normal(n, 12)
	mirror(n, a)
	for i := range y {
		p := x.Row(i)
		y[i] = p[0]*p[1] + math.Sin(2*p[2]) + 0.3*y[i]
	}
	sym := mat.NewSymDense(n, a)
	var s loss.Solution
	return &work{
		ours: []entry{factored(sym, lambda, y, true), ours("Go, loss.Squared", func() error {
			return loss.Squared{Lambda: lambda}.Solve(context.Background(), &s, kernel.DenseMatrix(sym), y, 0)
		}, func() []float64 { return s.W })},
		input: map[string]array{"K": matrix(n, n, a), "y": vector(y)},
		args:  map[string]any{"lam": lambda},
		peers: append(bothNumpys("ridge_scipy", "scipy cho_factor, cho_solve"),
			peer{env: "numpy", program: "ridge_sklearn", label: "scikit-learn KernelRidge"}),
		judge: func(r, _ []float64) Quality {
			f := times(n, a, r)
			floats.AddScaled(f, lambda, r)
			return Quality{"residual": relative(f, y)}
		},
	}
}
