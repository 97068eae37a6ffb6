package learn

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/compare/comparetest"
	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/testenv"
)

// bayes are n points of two features and classes whose probabilities are known: P(class 1 | x) is
// 1/(1 + e^{−2x₁}).
func bayes(n int, seed uint64) (d *data.Dataset, p []float64) {
	rng := rand.New(rand.NewPCG(seed, 1))
	x := points.Rows{N: n, D: 2}
	d = &data.Dataset{Name: "bayes", Classes: []string{"no", "yes"}}
	for range n {
		a, b := rng.NormFloat64(), rng.NormFloat64()
		x.Data = append(x.Data, a, b)
		q := 1 / (1 + math.Exp(-2*a))
		p = append(p, q)
		if rng.Float64() < q {
			d.Y = append(d.Y, 1)
		} else {
			d.Y = append(d.Y, -1)
		}
	}
	d.X = x
	return d, p
}

// TestProbabilities: of points with known probabilities the model's are near, by a support vector machine and
// by ridge, and from its file.
func TestProbabilities(t *testing.T) {
	d, _ := bayes(400, 1)
	z, p := bayes(2000, 2)
	for _, l := range []fit.Path{fit.Losses(loss.Hinge{}, 1), fit.Ridge(1)} {
		got := learn(t, d, WithFamily(kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 0.1}}), WithLoss(l),
			WithSplits(nil))
		q := must(reloaded(t, got.Model).Probabilities(z.X))
		if off := floats.Distance(mat.Col(nil, 1, q), p, 1) / float64(len(p)); off > 0.06 {
			t.Errorf("%v: probabilities are off by %.3f on average", l.Loss, off)
		}
		says(t, got.Model.Note, "cross-validation")
		points := 0
		for _, b := range got.Reliability { // the standard error of a share of b.N is at most ½/√b.N
			if points += b.N; math.Abs(b.Mean-b.Share) > 0.05+1.5/math.Sqrt(float64(b.N)) {
				t.Errorf("%v: of %d points with probabilities of %.2f on average, a share of %.2f is in the class",
					l.Loss, b.N, b.Mean, b.Share)
			}
		}
		if points != 400 {
			t.Errorf("%v: the reliability diagram has %d points", l.Loss, points)
		}
	}
	// of three classes that are far apart
	three := comparetest.ClassClusters(3, 20, 4, 2, 3)
	got := learn(t, three, WithFamily(gaussians), WithLoss(fit.Losses(loss.Hinge{}, 1)), WithSplits(nil))
	q, right := must(got.Model.Probabilities(three.X)), 0
	for i := range three.Y {
		row := q.RawRowView(i)
		if math.Abs(floats.Sum(row)-1) > 1e-12 {
			t.Errorf("%v", row)
		}
		if floats.MaxIdx(row) == three.Class(i) {
			right++
		}
	}
	if right < 54 {
		t.Errorf("the likeliest class is right for %d of 60 points", right)
	}
	numbers := comparetest.NoisySine(40, 1)
	says(t, testenv.ErrorText(Learn(t.Context(), numbers, WithoutProbabilities())), "are numbers, not classes")
}

// TestProbabilitiesKnowNothing: where labels of groups are drawn by lot nobody knows those of points left out: sigmoids
// of decisions on points that were learned from, or whose group was, would say that somebody does.
func TestProbabilitiesKnowNothing(t *testing.T) {
	d := twins(24, 1)
	l := learn(t, d, WithFamily(kernel.List{kernel.RBF{Gamma: 30}}), WithLoss(fit.Ridge(1e-3)), WithSplits(nil))
	for i, p := range mat.Col(nil, 1, must(l.Model.Probabilities(d.X))) {
		if math.Abs(p-0.5) > 0.4 {
			t.Fatalf("point %d: a probability of %.3f, want about one half", i+1, p)
		}
	}
}
