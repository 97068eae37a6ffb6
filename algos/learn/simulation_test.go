package learn

import (
	"context"
	"testing"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/compare/comparetest"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/testenv"
)

// One weight for each of 100 features and 60 points to train on: the weights can fit any label that they see, and
// learning does not hurt, because λ is chosen by points that they have not seen.
func TestLearnOfManyWeights(t *testing.T) {
	seeds := 3
	if testenv.Full() {
		seeds = 50
	}
	hurt := 0
	f := kernel.Features{Constant: true, Prepare: points.Preprocessing{points.Standardize}}
	for seed := range seeds {
		d := comparetest.SparseLine(80, 100, uint64(seed))
		l := must(Learn(context.Background(), d, WithFamily(f), WithSeed(uint64(seed))))
		c := l.Table.Compare(LearnedName, UniformName, compare.RMSE)
		if c.Lo > 0 {
			hurt++
		}
		for _, r := range l.Table.Rows {
			for _, run := range r.Runs {
				if run.Edge && run.Value > 1.01e-7 && run.Value < 0.99e5 {
					t.Errorf("seed %d, %s: λ = %g at the end of a grid that could have grown", seed, r.Method,
						run.Value)
				}
			}
		}
		t.Logf("seed %d: %v, R² %.2f, λ %.3g", seed, c, l.Table.Summary(LearnedName, compare.R2).Mean, l.Lambda)
	}
	if hurt*50 > 3*seeds {
		t.Errorf("in %d of %d studies learning clearly hurts, want at most 6 %%", hurt, seeds)
	}
}
