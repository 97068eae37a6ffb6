package lvx

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/notebooks/papers/shared"
	"github.com/mklnb/mkl/viz"

	"gonum.org/v1/gonum/floats"
)

// Curvature returns, for each λ, the second derivative of F at the weights (½, ½) along (1, −1), for degree 2 with two
// 2×2 base matrices. It is scaled for drawing: multiplied by λ^lambdaPower, then divided by the largest absolute value.
func Curvature(y []float64, kernelMatrices [2][]float64, lambdaPower float64, lambdas []float64) (viz.Points, error) {
	c := viz.Points{X: lambdas}
	for _, lambda := range lambdas {
		secondDerivative, err := SecondDerivative(TwoMatrices(lambda, y, kernelMatrices))
		if err != nil {
			return c, err
		}
		c.Y = append(c.Y, math.Pow(lambda, lambdaPower)*secondDerivative)
	}
	floats.Scale(1/floats.Norm(c.Y, math.Inf(1)), c.Y)
	return c, nil
}

// SolveFromStarts runs the solver s on p from startCount random starts and returns the results. The set of p must be a
// ball about a center μ₀. The starts lie on the surface of the ball and have μ ≥ μ₀.
func SolveFromStarts(ctx context.Context, p *mkl.Problem, s mkl.Solver, startCount int, gap float64, seed uint64) (
	results []*mkl.Result, err error) {
	r := rand.New(rand.NewPCG(seed, 6))
	m, _ := p.Grams.Dims()
	ball := p.Set.Traits().Ball
	for range startCount {
		theta := make([]float64, m) // a point on the surface of the ball, at least ball.Center in each entry
		for k := range theta {
			theta[k] = math.Abs(r.NormFloat64()) * math.Abs(r.NormFloat64())
		}
		floats.Add(theta, ball.Center)
		mkl.Sphere{Radius: ball.Radius, Center: ball.Center}.ReflectAboveCenter(theta, theta)
		result, err := mkl.Solve(ctx, p, s, &mkl.Settings{Gap: gap, Theta: theta, Iterations: 2000})
		if err != nil {
			return nil, err
		}
		results = append(results, result)
	}
	return results, nil
}

// RelativeSpread returns (largest F − smallest F)/smallest F over the results.
func RelativeSpread(results []*mkl.Result) float64 {
	smallest, largest := math.Inf(1), 0.0
	for _, r := range results {
		smallest, largest = min(smallest, r.F), max(largest, r.F)
	}
	return (largest - smallest) / smallest
}

// RegularizedProblem returns the problem of Algorithms 4 and 6 of the paper, for degrees 1 and 2: minimize
// ½(yᵀ(K_μ+λI)⁻¹y + β‖μ‖²) over μ ≥ 0, where K_μ is the kernel matrix with the weights μ.
func RegularizedProblem(d *data.Dataset, degree int, lambda, beta float64) *mkl.Problem {
	p := Problem(d, degree, lambda, 1, 1)
	p.Set, p.Reg = set.Orthant{At: 0.1}, reg.Ridge{Beta: beta / 2}
	return p
}

// MinimizerNorms minimizes yᵀ(K_μ+λI)⁻¹y + β‖μ‖² over μ ≥ 0 for kernels of degree 2 (Algorithm 6 of the paper). It
// returns β₀, the smallest β for which μ = 0 is a minimizer. For β = t·β₀ and each t in betaMultiples, it returns the
// 2-norms of two solutions: normsFromStart from the start μ = (0.1, …, 0.1), normsFromZero from μ = 0.
func MinimizerNorms(ctx context.Context, d *data.Dataset, lambda float64, betaMultiples []float64) (betaZero float64,
	normsFromStart, normsFromZero viz.Points, err error) {
	if betaZero, _, err = mkl.SmallestBetaForZeroTheta(RegularizedProblem(d, 2, lambda, 1)); err != nil {
		return
	}
	betaZero *= 2
	for _, t := range betaMultiples {
		p := RegularizedProblem(d, 2, lambda, betaZero*t)
		m, _ := p.Grams.Dims()
		for i, norms := range []*viz.Points{&normsFromStart, &normsFromZero} {
			settings := &mkl.Settings{Gap: 1e-8, Iterations: 3000}
			if i == 1 {
				settings.Theta = make([]float64, m)
			}
			r, err := mkl.Solve(ctx, p, mkl.SPG{}, settings)
			if err != nil {
				return betaZero, normsFromStart, normsFromZero, err
			}
			norms.X, norms.Y = append(norms.X, t), append(norms.Y, floats.Norm(r.Theta, 2))
		}
	}
	return betaZero, normsFromStart, normsFromZero, nil
}

// Value returns F of the paper at mu, which is twice the F of p, or NaN if the evaluation fails.
func Value(p *mkl.Problem, mu ...float64) (paperF float64) {
	pt, err := shared.EvaluateAt(p, mu, 1e-12)
	if err != nil {
		return math.NaN()
	}
	return 2 * pt.F()
}
