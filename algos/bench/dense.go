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
		{"gemm", "C = AB, of simulated matrices; error: of Cx against A(Bx)", []int{500, 1000, 2000}, gemmWork},
		{"cholesky", "the factor of AAᵀ/n + I; residual: of the solution of a system by it", []int{500, 1000, 2000},
			choleskyWork},
		{"eigh", "all eigenvalues and vectors of AAᵀ/n + I; residual: ‖Aq − λq‖/λ_max, orthogonality: |QᵀQ − I|, the " +
			"largest",
			[]int{500, 1000}, eighWork},
		{"ridge", "kernel ridge, (K + I)α = y, K given: RBF of 20 simulated features; residual: ‖y − (K + I)α‖/‖y‖",
			[]int{1000, 4000}, ridgeWork},
	} {
		for _, n := range t.sizes {
			all = append(all, task{name: fmt.Sprintf("%s n=%d", t.name, n), about: t.about,
				newWork: func(*bench) *work { return t.make(n) }})
		}
	}
	return all
}

// numpyPeers returns two peers that run the same program of peers.py: one with numpy from Debian, one with numpy from
// pip.
func numpyPeers(program, label string) []peer {
	return []peer{{env: "debian", program: program, label: label + ", Debian"},
		{env: "numpy", program: program, label: label}}
}

// positiveDefinite returns the n×n matrix AAᵀ/n + I for a simulated n×n matrix A.
func positiveDefinite(n int, seed uint64) []float64 {
	a, c := normalNumbers(n*n, seed), make([]float64, n*n)
	linalg.Syrk(false, n, n, 1/float64(n), a, n, 0, c, n)
	for i := range n {
		c[i*n+i]++
	}
	copyUpperToLower(n, c)
	return c
}

func gemmWork(n int) *work {
	x, y, z := normalNumbers(n*n, 1), normalNumbers(n*n, 2), make([]float64, n*n)
	probe := normalNumbers(n, 3)
	expected := multiplyVector(n, x, multiplyVector(n, y, probe))
	return &work{
		inGo: []implementation{goCall("Go", func() error {
			linalg.Gemm(false, false, n, n, n, 1, x, n, y, n, 0, z, n)
			return nil
		}, func() []float64 { return z })},
		input: map[string]array{"A": matrix(n, n, x), "B": matrix(n, n, y)},
		peers: numpyPeers("gemm", "numpy matmul"),
		evaluate: func(r, _ []float64) Quality {
			return Quality{"error": relativeError(multiplyVector(n, r, probe), expected)}
		},
	}
}

var errNotPositive = errors.New("bench: the matrix is not positive definite to working precision")

func choleskyWork(n int) *work {
	a, rhs := positiveDefinite(n, 4), normalNumbers(n, 5)
	return &work{
		inGo:  []implementation{goCholesky(mat.NewSymDense(n, a), 0, rhs, false)},
		input: map[string]array{"A": matrix(n, n, a), "b": vector(rhs)},
		peers: numpyPeers("cholesky", "numpy cholesky"),
		evaluate: func(r, _ []float64) Quality {
			return Quality{"residual": relativeError(multiplyVector(n, a, r), rhs)}
		},
	}
}

// goCholesky returns an implementation in Go that factors a + shift·I and solves a linear system with the factor. If
// timeSolve is set, the timing includes the solution of the system.
func goCholesky(a *mat.SymDense, shift float64, rhs []float64, timeSolve bool) implementation {
	var c linalg.Cholesky
	x := make([]float64, len(rhs))
	return goCall("Go", func() error {
		if !c.Factorize(a, shift) {
			return errNotPositive
		}
		if timeSolve {
			c.SolveVec(x, rhs)
		}
		return nil
	}, func() []float64 {
		if !timeSolve {
			c.SolveVec(x, rhs)
		}
		return x
	})
}

func eighWork(n int) *work {
	a := positiveDefinite(n, 6)
	var s linalg.Spectral
	sym := mat.NewSymDense(n, a)
	return &work{
		inGo: []implementation{goCall("Go", func() error {
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
		input:    map[string]array{"A": matrix(n, n, a)},
		peers:    numpyPeers("eigh", "numpy eigh"),
		evaluate: func(r, _ []float64) Quality { return spectrumQuality(n, a, r) },
	}
}

// spectrumQuality returns the residual and the orthogonality error of an eigendecomposition of the n×n matrix a:
// n eigenvalues, followed by the eigenvectors as rows.
func spectrumQuality(n int, a, decomposition []float64) Quality {
	values, q := decomposition[:n], decomposition[n:]
	aq, qq := make([]float64, n*n), make([]float64, n*n)
	linalg.Gemm(false, false, n, n, n, 1, q, n, a, n, 0, aq, n) // row i is Aq_i: A is symmetric
	linalg.Gemm(false, true, n, n, n, 1, q, n, q, n, 0, qq, n)
	residual, orthogonality := 0.0, 0.0
	for i := range n {
		floats.AddScaled(aq[i*n:(i+1)*n], -values[i], q[i*n:(i+1)*n])
		residual = max(residual, floats.Norm(aq[i*n:(i+1)*n], 2))
		qq[i*n+i]--
	}
	for _, v := range qq {
		orthogonality = max(orthogonality, math.Abs(v))
	}
	return Quality{"residual": residual / values[n-1], "orthogonality": orthogonality}
}

func ridgeWork(n int) *work {
	const d, lambda = 20, 1.0
	x := points.Rows{N: n, D: d, Data: normalNumbers(n*d, 11)}
	a, y := rbfMatrix(1./d, x, x), normalNumbers(n, 12)
	copyUpperToLower(n, a)
	for i := range y {
		p := x.Row(i)
		y[i] = p[0]*p[1] + math.Sin(2*p[2]) + 0.3*y[i]
	}
	sym := mat.NewSymDense(n, a)
	var s loss.Solution
	return &work{
		inGo: []implementation{goCholesky(sym, lambda, y, true), goCall("Go, loss.Squared", func() error {
			return loss.Squared{Lambda: lambda}.Solve(context.Background(), &s, kernel.DenseMatrix(sym), y, 0)
		}, func() []float64 { return s.W })},
		input: map[string]array{"K": matrix(n, n, a), "y": vector(y)},
		args:  map[string]any{"lam": lambda},
		peers: append(numpyPeers("ridge_scipy", "scipy cho_factor, cho_solve"),
			peer{env: "numpy", program: "ridge_sklearn", label: "scikit-learn KernelRidge"}),
		evaluate: func(r, _ []float64) Quality {
			f := multiplyVector(n, a, r)
			floats.AddScaled(f, lambda, r)
			return Quality{"residual": relativeError(f, y)}
		},
	}
}
