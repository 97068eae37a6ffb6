package qnpkl

import (
	"math"
	"math/rand/v2"

	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/notebooks/papers/shared"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// SmallProblem returns a problem without symmetry of eight points in the plane: the points, the labels, C and the
// weights γ of the two coordinates. Some dual coefficients of its support vectors are below C, others equal C.
func SmallProblem() (x [][]float64, y []float64, c float64, gamma []float64) {
	x = [][]float64{{0.1, 1.2}, {0.9, 0.3}, {-0.4, 0.8}, {1.5, 1.1}, {-1.1, -0.2}, {0.3, -0.9}, {-0.7, 0.1}, {0.6, 0.7}}
	return x, []float64{1, 1, 1, 1, -1, -1, -1, -1}, 3, []float64{0.7, 0.4}
}

// Distance returns D_m, the matrix of the squared differences of coordinate m between points.
func Distance(x [][]float64, m int) *mat.Dense {
	return newMatrix(len(x), func(i, j int) float64 { return (x[i][m] - x[j][m]) * (x[i][m] - x[j][m]) })
}

// Gaussian returns the kernel matrix K_ij = exp(−Σ_m γ_m (x_im − x_jm)²).
func Gaussian(x [][]float64, gamma []float64) *mat.Dense {
	return newMatrix(len(x), func(i, j int) float64 {
		d := 0.0
		for m, g := range gamma {
			d += g * (x[i][m] - x[j][m]) * (x[i][m] - x[j][m])
		}
		return math.Exp(-d)
	})
}

func newMatrix(n int, entry func(i, j int) float64) *mat.Dense {
	a := mat.NewDense(n, n, nil)
	for i := range n {
		for j := range n {
			a.Set(i, j, entry(i, j))
		}
	}
	return a
}

// QuadraticForm returns vᵀMv for a vector v and a matrix M.
func QuadraticForm(vector []float64, matrix *mat.Dense) float64 {
	v := mat.NewVecDense(len(vector), vector)
	return mat.Inner(v, matrix, v)
}

// Projected returns PMP for a matrix M. P = I − 11ᵀ/n projects onto the vectors of sum 0, on which the quadratic forms
// of PMP and M are equal.
func Projected(matrix *mat.Dense) (projectedMatrix *mat.Dense) {
	n, _ := matrix.Dims()
	p := newMatrix(n, func(i, j int) float64 {
		if i == j {
			return 1 - 1/float64(n)
		}
		return -1 / float64(n)
	})
	var a mat.Dense
	a.Product(p, matrix, p)
	return &a
}

// Eigenvalues returns the eigenvalues of a symmetric matrix in ascending order.
func Eigenvalues(matrix *mat.Dense) []float64 {
	n, _ := matrix.Dims()
	var e mat.EigenSym
	s := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			s.SetSym(i, j, (matrix.At(i, j)+matrix.At(j, i))/2)
		}
	}
	e.Factorize(s, false)
	return e.Values(nil)
}

// Ascend solves the dual support vector machine, problem (4) of the paper, by projected gradient ascent, without code
// of package mkl. It is slow. It returns the objective and a, where a_i is y_i times dual coefficient i.
func Ascend(k *mat.Dense, y []float64, c float64) (value float64, a []float64) {
	n := len(y)
	a = make([]float64, n)
	ka := mat.NewVecDense(n, nil)
	stepSize := 1 / Eigenvalues(k)[n-1]
	for range 100000 {
		ka.MulVec(k, mat.NewVecDense(n, a))
		for i := range a {
			a[i] += stepSize * (y[i] - ka.AtVec(i))
		}
		projectOntoDualSet(a, y, c)
	}
	ka.MulVec(k, mat.NewVecDense(n, a))
	return floats.Dot(a, y) - mat.Dot(ka, mat.NewVecDense(n, a))/2, a
}

// projectOntoDualSet projects a, in place, onto Σ_i a_i = 0, 0 ≤ y_i a_i ≤ c. It uses bisection.
func projectOntoDualSet(a, y []float64, c float64) {
	clipToBox := func(v, y float64) float64 { return y * min(max(y*v, 0), c) }
	sumAfterShift := func(shift float64) (s float64) {
		for i, v := range a {
			s += clipToBox(v-shift, y[i])
		}
		return s
	}
	lo, hi := floats.Min(a)-c, floats.Max(a)+c
	for range 100 {
		if m := (lo + hi) / 2; sumAfterShift(m) > 0 {
			lo = m
		} else {
			hi = m
		}
	}
	for i, v := range a {
		a[i] = clipToBox(v-lo, y[i])
	}
}

// RandomPoints returns n standard normal points in m dimensions.
func RandomPoints(n, m int, seed uint64) [][]float64 {
	r := rand.New(rand.NewPCG(seed, 's'))
	x := make([][]float64, n)
	for i := range x {
		x[i] = make([]float64, m)
		for k := range x[i] {
			x[i][k] = r.NormFloat64()
		}
	}
	return x
}

// SVM is a function that trains a support vector machine with widths gamma and returns its optimum J and p = −∇J(γ).
type SVM = func(gamma []float64) (j float64, p []float64)

// LibrarySVM returns a function that solves the inner problem of p, a support vector machine, by package mkl.
func LibrarySVM(p *mkl.Problem) SVM {
	return func(gamma []float64) (float64, []float64) {
		pt, err := shared.EvaluateAt(p, gamma, 1e-10)
		if err != nil {
			panic(err)
		}
		return pt.F(), Minus(make([]float64, len(gamma)), pt.Grad())
	}
}

// Minus returns a − b.
func Minus(a, b []float64) []float64 { return floats.SubTo(make([]float64, len(a)), a, b) }

// Move returns gamma + stepLength·scales∘direction: weight i moves by stepLength·scales[i]·direction[i].
func Move(gamma []float64, stepLength float64, scales, direction []float64) []float64 {
	moved := floats.MulTo(make([]float64, len(gamma)), scales, direction)
	floats.Scale(stepLength, moved)
	floats.Add(moved, gamma)
	return moved
}

// ClipNegative sets the negative entries of γ to 0, in place, and returns γ.
func ClipNegative(gamma []float64) []float64 {
	for m, v := range gamma {
		gamma[m] = max(0, v)
	}
	return gamma
}
