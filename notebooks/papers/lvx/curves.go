package lvx

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/algos/study"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/viz"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// Scaled is Family of features that are scaled to [0, 1] first, with or without a constant base kernel, which
// brings a power all terms of lower degree.
func Scaled(d int, constant bool) kernel.Features {
	return kernel.Features{Degree: d, Constant: constant, Prepare: kernel.Prepare{kernel.MinMax, kernel.CentreColumns}}
}

// Errors are test errors of one degree at one λ: means over halves of the points.
type Errors struct {
	Degree    int
	Constant  bool
	Lambda    float64
	RMSE, SD  float64 // of kernel ridge regression with the learned kernel
	Wrong     float64 // share of points that it decides wrongly
	WrongSVM  float64 // the same of the support vector machine of (8) with the kernel learned for KRR
	Uncertain int     // solves without a global certificate
}

// Curves learns on random halves of d, y = ±1 less the training mean, for every degree and λ with μ₀ = 1 and
// Λ = 2, each to a relative gap of 1e-4, and tests on the other half. With svm the learned kernel also goes
// into a support vector machine with the same λ.
func Curves(ctx context.Context, d *data.Dataset, degrees []int, constant bool, lambdas []float64, halves int,
	svm bool, seed uint64) ([]Errors, error) {
	splits, err := study.Halves(d.Y, halves, seed)
	if err != nil {
		return nil, err
	}
	var list []Errors
	for _, degree := range degrees {
		f := Scaled(degree, constant)
		rows := make([]Errors, len(lambdas))
		for i, lambda := range lambdas {
			rows[i] = Errors{Degree: degree, Constant: constant, Lambda: lambda}
		}
		for _, s := range splits {
			if err := half(ctx, d, f, s, rows, svm); err != nil {
				return nil, err
			}
		}
		n := float64(len(splits))
		for i := range rows {
			r := &rows[i]
			r.RMSE, r.Wrong, r.WrongSVM = r.RMSE/n, r.Wrong/n, r.WrongSVM/n
			r.SD = math.Sqrt(math.Max(r.SD/n-r.RMSE*r.RMSE, 0))
		}
		list = append(list, rows...)
	}
	return list, nil
}

// half adds the errors on one half to rows, one for each λ. Runs follow one another, each from the last solution.
func half(ctx context.Context, d *data.Dataset, f kernel.Features, s study.Split, rows []Errors, svm bool) error {
	train, err := d.Slice(s.Train)
	if err != nil {
		return err
	}
	test, err := d.Slice(s.Test)
	if err != nil {
		return err
	}
	mean, y := stat.Mean(train.Y, nil), slices.Clone(train.Y)
	floats.AddConst(-mean, y)
	g := f.On(train.X)
	m, _ := g.Dims()
	ball := set.Ball{Q: 2, Radius: 2, Center: Constant(1, m)}
	var last *mkl.Result
	for i := range rows {
		row := &rows[i]
		p := &mkl.Problem{Grams: g, Set: ball, Loss: loss.Squared{Lambda: row.Lambda}, Y: y}
		r, err := mkl.Solve(ctx, p, mkl.SPG{}, &mkl.Settings{Gap: 1e-4, Start: last})
		if err != nil {
			return err
		}
		last = r
		if r.Status != mkl.Certified {
			row.Uncertain++
		}
		fit := model.Model{Family: f, X: train.X, Theta: r.Kernel, W: r.W, Offset: mean}
		values, err := fit.Predict(test.X)
		if err != nil {
			return err
		}
		rmse, wrong := judge(values, test.Y)
		row.RMSE, row.SD, row.Wrong = row.RMSE+rmse, row.SD+rmse*rmse, row.Wrong+wrong
		if !svm {
			continue
		}
		q := &mkl.Problem{Grams: g, Set: ball, Loss: loss.SquaredHinge{Lambda: row.Lambda}, Y: train.Y}
		pt, err := At(q, r.Theta)
		if err != nil {
			return err
		}
		fit = model.Model{Family: f, X: train.X, Theta: r.Kernel, W: pt.W, Bias: pt.Bias}
		if values, err = fit.Predict(test.X); err != nil {
			return err
		}
		_, wrong = judge(values, test.Y)
		row.WrongSVM += wrong
	}
	return nil
}

// judge is the root of the mean squared error and the share of signs that are wrong.
func judge(f, y []float64) (rmse, wrong float64) {
	for i, v := range f {
		rmse += (v - y[i]) * (v - y[i])
		if (v >= 0) != (y[i] >= 0) {
			wrong++
		}
	}
	n := float64(len(y))
	return math.Sqrt(rmse / n), wrong / n
}

// Panel draws one number of Errors against λ, a line for each degree.
func Panel(title string, list []Errors, value func(Errors) float64, what string) viz.Figure {
	var lines []viz.Line
	for _, e := range list {
		name := fmt.Sprintf("d = %d", e.Degree)
		if n := len(lines); n == 0 || lines[n-1].Name != name {
			lines = append(lines, viz.Line{Name: name, XYs: viz.Pairs{}})
		}
		last := &lines[len(lines)-1]
		last.XYs = append(last.XYs.(viz.Pairs), [2]float64{e.Lambda, value(e)})
	}
	return viz.LogLines(title, "", lines...).WithAxes("λ", what).WithLogX()
}

// RMSE, Wrong and WrongSVM are the numbers that panels show.
func RMSE(e Errors) float64     { return e.RMSE }
func Wrong(e Errors) float64    { return e.Wrong }
func WrongSVM(e Errors) float64 { return e.WrongSVM }

// Least is the entry of one degree with the least value.
func Least(list []Errors, degree int, value func(Errors) float64) Errors {
	best := Errors{}
	for _, e := range list {
		if e.Degree == degree && (best.Degree == 0 || value(e) < value(best)) {
			best = e
		}
	}
	return best
}

// Entry is the entry of one degree at one λ.
func Entry(list []Errors, degree int, lambda float64) Errors {
	for _, e := range list {
		if e.Degree == degree && math.Abs(e.Lambda/lambda-1) < 1e-9 {
			return e
		}
	}
	return Errors{}
}

// Sets are the datasets of Figures 1 to 12 that are part of this module.
var Sets = []string{"ionosphere", "sonar", "breast-ljubljana", "pima", "heart-statlog"}

// Claim is a sentence on Curves that holds of every set and seed that was tried, with the test of it.
type Claim struct {
	Text  string
	Holds func(plain, constant []Errors) bool // without and with a constant base kernel
}

// Claims are the claims that the notebook makes of these curves.
var Claims = []Claim{
	{"every solve of degree 1 and 2, at every λ, is certified global", func(plain, constant []Errors) bool {
		return !slices.ContainsFunc(append(slices.Clone(plain), constant...),
			func(e Errors) bool { return e.Degree <= 2 && e.Uncertain > 0 })
	}},
	{"the RMSE of degree 2 is smaller at λ = 10 than at λ = 1e-4, and the least lies above λ = 0.1",
		func(plain, _ []Errors) bool {
			return Entry(plain, 2, 10).RMSE < Entry(plain, 2, 1e-4).RMSE && Least(plain, 2, RMSE).Lambda > 0.1
		}},
	{"the RMSE of degree 1 and 2 is larger at λ = 1000 than at its least", func(plain, _ []Errors) bool {
		return Entry(plain, 1, 1000).RMSE > Least(plain, 1, RMSE).RMSE && Entry(plain, 2, 1000).RMSE > Least(plain, 2,
			RMSE).RMSE
	}},
	{"with a constant base kernel the least RMSE of degree 2 is smaller than without",
		func(plain, constant []Errors) bool {
			return Least(constant, 2, RMSE).RMSE < Least(plain, 2, RMSE).RMSE
		}},
}
