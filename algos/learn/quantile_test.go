package learn

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/compare/comparetest"
	"github.com/mklnb/mkl/algos/testenv"
	"github.com/mklnb/mkl/data"
)

// skewed returns n points of three features whose targets have noise that is skewed and grows with the first feature.
func skewed(n int, seed uint64) *data.Dataset {
	rng := rand.New(rand.NewPCG(seed, 7))
	x := comparetest.NormalPoints(n, 3, rng)
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
	testenv.SkipUnlessLong(t)
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
