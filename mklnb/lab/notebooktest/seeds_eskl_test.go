package notebooks

import (
	"context"
	"math"
	"testing"

	"github.com/mklnb/mkl/algos/testenv"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/notebooks/papers/eskl"
)

// TestSeedsESKL judges the kept results of 04_similarities: every sentence of eskl.Conclusions holds for each draw
// that is kept (of points, noise and splits), and the notebook has it word for word. Where MKL_SIZE=full the first
// split of every set and draw is run anew, and its accuracies are those kept.
func TestSeedsESKL(t *testing.T) {
	judged(t, "04_similarities.ipynb", eskl.Conclusions(), 2,
		func(experiment string) []*eskl.Scores { return eskl.Kept(experiment) })
	for _, s := range eskl.Kept("single") {
		if s.Seed == 1 && len(s.Splits) < 10 || s.Seed != 1 &&
			len(s.Splits) != len(eskl.Kept("single", s.Seed)[0].Splits) {
			t.Errorf("%s, seed %d: %d splits", s.Data, s.Seed, len(s.Splits))
		}
		if !testenv.Full() {
			continue
		}
		d := must(data.Load(s.Data))
		set := eskl.Indefinite(d, s.N/2, 0.1, s.Seed)
		if s.Data == "votes84" {
			set = eskl.Votes(d, s.N/2, s.Seed)
		}
		again := must(eskl.Compare(context.Background(), set, eskl.Single(), 1, s.Folds, s.Seed))
		for m, name := range s.Methods {
			// that kernels are learned to a hundredth alone may move a point or two
			if got, want := again.Splits[0][m].Accuracy,
				s.Splits[0][m].Accuracy; math.Abs(got-want) > 2.5/math.Round(0.2*float64(s.N)) {
				t.Errorf("%s, seed %d, %s: accuracy %.3f of the first split, kept is %.3f", s.Data, s.Seed,
					name, got, want)
			}
		}
	}
}
