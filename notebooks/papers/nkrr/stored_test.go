package nkrr

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	_ "github.com/mklnb/mkl/algos/linalg/openblas"
	"github.com/mklnb/mkl/algos/testenv"
	"github.com/mklnb/mkl/data/datasets"
	"github.com/mklnb/mkl/notebooks/papers/shared"
	"github.com/mklnb/mkl/notebooks/papers/shared/sharedtest"
)

// experiments lists the experiments with stored results.
var experiments = []string{"table1", "table1-training", "figure2", "figure3"}

// TestStored computes all stored results again for ten seeds of every experiment.
func TestStored(t *testing.T) {
	for _, experiment := range experiments {
		sharedtest.RegenerateResults(t, experiment, 10, shared.SelectSeed(Stored(experiment), 1),
			func(b Block, seed uint64) (Block, error) {
				b.Seed = seed
				return Compute(t.Context(), experiment, b)
			})
	}
}

// TestDrawn computes one stored result of each experiment again, a different one every day. It chooses among results
// that take seconds and whose data are on this machine.
func TestDrawn(t *testing.T) {
	testenv.SkipUnlessLong(t)
	r := rand.New(rand.NewPCG(uint64(time.Now().YearDay()), 1))
	for _, experiment := range experiments {
		list := slices.DeleteFunc(Stored(experiment), func(b Block) bool {
			_, err := datasets.Load(b.Data)
			absent := err != nil && b.Data != "simulated-arm"
			long := b.Case == LeakFree || experiment == "table1-training" && b.Data == "ionosphere" ||
				experiment == "figure3" && b.Data == "kin-8nm" || experiment == "figure2" && b.Data != "finefoods"
			return absent || long
		})
		b := list[r.IntN(len(list))]
		again, err := Compute(t.Context(), experiment, b)
		if err != nil {
			t.Fatal(err)
		}
		if off := again.LargestDifference(b); off > 2e-4 {
			t.Errorf("%s: %s, %s, %d, seed %d: a number differs from the stored one by %.2g", experiment, b.Data,
				b.Case, b.X, b.Seed, off)
		}
	}
}

// TestStoredIsComplete checks that the results of ten seeds are stored.
func TestStoredIsComplete(t *testing.T) {
	for _, experiment := range experiments {
		list := Stored(experiment)
		if seeds := shared.DistinctSeeds(list); len(seeds) != 10 || len(list) != 10*len(shared.SelectSeed(list, 1)) {
			t.Errorf("%s: %d results of seeds %v", experiment, len(list), seeds)
		}
		if off := (Block{}).LargestDifference(list[0]); !math.IsInf(off, 1) {
			t.Errorf("%s: a result without columns differs by %g, expected +Inf", experiment, off)
		}
		solved := list[0]
		solved.Columns = slices.Clone(solved.Columns)
		last := &solved.Columns[len(solved.Columns)-1]
		if last.Status != "certified" {
			t.Fatalf("%s: the last column is %q, expected certified", experiment, last.Status)
		}
		last.Status = "stalled"
		if off := solved.LargestDifference(list[0]); !math.IsInf(off, 1) {
			t.Errorf("%s: a result without a certificate differs by %g, expected +Inf", experiment, off)
		}
	}
}

// TestSentences checks the sentences of the notebook against the stored results.
func TestSentences(t *testing.T) {
	sharedtest.CheckSentences(t, "01_nkrr.ipynb", sentences(), 10, Stored)
}
