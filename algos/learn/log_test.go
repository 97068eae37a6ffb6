package learn

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// prices are n points whose target is exp(2 + x₁ + ½ x₂ + noise), with LogTargets.
func prices(n int) *data.Dataset {
	rng := rand.New(rand.NewPCG(5, 6))
	d := &data.Dataset{Name: "prices", LogTargets: true, X: points.Rows{N: n, D: 2}}
	x := points.Rows{N: n, D: 2}
	for range n {
		a, b := rng.NormFloat64(), rng.NormFloat64()
		x.Data = append(x.Data, a, b)
		d.Y = append(d.Y, math.Exp(2+a+0.5*b+0.1*rng.NormFloat64()))
	}
	d.X = x
	return d
}

// TestLogTargets: a model of logarithms is that of a dataset whose targets are the logarithms, predicts exp of what
// that predicts, also from a file and of several targets, and its scores, in a study too, are those in the unit of
// the data.
func TestLogTargets(t *testing.T) {
	d := prices(60)
	logs := *d
	logs.LogTargets, logs.Y = false, d.TransformedY()
	how := []Option{WithLambda(0.1), WithMethod(UniformName)}
	whole := append(how, WithSplits(nil))
	a, b := learn(t, d, whole...), learn(t, &logs, whole...)
	f, g := must(a.Model.Predict(d.X)), must(b.Model.Predict(d.X))
	for i := range f {
		if f[i] != math.Exp(g[i]) {
			t.Errorf("prediction %d is %g, want exp of %g", i+1, f[i], g[i])
		}
	}
	bad := reloaded(t, a.Model)
	if !bad.LogTargets || bad.Validate() != nil {
		t.Errorf("saved and loaded: %v, %v", bad, bad.Validate())
	}
	// In a study: the score of a split is that of a model of its training part in the unit of the data; no skill is exp
	// of the mean logarithm.
	splits := must(fit.Holdout(d.Y, 0.25, 1, 3))
	l := learn(t, d, append(how, WithSplits(splits))...)
	train, test := must(d.Slice(splits[0].Train)), must(d.Slice(splits[0].Test))
	want, got := must(learn(t, train, whole...).Model.Score(test)), l.Table.Row(UniformName).Runs[0].Score
	if math.Abs(got.RMSE-want.RMSE) > 1e-6*want.RMSE || math.Abs(got.R2-want.R2) > 1e-6 {
		t.Errorf("the study has %v, the model of its training part %v", got, want)
	}
	floats.AddConst(-math.Exp(stat.Mean(train.TransformedY(), nil)), test.Y)
	none := floats.Norm(test.Y, 2) / math.Sqrt(float64(test.Len()))
	if got := l.Table.Row(compare.ConstantBaseline).Runs[0].Score.RMSE; math.Abs(got-none) > 1e-6*got {
		t.Errorf("no skill has RMSE %g, want %g", got, none)
	}

	// Of several targets, each divided by its deviation in training.
	two := *d
	two.ExtraTargets = []data.Target{{Name: "double", Y: slices.Clone(d.Y)}}
	floats.Scale(2, two.ExtraTargets[0].Y)
	v := must(learn(t, &two, whole...).Model.Values(d.X))
	for i := range f {
		if a, b := v.At(i, 0), v.At(i, 1); math.Abs(2*a-b) > 1e-6*b || math.Abs(a-f[i]) > 0.05*f[i] {
			t.Errorf("point %d: %g and %g, want the second twice the first, near %g", i+1, a, b, f[i])
		}
	}
}
