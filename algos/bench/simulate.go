package main

import (
	"math"
	"math/rand/v2"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/points"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// This file simulates inputs from fixed seeds and computes errors of results.

// normal returns n standard normal numbers.
func normal(n int, seed uint64) []float64 {
	r, x := rand.New(rand.NewPCG(seed, 1)), make([]float64, n)
	for i := range x {
		x[i] = r.NormFloat64()
	}
	return x
}

// centred subtracts the mean from y in place, and returns y.
func centred(y []float64) []float64 {
	floats.AddConst(-stat.Mean(y, nil), y)
	return y
}

// mirror copies the upper triangle of a, n×n, to the lower triangle.
func mirror(n int, a []float64) {
	for i := range n {
		for j := range i {
			a[i*n+j] = a[j*n+i]
		}
	}
}

// rbf returns the matrix of exp(−γ‖z − x‖²), with a row for each z.
func rbf(gamma float64, z, x points.Rows) []float64 {
	k := mat.NewDense(z.N, x.N, nil)
	kernel.RBF{Gamma: gamma}.Cross(k, z, x)
	return k.RawMatrix().Data
}

// correlated returns n points with d features that share 30 factors.
func correlated(n, d int, seed uint64) points.Rows {
	const factors = 30
	f, a, x := normal(n*factors, seed), normal(factors*d, seed+100), normal(n*d, seed+200)
	for i := range n {
		row := x[i*d : (i+1)*d]
		floats.Scale(0.7, row)
		for k := range factors {
			floats.AddScaled(row, f[i*factors+k]/math.Sqrt(factors), a[k*d:(k+1)*d])
		}
	}
	return points.Rows{N: n, D: d, Data: x}
}

// bands splits the features of x into groups of adjacent features.
func bands(x points.Rows, groups int) []points.Rows {
	out := make([]points.Rows, groups)
	for g := range out {
		lo, hi := g*x.D/groups, (g+1)*x.D/groups
		out[g] = points.Rows{N: x.N, D: hi - lo}
		for i := range x.N {
			out[g].Data = append(out[g].Data, x.Row(i)[lo:hi]...)
		}
	}
	return out
}

// rowsOf returns the points lo, …, hi−1 of x.
func rowsOf(x points.Rows, lo, hi int) points.Rows {
	return points.Rows{N: hi - lo, D: x.D, Data: x.Data[lo*x.D : hi*x.D]}
}

// relative returns ‖x − y‖/‖y‖, or NaN if the lengths differ.
func relative(x, y []float64) float64 {
	if len(x) != len(y) {
		return math.NaN()
	}
	return floats.Distance(x, y, 2) / floats.Norm(y, 2)
}

// largest returns max |x − y| / max |y|, or NaN if the lengths differ.
func largest(x, y []float64) float64 {
	if len(x) != len(y) {
		return math.NaN()
	}
	return floats.Distance(x, y, math.Inf(1)) / floats.Norm(y, math.Inf(1))
}

// times returns Ax for an n×n matrix A.
func times(n int, a, x []float64) []float64 {
	y := make([]float64, n)
	linalg.MulVec(y, false, mat.NewDense(n, n, a), x)
	return y
}
