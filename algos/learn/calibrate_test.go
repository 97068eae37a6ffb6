package learn

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/compare/comparetest"
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
	for _, l := range []compare.Path{compare.Losses(loss.Hinge{}, 1), compare.Ridge(1)} {
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
	// of three classes, either way; the classes are far apart
	three := comparetest.Clusters(3, 20, 4, 2, 3)
	for _, way := range []compare.Multiclass{compare.OneVsRest, compare.OneVsOne} {
		got := learn(t, three, WithFamily(gaussians), WithLoss(compare.Losses(loss.Hinge{}, 1)), WithMulticlass(way),
			WithSplits(nil))
		q, right := must(got.Model.Probabilities(three.X)), 0
		for i := range three.Y {
			row := q.RawRowView(i)
			if math.Abs(floats.Sum(row)-1) > 1e-12 {
				t.Errorf("%v: %v", way, row)
			}
			if floats.MaxIdx(row) == three.Class(i) {
				right++
			}
		}
		if right < 54 {
			t.Errorf("%v: the likeliest class is right for %d of 60 points", way, right)
		}
	}
}

// TestProbabilitiesKnowNothing: where labels of groups are drawn by lot nobody knows those of points left out: sigmoids
// of decisions on points that were learned from, or whose group was, would say that somebody does.
func TestProbabilitiesKnowNothing(t *testing.T) {
	d := twins(24, 1)
	l := learn(t, d, WithFamily(kernel.List{kernel.RBF{Gamma: 30}}), WithLoss(compare.Ridge(1e-3)), WithSplits(nil))
	for i, p := range mat.Col(nil, 1, must(l.Model.Probabilities(d.X))) {
		if math.Abs(p-0.5) > 0.4 {
			t.Fatalf("point %d: a probability of %.3f, want about one half", i+1, p)
		}
	}
}

// TestClassWeights: C of each class is multiplied; balanced weights raise the share of a rare class that is
// found, of two classes and of three.
func TestClassWeights(t *testing.T) {
	few := comparetest.Clusters(3, 40, 3, 0.7, 4)
	var rows, last []int // a quarter of class 2; without class 0
	for i := range few.Y {
		if c := few.Class(i); c != 2 || i%4 == 0 {
			if rows = append(rows, i); c > 0 {
				last = append(last, i)
			}
		}
	}
	two := must(few.Slice(last))
	two.Classes = two.Classes[1:]
	for i, y := range two.Y {
		two.Y[i] = 2*y - 3
	}
	few = must(few.Slice(rows))
	for _, d := range []*data.Dataset{two, few} {
		rare := len(d.Classes) - 1
		recall := func(opts ...Option) float64 {
			l := learn(t, d, append(opts, WithFamily(kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 0.1}}),
				WithSplits(nil),
				WithLoss(compare.Losses(loss.Hinge{}, 0.1)))...)
			c := must(l.Model.Score(d.X, d.Y)).Confusion[rare]
			return float64(c[rare]) / float64(d.Counts()[rare])
		}
		plain, balanced := recall(), recall(WithClassWeights(BalancedWeights(d)))
		if !(balanced > plain) {
			t.Errorf("%d classes: %g of the rare class is found, %g with balanced weights", len(d.Classes), plain,
				balanced)
		}
	}
	// weights of classes are those of the loss
	w := map[string]float64{two.Classes[0]: 2, two.Classes[1]: 3}
	how := []Option{WithFamily(kernel.List{kernel.RBF{Gamma: 0.3}}), WithSplits(nil), WithGap(1e-8)}
	a := learn(t, two, append(how, WithLoss(compare.Losses(loss.Hinge{}, 0.5)), WithClassWeights(w))...)
	b := learn(t, two, append(how, WithLoss(compare.Losses(loss.Hinge{Negative: 2, Positive: 3}, 0.5)))...)
	if math.Abs(a.Result.F-b.Result.F) > 1e-7*b.Result.F {
		t.Errorf("F = %.10g with weights of classes, %.10g with those of the loss", a.Result.F, b.Result.F)
	}
	numbers := *two
	numbers.Classes = nil
	hinge, zero := WithLoss(compare.Losses(loss.Hinge{}, 1)), map[string]float64{two.Classes[0]: 0}
	for _, c := range []struct {
		d    *data.Dataset
		opts []Option
		want string
	}{
		{two, []Option{hinge, WithClassWeights(map[string]float64{"x": 1})}, `there is no class "x"`},
		{two, []Option{hinge, WithClassWeights(zero)}, "use a finite number above"},
		{two, []Option{WithClassWeights(w)}, "has no weights of points"},
		{&numbers, []Option{WithoutProbabilities()}, "are numbers, not classes"},
		{&numbers, []Option{WithClassWeights(w)}, "are numbers, not classes"},
	} {
		says(t, failure(Learn(context.Background(), c.d, c.opts...)), c.want)
	}
}
