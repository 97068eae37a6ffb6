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
	"gonum.org/v1/gonum/mat"
)

// Gram matrices, groups, weights of points, and intervals or several quantiles in one call, through a file. Points of
// weight 1e-6 have targets that are far too large; new points of new groups are like the others.
func TestMatricesGroupsAndWeights(t *testing.T) {
	train, _ := simulate("groups", 100, 5, 3)
	_, test := simulate("groups", 100, 300, 3)
	rng, weights := rand.New(rand.NewPCG(2, 2)), slices.Repeat([]float64{1}, 100)
	for i := range 100 {
		if i%4 == 3 {
			weights[i], train.Y[i] = 1e-6, 40+20*rng.Float64()
		}
	}
	k, g, cross := kernel.RBF{Gamma: 0.2}, mat.NewDense(100, 100, nil), mat.NewDense(300, 100, nil)
	k.Cross(g, train.X, train.X)
	k.Cross(cross, test.X, train.X)
	d := must(data.FromGrams("matrix", train.Y, g))
	d.Group = train.Group
	rows := must(d.KernelRows(cross))
	l := must(Learn(t.Context(), d, WithIntervals(0.8), WithLoss(fit.Losses(
		loss.EpsilonInsensitive{Epsilon: 0.1, Weights: weights}, 0.1, 1, 10)), WithSplits(nil)))
	c, width := coverage(must(must(reloaded(t, l.Model).Predictor()).Predict(rows)), test.Y)
	if t.Logf("coverage %.3f, width %.3f", c, width); !(math.Abs(c-0.8) < 0.1 && width < 5) {
		t.Errorf("intervals of level 0.8 cover %.3f of new groups, with the width %.3g", c, width)
	}
	l = must(Learn(t.Context(), d, WithSplits(nil), WithLoss(fit.Losses(
		loss.Pinball{Taus: []float64{0.2, 0.8}, Weights: weights}, 0.1, 1, 10))))
	below := make([]float64, 2)
	for i, p := range must(must(reloaded(t, l.Model).Predictor()).Predict(rows)) {
		for j, v := range p.Values {
			if test.Y[i] <= v {
				below[j] += 1. / 300
			}
		}
	}
	if t.Logf("shares %.3f", below); floats.Distance(below, []float64{0.2, 0.8}, math.Inf(1)) > 0.1 {
		t.Errorf("shares below the quantiles 0.2 and 0.8: %.3f", below)
	}
}

// Weights, groups and probabilities in one call: points of weight 1e-4 with wrong labels change neither the classes nor
// the side of ½ on which the probabilities are.
func TestWeightsGroupsAndProbabilities(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	x := make([][]float64, 200)
	d := &data.Dataset{Name: "wrong labels", Classes: []string{"neg", "pos"}}
	var weights []float64
	for i := range x {
		a := rng.NormFloat64()
		x[i] = []float64{a, rng.NormFloat64()}
		y, w := -1.0, 1.0
		if a > 0 {
			y = 1
		}
		if rng.Float64() < 0.6 {
			y, w = -y, 1e-4
		}
		d.Y, weights, d.Group = append(d.Y, y), append(weights, w), append(d.Group, string(rune('a'+i%20)))
	}
	d.X = points.NewRows(x)
	l := must(Learn(t.Context(), d, WithLoss(fit.Losses(loss.Hinge{Weights: weights}, 0.1, 1, 10)),
		WithFamily(kernel.List{kernel.Linear{}}), WithSplits(nil)))
	z := points.NewRows([][]float64{{-2, 0}, {-1, 0}, {1, 0}, {2, 0}})
	for i, p := range must(must(l.Model.Predictor()).Predict(z)) {
		if want := d.Classes[i/2]; p.Class != want || (p.Probabilities[1] > 0.5) != (want == "pos") {
			t.Errorf("point %d: %+v, want %s; warnings %v", i+1, p, want, l.Warnings)
		}
	}
}
