package compare

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/mklnb/mkl/algos/compare/comparetest"
	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/testenv"
)

// TestMeanLoss tests that a study of quantiles is compared by the mean loss and by no other metric, and that its models
// predict with the shift that the table scored.
func TestMeanLoss(t *testing.T) {
	d := comparetest.NoisySine(60, 1)
	pinball := fit.Method{Name: "pinball", Fitter: fit.Search{Family: gaussians,
		Grid: fit.Grid{fit.Losses(loss.Pinball{Tau: 0.9}, 0.01, 1,
			100),
			fit.Rules(mkl.Uniform{})}}}
	ridge := fit.Method{Name: "ridge", Fitter: fit.Search{Family: gaussians, Grid: fit.Grid{fit.Ridge(1),
		fit.Rules(mkl.Uniform{})}}}
	s := &Study{Data: d,
		Settings: fit.Settings{Selection: fit.Selection{Folds: 3}}, Methods: []fit.Method{pinball},
		Splits: must(fit.Holdout(d.Y, 0.25, 4, 1)), StoreFolder: t.TempDir()}
	table := run1(t, s)
	if table.By != model.MeanLoss || table.Metrics()[0] != model.MeanLoss {
		t.Errorf("chosen by %q, compared by %v", table.By, table.Metrics())
	}
	// the model that Importance uses predicts what the table scored
	r := must(s.Session(nil))
	split := s.Splits[0]
	c := must(r.Workspace.PrepareChoices(split.Train, split.Seed(s.Seed), ""))[0]
	if err := c.Choose(t.Context()); err != nil {
		t.Fatal(err)
	}
	m := must(c.FitRows(t.Context(), split.Train, split.Seed(s.Seed))).Model
	score := must(m.Score(must(d.Slice(split.Test))))
	if want := table.Rows[0].Runs[0].Score.RMSE; math.Abs(score.RMSE-want) > 1e-9 {
		t.Errorf("the model has RMSE %g, the table %g", score.RMSE, want)
	}
	if q, want := score.Quantile, table.Rows[0].Runs[0].Score.Loss; q == nil || math.Abs(q.PinballLoss-want) > 1e-9 {
		t.Errorf("the model has %+v, the table the mean loss %g", q, want)
	}
	for want, change := range map[string]func(){
		"cannot be chosen by": func() { s.Selection.By = model.RMSE },
		"compare them in two": func() { s.Methods = []fit.Method{pinball, ridge} },
		"defines no score":    func() { s.Methods, s.Selection.By = []fit.Method{ridge}, model.MeanLoss },
	} {
		s.Methods, s.Selection.By = []fit.Method{pinball}, ""
		change()
		says(t, testenv.ErrorText(s.Run(context.Background(), nil)), want)
	}
}

// TestDifferentWeights tests that methods with different weights of points are an error, because their scores would not
// be comparable.
func TestDifferentWeights(t *testing.T) {
	d := comparetest.NoisySine(20, 1)
	method := func(name string, w []float64) fit.Method {
		return fit.Method{Name: name, Fitter: fit.Search{Family: gaussians,
			Grid: fit.Grid{fit.Losses(loss.EpsilonInsensitive{Weights: w}, 1), fit.Rules(mkl.Uniform{})}}}
	}
	s := &Study{Data: d, Splits: must(fit.Holdout(d.Y, 0.25, 2, 1)),
		Methods: []fit.Method{method("a", nil), method("b", slices.Repeat([]float64{2}, 20))}}
	says(t, testenv.ErrorText(s.Run(t.Context(), nil)), `"b"`, "weights")
}
