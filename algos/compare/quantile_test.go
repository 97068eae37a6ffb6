package compare

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/mklnb/mkl/algos/compare/comparetest"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
)

// A new number is at most the shift with probability τ: of uniform numbers the shift has mean τ.
func TestQuantileOf(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const draws = 20000
	for _, tau := range []float64{0.1, 0.5, 0.9} {
		mean := 0.0
		for range draws {
			all := make([]float64, 14)
			for i := range all {
				all[i] = rng.Float64()
			}
			mean += residualQuantile(all, tau) / draws
		}
		if math.Abs(mean-tau) > 4*0.13/math.Sqrt(draws) { // the standard deviation is at most 0.13
			t.Errorf("τ = %g: the mean is %g", tau, mean)
		}
	}
	for tau, want := range map[float64]float64{0.1: 1, 0.5: 2.5, 0.6: 3, 0.95: 4} {
		if v := residualQuantile([]float64{3, 1, 4, 2}, tau); math.Abs(v-want) > 1e-12 {
			t.Errorf("quantile %g of 1, 2, 3 and 4 is %g, want %g", tau, v, want)
		}
	}
	if v := residualQuantile([]float64{7}, 0.9); v != 7 {
		t.Errorf("one residual 7 gives %g", v)
	}
	if v := residualQuantile(nil, 0.5); v != 0 {
		t.Errorf("no residuals give %g", v)
	}
}

// A loss with a score of its own is chosen by it and by nothing else, and predictions of quantiles are shifted.
func TestOwnScoreChooses(t *testing.T) {
	d := comparetest.NoisySine(60, 1)
	pinball := Method{Name: "pinball", Family: gaussians, Grid: Grid{Losses(loss.Pinball{Tau: 0.9}, 0.01, 1, 100),
		Rules(mkl.Uniform{})}}
	ridge := Method{Name: "ridge", Family: gaussians, Grid: Grid{Ridge(1), Rules(mkl.Uniform{})}}
	s := &Study{Data: d, Methods: []Method{pinball}, Selection: Selection{Folds: 3},
		Splits: must(Holdout(d.Y, 0.25, 4, 1)), StoreFolder: t.TempDir()}
	table := run1(t, s)
	if table.By != MeanLoss || table.Metrics()[0] != MeanLoss {
		t.Errorf("chosen by %q, compared by %v", table.By, table.Metrics())
	}
	c := must(must(s.Session(nil)).PrepareChoices([]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, 1, ""))[0]
	if err := c.chooseOnce(context.Background()); err != nil {
		t.Fatal(err)
	}
	cell := c.ChosenCell()
	for _, other := range c.cells {
		if other.Error(MeanLoss) < cell.Error(MeanLoss) {
			t.Errorf("C = %g has the mean loss %g, the chosen one %g", other.HyperparameterValue, other.Error(MeanLoss),
				cell.Error(MeanLoss))
		}
	}
	if len(cell.QuantileShift) != 1 || cell.QuantileShift[0] == 0 {
		t.Errorf("the shift is %v", cell.QuantileShift)
	}
	// the model that Importance uses predicts what the table scored
	r := must(s.Session(nil))
	split := s.Splits[0]
	c = must(r.PrepareChoices(split.Train, split.Seed(s.Seed), ""))[0]
	if err := c.chooseOnce(context.Background()); err != nil {
		t.Fatal(err)
	}
	m := must(c.FitModel(context.Background(), split))
	score := must(m.Score(must(d.Slice(split.Test))))
	if want := table.Rows[0].Runs[0].Score.RMSE; math.Abs(score.RMSE-want) > 1e-9 {
		t.Errorf("the model has RMSE %g, the table %g", score.RMSE, want)
	}
	if q, want := score.Quantile, table.Rows[0].Runs[0].Score.Loss; q == nil || math.Abs(q.PinballLoss-want) > 1e-9 {
		t.Errorf("the model has %+v, the table the mean loss %g", q, want)
	}
	for want, change := range map[string]func(){
		"cannot be chosen by": func() { s.Selection.By = RMSE },
		"compare them in two": func() { s.Methods = []Method{pinball, ridge} },
		"defines no score":    func() { s.Methods, s.Selection.By = []Method{ridge}, MeanLoss },
	} {
		s.Methods, s.Selection.By = []Method{pinball}, ""
		change()
		says(t, failure(s.Run(context.Background(), nil)), want)
	}
}
