package lvx

import (
	"errors"
	"fmt"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/viz"
)

// Columns lists the methods of Tables 1 to 4 of the paper that can be reproduced: the solvers PGD and IIA on a ball,
// rPGD and rIIA with a penalty, for kernels of degree d, and uniform weights (UNIF). PGD and IIA of degree 1 minimize
// the same function, so they share a column. The paper does not define its method BM.
var Columns = []string{"IIA = PGD, d=1", "PGD, d=2", "rIIA = rPGD, d=1", "rPGD, d=2", "UNIF"}

// Printed holds numbers of the paper, each followed by its standard deviation: the RMSE by cross-validation (Tables 1
// and 3), the RMSE and the misclassified share on test halves (Tables 2 and 4). A number that is not printed is 0.
type Printed struct{ CV, RMSE, ErrorRate [2]float64 }

// Paper holds the numbers of Tables 1 to 4 by dataset, one entry for each of Columns.
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

// Gammas is the only grid that the paper prints. It is a grid for "the parameter Γ", which the paper does not define.
// Here it is the grid of the radius Λ of the ball (PGD) and of the regularizer β (rPGD).
var Gammas = []float64{0.001, 0.1, 0.5, 1, 2, 10}

// TableStudy returns the study of Tables 1 and 3 if splits are folds, and of Tables 2 and 4 if they are halves.
// Cross-validation with the given number of folds on all the data chooses λ among 1e-4 … 1e3 and, among Gammas, the
// radius of the ball (PGD) or β of the penalty β‖μ‖² (rPGD). Features and targets are centered.
func TableStudy(d *data.Dataset, folds int, splits []fit.Split, seed uint64) *compare.Study {
	var betas []float64 // half of the β of the paper, because the objective of mkl is half of the paper's
	for _, b := range Gammas {
		betas = append(betas, b/2)
	}
	lambdaAxis, orthantAxis := fit.Ridge(Lambdas...), fit.Sets(set.Orthant{At: 0.1})
	learnedGrids := []fit.Grid{{lambdaAxis, fit.Balls(2, 1, Gammas...)},
		{lambdaAxis, orthantAxis, fit.RidgeRegularizers(betas...)}}
	s := &compare.Study{Data: d,
		Settings: fit.Settings{Seed: seed, Selection: fit.Selection{OnAllData: true,
			Folds: folds}}, Splits: splits, Baseline: Columns[4]}
	for i := range 4 {
		s.Methods = append(s.Methods,
			fit.Method{Name: Columns[i], Fitter: fit.Search{Family: Family(i%2+1, false), Grid: learnedGrids[i/2]}})
	}
	s.Methods = append(s.Methods, fit.Method{Name: Columns[4], Fitter: fit.Search{Family: Family(1, false),
		Grid: fit.Grid{lambdaAxis, fit.Sets(set.Orthant{}), fit.Rules(mkl.Uniform{})}}})
	return s
}

// TableStudies returns the two studies of a dataset: TableStudy on foldCount folds, and on halfCount random halves.
func TableStudies(d *data.Dataset, foldCount, halfCount int, seed uint64) (onFolds, onHalves *compare.Study,
	err error) {
	folds, e1 := fit.KFold(d.Y, foldCount, seed)
	halves, e2 := fit.Halves(d.Y, halfCount, seed)
	return TableStudy(d, foldCount, folds, seed), TableStudy(d, foldCount, halves, seed), errors.Join(e1, e2)
}

// Compare shows the errors of each method by cross-validation and on random test halves, beside those of the paper.
func Compare(folds, halves *compare.Table) viz.Figure {
	var rows [][]any
	for k, name := range Columns {
		cv, s := folds.Summary(name, model.RMSE), halves.Summary(name, model.RMSE)
		e, p := halves.Summary(name, model.ErrorRate), Paper[halves.Data][k]
		printedCV := any("–")
		if p.CV[0] > 0 {
			printedCV = viz.MeanAndSD(p.CV[0], p.CV[1], 2)
		}
		rows = append(rows, []any{name, printedCV, viz.MeanAndSD(cv.Mean, cv.SD, 2),
			viz.MeanAndSD(p.RMSE[0], p.RMSE[1], 2), viz.MeanAndSD(s.Mean, s.SD, 2),
			viz.MeanAndSD(p.ErrorRate[0], p.ErrorRate[1], 2), viz.MeanAndSD(e.Mean, e.SD, 2)})
	}
	return viz.Table(fmt.Sprintf("%s: errors here and in the paper", halves.Data),
		fmt.Sprintf("CV: RMSE on %d folds of all the data, mean ± sd over folds. Then RMSE and share of wrong signs "+
			"on %d random halves, mean ± sd. The paper has 10 folds and 30 halves. Hyperparameters by "+
			"cross-validation on all the data. Seed %d.", folds.Splits, halves.Splits, halves.Seed),
		[]string{"method", "CV, paper", "CV, here", "RMSE, paper", "RMSE, here", "wrong, paper",
			"wrong, here"}, rows...)
}
