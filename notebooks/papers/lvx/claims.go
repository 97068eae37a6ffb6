package lvx

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/mklnb/mkl/algos/check"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/viz"

	"gonum.org/v1/gonum/floats"
)

// Curvature is λ^power times the second derivative of F at (½, ½) along (1, −1) for each λ, of the problem Two, in
// units of its largest size.
func Curvature(y []float64, k [2][]float64, power float64, lambdas []float64) (viz.Points, error) {
	c := viz.Points{X: lambdas}
	for _, lambda := range lambdas {
		second, err := Along(Two(lambda, y, k))
		if err != nil {
			return c, err
		}
		c.Y = append(c.Y, math.Pow(lambda, power)*second)
	}
	floats.Scale(1/floats.Norm(c.Y, math.Inf(1)), c.Y)
	return c, nil
}

// Decades are per·(to−from)+1 numbers from 10^from to 10^to, evenly on a logarithmic axis.
func Decades(from, to, per int) []float64 {
	var list []float64
	for i := range per*(to-from) + 1 {
		list = append(list, math.Pow(10, float64(from)+float64(i)/float64(per)))
	}
	return list
}

// Starts runs s on p, whose set is a ball, from random points of Θ with μ ≥ μ₀, and returns what each run found.
func Starts(ctx context.Context, p *mkl.Problem, s mkl.Solver, count int, gap float64, seed uint64) ([]*mkl.Result,
	error) {
	r := rand.New(rand.NewPCG(seed, 6))
	m, _ := p.Grams.Dims()
	ball, ok := p.Set.(set.Ball)
	if !ok {
		return nil, fmt.Errorf("lvx: starts in a %T, want a set.Ball", p.Set)
	}
	var list []*mkl.Result
	for range count {
		theta := make([]float64, m) // on the sphere, with θ ≥ μ₀
		for k := range theta {
			theta[k] = math.Abs(r.NormFloat64()) * math.Abs(r.NormFloat64())
		}
		if ball.Center != nil {
			floats.Add(theta, ball.Center)
		}
		mkl.Sphere{Radius: ball.Radius, Center: ball.Center}.Fold(theta, theta)
		run, err := mkl.Solve(ctx, p, s, &mkl.Settings{Gap: gap, Theta: theta, Iterations: 2000})
		if err != nil {
			return nil, err
		}
		list = append(list, run)
	}
	return list, nil
}

// Spread is (largest − smallest)/smallest value of F, and the largest distance of a solution from the best one in
// units of its norm.
func Spread(list []*mkl.Result) (f, theta float64) {
	best := list[0]
	top := best.F
	for _, r := range list {
		if top = math.Max(top, r.F); r.F < best.F {
			best = r
		}
	}
	for _, r := range list {
		theta = math.Max(theta, floats.Distance(r.Theta, best.Theta, 2)/floats.Norm(best.Theta, 2))
	}
	return (top - best.F) / best.F, theta
}

// Regularised is the problem of Algorithms 4 (degree 1) and 6 (degree 2): min over μ ≥ 0 of yᵀ(K_μ+λI)⁻¹y + β‖μ‖²,
// halved.
func Regularised(d *data.Dataset, degree int, lambda, beta float64) *mkl.Problem {
	p := On(d, degree, lambda, 1, 1)
	p.Set, p.Reg = set.Orthant{At: 0.1}, reg.Ridge{Beta: beta / 2}
	return p
}

// Norms are ‖μ*‖ of Algorithm 6 for β from below to above the threshold β₀, started at the set's start and at 0.
func Norms(ctx context.Context, d *data.Dataset, lambda float64, times []float64) (inside, zero viz.Points, err error) {
	beta, _, err := mkl.BetaZero(Regularised(d, 2, lambda, 1))
	if err != nil {
		return
	}
	for _, t := range times {
		p := Regularised(d, 2, lambda, 2*beta*t)
		m, _ := p.Grams.Dims()
		for i, c := range []*viz.Points{&inside, &zero} {
			cfg := &mkl.Settings{Gap: 1e-8, Iterations: 3000}
			if i == 1 {
				cfg.Theta = make([]float64, m)
			}
			r, err := mkl.Solve(ctx, p, mkl.SPG{}, cfg)
			if err != nil {
				return inside, zero, err
			}
			c.X, c.Y = append(c.X, t), append(c.Y, floats.Norm(r.Theta, 2))
		}
	}
	return inside, zero, nil
}

// Signs is three steps of line 6 of Algorithm 6 as printed, μ + 2η(βμ − αᵀUα), and as read, μ − 2η(…), with
// max(·, 0): the values of F on the way.
func Signs(d *Dense, mu []float64, eta float64, steps int) (printed, read []float64) {
	walk := func(eta float64) (f []float64) {
		at := slices.Clone(mu)
		for range steps + 1 {
			f = append(f, d.F(at))
			a, s := d.Alpha(at), d.Sum(at)
			for k := range at {
				at[k] = math.Max(at[k]+2*eta*(d.Beta*at[k]-Form(a, Hadamard(s, d.K[k]))), 0)
			}
		}
		return f
	}
	return walk(eta), walk(-eta)
}

// Circle is F of p on the great circle through θ with the velocity ξ on the sphere s, and its second difference at 0.
func Circle(p *mkl.Problem, s mkl.Sphere, theta, xi []float64) (float64, error) {
	m := len(theta)
	v := make([]float64, m)
	floats.SubTo(v, theta, s.Center)
	speed := floats.Norm(xi, 2) / s.Radius
	const h = 1e-3
	sum := 0.0
	for _, c := range []struct{ t, weight float64 }{{h, 1}, {0, -2}, {-h, 1}} {
		at := make([]float64, m)
		for k := range at {
			at[k] = s.Center[k] + math.Cos(c.t*speed)*v[k] + math.Sin(c.t*speed)/speed*xi[k]
		}
		pt, err := At(p, at)
		if err != nil {
			return 0, err
		}
		sum += c.weight * 2 * pt.F()
	}
	return sum / (h * h), nil
}

// Complexities compares the Rademacher average with the bounds of Theorem 2.3 for the first m features of d, with
// unit diagonals, for several m.
func Complexities(d *data.Dataset, degree int, ms []int, draws int, seed uint64) (viz.Figure, []check.Rademacher,
	error) {
	var mean, bound, sharp viz.Pairs
	var list []check.Rademacher
	for _, m := range ms {
		x, err := d.Columns(kernel.AllPlaces(m)...)
		if err != nil {
			return viz.Figure{}, nil, err
		}
		r, err := check.Complexity(Scaled(degree, false).On(x.X), draws, seed)
		if err != nil {
			return viz.Figure{}, nil, err
		}
		list = append(list, r)
		p := float64(m)
		mean, bound, sharp = append(mean, [2]float64{p, r.Mean}), append(bound, [2]float64{p, r.Bound}),
			append(sharp, [2]float64{p, r.Sharper})
	}
	lines := []viz.Line{{Name: "Monte Carlo", XYs: mean}, {Name: "Theorem 2.3", XYs: bound}}
	if degree == 1 {
		lines = append(lines, viz.Line{Name: "by traces", XYs: sharp})
	}
	f := viz.LogLines(fmt.Sprintf("d = %d", degree), "", lines...).WithAxes("base kernels p",
		"Rademacher average").WithLogX()
	return f, list, nil
}

// Thresholds are β₀ of Algorithm 6 in the paper's units for each λ.
func Thresholds(d *data.Dataset, lambdas ...float64) ([]float64, error) {
	var list []float64
	for _, lambda := range lambdas {
		beta, _, err := mkl.BetaZero(Regularised(d, 2, lambda, 1))
		if err != nil {
			return nil, err
		}
		list = append(list, 2*beta)
	}
	return list, nil
}

// Outward is the printed retraction (37), (μ+ξ)/‖μ+ξ‖.
func Outward(mu, xi []float64) []float64 {
	r := make([]float64, len(mu))
	floats.AddTo(r, mu, xi)
	floats.Scale(1/floats.Norm(r, 2), r)
	return r
}
