package main

import (
	"math"
	"math/rand/v2"

	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/points"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// normalNumbers returns n standard normal numbers.
func normalNumbers(n int, seed uint64) []float64 {
	r, x := rand.New(rand.NewPCG(seed, 1)), make([]float64, n)
	for i := range x {
		x[i] = r.NormFloat64()
	}
	return x
}

// newVector returns y as a vector, which a Python program reads as an array of one dimension.
func newVector(y []float64) *mat.VecDense { return mat.NewVecDense(len(y), y) }

// trainingIndicators returns a matrix with a row for each split and a column for each of n points: 1 for the training
// points of the split, otherwise 0.
func trainingIndicators(splits []fit.Split, n int) *mat.Dense {
	indicators := mat.NewDense(len(splits), n, nil)
	for k, s := range splits {
		for _, i := range s.Train {
			indicators.Set(k, i, 1)
		}
	}
	return indicators
}

// subtractMean subtracts the mean of y from its entries in place, and returns y.
func subtractMean(y []float64) []float64 {
	floats.AddConst(-stat.Mean(y, nil), y)
	return y
}

// copyUpperToLower copies the upper triangle of an n×n matrix, in row-major order, to its lower triangle.
func copyUpperToLower(n int, matrix []float64) {
	for i := range n {
		for j := range i {
			matrix[i*n+j] = matrix[j*n+i]
		}
	}
}

// rbfMatrix returns the matrix of exp(−γ‖z_i − x_j‖²) in row-major order, with a row for each point of z.
func rbfMatrix(gamma float64, z, x points.Rows) []float64 {
	k := mat.NewDense(z.N, x.N, nil)
	kernel.RBF{Gamma: gamma}.Cross(k, z, x)
	return k.RawMatrix().Data
}

// correlatedPoints returns n points with d correlated features: mixtures of 30 common random factors, plus noise.
func correlatedPoints(n, d int, seed uint64) points.Rows {
	const factors = 30
	f, a, x := normalNumbers(n*factors, seed), normalNumbers(factors*d, seed+100), normalNumbers(n*d, seed+200)
	for i := range n {
		row := x[i*d : (i+1)*d]
		floats.Scale(0.7, row)
		for k := range factors {
			floats.AddScaled(row, f[i*factors+k]/math.Sqrt(factors), a[k*d:(k+1)*d])
		}
	}
	return points.Rows{N: n, D: d, Data: x}
}

// splitFeatures splits the features of x into a number of groups of adjacent features.
func splitFeatures(x points.Rows, groupCount int) []points.Rows {
	groups := make([]points.Rows, groupCount)
	for g := range groups {
		lo, hi := g*x.D/groupCount, (g+1)*x.D/groupCount
		groups[g] = points.Rows{N: x.N, D: hi - lo}
		for i := range x.N {
			groups[g].Data = append(groups[g].Data, x.Row(i)[lo:hi]...)
		}
	}
	return groups
}

// selectPoints returns the points start, …, end−1 of x.
func selectPoints(x points.Rows, start, end int) points.Rows {
	return points.Rows{N: end - start, D: x.D, Data: x.Data[start*x.D : end*x.D]}
}

// relativeMaxError returns max |x − y| / max |y|, or NaN if the lengths differ.
func relativeMaxError(x, y []float64) float64 {
	if len(x) != len(y) {
		return math.NaN()
	}
	return floats.Distance(x, y, math.Inf(1)) / floats.Norm(y, math.Inf(1))
}
