package notebooks

import (
	"errors"
	"math"
	"testing"
	"time"

	"github.com/mklnb/mkl/algos/testenv"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/notebooks/papers/eskl"
	results "github.com/mklnb/mkl/notebooks/papers/kept"
)

// TestSeedsESKL judges the kept results of 04_similarities: every sentence of eskl.Conclusions holds for each draw that
// is kept, and the notebook has it word for word. One drawn entry of each experiment is made again, where its file is:
// the first split of a set and draw, and where MKL_SIZE=full of every set of that draw.
func TestSeedsESKL(t *testing.T) {
	judged(t, "04_similarities.ipynb", eskl.Conclusions(), 1, eskl.Kept)
	if testing.Short() {
		t.Skip("-short: no entry is made again")
	}
	for _, experiment := range eskl.Experiments {
		all := eskl.Kept(experiment)
		draws, sets := eskl.Draws[experiment], len(eskl.Sets(experiment))
		if got := results.Seeds(all); len(got) != draws || len(all) != draws*sets {
			t.Errorf("%s: %d results of the seeds %v are kept, expected %d draws", experiment, len(all), got, draws)
		}
		seed := 1 + uint64(time.Now().YearDay()%draws)
		for k, s := range all {
			if s.Seed != seed || !testenv.Full() && k%sets != 0 {
				continue
			}
			again, err := eskl.Again(t.Context(), experiment, s.Data, seed, 1)
			if errors.Is(err, data.ErrAbsent) {
				t.Logf("%s: its file is not here", experiment)
				continue
			}
			for m, score := range must(again, err).Splits[0] {
				// that kernels are learned to a hundredth alone may move two points of the test part
				got, want := score.Accuracy, s.Splits[0][m].Accuracy
				if math.Abs(got-want) > 2.5/math.Round(0.2*float64(s.N)) {
					t.Errorf("%s, seed %d, %s: accuracy %.3f of the first split, kept is %.3f", s.Data, seed,
						s.Methods[m], got, want)
				}
			}
		}
	}
}
