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

// Constant returns a vector of m equal numbers.
func Constant(v float64, m int) []float64 { return slices.Repeat([]float64{v}, m) }

// Family returns one rank-one kernel for each feature, scaled to [0, 1] and centered, combined with degree d.
func Family(d int) kernel.Features { return FamilyWith(d, false) }

// FamilyWith returns Family with or without a constant base kernel, which adds all terms of lower degree.
func FamilyWith(d int, constant bool) kernel.Features {
	return kernel.Features{Degree: d, Constant: constant,
		Prepare: points.Preprocessing{points.MinMax, points.CenterColumns}}
}

// Problem returns the problem min over μ ≥ 0, ‖μ−μ₀1‖₂ ≤ Λ of yᵀ(K_μ+λI)⁻¹y on d, which package mkl halves. The
// targets are not centered.
func Problem(d *data.Dataset, degree int, lambda, center, radius float64) *mkl.Problem {
	return ProblemWith(Family(degree), d, lambda, center, radius)
}

// ProblemWith returns Problem with another family.
func ProblemWith(f kernel.Features, d *data.Dataset, lambda, center, radius float64) *mkl.Problem {
	g := f.On(d.X)
	m, _ := g.Dims()
	ball := set.Ball{Q: 2, Radius: radius, Center: Constant(center, m)}
	return &mkl.Problem{Grams: g, Set: ball, Loss: loss.Squared{Lambda: lambda}, Y: d.Y}
}

// Precomputed returns the problem with the given n×n base matrices.
func Precomputed(degree int, lambda float64, ball set.Set, y []float64, k ...[]float64) *mkl.Problem {
	var l kernel.List
	for _, data := range k {
		l = append(l, kernel.Precomputed{N: len(y), Data: data})
	}
	g := kernel.Sum{Kernels: l, Degree: degree}.On(points.AllIndices(len(y)))
	return &mkl.Problem{Grams: g, Set: ball, Loss: loss.Squared{Lambda: lambda}, Y: y}
}

// TwoPointProblem returns a problem that can be solved on paper: two points, K₁ = diag(1, 0), K₂ = diag(0, 1), λ = 1, y
// = (3.6, 1.6√3), ‖μ‖₂ ≤ 1, degree 1. Its solution is μ = (0.8, 0.6).
func TwoPointProblem() *mkl.Problem {
	return Precomputed(1, 1, set.Ball{Q: 2, Radius: 1, Center: Constant(0, 2)}, []float64{3.6, 1.6 * math.Sqrt(3)},
		[]float64{1, 0, 0, 0},
		[]float64{0, 0, 0, 1})
}

// The base matrices of the two counterexamples to Proposition 2.3, each pair positive definite.
var (
	NotConvex  = [2][]float64{{1.8, 0.6, 0.6, 1.003125}, {0.2, 0.4, 0.4, 0.996875}} // with y = (4, 21)
	NotConcave = [2][]float64{{1, 0.9, 0.9, 1}, {1, -0.9, -0.9, 1}}                 // with y = (1, −1)
)

// TwoMatrices returns the problem of degree 2 with two 2×2 matrices on the ball of radius 0.1 about (½, ½).
func TwoMatrices(lambda float64, y []float64, k [2][]float64) *mkl.Problem {
	return Precomputed(2, lambda, set.Ball{Q: 2, Radius: 0.1, Center: Constant(0.5, 2)}, y, k[0], k[1])
}

// SecondDerivative returns uᵀ∇²F(μ)u, the second derivative of the F of the paper at μ = (½, ½) in the direction u =
// (1, −1).
func SecondDerivative(p *mkl.Problem) (float64, error) {
	h, err := Hessian(p, 0.5, 0.5)
	if err != nil {
		return 0, err
	}
	return h.At(0, 0) - 2*h.At(0, 1) + h.At(1, 1), nil
}

// Hessian returns ∇²F(μ) of the F of the paper.
func Hessian(p *mkl.Problem, mu ...float64) (*mat.SymDense, error) {
	h, err := check.Curvature(p, mu)
	if err == nil {
		h.ScaleSym(2, h)
	}
	return h, err
}
