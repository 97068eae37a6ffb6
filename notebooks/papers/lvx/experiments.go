package lvx

import (
	"context"
	"embed"
	"errors"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/notebooks/papers/shared"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// Sets lists the datasets of Figures 1 to 12 in their order. For fourclass, results are stored, but not its points.
var Sets = []string{"ionosphere", "sonar", "breast-ljubljana", "pima", "fourclass", "credit-g", "heart-statlog"}

// Lambdas lists the values of λ in the figures. In the paper they end at largestLambdaOfPaper.
var Lambdas = []float64{1e-4, 1e-3, 1e-2, 0.1, 1, 10, 100, 1000}

const largestLambdaOfPaper = 10

// Halves is the number of random divisions of a dataset into a training half and a test half, for each seed.
const Halves = 10

// CertifiedGap is the relative gap of the solves of Learn.
const CertifiedGap = 1e-4

// Curve holds the data of Figures 1 to 12 of the paper for one dataset and degree. Each list holds one number for each
// λ of Lambdas, a mean over the random divisions into a training and a test half.
type Curve struct {
	Degree   int
	Constant bool // the family has a constant kernel besides one kernel per feature
	// Train and Test hold, for each λ, the RMSE of ridge regression on the training half and on the test half.
	Train, Test []float64
	// RidgeErrorRate and SVM hold, for each λ, the misclassified share of the test half: by ridge regression, and by
	// the support vector machine with the same kernel and λ.
	RidgeErrorRate []float64 `json:"Wrong"`
	SVM            []float64
	// SVMWins and SVMLosses count the comparisons, one for each random half and λ ≤ 10, in which the support vector
	// machine makes fewer or more errors than ridge regression.
	SVMWins          int `json:"Fewer"`
	SVMLosses        int `json:"More"`
	UncertifiedCount int `json:"Uncertain"` // number of solves without a global certificate
	// BestDifference is the mean error rate of the support vector machine minus that of ridge regression, followed by
	// the ends of its 95 % interval. Each rate is taken at its own best λ, the λ with the smallest mean.
	BestDifference [3]float64 `json:"Best"`
}

// Score holds the results of one method, as means over the random halves of a dataset. Less is RMSE minus the RMSE of
// uniform weights (of the same degree in the experiment "figures", of degree 1 in "tables"), followed by the ends of
// the 95 % interval of this difference. ErrorRateDifference is the same for ErrorRate.
type Score struct {
	Method              string
	RMSE                float64
	ErrorRate           float64 `json:"Wrong"` // misclassified share
	Less                [3]float64
	ErrorRateDifference [3]float64 `json:"Fewer"`
}

// Draw holds the results for one dataset and one seed. The seed determines the random halves.
type Draw struct {
	DatasetName string `json:"Data"`
	Seed        uint64
	Curves      []Curve `json:",omitempty"`
	Scores      []Score
	// ConstantGains is the RMSE of degree 2 with a constant kernel minus the RMSE of degree 1, followed by the ends of
	// the 95 % interval of this difference: for learned weights, then for uniform weights.
	ConstantGains [2][3]float64 `json:",omitzero"`
}

// SplitSeed returns the seed from which the training and test halves were drawn.
func (d *Draw) SplitSeed() uint64 { return d.Seed }

//go:embed results/*.json
var files embed.FS

// Stored returns the stored results of an experiment for all datasets and seeds. "figures" has the curves of Figures 1
// to 12 and scores of learned and uniform weights. "tables" has only scores, for Tables 1 to 4.
func Stored(experiment string) []*Draw {
	return shared.ReadStored[*Draw](files, "results/"+experiment+"*.json")
}

// Find returns the results for the dataset with this name and the given seed, or an empty Draw if there are none.
func Find(draws []*Draw, name string, seed uint64) *Draw {
	for _, d := range draws {
		if d.DatasetName == name && d.Seed == seed {
			return d
		}
	}
	return &Draw{}
}

// Curve returns the curve of a degree with or without a constant base kernel, or a curve of NaN if there is none.
func (d *Draw) Curve(degree int, hasConstant bool) Curve {
	for _, c := range d.Curves {
		if c.Degree == degree && c.Constant == hasConstant {
			return c
		}
	}
	nanValues := Constant(math.NaN(), len(Lambdas))
	return Curve{Train: nanValues, Test: nanValues, RidgeErrorRate: nanValues, SVM: nanValues}
}

// Learn learns kernels of one degree on the training part of each split for each λ of Lambdas, to a relative gap of
// CertifiedGap, and returns the errors on the training and the test parts. The weights are in the 2-norm ball of radius
// 2 about (1, …, 1). The targets are ±1 minus their training mean. Each solve starts from the previous solution.
func Learn(ctx context.Context, d *data.Dataset, degree int, hasConstant bool, splits []fit.Split) (Curve, error) {
	c, f := Curve{Degree: degree, Constant: hasConstant}, Family(degree, hasConstant)
	// values[k][i] holds, for each split, list k of Curve (Train, Test, RidgeErrorRate, SVM) at Lambdas[i].
	var values [4][][]float64
	for k := range values {
		values[k] = make([][]float64, len(Lambdas))
	}
	for _, s := range splits {
		train, e := d.Slice(s.Train)
		test, err := d.Slice(s.Test)
		if err = errors.Join(e, err); err != nil {
			return c, err
		}
		var result *mkl.Result
		for i, lambda := range Lambdas {
			p, targetMean := centeredProblem(f, train, lambda, 1, 2)
			if result, err = mkl.Solve(ctx, p, mkl.SPG{}, &mkl.Settings{Gap: CertifiedGap, Start: result}); err != nil {
				return c, err
			}
			if result.Status != mkl.Certified {
				c.UncertifiedCount++
			}
			q := *p
			q.Loss, q.Y = loss.SquaredHinge{Lambda: lambda}, train.Y
			pt, e1 := shared.EvaluateAt(&q, result.Theta, 1e-12)
			ridgeModel := model.Model{Family: f, X: train.X, Theta: result.PredictionTheta, W: result.W,
				Offsets: []float64{targetMean}}
			trainRMSE, _, e2 := evaluateModel(ridgeModel, train)
			testRMSE, ridgeErrorRate, e3 := evaluateModel(ridgeModel, test)
			svmModel := model.Model{Family: f, X: train.X, Theta: result.PredictionTheta, W: pt.W,
				Biases: []float64{pt.Bias}}
			_, svmErrorRate, e4 := evaluateModel(svmModel, test)
			if err := errors.Join(e1, e2, e3, e4); err != nil {
				return c, err
			}
			for k, v := range []float64{trainRMSE, testRMSE, ridgeErrorRate, svmErrorRate} {
				values[k][i] = append(values[k][i], v)
			}
			if lambda <= largestLambdaOfPaper && svmErrorRate < ridgeErrorRate {
				c.SVMWins++
			} else if lambda <= largestLambdaOfPaper && svmErrorRate > ridgeErrorRate {
				c.SVMLosses++
			}
		}
	}
	for k, means := range []*[]float64{&c.Train, &c.Test, &c.RidgeErrorRate, &c.SVM} {
		for i := range Lambdas {
			*means = append(*means, stat.Mean(values[k][i], nil))
		}
	}
	errorRateDifferences := slices.Clone(values[3][floats.MinIdx(c.SVM)])
	floats.Sub(errorRateDifferences, values[2][floats.MinIdx(c.RidgeErrorRate)])
	c.BestDifference = roundMeanAndInterval(compare.CorrectedResampledDifference(errorRateDifferences,
		float64(len(splits[0].Test))/float64(len(splits[0].Train))))
	for _, v := range [][]float64{c.Train, c.Test, c.RidgeErrorRate, c.SVM} {
		shared.RoundInPlace(v, 4)
	}
	return c, nil
}

// CrossValidate returns, for each dataset, what Learn finds for degrees 1 and 2 on folds in place of random halves.
func CrossValidate(ctx context.Context, foldCount int, seed uint64, sets ...*data.Dataset) (
	curvesBySet map[string][]Curve, err error) {
	curvesBySet = map[string][]Curve{}
	for _, d := range sets {
		folds, err := fit.KFold(d.Y, foldCount, seed)
		if err != nil {
			return nil, err
		}
		for degree := 1; degree <= 2; degree++ {
			c, err := Learn(ctx, d, degree, false, folds)
			if err != nil {
				return nil, err
			}
			curvesBySet[d.Name] = append(curvesBySet[d.Name], c)
		}
	}
	return curvesBySet, nil
}

// roundMeanAndInterval returns the mean difference and the ends of its interval, rounded to 4 decimals. The ends are 0
// if there is only one split.
func roundMeanAndInterval(d compare.Difference) [3]float64 {
	v := shared.RoundInPlace([]float64{d.Mean, d.Lo, d.Hi}, 4)
	if d.N < 2 {
		v[1], v[2] = 0, 0
	}
	return [3]float64(v)
}

// centeredProblem returns the problem of a family on d with the labels ±1 minus their mean as targets, and this mean.
func centeredProblem(f kernel.Features, d *data.Dataset, lambda, center, radius float64) (p *mkl.Problem,
	targetMean float64) {
	p, targetMean = FamilyProblem(f, d, lambda, center, radius), stat.Mean(d.Y, nil)
	p.Y = slices.Clone(d.Y)
	floats.AddConst(-targetMean, p.Y)
	return p, targetMean
}

// evaluateModel returns the root mean squared error of a model on d, and the share of the points whose predicted sign
// is wrong.
func evaluateModel(m model.Model, d *data.Dataset) (rmse, errorRate float64, err error) {
	f, err := m.Predict(d.X)
	if err != nil {
		return 0, 0, err
	}
	s := model.ScorePredictions(f, d.Y, model.TargetEncoding{Classes: 2})
	return s.RMSE, 1 - s.Accuracy, nil
}

// Methods lists the methods of GainStudy: learned or uniform kernel weights, with polynomial kernels of degree d. The
// kernels of degree 2 have a constant base kernel, so they contain all terms of lower degree.
var Methods = []string{"learned, d = 1", "learned, d = 2", "uniform, d = 1", "uniform, d = 2"}

// GainStudy returns the study that compares learned with uniform weights on halfCount random halves. Cross-validation
// in each training half chooses λ among 1e-2 … 1e4 and, for learned weights, the radius of their ball among 1, 10, 100.
func GainStudy(d *data.Dataset, halfCount, foldCount int, seed uint64) (*compare.Study, error) {
	splits, err := fit.Halves(d.Y, halfCount, seed)
	if err != nil {
		return nil, err
	}
	s := &compare.Study{Data: d,
		Settings: fit.Settings{Seed: seed, Selection: fit.Selection{Folds: foldCount}},
		Splits:   splits}
	for i, name := range Methods {
		grid := fit.Grid{fit.Ridge(1e-2, 0.1, 1, 10, 100, 1e3, 1e4), fit.Balls(2, 1, 1, 10, 100)}
		if i >= 2 {
			grid = fit.Grid{grid[0], fit.Sets(set.Orthant{}), fit.Rules(mkl.Uniform{})}
		}
		s.Methods = append(s.Methods, fit.Method{Name: name, Fitter: fit.Search{Family: Family(i%2+1, i%2 == 1),
			Grid: grid}})
	}
	return s, nil
}

// Summarize returns the scores of the rows of a table. Row i is compared with row baselineOf(i); a row that is compared
// with itself has no differences.
func Summarize(t *compare.Table, baselineOf func(row int) int) (scores []Score) {
	for i, r := range t.Rows {
		means := shared.RoundInPlace([]float64{t.Summary(r.Method, model.RMSE).Mean,
			t.Summary(r.Method, model.ErrorRate).Mean}, 4)
		s := Score{Method: r.Method, RMSE: means[0], ErrorRate: means[1]}
		if baseline := t.Rows[baselineOf(i)].Method; baseline != r.Method {
			s.Less = roundMeanAndInterval(t.Compare(r.Method, baseline, model.RMSE))
			s.ErrorRateDifference = roundMeanAndInterval(t.Compare(r.Method, baseline, model.ErrorRate))
		}
		scores = append(scores, s)
	}
	return scores
}
