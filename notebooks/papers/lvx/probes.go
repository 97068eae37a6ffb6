package lvx

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/mklnb/mkl/algos/check"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/notebooks/papers/shared"
	"github.com/mklnb/mkl/viz"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Curvature returns, for each λ, λ^power times the second derivative of F at (½, ½) along (1, −1) for the problem that
// TwoMatrices returns. The values are divided by the largest absolute value.
func Curvature(y []float64, k [2][]float64, power float64, lambdas []float64) (viz.Points, error) {
	c := viz.Points{X: lambdas}
	for _, lambda := range lambdas {
		second, err := SecondDerivative(TwoMatrices(lambda, y, k))
		if err != nil {
			return c, err
		}
		c.Y = append(c.Y, math.Pow(lambda, power)*second)
	}
	floats.Scale(1/floats.Norm(c.Y, math.Inf(1)), c.Y)
	return c, nil
}

// Decades returns per·(to−from)+1 numbers from 10^from to 10^to that are evenly spaced on a logarithmic axis.
func Decades(from, to, per int) []float64 {
	var list []float64
	for i := range per*(to-from) + 1 {
		list = append(list, math.Pow(10, float64(from)+float64(i)/float64(per)))
	}
	return list
}

// Starts runs the solver s on p from count random starts and returns the results. The set of p must be a ball about μ₀.
// The starts are points of its sphere with μ ≥ μ₀.
func Starts(ctx context.Context, p *mkl.Problem, s mkl.Solver, count int, gap float64, seed uint64) ([]*mkl.Result,
	error) {
	r := rand.New(rand.NewPCG(seed, 6))
	m, _ := p.Grams.Dims()
	ball := p.Set.Traits().Ball
	var list []*mkl.Result
	for range count {
		theta := make([]float64, m) // a point of the sphere with θ ≥ μ₀
		for k := range theta {
			theta[k] = math.Abs(r.NormFloat64()) * math.Abs(r.NormFloat64())
		}
		floats.Add(theta, ball.Center)
		mkl.Sphere{Radius: ball.Radius, Center: ball.Center}.Fold(theta, theta)
		run, err := mkl.Solve(ctx, p, s, &mkl.Settings{Gap: gap, Theta: theta, Iterations: 2000})
		if err != nil {
			return nil, err
		}
		list = append(list, run)
	}
	return list, nil
}

// RelativeSpread returns (largest F − smallest F)/smallest F over the results.
func RelativeSpread(list []*mkl.Result) float64 {
	smallest, largest := math.Inf(1), 0.0
	for _, r := range list {
		smallest, largest = min(smallest, r.F), max(largest, r.F)
	}
	return (largest - smallest) / smallest
}

// Regularized returns the problem of Algorithms 4 (degree 1) and 6 (degree 2): minimize yᵀ(K_μ+λI)⁻¹y + β‖μ‖² over μ ≥
// 0. Package mkl minimizes half of it.
func Regularized(d *data.Dataset, degree int, lambda, beta float64) *mkl.Problem {
	p := Problem(d, degree, lambda, 1, 1)
	p.Set, p.Reg = set.Orthant{At: 0.1}, reg.Ridge{Beta: beta / 2}
	return p
}

// MinimizerNorms returns the threshold β₀ of Algorithm 6 in the units of the paper, and the norms ‖μ*‖ of the solutions
// for β = t·β₀, for each t in times. fromStart holds the norms for runs from the start of the set, fromZero the norms
// for runs from μ = 0.
func MinimizerNorms(ctx context.Context, d *data.Dataset, lambda float64, times []float64) (beta float64, fromStart,
	fromZero viz.Points, err error) {
	if beta, _, err = mkl.BetaZero(Regularized(d, 2, lambda, 1)); err != nil {
		return
	}
	beta *= 2
	for _, t := range times {
		p := Regularized(d, 2, lambda, beta*t)
		m, _ := p.Grams.Dims()
		for i, c := range []*viz.Points{&fromStart, &fromZero} {
			cfg := &mkl.Settings{Gap: 1e-8, Iterations: 3000}
			if i == 1 {
				cfg.Theta = make([]float64, m)
			}
			r, err := mkl.Solve(ctx, p, mkl.SPG{}, cfg)
			if err != nil {
				return beta, fromStart, fromZero, err
			}
			c.X, c.Y = append(c.X, t), append(c.Y, floats.Norm(r.Theta, 2))
		}
	}
	return beta, fromStart, fromZero, nil
}

// Value returns F of the paper at μ, or NaN if the evaluation fails.
func Value(p *mkl.Problem, mu ...float64) float64 {
	pt, err := shared.At(p, mu, 1e-12)
	if err != nil {
		return math.NaN()
	}
	return 2 * pt.F()
}

// SecondDifferences returns, at each point of a surface on a square grid, the smallest second difference along its row,
// its column and both diagonals. If the surface is convex, no value is negative. Points on the boundary of the grid get
// the value of their neighbor inside.
func SecondDifferences(z [][]float64) [][]float64 {
	n := len(z)
	inside := func(i int) int { return min(max(i, 1), n-2) }
	b := make([][]float64, n)
	for i := range b {
		b[i] = make([]float64, n)
		for j := range b[i] {
			r, c := inside(i), inside(j)
			b[i][j] = math.Inf(1)
			for _, e := range [][2]int{{0, 1}, {1, 0}, {1, 1}, {1, -1}} {
				b[i][j] = min(b[i][j], z[r+e[0]][c+e[1]]+z[r-e[0]][c-e[1]]-2*z[r][c])
			}
		}
	}
	return b
}

// NegativeShare returns the share of the entries of z that are negative, and the smallest entry, or 0 if no entry is
// negative.
func NegativeShare(z [][]float64) (share, least float64) {
	for _, row := range z {
		for _, v := range row {
			if least = min(least, v); v < 0 {
				share += 1 / float64(len(z)*len(row))
			}
		}
	}
	return share, least
}

// EigenvalueRatios computes the Hessian of F at random points of {μ₀ < μ ≤ μ₀+1}, in the coordinates μ and in the
// coordinates t with μ = μ₀ + t^{1/q}. For each Hessian it computes the smallest eigenvalue divided by the largest
// absolute eigenvalue. It returns the smallest of these ratios over the points, for μ and for t. With w = μ − μ₀ and μ'
// = dμ/dt = w^{1−q}/q:
//
//	∂²F/∂t_j∂t_k = μ'_j (∂²F/∂μ_j∂μ_k) μ'_k + δ_jk (∂F/∂μ_k)·(1−q) w_k^{1−2q}/q²
func EigenvalueRatios(p *mkl.Problem, q float64, points int, seed uint64) (mu, t float64, err error) {
	r, center := rand.New(rand.NewPCG(seed, 9)), p.Set.Traits().Ball.Center
	m := len(center)
	mu, t = math.Inf(1), math.Inf(1)
	for range points {
		w, position := make([]float64, m), slices.Clone(center)
		for k := range w {
			w[k] = 1 - r.Float64()
		}
		floats.Add(position, w)
		h, err := check.Curvature(p, position)
		if err != nil {
			return 0, 0, err
		}
		pt, err := shared.At(p, position, 1e-12)
		if err != nil {
			return 0, 0, err
		}
		g := pt.Grad()
		inT := mat.NewSymDense(m, nil)
		for j := range m {
			for k := range j + 1 {
				inT.SetSym(j, k, h.At(j, k)*math.Pow(w[j]*w[k], 1-q)/(q*q))
			}
			inT.SetSym(j, j, inT.At(j, j)+g[j]*(1-q)*math.Pow(w[j], 1-2*q)/(q*q))
		}
		mu, t = min(mu, leastEigenvalueRatio(h)), min(t, leastEigenvalueRatio(inT))
	}
	return mu, t, nil
}

// leastEigenvalueRatio returns the smallest eigenvalue of h divided by the largest absolute eigenvalue.
func leastEigenvalueRatio(h *mat.SymDense) float64 {
	var e mat.EigenSym
	e.Factorize(h, false)
	v := e.Values(nil)
	return v[0] / floats.Norm(v, math.Inf(1))
}
