package nkrr

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/algos/study"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// Chosen is what cross-validation chose for a method.
type Chosen struct {
	Lambda, Radius float64 // Radius is 0 of fixed weights
	Edge           bool    // λ is at an end of its grid
}

// choose cross-validates a method on some points of d, and returns it with what was chosen as its grid.
// Of fixed weights the radii are nil: θ = 1.
func choose(ctx context.Context, d *data.Dataset, f kernel.Family, q float64, radii, lambdas []float64, points []int, folds int, seed uint64) (study.Method, Chosen, error) {
	part, err := d.Slice(points)
	if err != nil {
		return study.Method{}, Chosen{}, err
	}
	m := study.Method{Family: f, Grid: study.Grid{study.Ridge(lambdas...).Growing(6), weights(q, radii)}}
	if radii == nil {
		m.Grid = append(m.Grid, study.Rules(mkl.Uniform{}))
	}
	p := &mkl.Problem{Grams: f.On(part.X), Set: set.Orthant{}, Loss: loss.Squared{Lambda: 1}, Y: part.Y}
	c, err := study.CrossValidate(ctx, p, m, study.Selection{Folds: folds}, seed)
	if err != nil {
		return m, Chosen{}, err
	}
	how := Chosen{Edge: c.Edge}
	_, how.Lambda = c.Chosen.Loss.(loss.Squared).Constant()
	if ball, ok := c.Chosen.Set.(set.Ball); ok {
		how.Radius, radii = ball.Radius, []float64{ball.Radius}
	}
	m.Grid[0], m.Grid[1] = study.Ridge(how.Lambda), weights(q, radii)
	return m, how, nil
}

// weights is the q-norm balls about 1 of these radii, or, of none, the orthant, which starts at θ = 1.
func weights(q float64, radii []float64) study.Axis {
	if radii == nil {
		return study.Sets(set.Orthant{})
	}
	return study.Balls(q, 1, radii...)
}

// draw returns k of the numbers in from, by the seed, ascending.
func draw(from []int, k int, seed uint64) []int {
	s := slices.Clone(from)
	r := rand.New(rand.NewPCG(seed, 'n'))
	r.Shuffle(len(s), func(i, j int) { s[i], s[j] = s[j], s[i] })
	s = s[:min(k, len(s))]
	slices.Sort(s)
	return s
}

// UpTo is 0 … n−1.
func UpTo(n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = i
	}
	return s
}

// Result is one point of Figure 2 or 3: a method's error over repetitions.
type Result struct {
	Data     string
	Method   string // "quadratic ℓ2", "degree 4 learned"
	X        int    // bigrams, or the subsampling factor
	Points   int    // trained on
	Mean, SD float64
	Diff     float64 // mean paired difference to fixed weights, 0 of those
	DiffSD   float64 // its standard deviation over repetitions, 0 of one
	Chosen   Chosen
	Steps    int // of the slowest solve
	Proof    string
}

// repeat runs methods of one kind, the fixed weights first, on the splits and sums up.
func repeat(ctx context.Context, s *study.Study, x int, how []Chosen) ([]Result, error) {
	t, err := s.Run(ctx, nil)
	if err != nil {
		return nil, err
	}
	var list []Result
	for k, row := range t.Rows {
		sum := t.Summary(row.Method, study.RMSE)
		r := Result{Data: t.Data, Method: row.Method, X: x, Points: t.Train, Mean: round(sum.Mean), SD: round(sum.SD), Chosen: how[k], Proof: proof(&row)}
		if base := t.Rows[0].Method; k > 0 && base != row.Method {
			d := t.Values(row.Method, study.RMSE)
			floats.Sub(d, t.Values(base, study.RMSE))
			mean, sd := stat.MeanStdDev(d, nil)
			r.Diff, r.DiffSD = round(mean), round(sd)
		}
		list = append(list, r)
	}
	return list, nil
}

// round is v to five decimals, 0 where there is none.
func round(v float64) float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return 0
	}
	return math.Round(v*1e5) / 1e5
}

// steps is how many steps SPG takes to a relative gap of 1e-3 on some points, with what was chosen.
func steps(ctx context.Context, d *data.Dataset, f kernel.Family, q float64, how Chosen, points []int) (int, error) {
	part, err := d.Slice(points)
	if err != nil {
		return 0, err
	}
	p := Problem(part, f, q, how.Radius, how.Lambda)
	r, err := mkl.Solve(ctx, p, mkl.SPG{}, &mkl.Settings{Gap: 1e-3, Iterations: 500})
	if err != nil {
		return 0, fmt.Errorf("nkrr: %w", err)
	}
	return len(r.Trace) - 1, nil
}
