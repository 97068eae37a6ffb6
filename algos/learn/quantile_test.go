package learn

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/compare/comparetest"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/testenv"
	"github.com/mklnb/mkl/data"
)

// skewed returns n points of three features whose targets have noise that is skewed and grows with the first feature.
func skewed(n int, seed uint64) *data.Dataset {
	rng := rand.New(rand.NewPCG(seed, 7))
	x := comparetest.Normal(n, 3, rng)
	d := &data.Dataset{Name: "skewed", X: x}
	for i := range n {
		r := x.Row(i)
		d.Y = append(d.Y, 20*(math.Sin(2*r[0])+0.5*r[1]+(0.5+math.Abs(r[0]))*rng.ExpFloat64()))
	}
	return d
}

// The mean share of fresh points below the estimate of a quantile is near the quantile. Of 50 sets of 200 to 396 points
// it is within 0.03.
func TestQuantiles(t *testing.T) { testQuantiles(t, 2, 200, 0.06) }

func TestQuantilesOfFiftySets(t *testing.T) {
	testenv.Long(t)
	testQuantiles(t, 50, 200, 0.03)
}

// testQuantiles learns from sets of n points or more.
func testQuantiles(t *testing.T, sets, n int, most float64) {
	t.Helper()
	for _, tau := range []float64{0.1, 0.5, 0.9} {
		mean := 0.0
		for seed := range sets {
			d, fresh := skewed(n+4*seed, uint64(seed)), skewed(2000, uint64(1000+seed))
			l := must(Learn(context.Background(), d, WithQuantile(tau), WithSplits(nil)))
			f, below := must(l.Model.Predict(fresh.X)), 0
			for i, y := range fresh.Y {
				if y <= f[i] {
					below++
				}
			}
			share := float64(below) / float64(len(f))
			t.Logf("τ = %g, %d points: %s, C = %g, mean loss %.4g, share %.3f", tau, len(d.Y), l.Method, l.Lambda,
				l.Tried[0].Error, share)
			mean += share / float64(sets)
			if l.Tried[0].By != compare.MeanLoss {
				t.Errorf("chosen by %s", l.Tried[0].By)
			}
		}
		t.Logf("τ = %g: the mean share of %d sets is %.4f", tau, sets, mean)
		if math.Abs(mean-tau) > most {
			t.Errorf("the mean share below the quantile %g is %.3f", tau, mean)
		}
	}
}

// ownScore is a loss that brings a score of its own: the share of points that are more than 0.1 off.
type ownScore struct{ loss.EpsilonInsensitive }

func (l ownScore) WithParameter(c float64) loss.Loss {
	l.EpsilonInsensitive = l.EpsilonInsensitive.WithParameter(c).(loss.EpsilonInsensitive)
	return l
}

func (l ownScore) Slice(rows []int) loss.Loss {
	l.EpsilonInsensitive = l.EpsilonInsensitive.Slice(rows).(loss.EpsilonInsensitive)
	return l
}

func (ownScore) Score(f, y float64) float64 {
	if math.Abs(f-y) > 0.1 {
		return 1
	}
	return 0
}

// The score of a loss selects C and the method, and comes first in the table, the importance and the learning curve.
func TestOwnScore(t *testing.T) {
	d := comparetest.Wave(80, 1)
	opts := []Option{WithFamily(kernel.List{kernel.RBF{Gamma: 0.3}, kernel.RBF{Gamma: 3}}),
		WithLoss(compare.Losses(ownScore{loss.EpsilonInsensitive{Epsilon: 0.01}}, 0.01, 1, 100)),
		WithSplits(must(compare.Holdout(d.Y, 0.25, 2, 1)))}
	l := must(Learn(context.Background(), d, opts...))
	for _, c := range l.Tried {
		if n := 80 * c.Error; c.By != compare.MeanLoss || math.Abs(n-math.Round(n)) > 1e-9 || !(c.Error < 1) {
			t.Errorf("%+v is not a share of 80 points", c)
		}
	}
	if m := l.Table.Metrics()[0]; m != compare.MeanLoss {
		t.Errorf("the table compares by %s", m)
	}
	for _, r := range l.Table.Row(LearnName).Runs {
		if n := 20 * r.Score.Loss; math.Abs(n-math.Round(n)) > 1e-9 || !(n < 20) {
			t.Errorf("the mean loss %g is not a share of 20 points", r.Score.Loss)
		}
	}
	w := must(Importance(context.Background(), l, nil))
	if w.Metric != compare.MeanLoss || w.Base[0] != l.Table.Values(LearnName, compare.MeanLoss)[0] {
		t.Errorf("importance is by %s: %v", w.Metric, w.Base)
	}
}
