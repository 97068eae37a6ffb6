package lvx

import (
	"math/rand/v2"

	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/notebooks/papers/shared"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// DenseProblem is a problem with p small n×n base matrices K_k. Its methods compute the formulas of the paper as
// printed. K_μ is the kernel matrix with the weights μ, λ is Lambda, V is (K_μ+λI)⁻¹, and α is Vy.
type DenseProblem struct {
	K      []*mat.SymDense
	Y      *mat.VecDense
	Lambda float64
	Degree int     // 1 or 2: K_μ is Σ_k μ_k K_k or its elementwise square
	Beta   float64 // weight β of the regularizer β‖μ‖²
}

// RandomProblem returns a DenseProblem with random positive definite matrices XXᵀ/n, n = pointCount, and random
// targets, without a regularizer (Beta = 0). The entries of every X and the targets are independent standard normal
// numbers. degree is 1 or 2, lambda is λ of the ridge regression, and seed determines the random numbers.
func RandomProblem(pointCount, kernelCount, degree int, lambda float64, seed uint64) *DenseProblem {
	r := rand.New(rand.NewPCG(seed, 8))
	d := &DenseProblem{Lambda: lambda, Degree: degree, Y: mat.NewVecDense(pointCount, nil)}
	for i := range pointCount {
		d.Y.SetVec(i, r.NormFloat64())
	}
	for range kernelCount {
		x := mat.NewDense(pointCount, pointCount, nil)
		x.Apply(func(int, int, float64) float64 { return r.NormFloat64() }, x)
		k := mat.NewSymDense(pointCount, nil)
		k.SymOuterK(1/float64(pointCount), x)
		d.K = append(d.K, k)
	}
	return d
}

// Sum returns Σ_k w_k K_k for the given weights w.
func (d *DenseProblem) Sum(weights []float64) *mat.Dense {
	n := d.Y.Len()
	s := mat.NewDense(n, n, nil)
	for k, a := range d.K {
		var t mat.Dense
		t.Scale(weights[k], a)
		s.Add(s, &t)
	}
	return s
}

// Inverse returns V = (K_μ+λI)⁻¹. K_μ is Σ_k μ_k K_k for degree 1, and its elementwise square for degree 2.
func (d *DenseProblem) Inverse(mu []float64) *mat.Dense {
	a := d.Sum(mu)
	if d.Degree == 2 {
		a = shared.Hadamard(a, a)
	}
	return shared.Inverse(a, d.Lambda)
}

// Alpha returns α = (K_μ+λI)⁻¹y, the dual coefficients.
func (d *DenseProblem) Alpha(mu []float64) *mat.VecDense {
	var a mat.VecDense
	a.MulVec(d.Inverse(mu), d.Y)
	return &a
}

// F returns the objective yᵀ(K_μ+λI)⁻¹y + β‖μ‖².
func (d *DenseProblem) F(mu []float64) float64 {
	return mat.Dot(d.Y, d.Alpha(mu)) + d.Beta*floats.Dot(mu, mu)
}

// KernelDerivative returns ∂K_μ/∂μ_k: K_k for degree 1, and 2 S∘K_k with S = Σ_j μ_j K_j for degree 2.
func (d *DenseProblem) KernelDerivative(mu []float64, k int) mat.Matrix {
	if d.Degree == 1 {
		return d.K[k]
	}
	u := shared.Hadamard(d.Sum(mu), d.K[k])
	u.Scale(2, u)
	return u
}

// Gradient returns the derivatives of the objective F, −αᵀ(∂K_μ/∂μ_k)α + 2βμ_k, with α = (K_μ+λI)⁻¹y and β = Beta.
func (d *DenseProblem) Gradient(mu []float64) []float64 {
	a, g := d.Alpha(mu), make([]float64, len(mu))
	for k := range g {
		g[k] = 2*d.Beta*mu[k] - QuadraticForm(a, d.KernelDerivative(mu, k))
	}
	return g
}

// Hessian returns ∂²F/∂μ_j∂μ_k = 2αᵀ(∂_jK)V(∂_kK)α + 2β[j = k], minus 2αᵀ(K_j∘K_k)α for degree 2. Here V is (K_μ+λI)⁻¹,
// α is Vy, β is Beta, and ∂_jK is the derivative of K_μ by μ_j.
func (d *DenseProblem) Hessian(mu []float64) *mat.Dense {
	a, v, m := d.Alpha(mu), d.Inverse(mu), len(mu)
	h := mat.NewDense(m, m, nil)
	for j := range m {
		for k := range m {
			e := 2 * Sandwich(a, d.KernelDerivative(mu, j), v, d.KernelDerivative(mu, k))
			if d.Degree == 2 {
				e -= 2 * QuadraticForm(a, shared.Hadamard(d.K[j], d.K[k]))
			}
			h.Set(j, k, e)
		}
		h.Set(j, j, h.At(j, j)+2*d.Beta)
	}
	return h
}

// Problem returns d as a problem of package mkl, with s as the set of weights.
func (d *DenseProblem) Problem(s set.Set) *mkl.Problem {
	var matrices [][]float64
	for _, k := range d.K {
		matrices = append(matrices, mat.DenseCopyOf(k).RawMatrix().Data)
	}
	p := PrecomputedProblem(d.Degree, d.Lambda, s, d.Y.RawVector().Data, matrices...)
	if d.Beta > 0 {
		p.Reg = reg.Ridge{Beta: d.Beta / 2}
	}
	return p
}

// QuadraticForm returns αᵀAα for a matrix A.
func QuadraticForm(alpha *mat.VecDense, matrix mat.Matrix) float64 {
	return mat.Inner(alpha, matrix, alpha)
}

// Sandwich returns the quadratic form αᵀAVBα of the product of three matrices A, V and B.
func Sandwich(alpha *mat.VecDense, a, v, b mat.Matrix) float64 {
	var t mat.Dense
	t.Product(a, v, b)
	return mat.Inner(alpha, &t, alpha)
}

// GradientByDifferences returns the gradient of F at μ by central differences of F, as a check of Gradient.
func (d *DenseProblem) GradientByDifferences(mu []float64) []float64 {
	g := make([]float64, len(mu))
	for k := range mu {
		unitVector := make([]float64, len(mu))
		unitVector[k] = 1
		g[k] = shared.Derivative(d.F, mu, unitVector)
	}
	return g
}
