package lvx

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/notebooks/papers/shared"
	"github.com/mklnb/mkl/viz"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
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

// StartRuns runs the solver s from random starts, as SolveFromStarts does, on six problems on d: degrees 1, 2 and 3,
// each with μ₀ = 0 and μ₀ = 1. All have λ = 1 and Λ = 1 + μ₀.
func StartRuns(ctx context.Context, d *data.Dataset, s mkl.Solver, startCount int, gap float64, seed uint64) (
	runs [][]*mkl.Result, err error) {
	for i := range 6 {
		center := float64(i % 2)
		results, err := SolveFromStarts(ctx, Problem(d, 1+i/2, 1, center, 1+center), s, startCount, gap, seed)
		if err != nil {
			return nil, err
		}
		runs = append(runs, results)
	}
	return runs, nil
}

// StartsTable shows the runs that StartRuns returns for d.
func StartsTable(title string, d *data.Dataset, runs [][]*mkl.Result) viz.Figure {
	var rows [][]any
	for i, results := range runs {
		rows = append(rows, []any{1 + i/2, i % 2, viz.Number(2*results[0].F, 3), fmt.Sprint(results[0].Kind),
			fmt.Sprintf("%.0e", RelativeSpread(results))})
	}
	return viz.Table(title, fmt.Sprintf("Projected descent by the paper's rule from %d random starts on the edge of "+
		"the ball; %s, λ = 1, Λ = 1 + μ₀. Spread: (largest F − least F)/least F at the ends.", len(runs[0]), d.Name),
		[]string{"degree", "μ₀", "F at the end", "certificate", "spread"}, rows...)
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

// DualSolution returns the dual coefficients of p at the weights mu, α for ridge regression and Yα for the support
// vector machine, and with them v_k = αᵀ(∂K/∂μ_k)α. All numbers are NaN if the evaluation fails.
func DualSolution(p *mkl.Problem, mu []float64) (alpha *mat.VecDense, v []float64) {
	v = Constant(math.NaN(), len(mu))
	pt, err := shared.EvaluateAt(p, mu, 1e-12)
	if err != nil {
		return mat.NewVecDense(len(p.Y), Constant(math.NaN(), len(p.Y))), v
	}
	pt.Gram.Gradient(v, pt.W)
	return mat.NewVecDense(len(pt.W), pt.W), v
}

// Value returns F of the paper at mu, which is twice the F of p, or NaN if the evaluation fails.
func Value(p *mkl.Problem, mu ...float64) (paperF float64) {
	pt, err := shared.EvaluateAt(p, mu, 1e-12)
	if err != nil {
		return math.NaN()
	}
	return 2 * pt.F()
}
