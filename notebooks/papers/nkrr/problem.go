package nkrr

import (
	"slices"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/data/datasets"
	"github.com/mklnb/mkl/notebooks/papers/shared"

	"gonum.org/v1/gonum/floats"
)

// ScaledFamily returns the kernels (Σ_k μ_k x_kx_kᵀ)^{∘d} of degree d: the d-th power of each entry of the matrix. The
// features x_k are scaled to [0, 1], as in Figure 1.
func ScaledFamily(degree int) kernel.Features {
	return kernel.Features{Degree: degree, Prepare: points.Preprocessing{points.MinMax}}
}

// CenteredFamily returns (Σ_k μ_k x_kx_kᵀ)^{∘d} of degree d on features x_k that are scaled to [0, 1], then centered.
func CenteredFamily(degree int) kernel.Features {
	return kernel.Features{Degree: degree, Prepare: points.Preprocessing{points.MinMax, points.CenterColumns}}
}

// Problem returns the problem of the paper: minimize half of yᵀ(K(μ)+λI)⁻¹y over μ ≥ 0, ‖μ−1‖_q ≤ Λ, where Λ is radius.
func Problem(d *data.Dataset, f kernel.Family, q, radius, lambda float64) *mkl.Problem {
	g := f.Bind(d.X)
	m, _ := g.Dims()
	return &mkl.Problem{Grams: g, Set: set.Ball{Q: q, Radius: radius, Center: Ones(m)},
		Loss: loss.Squared{Lambda: lambda}, Y: d.Y}
}

// Ones returns a vector of ones.
func Ones(count int) []float64 { return slices.Repeat([]float64{1}, count) }

// Figure1Problem returns the problem of Figure 1. It has the quadratic combination of the first two features of sonar,
// scaled to [0, 1] and not centered, the targets y = ±1, and the set μ ≥ 0, ‖μ‖₂ ≤ 1.
func Figure1Problem(lambda float64) (*mkl.Problem, error) {
	d, err := datasets.Load("sonar")
	if err != nil {
		return nil, err
	}
	if d, err = d.Select("V1", "V2"); err != nil {
		return nil, err
	}
	return &mkl.Problem{Grams: ScaledFamily(2).Bind(d.X), Set: set.Ball{Q: 2, Radius: 1},
		Loss: loss.Squared{Lambda: lambda}, Y: d.Y}, nil
}

// TwoPointProblem returns a problem that can be solved by hand. It has two points with the targets y, the quadratic
// combination of K₁ = diag(1, 0) and K₂ = diag(0, 1), λ = 1, and the set μ ≥ 0, ‖μ‖_q ≤ 1 with q = ballNorm.
func TwoPointProblem(ballNorm float64, y ...float64) *mkl.Problem {
	baseKernels := kernel.List{
		kernel.Precomputed{Name: "first", N: 2, Data: []float64{1, 0, 0, 0}},
		kernel.Precomputed{Name: "second", N: 2, Data: []float64{0, 0, 0, 1}},
	}
	return &mkl.Problem{
		Grams: kernel.Sum{Kernels: baseKernels, Degree: 2}.Bind(points.AllIndices(2)),
		Set:   set.Ball{Q: ballNorm, Radius: 1},
		Loss:  loss.Squared{Lambda: 1},
		Y:     y,
	}
}

// Value returns F of the paper at mu, which is twice the F of p.
func Value(p *mkl.Problem, mu ...float64) (paperF float64, err error) {
	pt, err := shared.EvaluateAt(p, mu, 0)
	if err != nil {
		return 0, err
	}
	return 2 * pt.F(), nil
}

// Gradient returns the gradient at mu of F of the paper, which is twice the F of p.
func Gradient(p *mkl.Problem, mu ...float64) ([]float64, error) {
	pt, err := shared.EvaluateAt(p, mu, 0)
	if err != nil {
		return nil, err
	}
	g := slices.Clone(pt.Grad())
	floats.Scale(2, g)
	return g, nil
}
