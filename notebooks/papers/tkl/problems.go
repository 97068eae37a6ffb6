package tkl

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/mklnb/mkl/algos/kernel/tessellated"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/notebooks/papers/shared"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// machine returns the hinge loss for the labels of d, or the ε-insensitive loss for its real targets.
func lossOf(d *data.Dataset, c, epsilon float64) loss.Loss {
	if d.Classes == nil {
		return loss.EpsilonInsensitive{C: c, Epsilon: epsilon}
	}
	return loss.Hinge{C: c}
}

// Problem returns the problem of learning P with tr P = trace, for the labels of d, or for its real targets with ε =
// 0.1.
func Problem(d *data.Dataset, f tessellated.Family, trace, c float64) *mkl.Problem {
	return &mkl.Problem{Grams: f.On(d.X), Set: set.Spectraplex{Trace: trace}, Loss: lossOf(d, c, 0.1), Y: d.Y}
}

// Subset returns n points of d: evenly spaced for seed 0, random for other seeds.
func Subset(d *data.Dataset, n int, seed uint64) *data.Dataset {
	rows := make([]int, min(n, d.Len()))
	for i := range rows {
		rows[i] = i * d.Len() / len(rows)
	}
	if seed > 0 {
		rows = rand.New(rand.NewPCG(seed, 's')).Perm(d.Len())[:len(rows)]
	}
	return selectRows(d, rows)
}

// Predictor is a learned function.
type Predictor func(z points.Points) []float64

// FirstPoints returns the first n training points of Truth.
func FirstPoints(name string, n int, seed uint64) *data.Dataset {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return selectRows(Truth(name, seed), rows)
}

// Ratios holds λ₂/λ₁ of P* and of D at P*, and the relative gap of P*.
type Ratios struct{ P, D, Gap float64 }

// Solved minimizes F by SPG to a relative gap of 1e-4, in at most some steps, and returns the ratios at the minimum.
func Solved(p *mkl.Problem, steps int) (Ratios, error) {
	settings := &mkl.Settings{Gap: 1e-4, Iterations: steps}
	r, err := mkl.Solve(context.Background(), p, mkl.SPG{Force: true}, settings)
	if err != nil {
		return Ratios{}, err
	}
	pt, err := shared.At(p, r.Theta, 1e-10)
	if err != nil {
		return Ratios{}, err
	}
	ofP, _ := LeadingEigenvector(r.Theta)
	ofD, _ := LeadingEigenvector(floats.ScaleTo(make([]float64, len(r.Theta)), -2, pt.Grad())) // the gradient is −½D
	return Ratios{ofP[1] / ofP[0], ofD[1] / ofD[0], r.RelativeGap()}, nil
}

// ChordGap returns the excess of f over its chord from a to b at the midpoint. It is not positive if f is convex.
func ChordGap(f func(x []float64) float64, a, b []float64) float64 {
	middle := make([]float64, len(a))
	floats.AddTo(middle, a, b)
	floats.Scale(0.5, middle)
	return f(middle) - (f(a)+f(b))/2
}

// Predicted returns Σ_i w_i k(z, x_i) for the points of d by the closed form, with features scaled to [0, 1] by their
// least and greatest values on d, and the box [−½, 1½]. It is f(z) up to a constant.
func Predicted(f tessellated.Family, d *data.Dataset, z, w, p []float64) (sum float64) {
	x := points.MustAs[points.Rows](d.X)
	scaled := func(v []float64) []float64 {
		u := make([]float64, x.D)
		for j := range u {
			least, greatest := math.Inf(1), math.Inf(-1)
			for i := range x.N {
				least, greatest = min(least, x.Row(i)[j]), max(greatest, x.Row(i)[j])
			}
			u[j] = (v[j] - least) / (greatest - least)
		}
		return u
	}
	to := scaled(z)
	for i, a := range w {
		if a != 0 {
			sum += a * Value(f, p, -0.5, 1.5, to, scaled(x.Row(i)))
		}
	}
	return sum
}

// UpperShare returns the share of the half of N with 1{z ≥ x} in the trace of the centered kernel of f on x at P = I.
func UpperShare(f tessellated.Family, x points.Points) float64 {
	g := f.On(x)
	rows, _ := g.Shape()
	first, all := make([]float64, rows*rows), Identity(rows)
	copy(first, all[:len(all)/2])
	trace := func(p []float64) float64 {
		k := g.New()
		k.At(p)
		return mat.Trace(k.K())
	}
	return trace(first) / trace(all)
}

// At evaluates p at (1−η)P₀ + ηS to a relative gap of 1e-12. P₀ is the center, and S is the vertex of the first
// Frank–Wolfe step.
func At(p *mkl.Problem, eta float64) (pt *mkl.Point, s []float64, err error) {
	first, pt := p.NewPoint(), p.NewPoint()
	p.Set.Start(first.Theta)
	if err := first.Evaluate(nil, 1e-12); err != nil {
		return nil, nil, err
	}
	s = make([]float64, len(first.Theta))
	p.Set.Minimize(s, first.Grad())
	for i := range s {
		pt.Theta[i] = (1-eta)*first.Theta[i] + eta*s[i]
	}
	return pt, s, pt.Evaluate(nil, 1e-12)
}
