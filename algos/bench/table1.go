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

// The protocol of Table 1 of Cortes et al., Learning non-linear combinations of kernels, NIPS 2009:
// 10 folds over 15 λ and 4 Λ, λ within 1.3 decades of that of uniform weights; of the paper's 30
// halves a subset.
const (
	halves, folds, seed = 6, 10, 1
	within, gap1        = 1.3, 1e-3
)

// table1Tasks are rows of that table: linear and quadratic kernels, uniform weights and weights
// learned on ‖θ − 1‖₁ ≤ Λ and ‖θ − 1‖₂ ≤ Λ. Go has a worker for each thread; numpy, which small
// matrices make slower with two threads, has one.
func table1Tasks() (all []task) {
	for _, name := range []string{"sonar", "ionosphere", "breast-wisconsin"} {
		all = append(all, task{name: "table1 " + name, rounds: 3, about: "Table 1 of Cortes et al. (2009), a row of six columns, 6 halves of the paper's 30; test RMSE",
			make: func(ctx context.Context, b *bench) (*work, error) { return table1(ctx, b, name) }})
	}
	return all
}

func table1(ctx context.Context, b *bench, name string) (*work, error) {
	d, err := data.Load(name)
	if err != nil {
		return nil, err
	}
	splits, err := study.Halves(d.Y, halves, seed)
	if err != nil {
		return nil, err
	}
	fit, err := kernel.Prepare{kernel.MinMax, kernel.CentreRows}.Fit(d.X)
	if err != nil {
		return nil, err
	}
	x := *d
	rows := fit.Apply(d.X).(kernel.Rows)
	x.X, x.Y, x.Classes = rows, append([]float64{}, d.Y...), nil
	floats.AddConst(-stat.Mean(x.Y, nil), x.Y)
	lambdas := study.HalfDecades(-3, 4)
	s := &study.Study{Data: &x, Splits: splits, Selection: study.Selection{Folds: folds, Once: true}, Seed: seed}
	balls := []struct {
		q     float64
		radii []float64
	}{{1, []float64{1, 5, 25, 125}}, {2, []float64{0.5, 2, 8, 32}}}
	for i, base := range []string{"linear", "quadratic"} {
		f := kernel.Features{Degree: i + 1}
		s.Methods = append(s.Methods, study.Method{Name: base, Family: f, Grid: study.Grid{study.Ridge(lambdas...), study.Sets(set.Orthant{}), study.Rules(mkl.Uniform{})}})
		for j, norm := range []string{" l1", " l2"} {
			s.Methods = append(s.Methods, study.Method{Name: base + norm, Family: f, Gap: gap1,
				Grid: study.Grid{study.Ridge(lambdas...).Near(base, within), study.Balls(balls[j].q, 1, balls[j].radii...)}})
		}
	}
	parts, err := study.KFold(x.Y, folds, seed) // as the study does
	if err != nil {
		return nil, err
	}
	fold, train := make([]int, rows.N), make([]int, halves*rows.N)
	for k, p := range parts {
		for _, i := range p.Test {
			fold[i] = k
		}
	}
	for k, p := range splits {
		for _, i := range p.Train {
			train[k*rows.N+i] = 1
		}
	}
	files, err := b.save("table1", map[string]array{"X": matrix(rows.N, rows.D, rows.Data), "y": vector(x.Y), "fold": whole(fold),
		"train": {shape: []int{halves, rows.N}, wholes: train}})
	if err != nil {
		return nil, err
	}
	var grid [][]any
	for _, ball := range balls {
		grid = append(grid, []any{ball.q, ball.radii})
	}
	var t *study.Table
	return &work{
		calls: 1,
		sides: append([]entry{ours("Go", func() (err error) {
			t, err = s.Run(ctx, nil)
			return err
		}, func() (means []float64) {
			for _, row := range t.Rows {
				means = append(means, t.Summary(row.Method, study.RMSE).Mean)
			}
			return means
		})}, b.against(files, map[string]any{"lambdas": lambdas, "gap": gap1, "balls": grid, "within": within},
			peer{env: "numpy", program: "table1", label: "numpy, the same protocol, one thread", threads: 1})...),
		judge: func(r, _ []float64) Quality {
			q := Quality{}
			for i, m := range s.Methods {
				q[m.Name] = r[i]
			}
			return q
		},
	}, nil
}
