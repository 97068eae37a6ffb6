package lvx

import (
	"context"
	"fmt"
	"slices"

	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/algos/study"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/notebooks/papers/kept"
	"github.com/mklnb/mkl/viz"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// Columns are the methods of Tables 1 to 4 that can be reproduced, in the order of Tables 2 and 4. PGD and IIA of
// degree 1 minimise the same function, and are one column. What BM is, the paper does not say.
var Columns = []string{"IIA = PGD, d=1", "PGD, d=2", "rIIA = rPGD, d=1", "rPGD, d=2", "UNIF"}

// Printed is what the paper prints: cross-validation (Tables 1 and 3), then RMSE and misclassified share on the
// test halves (Tables 2 and 4); 0 where nothing is printed.
type Printed struct{ CV, RMSE, Wrong [2]float64 }

// Paper holds Tables 1 to 4 by dataset and column.
var Paper = map[string][]Printed{
	"ionosphere": {
		{[2]float64{.69, .10}, [2]float64{.82, .03}, [2]float64{.23, .03}},
		{[2]float64{.75, .13}, [2]float64{.86, .02}, [2]float64{.24, .04}},
		{[2]float64{.70, .11}, [2]float64{.83, .02}, [2]float64{.24, .02}},
		{[2]float64{.76, .15}, [2]float64{.94, .01}, [2]float64{.29, .05}},
		{[2]float64{}, [2]float64{1.11, .16}, [2]float64{.29, .06}},
	},
	"sonar": {
		{[2]float64{.80, .15}, [2]float64{.82, .03}, [2]float64{.22, .03}},
		{[2]float64{.80, .11}, [2]float64{.86, .04}, [2]float64{.26, .03}},
		{[2]float64{.82, .18}, [2]float64{.83, .02}, [2]float64{.23, .03}},
		{[2]float64{.81, .13}, [2]float64{.86, .04}, [2]float64{.25, .03}},
		{[2]float64{}, [2]float64{1.69, .02}, [2]float64{.25, .03}},
	},
}

// Protocol is the study behind Tables 1 and 2, or 3 and 4: constants by cross-validation on all the data, then
// random halves. λ from 1e-4 to 100, Λ in {0.1, 1, 10}, β in {0.001, 0.1, 1, 10} (half of it here, see reg.Ridge).
// Features are centred, and so are targets.
func Protocol(d *data.Dataset, folds, halves int, seed uint64) (*study.Study, error) {
	splits, err := study.Halves(d.Y, halves, seed)
	if err != nil {
		return nil, err
	}
	lambdas := study.Ridge(1e-4, 1e-3, 1e-2, 0.1, 1, 10, 100)
	balls, betas := study.Balls(2, 1, 0.1, 1, 10), study.Beta(0.0005, 0.05, 0.5, 5)
	free := study.Sets(set.Orthant{At: 0.1})
	s := &study.Study{Data: d, Splits: splits, Seed: seed, CentreTargets: true, Selection: study.Selection{Once: true,
		Folds: folds}}
	for i := range 2 {
		s.Methods = append(s.Methods, study.Method{Name: Columns[i], Family: Family(i + 1),
			Grid: study.Grid{lambdas, balls}})
	}
	for i := range 2 {
		s.Methods = append(s.Methods, study.Method{Name: Columns[2+i], Family: Family(i + 1),
			Grid: study.Grid{lambdas, free, betas}})
	}
	s.Methods = append(s.Methods, study.Method{Name: Columns[4], Family: Family(1),
		Grid: study.Grid{lambdas, study.Sets(set.Orthant{}), study.Rules(mkl.Uniform{})}})
	return s, nil
}

// Validated is the smallest cross-validated RMSE of each column over its grid, on all the data (Tables 1 and 3).
func Validated(ctx context.Context, d *data.Dataset, folds int, seed uint64) ([]float64, error) {
	s, err := Protocol(d, folds, 1, seed)
	if err != nil {
		return nil, err
	}
	y := slices.Clone(d.Y)
	floats.AddConst(-stat.Mean(y, nil), y)
	var list []float64
	for _, m := range s.Methods {
		p := &mkl.Problem{Grams: m.Family.On(d.X), Y: y}
		c, err := study.CrossValidate(ctx, p, m, study.Selection{Folds: folds}, seed)
		if err != nil {
			return nil, err
		}
		list = append(list, c.Error(c.Cells[c.Best]))
	}
	return list, nil
}

// Compare shows the cross-validated errors and those of the test halves beside the paper's.
func Compare(t *study.Table, cv []float64) viz.Figure {
	var rows [][]any
	for k, name := range Columns {
		s, e, p := t.Summary(name, study.RMSE), t.Summary(name, study.ErrorRate), Paper[t.Data][k]
		printed := any("–")
		if p.CV[0] > 0 {
			printed = viz.Spread(p.CV[0], p.CV[1], 2)
		}
		rows = append(rows, []any{name, printed, viz.Number(cv[k], 2), viz.Spread(p.RMSE[0], p.RMSE[1], 2),
			viz.Spread(s.Mean, s.SD, 2),
			viz.Spread(p.Wrong[0], p.Wrong[1], 2), viz.Spread(e.Mean, e.SD, 2), kept.Proof(&t.Rows[k])})
	}
	return viz.Table(fmt.Sprintf("%s: errors beside those printed", t.Data),
		fmt.Sprintf("CV: root mean squared error of cross-validation on all the data at the best constants. Then "+
			"RMSE and share of wrong signs on %d random halves, mean ± sd; the paper's are of 30. Seed %d. BM is not "+
			"reproduced: the paper does not say what it is.", t.Splits, t.Seed),
		[]string{"method", "CV, paper", "CV, here", "RMSE, paper", "RMSE, here", "wrong, paper", "wrong, here",
			"what is proved"}, rows...)
}
