package learn

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/compare/comparetest"
	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/testenv"
	"github.com/mklnb/mkl/data"
)

// signOfSum is n normal points of p features, labeled by the sign of the sum of the first ten.
func signOfSum(n, p int, seed uint64) *data.Dataset {
	x := comparetest.NormalPoints(n, p, rand.New(rand.NewPCG(seed, 0)))
	y := make([]float64, n)
	for i := range y {
		sum := 0.0
		for _, v := range x.Row(i)[:10] {
			sum += v
		}
		y[i] = math.Copysign(1, sum)
	}
	return &data.Dataset{Name: "sign of a sum", X: x, Y: y, Classes: []string{"minus", "plus"}}
}

// One width for each of 5,000 features: folds came to good weights from those of a smaller set, and the solve of all
// points, which started anew, ended where K is the identity and predicts a constant. Of issue 26.
func TestRefitReproduces(t *testing.T) {
	testenv.SkipUnlessLong(t)
	for _, seed := range []uint64{1, 3, 4} {
		d := signOfSum(100, 5000, seed)
		l := learn(t, d, WithFamily(kernel.Gaussians{Prepare: points.Preprocessing{points.Standardize}}),
			WithSplits(nil),
			WithSeed(seed))
		if l.Method != LearnedName {
			t.Errorf("seed %d: %s, want learned weights", seed, l.Method)
		}
		test := signOfSum(500, 5000, seed+100)
		score, err := l.Model.Score(test)
		if err != nil || !(score.AUC > 0.65) || !(score.RMSE < 0.98) {
			t.Errorf("seed %d: %v, %v on new points; %s", seed, score, err, l.Method)
		}
	}
}

// What is kept of a family with several minima is what was found.
func TestStartsAreKept(t *testing.T) {
	d, folder := signOfSum(60, 12, 3), t.TempDir()
	var all []*Learned
	stored := 0
	for range 2 {
		l := learn(t, d, WithFamily(kernel.Gaussians{Prepare: points.Preprocessing{points.Standardize}}),
			WithMethod(LearnedName), WithStore(folder),
			WithSplits(must(fit.Holdout(d.Y, 0.25, 2, 1))),
			WithProgress(func(p compare.Progress) { stored = p.Stored }))
		all = append(all, l)
	}
	if all[0].Seconds = all[1].Seconds; !reflect.DeepEqual(all[0], all[1]) || stored == 0 {
		t.Errorf("%d tasks are stored, and two runs find\n%+v\nand\n%+v", stored, all[0], all[1])
	}
}
