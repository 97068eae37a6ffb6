package compare

import (
	"math/rand/v2"
	"testing"

	"github.com/mklnb/mkl/algos/compare/comparetest"
	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/testenv"
	"github.com/mklnb/mkl/data"
)

// The interval of a mean score holds its expectation in about 95 % of studies. That of a difference
// may be shorter than it should be, where the points trained on decide much of it, or longer.
func TestCoverage(t *testing.T) {
	studies, slack := 60, 0.07
	if testenv.RunsAllTests() {
		studies, slack = 1000, 0.01
	}
	for _, c := range []struct {
		n, d           int
		lambda         float64
		loDiff, hiDiff float64
	}{
		{n: 80, d: 5, lambda: 1, loDiff: 0.98, hiDiff: 1},
		{n: 80, d: 20, lambda: 10, loDiff: 0.85, hiDiff: 0.92},
	} {
		tables := make([]*Table, studies)
		for i := range tables {
			d := sparseLine(c.n, c.d, uint64(i))
			f := kernel.Features{Constant: true, Prepare: points.Preprocessing{points.Standardize}}
			tables[i] = run1(t, &Study{Data: d,
				Splits: must(fit.Holdout(d.Y, 0.25, 20, uint64(i))),
				Methods: []fit.Method{
					{Name: "uniform", Fitter: fit.Search{Family: f, Grid: fit.Grid{fit.Ridge(c.lambda),
						fit.Rules(mkl.Uniform{})}}},
					{Name: "learned", Fitter: fit.Search{Family: f, Grid: fit.Grid{fit.Ridge(c.lambda)}}},
				}})
		}
		covered := func(of func(*Table) (mean, lo, hi float64)) float64 {
			truth, in := 0.0, 0.0
			for _, table := range tables {
				m, _, _ := of(table)
				truth += m / float64(studies)
			}
			for _, table := range tables {
				if _, lo, hi := of(table); lo <= truth && truth <= hi {
					in += 1 / float64(studies)
				}
			}
			return in
		}
		mean := covered(func(t *Table) (float64, float64, float64) {
			s := t.Summary("learned", model.RMSE)
			return s.Mean, s.Lo, s.Hi
		})
		diff := covered(func(t *Table) (float64, float64, float64) {
			d := t.Compare("learned", "uniform", model.RMSE)
			return d.Mean, d.Lo, d.Hi
		})
		t.Logf("%d points, %d features: mean in %.1f %% of %d studies, difference in %.1f %%", c.n, c.d, 100*mean,
			studies, 100*diff)
		if mean < 0.94-slack || mean > 0.96+slack {
			t.Errorf("%d points, %d features: the interval of the mean holds it in %.3f of %d studies, want about 0.95",
				c.n, c.d, mean, studies)
		}
		if diff < c.loDiff-slack || diff > c.hiDiff+slack {
			t.Errorf("%d points, %d features: the interval of the difference holds it in %.3f of %d studies, want "+
				"%.2f to %.2f as documented", c.n, c.d, diff, studies, c.loDiff, c.hiDiff)
		}
	}
}

// sparseLine returns n points of d standard normal features with the targets y = x_1/2 + noise.
func sparseLine(n, d int, seed uint64) *data.Dataset {
	rng := rand.New(rand.NewPCG(seed, 2))
	x, y := comparetest.NormalPoints(n, d, rng), make([]float64, n)
	for i := range y {
		y[i] = 0.5*x.Data[i*d] + rng.NormFloat64()
	}
	return &data.Dataset{Name: "sparse line", X: x, Y: y}
}
