package main

import (
	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data/datasets"

	"gonum.org/v1/gonum/mat"
)

// table1Tasks returns one task for each of three rows (datasets) of Table 1 of Cortes et al., Learning non-linear
// combinations of kernels, NIPS 2009. Each task compares linear and quadratic kernels with uniform weights and with
// weights learned on ‖θ − 1‖₁ ≤ Λ and ‖θ − 1‖₂ ≤ Λ. Go runs a worker on each thread. Numpy runs on one thread, because
// it is slower with two threads on small matrices.
func table1Tasks() (all []task) {
	for _, dataset := range []string{"sonar", "ionosphere", "breast-wisconsin"} {
		all = append(all, task{name: "table1 " + dataset, maxRounds: 3,
			description: "computes a row (six columns) of Table 1 of Cortes et al. (2009) on 6 random halves of the " +
				"data (30 in the paper); test RMSE",
			prepare: func(b *bench) *workload { return prepareCortesTable1(b, dataset) }})
	}
	return all
}

// prepareCortesTable1 follows the protocol of Cortes et al.: 10-fold cross-validation over 15 ridge parameters λ and 4
// radii Λ. For learned weights, it tries only λ within 1.3 decades of the λ chosen for uniform weights.
func prepareCortesTable1(b *bench, dataset string) *workload {
	const halves, folds, seed = 6, 10, 1
	const decades, gap = 1.3, 1e-3
	d := must(datasets.Load(dataset))
	splits := must(fit.Halves(d.Y, halves, seed))
	x := *d
	rows := points.ToRows(must(points.Preprocessing{points.MinMax, points.CenterRows}.Fit(d.X)).Apply(d.X))
	x.X, x.Y, x.Classes = rows, subtractMean(append([]float64{}, d.Y...)), nil
	lambdas := fit.HalfDecades(-3, 4)
	s := &compare.Study{Data: &x,
		Settings: fit.Settings{Seed: seed, UncenteredTargets: true, // they are centered above, as in the paper
			Selection: fit.Selection{Folds: folds, OnAllData: true}}, Splits: splits}
	q, radii := []float64{1, 2}, [][]float64{{1, 5, 25, 125}, {0.5, 2, 8, 32}}
	for i, base := range []string{"linear", "quadratic"} {
		f := kernel.Features{Degree: i + 1}
		s.Methods = append(s.Methods, fit.Method{Name: base, Fitter: fit.Search{Family: f,
			Grid: fit.Grid{fit.Ridge(lambdas...), fit.Sets(set.Orthant{}), fit.Rules(mkl.Uniform{})}}})
		for j, norm := range []string{" l1", " l2"} {
			s.Methods = append(s.Methods, fit.Method{Name: base + norm, Fitter: fit.Search{Family: f, Gap: gap,
				Grid: fit.Grid{fit.Ridge(lambdas...).WithinDecades(base, decades), fit.Balls(q[j], 1,
					radii[j]...)}}})
		}
	}
	foldOfRow := make([]float64, rows.N)
	for k, p := range must(fit.KFold(x.Y, folds, seed)) { // the folds of the study
		for _, i := range p.Test {
			foldOfRow[i] = float64(k)
		}
	}
	var t *compare.Table
	return &workload{
		callsPerTiming: 1,
		goImplementations: []implementation{newGoImplementation("Go", func() (err error) {
			t, err = s.Run(b.ctx, nil)
			return err
		}, func() (means []float64) {
			for _, row := range t.Rows {
				means = append(means, t.Summary(row.Method, model.RMSE).Mean)
			}
			return means
		})},
		input: map[string]mat.Matrix{"X": mat.NewDense(rows.N, rows.D, rows.Data), "y": newVector(x.Y),
			"fold": newVector(foldOfRow), "train": trainingIndicators(splits, rows.N)},
		args: map[string]any{"lambdas": lambdas, "gap": gap, "within": decades,
			"balls": []any{[]any{q[0], radii[0]}, []any{q[1], radii[1]}}},
		peers: []peer{{env: "numpy", program: "table1", label: "numpy, the same protocol, one thread", threads: 1}},
		evaluate: func(r, _ []float64) Quality {
			q := Quality{}
			for i, m := range s.Methods {
				q[m.Name] = r[i]
			}
			return q
		},
	}
}
