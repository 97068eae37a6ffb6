package main

import (
	"context"
	"fmt"
	"math"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// weightsTasks learn the weights of kernels that are given as matrices.
func weightsTasks() []task {
	return []task{{name: "mkl n=600 m=50", rounds: 5, make: func(ctx context.Context, b *bench) (*work, error) { return weights(ctx, b, 600) },
		about: "linear MKL, squared loss with λ = 0.01 on ‖θ‖₂ ≤ 1, 50 RBF kernels given, to a relative gap of 1e-4; R²: on 200 more points, simulated"}}
}

// weights is a regression with 198 features in 10 groups, of which 3 matter, a kernel for each group
// and each of 5 widths.
func weights(ctx context.Context, b *bench, n int) (*work, error) {
	const more, d, groups, lambda, gap = 200, 198, 10, 0.01, 1e-4
	widths := []float64{0.1, 0.3, 1, 3, 10}
	x, y := correlated(n+more, d, 31), normal(n+more, 32)
	floats.Scale(0.3, y)
	var ks, zs []float64 // m times n×n, m times more×n
	var list kernel.List
	for g := range groups {
		lo, hi := g*d/groups, (g+1)*d/groups
		part := kernel.Rows{N: n + more, D: hi - lo}
		for i := range n + more {
			part.Data = append(part.Data, x[i*d+lo:i*d+hi]...)
			if g%3 == 0 && g < 7 {
				y[i] += math.Sin(0.8*part.Row(i)[0]) + 0.5*part.Row(i)[1]*part.Row(i)[2]
			}
		}
		all := sliceOf(part, 0, n)
		for _, w := range widths {
			k := rbf(w/float64(hi-lo), all, all)
			mirror(n, k)
			list = append(list, kernel.Precomputed{Name: fmt.Sprintf("group %d, γ = %g", g+1, w), N: n, Data: k})
			ks = append(ks, k...)
			zs = append(zs, rbf(w/float64(hi-lo), sliceOf(part, n, n+more), all)...)
		}
	}
	floats.AddConst(-stat.Mean(y[:n], nil), y)
	m, train, test := len(list), y[:n], y[n:]
	files, err := b.save("mkl", map[string]array{"K": matrix(m*n, n, ks), "Z": matrix(m*more, n, zs), "y": vector(train)})
	if err != nil {
		return nil, err
	}
	p := &mkl.Problem{Grams: kernel.Sum{Kernels: list}.On(kernel.AllPlaces(n)), Set: set.Ball{Q: 2, Radius: 1}, Loss: loss.Squared{Lambda: lambda}, Y: train}
	solved := func(s mkl.Solver) entry {
		var r *mkl.Result
		return ours("Go, "+s.String(), func() (err error) {
			r, err = mkl.Solve(ctx, p, s, &mkl.Settings{Gap: gap})
			return err
		}, func() []float64 { return predicted(r, zs) })
	}
	args := map[string]any{"lam": lambda, "gap": gap}
	return &work{
		sides: append([]entry{solved(mkl.IIA{}), solved(mkl.SPG{})}, append(b.against(files, args, bothNumpys("iia", "numpy, IIA")...),
			b.against(files, map[string]any{"iterations": 5}, peer{env: "himalaya", program: "himalaya", label: "himalaya, 5 steps, 3 folds"})...)...),
		judge: func(r, _ []float64) Quality {
			if len(r) != m+more {
				return nil
			}
			q := Quality{}
			if !math.IsNaN(r[0]) { // himalaya minimises another objective
				q = certified(p, r[:m])
			}
			q["R²"] = stat.RSquaredFrom(r[m:], test, nil)
			return q
		},
	}, nil
}

// predicted is θ, then f at new points, m times as many rows of z as they are.
func predicted(r *mkl.Result, z []float64) []float64 {
	out, n := append([]float64{}, r.Theta...), len(r.W)
	more := len(z) / (n * len(r.Theta))
	for i := range more {
		f := 0.0
		for k, t := range r.Theta {
			f += t * floats.Dot(z[(k*more+i)*n:(k*more+i+1)*n], r.W)
		}
		out = append(out, f)
	}
	return out
}

// correlated are n points of d features that share 30 factors.
func correlated(n, d int, seed uint64) []float64 {
	const factors = 30
	f, a, x := normal(n*factors, seed), normal(factors*d, seed+100), normal(n*d, seed+200)
	for i := range n {
		row := x[i*d : (i+1)*d]
		floats.Scale(0.7, row)
		for k := range factors {
			floats.AddScaled(row, f[i*factors+k]/math.Sqrt(factors), a[k*d:(k+1)*d])
		}
	}
	return x
}

// sliceOf are the points lo to hi.
func sliceOf(x kernel.Rows, lo, hi int) kernel.Rows {
	return kernel.Rows{N: hi - lo, D: x.D, Data: x.Data[lo*x.D : hi*x.D]}
}

// rbf is exp(−γ‖z − x‖²), a row for each z.
func rbf(gamma float64, z, x kernel.Rows) []float64 {
	k := mat.NewDense(z.N, x.N, nil)
	kernel.RBF{Gamma: gamma}.Cross(k, z, x)
	return k.RawMatrix().Data
}
