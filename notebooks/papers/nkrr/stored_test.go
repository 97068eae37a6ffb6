package nkrr

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	_ "github.com/mklnb/mkl/algos/linalg/openblas"
	"github.com/mklnb/mkl/algos/testenv"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/notebooks/papers/shared"
	"github.com/mklnb/mkl/notebooks/papers/shared/sharedtest"
)

// TestStored computes all stored results again for ten seeds of every experiment, compares them with the stored ones,
// and writes them if -regen is set.
func TestStored(t *testing.T) {
	sharedtest.RequireFull(t)
	for _, experiment := range Experiments {
		t.Run(experiment, func(t *testing.T) {
			before := Stored(experiment)
			var all []Block
			for seed := uint64(1); seed <= 10; seed++ {
				for _, b := range Plan(experiment, seed) {
					all = append(all, recompute(t, experiment, b, before))
				}
			}
			sharedtest.Write(t, experiment, all)
		})
	}
}

// recompute computes a block and compares its means with the stored ones.
func recompute(t *testing.T, experiment string, b Block, stored []Block) Block {
	t.Helper()
	made, err := Compute(t.Context(), experiment, b)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(stored, func(k Block) bool {
		return k.Data == b.Data && k.Case == b.Case && k.X == b.X && k.Seed == b.Seed
	})
	if i < 0 {
		t.Errorf("%s: %s, %s, %d, seed %d is not stored", experiment, b.Data, b.Case, b.X, b.Seed)
		return made
	}
	for k, c := range made.Columns {
		if d := c.Mean - stored[i].Columns[k].Mean; d > 0.003 || d < -0.003 {
			t.Errorf("%s: %s, %s, seed %d, %s: RMSE %.4f, stored %.4f", experiment, b.Data, b.Case, b.Seed, c.Method,
				c.Mean, stored[i].Columns[k].Mean)
		}
	}
	return made
}

// TestDrawn computes one stored result of each experiment again, a different one every day. It chooses among results
// that take seconds and whose data are on this machine.
func TestDrawn(t *testing.T) {
	testenv.Long(t)
	r := rand.New(rand.NewPCG(uint64(time.Now().YearDay()), 1))
	for _, experiment := range Experiments {
		list := slices.DeleteFunc(Stored(experiment), func(b Block) bool {
			_, err := data.Load(b.Data)
			absent := err != nil && b.Data != "simulated-arm"
			long := b.Case == LeakFree || experiment == "figure3" && b.Data == "kin-8nm" ||
				experiment == "figure2" && b.Data != "finefoods"
			return absent || long
		})
		b := list[r.IntN(len(list))]
		t.Logf("%s: %s, %s, %d, seed %d", experiment, b.Data, b.Case, b.X, b.Seed)
		recompute(t, experiment, b, list)
	}
}

// TestPlan compares the stored results with the plan, for ten seeds.
func TestPlan(t *testing.T) {
	for _, experiment := range Experiments {
		list := Stored(experiment)
		if seeds := shared.Seeds(list); len(seeds) != 10 || len(list) != 10*len(Plan(experiment, 1)) {
			t.Errorf("%s: %d results of seeds %v", experiment, len(list), seeds)
		}
	}
}

// TestSentences checks the sentences of the notebook against the stored results.
func TestSentences(t *testing.T) {
	sharedtest.CheckSentences(t, "01_nkrr.ipynb", Sentences(), 10, Stored)
}
