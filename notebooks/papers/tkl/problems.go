package tkl

import (
	"context"

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

// lossOf returns the loss for d: the hinge loss for labels, or the ε-insensitive loss for real targets.
func lossOf(d *data.Dataset, c, epsilon float64) loss.Loss {
	if d.Classes == nil {
		return loss.EpsilonInsensitive{C: c, Epsilon: epsilon}
	}
	return loss.Hinge{C: c}
}

// Problem returns the problem of learning P with tr P = trace on d. The loss is the hinge loss for labels; for real
// targets it is the ε-insensitive loss with ε = 0.1.
func Problem(d *data.Dataset, f tessellated.Family, trace, c float64) *mkl.Problem {
	return &mkl.Problem{Grams: f.Bind(d.X), Set: set.Spectraplex{Trace: trace}, Loss: lossOf(d, c, 0.1), Y: d.Y}
}

// FirstPoints returns the first n training points of Truth.
func FirstPoints(name string, n int, seed uint64) *data.Dataset {
	return shared.SelectRows(Truth(name, seed), points.AllIndices(n))
}

// Ratios holds λ₂/λ₁, the second largest eigenvalue divided by the largest, of P* and of D at P*, and the relative gap.
// P* is the minimum of F over P, and the gradient of F by P is −½D.
type Ratios struct{ P, D, Gap float64 }

// RatiosAtMinimum minimizes F by SPG to a relative gap of 1e-4, in at most steps steps, and returns the ratios of
// eigenvalues at the minimum.
func RatiosAtMinimum(p *mkl.Problem, steps int) (Ratios, error) {
	settings := &mkl.Settings{Gap: 1e-4, Iterations: steps}
	r, err := mkl.Solve(context.Background(), p, mkl.SPG{Force: true}, settings)
	if err != nil {
		return Ratios{}, err
	}
	pt, err := shared.EvaluateAt(p, r.Theta, 1e-10)
	if err != nil {
		return Ratios{}, err
	}
	ofP, _ := LeadingEigenvector(r.Theta)
	ofD, _ := LeadingEigenvector(floats.ScaleTo(make([]float64, len(r.Theta)), -2, pt.Grad()))
	return Ratios{ofP[1] / ofP[0], ofD[1] / ofD[0], r.RelativeGap()}, nil
}

// UpperShare returns the share of the first half of N (see Integrand), which has the indicator 1{z ≥ x}, in the trace
// of the centered kernel matrix of f on x with P = I.
func UpperShare(f tessellated.Family, x points.Points) float64 {
	g := f.Bind(x)
	rows, _ := g.Shape()
	firstHalf, identity := make([]float64, rows*rows), Identity(rows)
	copy(firstHalf, identity[:len(identity)/2])
	trace := func(p []float64) float64 {
		k := g.New()
		k.SetTheta(p)
		return mat.Trace(k.K())
	}
	return trace(firstHalf) / trace(identity)
}

// EvaluateStep evaluates p at (1−η)P₀ + ηS to a relative gap of 1e-12 and returns the evaluated point and S. P₀ is the
// start of the set. S is the vertex toward which the first Frank–Wolfe step goes.
func EvaluateStep(p *mkl.Problem, eta float64) (pt *mkl.Point, s []float64, err error) {
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
