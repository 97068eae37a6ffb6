package main

import (
	"context"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/algos/study"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// table1Halves is a subset of the 30 halves of the paper.
const table1Halves = 6

// table1Tasks are rows of Table 1 of Cortes et al., Learning non-linear combinations of kernels,
// NIPS 2009: linear and quadratic kernels, uniform weights and weights learned on ‖θ − 1‖₁ ≤ Λ and
// ‖θ − 1‖₂ ≤ Λ; λ and Λ chosen by 10-fold cross-validation over 15 × 4 values.
func table1Tasks() (all []task) {
	for _, name := range []string{"sonar", "ionosphere", "breast-wisconsin"} {
		all = append(all, task{name: "table1 " + name, serial: true, rounds: 3, about: "Table 1 of Cortes et al. (2009), a row of six columns, 6 halves of the paper's 30; test RMSE",
			make: func(ctx context.Context, _ *bench) (*work, error) { return table1(ctx, name) }})
	}
	return all
}

func table1(ctx context.Context, name string) (*work, error) {
	d, err := data.Load(name)
	if err != nil {
		return nil, err
	}
	splits, err := study.Halves(d.Y, table1Halves, 1)
	if err != nil {
		return nil, err
	}
	fit, err := kernel.Prepare{kernel.MinMax, kernel.CentreRows}.Fit(d.X)
	if err != nil {
		return nil, err
	}
	x := *d
	x.X, x.Y, x.Classes = fit.Apply(d.X), append([]float64{}, d.Y...), nil
	floats.AddConst(-stat.Mean(x.Y, nil), x.Y)
	s := &study.Study{Data: &x, Splits: splits, Selection: study.Selection{Once: true}, Seed: 1}
	for degree, word := range []string{1: "linear", 2: "quadratic"} {
		if degree == 0 {
			continue
		}
		f, base, lambdas := kernel.Features{Degree: degree}, word, study.HalfDecades(-3, 4)
		s.Methods = append(s.Methods, study.Method{Name: base, Family: f, Rule: mkl.Uniform{}, Set: set.Orthant{}, Lambdas: lambdas},
			study.Method{Name: word + " l1", Family: f, Balls: study.Balls{Q: 1, Center: 1, Radii: []float64{1, 5, 25, 125}},
				Lambdas: lambdas, Near: base, Within: 1.3, Gap: 1e-3},
			study.Method{Name: word + " l2", Family: f, Balls: study.Balls{Q: 2, Center: 1, Radii: []float64{0.5, 2, 8, 32}},
				Lambdas: lambdas, Near: base, Within: 1.3, Gap: 1e-3})
	}
	var t *study.Table
	return &work{
		calls: 1,
		sides: []entry{ours("Go", func() (err error) {
			t, err = s.Run(ctx, nil)
			return err
		}, func() (means []float64) {
			for _, row := range t.Rows {
				means = append(means, t.Summary(row.Method, study.RMSE).Mean)
			}
			return means
		})},
		judge: func(r, _ []float64) Quality {
			q := Quality{}
			for i, row := range t.Rows {
				q[row.Method] = r[i]
			}
			return q
		},
	}, nil
}
