package nkrr

import (
	"fmt"
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

// experiments lists the experiments with stored results.
var experiments = []string{"table1", "search", "figure2", "figure3"}

// plan returns the blocks of an experiment for one seed, without results. It includes finefoods and the simulated arm
// so that a reader without external datasets can compute some results again.
func plan(experiment string, seed uint64) (list []Block) {
	add := func(data, name string, x int) { list = append(list, Block{Data: data, Case: name, X: x, Seed: seed}) }
	switch experiment {
	case "table1", "search":
		readings := Readings()
		if experiment == "search" {
			readings = Searched()
		}
		for _, d := range Sets {
			for _, r := range readings {
				if !r.LeakFree() || d == "parkinsons" {
					add(d, r.Name, 0)
				}
			}
		}
	case "figure2":
		for _, d := range []string{"kitchen", "electronics"} {
			add(d, Stars, 500)
			add(d, CenteredStars, 500)
		}
		add("kitchen", Stars, 3600)
		add("finefoods", CenteredStars, 200)
	case "figure3":
		for degree := 1; degree <= 4; degree++ {
			for _, factor := range Factors {
				add("kin-8nm", fmt.Sprintf("degree %d", degree), factor)
			}
			add("simulated-arm", fmt.Sprintf("degree %d", degree), 50)
		}
	}
	return list
}

// TestStored computes all stored results again for ten seeds of every experiment, compares them with the stored ones,
// and writes them.
func TestStored(t *testing.T) {
	sharedtest.RequireRegen(t)
	for _, experiment := range experiments {
		t.Run(experiment, func(t *testing.T) {
			before := Stored(experiment)
			var all []Block
			for seed := uint64(1); seed <= 10; seed++ {
				for _, b := range plan(experiment, seed) {
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
	for _, experiment := range experiments {
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
	for _, experiment := range experiments {
		list := Stored(experiment)
		if seeds := shared.Seeds(list); len(seeds) != 10 || len(list) != 10*len(plan(experiment, 1)) {
			t.Errorf("%s: %d results of seeds %v", experiment, len(list), seeds)
		}
	}
}

// TestSentences checks the sentences of the notebook against the stored results.
func TestSentences(t *testing.T) {
	sharedtest.CheckSentences(t, "01_nkrr.ipynb", sentences(), 10, Stored)
}
