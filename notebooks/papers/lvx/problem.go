package lvx

import (
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/check"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/mat"
)

// Constant returns a vector of equal numbers.
func Constant(value float64, count int) []float64 { return slices.Repeat([]float64{value}, count) }

// Family returns the kernels (Σ_k μ_k x_kx_kᵀ)^{∘d} of degree d: the d-th power of each entry of the matrix. The
// features x_k are scaled to [0, 1] and centered. hasConstant adds a constant base kernel, and so all terms of lower
// degree.
func Family(degree int, hasConstant bool) kernel.Features {
	return kernel.Features{Degree: degree, Constant: hasConstant,
		Prepare: points.Preprocessing{points.MinMax, points.CenterColumns}}
}

// ScaledFeatures returns the features of d as Family prepares them, scaled to [0, 1] and centered, one row per point.
func ScaledFeatures(d *data.Dataset) (*mat.Dense, error) {
	fitted, err := Family(1, false).Prepare.Fit(d.X)
	if err != nil {
		return nil, err
	}
	rows := points.ToRows(fitted.Apply(d.X))
	return mat.NewDense(rows.N, rows.D, rows.Data), nil
}

// Problem returns the problem on d: minimize yᵀ(K_μ+λI)⁻¹y over μ ≥ 0, ‖μ−μ₀1‖₂ ≤ Λ, with μ₀ = center and Λ = radius.
// Package mkl minimizes half of this F. The targets are not centered.
func Problem(d *data.Dataset, degree int, lambda, center, radius float64) *mkl.Problem {
	return FamilyProblem(Family(degree, false), d, lambda, center, radius)
}

// FamilyProblem returns kernel ridge regression on d with the kernels f, over μ ≥ 0 with ‖μ−center·1‖₂ ≤ radius.
func FamilyProblem(f kernel.Features, d *data.Dataset, lambda, center, radius float64) *mkl.Problem {
	g := f.Bind(d.X)
	m, _ := g.Dims()
	ball := set.Ball{Q: 2, Radius: radius, Center: Constant(center, m)}
	return &mkl.Problem{Grams: g, Set: ball, Loss: loss.Squared{Lambda: lambda}, Y: d.Y}
}

// PrecomputedProblem returns the problem with the kernel (Σ_k μ_k K_k)^{∘degree} of given n×n matrices K_k.
func PrecomputedProblem(degree int, lambda float64, weightSet set.Set, y []float64,
	kernelMatrices ...[]float64) *mkl.Problem {
	var kernels kernel.List
	for _, matrix := range kernelMatrices {
		kernels = append(kernels, kernel.Precomputed{N: len(y), Data: matrix})
	}
	g := kernel.Sum{Kernels: kernels, Degree: degree}.Bind(points.AllIndices(len(y)))
	return &mkl.Problem{Grams: g, Set: weightSet, Loss: loss.Squared{Lambda: lambda}, Y: y}
}

// TwoPointProblem returns a problem that can be solved by hand. It has two points, K₁ = diag(1, 0), K₂ = diag(0, 1), λ
// = 1, y = (3.6, 1.6√3), the set μ ≥ 0, ‖μ‖₂ ≤ 1, and degree 1. Its solution is μ = (0.8, 0.6).
func TwoPointProblem() *mkl.Problem {
	ball := set.Ball{Q: 2, Radius: 1, Center: Constant(0, 2)}
	return PrecomputedProblem(1, 1, ball, []float64{3.6, 1.6 * math.Sqrt(3)}, []float64{1, 0, 0, 0},
		[]float64{0, 0, 0, 1})
}

// NotConvex and NotConcave are the base matrices of the two counterexamples to Proposition 2.3. All are positive
// definite. With NotConvex, F is not convex in μ for y = (4, 21) and a small λ. With NotConcave, F is not concave in μ
// for y = (1, −1) and a large λ.
var (
	NotConvex  = [2][]float64{{1.8, 0.6, 0.6, 1.003125}, {0.2, 0.4, 0.4, 0.996875}}
	NotConcave = [2][]float64{{1, 0.9, 0.9, 1}, {1, -0.9, -0.9, 1}}
)

// TwoMatrices returns the problem of degree 2 with two 2×2 base matrices, on the ball of radius 0.1 about (½, ½).
func TwoMatrices(lambda float64, y []float64, kernelMatrices [2][]float64) *mkl.Problem {
	ball := set.Ball{Q: 2, Radius: 0.1, Center: Constant(0.5, 2)}
	return PrecomputedProblem(2, lambda, ball, y, kernelMatrices[0], kernelMatrices[1])
}

// SecondDerivative returns the second derivative at the weights (½, ½) along (1, −1) of the paper's F, twice p's F.
func SecondDerivative(p *mkl.Problem) (secondDerivative float64, err error) {
	h, err := Hessian(p, 0.5, 0.5)
	if err != nil {
		return 0, err
	}
	return h.At(0, 0) - 2*h.At(0, 1) + h.At(1, 1), nil
}

// Hessian returns the Hessian at mu of F of the paper, which is twice the F of p.
func Hessian(p *mkl.Problem, mu ...float64) (*mat.SymDense, error) {
	h, err := check.HessianMatrix(p, mu)
	if err == nil {
		h.ScaleSym(2, h)
	}
	return h, err
}
