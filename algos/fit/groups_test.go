package fit

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/mklnb/mkl/algos/compare/comparetest"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/testenv"
)

// people are n points of g persons, in random order, whose label is the person's own; so many
// persons are +1.
func people(n, g, plus int, seed uint64) (group []string, y []float64) {
	rng := rand.New(rand.NewPCG(seed, 1))
	name := rng.Perm(g)
	for i := range n {
		p := name[i%g]
		if i >= g {
			p = rng.IntN(g)
		}
		group = append(group, "person "+strconv.Itoa(p))
		y = append(y, -1)
		if p < plus {
			y[i] = 1
		}
	}
	return group, y
}

// members are the groups of some points.
func members(group []string, rows []int) map[string]bool {
	in := make(map[string]bool)
	for _, r := range rows {
		in[group[r]] = true
	}
	return in
}

// TestFoldsKeepGroups tests that the folds on which hyperparameters are chosen keep groups whole.
func TestFoldsKeepGroups(t *testing.T) {
	d := comparetest.OverlappingClasses(36, 3, 1)
	d.Group, _ = people(36, 9, 4, 1)
	m := Method{Name: "m", Fitter: Search{Family: uncentered, Grid: Grid{Ridge(0.1, 1), Rules(mkl.Uniform{})}}}
	for _, f := range chosen(t, d, Settings{Selection: Selection{Folds: 4}}, m).selectionFolds {
		train := members(d.Group, f.Train)
		for g := range members(d.Group, f.Test) {
			if train[g] {
				t.Errorf("a fold has the group %s in both parts: %v", g, f)
			}
		}
	}
	w := must(Open(d, []Method{m}, Settings{Selection: Selection{Folds: 10}}, nil))
	says(t, testenv.ErrorText(w.PrepareChoices(points.AllIndices(36), 0, "")), "Selection.Folds", "10 folds of ")
}

// TestDrawWithin tests that a sample has the given number of points, and of each group its share.
func TestDrawWithin(t *testing.T) {
	for seed := range uint64(20) {
		group, y := people(1000, 7, 3, seed)
		group[3] = "alone"
		s := sampleByGroup(y, group, 100, seed)
		if len(s) != 100 || len(slices.Compact(slices.Clone(s))) != 100 || !slices.IsSorted(s) {
			t.Fatalf("not 100 points, ascending: %v", s)
		}
		count, all := map[string]float64{}, map[string]float64{}
		for _, i := range s {
			count[group[i]]++
		}
		for _, g := range group {
			all[g]++
		}
		for g, n := range all {
			if c := count[g]; c < 1 || math.Abs(c-n/10) > 3 {
				t.Errorf("%s has %g of %g points in the sample", g, c, n)
			}
		}
	}
	group, y := people(50, 40, 3, 1) // more groups than room
	if s := sampleByGroup(y, group, 10, 1); len(s) != 10 {
		t.Errorf("%d points", len(s))
	}
}
