package learn

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/floats"
)

// TestRanks: with the step Ranks, an increasing function of the features changes no weight, prediction, interval,
// probability, quantile, importance or partial dependence, with landmarks and views too. Every feature has few values,
// so that each is in every training part. Without the step, the function changes the predictions.
func TestRanks(t *testing.T) {
	const n = 90
	names := []string{"a", "b", "c"}
	draw := func(areClasses bool, g func(float64) float64) *data.Dataset {
		rng := rand.New(rand.NewPCG(5, 6))
		x, y := points.Rows{N: n, D: 3, Data: make([]float64, 3*n), Names: names}, make([]float64, n)
		d := &data.Dataset{Name: "steps", X: x, Y: y}
		for i := range y {
			for j := range 3 {
				v := float64(rng.IntN(4))
				x.Row(i)[j] = g(v)
				y[i] += v * float64(1-j)
			}
			if y[i] += rng.NormFloat64() / 2; areClasses {
				y[i], d.Classes = math.Copysign(1, y[i]), []string{"low", "high"}
			}
		}
		return d
	}
	numbersOf := func(d *data.Dataset, o ...Option) (all []float64) {
		l := must(Learn(t.Context(), d, append(o, WithSplits(must(fit.Holdout(d.Y, 0.25, 2, 1))))...))
		all = append(all, l.Result.PredictionTheta...)
		for _, p := range must(must(reloaded(t, l.Model).Predictor()).Predict(d.X)) {
			all = append(slices.Concat(all, p.Values, p.Probabilities, p.Lower, p.Upper), p.Value)
		}
		for _, v := range l.Views {
			all = append(all, v.WeightShare)
		}
		for _, g := range must(Importance(t.Context(), l, nil)).Groups {
			all = append(all, g.Drops...)
		}
		for _, row := range must(PartialDependenceOf(t.Context(), l, nil, "a")).Mean {
			all = append(all, row...)
		}
		return all
	}
	family := func(steps ...points.Step) Option {
		return WithFamily(kernel.Sum{Kernels: kernel.List{kernel.Linear{Columns: []int{0, 1}},
			kernel.RBF{Gamma: 0.3, Columns: []int{0, 1}}, kernel.RBF{Gamma: 1, Columns: []int{2}}},
			Prepare: steps, Normalize: kernel.MeanDiagonal})
	}
	identity := func(v float64) float64 { return v }
	for name, c := range map[string]struct {
		areClasses bool
		options    []Option
	}{
		"intervals":     {false, []Option{WithIntervals(0.8), WithLambda(1)}},
		"quantiles":     {false, []Option{WithLoss(fit.Losses(loss.Pinball{Taus: []float64{0.3, 0.8}}, 1))}},
		"probabilities": {true, []Option{WithLambda(1)}},
		"landmarks":     {false, []Option{WithLandmarks(30), WithLambda(1)}},
		"views":         {true, []Option{WithViews(data.Views{"ab": {"a", "b"}, "c": {"c"}}), WithLambda(1)}},
	} {
		far := func(steps ...points.Step) float64 {
			o := append(c.options, family(steps...))
			return floats.Distance(numbersOf(draw(c.areClasses, identity), o...),
				numbersOf(draw(c.areClasses, math.Exp), o...), math.Inf(1))
		}
		if got, without := far(points.Ranks, points.StandardizeNumbers), far(points.StandardizeNumbers); got > 1e-9 ||
			!(without > 1e-3) {
			t.Errorf("%s: the numbers differ by %g, without ranks by %g", name, got, without)
		}
	}
}
