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
	"github.com/mklnb/mkl/notebooks/papers/kept"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// Result is one point of Figure 2 or 3: a method's error over repetitions.
type Result struct {
	Data     string
	Method   string // "ℓ2", "degree 4 learned"
	X        int    // bigrams, or the subsampling factor
	Points   int    // trained on
	Mean, SD float64
	Diff     float64 // mean paired difference to fixed weights, 0 of those
	DiffSD   float64 // its standard deviation over repetitions, 0 of one
	Chosen   Chosen
	Steps    int // to learn weights on the first training part
	Proof    string
}

// Chosen is what cross-validation chose for a method.
type Chosen struct {
	Lambda, Radius float64 // Radius is 0 of fixed weights
	Edge           bool    // λ is at an end of its grid
}

// candidate is a method before λ and Λ are chosen: fixed weights 1 where radii are nil, else weights learned on a
// q-norm ball about 1.
type candidate struct {
	name           string
	family         kernel.Features
	q              float64
	radii, lambdas []float64
}

// grid is what is tried: q-norm balls about 1 of the radii, or, of none, the orthant, where the start, θ = 1, is taken.
func (c candidate) grid() study.Grid {
	lambdas := study.Ridge(c.lambdas...)
	if c.radii == nil {
		return study.Grid{lambdas, study.Sets(set.Orthant{}), study.Rules(mkl.Uniform{})}
	}
	return study.Grid{lambdas, study.Balls(c.q, 1, c.radii...)}
}

// experiment is methods of one kind on the same splits, at one place of a figure's axis.
type experiment struct {
	study.Study
	x      int
	chosen []Chosen
	asked  []candidate
}

// add chooses λ and Λ of a method by folds on some of the points. The search for λ goes on beyond an end that is
// chosen.
func (e *experiment) add(ctx context.Context, c candidate, points []int, folds int) error {
	part, err := e.Data.Slice(points)
	if err != nil {
		return err
	}
	search := c.grid()
	search[0] = study.Ridge(c.lambdas...).Growing(6)
	p := &mkl.Problem{Grams: c.family.On(part.X), Set: set.Orthant{}, Loss: loss.Squared{Lambda: 1}, Y: part.Y}
	curve, err := study.CrossValidate(ctx, p, study.Method{Family: c.family, Grid: search},
		study.Selection{Folds: folds}, e.Seed)
	if err != nil {
		return fmt.Errorf("%s: %w", c.name, err)
	}
	chosen := Chosen{Edge: curve.Edge, Lambda: curve.Chosen.Loss.(loss.Squared).Lambda}
	c.lambdas = []float64{chosen.Lambda}
	if ball, ok := curve.Chosen.Set.(set.Ball); ok {
		chosen.Radius, c.radii = ball.Radius, []float64{ball.Radius}
	}
	e.Methods = append(e.Methods, study.Method{Name: c.name, Family: c.family, Grid: c.grid()})
	e.chosen, e.asked = append(e.chosen, chosen), append(e.asked, c)
	return nil
}

// results runs the methods, the fixed weights first, on the splits and sums up.
func (e *experiment) results(ctx context.Context) (list []Result, err error) {
	t, err := e.Run(ctx, nil)
	if err != nil {
		return nil, err
	}
	for k, row := range t.Rows {
		sum := t.Summary(row.Method, study.RMSE)
		r := Result{Data: t.Data, Method: row.Method, X: e.x, Points: t.Train, Mean: round(sum.Mean),
			SD: round(sum.SD), Chosen: e.chosen[k], Proof: kept.Proof(&row)}
		if k > 0 {
			d := t.Values(row.Method, study.RMSE)
			floats.Sub(d, t.Values(t.Rows[0].Method, study.RMSE))
			mean, sd := stat.MeanStdDev(d, nil)
			r.Diff, r.DiffSD = round(mean), round(sd)
			if r.Steps, err = e.steps(ctx, e.asked[k]); err != nil {
				return nil, err
			}
		}
		list = append(list, r)
	}
	return list, nil
}

// steps is how many steps SPG takes to a relative gap of 1e-3 on the first training part, with what was chosen.
func (e *experiment) steps(ctx context.Context, c candidate) (int, error) {
	part, err := e.Data.Slice(e.Splits[0].Train)
	if err != nil {
		return 0, err
	}
	p := Problem(part, c.family, c.q, c.radii[0], c.lambdas[0])
	r, err := mkl.Solve(ctx, p, mkl.SPG{}, &mkl.Settings{Gap: 1e-3, Iterations: 500})
	if err != nil {
		return 0, fmt.Errorf("nkrr: %w", err)
	}
	return len(r.Trace) - 1, nil
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

// round is v to five decimals, 0 where there is none.
func round(v float64) float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return 0
	}
	return math.Round(v*1e5) / 1e5
}

// centred is d with targets less their mean.
func centred(d *data.Dataset) *data.Dataset {
	c := *d
	c.Y = slices.Clone(d.Y)
	floats.AddConst(-stat.Mean(d.Y, nil), c.Y)
	return &c
}
