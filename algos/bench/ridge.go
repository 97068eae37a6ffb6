package main

import (
	"context"
	"fmt"
	"math"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/loss"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// ridgeTasks solve (K + λI)α = y for a Gram that is given.
func ridgeTasks() (all []task) {
	for _, n := range []int{1000, 4000} {
		all = append(all, task{name: fmt.Sprintf("ridge n=%d", n), about: "kernel ridge, (K + I)α = y, K given: RBF of 20 simulated features; residual: ‖y − (K + I)α‖/‖y‖",
			make: func(_ context.Context, b *bench) (*work, error) { return ridge(b, n) }})
	}
	return all
}

// given is a Gram that is there already.
type given struct{ k *mat.SymDense }

func (g given) K() *mat.SymDense { return g.k }

func ridge(b *bench, n int) (*work, error) {
	const d, lambda = 20, 1.0
	x := kernel.Rows{N: n, D: d, Data: normal(n*d, 11)}
	a, y := rbf(1./d, x, x), normal(n, 12)
	mirror(n, a)
	for i := range y {
		p := x.Row(i)
		y[i] = p[0]*p[1] + math.Sin(2*p[2]) + 0.3*y[i]
	}
	files, err := b.save("ridge", map[string]array{"K": matrix(n, n, a), "y": vector(y)})
	if err != nil {
		return nil, err
	}
	sym := mat.NewSymDense(n, a)
	var c linalg.Cholesky
	var s loss.Solution
	alpha := make([]float64, n)
	return &work{
		sides: append([]entry{
			ours("Go", func() error {
				if !c.Factorize(sym, lambda) {
					return errNotPositive
				}
				c.SolveVec(alpha, y)
				return nil
			}, func() []float64 { return alpha }),
			ours("Go, loss.Squared", func() error { return loss.Squared{Lambda: lambda}.Solve(context.Background(), &s, given{sym}, y, 0) }, func() []float64 { return s.W }),
		}, b.against(files, map[string]any{"lam": lambda},
			peer{env: "debian", program: "ridge_scipy", label: "scipy cho_factor, cho_solve, Debian"},
			peer{env: "numpy", program: "ridge_scipy", label: "scipy cho_factor, cho_solve"},
			peer{env: "numpy", program: "ridge_sklearn", label: "scikit-learn KernelRidge"})...),
		judge: func(r, _ []float64) Quality {
			f := times(n, a, r)
			floats.AddScaled(f, lambda, r)
			return Quality{"residual": relative(f, y)}
		},
	}, nil
}
